//! Fields of a scene: what can take a value, a group of radio buttons being one field.

use crate::scene::{Element, ImageRect, Role, State};
use crate::words::norm;

/// One of the values that a field offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The element to click for it; `None` for an entry of a list that is not open.
    pub id: Option<u32>,
    pub text: String,
}

/// Something on the screen that takes a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The element; of a group of radio buttons the first one.
    pub id: u32,
    pub role: Role,
    /// What a person calls it; empty when nothing is written beside it.
    pub label: String,
    /// Known choices: the buttons of a radio group, or a list's entries where the caller knows them.
    pub choices: Vec<Choice>,
}

impl Field {
    /// The choice that this value names.
    pub fn choice(&self, value: &str) -> Option<&Choice> {
        let value = norm(value);
        self.choices.iter().find(|c| norm(&c.text) == value)
    }
}

/// The fields among the elements, in their order. Disabled ones take no value and are left out.
pub fn fields(elements: &[Element]) -> Vec<Field> {
    let mut out: Vec<Field> = Vec::new();
    let mut group: Vec<&Element> = Vec::new();
    for element in elements {
        if !element.role.is_field() || element.is(State::Disabled) {
            continue;
        }
        if element.role != Role::Radio {
            out.push(Field {
                id: element.id,
                role: element.role,
                label: element.name().trim().to_string(),
                choices: Vec::new(),
            });
            continue;
        }
        if group.last().is_some_and(|last| !belong_together(last, element)) {
            out.extend(radio_field(&group));
            group.clear();
        }
        group.push(element);
    }
    out.extend(radio_field(&group));
    out.sort_by_key(|f| elements.iter().position(|e| e.id == f.id));
    out
}

/// Whether a radio button stands in the same group as the one before it: under one label, in one line, or in one
/// column close below.
fn belong_together(a: &Element, b: &Element) -> bool {
    if !a.label.is_empty() && a.label != a.text && !b.label.is_empty() && b.label != b.text {
        return a.label == b.label;
    }
    let (a, b) = (a.bbox, b.bbox);
    if a == ImageRect::zero() || b == ImageRect::zero() {
        return true;
    }
    let height = a.height().max(b.height()).max(1);
    let in_line = (a.center().y - b.center().y).abs() < height && b.min.x - a.max.x < 12 * height;
    let in_column = (a.min.x - b.min.x).abs() < height && b.min.y - a.max.y < 2 * height;
    in_line || in_column
}

fn radio_field(group: &[&Element]) -> Option<Field> {
    let first = group.first()?;
    let label = if first.label == first.text { "" } else { first.label.trim() };
    let choices = group.iter().map(|e| Choice { id: Some(e.id), text: e.text.trim().to_string() }).collect();
    Some(Field { id: first.id, role: Role::Radio, label: label.to_string(), choices })
}
