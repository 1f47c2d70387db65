//! The picture of what was seen: every element's box in its role's colour with its number, for a person and for a
//! model that takes pictures.

use image::{Rgb, RgbImage};

use super::pixels;
use crate::scene::{Element, ImageRect, Role, Source};

/// Columns and rows of a digit of the built-in font, whose strokes are two pixels wide: they stay legible when a viewer
/// shrinks the picture.
const DIGIT_WIDTH: i32 = 6;
const DIGIT_HEIGHT: i32 = 9;
/// Digits 0 to 9, one row of six pixels per number, the leftmost pixel in the highest bit.
#[rustfmt::skip]
const DIGITS: [[u8; 9]; 10] = [
    [0b011110, 0b110011, 0b110011, 0b110011, 0b110011, 0b110011, 0b110011, 0b110011, 0b011110],
    [0b001100, 0b011100, 0b111100, 0b001100, 0b001100, 0b001100, 0b001100, 0b001100, 0b111111],
    [0b011110, 0b110011, 0b000011, 0b000011, 0b000110, 0b001100, 0b011000, 0b110000, 0b111111],
    [0b011110, 0b110011, 0b000011, 0b000011, 0b001110, 0b000011, 0b000011, 0b110011, 0b011110],
    [0b000110, 0b001110, 0b011110, 0b110110, 0b110110, 0b111111, 0b000110, 0b000110, 0b000110],
    [0b111111, 0b110000, 0b110000, 0b111110, 0b000011, 0b000011, 0b000011, 0b110011, 0b011110],
    [0b001110, 0b011000, 0b110000, 0b111110, 0b110011, 0b110011, 0b110011, 0b110011, 0b011110],
    [0b111111, 0b000011, 0b000011, 0b000110, 0b000110, 0b001100, 0b001100, 0b011000, 0b011000],
    [0b011110, 0b110011, 0b110011, 0b110011, 0b011110, 0b110011, 0b110011, 0b110011, 0b011110],
    [0b011110, 0b110011, 0b110011, 0b110011, 0b011111, 0b000011, 0b000011, 0b000110, 0b011100],
];
/// Neighbouring pixels that differ by more than this in a channel are an edge of something drawn.
const EDGE: u8 = 24;
/// A picture wider or higher than this is looked at from farther away: its numbers are twice as large.
const LARGE: i32 = 2200;
/// How little a place is liked that had to be moved into the picture.
const MOVED: i32 = 30;
/// Tags are tried at no more places along a side than this.
const MOST_STEPS: i32 = 7;

/// Draws box and number of every element onto a copy of the picture. What can be typed into has a thick frame, what can
/// be pressed a thin one, mere words and cells a dotted one; dark parts of a picture get bright colours. Numbers stand
/// where nothing is drawn, outside of their boxes or in a free corner.
pub fn annotate(image: &RgbImage, elements: &[Element]) -> RgbImage {
    let mut out = image.clone();
    let places = places(image, elements);
    let colors: Vec<Rgb<u8>> = elements.iter().map(|e| color_of(e.role, is_dark(image, frame_of(e)))).collect();
    // Large boxes first, so that a small one in them is not hidden.
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(elements[*i].bbox.to_i64().area()));
    for i in order {
        outline(&mut out, frame_of(&elements[i]), line_of(elements[i].role), colors[i]);
    }
    for ((e, tag), color) in elements.iter().zip(&places).zip(&colors) {
        fill(&mut out, *tag, *color);
        let ink = if pixels::luma(color.0) > 140 { Rgb([0, 0, 0]) } else { Rgb([255, 255, 255]) };
        let size = size_of(image);
        write_number(&mut out, e.id, (tag.min.x + 2 * size, tag.min.y + size), size, ink);
    }
    out
}

/// How a frame is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Thick,
    Thin,
    Dotted,
}

fn line_of(role: Role) -> Line {
    match role {
        Role::Textbox | Role::Combobox | Role::Slider | Role::Window => Line::Thick,
        Role::Button
        | Role::Icon
        | Role::Link
        | Role::Checkbox
        | Role::Radio
        | Role::Switch
        | Role::Tab
        | Role::Menuitem
        | Role::Listitem => Line::Thin,
        Role::Cell | Role::Text | Role::Image => Line::Dotted,
    }
}

/// Far apart for the roles that are often confused; for a bright picture and for a dark one.
fn color_of(role: Role, on_dark: bool) -> Rgb<u8> {
    let (dark, bright) = match role {
        Role::Button => ([0, 92, 197], [100, 181, 255]),
        Role::Icon => ([0, 121, 107], [77, 220, 200]),
        Role::Link => ([103, 58, 183], [190, 160, 255]),
        Role::Textbox => ([198, 20, 40], [255, 120, 120]),
        Role::Combobox => ([178, 84, 0], [255, 180, 80]),
        Role::Checkbox | Role::Radio | Role::Switch => ([36, 115, 40], [130, 220, 120]),
        Role::Tab | Role::Menuitem => ([160, 0, 110], [255, 140, 220]),
        Role::Listitem | Role::Cell => ([110, 80, 66], [205, 180, 165]),
        Role::Slider => ([110, 105, 0], [220, 215, 90]),
        Role::Text | Role::Image => ([96, 96, 96], [185, 185, 185]),
        Role::Window => ([20, 20, 20], [240, 240, 240]),
    };
    Rgb(if on_dark { bright } else { dark })
}

/// Whether most of what lies along the frame is dark.
fn is_dark(image: &RgbImage, frame: ImageRect) -> bool {
    let (mut dark, mut all) = (0, 0);
    let clipped = frame.inflate(2, 2).intersection(&pixels::frame(image)).unwrap_or_default();
    for y in [clipped.min.y, clipped.center().y, clipped.max.y - 1] {
        for x in (clipped.min.x..clipped.max.x).step_by(3) {
            if let Some(pixel) = pixel(image, x, y) {
                all += 1;
                dark += i32::from(pixels::luma(pixel.0) < 110);
            }
        }
    }
    2 * dark > all
}

/// The frame that is drawn around an element. Boxes of plain words touch the letters, so theirs goes around.
fn frame_of(e: &Element) -> ImageRect {
    if e.source == Source::Ocr { e.bbox.inflate(2, 2) } else { e.bbox }
}

/// How large a pixel of a digit is drawn.
fn size_of(image: &RgbImage) -> i32 {
    let frame = pixels::frame(image);
    if frame.width().max(frame.height()) > LARGE { 2 } else { 1 }
}

/// Where every element's number goes, in the order of the elements.
fn places(image: &RgbImage, elements: &[Element]) -> Vec<ImageRect> {
    let drawn = Drawn::of(image);
    let size = size_of(image);
    // What can be operated chooses first, and of that the smallest: it has the fewest places.
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|i| (!elements[*i].role.is_interactive(), elements[*i].bbox.to_i64().area()));
    let mut places = vec![ImageRect::zero(); elements.len()];
    let mut taken: Vec<ImageRect> = Vec::new();
    for i in order {
        let e = &elements[i];
        let digits = e.id.to_string().len() as i32;
        let tag = (size * (digits * (DIGIT_WIDTH + 1) + 3), size * (DIGIT_HEIGHT + 2));
        let frame = pixels::frame(image);
        let candidates = candidates(e, tag).into_iter().map(|(preference, place)| {
            let inside = within(place, frame);
            (if inside == place { preference } else { preference + MOVED }, inside)
        });
        let cost = |(preference, place): &(i32, ImageRect)| {
            let over_tags: i64 = taken.iter().map(|t| i64::from(pixels::intersection_area(*t, *place))).sum();
            let over_others: i64 = elements
                .iter()
                .filter(|o| o.id != e.id && !o.bbox.contains_box(&frame_of(e)))
                .map(|o| i64::from(pixels::intersection_area(o.bbox, *place)))
                .sum();
            100 * over_tags + 12 * i64::from(drawn.within(*place)) + over_others + i64::from(*preference)
        };
        let best = candidates.min_by_key(cost).map_or(ImageRect::zero(), |(_, place)| place);
        places[i] = best;
        taken.push(best);
    }
    places
}

/// The place moved into the picture as far as it has room.
fn within(place: ImageRect, frame: ImageRect) -> ImageRect {
    let x = place.min.x.min(frame.max.x - place.width()).max(frame.min.x);
    let y = place.min.y.min(frame.max.y - place.height()).max(frame.min.y);
    pixels::rect(x, y, x + place.width(), y + place.height())
}

/// The places for a tag at an element, each with how little it is liked. Numbers of cells and rows stay inside, where
/// they cannot be taken for those of the next one; others stand along the outside first, then in a corner.
fn candidates(e: &Element, (w, h): (i32, i32)) -> Vec<(i32, ImageRect)> {
    let b = frame_of(e);
    let mut found = Vec::new();
    let mut add = |preference: i32, x: i32, y: i32| found.push((preference, pixels::rect(x, y, x + w, y + h)));
    let (outside, inside) = if matches!(e.role, Role::Cell | Role::Listitem) { (30, 0) } else { (0, 20) };
    let slack = (b.width() - w).max(0);
    let steps = (slack / w.max(1)).clamp(1, MOST_STEPS);
    for step in 0..=steps {
        let x = b.min.x + slack * step / steps;
        add(outside + step, x, b.min.y - h);
        add(outside + 12 + step, x, b.max.y);
        if b.height() > h + 4 {
            let x = x.clamp(b.min.x + 2, (b.max.x - w - 2).max(b.min.x + 2));
            add(inside + 8 + step, x, b.min.y + 2);
            add(inside + 12 + step, x, b.max.y - h - 2);
        }
    }
    for (preference, y) in [(0, b.center().y - h / 2), (2, b.min.y), (4, b.max.y - h)] {
        add(outside + 4 + preference, b.min.x - w, y);
        add(outside + 5 + preference, b.max.x, y);
        if b.width() > 2 * w {
            add(inside + preference, b.max.x - w - 2, y);
            add(inside + 4 + preference, b.min.x + 2, y);
        }
    }
    // Where nothing else is left: over the corner.
    add(80, b.min.x, b.min.y);
    found
}

/// How much is drawn in any part of a picture: sums of edges, so that each question takes four look-ups.
struct Drawn {
    sums: Vec<u32>,
    width: usize,
    height: usize,
}

impl Drawn {
    fn of(image: &RgbImage) -> Drawn {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let mut sums = vec![0u32; (width + 1) * (height + 1)];
        let bytes = image.as_raw();
        let at = |x: usize, y: usize| bytes.get((y * width + x) * 3..).and_then(|rest| rest.first_chunk::<3>());
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                let differs = |other: Option<&[u8; 3]>| match (at(x, y), other) {
                    (Some(a), Some(b)) => a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > EDGE),
                    _ => false,
                };
                let right = x + 1 < width && differs(at(x + 1, y));
                let below = y + 1 < height && differs(at(x, y + 1));
                row += u32::from(right || below);
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
            }
        }
        Drawn { sums, width, height }
    }

    fn within(&self, b: ImageRect) -> u32 {
        let x = |x: i32| usize::try_from(x).unwrap_or(0).min(self.width);
        let y = |y: i32| usize::try_from(y).unwrap_or(0).min(self.height);
        let at = |x: usize, y: usize| self.sums.get(y * (self.width + 1) + x).copied().unwrap_or(0);
        let (x0, x1, y0, y1) = (x(b.min.x), x(b.max.x), y(b.min.y), y(b.max.y));
        (at(x1, y1) + at(x0, y0)).saturating_sub(at(x0, y1) + at(x1, y0))
    }
}

fn outline(image: &mut RgbImage, b: ImageRect, line: Line, color: Rgb<u8>) {
    let frame = pixels::frame(image);
    let is_drawn = |along: i32| line != Line::Dotted || along % 4 < 2;
    for ring in 0..if line == Line::Thick { 2 } else { 1 } {
        let b = b.inflate(ring, ring);
        for x in b.min.x.max(frame.min.x)..b.max.x.min(frame.max.x) {
            if is_drawn(x) {
                put(image, x, b.min.y, color);
                put(image, x, b.max.y - 1, color);
            }
        }
        for y in b.min.y.max(frame.min.y)..b.max.y.min(frame.max.y) {
            if is_drawn(y) {
                put(image, b.min.x, y, color);
                put(image, b.max.x - 1, y, color);
            }
        }
    }
}

fn fill(image: &mut RgbImage, b: ImageRect, color: Rgb<u8>) {
    for y in b.min.y..b.max.y {
        for x in b.min.x..b.max.x {
            put(image, x, y, color);
        }
    }
}

fn write_number(image: &mut RgbImage, number: u32, (x, y): (i32, i32), size: i32, ink: Rgb<u8>) {
    for (place, digit) in (0..).zip(number.to_string().bytes()) {
        let Some(rows) = DIGITS.get(usize::from(digit.wrapping_sub(b'0'))) else { continue };
        for (dy, row) in (0..).zip(rows) {
            for dx in (0..DIGIT_WIDTH).filter(|dx| row & (0b10_0000 >> dx) != 0) {
                let (left, top) = (x + size * (place * (DIGIT_WIDTH + 1) + dx), y + size * dy);
                fill(image, pixels::rect(left, top, left + size, top + size), ink);
            }
        }
    }
}

fn pixel(image: &RgbImage, x: i32, y: i32) -> Option<Rgb<u8>> {
    image.get_pixel_checked(u32::try_from(x).ok()?, u32::try_from(y).ok()?).copied()
}

/// Sets a pixel if it is inside the picture.
fn put(image: &mut RgbImage, x: i32, y: i32, color: Rgb<u8>) {
    if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
        && let Some(pixel) = image.get_pixel_mut_checked(x, y)
    {
        *pixel = color;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn element(id: u32, b: ImageRect) -> Element {
        Element {
            id,
            role: Role::Button,
            text: String::new(),
            label: String::new(),
            group: String::new(),
            value: None,
            state: Vec::new(),
            bbox: b,
            confidence: 1.0,
            source: Source::Shape,
        }
    }

    fn white() -> RgbImage {
        RgbImage::from_pixel(200, 120, Rgb([255; 3]))
    }

    /// Paints what looks like letters.
    fn letters(image: &mut RgbImage, b: ImageRect) {
        for y in b.min.y..b.max.y {
            for x in (b.min.x..b.max.x).filter(|x| x % 3 == 0) {
                put(image, x, y, Rgb([0; 3]));
            }
        }
    }

    #[test]
    fn a_box_and_its_number_are_drawn_and_the_inside_is_left_alone() {
        let out = annotate(&white(), &[element(7, pixels::rect(30, 30, 90, 60))]);
        assert_eq!(out.get_pixel(30, 45), &color_of(Role::Button, false));
        assert_eq!(out.get_pixel(60, 45), &Rgb([255; 3]));
        let above = pixels::rect(30, 19, 40, 30);
        let ink = (above.min.y..above.max.y)
            .flat_map(|y| (above.min.x..above.max.x).map(move |x| (x, y)))
            .filter(|(x, y)| out.get_pixel(*x as u32, *y as u32).0 == [255; 3])
            .count();
        assert_eq!(ink, 22, "the pixels of a 7");
    }

    #[test]
    fn boxes_beyond_the_picture_do_no_harm() {
        let image = RgbImage::new(4, 4);
        let out = annotate(
            &image,
            &[element(4_294_967_295, pixels::rect(-50, -50, 400, 400)), element(1, ImageRect::zero())],
        );
        assert_eq!(out.dimensions(), (4, 4));
    }

    #[test]
    fn a_number_covers_no_words_where_there_is_room() {
        // A table's cell with words at its left, and words above, below and on both sides of it.
        let mut image = white();
        let cell = pixels::rect(60, 50, 150, 72);
        for words in [(64, 55, 110, 68), (60, 30, 150, 49), (60, 73, 150, 92), (20, 50, 58, 72), (152, 50, 190, 72)] {
            letters(&mut image, pixels::rect(words.0, words.1, words.2, words.3));
        }
        let place = places(&image, &[element(12, cell)])[0];
        assert!(cell.contains_box(&place), "{place:?}");
        assert_eq!(Drawn::of(&image).within(place), 0);
    }

    #[test]
    fn numbers_of_a_dense_row_do_not_overlap() {
        let elements: Vec<Element> =
            (0..8).map(|i| element(100 + i as u32, pixels::rect(4 + 24 * i, 40, 26 + 24 * i, 58))).collect();
        let places = places(&white(), &elements);
        for (i, a) in places.iter().enumerate() {
            assert!(places[i + 1..].iter().all(|b| pixels::intersection_area(*a, *b) == 0), "{places:?}");
        }
    }

    #[test]
    fn roles_are_told_apart_on_bright_and_on_dark_pictures() {
        let apart = |a: Rgb<u8>, b: Rgb<u8>| a.0.iter().zip(b.0).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
        let kinds = [Role::Button, Role::Icon, Role::Link, Role::Textbox, Role::Combobox, Role::Checkbox, Role::Tab];
        for on_dark in [false, true] {
            for (i, a) in kinds.iter().enumerate() {
                for b in &kinds[i + 1..] {
                    assert!(apart(color_of(*a, on_dark), color_of(*b, on_dark)) > 90, "{a:?} {b:?} {on_dark}");
                }
            }
            for role in Role::ALL {
                let is_bright = pixels::luma(color_of(role, on_dark).0) > 140;
                assert_eq!(is_bright, on_dark, "{role:?} is seen before its background, and its digits on it");
            }
        }
        assert!(is_dark(&RgbImage::new(50, 50), pixels::rect(10, 10, 40, 40)));
        assert!(!is_dark(&white(), pixels::rect(10, 10, 40, 40)));
    }

    proptest! {
        #[test]
        fn every_number_stays_in_the_picture(
            boxes in prop::collection::vec((-20i32..200, -20i32..120, 1i32..120, 1i32..60), 1..12)
        ) {
            let elements: Vec<Element> = boxes
                .iter()
                .zip(1u32..)
                .map(|((x, y, w, h), id)| element(id, pixels::rect(*x, *y, x + w, y + h)))
                .filter(|e| pixels::frame(&white()).contains(e.bbox.center()))
                .collect();
            for place in places(&white(), &elements) {
                prop_assert!(pixels::frame(&white()).contains_box(&place), "{:?}", place);
            }
        }
    }
}
