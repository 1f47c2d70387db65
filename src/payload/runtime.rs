//! The inference runtime without a file on the disk: its library is loaded from a sealed piece of memory.
//!
//! The dynamic loader wants a file that begins with the library, so that it cannot load from the middle of our
//! executable. On Linux an anonymous file in memory serves; 29 MB are copied, some 20 ms. The library is stored as it
//! is: compressed it would save 20 MB of the executable and cost its decompression at every start.

use std::path::{Path, PathBuf};

use super::{Payload, PayloadError, Result, names};

/// A place from which the system's loader can load the library, for as long as this value lives. Once loaded the
/// library stays, the value may be dropped.
#[derive(Debug)]
pub struct RuntimeLibrary {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    _file: std::os::fd::OwnedFd,
}

impl RuntimeLibrary {
    /// To be given to the loader (`dlopen`, `ort::init_from`) by this process.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Places the embedded inference runtime in memory.
///
/// # Errors
/// When the part is missing or damaged, or the system gives no memory file.
#[cfg(target_os = "linux")]
pub fn runtime_library(payload: &Payload) -> Result<RuntimeLibrary> {
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{MemfdFlags, SealFlags};

    let library = payload.get(names::ONNXRUNTIME)?;
    let failed = |what: &str, error: &dyn std::fmt::Display| PayloadError::Runtime(format!("{what}: {error}"));
    let fd = rustix::fs::memfd_create("libonnxruntime.so.1", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
        .map_err(|error| failed("memfd_create", &error))?;
    let mut file = std::fs::File::from(fd);
    file.write_all(&library).map_err(|error| failed("writing", &error))?;
    // Sealed, so that nothing in this process can change code after it was checked.
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals).map_err(|error| failed("sealing", &error))?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    Ok(RuntimeLibrary { path, _file: file.into() })
}

/// Places the embedded inference runtime in memory.
///
/// # Errors
/// Always: only Linux loads a library from memory.
#[cfg(not(target_os = "linux"))]
pub fn runtime_library(payload: &Payload) -> Result<RuntimeLibrary> {
    payload.get(names::ONNXRUNTIME)?;
    Err(PayloadError::Runtime("this system loads libraries from files only".to_owned()))
}
