//! Which words name which field: left of it, above it, or the head of its column.

use crate::scene::{Element, ImageRect};

/// A label left of a field ends at most this far from it...
const MAX_LEFT: i32 = 280;
/// ...or so far when nothing names it from above, as in a page of settings with the controls at its right side...
const MAX_LEFT_ALONE: i32 = 460;
/// ...and beyond this distance a label right above is preferred.
const FAR_LEFT: i32 = 120;
/// A label above a field ends at most this far from it, or 1.3 times its own height.
const MAX_ABOVE: i32 = 16;
/// Words this close behind a field are its unit.
const UNIT: i32 = 14;
/// Boxes of a table stand at most this far apart...
const TABLE_GAP: i32 = 20;
/// ...and the words over a column at most this far above its first box.
const MAX_HEAD: i32 = 36;

/// Fields of one label stand at most this far apart.
const MATE_GAP: i32 = 40;
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
    /// The other controls: a label does not reach across one.
    pub obstacles: &'a [ImageRect],
    /// What a table is made of: the other fields, and cells.
    pub boxes: &'a [ImageRect],
}

/// The words that name the field at `field`, as their index.
pub(super) fn label_of(field: ImageRect, around: &Around) -> Option<usize> {
    let Around { words, obstacles, .. } = *around;
    if let Some(head) = head_in_table(field, around) {
        return Some(head);
    }
    let above = above(field, words, obstacles);
    let reach = if above.is_some() { MAX_LEFT } else { MAX_LEFT_ALONE };
    let left = left_of(field, words, obstacles, reach)
        .filter(|(i, distance)| above.is_none() || !is_unit(words[*i].bbox, *distance, obstacles));
    match (left, above) {
        (Some((i, distance)), Some((j, gap))) => {
            // A caption directly over the field beats words far to its left.
            Some(if distance > FAR_LEFT && gap <= MAX_ABOVE { j } else { i })
        }
        (Some((i, _)), None) => Some(i),
        (None, Some((j, _))) => Some(j),
        (None, None) => None,
    }
}

/// Whether the words belong to the field left of them rather than to the one that begins `distance` further right.
fn is_unit(words: ImageRect, distance: i32, obstacles: &[ImageRect]) -> bool {
    obstacles.iter().any(|o| {
        let gap = words.min.x - o.max.x;
        (-2..=UNIT).contains(&gap) && gap + 4 < distance && (o.min.y..o.max.y).contains(&words.center().y)
    })
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
fn left_of(field: ImageRect, words: &[Words], obstacles: &[ImageRect], reach_left: i32) -> Option<(usize, i32)> {
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
    (nearest.1 <= reach_left && !obstacles.iter().any(between)).then_some(nearest)
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

/// The head of the field's column, when it stands in a table: a box beside it has another head, too.
fn head_in_table(field: ImageRect, around: &Around) -> Option<usize> {
    let head = head_of_column(field, around)?;
    let beside = around.boxes.iter().filter(|o| {
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
        (-4..=MAX_HEAD).contains(&gap) && w.bbox.min.x < top.max.x && top.min.x < w.bbox.max.x
    };
    let over = around.words.iter().enumerate().filter(|(_, w)| over_it(w));
    let nearest = over.min_by_key(|(_, w)| top.min.y - w.bbox.max.y).map(|(i, _)| i);
    // A figure is a value, no head.
    around.words.iter().position(in_it).or(nearest).filter(|i| around.words[*i].text.chars().any(char::is_alphabetic))
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
    let (left, gap) = left_of(mark, words, obstacles, MAX_LEFT)?;
    (gap <= 48).then_some((left, false))
}

/// A field without a label right of one that has one belongs to it: the second of "from - to", of first and last name.
pub(super) fn name_mates(elements: &mut [Element], fields: &[usize]) {
    let mut order = fields.to_vec();
    order.sort_by_key(|f| elements[*f].bbox.min.x);
    for f in order.iter().copied() {
        if !elements[f].label.is_empty() {
            continue;
        }
        let me = elements[f].bbox;
        let is_mate = |o: &&usize| {
            let b = elements[**o].bbox;
            (0..=MATE_GAP).contains(&(me.min.x - b.max.x)) && (b.center().y - me.center().y).abs() <= 4
        };
        let Some(mate) = order.iter().filter(is_mate).max_by_key(|o| elements[**o].bbox.max.x) else { continue };
        let name = elements[*mate].label.clone();
        let (stem, number) = match name.rsplit_once(' ').map(|(stem, n)| (stem, n.parse::<u32>())) {
            Some((stem, Ok(number))) => (stem, number + 1),
            _ => (name.as_str(), 2),
        };
        if !stem.is_empty() {
            elements[f].label = format!("{stem} {number}");
        }
    }
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
            let cells = form.words.iter().filter(|w| w.is_cell).map(|w| w.bbox);
            let boxes: Vec<ImageRect> = others.iter().copied().chain(cells).collect();
            let around = Around { words: &form.words, obstacles: &others, boxes: &boxes };
            let label = label_of(*bbox, &around).map(|i| clean(&form.words[i].text));
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
    fn a_grid_of_fields_has_its_labels_in_the_row_above() {
        check(
            "Item: 6,2,40,14
             Price: 106,2,140,14
             [Item]: 0,20,100,44
             [Price]: 102,20,200,44
             [Item]: 0,46,100,70
             [Price]: 102,46,200,70",
        );
    }

    #[test]
    fn stacked_fields_without_labels_do_not_get_the_title_over_the_first() {
        check(
            "Welcome: 10,0,200,14
             [Welcome]: 10,20,200,44
             [-]: 10,52,200,76",
        );
    }

    #[test]
    fn a_unit_behind_a_field_does_not_name_the_next_one() {
        check(
            "Weight: 10,0,50,12
             Height: 210,0,250,12
             [Weight]: 10,16,120,38
             kg: 124,20,140,34
             [Height]: 210,16,320,38",
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
