//! What stands in a field: its value, the dots of a password, a label of its own; and how faint words are.

use super::fuse::MAX_INDENT;
use super::lines::{self, Line};
use super::nodes::{Node, Verdict};
use super::pixels::{self, Rgb};
use crate::scene::{ImageRect, Role};

/// Fields that differ more than this in the colour of their paper are open and shut.
const OTHER_FILL: u8 = 3;
/// Those that differ more than this have nothing to do with each other.
const SHUT_FILL: u8 = 48;

/// A picture in a field stands so far from its words...
const PICTURE_GAP: i32 = 6;
/// ...and begins so much before an arrow would.
const PICTURE_PLAY: i32 = 10;

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

/// Takes out what was read in the arrow or the picture at an end of the box `b`: a calendar looks like an ideograph.
pub(super) fn drop_signs(mine: &mut Vec<usize>, b: ImageRect, lines: &[Line]) {
    let end = b.max.x - b.height().clamp(18, 30);
    let boxes: Vec<ImageRect> = mine.iter().map(|l| lines[*l].bbox).collect();
    let several = boxes.len() > 1;
    mine.retain(|l| {
        let line = &lines[*l];
        let is_sign = line.text.chars().count() <= 1;
        let is_letter = line.text.chars().all(|c| c.is_ascii_digit() || c.is_alphabetic());
        let is_picture = is_sign && line.text.chars().all(lines::is_ideograph);
        let is_far = |o: &ImageRect| o.min.x >= line.bbox.max.x + PICTURE_GAP || *o == line.bbox;
        let at_start = several && line.bbox.min.x - b.min.x <= MAX_INDENT && boxes.iter().all(is_far);
        let at_end = line.bbox.min.x >= end - if is_picture { PICTURE_PLAY } else { 0 };
        let is_end_sign = at_end && (several || is_picture || !is_letter || line.bbox.height() < 8);
        !(b.width() > 60 && is_sign && (is_end_sign || (is_picture && at_start)))
    });
}

/// What stands in the part of a field that one writes in: not its unit, not the words of a button at its end.
pub(super) fn lines_to_write_in(nodes: &[Node], i: usize, mine: &[usize], lines: &[Line]) -> Vec<usize> {
    let b = nodes[i].rect.outer;
    let is_main = |c: &&usize| {
        let part = nodes[**c].rect.outer;
        part.height() + 10 >= b.height() && 2 * part.width() >= b.width() && part.max.x + 14 <= b.max.x
    };
    let Some(part) = nodes[i].children.iter().find(is_main) else { return mine.to_vec() };
    let end = nodes[*part].rect.outer.max.x;
    mine.iter().copied().filter(|l| lines[*l].bbox.center().x <= end).collect()
}

/// Whether a field is filled a little otherwise than most on the same ground: one cannot write in it now, so faint words
/// are its value.
pub(super) fn is_shut(nodes: &[Node], i: usize, ground: impl Fn(usize) -> Rgb) -> bool {
    let (fill, around) = (nodes[i].rect.fill, ground(i));
    let is_mate = |j: &usize| {
        let is_field = nodes[*j].role == Verdict::Is(Role::Textbox) && nodes[*j].rect.surface.is_some();
        is_field && *j != i && pixels::distance(ground(*j), around) <= OTHER_FILL
    };
    let mates: Vec<usize> = (0..nodes.len()).filter(is_mate).collect();
    let shut = OTHER_FILL + 1..=SHUT_FILL;
    let others = mates.iter().filter(|j| shut.contains(&pixels::distance(nodes[**j].rect.fill, fill))).count();
    nodes[i].rect.surface.is_some() && others >= 2 && 2 * others > mates.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::pixels::rect;
    use crate::vision::shapes::rects::Rect;

    fn line(text: &str, x0: i32, x1: i32) -> Line {
        Line { bbox: rect(x0, 5, x1, 17), text: text.into(), confidence: 1.0, ink: [90; 3], ground: [255; 3] }
    }

    fn node(bbox: ImageRect, fill: Rgb) -> Node {
        let rect = Rect { outer: bbox, inner: bbox.inflate(-1, -1), fill, surface: Some(0), bordered: true };
        let (children, lines, ink) = (Vec::new(), Vec::new(), Vec::new());
        Node { rect, parent: None, children, lines, ink, role: Verdict::Is(Role::Textbox) }
    }

    #[test]
    fn a_picture_read_as_an_ideograph_is_no_part_of_the_value() {
        let place = rect(0, 0, 200, 22);
        for (texts, value) in [
            (vec![line("曲", 6, 18), line("2026-11-30", 30, 90)], vec![1]),
            (vec![line("2026-11-30", 6, 66), line("白", 178, 190)], vec![0]),
            (vec![line("白", 178, 190)], vec![]),
            (vec![line("男", 6, 18)], vec![0]),
            (vec![line("园", 6, 18), line("区星湖街", 20, 80)], vec![0, 1]),
        ] {
            let mut mine: Vec<usize> = (0..texts.len()).collect();
            drop_signs(&mut mine, place, &texts);
            assert_eq!(mine, value, "{texts:?}");
        }
    }

    #[test]
    fn a_unit_at_the_end_of_a_field_is_no_part_of_its_value() {
        let mut nodes = vec![node(rect(0, 0, 200, 24), [255; 3]), node(rect(0, 0, 160, 24), [255; 3])];
        nodes[0].children.push(1);
        let lines = [line("12.50", 110, 150), line("%", 172, 184)];
        assert_eq!(lines_to_write_in(&nodes, 0, &[0, 1], &lines), [0]);
        assert_eq!(lines_to_write_in(&nodes, 1, &[0, 1], &lines), [0, 1]);
    }

    #[test]
    fn a_field_on_other_paper_than_its_neighbours_is_shut() {
        let fills = [[255; 3], [255; 3], [255; 3], [236; 3]];
        let nodes: Vec<Node> =
            (0i32..).zip(fills).map(|(row, fill)| node(rect(0, 30 * row, 200, 30 * row + 24), fill)).collect();
        let shut: Vec<bool> = (0..4).map(|i| is_shut(&nodes, i, |_| [245; 3])).collect();
        assert_eq!(shut, [false, false, false, true]);
    }
}
