//! What an action can do: its risk class, by the tool and by the words of its target.

use serde_json::Value;

use crate::words::{is, mentions, words};

use super::{Action, Origin};

/// What can come of an action, from harmless to not to be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Looks, waits, answers.
    Observe,
    /// Changes something that can be changed back.
    Reversible,
    /// Saves, submits, sends, pays.
    Irreversible,
    /// Deletes.
    Destructive,
}

impl Risk {
    /// The class in words, for questions and logs.
    pub fn name(self) -> &'static str {
        match self {
            Risk::Observe => "observes only",
            Risk::Reversible => "reversible",
            Risk::Irreversible => "cannot be undone",
            Risk::Destructive => "destroys something",
        }
    }
}

/// The risk class of an action.
pub fn risk_of(action: &Action) -> Risk {
    match action.call.tool.as_str() {
        "read_screen" | "wait" | "done" => Risk::Observe,
        "scroll" | "type_text" | "fill_fields" | "choose" => Risk::Reversible,
        // A key, a click, a drag, or a tool that this list does not know yet: by what it goes to.
        _ => deeds_of(action).into_iter().map(Deed::risk).max().unwrap_or(Risk::Reversible),
    }
}

/// What somebody may regret, coarse enough to be the same in every language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    /// Saves or submits a record.
    Commit,
    /// Sends, pays, publishes: leaves the machine or moves money.
    Outward,
    /// Deletes.
    Destroy,
}

impl Deed {
    fn risk(self) -> Risk {
        match self {
            Deed::Destroy => Risk::Destructive,
            Deed::Commit | Deed::Outward => Risk::Irreversible,
        }
    }
}

fn deeds_in(text: &str) -> Vec<Deed> {
    let verbs = &words().all.verbs;
    let mut deeds = Vec::new();
    if mentions(&verbs.destructive, text).is_some() {
        deeds.push(Deed::Destroy);
    }
    if let Some(word) = mentions(&verbs.irreversible, text) {
        deeds.push(if verbs.commit.iter().any(|w| w == word) { Deed::Commit } else { Deed::Outward });
    }
    deeds
}

/// What an action does, by the words of its target, by the question it answers, or by its chord.
fn deeds_of(action: &Action) -> Vec<Deed> {
    let mut deeds = Vec::new();
    if let Some(element) = &action.element {
        deeds.extend(deeds_in(&element.text));
        // "OK" says nothing by itself: what it agrees to stands in the dialog around it.
        let question = action.question.as_ref().filter(|_| !is(&words().all.answers.deny, &element.text));
        deeds.extend(question.into_iter().flat_map(|question| deeds_in(question)));
    }
    if action.call.tool == "press_key" {
        deeds.extend(chord_deed(chord(action)));
    }
    deeds
}

fn chord(action: &Action) -> &str {
    action.call.arguments.get("keys").and_then(Value::as_str).unwrap_or_default()
}

/// Chords that save, send or delete in most programs.
fn chord_deed(keys: &str) -> Option<Deed> {
    match squeezed(keys).as_str() {
        "ctrl+s" | "ctrl+shift+s" => Some(Deed::Commit),
        "ctrl+enter" | "ctrl+return" => Some(Deed::Outward),
        "delete" | "del" | "shift+delete" | "ctrl+delete" | "ctrl+d" => Some(Deed::Destroy),
        _ => None,
    }
}

fn squeezed(text: &str) -> String {
    text.to_lowercase().replace(' ', "")
}

/// Whether the user's own words ask for what the action does. A sheet asks for its rows to be saved, for nothing else.
pub(super) fn asked_for(action: &Action) -> bool {
    let wanted = match &action.origin {
        Origin::Sentence(sentence) => {
            let keys = squeezed(chord(action));
            // Naming the key is asking for it.
            if !keys.is_empty() && squeezed(sentence).contains(&keys) {
                return true;
            }
            deeds_in(sentence)
        }
        Origin::Sheet => vec![Deed::Commit],
    };
    deeds_of(action).iter().all(|deed| wanted.contains(deed))
}
