//! What the commands that start tasks have in common: a supervisor of this installation, Ctrl-C, the terminal, and exit
//! codes from results.

use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value};

use crate::builtin::{self, Trouble, classify};
use crate::desktop::StopSignal;
use crate::policy::{Asker, TerminalAsker};
use crate::record;
use crate::tasks::{Event, Launcher, State, Supervisor, SupervisorError, TaskRegistry, TaskResult, Wish};

use super::{Exit, progress};

/// A finished task.
pub(super) struct Outcome {
    pub result: TaskResult,
    folder: Option<String>,
}

impl Outcome {
    /// A result together with the folder that the supervisor knows for it.
    pub fn of(result: TaskResult, supervisor: &Supervisor<'_>) -> Result<Self, SupervisorError> {
        let folder = supervisor.folder(&result.execution)?.map(|folder| folder.path().display().to_string());
        Ok(Outcome { result, folder })
    }

    /// Where its files lie, when it has any.
    pub fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Whether a worker has worked on it; else the result's message is all there is to say.
    pub fn began(&self) -> bool {
        self.folder.is_some() && cause(&self.result).is_none()
    }

    /// The exit code. What never began is told on standard error.
    pub fn exit(&self) -> anyhow::Result<Exit> {
        if !self.began() && self.result.state != State::Completed {
            progress::complain(&self.result.message);
        }
        Ok(exit_code(&self.result))
    }
}

/// What kind of trouble a result speaks of.
fn cause(result: &TaskResult) -> Option<Trouble> {
    serde_json::from_value(result.data["cause"].clone()).ok()
}

/// The documented exit code of a result.
pub(super) fn exit_code(result: &TaskResult) -> Exit {
    match (cause(result), result.state) {
        (Some(trouble), _) => exit_of_trouble(trouble),
        (None, State::Running | State::Completed) => Exit::Done,
        (None, State::Failed) => Exit::Failed,
        (None, State::Rejected) => Exit::Refused,
        (None, State::Stopped) => Exit::Stopped,
        (None, State::NotFound) => Exit::Usage,
    }
}

pub(super) fn exit_of_trouble(trouble: Trouble) -> Exit {
    match trouble {
        Trouble::Failed => Exit::Failed,
        Trouble::Usage => Exit::Usage,
        Trouble::Refused => Exit::Refused,
        Trouble::Stopped => Exit::Stopped,
        Trouble::NotReady => Exit::NotReady,
    }
}

/// A path as a parameter.
///
/// # Errors
/// When its name is no text; what was named so is then told as wrong usage.
pub(super) fn path(path: &Path) -> anyhow::Result<&str> {
    let text = path.to_str();
    text.ok_or_else(|| builtin::WrongParameter(format!("{} is not valid UTF-8; rename it", path.display())).into())
}

/// Parameters without those that nobody gave.
pub(super) fn parameters(values: Value) -> Map<String, Value> {
    match values {
        Value::Object(map) => map.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
    }
}

/// The supervisor of this installation.
pub(super) fn supervisor<'a>(registry: &'a TaskRegistry, caller: &str) -> anyhow::Result<Supervisor<'a>> {
    let state = record::state_dir().ok_or(SupervisorError::NoPlace)?;
    Ok(Supervisor::open(registry, state, Launcher::this_program(), caller, classify)?)
}

/// Whoever sits at the terminal, if there is one.
pub(super) fn asker(stop: &StopSignal) -> Option<Box<dyn Asker>> {
    TerminalAsker::new(stop.0.clone()).map(|asker| Box::new(asker) as Box<dyn Asker>)
}

/// Runs a task and waits for it; Ctrl-C asks it to stop.
pub(super) fn carry_out(wish: Wish, listen: &mut dyn FnMut(&Event)) -> anyhow::Result<Outcome> {
    let stop = StopSignal::install_ctrl_c().context("the stop signal could not be set up")?;
    let registry = builtin::tasks()?;
    let mut supervisor = supervisor(&registry, "command line")?;
    let result = supervisor.run(wish, asker(&stop), &stop, listen)?;
    Ok(Outcome::of(result, &supervisor)?)
}
