//! What stands in a field: its value, the dots of a password, a label of its own; and how faint words are.

use super::lines::Line;
use super::pixels;
use crate::scene::ImageRect;

/// A small label over the value inside of the field, as pages for phones have it: both texts.
pub(super) fn label_inside(mut rows: Vec<&Line>) -> Option<(String, String)> {
    rows.sort_by_key(|l| (l.bbox.min.y, l.bbox.min.x));
    let (label, value) = rows.split_first()?;
    let first = value.first()?;
    let is_smaller = 8 * label.bbox.height() <= 7 * first.bbox.height();
    let is_fainter = contrast(label) + 24 <= contrast(first);
    let is_above = value.iter().all(|l| l.bbox.min.y >= label.bbox.max.y - 2);
    let is_one_row = value.iter().all(|l| (l.bbox.center().y - first.bbox.center().y).abs() <= 6);
    (is_above && is_one_row && (is_smaller || is_fainter)).then(|| {
        let value: Vec<&str> = value.iter().map(|l| l.text.as_str()).collect();
        (label.text.clone(), value.join(" "))
    })
}

/// A dot for each sign of a password: low blots of equal height, three or more; some run into each other.
pub(super) fn hidden_signs(ink: &[ImageRect]) -> String {
    let Some(first) = ink.first() else { return String::new() };
    let height = first.height();
    let alike = height <= 9
        && ink.iter().all(|b| {
            (b.height() - height).abs() <= 1 && (b.min.y - first.min.y).abs() <= 1 && b.width() + 1 >= b.height()
        });
    let dots: i32 = ink.iter().map(|b| ((b.width() + 1) / (height + 1)).max(1)).sum();
    if alike && dots >= 3 { "•".repeat(dots as usize) } else { String::new() }
}

/// How far the letters stand out from their ground, in brightness.
fn contrast(line: &Line) -> i32 {
    (pixels::luma(line.ink) - pixels::luma(line.ground)).abs()
}

/// The contrast of the stronger half of the text on the picture: on a page in soft colours a value is as faint as a
/// placeholder elsewhere. A few words tell nothing about their page.
pub(super) fn usual_contrast(lines: &[Line]) -> i32 {
    let mut all: Vec<i32> = lines.iter().map(contrast).collect();
    all.sort_unstable();
    if all.len() < 4 { 255 } else { all.get(3 * all.len() / 4).copied().unwrap_or(255) }
}

pub(super) fn is_faint(line: &Line, limit: i32) -> bool {
    // Grey on its paper; white on the colour of marked text is not faint.
    contrast(line) < limit && pixels::saturation(line.ground) < 40 && pixels::saturation(line.ink) < 60
}
