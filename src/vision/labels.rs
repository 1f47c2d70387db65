//! Which words name which field: left of it, above it, or the head of its column.

use crate::scene::ImageRect;

/// A label left of a field ends at most this far from it...
const MAX_LEFT: i32 = 280;
/// ...and beyond this distance a label right above is preferred.
const FAR_LEFT: i32 = 120;
/// A label above a field ends at most this far from it, or 1.3 times its own height.
const MAX_ABOVE: i32 = 16;
/// The head of a column may be this far above a field of a grid.
const MAX_HEAD: i32 = 400;

/// Some words that may name a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    pub text: String,
    pub bbox: ImageRect,
    /// They fill a cell of a table, so they name what is below rather than what is beside.
    pub is_cell: bool,
}

/// The words that name the field at `field`, as their index. `obstacles` are the other controls: a label does not
/// reach across one.
pub(super) fn label_of(field: ImageRect, words: &[Words], obstacles: &[ImageRect]) -> Option<usize> {
    let left = left_of(field, words, obstacles);
    let above = above(field, words, obstacles);
    if left.is_some_and(|(i, _)| words[i].is_cell)
        && let Some(head) = head_of_column(field, words, obstacles)
    {
        return Some(head);
    }
    match (left, above) {
        (Some((i, distance)), Some((j, gap))) => {
            // A caption directly over the field beats words far to its left.
            Some(if distance > FAR_LEFT && gap <= MAX_ABOVE { j } else { i })
        }
        (Some((i, _)), None) => Some(i),
        (None, Some((j, _))) => Some(j),
        (None, None) => head_of_column(field, words, obstacles),
    }
}

/// The nearest words left of the field on its first line, with their distance.
fn left_of(field: ImageRect, words: &[Words], obstacles: &[ImageRect]) -> Option<(usize, i32)> {
    // A high field (several lines) has its label beside its first line.
    let line = field.height().min(44);
    let center = field.min.y + line / 2;
    let reach = (2 * line / 5).max(8);
    let nearest = words
        .iter()
        .enumerate()
        .filter(|(_, w)| w.bbox.max.x <= field.min.x + 3 && (w.bbox.center().y - center).abs() <= reach)
        .map(|(i, w)| (i, field.min.x - w.bbox.max.x))
        .min_by_key(|(_, distance)| *distance)?;
    let between = |o: &ImageRect| {
        o.min.x >= words[nearest.0].bbox.max.x - 2
            && o.max.x <= field.min.x + 2
            && o.min.y < center + 2
            && o.max.y > center - 2
    };
    (nearest.1 <= MAX_LEFT && !obstacles.iter().any(between)).then_some(nearest)
}

/// The nearest words above the field that start where it starts, with the gap.
fn above(field: ImageRect, words: &[Words], obstacles: &[ImageRect]) -> Option<(usize, i32)> {
    let nearest = words
        .iter()
        .enumerate()
        .filter(|(_, w)| {
            let gap = field.min.y - w.bbox.max.y;
            let starts_here = w.bbox.min.x >= field.min.x - 8 && w.bbox.min.x <= field.min.x + 24;
            let is_centered = (w.bbox.center().x - field.center().x).abs() <= 6;
            (-2..=MAX_ABOVE.max(13 * w.bbox.height() / 10)).contains(&gap) && (starts_here || is_centered)
        })
        .map(|(i, w)| (i, field.min.y - w.bbox.max.y))
        .min_by_key(|(_, gap)| *gap)?;
    (!obstacles.iter().any(|o| stands_between(*o, words[nearest.0].bbox, field))).then_some(nearest)
}

/// The words above a field in a grid, with nothing but fields of the same column between.
fn head_of_column(field: ImageRect, words: &[Words], obstacles: &[ImageRect]) -> Option<usize> {
    let head = words
        .iter()
        .enumerate()
        .filter(|(_, w)| {
            let gap = field.min.y - w.bbox.max.y;
            (0..=MAX_HEAD).contains(&gap) && w.bbox.min.x < field.max.x && field.min.x < w.bbox.max.x
        })
        .min_by_key(|(_, w)| field.min.y - w.bbox.max.y)
        .map(|(i, _)| i)?;
    let between: Vec<&ImageRect> = obstacles.iter().filter(|o| stands_between(**o, words[head].bbox, field)).collect();
    let same_column = |o: &ImageRect| (o.min.x - field.min.x).abs() <= 8 && (o.max.x - field.max.x).abs() <= 8;
    let top = between.iter().map(|o| o.min.y).min().unwrap_or(field.min.y);
    let is_next = top - words[head].bbox.max.y <= field.height().max(24);
    (is_next && (!between.is_empty() || words[head].is_cell) && between.into_iter().all(same_column)).then_some(head)
}

fn stands_between(o: ImageRect, words: ImageRect, field: ImageRect) -> bool {
    let left = field.min.x.max(words.min.x);
    let right = field.max.x.min(words.max.x);
    o.min.x < right && left < o.max.x && o.min.y >= words.max.y - 2 && o.max.y <= field.min.y + 2
}

/// The words right of a checkbox or radio button, else left of it (switches), as index and whether they are close
/// enough to be part of it.
pub(super) fn words_beside(mark: ImageRect, words: &[Words], obstacles: &[ImageRect]) -> Option<(usize, bool)> {
    let center = mark.center().y;
    let on_line = |w: &Words| (w.bbox.center().y - center).abs() <= (mark.height() / 2).max(7);
    let right = words
        .iter()
        .enumerate()
        .filter(|(_, w)| on_line(w) && w.bbox.min.x >= mark.max.x - 2)
        .map(|(i, w)| (i, w.bbox.min.x - mark.max.x))
        .min_by_key(|(_, gap)| *gap);
    if let Some((i, gap)) = right
        && gap <= 6 * mark.width().max(12)
        && !obstacles.iter().any(|o| {
            o.min.x >= mark.max.x - 1 && o.max.x <= words[i].bbox.min.x + 1 && o.min.y < center && o.max.y > center
        })
    {
        return Some((i, gap <= mark.width().max(14) + 4));
    }
    let (left, gap) = left_of(mark, words, obstacles)?;
    (gap <= 48).then_some((left, false))
}

/// A label without its colon, star and surrounding space.
pub(super) fn clean(text: &str) -> String {
    text.trim().trim_start_matches(['*', '＊']).trim_end_matches([':', '：', '*', '＊', ' ']).trim().to_owned()
}
