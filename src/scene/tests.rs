//! What a model reads of a scene, and the numbers that elements keep.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;

fn boxed([x0, y0, x1, y1]: [i32; 4]) -> ImageRect {
    ImageRect::new(ImagePoint::new(x0, y0), ImagePoint::new(x1, y1))
}

fn thing(role: Role, text: &str, place: [i32; 4]) -> Element {
    Element {
        id: 0,
        role,
        text: text.into(),
        label: String::new(),
        group: String::new(),
        value: None,
        state: Vec::new(),
        bbox: boxed(place),
        confidence: 1.0,
        source: Source::Shape,
    }
}

/// A field 100 wide at `x`, its label as a text left of it.
fn labelled(role: Role, label: &str, value: &str, x: i32, y: i32) -> [Element; 2] {
    let field = thing(role, value, [x, y, x + 100, y + 22]);
    let words = thing(Role::Text, &format!("{label}:"), [x - 80, y + 6, x - 10, y + 16]);
    [words, Element { label: label.into(), value: Some(value.into()), ..field }]
}

fn with(element: Element, state: State) -> Element {
    Element { state: vec![state], ..element }
}

/// Numbered as they come.
fn scene(elements: Vec<Element>) -> Scene {
    let elements = (1..).zip(elements).map(|(id, e)| Element { id, ..e }).collect();
    Scene { capture: CaptureId(1), width: 1280, height: 800, elements }
}

/// Cells 100 wide and 20 high, row by row from (20, 100); an empty word is no cell.
fn cells(rows: &[&[&str]]) -> Vec<Element> {
    let mut cells = Vec::new();
    for (y, row) in (0..).zip(rows) {
        for (x, word) in (0..).zip(*row) {
            let (x, y) = (20 + 100 * x, 100 + 20 * y);
            if !word.is_empty() {
                cells.push(thing(Role::Cell, word, [x, y, x + 101, y + 21]));
            }
        }
    }
    cells
}

fn check(elements: Vec<Element>, expected: &str) {
    assert_eq!(scene_text(&scene(elements)), expected);
}

#[test]
fn a_form_is_told_row_by_row_without_its_labels() {
    let mut all = vec![thing(Role::Menuitem, "File", [10, 5, 40, 20]), thing(Role::Menuitem, "Edit", [50, 5, 80, 20])];
    all.extend(labelled(Role::Textbox, "Quantity", "12", 100, 40));
    all.extend(labelled(Role::Combobox, "Unit", "box", 300, 40));
    all.push(with(thing(Role::Checkbox, "Urgent", [100, 80, 160, 94]), State::Unchecked));
    all.push(thing(Role::Text, "Total: 48.00", [300, 80, 380, 92]));
    all.push(with(thing(Role::Button, "Save", [100, 120, 160, 144]), State::Disabled));
    check(
        all,
        r#"1 menuitem "File" | 2 menuitem "Edit"
4 textbox "Quantity" = "12" | 6 combobox "Unit" = "box"
7 checkbox "Urgent" [unchecked] | 8 "Total: 48.00"
9 button "Save" [disabled]
"#,
    );
}

#[test]
fn a_chinese_form_is_told_likewise() {
    let mut all: Vec<Element> = labelled(Role::Textbox, "订单编号", "CG2026-007", 100, 40).into();
    all.extend(labelled(Role::Combobox, "供应商", "华东五金", 300, 40));
    all.push(with(thing(Role::Radio, "现金", [100, 80, 150, 94]), State::Checked));
    all.push(with(thing(Role::Radio, "月结", [160, 80, 210, 94]), State::Unchecked));
    all.push(thing(Role::Button, "保存订单", [100, 120, 190, 144]));
    check(
        all,
        r#"2 textbox "订单编号" = "CG2026-007" | 4 combobox "供应商" = "华东五金"
5 radio "现金" [checked] | 6 radio "月结" [unchecked]
7 button "保存订单"
"#,
    );
}

#[test]
fn the_focus_comes_first_and_is_not_told_again() {
    let mut all: Vec<Element> = labelled(Role::Textbox, "Quantity", "12", 100, 40).into();
    all[1].state.push(State::Focused);
    check(all, "focus: 2 textbox \"Quantity\"\n2 textbox \"Quantity\" = \"12\"\n");
}

#[test]
fn a_dialog_comes_before_the_window_behind_it() {
    let mut all = vec![
        thing(Role::Window, "Order entry", [0, 0, 800, 600]),
        thing(Role::Text, "Order entry", [10, 4, 90, 16]),
        thing(Role::Button, "Save", [100, 500, 160, 524]),
        thing(Role::Window, "Delete?", [200, 200, 500, 400]),
        thing(Role::Text, "Delete order 4711?", [220, 250, 400, 262]),
        thing(Role::Button, "Yes", [220, 350, 280, 374]),
        thing(Role::Button, "No", [300, 350, 360, 374]),
    ];
    all.push(thing(Role::Icon, "Bin", [1000, 20, 1040, 60]));
    check(
        all,
        r#"4 window "Delete?" in front:
5 "Delete order 4711?"
6 button "Yes" | 7 button "No"
1 window "Order entry":
3 button "Save"
outside of the windows:
8 icon "Bin"
"#,
    );
}

#[test]
fn icons_without_names_are_counted() {
    let icon = |x: i32, name: &str| thing(Role::Icon, name, [x, 10, x + 20, 30]);
    let mut all: Vec<Element> = (0..6).map(|i| icon(30 * i, "")).collect();
    all.insert(4, icon(110, "Print"));
    check(all, "4 icons without names: 1-4 | 5 icon \"Print\" | 2 icons without names: 6, 7\n");
}

#[test]
fn a_table_has_named_columns_and_rows() {
    let mut all =
        cells(&[&["Item", "Qty", "Price"], &["Rope", "12", "4.50"], &["Wire", "", "3.40"], &["Hook", "5", ""]]);
    all.push(thing(Role::Button, "Add line", [360, 100, 440, 124]));
    check(
        all,
        r#"table: Item | Qty | Price
r1: 4 Rope | 5 12 | 6 4.50
r2: 7 Wire | - | 8 3.40
r3: 9 Hook | 10 5 | -
11 button "Add line"
"#,
    );
}

#[test]
fn fields_and_boxes_in_a_table_belong_to_their_row_and_column() {
    let mut all = cells(&[&["编码", "数量", "操作"], &["10023", "", ""], &["10057", "", ""]]);
    for (y, quantity) in [(122, "24"), (142, "10")] {
        all.push(with(thing(Role::Checkbox, "", [4, y, 16, y + 12]), State::Unchecked));
        let field = thing(Role::Textbox, quantity, [124, y, 210, y + 16]);
        all.push(Element { label: "数量".into(), value: Some(quantity.into()), ..field });
        all.push(thing(Role::Link, "删除", [230, y + 2, 260, y + 14]));
    }
    all[5].label = "10023".into();
    check(
        all,
        r#"table: 编码 | 数量 | 操作
r1: 6 checkbox [unchecked]; 4 10023 | 7 textbox = "24" | 8 link "删除"
r2: 9 checkbox [unchecked]; 5 10057 | 10 textbox = "10" | 11 link "删除"
"#,
    );
}

#[test]
fn a_table_without_heads_says_how_many_columns_it_has() {
    check(cells(&[&["Rope", "12"], &["Wire", "80"]]), "table of 2 columns:\nr1: 1 Rope | 2 12\nr2: 3 Wire | 4 80\n");
}

#[test]
fn the_middle_of_a_long_table_is_left_out_but_not_what_is_selected() {
    let rows: Vec<[String; 2]> = (1..=30).map(|n| [format!("Item {n}"), format!("{}", 10 * n)]).collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|r| vec![r[0].as_str(), r[1].as_str()]).collect();
    let mut all: Vec<&[&str]> = vec![&["Name", "Qty"]];
    all.extend(rows.iter().map(Vec::as_slice));
    let mut all = cells(&all);
    all[2 + 2 * 9].state.push(State::Selected);
    let text = scene_text(&scene(all));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 6 + 1 + 1 + 1 + 6, "{text}");
    assert_eq!(
        lines[6..11],
        [
            "r6: 13 Item 6 | 14 60",
            "… 3 rows left out: r7-r9",
            "r10: 21 Item 10 [selected] | 22 100",
            "… 14 rows left out: r11-r24",
            "r25: 51 Item 25 | 52 250",
        ]
    );
}

#[test]
fn two_tables_stay_two() {
    let mut all = cells(&[&["Item", "Qty"], &["Rope", "12"]]);
    all.extend(cells(&[&["Name", "Town"], &["Ines", "Porto"]]).into_iter().map(|mut e| {
        e.bbox = e.bbox.translate(euclid::vec2(0, 200));
        e
    }));
    check(all, "table: Item | Qty\nr1: 3 Rope | 4 12\ntable: Name | Town\nr1: 7 Ines | 8 Porto\n");
}

#[test]
fn texts_cannot_pose_as_lines_items_or_cells() {
    let mut all = cells(&[&["Item", "Qty"], &["Rope | 99 button", "12\nr9: 5"], &["a \"b\"", "{}"]]);
    all.push(thing(Role::Button, "Save\"\n99 button \"Pay\u{202e}", [20, 10, 80, 30]));
    let mut note = thing(Role::Textbox, "", [20, 40, 200, 60]);
    note.value = Some("x".repeat(300));
    all.push(note);
    check(
        all,
        &[
            r#"7 button "Save\"\n99 button \"Pay\u{202e}""#,
            &format!(r#"8 textbox = "{}…" (300 characters)"#, "x".repeat(120)),
            r#"table: Item | Qty"#,
            r#"r1: 3 "Rope | 99 button" | 4 "12\nr9: 5""#,
            r#"r2: 5 "a \"b\"" | 6 {}"#,
            "",
        ]
        .join("\n"),
    );
}

#[test]
fn empty_scenes_give_no_text() {
    check(Vec::new(), "");
}

const MAIN: WindowId = WindowId(1);
const DIALOG: WindowId = WindowId(2);

/// The numbers that a look at the window gets.
fn look(numbering: &mut Numbering, window: WindowId, elements: &[Element]) -> Vec<u32> {
    let mut scene = scene(elements.to_vec());
    numbering.number(window, &mut scene);
    scene.elements.iter().map(|e| e.id).collect()
}

fn button(name: &str, x: i32, y: i32) -> Element {
    thing(Role::Button, name, [x, y, x + 60, y + 24])
}

#[test]
fn what_stays_moves_or_changes_its_words_keeps_its_number() {
    let mut numbering = Numbering::default();
    let first = [button("Save", 10, 10), button("Start", 100, 10), button("Close", 200, 10)];
    assert_eq!(look(&mut numbering, MAIN, &first), [1, 2, 3]);
    // A new one before all, one pixel of play, another word at the same place, one moved far.
    let second = [button("New", 300, 10), button("Save", 11, 9), button("Stop", 100, 10), button("Close", 200, 400)];
    assert_eq!(look(&mut numbering, MAIN, &second), [4, 1, 2, 3]);
}

#[test]
fn words_that_turn_out_to_be_a_button_have_their_number_again_when_their_program_is_silent() {
    let mut numbering = Numbering::default();
    let words = thing(Role::Text, "Save", [25, 15, 55, 29]);
    let told = [button("Save", 10, 10), button("Print", 100, 10)];
    assert_eq!(look(&mut numbering, MAIN, &[words.clone(), told[1].clone()]), [1, 2]);
    assert_eq!(look(&mut numbering, MAIN, &told), [3, 2]);
    assert_eq!(look(&mut numbering, MAIN, &[words, told[1].clone()]), [1, 2]);
    assert_eq!(look(&mut numbering, MAIN, &told), [3, 2]);
}

#[test]
fn numbers_are_not_given_twice_but_come_back_with_their_element() {
    let mut numbering = Numbering::default();
    let form = [button("Save", 10, 10), button("Delete", 100, 10)];
    assert_eq!(look(&mut numbering, MAIN, &form), [1, 2]);
    assert_eq!(look(&mut numbering, MAIN, &form[..1]), [1]);
    assert_eq!(look(&mut numbering, MAIN, &[button("Save", 10, 10), button("Print", 100, 300)]), [1, 3]);
    // The same words at the same place in another window are something else.
    assert_eq!(look(&mut numbering, DIALOG, &form), [4, 5]);
    assert_eq!(look(&mut numbering, MAIN, &form), [1, 2]);
}

#[test]
fn a_radio_button_is_told_with_the_question_it_answers() {
    let radio = with(thing(Role::Radio, "Cash", [10, 10, 60, 24]), State::Checked);
    let radio = Element { group: "Payment \"now\"".into(), ..radio };
    assert_eq!(scene_text(&scene(vec![radio])), "1 radio \"Cash\" of \"Payment \\\"now\\\"\" [checked]\n");
}

#[test]
fn rows_that_scroll_take_their_numbers_along() {
    let mut numbering = Numbering::default();
    let row = |n: i32, y: i32| thing(Role::Link, &format!("INV-{n}"), [20, y, 90, y + 14]);
    let before: Vec<Element> = (1..=4).map(|n| row(n, 30 * n)).collect();
    let after: Vec<Element> = (2..=5).map(|n| row(n, 30 * n - 30)).collect();
    assert_eq!(look(&mut numbering, MAIN, &before), [1, 2, 3, 4]);
    assert_eq!(look(&mut numbering, MAIN, &after), [2, 3, 4, 5]);
}

fn any_element() -> impl Strategy<Value = Element> {
    let side = || prop_oneof![0..900i32, -50..50i32, any::<i32>()];
    let place = prop_oneof![
        // On a grid, so that rows, tables and windows come about.
        (0..8i32, 0..20i32, 1..3i32).prop_map(|(x, y, w)| [80 * x, 20 * y, 80 * (x + w) + 1, 20 * y + 21]),
        [side(), side(), side(), side()],
    ];
    let role = prop_oneof![Just(Role::Cell), prop::sample::select(Role::ALL.to_vec())];
    let word = || prop_oneof!["[a-c]{0,2}", "[0-9 ]{0,3}", any::<String>(), "[\n\"|=; 0-9a-z\u{2028}]{0,200}"];
    let states =
        prop::collection::vec(prop::sample::select(vec![State::Checked, State::Focused, State::Selected]), 0..2);
    (role, word(), word(), prop::option::of(word()), states, place).prop_map(
        |(role, text, label, value, state, place)| Element { label, value, state, ..thing(role, &text, place) },
    )
}

fn any_scene() -> impl Strategy<Value = Scene> {
    prop::collection::vec(any_element(), 0..60).prop_map(scene)
}

/// The text's lines without what stands in quotes; fails where a quote is not closed on its line.
fn form_of(text: &str) -> Result<Vec<String>, TestCaseError> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let (mut form, mut in_quotes, mut escaped) = (String::new(), false, false);
        for c in line.chars() {
            match (in_quotes, c) {
                (true, _) if escaped => escaped = false,
                (true, '\\') => escaped = true,
                (_, '"') => in_quotes = !in_quotes,
                (true, _) => {}
                (false, c) => form.push(c),
            }
        }
        prop_assert!(!in_quotes, "open quote: {line}");
        lines.push(form);
    }
    Ok(lines)
}

/// How often each number stands at the beginning of an item.
fn ids_told(text: &str) -> Result<HashMap<u32, usize>, TestCaseError> {
    let mut told = HashMap::new();
    for line in form_of(text)? {
        if line.starts_with("focus:") || line.starts_with('…') {
            continue;
        }
        let line = line.strip_prefix("table: ").unwrap_or(&line);
        let line = match line.split_once(": ") {
            Some((row, rest)) if row.starts_with('r') && row[1..].parse::<u32>().is_ok() => rest,
            Some(_) | None => line,
        };
        for item in line.split(" | ").flat_map(|slot| slot.split("; ")) {
            match item.split_once(" icons without names: ") {
                Some((_, ids)) => {
                    for run in ids.split(", ") {
                        let (from, to) = run.split_once('-').unwrap_or((run, run));
                        for id in from.parse().unwrap()..=to.parse().unwrap() {
                            *told.entry(id).or_default() += 1;
                        }
                    }
                }
                None => {
                    if let Some(Ok(id)) = item.split(' ').next().map(str::parse) {
                        *told.entry(id).or_default() += 1;
                    }
                }
            }
        }
    }
    Ok(told)
}

proptest! {
    #[test]
    fn every_interactive_element_is_told_once_whatever_the_geometry(scene in any_scene()) {
        let text = scene_text(&scene);
        let told = ids_told(&text)?;
        // Rows that were left out are counted, not told.
        if !text.lines().any(|line| line.starts_with('…')) {
            for element in scene.elements.iter().filter(|e| e.role.is_interactive()) {
                prop_assert_eq!(told.get(&element.id), Some(&1), "{} in\n{}", element.id, text);
            }
        }
    }

    #[test]
    fn no_line_is_forged(scene in any_scene()) {
        let text = scene_text(&scene);
        // A line an element at most; the focus, what is outside of windows; headings of tables and what they leave out.
        prop_assert!(text.lines().count() <= 2 + 2 * scene.elements.len());
        let steers = |c: char| c != '\n' && (c.is_control() || "\u{2028}\u{2029}\u{202e}\u{200b}".contains(c));
        prop_assert!(!text.contains(steers));
        form_of(&text)?;
    }

    #[test]
    fn another_value_changes_only_its_line(
        before in any_scene(), field in any_element(), values in (any::<String>(), any::<String>()),
    ) {
        let mut scene = before;
        let field = Element { id: 99, role: Role::Textbox, label: "Name".into(), value: Some(values.0), ..field };
        scene.elements.push(field);
        let before = scene_text(&scene);
        if let Some(field) = scene.elements.last_mut() {
            field.value = Some(values.1);
        }
        let after = scene_text(&scene);
        let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b).count();
        prop_assert!(changed <= 1, "{before}\n{after}");
        prop_assert_eq!(before.lines().count(), after.lines().count());
    }

    #[test]
    fn numbers_are_unique_and_an_unchanged_screen_keeps_them(
        looks in prop::collection::vec((any_scene(), 0..3u64), 1..6),
    ) {
        let mut numbering = Numbering::default();
        let mut owners: HashMap<u32, (WindowId, Role)> = HashMap::new();
        for (scene, window) in looks {
            let window = WindowId(window);
            let mut once = scene.clone();
            numbering.number(window, &mut once);
            let ids: HashSet<u32> = once.elements.iter().map(|e| e.id).collect();
            prop_assert_eq!(ids.len(), once.elements.len());
            for element in &once.elements {
                // A number never passes to another window or another kind of thing.
                prop_assert_eq!(*owners.entry(element.id).or_insert((window, element.role)), (window, element.role));
            }
            let mut again = scene.clone();
            numbering.number(window, &mut again);
            prop_assert_eq!(scene_text(&once), scene_text(&again));
        }
    }
}
