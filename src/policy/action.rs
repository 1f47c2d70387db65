//! An action that waits for an answer: who wants it, which call it is, what it goes to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scene::{Element, ToolCall};
use crate::words::norm;

use super::paths::ResolvedPath;
use super::question::{MOST_SHOWN, harmless, quoted};
use super::risk::Risk;
use super::{deeds, keys};

/// Who wants an action, with the words that may ask for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase", deny_unknown_fields)]
pub enum Origin {
    /// The user's own direct command, e.g. `deskhand tasks run`.
    User,
    /// A model chose it while it carried out the user's sentence, which stands here in full.
    Model { sentence: String },
    /// A row of the user's sheet or a step of the user's workflow.
    Workflow { id: String },
    /// Another agent, over MCP.
    Agent { name: String },
}

/// The kinds of [`Origin`], as rules name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    User,
    Model,
    Workflow,
    Agent,
}

impl Who {
    /// Everybody who can ask.
    pub const ALL: [Who; 4] = [Who::User, Who::Model, Who::Workflow, Who::Agent];

    /// The name as it stands in a rule.
    pub fn name(self) -> &'static str {
        match self {
            Who::User => "user",
            Who::Model => "model",
            Who::Workflow => "workflow",
            Who::Agent => "agent",
        }
    }
}

impl Origin {
    /// The kind of it, as rules name it.
    pub fn who(&self) -> Who {
        match self {
            Origin::User => Who::User,
            Origin::Model { .. } => Who::Model,
            Origin::Workflow { .. } => Who::Workflow,
            Origin::Agent { .. } => Who::Agent,
        }
    }

    /// Who asks, for a question. The user and a model that works for the user are "Deskhand".
    pub(super) fn title(&self) -> String {
        match self {
            Origin::User | Origin::Model { .. } => "Deskhand".into(),
            Origin::Workflow { id } => format!("The workflow {}", quoted(id)),
            Origin::Agent { name } => format!("The agent {}", quoted(name)),
        }
    }
}

/// What an action goes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Nothing that could be looked at.
    Nothing,
    /// An element on the screen.
    Element {
        element: Element,
        /// The words of the dialog that the element answers, when it stands in one.
        question: Option<String>,
        /// Where the picture of the target lies, for the question.
        picture: Option<String>,
    },
    /// The window in front, for keys: they go to what has the focus and to the dialog's default button.
    Window {
        /// The element that was seen to have the focus.
        focused: Option<Element>,
        /// The words of the dialog that is open.
        question: Option<String>,
        picture: Option<String>,
    },
    /// A file or folder.
    Path(ResolvedPath),
    /// A program with its arguments.
    Command(Vec<String>),
}

impl Target {
    /// The element that the action goes to, as far as one is known.
    pub fn element(&self) -> Option<&Element> {
        match self {
            Target::Element { element, .. } => Some(element),
            Target::Window { focused, .. } => focused.as_ref(),
            Target::Nothing | Target::Path(_) | Target::Command(_) => None,
        }
    }

    /// The words of the dialog that the action answers.
    pub fn question(&self) -> Option<&str> {
        match self {
            Target::Element { question, .. } | Target::Window { question, .. } => question.as_deref(),
            Target::Nothing | Target::Path(_) | Target::Command(_) => None,
        }
    }

    fn picture(&self) -> Option<&str> {
        match self {
            Target::Element { picture, .. } | Target::Window { picture, .. } => picture.as_deref(),
            Target::Nothing | Target::Path(_) | Target::Command(_) => None,
        }
    }
}

/// An action that waits for an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub call: ToolCall,
    pub target: Target,
    pub origin: Origin,
    /// The class that the registration of the tool or task states. It can raise the class, never lower it.
    pub declared: Option<Risk>,
}

impl Action {
    pub(super) fn argument(&self, key: &str) -> &str {
        self.call.arguments.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// The action in words: exactly what will happen. Words from the screen are quoted and made harmless.
    pub(super) fn describe(&self) -> String {
        let mut words = harmless(&self.call.tool.replace('_', " "), MOST_SHOWN);
        match &self.target {
            Target::Element { element, .. } => {
                words.push_str(&format!(" the {} {}", element.role.name(), quoted(element.name())));
                // A label that hides other words would otherwise be all that the user sees.
                if !element.text.is_empty() && element.text != element.name() {
                    words.push_str(&format!(" ({})", quoted(&element.text)));
                }
            }
            Target::Command(argv) => {
                let program = argv.first().map(String::as_str).unwrap_or_default();
                words.push_str(&format!(": {}", quoted(program)));
            }
            Target::Nothing | Target::Window { .. } | Target::Path(_) => {}
        }
        let arguments: Vec<String> = self
            .call
            .arguments
            .iter()
            .filter(|(key, _)| !self.is_shown_elsewhere(key))
            .map(|(key, value)| format!("{}: {}", harmless(key, MOST_SHOWN), shown_value(value)))
            .collect();
        if !arguments.is_empty() {
            words.push_str(&format!(" [{}]", arguments.join(", ")));
        }
        if let Some(question) = self.target.question() {
            words.push_str(&format!(" in answer to {}", quoted(question)));
        }
        words
    }

    /// Arguments that the target already shows.
    fn is_shown_elsewhere(&self, key: &str) -> bool {
        match &self.target {
            Target::Element { .. } => matches!(key, "element" | "role" | "id"),
            Target::Command(_) => matches!(key, "program" | "arguments" | "argv" | "command"),
            Target::Nothing | Target::Window { .. } | Target::Path(_) => false,
        }
    }

    /// What a question shows beside its text, one line each: the picture, the resolved path, the full command.
    pub(super) fn details(&self) -> Vec<String> {
        let mut details = Vec::new();
        if let Some(picture) = self.target.picture() {
            details.push(format!("picture: {}", harmless(picture, usize::MAX)));
        }
        match &self.target {
            Target::Path(path) => details.push(format!("path: {}", harmless(&path.to_string(), usize::MAX))),
            // Never cut: what is cut is not approved.
            Target::Command(argv) => {
                let parts: Vec<String> = argv.iter().map(|part| shown_part(part)).collect();
                details.push(format!("command: {}", parts.join(" ")));
            }
            Target::Nothing | Target::Element { .. } | Target::Window { .. } => {}
        }
        details
    }

    /// The stable name of the deed under which an approval is remembered: class, tool, and what it goes to.
    pub(super) fn deed(&self, class: Risk) -> String {
        let mut parts = vec![class.key().to_string(), self.call.tool.clone()];
        match &self.target {
            Target::Element { element, .. } => {
                parts.push(element.role.name().into());
                parts.push(norm(&element.label));
                parts.push(norm(&element.text));
                parts.push(norm(self.argument("to")));
            }
            Target::Window { focused, .. } => {
                parts.push(keys::plain(self.argument("keys")));
                parts.push(focused.as_ref().map(|element| norm(element.name())).unwrap_or_default());
            }
            Target::Path(path) => parts.push(path.to_string()),
            Target::Command(argv) => parts.push(format!("{argv:?}")),
            // Nothing but the arguments tells one such action from another.
            Target::Nothing => parts.push(Value::Object(self.call.arguments.clone()).to_string()),
        }
        // A dialog that asks for something else is another deed; numbers and names in its text are not.
        let question = self.target.question().unwrap_or_default();
        parts.extend(deeds::risky_words(question));
        parts.retain(|part| !part.is_empty());
        parts.join("/")
    }
}

/// One argument of a command, in quotation marks where it would not be clear where it ends.
fn shown_part(part: &str) -> String {
    let clear = |c: char| c.is_alphanumeric() || "-_./\\:=,+@%~".contains(c);
    if !part.is_empty() && part.chars().all(clear) {
        part.to_string()
    } else {
        harmless(&format!("{part:?}"), usize::MAX)
    }
}

fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => harmless(&other.to_string(), MOST_SHOWN),
    }
}
