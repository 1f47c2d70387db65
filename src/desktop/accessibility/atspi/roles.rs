//! The numbers of AT-SPI: what its roles are to a user, which states count, what has no parts worth reading.

use crate::scene::{Role, State};

/// AtspiRole as far as it matters here. The numbers are part of the protocol and never change.
pub mod role {
    pub const ALERT: u32 = 2;
    pub const COMBO_BOX: u32 = 11;
    pub const DIALOG: u32 = 16;
    pub const FILE_CHOOSER: u32 = 19;
    pub const FRAME: u32 = 23;
    pub const LIST: u32 = 31;
    pub const MENU: u32 = 33;
    pub const PASSWORD_TEXT: u32 = 40;
    pub const POPUP_MENU: u32 = 41;
    pub const SCROLL_PANE: u32 = 49;
    pub const TABLE: u32 = 55;
    pub const TEXT: u32 = 61;
    pub const TOGGLE_BUTTON: u32 = 62;
    pub const TREE: u32 = 65;
    pub const TREE_TABLE: u32 = 66;
    pub const VIEWPORT: u32 = 68;
    pub const WINDOW: u32 = 69;
    pub const LIST_BOX: u32 = 98;
}

/// AtspiStateType: the place of each state's bit.
mod bit {
    pub const CHECKED: u32 = 4;
    pub const EDITABLE: u32 = 7;
    pub const ENABLED: u32 = 8;
    pub const FOCUSED: u32 = 12;
    pub const PRESSED: u32 = 20;
    pub const SELECTED: u32 = 23;
    pub const SENSITIVE: u32 = 24;
    pub const SHOWING: u32 = 25;
}

/// The states of an object, as they travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct States(u64);

impl States {
    /// From the two words of `GetState`.
    pub fn new(words: &[u32]) -> States {
        let word = |at: usize| u64::from(words.get(at).copied().unwrap_or(0));
        States(word(0) | word(1) << 32)
    }

    fn has(self, bit: u32) -> bool {
        self.0 & (1 << bit) != 0
    }

    pub fn showing(self) -> bool {
        self.has(bit::SHOWING)
    }

    /// What a user sees of them on an element of this role.
    pub fn seen_on(self, told: u32, role: Role) -> Vec<State> {
        let mut states = Vec::new();
        if matches!(role, Role::Checkbox | Role::Radio | Role::Switch) || told == role::TOGGLE_BUTTON {
            let on = self.has(bit::CHECKED) || self.has(bit::PRESSED);
            states.push(if on { State::Checked } else { State::Unchecked });
        }
        if role.is_interactive() && !self.has(bit::ENABLED) && !self.has(bit::SENSITIVE) {
            states.push(State::Disabled);
        }
        if self.has(bit::FOCUSED) {
            states.push(State::Focused);
        }
        if self.has(bit::SELECTED) {
            states.push(State::Selected);
        }
        states
    }
}

/// What an object of this AtspiRole is to a user; `None` for what only holds others together.
pub fn role_of(told: u32, states: States) -> Option<Role> {
    Some(match told {
        // check box
        7 => Role::Checkbox,
        // check menu item, menu, menu item, radio menu item, tearoff menu item
        8 | role::MENU | 35 | 45 | 59 => Role::Menuitem,
        // column header, row header, table cell, table column header, table row header
        10 | 47 | 56 | 57 | 58 => Role::Cell,
        role::COMBO_BOX => Role::Combobox,
        // desktop icon, icon
        13 | 26 => Role::Icon,
        // dial, slider
        15 | 51 => Role::Slider,
        // image, image map
        27 | 100 => Role::Image,
        // label, status line, caption, heading, static
        29 | 81 | 83 | 116 => Role::Text,
        // list item, tree item
        32 | 91 => Role::Listitem,
        // page tab
        37 => Role::Tab,
        // button, toggle button, button with a menu
        43 | role::TOGGLE_BUTTON | 129 => Role::Button,
        // radio button
        44 => Role::Radio,
        // link
        88 => Role::Link,
        // switch
        130 => Role::Switch,
        // date editor, password, spin button, autocomplete, editbar, entry
        12 | role::PASSWORD_TEXT | 52 | 76 | 77 | 79 => Role::Textbox,
        // terminal, text, paragraph: a field when it can be written in
        60 | role::TEXT | 73 if states.has(bit::EDITABLE) => Role::Textbox,
        role::TEXT | 73 => Role::Text,
        _ => return None,
    })
}

/// Whether parts of such an element are only the way it is drawn.
pub fn is_leaf(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Icon
            | Role::Checkbox
            | Role::Radio
            | Role::Slider
            | Role::Switch
            | Role::Image
            | Role::Textbox
    )
}

/// Whether what lies outside its box is scrolled away.
pub fn clips(told: u32) -> bool {
    use role::{LIST, LIST_BOX, SCROLL_PANE, TABLE, TREE, TREE_TABLE, VIEWPORT};
    matches!(told, LIST | LIST_BOX | SCROLL_PANE | TABLE | TREE | TREE_TABLE | VIEWPORT)
}

/// Whether it is a window of its own that the user works in.
pub fn is_window(told: u32) -> bool {
    use role::{ALERT, DIALOG, FILE_CHOOSER, FRAME, WINDOW};
    matches!(told, ALERT | DIALOG | FILE_CHOOSER | FRAME | WINDOW)
}

/// Whether it is a window that belongs to another: a menu, an open list.
pub fn is_popup(told: u32) -> bool {
    use role::{MENU, POPUP_MENU, WINDOW};
    matches!(told, MENU | POPUP_MENU | WINDOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(bits: &[u32]) -> States {
        States(bits.iter().map(|bit| 1 << bit).sum())
    }

    #[test]
    fn a_text_is_a_field_only_when_it_can_be_written_in() {
        assert_eq!(role_of(role::TEXT, states(&[bit::EDITABLE])), Some(Role::Textbox));
        assert_eq!(role_of(role::TEXT, states(&[])), Some(Role::Text));
        assert_eq!(role_of(role::FRAME, states(&[])), None);
    }

    #[test]
    fn states_are_those_that_a_user_sees() {
        let on = states(&[bit::CHECKED, bit::ENABLED, bit::SENSITIVE, bit::SHOWING]);
        assert_eq!(on.seen_on(7, Role::Checkbox), [State::Checked]);
        assert_eq!(on.seen_on(43, Role::Button), []);
        assert_eq!(states(&[]).seen_on(7, Role::Checkbox), [State::Unchecked, State::Disabled]);
        assert_eq!(states(&[]).seen_on(29, Role::Text), []);
    }

    #[test]
    fn the_second_word_holds_the_upper_states() {
        assert_eq!(States::new(&[1 << bit::SHOWING, 0]), states(&[bit::SHOWING]));
        assert_eq!(States::new(&[0, 1]), states(&[32]));
        assert_eq!(States::new(&[]), States::default());
    }
}
