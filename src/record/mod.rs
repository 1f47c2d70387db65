//! The run folder: request, log, pictures, result. The only room that writes into it.
//!
//! Owns where run folders lie and what their files look like. It is told what happened; it knows `scene/` and
//! neither looks at the screen nor decides anything.
//!
//! ```text
//! 20261130-101500-run/
//!   request.json     what was asked for
//!   log.jsonl        one line a step, appended as it happens
//!   pictures/        0001-before.png, 0001-after.png, ...
//!   result.json      written once, at the end, by atomic replace
//! ```

mod folder;
mod step;

pub use folder::{RecordError, RunFolder, default_runs_dir};
pub use step::{ModelNote, Step};
