//! The names of keys, the same on every system, and how a chord such as `ctrl+shift+s` is read.

use std::fmt;

use super::{DesktopError, Result};

/// A key of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// The key that carries this character; letters in lower case.
    Char(char),
    /// F1 to F24.
    Function(u8),
    Ctrl,
    Shift,
    Alt,
    AltGr,
    Super,
    Enter,
    Tab,
    Escape,
    Space,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    Menu,
    PrintScreen,
    CapsLock,
}

/// Each named key with the name we print and the other names people use for it.
const NAMED: [(Key, &str, &[&str]); 23] = [
    (Key::Ctrl, "ctrl", &["control", "ctl", "strg"]),
    (Key::Shift, "shift", &[]),
    (Key::Alt, "alt", &["option"]),
    (Key::AltGr, "altgr", &["isolevel3shift"]),
    (Key::Super, "super", &["win", "windows", "cmd", "command", "meta"]),
    (Key::Enter, "enter", &["return"]),
    (Key::Tab, "tab", &["tabulator"]),
    (Key::Escape, "esc", &["escape"]),
    (Key::Space, "space", &["spacebar", "blank"]),
    (Key::Backspace, "backspace", &["back"]),
    (Key::Delete, "delete", &["del"]),
    (Key::Insert, "insert", &["ins"]),
    (Key::Home, "home", &["pos1"]),
    (Key::End, "end", &[]),
    (Key::PageUp, "pageup", &["pgup", "prior"]),
    (Key::PageDown, "pagedown", &["pgdn", "pgdown", "next"]),
    (Key::Up, "up", &["arrowup", "uparrow"]),
    (Key::Down, "down", &["arrowdown", "downarrow"]),
    (Key::Left, "left", &["arrowleft", "leftarrow"]),
    (Key::Right, "right", &["arrowright", "rightarrow"]),
    (Key::Menu, "menu", &["apps", "contextmenu"]),
    (Key::PrintScreen, "printscreen", &["print", "prtsc", "sysrq"]),
    (Key::CapsLock, "capslock", &["caps"]),
];

/// Names of characters that would be awkward to write in a chord.
const SPELLED: [(&str, char); 10] = [
    ("plus", '+'),
    ("minus", '-'),
    ("comma", ','),
    ("period", '.'),
    ("dot", '.'),
    ("slash", '/'),
    ("backslash", '\\'),
    ("semicolon", ';'),
    ("equal", '='),
    ("equals", '='),
];

impl Key {
    /// The key of this name, in any case: `ctrl`, `Control`, `F5`, `page_up`, `a`, `+`.
    ///
    /// # Errors
    /// [`DesktopError::UnknownKey`], which lists the known names.
    pub fn parse(name: &str) -> Result<Key> {
        let mut characters = name.chars();
        if let (Some(only), None) = (characters.next(), characters.next()) {
            if only == ' ' {
                return Ok(Key::Space);
            }
            if !only.is_control() {
                return Ok(Key::Char(lower(only)));
            }
        }
        let plain: String =
            name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect();
        let named = NAMED.iter().find(|(_, known, aliases)| *known == plain || aliases.contains(&plain.as_str()));
        if let Some((key, _, _)) = named {
            return Ok(*key);
        }
        if let Some((_, character)) = SPELLED.iter().find(|(known, _)| *known == plain) {
            return Ok(Key::Char(*character));
        }
        let number = plain.strip_prefix('f').and_then(|digits| digits.parse::<u8>().ok());
        match number {
            Some(number @ 1..=24) => Ok(Key::Function(number)),
            Some(_) | None => Err(DesktopError::UnknownKey { name: name.to_owned(), known: known_keys() }),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Char(c) => write!(f, "{c}"),
            Key::Function(number) => write!(f, "f{number}"),
            key => {
                let name = NAMED.iter().find(|(named, _, _)| named == key).map_or("", |(_, name, _)| *name);
                f.write_str(name)
            }
        }
    }
}

/// All key names in one line, for error messages and help.
pub fn known_keys() -> String {
    let mut names: Vec<&str> = NAMED.iter().map(|(_, name, _)| *name).collect();
    names.push("f1 to f24");
    names.push("any single character");
    names.join(", ")
}

/// The keys of a chord such as `ctrl+s`, `Ctrl+Shift+F5`, `enter` or `ctrl++`, in the order they go down.
///
/// # Errors
/// [`DesktopError::UnknownKey`] for a part that is no key, also for an empty one.
pub fn parse_chord(chord: &str) -> Result<Vec<Key>> {
    let trimmed = chord.trim();
    // A plus at the end is the key itself: "+" and "ctrl++".
    let (front, last) = match trimmed.strip_suffix('+') {
        Some("") => ("", Some("+")),
        Some(rest) => match rest.strip_suffix('+') {
            Some(front) => (front, Some("+")),
            None => (trimmed, None),
        },
        None => (trimmed, None),
    };
    let mut keys = Vec::new();
    if !(front.is_empty() && last.is_some()) {
        for part in front.split('+') {
            keys.push(Key::parse(part.trim())?);
        }
    }
    if let Some(plus) = last {
        keys.push(Key::parse(plus)?);
    }
    Ok(keys)
}

/// The lower-case form where it is a single character.
fn lower(c: char) -> char {
    let mut lowered = c.to_lowercase();
    match (lowered.next(), lowered.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_in_any_case_name_the_same_key() {
        for (names, key) in [
            (&["enter", "Enter", "Return", "RETURN"][..], Key::Enter),
            (&["ctrl", "Control", "CTRL"], Key::Ctrl),
            (&["esc", "Escape"], Key::Escape),
            (&["pageup", "Page_Up", "PgUp", "page up"], Key::PageUp),
            (&["f1", "F1"], Key::Function(1)),
            (&["f24"], Key::Function(24)),
            (&["a", "A"], Key::Char('a')),
            (&["space", " "], Key::Space),
            (&["ü"], Key::Char('ü')),
        ] {
            for name in names {
                assert_eq!(Key::parse(name).unwrap(), key, "{name}");
            }
        }
    }

    #[test]
    fn every_key_is_found_again_under_the_name_it_prints() {
        for (key, _, _) in NAMED {
            assert_eq!(Key::parse(&key.to_string()).unwrap(), key);
        }
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_known_ones() {
        for name in ["f25", "f0", "hyper", "", "ctrll"] {
            match Key::parse(name) {
                Err(DesktopError::UnknownKey { known, .. }) => {
                    assert!(known.contains("ctrl") && known.contains("pagedown") && known.contains("f1 to f24"));
                }
                other => panic!("{name:?} gave {other:?}"),
            }
        }
    }

    #[test]
    fn chords_are_read_in_order_and_a_plus_can_be_their_key() {
        assert_eq!(parse_chord("ctrl+s").unwrap(), [Key::Ctrl, Key::Char('s')]);
        assert_eq!(parse_chord(" Ctrl + Shift + F5 ").unwrap(), [Key::Ctrl, Key::Shift, Key::Function(5)]);
        assert_eq!(parse_chord("ctrl++").unwrap(), [Key::Ctrl, Key::Char('+')]);
        assert_eq!(parse_chord("+").unwrap(), [Key::Char('+')]);
        assert_eq!(parse_chord("tab").unwrap(), [Key::Tab]);
        assert!(parse_chord("ctrl+").is_err());
        assert!(parse_chord("").is_err());
        assert!(parse_chord("ctrl+nothing").is_err());
    }
}
