//! The trust boundary between those who propose and the machine: what may be started, by whom, in which process, and
//! how it ends.
//!
//! Owns two ways in which anything is done. A *task* runs in a worker process of its own: the supervisor checks it,
//! starts the worker, hears it and makes sure of a final state; the automation lock gives the screen to one worker at a
//! time. A *call* of a tool inside a worker goes through the `Executor`: check, ask policy, act, record. It knows
//! `tools/`, `policy/` and `record/`; it neither chooses actions nor knows what the tasks do.

mod drive;
mod executor;
mod forget;
mod lock;
mod process;
mod protocol;
mod spawn;
mod spec;
mod state;
mod store;
mod supervisor;
mod worker;

use std::path::Path;

use crate::policy::{Rules, RulesError};

pub use executor::{ExecuteError, Executor, Performed, StepContext, StepReport};
pub use forget::{Kept, forget_installation};
pub use lock::{AutomationLock, LockError, Owner};
pub use process::{EXECUTION_VARIABLE, ProcessId, clear_tree};
pub use protocol::{Event, Line, PROTOCOL};
pub use spawn::Launcher;
pub use spec::{Door, Ended, Exposure, Needs, Pace, Task, TaskRegistry, TaskSpec};
pub use state::{State, TaskResult};
pub use store::{Approval, Job, Store, StoreError};
pub use supervisor::{Supervisor, SupervisorError, Wish, WrongParameters};
pub use worker::{Work, WorkerError, Workplace, serve};

#[cfg(all(test, target_os = "linux"))]
mod tests;

/// What is said to whoever wants a destructive task without confirming it.
fn needs_confirmation(task: &str) -> String {
    format!("{task} destroys something: it runs only with confirmed=true and the user's own yes")
}

/// The rules of this installation: the user's file in its state folder, followed by the defaults.
///
/// # Errors
/// When there is a file and it cannot be understood. Nobody may act then.
pub fn user_rules(state: &Path) -> Result<Rules, RulesError> {
    Rules::read(&state.join("policy.toml"))
}
