//! The run folder: request, log, pictures, result. The only room that writes into it.
//!
//! Owns where run folders and the state folder lie and what the files of a run look like. It is told what happened; it
//! knows `scene/` and neither looks at the screen nor decides anything.
//!
//! ```text
//! 20261130-101500-run-3fa2c1/
//!   request.json     what was asked for
//!   status.json      the worker that runs it, as soon as it runs
//!   events.jsonl     what happens, one line an event, for whoever watches
//!   log.jsonl        one line a step, appended as it happens
//!   pictures/        0001-before.png, 0001-after.png, ...
//!   stop.requested   there when somebody asked to stop
//!   result.json      written once, at the end; the first one stays
//! ```

mod atomic;
mod diary;
mod folder;
mod places;
mod step;

use std::path::{Path, PathBuf};

pub use atomic::Published;
pub use diary::Diary;
pub use folder::{ExecutionFolder, delete_run, finished_runs};
pub use places::{default_runs_dir, state_dir};
pub use step::{ModelNote, Step};

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("the run folder: {path} cannot be written: {reason}. Choose another with --run-dir")]
    Write { path: PathBuf, reason: String },
    #[error("the run folder: {path} cannot be read: {reason}")]
    Read { path: PathBuf, reason: String },
    #[error("no place for the run folder was found (the user has no home folder); name one with --run-dir")]
    NoPlace,
}

impl RecordError {
    fn write(path: &Path, reason: impl std::fmt::Display) -> Self {
        RecordError::Write { path: path.into(), reason: reason.to_string() }
    }

    fn read(path: &Path, reason: impl std::fmt::Display) -> Self {
        RecordError::Read { path: path.into(), reason: reason.to_string() }
    }
}

/// Local time, ISO 8601 with offset and milliseconds.
pub fn now() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
}
