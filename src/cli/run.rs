//! `deskhand run`: one sentence, carried out.

use std::path::PathBuf;

use serde_json::json;

use crate::agent::{Agent, Outcome, RunState};
use crate::assembly::{ModelChoice, WorkOptions, workplace};
use crate::policy::ApproveMode;

use super::{Exit, fill, progress};

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
        eprintln!(
            "deskhand: the sentence is empty; say what to do, for example: deskhand run \"Click the Save button\""
        );
        return Ok(Exit::Usage);
    }
    let options = WorkOptions {
        window: args.window.clone(),
        approve: args.approve,
        model: ModelChoice::parse(args.model.as_deref()),
        run_dir: args.run_dir.clone(),
        kind: "run",
        request: json!({"command": "run", "sentence": sentence, "data": args.data, "window": args.window,
            "max_steps": args.max_steps, "approve": args.approve, "model": args.model}),
    };
    if let Some(data) = &args.data {
        let job = fill::Job { sheet: data, how: sentence, rows: None, leave_out: &[], dry_run: false, json: args.json };
        return fill::carry_out(&job, &options);
    }
    let started = std::time::Instant::now();
    let mut place = workplace(&options, progress::listener(args.json))?;
    let outcome = Agent {
        executor: &mut place.executor,
        model: place.model.as_mut(),
        stop: place.stop.clone(),
        max_steps: args.max_steps as usize,
    }
    .run(sentence);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) if place.stop.is_set() => {
            Outcome { state: RunState::Stopped, answer: format!("Stopped: {error}"), steps: 0 }
        }
        Err(error) => {
            place.executor.record.finish(&json!({"state": "failed", "answer": error.to_string()}))?;
            return Err(error.into());
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let folder = place.executor.record.path().display().to_string();
    let result = json!({"state": outcome.state, "answer": outcome.answer, "steps": outcome.steps,
        "seconds": seconds, "run_dir": folder, "model": place.model.name()});
    place.executor.record.finish(&result)?;
    if args.json {
        progress::json_line(&result)?;
    } else {
        progress::line(&format!("{} steps in {seconds:.1} s; run folder: {folder}", outcome.steps))?;
        progress::line(&outcome.answer)?;
    }
    Ok(match outcome.state {
        RunState::Completed => Exit::Done,
        RunState::Failed => Exit::Failed,
        RunState::Refused => Exit::Refused,
        RunState::Stopped => Exit::Stopped,
    })
}
