//! The task `wait_for_window`: wait until a program has opened its window. For chains of tasks, in the background too.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::desktop::{Desktop, DesktopError};
use crate::policy::{Risk, Target};
use crate::tasks::{Ended, Exposure, Needs, Pace, State, Task, TaskSpec, Work};
use crate::tools::{CallError, Schema};

const NAME: &str = "wait_for_window";
/// How long one waits when nothing is said.
const SECONDS: u64 = 600;
const POLL: Duration = Duration::from_millis(200);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Title (or a part of it), class or program of the window.
    title: String,
    /// How long to wait at most.
    #[schemars(range(min = 1, max = 86400))]
    seconds: Option<u64>,
}

pub(super) struct WaitForWindow {
    spec: TaskSpec,
}

impl WaitForWindow {
    pub(super) fn new() -> Result<Self, CallError> {
        Ok(WaitForWindow {
            spec: TaskSpec {
                name: NAME,
                title: "Wait until a window is there.",
                parameters: Schema::of::<Parameters>(NAME)?,
                needs: Needs::Nothing,
                pace: Pace::Background,
                risk: Risk::Observe,
                exposure: Exposure::Offered,
            },
        })
    }
}

impl Task for WaitForWindow {
    fn spec(&self) -> &TaskSpec {
        &self.spec
    }

    fn ready(&self, _parameters: &mut Map<String, Value>) -> anyhow::Result<()> {
        Desktop::open()?;
        Ok(())
    }

    fn target(&self, _parameters: &Map<String, Value>) -> anyhow::Result<Target> {
        Ok(Target::Nothing)
    }

    fn run(&self, work: &mut Work) -> anyhow::Result<Ended> {
        let parameters: Parameters = super::parse(&work.parameters)?;
        let patience = Duration::from_secs(parameters.seconds.unwrap_or(SECONDS));
        let mut desktop = Desktop::open()?.with_stop(work.stop.clone());
        let started = Instant::now();
        loop {
            match desktop.find_window(&parameters.title) {
                Ok(window) => {
                    let message = format!("\"{}\" is there", window.title);
                    let data = json!({"window": format!("{:#x}", window.id.0), "title": window.title});
                    return Ok(Ended { state: State::Completed, message, data });
                }
                Err(DesktopError::NoWindow { open, .. }) if started.elapsed() >= patience => {
                    let message = format!(
                        "no window \"{}\" within {} s. Open windows: {open}",
                        parameters.title,
                        patience.as_secs()
                    );
                    return Ok(Ended { state: State::Failed, message, data: Value::Null });
                }
                Err(DesktopError::NoWindow { .. }) => std::thread::sleep(POLL),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
