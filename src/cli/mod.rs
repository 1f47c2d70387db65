//! The command line: one file per command. Turns arguments into calls of the rooms below and their results into
//! text or JSON; contains no behaviour of its own.

mod bench;
mod decide;
mod doctor;
mod fill;
mod pack;
mod practice;
mod progress;
mod run;
mod see;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// The documented exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Failed or halted.
    Failed = 1,
    /// Wrong usage.
    Usage = 2,
    /// Refused by policy or by the user.
    Refused = 3,
    /// Stopped by the user.
    Stopped = 4,
    /// The machine is not ready: no display, no permission, no model.
    NotReady = 5,
}

const AFTER_HELP: &str = "\
Examples:
  deskhand practice                                  open a small order-entry window to try things on
  deskhand see --window Orders --annotate seen.png   what Deskhand sees
  deskhand run \"Click the Save button\"               do one thing
  deskhand fill orders.csv --into Orders             enter every row of a sheet

Exit codes: 0 done, 1 failed or halted, 2 wrong usage, 3 refused, 4 stopped by the user,
5 the machine is not ready (no display, no permission, no model).";

/// Operates the desktop from a sentence, offline.
#[derive(Debug, Parser)]
#[command(name = "deskhand", version, about, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Fill(fill::Args),
    See(see::Args),
    Decide(decide::Args),
    Bench(bench::Args),
    Doctor(doctor::Args),
    Practice(practice::Args),
    Pack(pack::Args),
}

/// Parses the arguments, runs the command and returns its exit code.
pub fn main() -> ExitCode {
    crate::vision::forbid_telemetry();
    let cli = Cli::parse();
    let outcome = match cli.command {
        None => help(),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Fill(args)) => fill::run(args),
        Some(Command::See(args)) => see::run(args),
        Some(Command::Decide(args)) => decide::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Practice(args)) => practice::run(args),
        Some(Command::Pack(args)) => pack::run(args),
    };
    let exit = match outcome {
        Ok(exit) => exit,
        Err(error) => {
            if is_broken_pipe(&error) {
                Exit::Done
            } else {
                eprintln!("deskhand: {error:#}");
                exit_of(&error)
            }
        }
    };
    ExitCode::from(exit as u8)
}

/// What a call without arguments gets.
fn help() -> anyhow::Result<Exit> {
    Cli::command().print_help()?;
    Ok(Exit::Done)
}

/// A reader that closed the pipe early (`deskhand see | head`) is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The exit code that belongs to an error, by its type wherever it stands in the chain.
fn exit_of(error: &anyhow::Error) -> Exit {
    use crate::desktop::DesktopError;
    use crate::model::ModelError;
    use crate::payload::PayloadError;
    use crate::vision::VisionError;
    use crate::workflow::sheet::SheetError;
    for cause in error.chain() {
        if let Some(e) = cause.downcast_ref::<DesktopError>() {
            return match e {
                DesktopError::NoDisplay(_) | DesktopError::Missing(_) => Exit::NotReady,
                DesktopError::Stopped => Exit::Stopped,
                _ => Exit::Failed,
            };
        }
        if let Some(e) = cause.downcast_ref::<ModelError>() {
            return match e {
                ModelError::File { .. } => Exit::NotReady,
                ModelError::Stopped => Exit::Stopped,
                ModelError::Run(_) | ModelError::Grammar(_) => Exit::Failed,
            };
        }
        if let Some(e) = cause.downcast_ref::<VisionError>() {
            return match e {
                VisionError::Runtime(_) | VisionError::Network { .. } => Exit::NotReady,
                VisionError::Run(_) => Exit::Failed,
            };
        }
        if cause.is::<PayloadError>() {
            return Exit::NotReady;
        }
        // A sheet that cannot be read was named wrongly; nothing has been tried yet.
        if cause.is::<SheetError>() {
            return Exit::Usage;
        }
    }
    Exit::Failed
}
