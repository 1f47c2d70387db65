//! The dotted rectangle that old programs draw around what has the keyboard: it touches the first letter and hides it
//! from everything that looks for ink, so it is taken away before a picture is read.

use std::borrow::Cow;

use image::RgbImage;

use super::pixels::{self, Rgb};
use crate::scene::{ImagePoint, ImageRect};

/// The shortest rows of dots, along a line of text and across it. Letters have no such row.
const SHORTEST: [i32; 2] = [12, 8];

/// The picture without rows of dots inside `area`; the picture itself when there are none.
pub(super) fn without_dots(image: &RgbImage, area: ImageRect) -> Cow<'_, RgbImage> {
    let area = pixels::clip(area, image);
    let mut cleaned = Cow::Borrowed(image);
    for (along, across, shortest) in [((1, 0), (0, 1), SHORTEST[0]), ((0, 1), (1, 0), SHORTEST[1])] {
        let (lines, length) = if along.0 == 1 { (area.height(), area.width()) } else { (area.width(), area.height()) };
        for line in 0..lines {
            let point = |place: i32| {
                ImagePoint::new(
                    area.min.x + place * along.0 + line * across.0,
                    area.min.y + place * along.1 + line * across.1,
                )
            };
            let color = |place: i32, aside: i32| {
                let at = point(place);
                pixels::at(image, at.x + aside * across.0, at.y + aside * across.1)
            };
            // A row of the shortest length has one of these places three pixels before its end, or earlier.
            let mut place = 0;
            while place + 2 < length {
                if color(place, 0) == color(place + 1, 0) || color(place, 0) != color(place + 2, 0) {
                    place += shortest - 2;
                    continue;
                }
                let (start, end) = alternating(place, length, |place| color(place, 0));
                if end - start >= shortest
                    && let Some((first, ground)) = dots(start, end, color)
                {
                    for place in (first..end).step_by(2) {
                        let at = point(place);
                        if let Some(pixel) = cleaned.to_mut().get_pixel_mut_checked(at.x as u32, at.y as u32) {
                            pixel.0 = ground;
                        }
                    }
                }
                // The last pixel may be the first of the next row.
                place = end - 1;
            }
        }
    }
    cleaned
}

/// From where to where a row of pixels of two colours in turn goes, of which the three at `place` are part.
fn alternating(place: i32, length: i32, color: impl Fn(i32) -> Rgb) -> (i32, i32) {
    let (mut start, mut end) = (place, place + 3);
    while start > 0 && color(start - 1) == color(start + 1) {
        start -= 1;
    }
    while end < length && color(end) == color(end - 2) {
        end += 1;
    }
    (start, end)
}

/// Where the dots begin and the colour between them, when one of the two colours stands alone: nothing of it above or
/// below. Strokes of letters go on there.
fn dots(start: i32, end: i32, color: impl Fn(i32, i32) -> Rgb) -> Option<(i32, Rgb)> {
    let lonely = |first: i32| {
        let places = (first..end).step_by(2);
        let alone = places.clone().filter(|p| color(*p, 0) != color(*p, -1) && color(*p, 0) != color(*p, 1)).count();
        10 * alone >= 8 * places.count()
    };
    match (lonely(start), lonely(start + 1)) {
        (true, false) => Some((start, color(start + 1, 0))),
        (false, true) => Some((start + 1, color(start, 0))),
        // Both: a pattern that fills an area. None: letters.
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, PANEL, WHITE};
    use crate::vision::pixels::rect;

    const BLUE: [u8; 3] = [51, 153, 255];
    const ORANGE: [u8; 3] = [204, 102, 0];

    /// A dotted rectangle, every other pixel.
    fn dotted(mut d: Drawing, b: ImageRect, color: [u8; 3]) -> Drawing {
        for (x, y) in (b.min.x..b.max.x).flat_map(|x| [(x, b.min.y), (x, b.max.y - 1)]) {
            d = if (x + y) % 2 == 0 { d.fill(rect(x, y, x + 1, y + 1), color) } else { d };
        }
        for (x, y) in (b.min.y..b.max.y).flat_map(|y| [(b.min.x, y), (b.max.x - 1, y)]) {
            d = if (x + y) % 2 == 0 { d.fill(rect(x, y, x + 1, y + 1), color) } else { d };
        }
        d
    }

    #[test]
    fn a_focus_rectangle_that_touches_the_text_is_taken_away() {
        let field = rect(10, 6, 150, 30);
        let marked = rect(13, 9, 130, 27);
        let plain = |d: Drawing| d.fill(marked, BLUE).words(marked.min.x + 1, 13, 60, 255);
        let clean = plain(Drawing::new(200, 40, PANEL).boxed(field, 90, WHITE));
        let dotted = dotted(plain(Drawing::new(200, 40, PANEL).boxed(field, 90, WHITE)), marked, ORANGE);
        assert_eq!(*without_dots(&dotted.0, dotted.frame()), clean.0);
    }

    #[test]
    fn letters_and_patterns_stay_as_they_are() {
        let d = Drawing::new(200, 40, WHITE).words(10, 10, 120, 0);
        // Narrow strokes side by side, as in a word of many l.
        let d = (0..20).fold(d, |d, i| d.fill(rect(20 + 2 * i, 25, 21 + 2 * i, 35), [0; 3]));
        let kept = without_dots(&d.0, d.frame());
        assert!(matches!(kept, Cow::Borrowed(_)));
        let mut pattern = Drawing::new(60, 30, WHITE);
        for (x, y) in (0..60).flat_map(|x| (0..30).map(move |y| (x, y))).filter(|(x, y)| (x + y) % 2 == 0) {
            pattern = pattern.fill(rect(x, y, x + 1, y + 1), [128; 3]);
        }
        assert!(matches!(without_dots(&pattern.0, pattern.frame()), Cow::Borrowed(_)));
    }
}
