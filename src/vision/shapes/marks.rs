//! Small squares and circles: checkboxes and radio buttons, and whether they are ticked.

use image::RgbImage;

use super::regions::Segments;
use crate::scene::ImageRect;
use crate::vision::pixels::{self, Rgb};

/// Sides of a mark, in pixels.
const MIN_SIDE: i32 = 9;
const MAX_SIDE: i32 = 26;
/// Mean distance, in pixels, by which an outline may miss the ideal one.
const OUTLINE_ERROR: f32 = 0.9;
/// Colours further apart than this are different things (a tick, a dot, a ring).
const CONTRAST: u8 = 36;

/// What a mark looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outline {
    Square,
    Circle,
    /// A square on its corner, as the oldest toolkits draw radio buttons.
    Diamond,
}

/// A small square or circle.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub bbox: ImageRect,
    pub outline: Outline,
    /// Whether something is drawn inside.
    pub ticked: bool,
    /// Whether it looks like an empty or ticked box; otherwise it may also be an icon of this outline.
    pub sure: bool,
}

/// All marks of the picture; nested ones are reported once, as the outermost.
pub(crate) fn find(image: &RgbImage, segments: &Segments) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let regions = segments.regions.iter().enumerate().filter(|(_, r)| r.area >= 24).map(|(n, r)| (n, r.bbox, true));
    let blobs = segments.blobs.iter().enumerate().map(|(n, b)| (n, b.bbox, false));
    for (number, bbox, is_region) in regions.chain(blobs) {
        if !has_mark_size(bbox) {
            continue;
        }
        let belongs = |x: i32, y: i32| {
            let label = if is_region { segments.region_at(x, y) } else { segments.blob_at(x, y) };
            label == Some(number)
        };
        let Some(outline) = outline_of(bbox, belongs) else { continue };
        let Some((ticked, sure)) = inside(image, bbox, outline) else { continue };
        if stands_in_text(segments, bbox) {
            continue;
        }
        add(&mut marks, Mark { bbox, outline, ticked, sure });
    }
    marks.sort_by_key(|m| (m.bbox.min.y, m.bbox.min.x));
    marks
}

fn has_mark_size(b: ImageRect) -> bool {
    let (w, h) = (b.width(), b.height());
    let sides = MIN_SIDE..=MAX_SIDE;
    sides.contains(&w) && sides.contains(&h) && (w - h).abs() <= if w.max(h) > 18 { 2 } else { 1 }
}

/// Adds a mark unless it lies in a known one; a known one that lies in it gives way.
fn add(marks: &mut Vec<Mark>, mark: Mark) {
    let overlaps = |m: &Mark| 2 * pixels::intersection_area(m.bbox, mark.bbox) > m.bbox.area().min(mark.bbox.area());
    if marks.iter().any(|m| overlaps(m) && m.bbox.area() >= mark.bbox.area()) {
        return;
    }
    marks.retain(|m| !overlaps(m));
    marks.push(mark);
}

/// Compares the silhouette (the outermost pixels of every row and column) with a square and with a circle.
fn outline_of(b: ImageRect, belongs: impl Fn(i32, i32) -> bool) -> Option<Outline> {
    let rows = silhouette(b.min.y..b.max.y, b.min.x..b.max.x, |y, x| belongs(x, y))?;
    let columns = silhouette(b.min.x..b.max.x, b.min.y..b.max.y, &belongs)?;
    // A letter like H or E is straight on two sides only, so the worse direction counts.
    let square = rows.square.max(columns.square);
    let circle = rows.circle.max(columns.circle);
    let diamond = rows.diamond.max(columns.diamond);
    [(square, Outline::Square), (circle, Outline::Circle), (diamond, Outline::Diamond)]
        .into_iter()
        .filter(|(error, _)| *error <= OUTLINE_ERROR)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, outline)| outline)
}

/// Mean distance of a silhouette from the ideal outlines, in pixels.
struct Misfit {
    square: f32,
    circle: f32,
    diamond: f32,
}

/// Follows the first and last pixel of each line across; `None` when a line is empty.
fn silhouette(
    lines: std::ops::Range<i32>,
    across: std::ops::Range<i32>,
    belongs: impl Fn(i32, i32) -> bool,
) -> Option<Misfit> {
    let (count, length) = (lines.len() as f32, across.len() as f32);
    let (mut square, mut circle, mut diamond) = (0.0f32, 0.0f32, 0.0f32);
    for line in lines.clone() {
        let first = across.clone().find(|at| belongs(line, *at))?;
        let last = across.clone().rev().find(|at| belongs(line, *at))?;
        let (near, far) = ((first - across.start) as f32, (across.end - 1 - last) as f32);
        let from_middle = ((line - lines.start) as f32 + 0.5 - count / 2.0) / (count / 2.0);
        let inset = length / 2.0 * (1.0 - (1.0 - from_middle * from_middle).max(0.0).sqrt());
        let slope = length / 2.0 * from_middle.abs();
        circle += (near - inset).abs() + (far - inset).abs();
        diamond += (near - slope).abs() + (far - slope).abs();
        square += near + far;
    }
    let mean = |sum: f32| sum / (2.0 * count);
    Some(Misfit { square: mean(square), circle: mean(circle), diamond: mean(diamond) })
}

/// Whether the inside is ticked, and whether that can be said surely; `None` for a solid dot or square.
fn inside(image: &RgbImage, b: ImageRect, outline: Outline) -> Option<(bool, bool)> {
    match outline {
        Outline::Square => inside_square(image, b),
        Outline::Circle => inside_circle(image, b),
        Outline::Diamond => Some((is_filled(image, b, pixels::at(image, b.center().x, b.center().y)), true)),
    }
}

fn inside_square(image: &RgbImage, b: ImageRect) -> Option<(bool, bool)> {
    let inset = (b.width() / 5).max(2);
    let inner = b.inflate(-inset, -inset);
    let colors: Vec<Rgb> = points(inner).map(|(x, y)| pixels::at(image, x, y)).collect();
    let ground = commonest(&colors);
    let other = colors.iter().filter(|c| pixels::distance(**c, ground) > CONTRAST).count();
    let share = other as f32 / colors.len().max(1) as f32;
    if share >= 0.08 {
        // A tick is a stroke in the middle of a closed box; a picture (much ink) is an icon, dots at the bottom are
        // the words of a small button, an open outline is a letter.
        let rows =
            points(inner).zip(&colors).filter(|(_, c)| pixels::distance(**c, ground) > CONTRAST).map(|(p, _)| p.1);
        let (top, bottom) = rows.fold((i32::MAX, i32::MIN), |(top, bottom), y| (top.min(y), bottom.max(y + 1)));
        let is_centered = ((top + bottom) / 2 - inner.center().y).abs() <= inner.height() / 4;
        return is_closed(image, b).then_some((true, share <= 0.6 && is_centered));
    }
    // Empty: there must be a rim, else it is a plain patch of colour. Old dialogs draw it on two sides only and
    // leave the rest to the box being lighter than the panel; dark themes draw it faintly.
    let rim = ring_colors(image, b);
    let seen = |tolerance: u8| rim.iter().filter(|c| pixels::distance(**c, ground) > tolerance).count() as f32;
    let stands_out = stands_out(image, b, ground);
    let len = rim.len().max(1) as f32;
    let is_rimmed = seen(16) >= 0.66 * len || (stands_out && (seen(16) >= 0.3 * len || seen(5) >= 0.66 * len));
    is_rimmed.then(|| (is_filled(image, b, ground), true))
}

/// Whether a mark is ticked by being filled: with a colour, darker than what is around it.
fn is_filled(image: &RgbImage, b: ImageRect, inside: Rgb) -> bool {
    let around = pixels::at(image, b.min.x - 2, b.min.y - 2);
    pixels::saturation(inside) >= 28 && pixels::luma(inside) + 40 <= pixels::luma(around)
}

fn inside_circle(image: &RgbImage, b: ImageRect) -> Option<(bool, bool)> {
    let center = ((b.min.x + b.max.x - 1) as f32 / 2.0, (b.min.y + b.max.y - 1) as f32 / 2.0);
    let radius = b.width().min(b.height()) as f32 / 2.0;
    let along = |share: f32| -> Vec<Rgb> {
        (0..16)
            .map(|i| {
                let angle = i as f32 * std::f32::consts::TAU / 16.0;
                let x = (center.0 + angle.cos() * radius * share).round() as i32;
                let y = (center.1 + angle.sin() * radius * share).round() as i32;
                pixels::at(image, x, y)
            })
            .collect()
    };
    let middle = pixels::at(image, center.0.round() as i32, center.1.round() as i32);
    let agree = |colors: &[Rgb]| {
        colors.iter().filter(|c| pixels::distance(**c, middle) <= CONTRAST).count() as f32 / colors.len() as f32
    };
    // Half-way out lies the gap of a chosen button or still the empty inside of another one.
    let steps: Vec<f32> = [0.2, 0.45, 0.55, 0.65, 0.75].iter().map(|s| agree(&along(*s))).collect();
    let dot = steps.first().is_some_and(|s| *s >= 0.7);
    let gap = steps.iter().skip(1).any(|s| *s <= 0.2);
    if dot && gap {
        return Some((true, true));
    }
    if steps.iter().take(4).all(|s| *s >= 0.9) {
        // Empty: a rim must be there, else it is a bullet.
        let rim = |tolerance: u8| {
            [0.85, 0.92, 0.98].iter().map(|s| agree_with(&along(*s), middle, tolerance)).fold(1.0f32, f32::min)
        };
        let is_rimmed = if stands_out(image, b, middle) { rim(16) <= 0.7 || rim(4) <= 0.45 } else { rim(16) <= 0.45 };
        return is_rimmed.then_some((false, true));
    }
    // Something else in a circle: a sign, a letter.
    Some((false, false))
}

fn agree_with(colors: &[Rgb], color: Rgb, tolerance: u8) -> f32 {
    colors.iter().filter(|c| pixels::distance(**c, color) <= tolerance).count() as f32 / colors.len().max(1) as f32
}

/// Whether nearly the whole rim can be told from what is around the mark.
fn is_closed(image: &RgbImage, b: ImageRect) -> bool {
    let around = pixels::at(image, b.min.x - 2, b.min.y - 2);
    let rim = ring_colors(image, b);
    let drawn = rim.iter().filter(|c| pixels::distance(**c, around) > 8).count();
    10 * drawn >= 9 * rim.len()
}

/// Whether a mark's inside has another colour than what is around the mark.
fn stands_out(image: &RgbImage, b: ImageRect, inside: Rgb) -> bool {
    let middle = b.center();
    let around = [(b.min.x - 2, middle.y), (b.max.x + 1, middle.y), (middle.x, b.min.y - 2), (middle.x, b.max.y + 1)];
    around.iter().filter(|(x, y)| pixels::distance(pixels::at(image, *x, *y), inside) > 9).count() >= 3
}

/// The pixels of the outermost ring, corners left out; a second ring inside helps where the first is faint.
fn ring_colors(image: &RgbImage, b: ImageRect) -> Vec<Rgb> {
    let corner = 2;
    let mut colors = Vec::new();
    for x in b.min.x + corner..b.max.x - corner {
        colors.push(pixels::at(image, x, b.min.y));
        colors.push(pixels::at(image, x, b.max.y - 1));
    }
    for y in b.min.y + corner..b.max.y - corner {
        colors.push(pixels::at(image, b.min.x, y));
        colors.push(pixels::at(image, b.max.x - 1, y));
    }
    colors
}

fn points(b: ImageRect) -> impl Iterator<Item = (i32, i32)> {
    (b.min.y..b.max.y).flat_map(move |y| (b.min.x..b.max.x).map(move |x| (x, y)))
}

/// The colour with most others near it (a coarse vote is enough for flat drawings).
fn commonest(colors: &[Rgb]) -> Rgb {
    let mut votes: Vec<(Rgb, u32)> = Vec::new();
    for color in colors {
        match votes.iter_mut().find(|(known, _)| pixels::distance(*known, *color) <= 8) {
            Some((_, n)) => *n += 1,
            None => votes.push((*color, 1)),
        }
    }
    votes.into_iter().max_by_key(|(_, n)| *n).map_or([255; 3], |(color, _)| color)
}

/// Letters like O, D or 口 have the same outline; their neighbours stand closer than a label stands to its box.
pub(super) fn stands_in_text(segments: &Segments, b: ImageRect) -> bool {
    let near = (b.width() / 5).max(3);
    let rows = b.min.y + 1..b.max.y - 1;
    let ink_at = |x: i32| {
        rows.clone().any(|y| {
            segments
                .blob_at(x, y)
                .and_then(|n| segments.blobs.get(n))
                .is_some_and(|blob| blob.bbox.height() <= 2 * b.height() && blob.bbox.width() <= 6 * b.width())
        })
    };
    (1..=near).any(|d| ink_at(b.max.x - 1 + d)) || (1..=near + 1).any(|d| ink_at(b.min.x - d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, PANEL, WHITE};
    use crate::vision::pixels::rect;

    const TICK: [&str; 6] = ["......#", ".....##", "#...##.", "##.##..", ".###...", "..#...."];

    fn marks(d: &Drawing) -> Vec<(Outline, bool, ImageRect)> {
        let found = find(&d.0, &Segments::of(&d.0));
        found.into_iter().filter(|m| m.sure).map(|m| (m.outline, m.ticked, m.bbox)).collect()
    }

    #[test]
    fn a_checkbox_is_a_square_and_its_tick_is_seen() {
        let b = rect(20, 20, 33, 33);
        let empty = Drawing::new(100, 60, PANEL).boxed(b, 60, WHITE).words(40, 22, 40, 0);
        assert_eq!(marks(&empty), [(Outline::Square, false, b)]);
        assert_eq!(marks(&empty.sign(23, 23, &TICK, 0)), [(Outline::Square, true, b)]);
    }

    #[test]
    fn a_box_that_is_drawn_on_two_sides_only_is_seen() {
        let d = Drawing::new(100, 60, PANEL).sunken(rect(20, 20, 31, 31), WHITE).words(40, 22, 40, 0);
        let found = marks(&d);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1), (Outline::Square, false));
    }

    #[test]
    fn a_box_filled_with_colour_is_ticked() {
        let d =
            Drawing::new(100, 60, PANEL).sunken(rect(20, 20, 31, 31), WHITE).fill(rect(22, 22, 29, 29), [74, 105, 132]);
        assert_eq!(marks(&d).into_iter().map(|m| m.1).collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn a_radio_button_is_a_circle_and_its_dot_is_seen() {
        let b = rect(20, 20, 35, 35);
        let empty = Drawing::new(100, 60, WHITE).disc(b, 90).disc(b.inflate(-1, -1), WHITE);
        assert_eq!(marks(&empty), [(Outline::Circle, false, b)]);
        let chosen = empty.disc(b.inflate(-5, -5), 90);
        assert_eq!(marks(&chosen), [(Outline::Circle, true, b)]);
    }

    #[test]
    fn letters_and_plain_patches_are_no_marks() {
        let letters: [&[&str]; 2] = [
            &[
                "##......##",
                "##......##",
                "##......##",
                "##......##",
                "##########",
                "##......##",
                "##......##",
                "##......##",
                "##......##",
                "##......##",
            ],
            &[
                "##########",
                "##........",
                "##........",
                "##........",
                "#########.",
                "##........",
                "##........",
                "##........",
                "##........",
                "##########",
            ],
        ];
        for letter in letters {
            assert_eq!(marks(&Drawing::new(60, 40, WHITE).sign(20, 15, letter, 0)), []);
        }
        assert_eq!(marks(&Drawing::new(60, 40, WHITE).fill(rect(20, 15, 32, 27), [0; 3])), []);
    }

    #[test]
    fn a_ring_in_the_middle_of_a_word_is_a_letter() {
        let b = rect(30, 20, 41, 31);
        let d = Drawing::new(100, 60, WHITE).boxed(b, 0, WHITE).words(16, 22, 12, 0).words(43, 22, 30, 0);
        assert_eq!(marks(&d), []);
    }
}
