//! What the eyes found: numbered elements with role, text, label, value and state.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CaptureId, ImagePoint, ImageRect};

/// What an element is for a user. The names are part of the command line's contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Button,
    Icon,
    Link,
    Textbox,
    Combobox,
    Checkbox,
    Radio,
    Tab,
    Menuitem,
    Listitem,
    Cell,
    Slider,
    Switch,
    Text,
    Image,
    Window,
}

impl Role {
    /// Every role, in the order of the contract.
    pub const ALL: [Role; 16] = [
        Role::Button,
        Role::Icon,
        Role::Link,
        Role::Textbox,
        Role::Combobox,
        Role::Checkbox,
        Role::Radio,
        Role::Tab,
        Role::Menuitem,
        Role::Listitem,
        Role::Cell,
        Role::Slider,
        Role::Switch,
        Role::Text,
        Role::Image,
        Role::Window,
    ];

    /// The role's name as printed and as the model reads it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Button => "button",
            Role::Icon => "icon",
            Role::Link => "link",
            Role::Textbox => "textbox",
            Role::Combobox => "combobox",
            Role::Checkbox => "checkbox",
            Role::Radio => "radio",
            Role::Tab => "tab",
            Role::Menuitem => "menuitem",
            Role::Listitem => "listitem",
            Role::Cell => "cell",
            Role::Slider => "slider",
            Role::Switch => "switch",
            Role::Text => "text",
            Role::Image => "image",
            Role::Window => "window",
        }
    }

    /// Whether text can be put into it (by typing or by choosing).
    pub fn is_field(self) -> bool {
        matches!(self, Role::Textbox | Role::Combobox | Role::Checkbox | Role::Radio | Role::Switch)
    }

    /// Whether words stand in it that are not its name.
    pub fn holds_text(self) -> bool {
        matches!(self, Role::Textbox | Role::Combobox)
    }

    /// Whether what it is called stands beside it, not in it.
    pub fn is_named_beside(self) -> bool {
        self.holds_text() || self == Role::Slider
    }

    /// Whether a click on it is meant to do something.
    pub fn is_interactive(self) -> bool {
        !matches!(self, Role::Text | Role::Image | Role::Window | Role::Cell)
    }
}

/// A state that can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Checked,
    Unchecked,
    Disabled,
    Focused,
    Selected,
}

impl State {
    /// The state's name as printed.
    pub fn name(self) -> &'static str {
        match self {
            State::Checked => "checked",
            State::Unchecked => "unchecked",
            State::Disabled => "disabled",
            State::Focused => "focused",
            State::Selected => "selected",
        }
    }
}

/// Who says that the element is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Read as text.
    Ocr,
    /// Found as a drawn shape (rectangle, square, circle).
    #[default]
    Shape,
    /// Found by the detector network.
    Detector,
    /// Told by the accessibility tree.
    Accessibility,
}

/// One thing on the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// Number within its scene: from 1 in reading order after a single look, kept from look to look in a session.
    pub id: u32,
    pub role: Role,
    /// The words seen in it (of a checkbox or radio: the words beside it); empty when none.
    #[serde(default)]
    pub text: String,
    /// What a person calls a field: the words left of it, above it, its placeholder; empty when none.
    #[serde(default)]
    pub label: String,
    /// The question that a radio button is one of the answers to: the title of its group; empty when none is seen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// What stands in a textbox or combobox; `Some("")` when it is empty, `None` for other roles.
    #[serde(default)]
    pub value: Option<String>,
    #[serde(default)]
    pub state: Vec<State>,
    /// Box in pixels of the capture; `[x0, y0, x1, y1]` in JSON.
    #[serde(default = "empty_box", serialize_with = "box_out", deserialize_with = "box_in")]
    pub bbox: ImageRect,
    #[serde(default = "one")]
    pub confidence: f32,
    #[serde(default)]
    pub source: Source,
}

impl Element {
    /// What a person would call the element: the label of a field, else its text.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.text } else { &self.label }
    }

    /// Where to click it: the middle; of a checkbox or radio the square at its left end, where a click always counts.
    pub fn click_point(&self) -> ImagePoint {
        let middle = self.bbox.center();
        match self.role {
            Role::Checkbox | Role::Radio if self.bbox.width() > 2 * self.bbox.height() => {
                ImagePoint::new(self.bbox.min.x + (self.bbox.height() / 2).min(8), middle.y)
            }
            _ => middle,
        }
    }

    pub fn is(&self, state: State) -> bool {
        self.state.contains(&state)
    }
}

/// One readable line: `3 textbox "Quantity" = "12"`, `7 checkbox "Urgent" [checked]`.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} \"{}\"", self.id, self.role.name(), self.name())?;
        if let Some(value) = &self.value {
            write!(f, " = \"{value}\"")?;
        }
        if !self.state.is_empty() {
            let states: Vec<_> = self.state.iter().map(|s| s.name()).collect();
            write!(f, " [{}]", states.join(", "))?;
        }
        Ok(())
    }
}

/// All elements of one capture.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub capture: CaptureId,
    pub width: u32,
    pub height: u32,
    pub elements: Vec<Element>,
}

impl Scene {
    /// The element with this number.
    pub fn get(&self, id: u32) -> Option<&Element> {
        self.elements.iter().find(|e| e.id == id)
    }
}

fn one() -> f32 {
    1.0
}

fn empty_box() -> ImageRect {
    ImageRect::zero()
}

fn box_out<S: Serializer>(b: &ImageRect, s: S) -> Result<S::Ok, S::Error> {
    [b.min.x, b.min.y, b.max.x, b.max.y].serialize(s)
}

fn box_in<'de, D: Deserializer<'de>>(d: D) -> Result<ImageRect, D::Error> {
    let [x0, y0, x1, y1] = <[i32; 4]>::deserialize(d)?;
    Ok(ImageRect::new(ImagePoint::new(x0, y0), ImagePoint::new(x1, y1)))
}
