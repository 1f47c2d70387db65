//! The task `clear_runs`: delete the folders of finished runs. Their pictures show what stood on the user's screen.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::policy::{ResolvedPath, Risk, Target};
use crate::record;
use crate::tasks::{Ended, Exposure, Needs, Pace, State, Store, Task, TaskSpec, Work};
use crate::tools::{CallError, Schema};

use super::trouble::WrongParameter;

const NAME: &str = "clear_runs";
const DAY: u64 = 24 * 60 * 60;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Only folders of runs that ended at least so many days ago.
    #[schemars(range(max = 36500))]
    older_than_days: u64,
    /// The folder that holds the runs, as it was when the task was admitted; found out by itself.
    folder: Option<String>,
}

/// Deletes the folders of finished runs.
pub struct ClearRuns {
    spec: TaskSpec,
}

impl ClearRuns {
    pub(super) fn new() -> Result<Self, CallError> {
        Ok(ClearRuns {
            spec: TaskSpec {
                name: NAME,
                title: "Delete the folders of runs that ended some days ago, with their logs and pictures.",
                parameters: Schema::of::<Parameters>(NAME)?,
                needs: Needs::Nothing,
                pace: Pace::Waited,
                risk: Risk::Destructive,
                exposure: Exposure::Offered,
            },
        })
    }
}

/// The folder of runs, with every link resolved.
fn runs_dir() -> anyhow::Result<ResolvedPath> {
    let runs = record::default_runs_dir().context("no folder for runs was found (the user has no home folder)")?;
    Ok(ResolvedPath::resolve(&runs.to_string_lossy(), &runs)?)
}

impl Task for ClearRuns {
    fn spec(&self) -> &TaskSpec {
        &self.spec
    }

    /// The folder that the user is shown is the one that is cleared, whatever becomes of links meanwhile.
    fn ready(&self, parameters: &mut Map<String, Value>) -> anyhow::Result<()> {
        let runs = json!(runs_dir()?.to_string());
        let before = parameters.insert("folder".into(), runs.clone());
        if let Some(before) = before.filter(|before| *before != runs) {
            return Err(WrongParameter(format!("the folder of runs is {runs}, not {before}")).into());
        }
        Ok(())
    }

    fn target(&self, _parameters: &Map<String, Value>) -> anyhow::Result<Target> {
        Ok(Target::Path(runs_dir()?))
    }

    fn run(&self, work: &mut Work) -> anyhow::Result<Ended> {
        let parameters: Parameters = super::parse(&work.parameters)?;
        let age = Duration::from_secs(parameters.older_than_days.saturating_mul(DAY));
        let runs = PathBuf::from(parameters.folder.context("the folder of runs was not found out")?);
        let store = Store::open(&work.state)?;
        let mut deleted = Vec::new();
        for folder in record::finished_runs(&runs, age)? {
            if work.stop.is_set() {
                let message = format!("stopped after {} folders", deleted.len());
                return Ok(Ended { state: State::Stopped, message, data: json!({"deleted": deleted}) });
            }
            record::delete_run(&folder)?;
            store.forget_job(&folder)?;
            deleted.push(folder.display().to_string());
        }
        let message = format!("{} folders deleted from {}", deleted.len(), runs.display());
        Ok(Ended { state: State::Completed, message, data: json!({"deleted": deleted}) })
    }
}
