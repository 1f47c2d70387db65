//! A scene as a language model reads it: short, in a fixed form, the same bytes for what has not changed.
//!
//! ```text
//! focus: 7 textbox "Quantity"
//! 9 window "Delete?" in front:
//! 14 "The order cannot be brought back."
//! 10 button "Yes" | 11 button "No"
//! 1 window "Order entry":
//! 2 menuitem "File" | 3 menuitem "Edit"
//! 7 textbox "Quantity" = "12" | 8 combobox "Unit" = "box"
//! 12 radio "Cash" of "Payment" [checked] | 13 radio "Card" of "Payment" [unchecked]
//! 4 icons without names: 15-18
//! table: Item | Qty | Price
//! r1: 21 Rope | 22 12 | 23 4.50
//! ```
//! One line is one row of the screen. What is told elsewhere is left out: words that are the label of a field, boxes,
//! pictures without words. Text from the screen cannot pose as any of this: it stands in quotes, where quotes, line
//! breaks and signs that cannot be seen are escaped, or bare in a table's cell when it has no sign of the form.

use super::area::Area;
use super::table::tables;
use super::{Element, Role, Scene, State};

/// Longer texts are cut.
const LONGEST: usize = 120;
/// A label stands at most this far from its field, across and down.
const LABEL_REACH: (i64, i64) = (400, 60);

/// The whole scene: what has the focus, then each window (those in front first), in it row after row.
pub fn scene_text(scene: &Scene) -> String {
    let mut lines = Vec::new();
    let focused: Vec<String> =
        scene.elements.iter().filter(|e| e.is(State::Focused)).map(|e| titled(e, e.name())).collect();
    if !focused.is_empty() {
        lines.push(format!("focus: {}", focused.join(", ")));
    }
    let (windows, rest): (Vec<&Element>, Vec<&Element>) =
        told(&scene.elements).into_iter().partition(|e| e.role == Role::Window);
    let windows = front_first(windows);
    let mut owned: Vec<Vec<&Element>> = vec![Vec::new(); windows.len() + 1];
    for element in rest {
        let owner = owner(element, &windows).unwrap_or(windows.len());
        owned[owner].push(element);
    }
    for ((window, in_front), inside) in windows.iter().zip(&owned) {
        lines.push(format!("{}{}:", item(window), if *in_front { " in front" } else { "" }));
        lines.extend(body(inside));
    }
    let outside = &owned[windows.len()];
    if !windows.is_empty() && !outside.is_empty() {
        lines.push("outside of the windows:".into());
    }
    lines.extend(body(outside));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A text from outside in quotes, on one line, cut when it is long: `"Rope\n8 mm"`, `"Dear all, …" (480 characters)`.
pub fn quoted(text: &str) -> String {
    let mut safe = String::new();
    let mut length = 0;
    for c in text.chars() {
        let piece = match c {
            '"' => "\\\"".into(),
            '\\' => "\\\\".into(),
            '\n' => "\\n".into(),
            '\t' => "\\t".into(),
            c if is_unseen(c) => format!("\\u{{{:x}}}", u32::from(c)),
            c => String::from(c),
        };
        length += piece.chars().count();
        if length > LONGEST {
            return format!("\"{safe}…\" ({} characters)", text.chars().count());
        }
        safe.push_str(&piece);
    }
    format!("\"{safe}\"")
}

/// A text without quotes where nothing in it can be taken for a sign of the form, else in quotes.
pub(super) fn bare(text: &str) -> String {
    let is_plain = |c: char| !is_unseen(c) && !"\"\\|[]=;…".contains(c);
    let is_short = (1..=LONGEST).contains(&text.chars().count());
    if is_short && text.trim() == text && text.chars().all(is_plain) { text.into() } else { quoted(text) }
}

/// Signs that break lines, steer, turn the direction of writing, or show nothing.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c), 0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F
            | 0xFE00..=0xFE0F | 0xFEFF | 0xFFF9..=0xFFFB | 0xE0000..=0xE0FFF)
}

/// An element in full: `7 textbox "Quantity" = "12" [disabled]`.
fn item(element: &Element) -> String {
    item_named(element, element.name())
}

/// An element under the given name; the name is left out when it is empty or no more than the value.
pub(super) fn item_named(element: &Element, name: &str) -> String {
    let is_value = element.label.is_empty() && element.value.as_deref() == Some(name);
    let group = if element.group.is_empty() { String::new() } else { format!(" of {}", quoted(&element.group)) };
    format!("{}{group}{}", titled(element, if is_value { "" } else { name }), condition(element))
}

/// Number, role and name: `7 textbox "Quantity"`. Words without a role are text.
fn titled(element: &Element, name: &str) -> String {
    match (element.role, name) {
        (Role::Text, name) => format!("{} {}", element.id, quoted(name)),
        (role, "") => format!("{} {}", element.id, role.name()),
        (role, name) => format!("{} {} {}", element.id, role.name(), quoted(name)),
    }
}

/// What stands in an element and how it is: ` = "12" [disabled]`. The focus is told in the first line.
pub(super) fn condition(element: &Element) -> String {
    let value = element.value.as_ref().map(|value| format!(" = {}", quoted(value))).unwrap_or_default();
    let states: Vec<&str> = element.state.iter().filter(|s| **s != State::Focused).map(|s| s.name()).collect();
    if states.is_empty() { value } else { format!("{value} [{}]", states.join(", ")) }
}

/// The elements without those that say nothing and the words that are told as the name of something else.
fn told(elements: &[Element]) -> Vec<&Element> {
    let mut labels = Vec::new();
    for named in elements.iter().filter(|e| is_named_by_words(e)) {
        let area = Area::of(named.bbox);
        let is_label = |words: &Element| {
            let (across, down) = area.gap(Area::of(words.bbox));
            words.role == Role::Text
                && words_of(&words.text) == words_of(named.name())
                && across <= LABEL_REACH.0
                && down <= LABEL_REACH.1
        };
        let around = elements.iter().enumerate().filter(|(_, e)| is_label(e));
        labels.extend(around.min_by_key(|(_, e)| area.distance(Area::of(e.bbox))).map(|(index, _)| index));
    }
    let says_something = |(index, e): &(usize, &Element)| match e.role {
        Role::Text => !e.text.is_empty() && !labels.contains(index),
        Role::Image => !e.name().is_empty(),
        Role::Button
        | Role::Icon
        | Role::Link
        | Role::Textbox
        | Role::Combobox
        | Role::Checkbox
        | Role::Radio
        | Role::Tab
        | Role::Menuitem
        | Role::Listitem
        | Role::Cell
        | Role::Slider
        | Role::Switch
        | Role::Window => true,
    };
    elements.iter().enumerate().filter(says_something).map(|(_, e)| e).collect()
}

/// Whether its name may stand beside it as words of their own. The words beside a box to tick are not left out: in a
/// list a click on them does something else.
fn is_named_by_words(element: &Element) -> bool {
    match element.role {
        Role::Textbox | Role::Combobox | Role::Slider | Role::Switch => !element.label.is_empty(),
        Role::Window => !element.name().is_empty(),
        Role::Button
        | Role::Icon
        | Role::Link
        | Role::Checkbox
        | Role::Radio
        | Role::Tab
        | Role::Menuitem
        | Role::Listitem
        | Role::Cell
        | Role::Text
        | Role::Image => false,
    }
}

/// A label without what surrounds it.
fn words_of(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ":：*＊".contains(c))
}

/// Windows with whether they stand in front of another: those in the most others first, then in reading order.
fn front_first(windows: Vec<&Element>) -> Vec<(&Element, bool)> {
    let depth = |window: &Element| {
        let area = Area::of(window.bbox);
        let is_behind = |other: &&&Element| {
            let behind = Area::of(other.bbox);
            behind.size() > area.size() && behind.contains(area.middle())
        };
        windows.iter().filter(is_behind).count()
    };
    let mut ordered: Vec<(usize, &Element)> = windows.iter().map(|w| (depth(w), *w)).collect();
    ordered.sort_by_key(|(depth, w)| {
        let area = Area::of(w.bbox);
        (std::cmp::Reverse(*depth), area.y0, area.x0)
    });
    ordered.into_iter().map(|(depth, w)| (w, depth > 0)).collect()
}

/// The smallest window around the element's middle, as an index.
fn owner(element: &Element, windows: &[(&Element, bool)]) -> Option<usize> {
    let middle = Area::of(element.bbox).middle();
    let around = windows.iter().enumerate().filter(|(_, (w, _))| Area::of(w.bbox).contains(middle));
    around.min_by_key(|(_, (w, _))| Area::of(w.bbox).size()).map(|(index, _)| index)
}

/// The lines of one window: its tables and rows from top to bottom.
fn body(elements: &[&Element]) -> Vec<String> {
    let (tables, rest) = tables(elements);
    let mut pieces: Vec<((i64, i64), Vec<String>)> = tables.iter().map(|t| (t.place(), t.lines())).collect();
    for row in rows(rest) {
        if let Some(first) = row.first() {
            let area = Area::of(first.bbox);
            pieces.push(((area.middle().1, area.x0), vec![row_line(&row)]));
        }
    }
    pieces.sort_by_key(|(place, _)| *place);
    pieces.into_iter().flat_map(|(_, lines)| lines).collect()
}

/// Elements whose middles are about equally high share a row; rows from top to bottom, each from left to right.
fn rows(mut elements: Vec<&Element>) -> Vec<Vec<&Element>> {
    elements.sort_by_key(|e| (Area::of(e.bbox).middle().1, Area::of(e.bbox).x0));
    let mut rows = Vec::new();
    let mut rest = elements.as_slice();
    while let Some(first) = rest.first() {
        let first = Area::of(first.bbox);
        let reach = (first.height() / 2).clamp(6, 14);
        let count = rest.iter().take_while(|e| Area::of(e.bbox).middle().1 - first.middle().1 <= reach).count();
        let (row, after) = rest.split_at(count.max(1));
        let mut row = row.to_vec();
        row.sort_by_key(|e| Area::of(e.bbox).x0);
        rows.push(row);
        rest = after;
    }
    rows
}

/// One row; neighbouring icons without names become one item.
fn row_line(row: &[&Element]) -> String {
    let is_nameless = |e: &Element| e.role == Role::Icon && e.name().is_empty() && e.state.is_empty();
    let groups = row.chunk_by(|a, b| is_nameless(a) && is_nameless(b));
    let items: Vec<String> = groups
        .map(|group| match group {
            [one] => item(one),
            icons => {
                let ids: Vec<u32> = icons.iter().map(|e| e.id).collect();
                format!("{} icons without names: {}", icons.len(), ranges(ids))
            }
        })
        .collect();
    items.join(" | ")
}

/// Numbers in order, runs of three and more as one: `3, 8-12`.
fn ranges(mut ids: Vec<u32>) -> String {
    ids.sort_unstable();
    let runs = ids.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let names: Vec<String> = runs
        .map(|run| match run {
            [first, _, .., last] => format!("{first}-{last}"),
            short => short.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        })
        .collect();
    names.join(", ")
}
