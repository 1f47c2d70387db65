//! The loop: look, let the model decide, act, look at what came of it; until an answer or the step limit (A1).

use serde_json::{Value, json};

use crate::desktop::StopSignal;
use crate::model::{ActionOption, ChatModel, Decision, Message, ModelError, Reply, Speaker, Turn};
use crate::policy::{Origin, Risk};
use crate::record::ModelNote;
use crate::scene::{Scene, ToolCall};
use crate::tasks::{ExecuteError, Executor, StepContext};
use crate::tools::{Effect, ToolResult, ToolState};
use crate::words::{mentions, words};
use crate::workflow::bind::fields;
use crate::workflow::pairs::split;

use super::clauses::clauses;
use super::options::{LEAST_PRIOR, options_for};
use super::prompt;
use super::repetition::{RepetitionGuard, Verdict};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    Completed,
    Failed,
    Refused,
    Stopped,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Outcome {
    pub state: RunState,
    /// The answer in words.
    pub answer: String,
    pub steps: usize,
}

/// Why a run could not even be carried on.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

/// After so many wrong calls in a row the run ends.
const MOST_WRONG_CALLS: usize = 3;

/// One sentence being carried out.
pub struct Agent<'a> {
    pub executor: &'a mut Executor,
    pub model: &'a mut dyn ChatModel,
    pub stop: StopSignal,
    pub max_steps: usize,
}

/// What the model decides on a screen for one clause; `None` when nothing on the screen is meant.
///
/// # Errors
/// When the model fails or is stopped.
pub fn decide(
    model: &mut dyn ChatModel,
    tools: Vec<crate::model::ToolDefinition>,
    messages: Vec<Message>,
    request: &str,
    scene: &Scene,
    stop: &StopSignal,
) -> Result<Option<Decision>, ModelError> {
    let options = options_for(request, scene);
    if model.chooses() && options.first().is_none_or(|best| best.prior < LEAST_PRIOR) {
        return Ok(None);
    }
    decide_among(model, tools, messages, request, options, stop).map(Some)
}

/// What the model decides among given options.
pub(super) fn decide_among(
    model: &mut dyn ChatModel,
    tools: Vec<crate::model::ToolDefinition>,
    messages: Vec<Message>,
    request: &str,
    options: Vec<ActionOption>,
    stop: &StopSignal,
) -> Result<Decision, ModelError> {
    let turn = Turn {
        messages,
        tools,
        request: request.into(),
        channel_prefix: prompt::CHANNEL_PREFIX.into(),
        channel_separator: prompt::CHANNEL_SEPARATOR.into(),
        options,
    };
    model.decide(&turn, &stop.0)
}

/// The things to do in a sentence, in order, given the fields that are on the screen.
pub fn plan(sentence: &str, scene: &Scene) -> Vec<String> {
    let values: Vec<_> =
        split(sentence, &fields(&scene.elements)).pairs.into_iter().map(|pair| pair.value_span).collect();
    clauses(sentence, &values)
}

/// A part of a sentence about fields that is neither a field, a value nor a thing to do. Where something is to be saved,
/// it must not be passed over: the record might be incomplete or wrong.
fn unclear(sentence: &str, scene: &Scene) -> Option<String> {
    mentions(&words().all.verbs.commit, sentence)?;
    let pairs = split(sentence, &fields(&scene.elements));
    if pairs.pairs.is_empty() {
        return None;
    }
    pairs.rest.into_iter().find(|rest| !rest.command).map(|rest| rest.text)
}

/// A decision as it is logged.
pub fn note(model: &str, decision: &Decision) -> ModelNote {
    ModelNote {
        name: model.into(),
        confidence: decision.confidence,
        options: decision.scores.iter().map(|score| json!(score)).collect(),
        tokens: decision.tokens,
        model_calls: decision.model_calls,
        ms: decision.ms,
    }
}

impl Agent<'_> {
    /// Carries out `sentence` on the executor's target.
    ///
    /// # Errors
    /// When the model or the record fails, or the screen could not even be looked at once. Everything that merely went
    /// wrong on the screen later is an [`Outcome`].
    pub fn run(&mut self, sentence: &str) -> Result<Outcome, AgentError> {
        let origin = Origin::Model { sentence: sentence.into() };
        let mut messages = vec![message(Speaker::System, prompt::SYSTEM), message(Speaker::User, sentence)];
        let mut guard = RepetitionGuard::default();
        let mut wrong_calls = 0;
        let mut done: Vec<String> = Vec::new();
        let mut plan: Option<Vec<String>> = None;
        let mut texts_before: Vec<String> = Vec::new();
        for step in 1..=self.max_steps {
            let view = match self.executor.observe() {
                Ok(view) => view,
                Err(error) if step == 1 && !self.stop.is_set() => return Err(error.into()),
                Err(error) => return self.ended_by(error, step),
            };
            let scene = view.scene.clone();
            messages.push(message(Speaker::User, prompt::scene_text(&view.title, &scene)));
            let plan = plan.get_or_insert_with(|| {
                texts_before = texts(&scene);
                self::plan(sentence, &scene)
            });
            let first = step == 1 && self.model.chooses();
            if first && plan.is_empty() {
                let answer = "Nothing was done: the sentence asks for nothing to be done.".to_string();
                return Ok(outcome(RunState::Completed, answer, 0));
            }
            if let Some(unclear) = first.then(|| unclear(sentence, &scene)).flatten() {
                let answer =
                    format!("\"{unclear}\" was not understood, so nothing was done. Say which field it belongs to.");
                return Ok(outcome(RunState::Failed, answer, 0));
            }
            let request = plan.get(done.len()).map_or(sentence, String::as_str);
            let tools = self.executor.registry().definitions();
            let decision = decide(self.model, tools, messages.clone(), request, &scene, &self.stop)?;
            let Some(decision) = decision else {
                return Ok(outcome(RunState::Failed, nothing_fits(request, &scene, &done), step - 1));
            };
            let note = note(self.model.name(), &decision);
            let call = match decision.reply {
                Reply::Answer(answer) => return Ok(outcome(RunState::Completed, answer, step - 1)),
                Reply::Call(call) => call,
            };
            messages.push(Message { role: Speaker::Assistant, content: String::new(), call: Some(call.clone()) });
            match guard.before(&call) {
                Verdict::Go => {}
                Verdict::Refuse => {
                    messages.push(message(Speaker::Tool, prompt::REPEATED));
                    continue;
                }
                Verdict::Halt => {
                    let answer = format!("Nothing visible came of {} and no other way was found.", in_words(&call));
                    return Ok(outcome(RunState::Failed, answer, step));
                }
            }
            let performed = match self.executor.execute(&call, &origin, StepContext { row: None, model: Some(note) }) {
                Ok(performed) => performed,
                Err(ExecuteError::Call(error)) => {
                    wrong_calls += 1;
                    if wrong_calls >= MOST_WRONG_CALLS {
                        let answer = format!("The model asked {wrong_calls} times for what is not possible: {error}");
                        return Ok(outcome(RunState::Failed, answer, step));
                    }
                    messages.push(message(Speaker::Tool, error.to_string()));
                    continue;
                }
                Err(error) => return self.ended_by(error, step),
            };
            wrong_calls = 0;
            let result = performed.result;
            guard.after(&call, result.effect, performed.risk >= Risk::Irreversible);
            if let Some(ended) = end_of_chain(&call, &result, step) {
                // A model that chooses says "done" of one clause only: what it asks for is already so.
                if call.tool != "done" || !self.model.chooses() {
                    return Ok(ended);
                }
            }
            messages.push(message(Speaker::Tool, result.message.clone()));
            if self.model.chooses() {
                if result.effect == Effect::Unchanged && call.tool == "click" && !focuses(&call, &scene) {
                    let answer = format!("{} was done, but nothing visible changed.", in_words(&call));
                    return Ok(outcome(RunState::Failed, answer, step));
                }
                done.push(result.message);
                if done.len() >= plan.len() {
                    return self.finished(&done, &texts_before, step);
                }
            }
        }
        let so_far = if done.is_empty() { String::new() } else { format!(" Done so far: {}.", done.join("; ")) };
        let answer = format!("The limit of {} steps is reached; the task may be unfinished.{so_far}", self.max_steps);
        Ok(outcome(RunState::Failed, answer, self.max_steps))
    }

    /// The answer of a model that only chooses: what was done, and what the screen says now.
    fn finished(&mut self, done: &[String], before: &[String], steps: usize) -> Result<Outcome, AgentError> {
        let mut answer = format!("Done: {}.", done.join("; "));
        // The program may have closed its window, as it was told; then there is nothing more to read.
        if let Ok(view) = self.executor.observe() {
            let news: Vec<String> =
                texts(&view.scene).into_iter().filter(|text| !before.contains(text)).take(3).collect();
            if !news.is_empty() {
                answer.push_str(&format!("\nThe screen now says: {}", news.join(" | ")));
            }
        }
        Ok(outcome(RunState::Completed, answer, steps))
    }

    fn ended_by(&self, error: ExecuteError, step: usize) -> Result<Outcome, AgentError> {
        let state = match &error {
            // Whoever stops at a question has not refused.
            ExecuteError::Refused(_) | ExecuteError::Screen(_) if self.stop.is_set() => RunState::Stopped,
            ExecuteError::Refused(_) => RunState::Refused,
            ExecuteError::Screen(_) => RunState::Failed,
            ExecuteError::Call(_) | ExecuteError::Record(_) => return Err(error.into()),
        };
        let answer = match state {
            RunState::Stopped => "Stopped.".into(),
            RunState::Completed | RunState::Failed | RunState::Refused => error.to_string(),
        };
        Ok(outcome(state, answer, step - 1))
    }
}

/// The outcome when a result ends the chain (A9), else `None`.
fn end_of_chain(call: &ToolCall, result: &ToolResult, step: usize) -> Option<Outcome> {
    let state = match result.state {
        ToolState::Completed if call.tool == "done" => RunState::Completed,
        ToolState::Completed => return None,
        ToolState::Failed | ToolState::NotFound => RunState::Failed,
        ToolState::Rejected => RunState::Refused,
        ToolState::Stopped => RunState::Stopped,
    };
    let answer = match state {
        RunState::Completed => result.message.clone(),
        RunState::Failed | RunState::Refused | RunState::Stopped => {
            format!("{} ended {}: {}", in_words(call), result.state.name(), result.message)
        }
    };
    Some(outcome(state, answer, step))
}

/// Clicking into a field that has the focus already changes nothing and is fine.
fn focuses(call: &ToolCall, scene: &Scene) -> bool {
    crate::tools::target_of(call, scene).is_some_and(|element| element.role.is_field())
}

fn nothing_fits(request: &str, scene: &Scene, done: &[String]) -> String {
    let names: Vec<&str> =
        scene.elements.iter().filter(|e| e.role.is_interactive()).map(|e| e.name()).filter(|n| !n.is_empty()).collect();
    let so_far = if done.is_empty() { String::new() } else { format!(" Done before: {}.", done.join("; ")) };
    format!("Nothing on this screen fits \"{request}\".{so_far} There are: {}.", names.join(", "))
}

fn texts(scene: &Scene) -> Vec<String> {
    scene.elements.iter().filter(|e| !e.role.is_interactive()).map(|e| e.text.clone()).collect()
}

fn in_words(call: &ToolCall) -> String {
    let arguments: Vec<String> = call
        .arguments
        .values()
        .filter(|value| !matches!(value, Value::Number(_)))
        .map(|value| value.as_str().map_or_else(|| value.to_string(), |text| format!("\"{text}\"")))
        .collect();
    format!("{} {}", call.tool, arguments.join(" "))
}

fn outcome(state: RunState, answer: String, steps: usize) -> Outcome {
    Outcome { state, answer, steps }
}

fn message(role: Speaker, content: impl Into<String>) -> Message {
    Message { role, content: content.into(), call: None }
}
