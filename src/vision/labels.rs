//! Words beside boxes: left of them, over the column of a table, right of a box to tick.

use crate::scene::ImageRect;

/// A label beside what it names ends at most this far from it...
const NEAR_LEFT: i32 = 120;
/// ...and one above it this far.
const NEAR_ABOVE: i32 = 16;
/// The words left of a switch or a box to tick end at most this far from it.
const MARK_LEFT: i32 = 48;
/// Boxes of a table stand at most this far apart...
const TABLE_GAP: i32 = 20;
/// ...and the words over a column at most this far above its first box.
const MAX_HEAD: i32 = 36;
/// Some words that may name a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    pub text: String,
    pub bbox: ImageRect,
    /// They fill a cell of a table, so they name what is below rather than what is beside.
    pub is_cell: bool,
}

/// What stands around a field.
pub(super) struct Around<'a> {
    /// Words that are part of no control.
    pub words: &'a [Words],
    /// The controls: a label does not reach across one.
    pub obstacles: &'a [ImageRect],
    /// What a table is made of: fields and cells.
    pub boxes: &'a [ImageRect],
    /// The words of boxes to tick.
    pub ticked: &'a [Words],
}

/// Whether words stand close left of the field, on its first line, or right above its beginning.
pub(super) fn stands_beside(words: ImageRect, field: ImageRect) -> bool {
    let line = field.height().min(44);
    let is_level = (words.center().y - field.min.y - line / 2).abs() <= (2 * line / 5).max(8);
    let is_left = (-3..=NEAR_LEFT).contains(&(field.min.x - words.max.x));
    let is_above = (-2..=NEAR_ABOVE).contains(&(field.min.y - words.max.y));
    let starts_there = (-8..=24).contains(&(words.min.x - field.min.x));
    (is_left && is_level) || (is_above && starts_there)
}

/// The nearest words left of the field on its first line, with their distance.
pub(super) fn left_of(
    field: ImageRect,
    words: &[Words],
    obstacles: &[ImageRect],
    reach_left: i32,
) -> Option<(usize, i32)> {
    // A high field (several lines) has its label beside its first line or its middle.
    let line = field.height().min(44);
    let center = field.min.y + line / 2;
    let reach = (2 * line / 5).max(8);
    let is_level = |y: i32| (y - center).abs() <= reach || (y - field.center().y).abs() <= 4;
    let nearest = words
        .iter()
        .enumerate()
        .filter(|(_, w)| w.bbox.max.x <= field.min.x + 3 && is_level(w.bbox.center().y))
        .map(|(i, w)| (i, field.min.x - w.bbox.max.x))
        .min_by_key(|(_, distance)| *distance)?;
    let between = |o: &ImageRect| {
        o.min.x >= words[nearest.0].bbox.max.x - 2
            && o.max.x <= field.min.x + 2
            && o.min.y < center + 2
            && o.max.y > center - 2
    };
    (nearest.1 <= reach_left && !obstacles.iter().any(between)).then_some(nearest)
}

/// The head of the field's column, when it stands in a table: a box beside it has another head, too.
pub(super) fn head_in_table(field: ImageRect, around: &Around) -> Option<usize> {
    let head = head_of_column(field, around)?;
    let beside = around.boxes.iter().filter(|o| **o != field).filter(|o| {
        let gap = (o.min.x - field.max.x).max(field.min.x - o.max.x);
        (-6..=TABLE_GAP).contains(&gap)
            && (o.center().y - field.center().y).abs() <= 4
            && (o.height() - field.height()).abs() <= 8
    });
    let heads = beside.filter_map(|o| head_of_column(*o, around));
    heads.into_iter().any(|other| other != head).then_some(head)
}

/// The words over the uppermost of the boxes that stand on each other from `field` upward, or in it.
fn head_of_column(field: ImageRect, around: &Around) -> Option<usize> {
    let fits = |o: &ImageRect, under: &ImageRect| {
        let same_column = (o.min.x - under.min.x).abs() <= 10 && (o.max.x - under.max.x).abs() <= 10;
        same_column && (-6..=TABLE_GAP).contains(&(under.min.y - o.max.y))
    };
    let is_free = |o: &ImageRect, under: &ImageRect| {
        let between = |w: &Words| {
            let y = w.bbox.center().y;
            o.max.y <= y && y <= under.min.y && w.bbox.min.x < under.max.x && under.min.x < w.bbox.max.x
        };
        !around.words.iter().any(between)
    };
    let mut top = field;
    while let Some(above) = around.boxes.iter().find(|o| o.min.y < top.min.y && fits(o, &top) && is_free(o, &top)) {
        top = *above;
    }
    let in_it = |w: &Words| w.is_cell && top != field && w.bbox.contains(top.center()) && top.contains(w.bbox.center());
    let over_it = |w: &Words| {
        let gap = top.min.y - w.bbox.max.y;
        let shared = w.bbox.max.x.min(top.max.x) - w.bbox.min.x.max(top.min.x);
        (-4..=MAX_HEAD).contains(&gap) && 2 * shared > w.bbox.width().min(top.width())
    };
    let over = around.words.iter().enumerate().filter(|(_, w)| over_it(w));
    let nearest = over.min_by_key(|(_, w)| top.min.y - w.bbox.max.y).map(|(i, _)| i);
    // A figure is a value, no head.
    around.words.iter().position(in_it).or(nearest).filter(|i| around.words[*i].text.chars().any(char::is_alphabetic))
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
    left_of(mark, words, obstacles, MARK_LEFT).map(|(left, _)| (left, false))
}

/// A label without its colon, star and surrounding space.
pub(super) fn clean(text: &str) -> String {
    text.trim().trim_start_matches(['*', '＊']).trim_end_matches([':', '：', '*', '＊', ' ']).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::pixels::rect;

    #[test]
    fn words_beside_a_mark_belong_to_it_when_close() {
        let words = |text: &str, bbox| Words { text: text.into(), bbox, is_cell: false };
        let words = [words("Urgent", rect(40, 10, 80, 20)), words("far", rect(200, 10, 230, 20))];
        assert_eq!(words_beside(rect(20, 8, 33, 21), &words, &[]), Some((0, true)));
        assert_eq!(words_beside(rect(140, 8, 153, 21), &words, &[]), Some((1, false)));
        assert_eq!(words_beside(rect(400, 8, 413, 21), &words, &[]), None);
    }

    #[test]
    fn colons_and_stars_are_no_part_of_a_label() {
        for (text, label) in
            [("Name:", "Name"), ("* 单价：", "单价"), ("Price *", "Price"), (" a:b ", "a:b"), (":", "")]
        {
            assert_eq!(clean(text), label);
        }
    }
}
