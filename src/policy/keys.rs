//! What a chord does in most programs, whatever way it is spelt. The lists are data (`assets/policy/keys.toml`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::deeds::Deed;

const TEXT: &str = include_str!("../../assets/policy/keys.toml");
const MODIFIERS: [&str; 4] = ["alt", "ctrl", "shift", "super"];

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    commit: Vec<String>,
    outward: Vec<String>,
    destroy: Vec<String>,
    quiet: Vec<String>,
    press: Vec<String>,
    names: BTreeMap<String, String>,
}

// The text is embedded and a test parses it, so the default is never reached.
static KEYS: LazyLock<Keys> = LazyLock::new(|| toml::from_str(TEXT).unwrap_or_default());

/// The chord in one spelling: lower case, known names, modifiers first and in alphabetical order.
pub(super) fn plain(chord: &str) -> String {
    let chord = chord.trim();
    let (front, plus) = match chord.strip_suffix('+') {
        Some(front) => (front.strip_suffix('+').unwrap_or(front), Some("plus".to_string())),
        None => (chord, None),
    };
    let name = |part: &str| -> String {
        let bare: String =
            part.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect();
        // A blank alone is the space bar, as the hands read it.
        let bare = if bare.is_empty() && part.contains(' ') { "space".into() } else { bare };
        KEYS.names.get(&bare).cloned().unwrap_or(bare)
    };
    let parts = front.split('+').map(name).chain(plus).filter(|part| !part.is_empty());
    let (mut modifiers, keys): (Vec<String>, Vec<String>) = parts.partition(|part| MODIFIERS.contains(&part.as_str()));
    modifiers.sort();
    modifiers.dedup();
    modifiers.extend(keys);
    modifiers.join("+")
}

/// What the chord does by itself.
pub(super) fn deed(chord: &str) -> Option<Deed> {
    let has = |list: &[String]| list.iter().any(|known| *known == chord);
    if has(&KEYS.destroy) {
        Some(Deed::Destroy)
    } else if has(&KEYS.outward) {
        Some(Deed::Outward)
    } else if has(&KEYS.commit) {
        Some(Deed::Commit)
    } else {
        None
    }
}

/// Whether the chord can press a button of an open dialog: its default button, or one by its letter.
pub(super) fn answers(chord: &str) -> bool {
    !KEYS.quiet.iter().any(|known| known == chord)
}

/// Whether the chord presses the button that has the focus.
pub(super) fn presses(chord: &str) -> bool {
    KEYS.press.iter().any(|known| known == chord)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_read_and_are_in_their_own_spelling() {
        let keys: Keys = toml::from_str(TEXT).expect("keys.toml");
        for chord in [keys.commit, keys.outward, keys.destroy, keys.quiet, keys.press].concat() {
            assert_eq!(plain(&chord), chord);
        }
    }

    #[test]
    fn a_chord_is_the_same_in_every_spelling() {
        for (spelt, chord) in [
            ("Ctrl+S", "ctrl+s"),
            ("control + s", "ctrl+s"),
            ("Strg+S", "ctrl+s"),
            ("shift+CTL+s", "ctrl+shift+s"),
            ("Del", "delete"),
            ("Return", "enter"),
            ("page_up", "pageup"),
            ("ctrl++", "ctrl+plus"),
            ("+", "plus"),
            (" ", ""),
        ] {
            assert_eq!(plain(spelt), chord, "{spelt}");
        }
    }
}
