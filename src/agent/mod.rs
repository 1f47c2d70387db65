//! The turn loop: from a sentence to tool calls to an answer.
//!
//! Owns the loop, the prompts, the list of possible actions, the repetition guard. It acts only through `tools/`,
//! after `policy/` said yes; it never touches the desktop itself and writes only through `record/`.

mod clauses;
mod fill;
mod options;
mod prompt;
mod repetition;
mod turn;

pub use fill::{FillError, Prepared, Summary, enter, prepare};
pub use turn::{Agent, AgentError, Outcome, RunState, decide, note, plan};
