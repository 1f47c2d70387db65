//! The task `fill`: the rows of a sheet into a form, each read back and saved.

use std::path::Path;

use anyhow::Context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::agent::{FillError, Prepared, Summary, enter, prepare};
use crate::assembly::{ModelChoice, workplace};
use crate::policy::{Risk, Target};
use crate::tasks::{Ended, ExecuteError, Exposure, Needs, Pace, State, Task, TaskSpec, Work};
use crate::tools::{CallError, Schema};
use crate::workflow::entry::EntryError;
use crate::workflow::report;
use crate::workflow::sheet::{Row, Sheet};
use crate::workflow::verdict::RowState;

use super::trouble::WrongParameter;

/// The task's name.
pub const FILL: &str = "fill";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// The sheet: XLSX, XLS, ODS, CSV or TSV.
    sheet: String,
    /// Title (or a part of it) of the window with the form; without it the topmost one.
    into: Option<String>,
    /// How to enter them, in a sentence.
    how: Option<String>,
    /// Only these rows, e.g. 1-20 or 3,7,9-12.
    rows: Option<String>,
    /// Columns that are not entered.
    leave_out: Option<Vec<String>>,
    /// Show which column goes into which field and stop.
    dry_run: Option<bool>,
    /// A GGUF file to decide with instead of the embedded model.
    model: Option<String>,
}

/// What is done with the rows when nothing is said.
pub const HOW: &str = "Enter every row and save each one";

/// Which column goes into which field: what the task tells before the first row, as `mapping`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mapping {
    pub sheet: String,
    pub rows: usize,
    pub blank_rows: usize,
    pub window: String,
    pub columns: Vec<MappedColumn>,
    /// Labels of fields that get nothing from the sheet.
    pub unfilled: Vec<String>,
    /// The button that saves a row.
    pub save: String,
    pub save_confidence: f32,
}

/// One column of a [`Mapping`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MappedColumn {
    pub column: String,
    /// The field's label; `None` when there is no field for it.
    pub field: Option<String>,
    pub score: f64,
    pub why: String,
    pub doubt: Option<String>,
}

pub(super) struct Fill {
    spec: TaskSpec,
}

impl Fill {
    pub(super) fn new() -> Result<Self, CallError> {
        Ok(Fill {
            spec: TaskSpec {
                name: FILL,
                title: "Enter the rows of a sheet into a form, each read back and saved.",
                parameters: Schema::of::<Parameters>(FILL)?,
                needs: Needs::Screen,
                pace: Pace::Background,
                // The saving of each row is judged when it comes to it.
                risk: Risk::Reversible,
                exposure: Exposure::Offered,
            },
        })
    }
}

impl Parameters {
    fn leave_out(&self) -> &[String] {
        self.leave_out.as_deref().unwrap_or_default()
    }

    /// The sheet and the places of the rows that are meant.
    fn sheet(&self) -> anyhow::Result<Sheet> {
        let sheet = Sheet::read(Path::new(&self.sheet))?;
        if let Some(unknown) = self.leave_out().iter().find(|name| sheet.column(name).is_none()) {
            let columns = sheet.columns.join(", ");
            let text = format!("the sheet has no column \"{unknown}\" to leave out; it has: {columns}");
            return Err(WrongParameter(text).into());
        }
        Ok(sheet)
    }

    fn rows<'s>(&self, sheet: &'s Sheet) -> anyhow::Result<Vec<&'s Row>> {
        Ok(match &self.rows {
            Some(rows) => sheet.select(rows)?,
            None => sheet.rows.iter().collect(),
        })
    }
}

impl Task for Fill {
    fn spec(&self) -> &TaskSpec {
        &self.spec
    }

    fn ready(&self, parameters: &mut Map<String, Value>) -> anyhow::Result<()> {
        let parsed: Parameters = super::parse(parameters)?;
        parsed.rows(&parsed.sheet()?)?;
        // A worker may be started in another folder one day: the file is the one that is meant now.
        let path = std::path::absolute(&parsed.sheet).with_context(|| parsed.sheet.clone())?;
        let path = path.to_str().with_context(|| format!("{} is not valid UTF-8", path.display()))?;
        parameters.insert("sheet".into(), json!(path));
        super::pin_window(parameters, "into")
    }

    fn target(&self, _parameters: &Map<String, Value>) -> anyhow::Result<Target> {
        Ok(Target::Nothing)
    }

    fn run(&self, work: &mut Work) -> anyhow::Result<Ended> {
        let parameters: Parameters = super::parse(&work.parameters)?;
        let sheet = parameters.sheet()?;
        let rows = parameters.rows(&sheet)?;
        let how = parameters.how.as_deref().unwrap_or(HOW);
        let choice = ModelChoice::parse(parameters.model.as_deref());
        let mut place = workplace(work, parameters.into.as_deref(), &choice)?;
        let model = place.model.as_mut();
        let prepared = prepare(&mut place.executor, model, &sheet, parameters.leave_out(), how, &place.stop)?;
        work.tell("mapping", json!(mapping(&prepared, &sheet, (&parameters.sheet, rows.len()), &place.title)));
        if parameters.dry_run == Some(true) {
            let message = "nothing was entered, as asked".to_owned();
            return Ok(Ended { state: State::Completed, message, data: json!({"dry_run": true, "rows": rows.len()}) });
        }
        let summary =
            enter(&mut place.executor, &prepared, &rows, &place.title, &mut |row| work.tell("row", json!(row)));
        let report = report::csv(&sheet, &rows, &summary.rows)?;
        let report = work.folder.report("report.csv", &report)?;
        let count = |state| summary.count(state);
        let state = state_of(&summary, rows.len(), place.stop.is_set());
        let ended = match (&summary.ended, state) {
            (Some(_), State::Stopped) => Some("stopped".to_owned()),
            (ended, _) => ended.as_ref().map(ToString::to_string),
        };
        let saved = format!("saved {} of {}", count(RowState::Saved), rows.len());
        let message = match &ended {
            Some(ended) => format!("{saved}; the batch ended early: {ended}"),
            None => saved,
        };
        let data = json!({"rows": rows.len(), "saved": count(RowState::Saved), "failed": count(RowState::Failed),
            "skipped": count(RowState::Skipped), "unknown": count(RowState::Unknown),
            "report": report.display().to_string(), "ended": ended, "outcomes": summary.rows});
        Ok(Ended { state, message, data })
    }
}

fn mapping(prepared: &Prepared, sheet: &Sheet, (path, rows): (&str, usize), window: &str) -> Mapping {
    let columns = prepared.binding.columns.iter().map(|bound| MappedColumn {
        column: bound.name.clone(),
        field: bound.field.map(|_| bound.label.clone()),
        score: f64::from(bound.score),
        why: bound.why.to_string(),
        doubt: bound.doubt.as_ref().map(ToString::to_string),
    });
    Mapping {
        sheet: path.into(),
        rows,
        blank_rows: sheet.blank_rows,
        window: window.into(),
        columns: columns.collect(),
        unfilled: prepared.unfilled.clone(),
        save: prepared.plan.save.text.clone(),
        save_confidence: prepared.save_confidence,
    }
}

fn state_of(summary: &Summary, rows: usize, stopped: bool) -> State {
    match &summary.ended {
        _ if stopped => State::Stopped,
        Some(FillError::Refused(_) | FillError::Execute(ExecuteError::Refused(_))) => State::Rejected,
        Some(FillError::Entry(EntryError::Execute(ExecuteError::Refused(_)))) => State::Rejected,
        Some(FillError::Entry(EntryError::Stopped)) => State::Stopped,
        _ if summary.count(RowState::Saved) == rows => State::Completed,
        _ => State::Failed,
    }
}
