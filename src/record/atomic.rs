//! Files that readers see whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::RecordError;

/// What became of something that is published once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// It is there now and stays.
    First,
    /// Somebody was there before; nothing was changed.
    TooLate,
}

/// Writes a file in one step: whoever reads it sees the old content or the new one.
///
/// # Errors
/// When it cannot be written.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let partial = written(path, content)?;
    rename_patiently(&partial, path).map_err(|e| {
        let _ = fs::remove_file(&partial);
        RecordError::write(path, e)
    })
}

/// Writes a file in one step, unless it is there already.
///
/// # Errors
/// When it cannot be written.
pub(super) fn publish(path: &Path, content: &[u8]) -> Result<Published, RecordError> {
    if path.exists() {
        return Ok(Published::TooLate);
    }
    let partial = written(path, content)?;
    match rename_new(&partial, path) {
        Ok(()) => Ok(Published::First),
        Err(error) => {
            let _ = fs::remove_file(&partial);
            if path.exists() { Ok(Published::TooLate) } else { Err(RecordError::write(path, error)) }
        }
    }
}

/// A complete file beside `path`, under a name that no other writer uses.
fn written(path: &Path, content: &[u8]) -> Result<PathBuf, RecordError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let partial = path.with_file_name(format!(".{name}.{}-{number}.partial", std::process::id()));
    let done = File::create(&partial).and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()));
    done.map_err(|e| {
        let _ = fs::remove_file(&partial);
        RecordError::write(path, e)
    })?;
    Ok(partial)
}

/// Windows refuses to replace a file while somebody has it open in certain ways (virus scanners do); that passes.
fn rename_patiently(from: &Path, to: &Path) -> io::Result<()> {
    let mut tries = 0;
    loop {
        match fs::rename(from, to) {
            Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied && tries < 200 => {
                tries += 1;
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            done => return done,
        }
    }
}

#[cfg(target_os = "linux")]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // File systems that cannot do that (some network shares) can usually link.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP) => {
            fs::hard_link(from, to)?;
            fs::remove_file(from)
        }
        other => Ok(other?),
    }
}

#[cfg(windows)]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use std::os::windows::ffi::OsStrExt;
    use windows_sys::Win32::Storage::FileSystem::{MOVEFILE_WRITE_THROUGH, MoveFileExW};
    let wide = |path: &Path| path.as_os_str().encode_wide().chain([0]).collect::<Vec<u16>>();
    let (from, to) = (wide(from), wide(to));
    // SAFETY: both names are zero-terminated and live until the call returns.
    let done = unsafe { MoveFileExW(from.as_ptr(), to.as_ptr(), MOVEFILE_WRITE_THROUGH) };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(not(any(target_os = "linux", windows)))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}
