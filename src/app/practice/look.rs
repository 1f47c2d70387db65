//! The colours and borders of the practice window. Nothing changes under the mouse, so that a picture stays a picture.

use iced::border::{self, Border};
use iced::widget::{button, checkbox, container, overlay::menu, pick_list, text_input};
use iced::{Background, Color, Shadow, Theme};

use super::form::Colours;

/// The colours of one family.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    pub window: Color,
    pub text: Color,
    pub error: Color,
    pub field: Color,
    pub field_border: Color,
    pub button: Color,
    pub button_pressed: Color,
    pub button_border: Color,
    pub header: Color,
    pub line: Color,
    pub accent: Color,
    pub accent_text: Color,
    pub radius: f32,
}

impl From<Colours> for Palette {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Classic => Self {
                window: rgb(0xD4D0C8),
                text: Color::BLACK,
                error: rgb(0xA00000),
                field: Color::WHITE,
                field_border: rgb(0x5A5A5A),
                button: rgb(0xDEDAD2),
                button_pressed: rgb(0xBDB9B0),
                button_border: rgb(0x404040),
                header: rgb(0xC4C0B8),
                line: rgb(0x9A968E),
                accent: rgb(0x0A246A),
                accent_text: Color::WHITE,
                radius: 0.0,
            },
            Colours::Flat => Self {
                window: Color::WHITE,
                text: rgb(0x202020),
                error: rgb(0xB00020),
                field: Color::WHITE,
                field_border: rgb(0x8A8A8A),
                button: rgb(0xEDEDED),
                button_pressed: rgb(0xD2D2D2),
                button_border: rgb(0x8A8A8A),
                header: rgb(0xF0F0F0),
                line: rgb(0xC8C8C8),
                accent: rgb(0x1F6FB5),
                accent_text: Color::WHITE,
                radius: 3.0,
            },
            Colours::Blue => Self {
                window: rgb(0xDCE6F4),
                text: rgb(0x14233C),
                error: rgb(0xA80F1E),
                field: rgb(0xFDFEFF),
                field_border: rgb(0x5B7DB1),
                button: rgb(0xC3D5EE),
                button_pressed: rgb(0xA5BEDF),
                button_border: rgb(0x3C5F94),
                header: rgb(0xB9CDE9),
                line: rgb(0x93ADD0),
                accent: rgb(0x25539A),
                accent_text: Color::WHITE,
                radius: 2.0,
            },
        }
    }
}

fn rgb(value: u32) -> Color {
    let [_, r, g, b] = value.to_be_bytes();
    Color::from_rgb8(r, g, b)
}

impl Palette {
    fn border(&self, color: Color, width: f32) -> Border {
        border::rounded(self.radius).color(color).width(width)
    }

    /// A text field; the focused one has the accent colour around it.
    pub fn input(self) -> impl Fn(&Theme, text_input::Status) -> text_input::Style {
        move |_, status| text_input::Style {
            background: Background::Color(self.field),
            border: match status {
                text_input::Status::Focused { .. } => self.border(self.accent, 1.0),
                text_input::Status::Active | text_input::Status::Hovered | text_input::Status::Disabled => {
                    self.border(self.field_border, 1.0)
                }
            },
            icon: self.text,
            placeholder: Color { a: 0.65, ..self.text },
            value: self.text,
            selection: Color { a: 0.35, ..self.accent },
        }
    }

    /// A push button.
    pub fn push_button(self) -> impl Fn(&Theme, button::Status) -> button::Style {
        move |_, status| button::Style {
            background: Some(Background::Color(match status {
                button::Status::Pressed => self.button_pressed,
                button::Status::Active | button::Status::Hovered | button::Status::Disabled => self.button,
            })),
            text_color: self.text,
            border: self.border(self.button_border, 1.0),
            shadow: Shadow::default(),
            snap: true,
        }
    }

    /// The closed pick list; `marked` when the keyboard is on it.
    pub fn list_box(self, marked: Marked) -> impl Fn(&Theme, pick_list::Status) -> pick_list::Style {
        move |_, _| pick_list::Style {
            text_color: self.text,
            placeholder_color: Color { a: 0.65, ..self.text },
            handle_color: self.text,
            background: Background::Color(self.field),
            border: self.mark(marked),
        }
    }

    /// The opened pick list.
    pub fn list_menu(self) -> impl Fn(&Theme) -> menu::Style {
        move |_| menu::Style {
            background: Background::Color(self.field),
            border: border::width(1.0).color(self.text),
            text_color: self.text,
            selected_text_color: self.accent_text,
            selected_background: Background::Color(self.accent),
            shadow: Shadow::default(),
        }
    }

    /// The check box; `marked` when the keyboard is on it.
    pub fn check(self, marked: Marked) -> impl Fn(&Theme, checkbox::Status) -> checkbox::Style {
        move |_, _| checkbox::Style {
            background: Background::Color(self.field),
            icon_color: self.text,
            border: self.mark(marked),
            text_color: Some(self.text),
        }
    }

    fn mark(&self, marked: Marked) -> Border {
        match marked {
            Marked::Yes => self.border(self.accent, 2.0),
            Marked::No => self.border(self.field_border, 1.0),
        }
    }

    /// A framed area: the list, the status line.
    pub fn frame(self, background: Color) -> impl Fn(&Theme) -> container::Style {
        move |_| container::Style {
            text_color: Some(self.text),
            background: Some(Background::Color(background)),
            border: border::width(1.0).color(self.field_border),
            ..container::Style::default()
        }
    }

    /// A filled area without a border: a row of the list.
    pub fn filled(self, background: Color, text: Color) -> impl Fn(&Theme) -> container::Style {
        move |_| container::Style {
            text_color: Some(text),
            background: Some(Background::Color(background)),
            ..container::Style::default()
        }
    }
}

/// Whether the keyboard is on a control that the toolkit itself cannot focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    Yes,
    No,
}
