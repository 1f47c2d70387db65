//! The tasks that Deskhand comes with, one file each: what they take, when they can begin, what they do in the worker.
//!
//! Owns the list of them and how their errors are told. It sits above `agent/` and `workflow/`, which do the work; the
//! command line and later the window start these tasks and know nothing else about them.

mod clear_runs;
mod fill;
mod run;
mod trouble;
mod wait_for_window;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::desktop::Desktop;
use crate::tasks::{Task, TaskRegistry};
use crate::tools::CallError;

pub use clear_runs::ClearRuns;
pub use fill::{FILL, HOW, Mapping};
pub use run::RUN;
pub use trouble::{Trouble, WrongParameter, classify, trouble_of};

/// All built-in tasks.
///
/// # Errors
/// When the parameters of one make no usable schema.
pub fn tasks() -> Result<TaskRegistry, CallError> {
    let tasks: Vec<Box<dyn Task>> = vec![
        Box::new(fill::Fill::new()?),
        Box::new(run::Run::new()?),
        Box::new(wait_for_window::WaitForWindow::new()?),
        Box::new(clear_runs::ClearRuns::new()?),
    ];
    Ok(TaskRegistry::new(tasks))
}

/// The parameters in their own type. They were checked against the schema that was made from that type.
fn parse<P: DeserializeOwned>(parameters: &Map<String, Value>) -> anyhow::Result<P> {
    Ok(serde_json::from_value(Value::Object(parameters.clone()))?)
}

/// Finds the window that is meant and puts its number in place of its title: from here on it is that one.
fn pin_window(parameters: &mut Map<String, Value>, key: &str) -> anyhow::Result<()> {
    let title = parameters.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut desktop = Desktop::open()?;
    let window = crate::assembly::target(&mut desktop, title.as_deref())?;
    parameters.insert(key.into(), Value::String(format!("{:#x}", window.0)));
    Ok(())
}
