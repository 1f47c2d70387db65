//! From a sheet and a sentence to entered rows: the columns are bound to the fields with the model's voice, the model
//! chooses the button that saves, then every row is entered without it (E2, E3).

use serde_json::json;

use crate::desktop::StopSignal;
use crate::model::{ChatModel, ModelError};
use crate::policy::Refusal;
use crate::record::RecordError;
use crate::scene::{Element, Scene};
use crate::tasks::{ExecuteError, Executor};
use crate::words::{mentions, words};
use crate::workflow::bind::{self, Binding, Column, Doubt, Voice};
use crate::workflow::entry::{BoundColumn, EntryError, EntryPlan, RowOutcome, enter_row};
use crate::workflow::sheet::{Row, Sheet};
use crate::workflow::verdict::RowState;

use super::clauses::clauses;
use super::options::options_for;
use super::prompt;
use super::turn::{decide_among, note};

/// Why a sheet could not be entered at all.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("no column of the sheet fits a field of \"{title}\". Columns: {columns}. Fields: {fields}")]
    NothingFits { title: String, columns: String, fields: String },
    #[error(
        "it is not certain which field a column belongs to: {0}. Nothing was entered; rename the column like the field, leave it out with --leave-out, or confirm with --approve ask"
    )]
    Doubtful(String),
    #[error("no button that saves a record was found on \"{title}\". Buttons: {buttons}")]
    NoSave { title: String, buttons: String },
}

/// What was found out before the first row.
#[derive(Debug)]
pub struct Prepared {
    pub plan: EntryPlan,
    pub binding: Binding,
    /// Labels of fields that no column fills.
    pub unfilled: Vec<String>,
    /// How sure the model is of the button, 0..=1.
    pub save_confidence: f32,
}

impl Prepared {
    /// Columns without a field, and those for which another field (or whose field another column) fits nearly as well,
    /// in words. Records without a column's values would be incomplete, so nobody but the user can wave them through.
    fn doubts(&self) -> String {
        let doubts: Vec<String> = self
            .binding
            .doubtful()
            .filter_map(|bound| match &bound.doubt {
                Some(doubt @ (Doubt::Field { .. } | Doubt::Column { .. })) => Some(format!("{}: {doubt}", bound.name)),
                // What the program thinks of a value is its own business: it will say so.
                Some(Doubt::Values { .. }) | None => None,
            })
            .chain(self.binding.unmapped().map(|bound| format!("{}: no field was found for it", bound.name)))
            .collect();
        doubts.join("; ")
    }
}

/// All rows of a batch.
#[derive(Debug, Default)]
pub struct Summary {
    pub rows: Vec<RowOutcome>,
    /// Why the batch ended before its last row, if it did.
    pub ended: Option<FillError>,
}

impl Summary {
    pub fn count(&self, state: RowState) -> usize {
        self.rows.iter().filter(|row| row.state == state).count()
    }
}

/// How many values of a column are looked at to tell its type.
const SAMPLES: usize = 20;
/// After so many rows in a row that were not saved something is wrong with the plan, not with the rows.
const MOST_FAILURES: usize = 3;

/// Looks at the form, binds the columns and finds the button that saves. Nothing is entered yet.
///
/// # Errors
/// When nothing fits, or the screen or the model fail.
pub fn prepare(
    executor: &mut Executor,
    model: &mut dyn ChatModel,
    sheet: &Sheet,
    leave_out: &[String],
    how: &str,
    stop: &StopSignal,
) -> Result<Prepared, FillError> {
    let view = executor.observe()?;
    let (title, scene) = (view.title.clone(), view.scene.clone());
    // Places in the sheet of the columns that are entered.
    let places: Vec<usize> =
        (0..sheet.columns.len()).filter(|at| !leave_out.iter().any(|name| sheet.column(name) == Some(*at))).collect();
    let sheet_columns: Vec<Column> = places
        .iter()
        .map(|at| Column { name: sheet.columns[*at].clone(), samples: sheet.samples(*at, SAMPLES) })
        .collect();
    let question = |column: &Column| prompt::field_context(&column.name);
    let neutral = prompt::field_context("");
    let voice = model.scorer().map(|scorer| Voice {
        scorer,
        prefix: prompt::FIELD_PREFIX,
        question: &question,
        neutral: &neutral,
        stop: &stop.0,
    });
    let binding = bind::bind(&sheet_columns, &bind::fields(&scene.elements), voice)?;
    let columns: Vec<BoundColumn> = binding
        .columns
        .iter()
        .filter_map(|bound| {
            let field = scene.get(bound.field?)?.clone();
            Some(BoundColumn { column: *places.get(bound.column)?, name: bound.name.clone(), field })
        })
        .collect();
    let fields = || scene.elements.iter().filter(|e| e.role.is_field());
    if columns.is_empty() {
        let names: Vec<&str> = fields().map(Element::name).collect();
        return Err(FillError::NothingFits { title, columns: sheet.columns.join(", "), fields: names.join(", ") });
    }
    let unfilled =
        binding.unfilled.iter().filter_map(|id| scene.get(*id)).map(|field| field.name().to_string()).collect();
    let (save, confidence) = save_button(executor, model, &title, &scene, how, stop)?;
    let workflow = workflow_id(&title, &columns, &save);
    let plan = EntryPlan { workflow, columns, save, baseline: scene };
    Ok(Prepared { plan, binding, unfilled, save_confidence: confidence })
}

/// Names the work by what it does: the window, each column with its field, the button that saves.
fn workflow_id(title: &str, columns: &[BoundColumn], save: &Element) -> String {
    let columns: Vec<String> =
        columns.iter().map(|bound| format!("{} -> {}", bound.name, bound.field.name())).collect();
    format!("\"{title}\": {}; {}", columns.join(", "), save.text)
}

/// The button that saves a record: the model chooses among those whose words say so.
fn save_button(
    executor: &mut Executor,
    model: &mut dyn ChatModel,
    title: &str,
    scene: &Scene,
    how: &str,
    stop: &StopSignal,
) -> Result<(Element, f32), FillError> {
    let verbs = &words().all.verbs;
    let commits = |text: &str| mentions(&verbs.commit, text).is_some() && mentions(&verbs.destructive, text).is_none();
    // The user's own words for saving, if the sentence has some; else the plain one.
    let request = clauses(how, &[]).into_iter().rev().find(|clause| commits(clause));
    let request = request.unwrap_or_else(|| prompt::SAVE_REQUEST.into());
    let target = |call: &crate::scene::ToolCall| crate::tools::target_of(call, scene).cloned();
    let mut options = options_for(&request, scene);
    options.retain(|option| {
        option.call.tool == "click"
            && target(&option.call).is_some_and(|e| e.role.is_interactive() && !e.role.is_field() && commits(&e.text))
    });
    let no_save = || {
        let buttons: Vec<&str> = scene
            .elements
            .iter()
            .filter(|e| e.role.is_interactive() && !e.role.is_field())
            .map(Element::name)
            .collect();
        FillError::NoSave { title: title.into(), buttons: buttons.join(", ") }
    };
    if options.is_empty() {
        return Err(no_save());
    }
    let decision = if model.chooses() {
        decide_among(model, executor.registry().definitions(), Vec::new(), &request, options, stop)?
    } else {
        // A model that does not score gets no say here: the words on the button are unmistakable or it halts.
        let first = options.swap_remove(0);
        return target(&first.call).map(|element| (element, 1.0)).ok_or_else(no_save);
    };
    let chosen = match &decision.reply {
        crate::model::Reply::Call(call) => target(call),
        crate::model::Reply::Answer(_) => None,
    };
    let chosen = chosen.ok_or_else(no_save)?;
    let data = json!({"request": request, "button": chosen.text, "confidence": decision.confidence});
    executor.remember("choose_save", &chosen, note(model.name(), &decision), data)?;
    Ok((chosen, decision.confidence))
}

/// Asks once for the whole sheet, then enters every row; `on_row` is told after each.
pub fn enter(
    executor: &mut Executor,
    prepared: &Prepared,
    rows: &[&Row],
    title: &str,
    on_row: &mut dyn FnMut(&RowOutcome),
) -> Summary {
    let mut summary = Summary::default();
    let mut question =
        format!("enter {} rows into \"{title}\" and press \"{}\" after each", rows.len(), prepared.plan.save.text);
    let doubts = prepared.doubts();
    if !doubts.is_empty() && !executor.can_ask() {
        summary.ended = Some(FillError::Doubtful(doubts));
        return summary;
    }
    if !doubts.is_empty() {
        question.push_str(&format!(", although {doubts}"));
    }
    if let Err(refusal) = executor.grant_sheet(&prepared.plan.workflow, &question) {
        summary.ended = Some(refusal.into());
        return summary;
    }
    let mut failures = 0;
    for row in rows {
        let mut unfinished = None;
        let outcome = match &row.problem {
            Some(problem) => {
                Ok(RowOutcome { row: row.number, state: RowState::Skipped, reason: problem.to_string(), seconds: 0.0 })
            }
            None => enter_row(executor, &prepared.plan, row, &mut unfinished),
        };
        let (outcome, error) = match outcome {
            Ok(outcome) => (Some(outcome), None),
            Err(error) => (unfinished, Some(error)),
        };
        if let Some(outcome) = outcome {
            failures = if outcome.state == RowState::Saved { 0 } else { failures + 1 };
            on_row(&outcome);
            summary.rows.push(outcome);
        }
        if let Some(error) = error {
            summary.ended = Some(error.into());
            break;
        }
        if failures >= MOST_FAILURES {
            break;
        }
    }
    // Rows that were never begun are named too: nobody has to count.
    for row in rows.iter().skip(summary.rows.len()) {
        let outcome = RowOutcome {
            row: row.number,
            state: RowState::Skipped,
            reason: "not begun, because the batch ended before".into(),
            seconds: 0.0,
        };
        on_row(&outcome);
        summary.rows.push(outcome);
    }
    summary
}
