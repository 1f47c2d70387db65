//! "May this happen?": the only room that answers it.
//!
//! Owns risk classes, the approval modes and the questions to the user. What it approves becomes an
//! [`Approved`] value, the only thing that the tools accept; nobody else can make one. It knows `scene/` and the
//! word lists, and neither hands nor eyes.

mod risk;
mod terminal;

use serde::{Deserialize, Serialize};

use crate::scene::{Element, ToolCall};

pub use risk::{Risk, risk_of};
pub use terminal::TerminalAsker;

/// How much the user wants to be asked (`--approve`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ApproveMode {
    /// Ask before what cannot be undone; without a terminal that means no.
    Ask,
    /// Ask before every step.
    Each,
    /// Allow what the sentence, the sheet or the workflow asks for.
    Always,
    /// Refuse everything that needs approval.
    Never,
}

/// Who wants an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The user's own sentence, in full.
    Sentence(String),
    /// A row of the user's sheet, entered by the user's own command.
    Sheet,
}

/// An action that waits for an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub call: ToolCall,
    /// The element it goes to, as the eyes see it.
    pub element: Option<Element>,
    pub origin: Origin,
    /// The words of the dialog that the element answers, when it stands in one.
    pub question: Option<String>,
    /// Where the picture of the target lies, for the question.
    pub picture: Option<String>,
}

/// Something that policy allowed. Only this room can make one.
#[derive(Debug, Clone, PartialEq)]
pub struct Approved<T> {
    inner: T,
    how: &'static str,
}

impl<T> Approved<T> {
    pub fn get(&self) -> &T {
        &self.inner
    }

    /// How the answer came about, for the log.
    pub fn how(&self) -> &'static str {
        self.how
    }
}

/// Why an action may not happen.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error(
        "{what} needs your approval and nobody was there to give it; run it in a terminal, or with --approve always"
    )]
    NobodyToAsk { what: String },
    #[error("{what} was refused: --approve never")]
    Never { what: String },
    #[error("you refused: {what}")]
    ByUser { what: String },
    #[error("{what} was refused: your words do not ask for it, only the screen offers it")]
    NotAskedFor { what: String },
}

/// Someone who can answer a question.
pub trait Asker {
    /// `None`: nobody answered in time, which means no.
    fn ask(&mut self, question: &str) -> Option<bool>;
}

/// The one place where "may this happen?" is answered.
pub struct Policy {
    mode: ApproveMode,
    asker: Option<Box<dyn Asker>>,
    /// The user has agreed to the whole sheet: its saves are not asked for one by one.
    sheet_granted: bool,
}

impl Policy {
    /// A policy with someone to ask, or nobody.
    pub fn new(mode: ApproveMode, asker: Option<Box<dyn Asker>>) -> Self {
        Policy { mode, asker, sheet_granted: false }
    }

    /// Allows or refuses one action.
    ///
    /// # Errors
    /// The refusal, as a sentence.
    pub fn review(&mut self, action: &Action) -> Result<Approved<ToolCall>, Refusal> {
        let risk = risk_of(action);
        let what = describe(action);
        let approved = |how| Ok(Approved { inner: action.call.clone(), how });
        match (risk, self.mode) {
            (Risk::Observe, _) => approved("observes only"),
            (Risk::Reversible, ApproveMode::Ask | ApproveMode::Always | ApproveMode::Never) => approved("reversible"),
            (Risk::Irreversible, ApproveMode::Ask)
                // (`each` still asks for every step.)
                if self.sheet_granted && action.origin == Origin::Sheet && risk::asked_for(action) =>
            {
                approved("approved for the whole sheet")
            }
            (Risk::Reversible | Risk::Irreversible | Risk::Destructive, ApproveMode::Each)
            | (Risk::Irreversible | Risk::Destructive, ApproveMode::Ask) => self.ask(action, risk, &what),
            (Risk::Irreversible | Risk::Destructive, ApproveMode::Never) => Err(Refusal::Never { what }),
            (Risk::Irreversible | Risk::Destructive, ApproveMode::Always) => {
                if risk::asked_for(action) {
                    approved("asked for by the user")
                } else {
                    Err(Refusal::NotAskedFor { what })
                }
            }
        }
    }

    /// Whether questions are asked in this mode and somebody is there to answer.
    pub fn can_ask(&self) -> bool {
        matches!(self.mode, ApproveMode::Ask | ApproveMode::Each) && self.asker.is_some()
    }

    /// Asks once whether all rows of a sheet may be entered and saved.
    ///
    /// # Errors
    /// The refusal, as a sentence.
    pub fn grant_sheet(&mut self, what: &str) -> Result<(), Refusal> {
        match self.mode {
            ApproveMode::Always => Ok(()),
            ApproveMode::Never => Err(Refusal::Never { what: what.into() }),
            ApproveMode::Ask | ApproveMode::Each => {
                let asker = self.asker.as_mut().ok_or_else(|| Refusal::NobodyToAsk { what: what.into() })?;
                match asker.ask(&format!("Deskhand wants to {what}.")) {
                    Some(true) => {
                        self.sheet_granted = true;
                        Ok(())
                    }
                    Some(false) => Err(Refusal::ByUser { what: what.into() }),
                    None => Err(Refusal::NobodyToAsk { what: what.into() }),
                }
            }
        }
    }

    fn ask(&mut self, action: &Action, risk: Risk, what: &str) -> Result<Approved<ToolCall>, Refusal> {
        let Some(asker) = self.asker.as_mut() else {
            return Err(Refusal::NobodyToAsk { what: what.into() });
        };
        let picture = action.picture.as_ref().map(|path| format!("\n  picture: {path}")).unwrap_or_default();
        match asker.ask(&format!("Deskhand wants to {what} ({}).{picture}", risk.name())) {
            Some(true) => Ok(Approved { inner: action.call.clone(), how: "approved by the user" }),
            Some(false) => Err(Refusal::ByUser { what: what.into() }),
            None => Err(Refusal::NobodyToAsk { what: what.into() }),
        }
    }
}

/// The action in words: exactly what will happen.
fn describe(action: &Action) -> String {
    let arguments: Vec<String> = action
        .call
        .arguments
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "element" | "role" | "id"))
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    let mut words = action.call.tool.replace('_', " ");
    if let Some(element) = &action.element {
        words.push_str(&format!(" the {} \"{}\"", element.role.name(), element.name()));
    }
    if !arguments.is_empty() {
        words.push_str(&format!(" [{}]", arguments.join(", ")));
    }
    words
}

#[cfg(test)]
mod tests;
