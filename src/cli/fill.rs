//! `deskhand fill`: the rows of a sheet into a form.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::agent::{FillError, Prepared, Summary, enter, prepare};
use crate::assembly::{ModelChoice, WorkOptions, Workplace, workplace};
use crate::policy::ApproveMode;
use crate::workflow::entry::{EntryError, RowOutcome};
use crate::workflow::report;
use crate::workflow::sheet::{Row, Sheet};
use crate::workflow::verdict::RowState;

use super::{Exit, progress};

/// Enter the rows of a sheet into a form, one record a row, each read back and saved.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  deskhand fill orders.csv --into Orders
  deskhand fill orders.xlsx --into Orders --rows 1-20 --approve always
  deskhand fill orders.csv --into Orders --dry-run          show which column goes where, enter nothing

Every row that was not saved is named with its number and the word failed, skipped or unknown.
Exit code 1 when at least one row was not saved.")]
pub struct Args {
    /// The sheet: XLSX, XLS, ODS, CSV or TSV.
    sheet: PathBuf,
    /// Title (or a part of it) of the window with the form.
    #[arg(long, value_name = "TITLE")]
    into: Option<String>,
    /// How to enter them, in a sentence.
    #[arg(long, value_name = "SENTENCE", default_value = "Enter every row and save each one")]
    how: String,
    /// Only these rows, e.g. 1-20 or 3,7,9-12.
    #[arg(long)]
    rows: Option<String>,
    /// A column that is not entered; may be given several times.
    #[arg(long, value_name = "COLUMN")]
    leave_out: Vec<String>,
    /// Show which column goes into which field and stop.
    #[arg(long)]
    dry_run: bool,
    /// Who approves the saving.
    #[arg(long, value_enum, default_value_t = ApproveMode::Ask)]
    approve: ApproveMode,
    /// A GGUF file to decide with instead of the embedded model.
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Folder for the log, the pictures and the report; it must be new or empty.
    #[arg(long, value_name = "DIR")]
    run_dir: Option<PathBuf>,
    /// Print JSON lines: steps and rows, the totals last.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let options = WorkOptions {
        window: args.into.clone(),
        approve: args.approve,
        model: ModelChoice::parse(args.model.as_deref()),
        run_dir: args.run_dir.clone(),
        kind: "fill",
        request: json!({"command": "fill", "sheet": args.sheet, "into": args.into, "how": args.how,
            "rows": args.rows, "leave_out": args.leave_out, "dry_run": args.dry_run, "approve": args.approve, "model": args.model}),
    };
    let job = Job {
        sheet: &args.sheet,
        how: &args.how,
        rows: args.rows.as_deref(),
        leave_out: &args.leave_out,
        dry_run: args.dry_run,
        json: args.json,
    };
    carry_out(&job, &options)
}

/// What shall be entered and how it is told.
pub(super) struct Job<'a> {
    pub sheet: &'a Path,
    pub how: &'a str,
    pub rows: Option<&'a str>,
    pub leave_out: &'a [String],
    pub dry_run: bool,
    pub json: bool,
}

/// Reads the sheet (before anything else is touched), shows the mapping, enters the rows, reports.
pub(super) fn carry_out(job: &Job<'_>, options: &WorkOptions) -> anyhow::Result<Exit> {
    let started = std::time::Instant::now();
    let sheet = Sheet::read(job.sheet)?;
    if let Some(unknown) = job.leave_out.iter().find(|name| sheet.column(name).is_none()) {
        eprintln!("deskhand: the sheet has no column \"{unknown}\" to leave out; it has: {}", sheet.columns.join(", "));
        return Ok(Exit::Usage);
    }
    let rows: Vec<&Row> = match job.rows {
        Some(rows) => sheet.select(rows)?,
        None => sheet.rows.iter().collect(),
    };
    let mut place = workplace(options, progress::listener(job.json))?;
    let prepared = prepare(&mut place.executor, place.model.as_mut(), &sheet, job.leave_out, job.how, &place.stop);
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            place.executor.record.finish(&json!({"state": "failed", "message": error.to_string()}))?;
            if place.stop.is_set() {
                eprintln!("deskhand: stopped before the first row");
                return Ok(Exit::Stopped);
            }
            return Err(error.into());
        }
    };
    show_mapping(job, &sheet, &rows, &prepared, &place)?;
    if job.dry_run {
        place.executor.record.finish(&json!({"state": "completed", "dry_run": true, "rows": rows.len()}))?;
        return Ok(Exit::Done);
    }
    let mut told = Ok(());
    let summary = enter(&mut place.executor, &prepared, &rows, &place.title.clone(), &mut |row| {
        if told.is_ok() {
            told = show_row(job.json, row);
        }
    });
    drop(told);
    finish(job, &sheet, &rows, &summary, &place, started.elapsed().as_secs_f64())
}

fn show_mapping(
    job: &Job<'_>,
    sheet: &Sheet,
    rows: &[&Row],
    prepared: &Prepared,
    place: &Workplace,
) -> anyhow::Result<()> {
    let plan = &prepared.plan;
    if job.json {
        let columns: Vec<_> = prepared
            .binding
            .columns
            .iter()
            .map(|bound| {
                json!({"column": bound.name, "field": bound.label, "score": bound.score,
                    "why": bound.why.to_string(), "doubt": bound.doubt.as_ref().map(ToString::to_string)})
            })
            .collect();
        progress::json_line(&json!({"columns": columns, "unfilled": prepared.unfilled, "save": plan.save.text,
            "window": place.title}))?;
        return Ok(());
    }
    progress::line(&format!(
        "{} rows of {} into \"{}\" ({} blank rows left out)",
        rows.len(),
        job.sheet.display(),
        place.title,
        sheet.blank_rows
    ))?;
    let width = prepared.binding.columns.iter().map(|b| display_width(&b.name)).max().unwrap_or(0).max(6);
    for bound in &prepared.binding.columns {
        let pad = " ".repeat(width.saturating_sub(display_width(&bound.name)));
        let field = if bound.field.is_some() { format!("-> {}", bound.label) } else { "-- no field".to_string() };
        progress::line(&format!("  {}{pad} {field}  ({}, {:.2})", bound.name, bound.why, bound.score))?;
        if let Some(doubt) = &bound.doubt {
            progress::line(&format!("    doubt: {doubt}"))?;
        }
    }
    for label in &prepared.unfilled {
        progress::line(&format!("  the field \"{label}\" gets nothing from the sheet"))?;
    }
    progress::line(&format!(
        "  each row is saved with \"{}\" (confidence {:.2})",
        plan.save.text, prepared.save_confidence
    ))?;
    Ok(())
}

/// Columns on a terminal: a Chinese character takes two.
fn display_width(text: &str) -> usize {
    text.chars().map(|c| if crate::words::is_cjk(c) { 2 } else { 1 }).sum()
}

fn show_row(as_json: bool, row: &RowOutcome) -> std::io::Result<()> {
    if as_json {
        return progress::json_line(&json!(row));
    }
    progress::line(&format!("row {}: {} ({}) {:.1} s", row.row, row.state.name(), row.reason, row.seconds))
}

fn finish(
    job: &Job<'_>,
    sheet: &Sheet,
    rows: &[&Row],
    summary: &Summary,
    place: &Workplace,
    seconds: f64,
) -> anyhow::Result<Exit> {
    let record = &place.executor.record;
    let report = record.report("report.csv", &report::csv(sheet, rows, &summary.rows)?)?;
    let count = |state| summary.count(state);
    let totals = json!({"rows": rows.len(), "saved": count(RowState::Saved), "failed": count(RowState::Failed),
        "skipped": count(RowState::Skipped), "unknown": count(RowState::Unknown), "report": report.display().to_string()});
    let exit = exit_of(rows.len(), summary, place);
    let ended = summary.ended.as_ref().map(ToString::to_string);
    let mut result = totals.clone();
    result["seconds"] = json!(seconds);
    result["ended"] = json!(ended);
    result["outcomes"] = json!(summary.rows);
    record.finish(&result)?;
    if let Some(ended) = &ended {
        eprintln!("deskhand: the batch ended early: {ended}");
    }
    if job.json {
        progress::json_line(&totals)?;
        return Ok(exit);
    }
    progress::line(&format!("report: {}", report.display()))?;
    progress::line(&format!("run folder: {}", record.path().display()))?;
    progress::line(&format!("saved {} of {} in {seconds:.1} s", count(RowState::Saved), rows.len()))?;
    Ok(exit)
}

fn exit_of(rows: usize, summary: &Summary, place: &Workplace) -> Exit {
    match &summary.ended {
        Some(FillError::Refused(_) | FillError::Execute(crate::tasks::ExecuteError::Refused(_))) => Exit::Refused,
        Some(FillError::Entry(EntryError::Execute(crate::tasks::ExecuteError::Refused(_)))) => Exit::Refused,
        Some(FillError::Entry(EntryError::Stopped)) => Exit::Stopped,
        _ if place.stop.is_set() => Exit::Stopped,
        _ if summary.count(RowState::Saved) == rows => Exit::Done,
        _ => Exit::Failed,
    }
}
