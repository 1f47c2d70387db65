//! Entering rows: fill, read back, save, and believe only what the screen says (E3, E4, E5).
//!
//! A row whose fields do not hold what the sheet says is not saved. A save whose outcome is not seen is unknown and
//! never repeated.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::policy::Origin;
use crate::scene::{Element, Role, Scene, ToolCall};
use crate::tasks::{ExecuteError, Executor, StepContext};
use crate::tools::{Effect, ToolResult, ToolState, same_text};

use super::sheet::Row;
use super::verdict::{Evidence, RowState, Verdict, answer, judge};

/// A column of the sheet with the field it goes into.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundColumn {
    /// Place of the column in the sheet, from 0.
    pub column: usize,
    pub name: String,
    /// The field as it was when the columns were bound.
    pub field: Element,
}

/// How every row is entered.
#[derive(Debug, Clone)]
pub struct EntryPlan {
    /// Which form, which columns, which button: approvals that are remembered hold for exactly that.
    pub workflow: String,
    pub columns: Vec<BoundColumn>,
    /// The button that saves a record.
    pub save: Element,
    /// The form before the first row.
    pub baseline: Scene,
}

/// How one row ended.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct RowOutcome {
    pub row: usize,
    pub state: RowState,
    pub reason: String,
    pub seconds: f64,
}

/// Why the batch cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    #[error("stopped")]
    Stopped,
}

/// At most so many dialogs are answered after one save.
const MOST_DIALOGS: usize = 4;
/// How long a program may say nothing after the saving button was pressed: old ones think before they speak.
const SILENCE: Duration = Duration::from_secs(5);
/// How long a program may say that it is still saving.
const BUSY_DEADLINE: Duration = Duration::from_secs(30);

/// Enters one row and says how it ended.
///
/// # Errors
/// Only when going on makes no sense: refused, stopped, the record cannot be written, the window is gone. The row's
/// own outcome is then in `unfinished`.
pub fn enter_row(
    executor: &mut Executor,
    plan: &EntryPlan,
    row: &Row,
    unfinished: &mut Option<RowOutcome>,
) -> Result<RowOutcome, EntryError> {
    let started = Instant::now();
    let mut entry = RowEntry { executor, plan, row, started, saving: false };
    let result = entry.run();
    let saving = entry.saving;
    result.map(|(state, reason)| outcome(row, state, reason, started)).inspect_err(|error| {
        let (state, when) = match saving {
            true => (RowState::Unknown, "while saving"),
            false => (RowState::Failed, "before saving"),
        };
        *unfinished = Some(outcome(row, state, format!("{when}: {error}"), started));
    })
}

fn outcome(row: &Row, state: RowState, reason: String, started: Instant) -> RowOutcome {
    RowOutcome { row: row.number, state, reason, seconds: started.elapsed().as_secs_f64() }
}

struct RowEntry<'a> {
    executor: &'a mut Executor,
    plan: &'a EntryPlan,
    row: &'a Row,
    started: Instant,
    /// Save was pressed, or may have been.
    saving: bool,
}

type RowEnd = (RowState, String);

impl RowEntry<'_> {
    fn run(&mut self) -> Result<RowEnd, EntryError> {
        let target = self.executor.target();
        let view = self.executor.observe()?;
        if view.window != target {
            return Ok((RowState::Failed, format!("the window \"{}\" stands in front of the form", view.title)));
        }
        let mut before = view.scene.clone();
        if self.plan.columns.iter().any(|bound| locate(&before, &bound.field).is_none()) {
            // The program may still be drawing the form after the row before.
            self.call("wait", json!({}))?;
            before = self.executor.observe()?.scene.clone();
        }
        let mut fields = Vec::new();
        let mut values = Vec::new();
        for bound in &self.plan.columns {
            let value = self.row.cells.get(bound.column).cloned().unwrap_or_default();
            let Some(element) = locate(&before, &bound.field) else {
                let reason = format!("the field \"{}\" is not on the screen any more", bound.field.name());
                return Ok((RowState::Failed, reason));
            };
            // An empty cell leaves a list as it is: there is no entry to choose.
            if value.is_empty() && matches!(element.role, Role::Combobox | Role::Radio) {
                continue;
            }
            if element.role == Role::Radio {
                // One column chooses among a group: the button whose words are the value.
                let Some(choice) = before.elements.iter().find(|e| e.role == Role::Radio && same_text(&e.text, &value))
                else {
                    return Ok((RowState::Failed, format!("\"{value}\" is none of the choices of \"{}\"", bound.name)));
                };
                fields.push(json!({"field": choice.name(), "value": value, "id": choice.id}));
                continue;
            }
            fields.push(json!({"field": element.name(), "value": value, "id": element.id}));
            values.push((element.label.clone(), value));
        }
        let filled = self.call("fill_fields", json!({ "fields": fields }))?;
        if let Some(end) = self.ended(&filled) {
            return end;
        }
        let Some(save) = locate(&before, &self.plan.save) else {
            let reason = format!("the button \"{}\" is not on the screen any more", self.plan.save.text);
            return Ok((RowState::Failed, reason));
        };
        let save = json!({"element": save.name(), "id": save.id});
        self.saving = true;
        let saved = self.call("click", save)?;
        if let Some(end) = self.ended(&saved) {
            // A click that was refused for doubt did not happen; any other that went wrong may have saved.
            return match end {
                Ok((_, reason)) if saved.effect != Effect::Unchanged => Ok((RowState::Unknown, reason)),
                end => end,
            };
        }
        self.outcome_on_screen(&before, &values)
    }

    /// Looks until the program has said its word, answering what it asks.
    fn outcome_on_screen(&mut self, before: &Scene, values: &[(String, String)]) -> Result<RowEnd, EntryError> {
        let target = self.executor.target();
        let mut settled: Option<RowEnd> = None;
        let mut questions = 0;
        let pressed = Instant::now();
        loop {
            let view = self.executor.observe()?;
            let dialog = view.window != target;
            let after = view.scene.clone();
            if settled.is_some() && !dialog {
                break;
            }
            let verdict = judge(&Evidence { baseline: &self.plan.baseline, before, after: &after, dialog, values });
            let (end, reply) = match verdict {
                Verdict::Saved(text) => (Some((RowState::Saved, text)), true),
                Verdict::Failed(text) => (Some((RowState::Failed, text)), false),
                Verdict::Question(_) => (None, true),
                Verdict::Busy(text) => {
                    if self.started.elapsed() > BUSY_DEADLINE {
                        return Ok((
                            RowState::Unknown,
                            format!("still \"{text}\" after {} s", BUSY_DEADLINE.as_secs()),
                        ));
                    }
                    self.call("wait", json!({"seconds": 5}))?;
                    continue;
                }
                Verdict::Unknown(_) if !dialog && pressed.elapsed() < SILENCE => {
                    self.call("wait", json!({"seconds": 1}))?;
                    continue;
                }
                Verdict::Unknown(text) => (Some((RowState::Unknown, text)), false),
            };
            settled = settled.or(end);
            if !dialog && settled.is_some() {
                break;
            }
            questions += 1;
            let button = answer(&after, reply).or_else(|| answer(&after, true));
            let (Some(button), true) = (button, questions <= MOST_DIALOGS) else {
                let text = settled.map(|(_, text)| text).unwrap_or_default();
                return Ok((RowState::Unknown, format!("a dialog could not be answered: {text}")));
            };
            let click = json!({"element": button.name(), "id": button.id});
            let answered = self.call("click", click)?;
            if let Some(end) = self.ended(&answered) {
                let (_, text) = end?;
                return Ok(settled.unwrap_or((RowState::Unknown, text)));
            }
        }
        Ok(settled.unwrap_or((RowState::Unknown, "nothing was seen".into())))
    }

    fn call(&mut self, tool: &str, arguments: serde_json::Value) -> Result<ToolResult, EntryError> {
        let context = StepContext { row: Some(self.row.number), model: None };
        match self.executor.execute(
            &ToolCall::new(tool, arguments),
            &Origin::Workflow { id: self.plan.workflow.clone() },
            context,
        ) {
            Ok(performed) => Ok(performed.result),
            Err(ExecuteError::Call(error)) => {
                Ok(ToolResult { state: ToolState::NotFound, ..ToolResult::failed(error.to_string()) })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The row's end when a step did not complete.
    fn ended(&self, result: &ToolResult) -> Option<Result<RowEnd, EntryError>> {
        match result.state {
            ToolState::Completed => None,
            ToolState::Stopped => Some(Err(EntryError::Stopped)),
            ToolState::Failed | ToolState::NotFound | ToolState::Rejected => {
                Some(Ok((RowState::Failed, result.message.clone())))
            }
        }
    }
}

/// The element of `scene` that is `known` from an earlier look: same kind and name, and the nearest of several.
fn locate<'s>(scene: &'s Scene, known: &Element) -> Option<&'s Element> {
    let named = |e: &&Element| same_text(e.name(), known.name()) && e.role.is_field() == known.role.is_field();
    let distance = |e: &&Element| (e.bbox.center() - known.bbox.center()).square_length();
    scene
        .elements
        .iter()
        .filter(named)
        .filter(|e| e.role.is_interactive())
        .min_by_key(|e| (e.role != known.role, distance(e)))
}
