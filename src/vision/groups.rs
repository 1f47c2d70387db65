//! Which question a radio button answers: the words of its group, from the frame around the group or beside its first
//! button.

use super::labels::{self, Words};
use super::pixels::rect;
use super::shapes::Shapes;
use crate::scene::{Element, ImageRect, Role};

/// Buttons of one column begin at most this far apart...
const ALIGNED: i32 = 5;
/// ...and are separated by at most so many times their height.
const DOWN: i32 = 2;
/// Buttons of one row are separated by at most this much.
const ACROSS: i32 = 80;
/// The title of a frame stands on its upper side or right below it.
const TITLE: std::ops::RangeInclusive<i32> = -10..=24;
/// The words left of a group end at most this far from it.
const LEFT: i32 = 280;
/// Words on the line of a button have their middle at most this far above or below it.
const LEVEL: i32 = 2;
/// A label above the buttons ends at most this far from them, and begins at most so far left of them.
const ABOVE: i32 = 18;
const INDENT: i32 = 40;

/// Names the group of every radio button whose group has words.
pub(super) fn name(elements: &mut [Element], shapes: &Shapes) {
    let radios: Vec<usize> = (0..elements.len()).filter(|i| elements[*i].role == Role::Radio).collect();
    let boxes: Vec<ImageRect> = radios.iter().map(|i| elements[*i].bbox).collect();
    let frames: Vec<ImageRect> =
        shapes.rects.iter().filter(|r| r.bordered || r.surface.is_none()).map(|r| r.outer).collect();
    for group in groups(&boxes) {
        let members: Vec<usize> = group.iter().filter_map(|at| radios.get(*at).copied()).collect();
        let Some(label) = label(elements, &members, &frames) else { continue };
        for i in members {
            elements[i].group.clone_from(&label);
        }
    }
}

/// Boxes that stand in one row or in one column, close together, as their indices; at least two make a group.
fn groups(boxes: &[ImageRect]) -> Vec<Vec<usize>> {
    let beside = |a: &ImageRect, b: &ImageRect| {
        (a.center().y - b.center().y).abs() <= ALIGNED && (0..=ACROSS).contains(&(b.min.x - a.max.x))
    };
    let below = |a: &ImageRect, b: &ImageRect| {
        (a.min.x - b.min.x).abs() <= ALIGNED && (-2..=DOWN * a.height()).contains(&(b.min.y - a.max.y))
    };
    let mut group_of: Vec<usize> = (0..boxes.len()).collect();
    for (i, a) in boxes.iter().enumerate() {
        for (j, b) in boxes.iter().enumerate() {
            if i != j && (beside(a, b) || below(a, b)) {
                let (from, to) = (group_of[j], group_of[i]);
                group_of.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
    }
    let members = |g: usize| (0..boxes.len()).filter(|i| group_of[*i] == g).collect::<Vec<_>>();
    (0..boxes.len()).map(members).filter(|members| members.len() > 1).collect()
}

/// The words of a group: the title of the smallest frame around it that holds no other choice, else those beside or
/// above its first button.
fn label(elements: &[Element], members: &[usize], frames: &[ImageRect]) -> Option<String> {
    let all = members.iter().map(|i| elements[*i].bbox).reduce(|a, b| a.union(&b))?;
    let words: Vec<&Element> =
        elements.iter().filter(|e| e.role == Role::Text && e.text.chars().any(char::is_alphanumeric)).collect();
    let around = frames.iter().filter(|f| f.inflate(2, 2).contains_box(&all) && f.height() > all.height() + 6);
    let frame = around.min_by_key(|f| f.area());
    if let Some(frame) = frame {
        let alone = elements.iter().enumerate().all(|(i, e)| {
            !(e.role == Role::Radio || e.role.is_field()) || members.contains(&i) || !frame.contains(e.bbox.center())
        });
        let title = words.iter().find(|w| {
            TITLE.contains(&(w.bbox.center().y - frame.min.y))
                && w.bbox.min.x >= frame.min.x
                && w.bbox.max.x <= frame.max.x
                && w.bbox.center().y < all.min.y
        });
        if let Some(title) = title.filter(|_| alone) {
            return Some(labels::clean(&title.text));
        }
    }
    let first = elements.get(*members.first()?)?.bbox;
    // Left of the first button, as for a field that takes up the group's place.
    let level = (first.min.y - LEVEL)..=(first.max.y + LEVEL);
    let left: Vec<Words> = words
        .iter()
        .filter(|w| w.bbox.max.x <= all.min.x && level.contains(&w.bbox.center().y))
        .map(|w| Words { text: w.text.clone(), bbox: w.bbox, is_cell: false })
        .collect();
    let others: Vec<ImageRect> = elements
        .iter()
        .enumerate()
        .filter(|(i, e)| e.role.is_interactive() && !members.contains(i))
        .map(|(_, e)| e.bbox)
        .collect();
    let row = rect(first.min.x, first.min.y, all.max.x, first.max.y);
    let nearest = labels::left_of(row, &left, &others, LEFT);
    let beside = nearest.and_then(|(at, _)| left.get(at)).map(|w| labels::clean(&w.text));
    let above = || {
        let over = words.iter().filter(|w| {
            (0..=ABOVE).contains(&(all.min.y - w.bbox.max.y)) && (-INDENT..=8).contains(&(w.bbox.min.x - all.min.x))
        });
        over.max_by_key(|w| w.bbox.max.y).map(|w| labels::clean(&w.text))
    };
    beside.or_else(above).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Source;
    use crate::vision::drawing::{Drawing, WHITE};

    fn thing(role: Role, text: &str, bbox: ImageRect) -> Element {
        Element {
            id: 0,
            role,
            text: text.into(),
            label: String::new(),
            group: String::new(),
            value: None,
            state: Vec::new(),
            bbox,
            confidence: 1.0,
            source: Source::Ocr,
        }
    }

    /// `name: x,y` a line; names in round brackets are radio buttons, in square brackets fields, others words.
    fn elements(text: &str) -> Vec<Element> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(|line| {
                let (name, place) = line.rsplit_once(": ").expect("name: place");
                let (x, y) = place.split_once(',').expect("x,y");
                let (x, y): (i32, i32) = (x.parse().expect("a number"), y.parse().expect("a number"));
                let role = match name.chars().next() {
                    Some('(') => Role::Radio,
                    Some('[') => Role::Textbox,
                    _ => Role::Text,
                };
                let name = name.trim_matches(['(', ')', '[', ']']);
                let width = 7 * name.chars().count() as i32 + if role == Role::Radio { 20 } else { 0 };
                thing(role, name, rect(x, y, x + width, y + 14))
            })
            .collect()
    }

    /// `button of group` for every radio button that has a group.
    fn named(text: &str, drawing: Drawing) -> Vec<String> {
        let mut all = elements(text);
        name(&mut all, &Shapes::of(&drawing.0));
        let radios = all.iter().filter(|e| !e.group.is_empty());
        radios.map(|e| format!("{} of {}", e.text, e.group)).collect()
    }

    fn plain() -> Drawing {
        Drawing::new(400, 300, WHITE)
    }

    #[test]
    fn words_left_of_the_first_button_name_a_row() {
        let seen = named("Payment:: 10,20\n(Cash): 100,20\n(Card): 170,20\n[Amount]: 100,50", plain());
        assert_eq!(seen, ["Cash of Payment", "Card of Payment"]);
    }

    #[test]
    fn words_above_name_a_column_and_two_columns_stay_apart() {
        let seen = named(
            "Sex: 20,10\n(Female): 24,30\n(Male): 24,52\nContract: 220,10\n(Fixed): 224,30\n(Open): 224,52",
            plain(),
        );
        assert_eq!(seen, ["Female of Sex", "Male of Sex", "Fixed of Contract", "Open of Contract"]);
    }

    #[test]
    fn the_title_of_a_frame_names_what_stands_in_it_but_not_when_it_holds_more() {
        let frame = || plain().boxed(rect(20, 20, 200, 110), 120, WHITE).boxed(rect(20, 150, 200, 290), 120, WHITE);
        let seen = named(
            "Paper: 30,28\n(A4): 40,52\n(A5): 40,74\n\
             All of it: 30,158\n[Name]: 60,180\n(Left): 60,220\n(Right): 60,242",
            frame(),
        );
        assert_eq!(seen, ["A4 of Paper", "A5 of Paper"]);
    }

    #[test]
    fn a_single_button_and_words_across_a_field_name_nothing() {
        assert_eq!(named("Mode: 10,20\n(On): 100,20", plain()), [""; 0]);
        assert_eq!(named("Price: 10,20\n[Amount]: 60,20\n(Net): 140,20\n(Gross): 200,20", plain()), [""; 0]);
    }
}
