//! The one evaluation that every action passes: class, rules, mode, question.

use serde::{Deserialize, Serialize};

use super::action::{Action, Origin, Target};
use super::commands::look_at;
use super::question::{Answer, Asker, MOST_SHOWN, Memory, Question, harmless};
use super::risk::{Risk, asked_for, risk_of};
use super::rules::{Reply, Rules};

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

/// Something that policy allowed. Its fields are private and it can be neither copied, changed nor read from a file:
/// only this file makes one, after a review.
#[derive(Debug)]
pub struct Approved<T> {
    inner: T,
    class: Risk,
    how: String,
}

impl<T> Approved<T> {
    pub fn get(&self) -> &T {
        &self.inner
    }

    /// The class in which policy saw it.
    pub fn class(&self) -> Risk {
        self.class
    }

    /// How the answer came about, for the log.
    pub fn how(&self) -> &str {
        &self.how
    }
}

/// Why an action may not happen.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error(
        "{what} needs your approval and nobody was there to give it; run it in a terminal, or with --approve always"
    )]
    NobodyToAsk { what: String },
    #[error("{what} needs your approval, and no answer came in time")]
    NoAnswer { what: String },
    #[error("{what} was refused: --approve never")]
    Never { what: String },
    #[error("you refused: {what}")]
    ByUser { what: String },
    #[error("{what} was refused: your words do not ask for it, only the screen offers it")]
    NotAskedFor { what: String },
    #[error("{what} was refused: {reason}")]
    ByRule { what: String, reason: String },
    #[error("{what} is never allowed, not even with your approval: it {why}")]
    System { what: String, why: String },
}

/// The one place where "may this happen?" is answered.
pub struct Policy {
    mode: ApproveMode,
    rules: Rules,
    asker: Option<Box<dyn Asker>>,
    memory: Option<Box<dyn Memory>>,
    /// The workflow whose rows the user has agreed to: their saves are not asked for one by one.
    granted: Option<String>,
}

impl Policy {
    /// A policy with someone to ask, or nobody, and with a memory for approvals, or none.
    pub fn new(
        mode: ApproveMode,
        rules: Rules,
        asker: Option<Box<dyn Asker>>,
        memory: Option<Box<dyn Memory>>,
    ) -> Self {
        Policy { mode, rules, asker, memory, granted: None }
    }

    /// Allows or refuses one action.
    ///
    /// # Errors
    /// The refusal, as a sentence.
    pub fn review(&mut self, action: Action) -> Result<Approved<Action>, Refusal> {
        let class = risk_of(&action);
        let what = action.describe();
        if class == Risk::System {
            return Err(Refusal::System { what, why: why_never(&action) });
        }
        let decision = self.rules.decide(&action, class);
        let how = match (decision.reply, self.mode) {
            (Reply::Refuse, _) => return Err(Refusal::ByRule { what, reason: decision.reason }),
            (Reply::Allow, ApproveMode::Each) if class > Risk::Observe => self.ask(&action, class, what)?,
            (Reply::Allow, _) => decision.reason,
            (Reply::Ask, ApproveMode::Never) => return Err(Refusal::Never { what }),
            (Reply::Ask, ApproveMode::Always) if asked_for(&action, class) => "asked for by the user".into(),
            (Reply::Ask, ApproveMode::Always) => return Err(Refusal::NotAskedFor { what }),
            (Reply::Ask, ApproveMode::Ask) => match self.given(&action, class) {
                Some(how) => how,
                None => self.ask(&action, class, what)?,
            },
            // (`each` still asks for every step.)
            (Reply::Ask, ApproveMode::Each) => self.ask(&action, class, what)?,
        };
        Ok(Approved { inner: action, class, how })
    }

    /// Whether a review of this action would put a question to the user: then its picture must be there to look at.
    pub fn would_ask(&self, action: &Action) -> bool {
        let class = risk_of(action);
        let asks = match (self.rules.decide(action, class).reply, self.mode) {
            (Reply::Allow, ApproveMode::Each) => class > Risk::Observe,
            (Reply::Ask, ApproveMode::Each) => true,
            (Reply::Ask, ApproveMode::Ask) => self.given(action, class).is_none(),
            (Reply::Allow | Reply::Ask | Reply::Refuse, _) => false,
        };
        asks && self.asker.is_some()
    }

    /// Gives back whoever was lent for asking.
    pub fn into_asker(self) -> Option<Box<dyn Asker>> {
        self.asker
    }

    /// Whether questions are asked in this mode and somebody is there to answer.
    pub fn can_ask(&self) -> bool {
        matches!(self.mode, ApproveMode::Ask | ApproveMode::Each) && self.asker.is_some()
    }

    /// Asks once whether all rows of a sheet may be entered and saved; `workflow` is the id under which their actions
    /// will come.
    ///
    /// # Errors
    /// The refusal, as a sentence.
    pub fn grant_sheet(&mut self, workflow: &str, what: &str) -> Result<(), Refusal> {
        let deed = without_numbers(what);
        let what = harmless(what, usize::MAX);
        match self.mode {
            ApproveMode::Always => return Ok(()),
            ApproveMode::Never => return Err(Refusal::Never { what }),
            ApproveMode::Ask if self.recalls(workflow, &deed) => {}
            ApproveMode::Ask | ApproveMode::Each => {
                let question = Question {
                    text: format!("Deskhand wants to {what}."),
                    details: Vec::new(),
                    remember: self.can_remember().then(|| workflow.to_string()),
                };
                self.put(&question, &deed, what)?;
            }
        }
        self.granted = Some(workflow.to_string());
        Ok(())
    }

    /// An approval that the user has given before.
    fn given(&self, action: &Action, class: Risk) -> Option<String> {
        let Origin::Workflow { id } = &action.origin else { return None };
        // Deleting is asked for each time, whatever was agreed to.
        if class > Risk::Irreversible {
            return None;
        }
        if self.granted.as_ref() == Some(id) && asked_for(action, class) {
            return Some("approved for the whole sheet".into());
        }
        self.recalls(id, &action.deed(class)).then(|| "approved earlier for this workflow".into())
    }

    fn recalls(&self, workflow: &str, deed: &str) -> bool {
        self.memory.as_ref().is_some_and(|memory| memory.recalls(workflow, deed))
    }

    /// Whether an answer can be remembered at all; in `each` it would have no effect.
    fn can_remember(&self) -> bool {
        self.memory.is_some() && self.mode == ApproveMode::Ask
    }

    fn ask(&mut self, action: &Action, class: Risk, what: String) -> Result<String, Refusal> {
        let remember = match &action.origin {
            Origin::Workflow { id } if self.can_remember() && class <= Risk::Irreversible => Some(id.clone()),
            Origin::Workflow { .. } | Origin::User | Origin::Model { .. } | Origin::Agent { .. } => None,
        };
        let mut text = format!("{} wants to {what} ({}).", action.origin.title(), class.name());
        if let Some(why) = command_why(action) {
            text.push_str(&format!(" It {why}."));
        }
        let question = Question { text, details: action.details(), remember };
        self.put(&question, &action.deed(class), what)
    }

    /// Puts a question and remembers a lasting answer.
    fn put(&mut self, question: &Question, deed: &str, what: String) -> Result<String, Refusal> {
        let Some(asker) = self.asker.as_mut() else { return Err(Refusal::NobodyToAsk { what }) };
        match (asker.ask(question, &|| true), &question.remember) {
            (None, _) => Err(Refusal::NoAnswer { what }),
            (Some(Answer::No), _) => Err(Refusal::ByUser { what }),
            (Some(Answer::Always), Some(workflow)) => {
                let kept = self.memory.as_mut().map(|memory| memory.remember(workflow, deed));
                Ok(match kept {
                    Some(Err(error)) => format!("approved by the user, but it could not be remembered: {error}"),
                    Some(Ok(())) | None => "approved by the user for this workflow".into(),
                })
            }
            (Some(Answer::Yes | Answer::Always), _) => Ok("approved by the user".into()),
        }
    }
}

/// The words of a grant as it is remembered: how many rows there are makes no difference, anything else does.
fn without_numbers(what: &str) -> String {
    let parts = what.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("#")
}

fn command_why(action: &Action) -> Option<String> {
    match &action.target {
        Target::Command(argv) => look_at(argv).why,
        Target::Nothing | Target::Element { .. } | Target::Window { .. } | Target::Path(_) => None,
    }
}

fn why_never(action: &Action) -> String {
    let why = command_why(action).unwrap_or_else(|| Risk::System.name().into());
    harmless(&why, MOST_SHOWN)
}
