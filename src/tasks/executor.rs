//! Check, ask, act, record: the one way in which an action happens.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::policy::{Action, Origin, Policy, Refusal, Risk, Target};
use crate::record::{Diary, ModelNote, RecordError, Step};
use crate::scene::{Element, State as ElementState, ToolCall, WindowId};
use crate::tools::{CallError, Effect, Registry, ToolResult, ToolState, View, Workbench};
use crate::words::{mentions, words as word_lists};

/// Why a call did not run at all.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// The call is wrong; the text goes back to the model.
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The screen could not be looked at.
    #[error("{0:#}")]
    Screen(anyhow::Error),
}

/// What belongs to a step beside the call itself.
#[derive(Debug, Clone, Default)]
pub struct StepContext {
    /// The row of the sheet that is being entered.
    pub row: Option<usize>,
    /// What the model said when it chose this call.
    pub model: Option<ModelNote>,
}

/// A call that was carried out.
#[derive(Debug, Clone)]
pub struct Performed {
    pub result: ToolResult,
    /// The class in which policy saw it.
    pub risk: Risk,
}

/// A finished step, for whoever shows progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    pub step: usize,
    pub row: Option<usize>,
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub state: ToolState,
    pub effect: Effect,
    pub message: String,
    pub ms: u64,
}

type Listener = Box<dyn FnMut(&StepReport)>;

/// Carries out calls, one at a time.
pub struct Executor {
    bench: Workbench,
    record: Diary,
    registry: Registry,
    policy: Policy,
    listener: Listener,
}

impl Executor {
    /// An executor that tells `listener` about every finished step.
    pub fn new(bench: Workbench, registry: Registry, policy: Policy, record: Diary, listener: Listener) -> Self {
        Executor { bench, record, registry, policy, listener }
    }

    /// The window that is worked on.
    pub fn target(&self) -> WindowId {
        self.bench.target()
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Looks at the target with fresh eyes.
    pub fn observe(&mut self) -> Result<&View, ExecuteError> {
        self.bench.observe().map_err(ExecuteError::Screen)
    }

    /// Runs one call: checked against its schema and the screen, reviewed by policy, carried out, recorded.
    ///
    /// # Errors
    /// When the call is wrong or refused; then nothing has happened on the screen. What went wrong while acting is
    /// in the result's state.
    pub fn execute(
        &mut self,
        call: &ToolCall,
        origin: &Origin,
        context: StepContext,
    ) -> Result<Performed, ExecuteError> {
        let started = Instant::now();
        if self.bench.view().is_none() {
            self.observe()?;
        }
        let (element, question, before) = match self.bench.view() {
            Some(view) => {
                self.registry.check(call, &view.scene)?;
                let element = crate::tools::target_of(call, &view.scene).cloned();
                (element, self.question_of(view), Some(view.capture.image.clone()))
            }
            None => (None, None, None),
        };
        let before = before.map(|image| self.record.picture("before", &image)).transpose()?;
        let picture = before.as_ref().map(|name| self.record.path().join(name).display().to_string());
        let target = match element.clone() {
            Some(element) => Target::Element { element, question, picture },
            None => Target::Window { focused: self.focused(), question, picture },
        };
        let action = Action { call: call.clone(), target, origin: origin.clone(), declared: None };
        if self.policy.would_ask(&action) {
            // The question shows the picture, so it must be there.
            self.record.flush()?;
        }
        let approved = match self.policy.review(action) {
            Ok(approved) => approved,
            Err(refusal) => {
                let result = ToolResult {
                    state: ToolState::Rejected,
                    effect: Effect::Unchanged,
                    ..ToolResult::failed(refusal.to_string())
                };
                let done = Done {
                    element,
                    context,
                    approval: "refused".into(),
                    before,
                    after: None,
                    started,
                    acted: Duration::ZERO,
                };
                self.finish(call, &result, done)?;
                return Err(refusal.into());
            }
        };
        let acting = Instant::now();
        let result = self.registry.run(&mut self.bench, &approved);
        let acted = acting.elapsed();
        let after = self.bench.picture().map(|image| self.record.picture("after", &image)).transpose()?;
        let done = Done { element, context, approval: approved.how().into(), before, after, started, acted };
        self.finish(call, &result, done)?;
        Ok(Performed { result, risk: approved.class() })
    }

    /// Asks once for a whole sheet to be entered and saved row by row.
    pub fn grant_sheet(&mut self, workflow: &str, what: &str) -> Result<(), Refusal> {
        self.policy.grant_sheet(workflow, what)
    }

    /// Whether a question would be asked and could be answered.
    pub fn can_ask(&self) -> bool {
        self.policy.can_ask()
    }

    /// Writes a choice that was made without acting into the log, with the model's scores.
    pub fn remember(
        &mut self,
        choice: &str,
        element: &Element,
        model: ModelNote,
        data: serde_json::Value,
    ) -> Result<(), RecordError> {
        let ms = model.ms;
        self.record.log(Step {
            tool: choice.into(),
            element: Some(element.clone()),
            model: Some(model),
            approval: "observes only".into(),
            state: ToolState::Completed.name().into(),
            effect: Effect::Unchanged.name().into(),
            data,
            ms,
            ..Step::default()
        })
    }

    /// The element that was seen to have the focus: keys go to it.
    fn focused(&self) -> Option<Element> {
        let view = self.bench.view()?;
        view.scene.elements.iter().find(|element| element.is(ElementState::Focused)).cloned()
    }

    /// The words of the dialog in front of the target, when one is there that leaves a choice: what a click in it answers.
    /// A notice with a single button ("Order 12 saved and printed", OK) asks nothing.
    fn question_of(&self, view: &View) -> Option<String> {
        if view.window == self.bench.target() {
            return None;
        }
        let text = |wanted: bool| {
            view.scene.elements.iter().filter(move |e| e.role.is_interactive() == wanted).map(|e| e.text.as_str())
        };
        let words = text(false).collect::<Vec<_>>().join(" ");
        let asks = words.contains(['?', '？']) || mentions(&word_lists().all.answers.asks, &words).is_some();
        (asks || text(true).count() != 1).then_some(words)
    }

    fn finish(&mut self, call: &ToolCall, result: &ToolResult, done: Done) -> Result<(), RecordError> {
        let took = done.started.elapsed();
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let boundary = took.saturating_sub(done.acted);
        let step = self.record.next_step();
        let row = done.context.row;
        self.record.log(Step {
            row,
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            element: done.element,
            model: done.context.model,
            approval: done.approval,
            state: result.state.name().into(),
            message: result.message.clone(),
            effect: result.effect.name().into(),
            data: result.data.clone(),
            before: done.before,
            after: done.after,
            ms,
            boundary_ms: boundary.as_secs_f64() * 1000.0,
            ..Step::default()
        })?;
        (self.listener)(&StepReport {
            step,
            row,
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            state: result.state,
            effect: result.effect,
            message: result.message.clone(),
            ms,
        });
        Ok(())
    }
}

/// What is known about a step when it is over.
struct Done {
    element: Option<Element>,
    context: StepContext,
    approval: String,
    before: Option<String>,
    after: Option<String>,
    started: Instant,
    /// What of the time was the tool's own.
    acted: Duration,
}
