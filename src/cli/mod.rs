//! The command line: one file per command. Turns arguments into calls of the rooms below and their results into
//! text or JSON; contains no behaviour of its own.

mod bench;
mod cleanup;
#[cfg(windows)]
mod console;
mod decide;
mod doctor;
mod fill;
mod network;
mod pack;
mod practice;
mod processes;
mod progress;
mod run;
mod see;
mod tasks;
mod work;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::builtin::trouble_of;

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
    Cleanup(cleanup::Args),
    Tasks(tasks::Args),
    /// Carries out one execution.
    #[command(hide = true)]
    Worker(processes::Args),
    /// Is the parent of a worker in the background.
    #[command(hide = true)]
    Keep(processes::Args),
    /// Lets go of keys and buttons when the process that feeds it dies.
    #[command(hide = true)]
    Guard,
}

/// Parses the arguments, runs the command and returns its exit code.
pub fn main() -> ExitCode {
    crate::relaunch::remember();
    crate::vision::forbid_telemetry();
    #[cfg(windows)]
    let double_clicked = console::prepare();
    let cli = Cli::parse();
    let outcome = match cli.command {
        #[cfg(windows)]
        None if double_clicked => console::introduce(),
        None => help(),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Fill(args)) => fill::run(args),
        Some(Command::See(args)) => see::run(args),
        Some(Command::Decide(args)) => decide::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Practice(args)) => practice::run(args),
        Some(Command::Pack(args)) => pack::run(args),
        Some(Command::Cleanup(args)) => cleanup::run(args),
        Some(Command::Tasks(args)) => tasks::run(args),
        Some(Command::Worker(args)) => processes::worker(args),
        Some(Command::Keep(args)) => processes::keep(args),
        Some(Command::Guard) => processes::guard(),
    };
    let exit = match outcome {
        Ok(exit) => exit,
        Err(error) => {
            if is_broken_pipe(&error) {
                Exit::Done
            } else {
                progress::complain(&format!("{error:#}"));
                work::exit_of_trouble(trouble_of(&error))
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
    error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>()).any(|io| {
        // Windows has one more error for it, which has no kind of its own: ERROR_PIPE_NOT_CONNECTED.
        io.kind() == std::io::ErrorKind::BrokenPipe || (cfg!(windows) && io.raw_os_error() == Some(233))
    })
}
