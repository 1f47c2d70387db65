//! What kind of trouble an error is: whether the machine was not ready, something was named wrongly, or the work failed.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::agent::{AgentError, FillError};
use crate::desktop::DesktopError;
use crate::model::ModelError;
use crate::payload::PayloadError;
use crate::policy::RulesError;
use crate::tasks::{Ended, ExecuteError, State, SupervisorError, WrongParameters};
use crate::vision::VisionError;
use crate::workflow::entry::EntryError;
use crate::workflow::sheet::SheetError;

/// Kinds of trouble, as a program that called us can tell them apart. Stands in the result's data as `cause`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    Failed,
    /// Something was named or written wrongly; nothing has been tried yet.
    Usage,
    Refused,
    Stopped,
    /// No display, no permission, no model.
    NotReady,
}

/// An error that a task found in its parameters.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongParameter(pub String);

/// How an error is told as the end of an execution.
pub fn classify(error: &anyhow::Error) -> Ended {
    let trouble = trouble_of(error);
    let state = match trouble {
        Trouble::Failed | Trouble::NotReady => State::Failed,
        Trouble::Usage | Trouble::Refused => State::Rejected,
        Trouble::Stopped => State::Stopped,
    };
    Ended { state, message: format!("{error:#}"), data: json!({"cause": trouble}) }
}

/// Why the screen could not be looked at, where the work ended with that.
fn screen_error<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e anyhow::Error> {
    let execute = match (cause.downcast_ref::<AgentError>(), cause.downcast_ref::<FillError>()) {
        (Some(AgentError::Execute(e)), _) => Some(e),
        (_, Some(FillError::Execute(e) | FillError::Entry(EntryError::Execute(e)))) => Some(e),
        _ => cause.downcast_ref::<ExecuteError>(),
    };
    match execute {
        Some(ExecuteError::Screen(error)) => Some(error),
        _ => None,
    }
}

/// The kind of an error, by its type wherever it stands in the chain.
pub fn trouble_of(error: &anyhow::Error) -> Trouble {
    for cause in error.chain() {
        if let Some(e) = screen_error(cause) {
            return trouble_of(e);
        }
        if let Some(e) = cause.downcast_ref::<DesktopError>() {
            return match e {
                DesktopError::NoDisplay(_)
                | DesktopError::Missing(_)
                | DesktopError::MoreRights(_)
                | DesktopError::Untrue { .. } => Trouble::NotReady,
                DesktopError::Stopped => Trouble::Stopped,
                _ => Trouble::Failed,
            };
        }
        if let Some(e) = cause.downcast_ref::<ModelError>() {
            return match e {
                ModelError::File { .. } => Trouble::NotReady,
                ModelError::Stopped => Trouble::Stopped,
                ModelError::Run(_) | ModelError::Grammar(_) => Trouble::Failed,
            };
        }
        if let Some(e) = cause.downcast_ref::<VisionError>() {
            return match e {
                VisionError::Runtime(_) | VisionError::Network { .. } => Trouble::NotReady,
                VisionError::Run(_) => Trouble::Failed,
            };
        }
        if cause.is::<PayloadError>() {
            return Trouble::NotReady;
        }
        // A sheet that cannot be read was named wrongly; nothing has been tried yet.
        if cause.is::<SheetError>() || cause.is::<WrongParameter>() || cause.is::<WrongParameters>() {
            return Trouble::Usage;
        }
        // What nobody understands allows nothing.
        if cause.is::<RulesError>() {
            return Trouble::Refused;
        }
        if let Some(e) = cause.downcast_ref::<SupervisorError>() {
            return match e {
                SupervisorError::Rules(_) => Trouble::Refused,
                SupervisorError::NoPlace | SupervisorError::Store(_) | SupervisorError::Start(_) => Trouble::NotReady,
                SupervisorError::Record(_) | SupervisorError::NotWaiting(_) => Trouble::Failed,
            };
        }
    }
    Trouble::Failed
}
