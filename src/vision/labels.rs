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

/// Whether words stand close left of the field, on its first line, or right above its beginning.
pub(super) fn stands_beside(words: ImageRect, field: ImageRect) -> bool {
    let line = field.height().min(44);
    let is_level = (words.center().y - field.min.y - line / 2).abs() <= (2 * line / 5).max(8);
    let is_left = (-3..=FAR_LEFT).contains(&(field.min.x - words.max.x));
    let is_above = (-2..=MAX_ABOVE).contains(&(field.min.y - words.max.y));
    let starts_there = (-8..=24).contains(&(words.min.x - field.min.x));
    (is_left && is_level) || (is_above && starts_there)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::pixels::rect;

    /// A form in words: `name: x0,y0,x1,y1` per line; `[name]` is a field, `{name}` a cell, else words.
    struct Form {
        words: Vec<Words>,
        fields: Vec<(String, ImageRect)>,
    }

    fn form(text: &str) -> Form {
        let mut form = Form { words: Vec::new(), fields: Vec::new() };
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let (name, place) = line.rsplit_once(": ").expect("name: place");
            let n: Vec<i32> = place.split(',').map(|v| v.parse().expect("a number")).collect();
            let bbox = rect(n[0], n[1], n[2], n[3]);
            match name.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
                Some(field) => form.fields.push((field.to_owned(), bbox)),
                None => {
                    let is_cell = name.starts_with('{');
                    form.words.push(Words { text: name.trim_matches(['{', '}']).to_owned(), bbox, is_cell });
                }
            }
        }
        form
    }

    /// The fields are named by the label they should get; `-` for none.
    fn check(text: &str) {
        let form = form(text);
        for (name, bbox) in &form.fields {
            let others: Vec<ImageRect> = form.fields.iter().map(|(_, b)| *b).filter(|b| b != bbox).collect();
            let label = label_of(*bbox, &form.words, &others).map(|i| clean(&form.words[i].text));
            assert_eq!(label.as_deref().unwrap_or("-"), name, "in {text}");
        }
    }

    #[test]
    fn labels_left_of_their_fields() {
        check(
            "Customer name:: 10,12,90,24
             [Customer name]: 120,8,300,30
             数量：: 10,42,40,54
             [数量]: 120,38,300,60",
        );
    }

    #[test]
    fn labels_above_their_fields_in_two_columns() {
        check(
            "City: 10,10,40,20
             Phone: 210,10,250,20
             [City]: 10,24,190,46
             [Phone]: 210,24,390,46
             E-mail: 10,56,50,66
             [E-mail]: 10,70,190,92",
        );
    }

    #[test]
    fn several_pairs_on_one_line() {
        check(
            "Order no.: 10,12,60,24
             [Order no.]: 70,8,150,30
             Date: 170,12,200,24
             [Date]: 210,8,300,30",
        );
    }

    #[test]
    fn a_label_does_not_reach_across_a_field() {
        check(
            "Price: 10,12,50,24
             [Price]: 60,8,150,30
             [-]: 160,8,250,30",
        );
    }

    #[test]
    fn a_caption_right_above_beats_words_far_to_the_left() {
        check(
            "Navigation: 10,42,80,54
             Remarks: 300,18,350,28
             [Remarks]: 300,32,500,62",
        );
    }

    #[test]
    fn the_head_of_the_column_names_a_field_in_a_table() {
        check(
            "{Item}: 0,0,100,20
             {Qty}: 100,0,200,20
             {Rope}: 0,20,100,46
             {Wire}: 0,46,100,72
             [Qty]: 104,23,196,43
             [Qty]: 104,49,196,69",
        );
    }

    #[test]
    fn words_beside_a_mark_belong_to_it_when_close() {
        let words = form("Urgent: 40,10,80,20\nfar: 200,10,230,20").words;
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
