//! `deskhand fill`: the rows of a sheet into a form.

use std::path::PathBuf;

use serde_json::json;

use crate::builtin::{FILL, HOW, Mapping};
use crate::policy::{ApproveMode, Origin};
use crate::tasks::{Door, Event, Wish};
use crate::workflow::entry::RowOutcome;

use super::{Exit, progress, work};

/// Enter the rows of a sheet into a form, one record a row, each read back and saved.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  deskhand fill orders.csv --into Orders
  deskhand fill orders.xlsx --into Orders --rows 1-20 --approve always
  deskhand fill orders.csv --into Orders --dry-run          show which column goes where, enter nothing

Every row that was not saved is named with its number and the word failed, skipped or unknown.
Exit code 1 when at least one row was not saved.
In the background: deskhand tasks run fill sheet=orders.csv into=Orders --approve always --background")]
pub struct Args {
    /// The sheet: XLSX, XLS, ODS, CSV or TSV.
    sheet: PathBuf,
    /// Title (or a part of it) of the window with the form.
    #[arg(long, value_name = "TITLE")]
    into: Option<String>,
    /// How to enter them, in a sentence.
    #[arg(long, value_name = "SENTENCE", default_value = HOW)]
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
    let parameters = json!({"sheet": work::path(&args.sheet)?, "into": args.into, "how": args.how, "rows": args.rows,
        "leave_out": args.leave_out, "dry_run": args.dry_run, "model": args.model});
    let wish = Wish {
        task: FILL.into(),
        parameters: work::parameters(parameters),
        door: Door::OwnCommand,
        origin: Origin::User,
        approve: args.approve,
        run_dir: args.run_dir,
    };
    carry_out(wish, args.json)
}

/// Shows the mapping and the rows as they come, and the totals at the end.
pub(super) fn carry_out(wish: Wish, as_json: bool) -> anyhow::Result<Exit> {
    let mut told = Ok(());
    let outcome = work::carry_out(wish, &mut |event| {
        progress::step(as_json, event);
        if told.is_ok() {
            told = show(event, as_json);
        }
    })?;
    // Nobody listening (a closed pipe) does not make the rows unsaved.
    drop(told);
    let (result, data) = (&outcome.result, &outcome.result.data);
    if let Some(ended) = data["ended"].as_str() {
        progress::complain(&format!("the batch ended early: {ended}"));
    }
    if let Some(report) = data["report"].as_str() {
        if as_json {
            progress::json_line(&json!({"rows": data["rows"], "saved": data["saved"], "failed": data["failed"],
                "skipped": data["skipped"], "unknown": data["unknown"], "report": report}))?;
        } else {
            progress::line(&format!("report: {report}"))?;
            progress::line(&format!("run folder: {}", outcome.folder().unwrap_or_default()))?;
            progress::line(&format!("saved {} of {} in {:.1} s", data["saved"], data["rows"], result.seconds))?;
        }
    } else if outcome.began() && result.state != crate::tasks::State::Completed {
        progress::complain(&result.message);
    }
    outcome.exit()
}

/// Prints what the task tells of its columns and rows; other events are nothing to it.
pub(super) fn show(event: &Event, as_json: bool) -> std::io::Result<()> {
    let Event::Progress { kind, data } = event else { return Ok(()) };
    match kind.as_str() {
        "mapping" => match serde_json::from_value(data.clone()) {
            Ok(mapping) => show_mapping(&mapping, as_json),
            Err(error) => Err(error.into()),
        },
        "row" if as_json => progress::json_line(data),
        "row" => match serde_json::from_value::<RowOutcome>(data.clone()) {
            Ok(row) => {
                progress::line(&format!("row {}: {} ({}) {:.1} s", row.row, row.state.name(), row.reason, row.seconds))
            }
            Err(error) => Err(error.into()),
        },
        _ => Ok(()),
    }
}

fn show_mapping(mapping: &Mapping, as_json: bool) -> std::io::Result<()> {
    if as_json {
        return progress::json_line(&json!({"columns": mapping.columns, "unfilled": mapping.unfilled,
            "save": mapping.save, "window": mapping.window}));
    }
    progress::line(&format!(
        "{} rows of {} into \"{}\" ({} blank rows left out)",
        mapping.rows, mapping.sheet, mapping.window, mapping.blank_rows
    ))?;
    let width = mapping.columns.iter().map(|column| display_width(&column.column)).max().unwrap_or(0).max(6);
    for column in &mapping.columns {
        let pad = " ".repeat(width.saturating_sub(display_width(&column.column)));
        let field = column.field.as_ref().map_or_else(|| "-- no field".to_string(), |field| format!("-> {field}"));
        progress::line(&format!("  {}{pad} {field}  ({}, {:.2})", column.column, column.why, column.score))?;
        if let Some(doubt) = &column.doubt {
            progress::line(&format!("    doubt: {doubt}"))?;
        }
    }
    for label in &mapping.unfilled {
        progress::line(&format!("  the field \"{label}\" gets nothing from the sheet"))?;
    }
    progress::line(&format!(
        "  each row is saved with \"{}\" (confidence {:.2})",
        mapping.save, mapping.save_confidence
    ))
}

/// Columns on a terminal: a Chinese character takes two.
fn display_width(text: &str) -> usize {
    text.chars().map(|c| if crate::words::is_cjk(c) { 2 } else { 1 }).sum()
}
