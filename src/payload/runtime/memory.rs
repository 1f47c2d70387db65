//! A sealed anonymous file in memory: 29 MB are copied, some 20 ms, and nothing touches the disk.

use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, SealFlags};

use super::{Result, RuntimeLibrary, failed};

/// Copies the library into memory and seals it.
pub fn place(library: &[u8]) -> Result<RuntimeLibrary> {
    let fd = rustix::fs::memfd_create("libonnxruntime.so.1", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
        .map_err(|error| failed("memfd_create", &error))?;
    let mut file = std::fs::File::from(fd);
    file.write_all(library).map_err(|error| failed("writing", &error))?;
    // Sealed, so that nothing in this process can change code after it was checked.
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals).map_err(|error| failed("sealing", &error))?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    Ok(RuntimeLibrary { path, _file: file })
}
