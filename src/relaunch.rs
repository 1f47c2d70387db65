//! How Deskhand starts itself again: as a worker, as the keeper of a background job, as the guard of keys and buttons.
//!
//! Owns the answer to "which file am I, now?": the executable may have another name, lie under a path of any language,
//! or be replaced while it runs. It knows nobody.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The executable as it was opened at the start; `None` inside when it could not be opened.
static STARTED: OnceLock<Option<File>> = OnceLock::new();

/// To be called once by the program's entry, before anything can replace the executable. A program that has not called
/// it, such as a test runner that only contains Deskhand's code, cannot be started again as Deskhand.
pub fn remember() {
    let _ = STARTED.set(open_own());
}

/// A command that starts the program that is running, whatever became of its file's name.
///
/// # Errors
/// When the running program is not Deskhand, or its file cannot be found any more.
pub fn command() -> io::Result<Command> {
    let Some(started) = STARTED.get() else {
        let name = std::env::current_exe().unwrap_or_default();
        return Err(io::Error::other(format!(
            "{} contains Deskhand's code but is not Deskhand, so it cannot be started as its worker",
            name.display()
        )));
    };
    let mut command = Command::new(current(started.as_ref())?);
    shown_as(&mut command);
    Ok(command)
}

#[cfg(target_os = "linux")]
fn open_own() -> Option<File> {
    // The link of the process is all that is needed: it leads to the started file even after its deletion.
    None
}

#[cfg(not(target_os = "linux"))]
fn open_own() -> Option<File> {
    File::open(std::env::current_exe().ok()?).ok()
}

#[cfg(target_os = "linux")]
fn current(_started: Option<&File>) -> io::Result<PathBuf> {
    Ok(PathBuf::from("/proc/self/exe"))
}

/// Windows lets a running executable be renamed, not deleted: the open file knows its new name.
#[cfg(windows)]
fn current(started: Option<&File>) -> io::Result<PathBuf> {
    use std::os::windows::ffi::OsStringExt;
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Storage::FileSystem::GetFinalPathNameByHandleW;

    let Some(file) = started else { return std::env::current_exe() };
    let mut name = vec![0u16; 32_768];
    // SAFETY: the handle is open as long as `file` lives, and the buffer is as long as is said.
    let length = unsafe { GetFinalPathNameByHandleW(file.as_raw_handle(), name.as_mut_ptr(), 32_768, 0) } as usize;
    if length == 0 || length >= name.len() {
        return std::env::current_exe();
    }
    name.truncate(length);
    let path = std::ffi::OsString::from_wide(&name);
    // Programs that are started with the long form of a path show it to their users.
    match path.to_str().and_then(|path| path.strip_prefix(r"\\?\")) {
        Some(short) if !short.starts_with("UNC\\") && short.len() < 240 => Ok(PathBuf::from(short)),
        _ => Ok(PathBuf::from(path)),
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
fn current(_started: Option<&File>) -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// Process lists show the program's own name instead of the link.
#[cfg(unix)]
fn shown_as(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    if let Some(name) = std::env::args_os().next() {
        command.arg0(name);
    }
}

#[cfg(not(unix))]
fn shown_as(_command: &mut Command) {}

#[cfg(test)]
mod tests {
    #[test]
    fn a_test_runner_is_not_started_as_if_it_were_deskhand() {
        let error = super::command().unwrap_err().to_string();
        assert!(error.contains("is not Deskhand"), "{error}");
    }
}
