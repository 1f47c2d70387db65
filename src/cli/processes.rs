//! The commands by which Deskhand starts itself: `worker`, `keep`, `guard`. Nobody types them.

use std::path::PathBuf;

use crate::builtin::{self, classify};
use crate::desktop;
use crate::tasks::{self, Launcher, Supervisor, Workplace};

use super::Exit;

/// An execution and the installation it belongs to.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The execution's folder.
    folder: PathBuf,
    /// The installation's state folder.
    state: PathBuf,
}

/// Carries out one execution; its result is in the folder.
pub fn worker(args: Args) -> anyhow::Result<Exit> {
    let registry = builtin::tasks()?;
    let launcher = Launcher::this_program();
    let place = Workplace { registry: &registry, state: args.state, launcher, classify };
    tasks::serve(&args.folder, &place)?;
    Ok(Exit::Done)
}

/// Is the parent of a background worker, without a terminal.
pub fn keep(args: Args) -> anyhow::Result<Exit> {
    #[cfg(target_os = "linux")]
    // A leader of its own session gets no signal when the terminal is closed.
    let _ = rustix::process::setsid();
    let registry = builtin::tasks()?;
    let launcher = Launcher::this_program();
    let mut supervisor = Supervisor::open(&registry, args.state, launcher, "background", classify)?;
    supervisor.keep(&args.folder)?;
    Ok(Exit::Done)
}

/// Waits for the end of the process that writes to its standard input, and lets go of what that one held.
pub fn guard() -> anyhow::Result<Exit> {
    desktop::watch(std::io::stdin().lock())?;
    Ok(Exit::Done)
}
