//! The class of an action: the highest of what its registration states and of what its target says.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::words::{is, norm, words};

use super::action::{Action, Origin, Target};
use super::commands::look_at;
use super::deeds::{self, Deed, deeds_in};
use super::keys;

/// What can come of an action, from harmless to never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Looks, waits, answers.
    Observe,
    /// Changes something that can be changed back.
    Reversible,
    /// Saves, submits, sends, pays, runs a program.
    Irreversible,
    /// Deletes.
    Destructive,
    /// Deletes whole trees, formats, shuts down, changes accounts or boot, runs what cannot be read. Never allowed.
    System,
}

impl Risk {
    /// Every class, from harmless to never.
    pub const ALL: [Risk; 5] = [Risk::Observe, Risk::Reversible, Risk::Irreversible, Risk::Destructive, Risk::System];

    /// The class in words, for questions and logs.
    pub fn name(self) -> &'static str {
        match self {
            Risk::Observe => "observes only",
            Risk::Reversible => "reversible",
            Risk::Irreversible => "cannot be undone",
            Risk::Destructive => "destroys something",
            Risk::System => "endangers the machine",
        }
    }

    /// The name as it stands in a rule.
    pub fn key(self) -> &'static str {
        match self {
            Risk::Observe => "observe",
            Risk::Reversible => "reversible",
            Risk::Irreversible => "irreversible",
            Risk::Destructive => "destructive",
            Risk::System => "system",
        }
    }
}

/// The class of an action.
pub fn risk_of(action: &Action) -> Risk {
    let told = match (&action.target, known_class(&action.call.tool)) {
        (Target::Command(argv), _) => look_at(argv).class,
        (_, Some(class)) => deeds_of(action).into_iter().map(Deed::risk).fold(class, Risk::max),
        // A tool that nobody has described can do anything.
        (_, None) => {
            let least = if action.declared.is_some() { Risk::Observe } else { Risk::Irreversible };
            deeds_of(action).into_iter().map(Deed::risk).fold(least, Risk::max)
        }
    };
    action.declared.map_or(told, |declared| declared.max(told))
}

/// The least class of the built-in tools.
fn known_class(tool: &str) -> Option<Risk> {
    match tool {
        "read_screen" | "wait" | "done" => Some(Risk::Observe),
        "scroll" | "type_text" | "fill_fields" | "choose" | "click" | "double_click" | "right_click"
        | "middle_click" | "drag" | "press_key" => Some(Risk::Reversible),
        _ => None,
    }
}

/// What an action does, by the words of its target, by the question it answers, or by its keys.
pub(super) fn deeds_of(action: &Action) -> Vec<Deed> {
    let mut deeds = words_deeds(action);
    if action.call.tool == "press_key" {
        deeds.extend(keys::deed(&keys::plain(action.argument("keys"))));
    }
    deeds
}

/// The deeds that stand in words somewhere, not those of the keys themselves.
fn words_deeds(action: &Action) -> Vec<Deed> {
    let mut deeds: Vec<Deed> = texts(action).iter().flat_map(|text| deeds_in(text)).collect();
    match action.call.tool.as_str() {
        "drag" if deeds::is_bin(action.argument("to")) => deeds.push(Deed::Destroy),
        // A line break is the Enter key: it submits the form or presses the default button of a dialog.
        "type_text" | "fill_fields" | "choose" if breaks_line(action) => deeds.push(Deed::Commit),
        _ => {}
    }
    deeds
}

/// The texts by which an action is judged: those on its target and those of the dialog that it answers.
pub(super) fn texts(action: &Action) -> Vec<&str> {
    let mut texts = Vec::new();
    let element = action.target.element();
    // Whether the action can press something: a button, or the default button of a dialog.
    let presses = match action.call.tool.as_str() {
        "read_screen" | "wait" | "done" | "scroll" => false,
        // Text goes into a field and presses nothing; into anything else it begins with a click.
        "type_text" | "fill_fields" | "choose" => {
            breaks_line(action) || element.is_some_and(|element| !element.role.is_field())
        }
        "press_key" => {
            let chord = keys::plain(action.argument("keys"));
            if let Some(focused) = element.filter(|focused| keys::presses(&chord) && !focused.role.is_field()) {
                texts.extend([focused.text.as_str(), focused.label.as_str()]);
            }
            texts.extend(action.target.question().filter(|_| keys::answers(&chord)));
            return texts;
        }
        _ => true,
    };
    if !presses {
        return texts;
    }
    match element {
        Some(element) => {
            texts.push(&element.text);
            // The words beside an icon say what it does; those beside a field only what it is called.
            if !element.role.is_field() {
                texts.push(&element.label);
            }
        }
        // What the eyes do not know is judged by the name that was given to it.
        None => texts.push(action.argument("element")),
    }
    texts.push(action.argument("to"));
    // "OK" says nothing by itself: what it agrees to stands in the dialog around it.
    let denies = element.is_some_and(|element| is(&words().all.answers.deny, &element.text));
    texts.extend(action.target.question().filter(|_| !denies));
    texts
}

/// Whether one of the texts to be entered has a line break.
fn breaks_line(action: &Action) -> bool {
    fn breaks(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains(['\n', '\r']),
            Value::Array(items) => items.iter().any(breaks),
            Value::Object(map) => map.values().any(breaks),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    action.call.arguments.values().any(breaks)
}

/// Whether the user's own words ask for what the action does: the sentence, the user's direct command, or a workflow,
/// which asks for its records to be saved and for nothing else. Another agent's words are not the user's.
pub(super) fn asked_for(action: &Action, class: Risk) -> bool {
    let sentence = match &action.origin {
        Origin::User => return true,
        Origin::Agent { .. } => return false,
        Origin::Workflow { .. } => {
            let saves = deeds_of(action).iter().all(|deed| *deed == Deed::Commit);
            return saves && class <= Risk::Irreversible && !matches!(action.target, Target::Command(_));
        }
        Origin::Model { sentence } => sentence,
    };
    let wanted = deeds::wanted_by(sentence);
    let in_words = words_deeds(action);
    let by_key = if action.call.tool == "press_key" { keys::deed(&keys::plain(action.argument("keys"))) } else { None };
    // Naming a key asks for what the key does, but not for what a dialog makes of it.
    let keys_wanted = by_key.is_none_or(|deed| wanted.contains(&deed) || names_keys(sentence, action.argument("keys")));
    let explained = in_words.iter().chain(&by_key).map(|deed| deed.risk()).max().unwrap_or(Risk::Observe);
    let unexplained_is_named = class <= explained || names_action(sentence, action);
    keys_wanted && unexplained_is_named && in_words.iter().all(|deed| wanted.contains(deed))
}

fn names_keys(sentence: &str, chord: &str) -> bool {
    let squeezed = |text: &str| text.to_lowercase().replace(' ', "");
    if chord.contains('+') {
        squeezed(sentence).contains(&squeezed(chord))
    } else {
        deeds::asks(&norm(sentence), &norm(chord))
    }
}

/// Whether the sentence names the tool, or the whole command, by itself.
fn names_action(sentence: &str, action: &Action) -> bool {
    let sentence = norm(sentence);
    match &action.target {
        Target::Command(argv) => deeds::asks(&sentence, &norm(&argv.join(" "))),
        Target::Nothing | Target::Element { .. } | Target::Window { .. } | Target::Path(_) => {
            let tool = &action.call.tool;
            deeds::asks(&sentence, &norm(tool)) || deeds::asks(&sentence, &norm(&tool.replace('_', " ")))
        }
    }
}
