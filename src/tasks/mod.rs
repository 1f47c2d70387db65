//! Between those who propose actions (`agent/`, `workflow/`) and the tools that carry them out.
//!
//! Owns the one way in which anything is done: check the call, ask policy, act, record. It knows `tools/`, `policy/`
//! and `record/`; it does not choose actions.

mod executor;

pub use executor::{ExecuteError, Executor, Performed, StepContext, StepReport};
