use std::sync::LazyLock;

use image::Rgb;
use proptest::prelude::*;

use super::*;
use crate::scene::ImagePoint;

fn rect(x: i32, y: i32, width: i32, height: i32) -> ImageRect {
    ImageRect::new(ImagePoint::new(x, y), ImagePoint::new(x + width, y + height))
}

/// A picture in which something is drawn everywhere.
static DRAWN: LazyLock<RgbImage> =
    LazyLock::new(|| RgbImage::from_fn(400, 300, |x, y| if (x + y) % 2 == 0 { Rgb([0; 3]) } else { Rgb([255; 3]) }));
static BLANK: LazyLock<RgbImage> = LazyLock::new(|| RgbImage::from_pixel(400, 300, Rgb([240; 3])));

fn seen(id: u32, role: Role, text: &str, bbox: ImageRect) -> Element {
    let value = role.holds_text().then(|| text.to_string());
    let (text, label) = (text.to_string(), String::new());
    Element {
        id,
        role,
        text,
        label,
        group: String::new(),
        value,
        state: vec![],
        bbox,
        confidence: 0.8,
        source: Source::Shape,
    }
}

fn told(role: Role, name: &str, bbox: ImageRect) -> Element {
    Element { source: Source::Accessibility, confidence: 1.0, ..seen(0, role, name, bbox) }
}

fn field(label: &str, value: &str, bbox: ImageRect) -> Element {
    Element { label: label.into(), ..told(Role::Textbox, value, bbox) }
}

fn lines(elements: &[Element]) -> Vec<String> {
    elements.iter().map(Element::to_string).collect()
}

/// What comes of it, as the model would read it.
#[track_caller]
fn check(eyes: &[Element], tree: &[Element], expected: &[&str]) -> Vec<Element> {
    let merged = merge(eyes.to_vec(), tree, &DRAWN);
    assert_eq!(lines(&merged), expected);
    merged
}

#[test]
fn words_that_were_seen_become_the_button_that_the_program_says_they_are() {
    let merged = check(
        &[seen(1, Role::Text, "Save", rect(20, 20, 30, 12))],
        &[told(Role::Button, "Save", rect(10, 10, 60, 30))],
        &["1 button \"Save\""],
    );
    assert_eq!(merged[0].bbox, rect(10, 10, 60, 30));
    assert_eq!(merged[0].source, Source::Accessibility);
}

#[test]
fn a_misread_name_is_told_right_while_the_text_stays_what_was_read() {
    let merged = check(
        &[seen(1, Role::Button, "Dclete row", rect(10, 10, 60, 30))],
        &[told(Role::Button, "Delete row", rect(10, 10, 60, 30))],
        &["1 button \"Delete row\""],
    );
    assert_eq!(merged[0].text, "Dclete row");
}

#[test]
fn an_icon_gets_the_name_that_nobody_can_see() {
    check(
        &[seen(1, Role::Icon, "x", rect(10, 10, 20, 20)), seen(2, Role::Icon, "", rect(40, 10, 20, 20))],
        &[told(Role::Button, "Close", rect(10, 10, 20, 20)), told(Role::Button, "Help", rect(39, 9, 22, 22))],
        &["1 button \"Close\"", "2 button \"Help\""],
    );
}

#[test]
fn other_words_than_were_read_are_not_believed() {
    check(
        &[
            seen(1, Role::Button, "Cancel", rect(10, 10, 60, 30)),
            seen(2, Role::Text, "Order 58213", rect(10, 80, 90, 14)),
        ],
        &[told(Role::Button, "Save", rect(10, 10, 60, 30)), told(Role::Text, "Order 58218", rect(10, 80, 90, 14))],
        &["1 button \"Cancel\"", "2 text \"Order 58213\""],
    );
}

#[test]
fn a_value_that_does_not_stand_there_is_not_believed_but_the_label_is() {
    check(
        &[seen(1, Role::Textbox, "1260", rect(10, 10, 100, 24))],
        &[field("Price", "1200", rect(10, 10, 100, 24))],
        &["1 textbox \"Price\" = \"1260\""],
    );
}

#[test]
fn letters_that_look_alike_and_cut_off_ends_are_told_right() {
    check(
        &[
            seen(1, Role::Textbox, "lO-2", rect(10, 10, 100, 24)),
            seen(2, Role::Textbox, "12 Long Street, No", rect(10, 50, 100, 24)),
            seen(3, Role::Textbox, "12", rect(10, 90, 100, 24)),
        ],
        &[
            field("Code", "I0-2", rect(10, 10, 100, 24)),
            field("Address", "12 Long Street, Northtown", rect(10, 50, 100, 24)),
            field("Pieces", "125", rect(10, 90, 100, 24)),
        ],
        &[
            "1 textbox \"Code\" = \"I0-2\"",
            "2 textbox \"Address\" = \"12 Long Street, Northtown\"",
            "3 textbox \"Pieces\" = \"12\"",
        ],
    );
}

#[test]
fn a_text_in_a_field_becomes_the_field() {
    check(
        &[seen(1, Role::Text, "Sample Ltd", rect(16, 14, 70, 14))],
        &[field("Customer", "Sample Ltd", rect(10, 10, 200, 24))],
        &["1 textbox \"Customer\" = \"Sample Ltd\""],
    );
}

#[test]
fn states_are_added_but_a_tick_that_was_seen_stays() {
    let with = |element: Element, state: &[State]| Element { state: state.to_vec(), ..element };
    check(
        &[
            with(seen(1, Role::Checkbox, "Urgent", rect(10, 10, 80, 16)), &[State::Checked]),
            seen(2, Role::Button, "Save", rect(10, 50, 60, 30)),
        ],
        &[
            with(told(Role::Checkbox, "Urgent", rect(10, 10, 300, 16)), &[State::Unchecked, State::Focused]),
            with(told(Role::Button, "Save", rect(10, 50, 60, 30)), &[State::Disabled]),
        ],
        &["1 checkbox \"Urgent\" [checked, focused]", "2 button \"Save\" [disabled]"],
    );
}

#[test]
fn what_only_the_program_knows_of_is_added_where_something_is_drawn() {
    let eyes = [seen(4, Role::Button, "Save", rect(10, 10, 60, 30))];
    let tree = [told(Role::Button, "Print", rect(100, 10, 30, 30)), told(Role::Icon, "Hidden", rect(300, 200, 30, 30))];
    let mut picture = DRAWN.clone();
    for (x, y) in (290..340).flat_map(|x| (190..240).map(move |y| (x, y))) {
        picture.put_pixel(x, y, Rgb([250, 250, 250]));
    }
    let merged = merge(eyes.to_vec(), &tree, &picture);
    assert_eq!(lines(&merged), ["4 button \"Save\"", "5 button \"Print\""]);
}

#[test]
fn what_is_covered_outside_or_everything_is_not_added() {
    check(
        &[seen(1, Role::Text, "Error: no paper", rect(100, 100, 100, 20))],
        &[
            told(Role::Button, "Save", rect(90, 95, 120, 30)),
            told(Role::Button, "Far", rect(390, 10, 60, 30)),
            told(Role::Button, "Dot", rect(10, 10, 2, 2)),
            told(Role::Link, "All", rect(0, 0, 400, 290)),
        ],
        &["1 text \"Error: no paper\""],
    );
}

#[test]
fn parts_and_hulls_of_what_is_there_are_not_added() {
    check(
        &[seen(1, Role::Combobox, "Monthly", rect(10, 10, 200, 24))],
        &[
            Element { label: "Terms".into(), ..told(Role::Combobox, "Monthly", rect(10, 10, 200, 24)) },
            told(Role::Button, "", rect(186, 10, 24, 24)),
        ],
        &["1 combobox \"Terms\" = \"Monthly\""],
    );
}

#[test]
fn a_seen_button_does_not_become_a_text_or_a_field() {
    check(
        &[seen(1, Role::Button, "Save", rect(10, 10, 60, 30)), seen(2, Role::Button, "Print", rect(10, 50, 60, 30))],
        &[told(Role::Text, "Save", rect(10, 10, 60, 30)), field("", "Print", rect(10, 50, 60, 30))],
        &["1 button \"Save\"", "2 button \"Print\""],
    );
}

#[test]
fn nothing_told_changes_nothing() {
    let eyes = vec![seen(3, Role::Button, "Save", rect(10, 10, 60, 30))];
    assert_eq!(merge(eyes.clone(), &[], &DRAWN), eyes);
    assert_eq!(merge(vec![], &[], &DRAWN), vec![]);
}

fn any_element() -> impl Strategy<Value = Element> {
    let role = prop::sample::select(Role::ALL.to_vec());
    let text = prop::sample::select(vec![
        "",
        "Save",
        "Sane",
        "Cancel",
        "12",
        "120",
        "1Z",
        "x",
        "Sample Ltd, Long Street",
        "保存",
    ]);
    let states = prop::sample::subsequence(
        vec![State::Checked, State::Unchecked, State::Disabled, State::Focused, State::Selected],
        0..3,
    );
    let place = (-20i32..380, -20i32..280, 0i32..120, 0i32..60);
    (role, text, "[A-C]?", states, place).prop_map(|(role, text, label, state, (x, y, width, height))| Element {
        label,
        state,
        ..seen(0, role, text, rect(x, y, width, height))
    })
}

proptest! {
    #[test]
    fn nothing_seen_is_lost(eyes in prop::collection::vec(any_element(), 0..12), tree in prop::collection::vec(any_element(), 0..12)) {
        let eyes: Vec<Element> = eyes.into_iter().zip(1..).map(|(e, id)| Element { id: id * 3, ..e }).collect();
        let merged = merge(eyes.clone(), &tree, &DRAWN);
        prop_assert!(merged.len() >= eyes.len());
        for (before, after) in eyes.iter().zip(&merged) {
            prop_assert_eq!(before.id, after.id);
            prop_assert_eq!(&before.text, &after.text);
            prop_assert!(after.role.is_interactive() || !before.role.is_interactive());
            prop_assert!(after.bbox.contains_box(&before.bbox) || after.bbox == before.bbox);
            prop_assert!(before.state.iter().all(|state| after.is(*state)));
            prop_assert_eq!(after.role.holds_text(), after.value.is_some());
            if let (Some(read), Some(value)) = (&before.value, &after.value) {
                prop_assert!(same_value(read, value), "{} became {}", read, value);
            }
        }
        let mut ids: Vec<u32> = merged.iter().map(|element| element.id).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), merged.len());
    }

    #[test]
    fn what_is_added_can_be_seen(tree in prop::collection::vec(any_element(), 0..12)) {
        for element in merge(vec![], &tree, &DRAWN) {
            prop_assert!(is_plausible(&element, &DRAWN));
            prop_assert_eq!(element.source, Source::Accessibility);
        }
        prop_assert!(merge(vec![], &tree, &BLANK).is_empty());
    }
}
