//! Where Deskhand writes: run folders for the user, the state folder for itself. Beside the executable when the user
//! made a folder `deskhand-data` there (a USB stick), else in the user's own folders.

use std::path::{Path, PathBuf};

/// Where run folders go when none is chosen: the portable folder `deskhand-data` beside the executable when it is
/// there and writable, else `Deskhand/runs` in the user's documents, else in the user's state folder.
pub fn default_runs_dir() -> Option<PathBuf> {
    if let Some(portable) = portable_folder() {
        return Some(portable.join("runs"));
    }
    let (documents, state) = user_folders();
    let base = documents.filter(|folder| folder.is_dir() && can_write(folder)).or(state)?;
    Some(base.join("Deskhand").join("runs"))
}

/// Where jobs, remembered approvals, the user's policy file and the automation lock lie: `state` in the portable
/// folder, else `Deskhand` in the user's state folder (`$XDG_STATE_HOME`, `%LOCALAPPDATA%`). One such folder is one
/// installation. `None` when the user has no home.
pub fn state_dir() -> Option<PathBuf> {
    if let Some(portable) = portable_folder() {
        return Some(portable.join("state"));
    }
    Some(user_folders().1?.join("Deskhand").join("state"))
}

/// The user's documents and the user's place for what programs keep.
#[cfg(windows)]
fn user_folders() -> (Option<PathBuf>, Option<PathBuf>) {
    (dirs::document_dir(), dirs::data_local_dir())
}

/// The user's documents and the user's place for what programs keep.
#[cfg(not(windows))]
fn user_folders() -> (Option<PathBuf>, Option<PathBuf>) {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = folder("HOME");
    let state = folder("XDG_STATE_HOME").or_else(|| home.as_ref().map(|home| home.join(".local").join("state")));
    (home.map(|home| home.join("Documents")), state)
}

fn portable_folder() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.join("deskhand-data");
    (folder.is_dir() && can_write(&folder)).then_some(folder)
}

/// Whether files can be made in a folder: by its rights, and by what it lies on (a stick may be locked).
#[cfg(unix)]
fn can_write(folder: &Path) -> bool {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Whether files can be made in a folder. Windows tells that of no folder without a try.
#[cfg(windows)]
fn can_write(folder: &Path) -> bool {
    let trial = folder.join(format!(".deskhand-{}.partial", std::process::id()));
    std::fs::File::create(&trial).is_ok_and(|_| std::fs::remove_file(&trial).is_ok())
}
