//! The task `run`: one sentence, carried out by the agent. It belongs to `deskhand run` alone: offered to a model or to
//! another agent it would be the one task that can do anything.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::agent::{Agent, RunState};
use crate::assembly::{ModelChoice, workplace};
use crate::policy::{Risk, Target};
use crate::tasks::{Ended, Exposure, Needs, Pace, State, Task, TaskSpec, Work};
use crate::tools::{CallError, Schema};

/// The task's name.
pub const RUN: &str = "run";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// What to do, in English or Chinese.
    sentence: String,
    /// Title (or a part of it) of the window to work on; without it the topmost one.
    window: Option<String>,
    /// At most so many steps.
    #[schemars(range(min = 1, max = 200))]
    max_steps: usize,
    /// A GGUF file to decide with instead of the embedded model.
    model: Option<String>,
}

pub(super) struct Run {
    spec: TaskSpec,
}

impl Run {
    pub(super) fn new() -> Result<Self, CallError> {
        Ok(Run {
            spec: TaskSpec {
                name: RUN,
                title: "Do what a sentence says on a window.",
                parameters: Schema::of::<Parameters>(RUN)?,
                needs: Needs::Screen,
                pace: Pace::Waited,
                // What each step can do is judged step by step.
                risk: Risk::Reversible,
                exposure: Exposure::Internal,
            },
        })
    }
}

impl Task for Run {
    fn spec(&self) -> &TaskSpec {
        &self.spec
    }

    fn ready(&self, parameters: &mut Map<String, Value>) -> anyhow::Result<()> {
        super::pin_window(parameters, "window")
    }

    fn target(&self, _parameters: &Map<String, Value>) -> anyhow::Result<Target> {
        Ok(Target::Nothing)
    }

    fn run(&self, work: &mut Work) -> anyhow::Result<Ended> {
        let parameters: Parameters = super::parse(&work.parameters)?;
        let choice = ModelChoice::parse(parameters.model.as_deref());
        let mut place = workplace(work, parameters.window.as_deref(), &choice)?;
        let outcome = Agent {
            executor: &mut place.executor,
            model: place.model.as_mut(),
            stop: place.stop.clone(),
            max_steps: parameters.max_steps,
        }
        .run(parameters.sentence.trim());
        let model = place.model.name().to_owned();
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) if place.stop.is_set() => {
                let message = format!("Stopped: {error}");
                return Ok(Ended { state: State::Stopped, message, data: json!({"steps": 0, "model": model}) });
            }
            Err(error) => return Err(error.into()),
        };
        let state = match outcome.state {
            RunState::Completed => State::Completed,
            RunState::Failed => State::Failed,
            RunState::Refused => State::Rejected,
            RunState::Stopped => State::Stopped,
        };
        Ok(Ended { state, message: outcome.answer, data: json!({"steps": outcome.steps, "model": model}) })
    }
}
