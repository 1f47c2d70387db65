//! A file of the user's own, compared byte by byte with the embedded library before every use.
//!
//! Its name holds a checksum of its content: programs of different versions have different files and never touch each
//! other's. It is written beside its place and renamed, so that a file of that name is complete. While it is compared
//! and loaded it is held open in a way that (on Windows) lets nobody write to it or replace it.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::{Leftover, Result, RuntimeLibrary, failed};

/// How the files begin and end.
const NAME: (&str, &str) = ("onnxruntime-", ".dll");
/// The end of one that is being written.
const PARTIAL: &str = ".part";

/// Takes the file that is there when it is what it must be, else writes it.
pub fn place(folder: &Path, library: &[u8]) -> Result<RuntimeLibrary> {
    let path = folder.join(format!("{}{:016x}{}", NAME.0, xxh3_64(library), NAME.1));
    if let Some(file) = open_if_equal(&path, library) {
        return Ok(RuntimeLibrary { path, _file: file });
    }
    let at = |what: &str, path: &Path, error: std::io::Error| failed(&format!("{what} {}", path.display()), &error);
    fs::create_dir_all(folder).map_err(|error| at("making the folder", folder, error))?;
    let partial = path.with_extension(format!("{}{PARTIAL}", std::process::id()));
    let written = fs::write(&partial, library).and_then(|()| fs::rename(&partial, &path));
    if written.is_err() {
        // It may be gone already, or never have been there.
        let _ = fs::remove_file(&partial);
    }
    // Another start may have been quicker and hold the file open, which makes renaming fail: what counts is what lies
    // there now.
    match (open_if_equal(&path, library), written) {
        (Some(file), _) => Ok(RuntimeLibrary { path, _file: file }),
        (None, Err(error)) => Err(at("writing", &path, error)),
        (None, Ok(())) => Err(failed("checking", &format!("{} was changed while it was written", path.display()))),
    }
}

/// Deletes every library in the folder, then the folder and the one above when they are empty.
pub fn cleanup(folder: &Path, dry_run: bool) -> Vec<Leftover> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with(NAME.0) || !(name.ends_with(NAME.1) || name.ends_with(PARTIAL)) {
            continue;
        }
        let size = entry.metadata().map_or(0, |about| about.len());
        let kept = if dry_run { None } else { fs::remove_file(entry.path()).err() };
        found.push(Leftover { path: entry.path(), size, kept });
    }
    if !dry_run {
        // A folder that holds something else is not ours to delete, and refuses.
        let _ = fs::remove_dir(folder);
        let _ = folder.parent().map(fs::remove_dir);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The file, open, when its content is exactly that.
fn open_if_equal(path: &Path, content: &[u8]) -> Option<File> {
    let mut file = open(path).ok()?;
    if file.metadata().ok()?.len() != content.len() as u64 {
        return None;
    }
    let mut block = vec![0; 1 << 20];
    let mut rest = content;
    while !rest.is_empty() {
        let read = file.read(&mut block).ok()?;
        let (now, later) = rest.split_at_checked(read)?;
        if read == 0 || block.get(..read)? != now {
            return None;
        }
        rest = later;
    }
    Some(file)
}

/// Opens for reading; others may read too, but neither write nor delete nor rename.
#[cfg(windows)]
fn open(path: &Path) -> std::io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_SHARE_READ: u32 = 1;
    File::options().read(true).share_mode(FILE_SHARE_READ).open(path)
}

#[cfg(not(windows))]
fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &[u8] = b"code of the library";

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_file_is_written_once_and_used_again() {
        let user = tempfile::tempdir().unwrap();
        let folder = user.path().join("工具 箱").join("runtime");
        let first = place(&folder, LIBRARY).unwrap().path().to_owned();
        let written = fs::metadata(&first).unwrap().modified().unwrap();
        assert_eq!(fs::read(&first).unwrap(), LIBRARY);
        let second = place(&folder, LIBRARY).unwrap();
        assert_eq!(second.path(), first);
        assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), written);
        assert_eq!(names(&folder).len(), 1);
    }

    #[test]
    fn a_changed_or_cut_file_is_replaced_and_never_used() {
        let user = tempfile::tempdir().unwrap();
        let path = place(user.path(), LIBRARY).unwrap().path().to_owned();
        for bad in [&b"code of the librarY"[..], b"code of", b"code of the library and more", b""] {
            fs::write(&path, bad).unwrap();
            assert!(open_if_equal(&path, LIBRARY).is_none());
            let again = place(user.path(), LIBRARY).unwrap();
            assert_eq!(fs::read(again.path()).unwrap(), LIBRARY);
        }
        assert_eq!(names(user.path()).len(), 1);
    }

    #[test]
    fn another_version_has_another_file() {
        let user = tempfile::tempdir().unwrap();
        let (one, other) = (place(user.path(), LIBRARY).unwrap(), place(user.path(), b"newer").unwrap());
        assert_ne!(one.path(), other.path());
    }

    #[test]
    fn cleanup_deletes_what_is_ours_and_nothing_else() {
        let user = tempfile::tempdir().unwrap();
        let folder = user.path().join("Deskhand").join("runtime");
        place(&folder, LIBRARY).unwrap();
        fs::write(folder.join("onnxruntime-1.99.part"), b"half").unwrap();
        fs::write(folder.join("note.txt"), b"mine").unwrap();
        assert_eq!(cleanup(&folder, true).len(), 2);
        assert_eq!(names(&folder).len(), 3);
        let deleted = cleanup(&folder, false);
        assert!(deleted.iter().all(|left| left.kept.is_none()), "{deleted:?}");
        assert_eq!(names(&folder), ["note.txt"]);
        fs::remove_file(folder.join("note.txt")).unwrap();
        cleanup(&folder, false);
        assert!(!user.path().join("Deskhand").exists());
        assert!(cleanup(&folder, false).is_empty());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_told() {
        let user = tempfile::tempdir().unwrap();
        fs::write(user.path().join("file"), b"").unwrap();
        let error = place(&user.path().join("file"), LIBRARY).unwrap_err().to_string();
        assert!(error.contains("file"), "{error}");
    }

    #[cfg(windows)]
    #[test]
    fn nobody_can_change_the_file_between_check_and_loading() {
        let user = tempfile::tempdir().unwrap();
        let guard = place(user.path(), LIBRARY).unwrap();
        fs::write(guard.path(), b"other code").unwrap_err();
        fs::remove_file(guard.path()).unwrap_err();
        let left = cleanup(user.path(), false);
        assert!(left.first().is_some_and(|left| left.kept.is_some()));
    }
}
