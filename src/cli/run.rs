//! `deskhand run`: one sentence, carried out.

use std::path::PathBuf;

use serde_json::json;

use crate::builtin::{FILL, RUN};
use crate::policy::{ApproveMode, Origin};
use crate::tasks::{Door, Wish};

use super::{Exit, fill, progress, work};

/// Do what a sentence says on the target window.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  deskhand run \"Click the Save button\"
  deskhand run \"Type Sample Ltd into Customer name\" --window Orders
  deskhand run \"Enter customer Sample Ltd, quantity 3, price 12.50 and save\" --approve always
  deskhand run \"Enter these orders and save each one\" --data orders.csv --window Orders

Without --window the topmost window is used that is neither Deskhand's nor the terminal's.
The last lines printed are the answer in words.")]
pub struct Args {
    /// What to do, in English or Chinese.
    sentence: String,
    /// A sheet whose rows the sentence speaks of (XLSX, XLS, ODS, CSV, TSV).
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Title (or a part of it) of the window to work on.
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,
    /// At most so many steps.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    max_steps: u32,
    /// Who approves what cannot be undone.
    #[arg(long, value_enum, default_value_t = ApproveMode::Ask)]
    approve: ApproveMode,
    /// A GGUF file to decide with instead of the embedded model (script:FILE plays a script).
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Folder for the log and the pictures of this run; it must be new or empty.
    #[arg(long, value_name = "DIR")]
    run_dir: Option<PathBuf>,
    /// Print JSON lines: one a step, the result last.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let sentence = args.sentence.trim();
    if sentence.is_empty() {
        progress::complain(
            "the sentence is empty; say what to do, for example: deskhand run \"Click the Save button\"",
        );
        return Ok(Exit::Usage);
    }
    let wish = |task: &str, parameters| Wish {
        task: task.into(),
        parameters: work::parameters(parameters),
        door: Door::OwnCommand,
        origin: Origin::User,
        approve: args.approve,
        run_dir: args.run_dir.clone(),
    };
    if let Some(sheet) = &args.data {
        let parameters =
            json!({"sheet": work::path(sheet)?, "into": args.window, "how": sentence, "model": args.model});
        return fill::carry_out(wish(FILL, parameters), args.json);
    }
    let parameters =
        json!({"sentence": sentence, "window": args.window, "max_steps": args.max_steps, "model": args.model});
    let outcome = work::carry_out(wish(RUN, parameters), &mut |event| progress::step(args.json, event))?;
    let result = &outcome.result;
    if args.json {
        progress::json_line(&json!({"state": result.state, "answer": result.message, "steps": result.data["steps"],
            "seconds": result.seconds, "run_dir": outcome.folder(), "model": result.data["model"],
            "execution": result.execution}))?;
    } else if outcome.began() {
        let steps = result.data["steps"].as_u64().unwrap_or_default();
        let folder = outcome.folder().unwrap_or_default();
        progress::line(&format!("{steps} steps in {:.1} s; run folder: {folder}", result.seconds))?;
        progress::line(&result.message)?;
    }
    outcome.exit()
}
