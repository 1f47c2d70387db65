//! The inference runtime, placed where the system's loader can load it.
//!
//! Loaders want a file that begins with the library, so that it cannot be loaded from the middle of our executable. On
//! Linux an anonymous file in memory serves (`memory`); elsewhere it must be a real file (`file`), the only thing that
//! Deskhand ever puts beside itself. The library is stored as it is: compressed it would save 20 MB of the executable
//! and cost its decompression at every start.

#[cfg(any(test, not(target_os = "linux")))]
mod file;
#[cfg(target_os = "linux")]
mod memory;

use std::path::{Path, PathBuf};

use super::{Payload, PayloadError, Result};

/// A place from which the system's loader can load the library, for as long as this value lives. Once loaded the
/// library stays, the value may be dropped.
#[derive(Debug)]
pub struct RuntimeLibrary {
    path: PathBuf,
    /// Keeps the memory alive; on Windows it keeps others from writing into the file between check and loading.
    _file: std::fs::File,
}

impl RuntimeLibrary {
    /// To be given to the loader (`dlopen`, `LoadLibrary`, `ort::init_from`) by this process.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Something that was left on this PC by Deskhand's starts, and what became of it.
#[derive(Debug)]
pub struct Leftover {
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// Why it is still there.
    pub kept: Option<std::io::Error>,
}

/// Places the embedded inference runtime in memory.
///
/// # Errors
/// When the part is missing or damaged, or the system gives no memory file.
#[cfg(target_os = "linux")]
pub fn runtime_library(payload: &Payload) -> Result<RuntimeLibrary> {
    memory::place(&payload.get(super::names::ONNXRUNTIME)?)
}

/// Places the embedded inference runtime in the user's folder, or takes the one that lies there already.
///
/// # Errors
/// When the part is missing or damaged, or the folder cannot be written.
#[cfg(not(target_os = "linux"))]
pub fn runtime_library(payload: &Payload) -> Result<RuntimeLibrary> {
    let library = payload.get(super::names::ONNXRUNTIME)?;
    let folder = folder().ok_or_else(|| failed("finding a place", &"the user has no folder for local data"))?;
    file::place(&folder, &library)
}

/// Deletes what starts have left behind, `dry_run` only lists it. On Linux nothing ever is.
#[cfg(target_os = "linux")]
#[must_use]
pub fn cleanup(_dry_run: bool) -> Vec<Leftover> {
    Vec::new()
}

/// Deletes what starts have left behind, `dry_run` only lists it: the runtime library of this and of earlier versions.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn cleanup(dry_run: bool) -> Vec<Leftover> {
    folder().map(|folder| file::cleanup(&folder, dry_run)).unwrap_or_default()
}

/// The user's folder for the library.
#[cfg(windows)]
fn folder() -> Option<PathBuf> {
    Some(dirs::data_local_dir()?.join("Deskhand").join("runtime"))
}

/// No place is known on this system yet.
#[cfg(not(any(windows, target_os = "linux")))]
fn folder() -> Option<PathBuf> {
    None
}

fn failed(what: &str, error: &dyn std::fmt::Display) -> PayloadError {
    PayloadError::Runtime(format!("{what}: {error}"))
}
