//! "May this happen?": the only room that answers it.
//!
//! Owns who may ask for what (rules), how much harm an action can do (classes), the approval modes, the questions to
//! the user, and what a path or a command line really means. What it approves becomes an [`Approved`] value, the only
//! thing that the tools accept; nobody else can make one. It knows `scene/` and the word lists, and neither hands nor
//! eyes.

mod action;
mod commands;
mod deeds;
mod keys;
mod paths;
mod question;
mod review;
mod risk;
mod rules;
mod script;
mod terminal;

pub use action::{Action, Origin, Target, Who};
pub use commands::{Command, look_at};
pub use paths::{PathRefusal, ResolvedPath};
pub use question::{Answer, Asker, Memory, Question, harmless};
pub use review::{ApproveMode, Approved, Policy, Refusal};
pub use risk::{Risk, risk_of};
pub use rules::{Reply, Rules, RulesError};
pub use terminal::TerminalAsker;

#[cfg(test)]
mod tests;
