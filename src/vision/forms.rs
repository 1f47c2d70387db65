//! Which words name which field, decided for all fields of a picture at once.
//!
//! Each pair of a field and words near it has a cost: how far the words stand from where a label of that kind stands. What
//! most fields of the picture do (labels left, labels above) makes that kind cheaper, and words that belong to another
//! field (its unit, the word between two fields) are no label. The cheapest pairs are taken first; words name one field.

use super::labels::{self, Around, Words, clean};
use crate::scene::ImageRect;

/// A label left of a field ends at most this far from it...
const MAX_LEFT: i32 = 280;
/// ...or so far when nothing names it from above, as in a page of settings with the controls at its right side.
const MAX_LEFT_ALONE: i32 = 460;
/// A label above a field ends at most this far from it, or 1.3 times its own height.
const MAX_ABOVE: i32 = 16;
/// Words this close behind a field are its unit.
const UNIT: i32 = 14;
/// Fields of one label stand at most this far apart.
const MATE_GAP: i32 = 40;
/// A word between two fields of one label has at most this many small letters (to, bis), or is one sign (至).
const LINK_LETTERS: usize = 5;
/// A label right over its field with a colon may end this far from it, where a higher field beside stretches the row.
const STRETCHED: i32 = 40;
/// Words whose middles differ by less stand on one line.
const SAME_LINE: i32 = 4;

/// Where words stand that name a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Left,
    Above,
    /// In a gap of the field's upper border.
    OnBorder,
}

/// Words that may name a field.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    field: usize,
    words: usize,
    place: Place,
    distance: i32,
}

/// The label of each field; empty where no words name it.
///
/// `own` has what stands in each field as a hint: its name at last.
pub(super) fn names(fields: &[ImageRect], own: &[String], around: &Around) -> Vec<String> {
    let mut named: Vec<Option<usize>> = vec![None; fields.len()];
    let mut candidates: Vec<Candidate> = Vec::new();
    for (f, field) in fields.iter().enumerate() {
        let mine = candidates_of(f, *field, fields, around);
        let is_told = mine.iter().any(|c| c.place == Place::Left && has_colon(&around.words[c.words]));
        match labels::head_in_table(*field, around).filter(|_| !is_told) {
            Some(head) => named[f] = Some(head),
            None => candidates.extend(mine),
        }
    }
    let layout = Layout::of(&candidates, fields.len());
    let mut order: Vec<(f32, Candidate)> =
        candidates.iter().map(|c| (layout.cost(c, &candidates, around), *c)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut taken = vec![false; around.words.len()];
    for (_, c) in order {
        if named[c.field].is_none() && !taken[c.words] {
            named[c.field] = Some(c.words);
            taken[c.words] = true;
        }
    }
    let mut names: Vec<String> = Vec::new();
    for (f, field) in fields.iter().enumerate() {
        names.push(match named[f] {
            Some(w) => with_its_other_line(w, *field, &taken, around.words),
            None => match words_of_a_tick(*field, around) {
                Some(words) => clean(&words.text),
                None => own.get(f).map(|hint| clean(hint)).unwrap_or_default(),
            },
        });
    }
    name_mates(&mut names, fields, around.words);
    names
}

/// All words that may name the field.
fn candidates_of(f: usize, field: ImageRect, fields: &[ImageRect], around: &Around) -> Vec<Candidate> {
    let candidate = |place, (words, distance)| Candidate { field: f, words, place, distance };
    let mut mine: Vec<Candidate> = Vec::new();
    mine.extend(on_border(field, around.words).map(|at| candidate(Place::OnBorder, at)));
    let joins = |words: &Words| fields.iter().any(|o| is_link(&words.text) && is_behind(words, *o));
    let above = above(field, around).filter(|(w, _)| !joins(&around.words[*w]));
    mine.extend(above.map(|at| candidate(Place::Above, at)));
    let reach = if mine.is_empty() { MAX_LEFT_ALONE } else { MAX_LEFT };
    let left = labels::left_of(field, around.words, around.obstacles, reach);
    let is_foreign = |words: &Words, distance| {
        let others = fields.iter().chain(around.obstacles).filter(|o| **o != field);
        !has_colon(words) && others.into_iter().any(|o| belongs_behind(words, *o, distance, !mine.is_empty()))
    };
    let left = left.filter(|(w, distance)| !is_foreign(&around.words[*w], *distance));
    mine.extend(left.map(|at| candidate(Place::Left, at)));
    mine
}

/// Whether words right behind the field `before` are its unit or join it with the next field, `distance` further right.
fn belongs_behind(words: &Words, before: ImageRect, distance: i32, next_is_named: bool) -> bool {
    is_behind(words, before) && (next_is_named || (is_link(&words.text) && distance <= UNIT))
}

fn is_behind(words: &Words, field: ImageRect) -> bool {
    let is_level = (field.min.y..field.max.y).contains(&words.bbox.center().y);
    is_level && (-2..=UNIT).contains(&(words.bbox.min.x - field.max.x))
}

/// Whether the text may stand between two fields of one label.
fn is_link(text: &str) -> bool {
    let text = text.trim();
    let (is_one, is_short) = (text.chars().count() == 1, text.chars().count() <= LINK_LETTERS);
    is_one || (is_short && text.chars().all(char::is_lowercase))
}

/// Words in a gap of the field's upper border, as pages in the style of phones have them.
fn on_border(field: ImageRect, words: &[Words]) -> Option<(usize, i32)> {
    let stands_on = |w: &Words| {
        let b = w.bbox;
        let play = b.height() / 4;
        b.min.y + play < field.min.y && field.min.y < b.max.y - play && b.min.x > field.min.x && b.max.x < field.max.x
    };
    let on_it = words.iter().enumerate().filter(|(_, w)| !w.is_cell && stands_on(w));
    on_it.min_by_key(|(_, w)| w.bbox.min.x).map(|(i, w)| (i, (w.bbox.center().y - field.min.y).abs()))
}

/// The nearest words above the field that start where it starts, with the gap.
fn above(field: ImageRect, around: &Around) -> Option<(usize, i32)> {
    let usual = usual_height(around.words);
    let nearest = around
        .words
        .iter()
        .enumerate()
        .filter(|(_, w)| {
            let gap = field.min.y - w.bbox.max.y;
            let starts_here = w.bbox.min.x >= field.min.x - 8 && w.bbox.min.x <= field.min.x + 24;
            let is_centered = (w.bbox.center().x - field.center().x).abs() <= 6;
            let is_right_over = has_colon(w) && (w.bbox.min.x - field.min.x).abs() <= 6;
            let reach = if is_right_over { STRETCHED } else { MAX_ABOVE.max(13 * w.bbox.height() / 10) };
            // A heading is larger than labels are.
            let is_heading = 10 * w.bbox.height() > 14 * usual;
            (-2..=reach).contains(&gap) && (starts_here || is_centered) && !is_heading
        })
        .map(|(i, w)| (i, field.min.y - w.bbox.max.y))
        .min_by_key(|(_, gap)| *gap)?;
    let words = around.words[nearest.0].bbox;
    (!around.obstacles.iter().any(|o| stands_between(*o, words, field))).then_some(nearest)
}

/// The median height of the words.
fn usual_height(words: &[Words]) -> i32 {
    let mut all: Vec<i32> = words.iter().filter(|w| !w.is_cell).map(|w| w.bbox.height()).filter(|h| *h > 0).collect();
    all.sort_unstable();
    if all.len() < 4 { i32::MAX / 20 } else { all.get(all.len() / 2).copied().unwrap_or(i32::MAX / 20) }
}

fn stands_between(o: ImageRect, words: ImageRect, field: ImageRect) -> bool {
    let left = field.min.x.max(words.min.x);
    let right = field.max.x.min(words.max.x);
    o.min.x < right && left < o.max.x && o.min.y >= words.max.y - 2 && o.max.y <= field.min.y + 2
}

fn has_colon(words: &Words) -> bool {
    words.text.trim_end_matches(['*', '＊', ' ']).ends_with([':', '：'])
}

/// Where labels stand on this picture.
struct Layout {
    /// The share of the fields that can only be named so, for left and above.
    left: f32,
    above: f32,
}

impl Layout {
    fn of(candidates: &[Candidate], fields: usize) -> Layout {
        let (mut left, mut above) = (0.0, 0.0);
        for f in 0..fields {
            let has = |place| candidates.iter().any(|c| c.field == f && c.place == place);
            match (has(Place::Left), has(Place::Above)) {
                (true, false) => left += 1.0,
                (false, true) => above += 1.0,
                _ => {}
            }
        }
        Layout { left: (left + 1.0) / (left + above + 2.0), above: (above + 1.0) / (left + above + 2.0) }
    }

    /// How unlikely it is that these words name that field.
    fn cost(&self, c: &Candidate, all: &[Candidate], around: &Around) -> f32 {
        let words = &around.words[c.words];
        let place = match c.place {
            Place::OnBorder => c.distance as f32 / 20.0 - 2.0,
            // Where nothing tells, a label left of a field is as likely as one above it when it is 75 pixels away.
            Place::Left => c.distance as f32 / 100.0 - 0.5 - self.left.ln(),
            Place::Above => c.distance as f32 / 20.0 - self.above.ln(),
        };
        let colon = if has_colon(words) { 0.4 } else { 0.0 };
        let is_mate = |o: &&Candidate| {
            let (a, b) = (around.words[o.words].bbox, words.bbox);
            let in_line = (a.min.x - b.min.x).abs() <= 3 || (a.max.x - b.max.x).abs() <= 3;
            o.field != c.field && o.words != c.words && o.place == c.place && in_line
        };
        let company = if c.place == Place::Left && all.iter().any(|o| is_mate(&o)) { 0.3 } else { 0.0 };
        place - colon - company
    }
}

/// The label in two lines of which `w` is one; `w` alone where it has one line only.
fn with_its_other_line(w: usize, field: ImageRect, taken: &[bool], words: &[Words]) -> String {
    let (b, text) = (words[w].bbox, &words[w].text);
    let other = words.iter().enumerate().find(|(i, o)| {
        let (upper, lower) = if o.bbox.min.y < b.min.y { (*o, &words[w]) } else { (&words[w], *o) };
        let gap = lower.bbox.min.y - upper.bbox.max.y;
        let in_line = (o.bbox.min.x - b.min.x).abs() <= 2 || (o.bbox.max.x - b.max.x).abs() <= 2;
        let block = b.union(&o.bbox);
        let is_beside = o.bbox.max.x <= field.min.x && b.max.x <= field.min.x;
        let is_its =
            (block.center().y - field.center().y).abs() <= 5 || (upper.bbox.center().y - field.center().y).abs() <= 5;
        let continues = !has_colon(upper) && !taken[*i] && !o.is_cell && !words[w].is_cell;
        *i != w && continues && is_beside && is_its && in_line && 2 * gap <= b.height() && gap >= -3
    });
    match other {
        Some((_, o)) if o.bbox.min.y < b.min.y => clean(&joined(&o.text, text)),
        Some((_, o)) => clean(&joined(text, &o.text)),
        None => clean(text),
    }
}

/// Two lines of one text: Chinese has no space between them.
fn joined(first: &str, second: &str) -> String {
    let is_spaced = first.ends_with(|c: char| c.is_ascii()) || second.starts_with(|c: char| c.is_ascii_alphanumeric());
    format!("{}{}{}", first.trim(), if is_spaced { " " } else { "" }, second.trim())
}

/// The words of a box to tick that stands right before the field: it switches what the field says.
fn words_of_a_tick<'a>(field: ImageRect, around: &'a Around) -> Option<&'a Words> {
    let before = |w: &&Words| {
        (-3..=MATE_GAP).contains(&(field.min.x - w.bbox.max.x))
            && (w.bbox.center().y - field.center().y).abs() <= 2 * SAME_LINE
    };
    around.ticked.iter().filter(before).max_by_key(|w| w.bbox.max.x)
}

/// A field without a label right of one that has one belongs to it: the second of "from - to", of first and last name.
fn name_mates(names: &mut [String], fields: &[ImageRect], words: &[Words]) {
    let mut order: Vec<usize> = (0..fields.len()).collect();
    order.sort_by_key(|f| fields[*f].min.x);
    for f in order.iter().copied() {
        if !names[f].is_empty() {
            continue;
        }
        let me = fields[f];
        let is_mate = |o: &&usize| {
            let b = fields[**o];
            (0..=MATE_GAP).contains(&(me.min.x - b.max.x)) && (b.center().y - me.center().y).abs() <= SAME_LINE
        };
        let Some(mate) = order.iter().copied().filter(|o| is_mate(&o)).max_by_key(|o| fields[*o].max.x) else {
            continue;
        };
        let (from, to) = (fields[mate].max.x, me.min.x);
        let link = words.iter().find(|w| {
            let is_between = w.bbox.min.x >= from - 2 && w.bbox.max.x <= to + 2;
            let is_word = is_link(&w.text) && w.text.trim().chars().all(char::is_alphabetic);
            is_between && is_word && (me.min.y..me.max.y).contains(&w.bbox.center().y)
        });
        let name = &names[mate];
        let (stem, number) = match name.rsplit_once(' ').map(|(stem, n)| (stem, n.parse::<u32>())) {
            Some((stem, Ok(number))) => (stem, number + 1),
            _ => (name.as_str(), 2),
        };
        if !stem.is_empty() {
            names[f] = match link {
                Some(link) => format!("{stem} {}", link.text.trim()),
                None => format!("{stem} {number}"),
            };
        }
    }
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
        let fields: Vec<ImageRect> = form.fields.iter().map(|(_, b)| *b).collect();
        let cells = form.words.iter().filter(|w| w.is_cell).map(|w| w.bbox);
        let boxes: Vec<ImageRect> = fields.iter().copied().chain(cells).collect();
        let around = Around { words: &form.words, obstacles: &fields, boxes: &boxes, ticked: &[] };
        for ((name, _), label) in form.fields.iter().zip(names(&fields, &[], &around)) {
            assert_eq!(if label.is_empty() { "-" } else { &label }, name, "in {text}");
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
             [Price 2]: 160,8,250,30
             [-]: 300,8,390,30",
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
    fn units_name_nothing_where_labels_stand_above() {
        check(
            "Net weight:: 10,0,70,12
             Price:: 226,0,260,12
             [Net weight]: 10,16,204,38
             kg: 208,20,220,34
             [Price]: 226,16,410,38",
        );
    }

    #[test]
    fn fields_of_one_label_are_told_apart_by_the_word_between_them() {
        check(
            "Date: 10,12,40,24
             [Date]: 60,8,150,30
             to: 157,12,168,24
             [Date to]: 175,8,265,30
             Price: 10,42,40,54
             [Price]: 60,38,150,60
             [Price 2]: 175,38,265,60",
        );
    }

    #[test]
    fn a_label_in_a_gap_of_the_border_names_its_field() {
        check(
            "Street: 22,34,60,44
             [Street]: 10,40,300,80
             Town: 22,94,50,104
             [Town]: 10,100,300,140",
        );
    }

    #[test]
    fn what_most_fields_do_decides_between_words_left_and_above() {
        check(
            "Name: 110,0,140,12
             [Name]: 110,16,300,38
             Town: 110,50,140,62
             more: 60,70,100,82
             [Town]: 110,66,300,88
             Street: 110,100,150,112
             [Street]: 110,116,300,138",
        );
    }

    #[test]
    fn a_label_in_two_lines_is_one() {
        check(
            "Customer: 10,8,70,20
             name:: 10,22,50,34
             [Customer name]: 100,10,300,32",
        );
    }

    #[test]
    fn a_heading_over_the_first_field_is_no_label() {
        check(
            "Sign in: 10,0,90,24
             [-]: 10,32,200,56
             Company: 10,70,60,82
             [Company]: 10,86,200,110
             Town: 10,124,40,136
             [Town]: 10,140,200,164
             Street: 10,178,50,190
             [Street]: 10,194,200,218",
        );
    }

    #[test]
    fn words_of_a_box_to_tick_and_a_hint_name_what_has_no_other_label() {
        let ticked = [Words { text: "Limit to:".into(), bbox: rect(10, 10, 90, 24), is_cell: false }];
        let fields = [rect(100, 6, 160, 28), rect(100, 60, 300, 82)];
        let around = Around { words: &[], obstacles: &fields, boxes: &fields, ticked: &ticked };
        let hints = [String::new(), "Search".to_owned()];
        assert_eq!(names(&fields, &hints, &around), ["Limit to", "Search"]);
    }

    #[test]
    fn lists_in_a_table_may_be_higher_than_the_boxes_beside_them() {
        check(
            "Article: 98,207,139,218
             Supplier: 225,207,280,222
             Cost: 355,208,384,218
             [Article]: 98,223,226,248
             [Supplier]: 223,223,357,251
             [Cost]: 354,223,483,248
             [Article]: 98,249,226,274
             [Supplier]: 223,248,357,277
             [Cost]: 354,249,483,274",
        );
    }
}
