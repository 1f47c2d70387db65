//! Taking back what an installation keeps for itself: the index of jobs with the remembered approvals, and the lock.

use std::fs;
use std::path::{Path, PathBuf};

use super::{AutomationLock, ProcessId, Store};

/// A file of an installation.
#[derive(Debug)]
pub struct Kept {
    pub path: PathBuf,
    /// In bytes.
    pub size: u64,
    /// Why it could not be deleted.
    pub reason: Option<String>,
}

/// What Deskhand itself writes into the state folder. The user's `policy.toml` is the user's.
const OWN_FILES: [&str; 4] = ["jobs.db", "jobs.db-journal", "automation.lock", "automation.json"];

/// Deletes what Deskhand keeps in the state folder, and the folder when nothing else lies in it; `dry_run` only lists it.
/// While something runs, everything stays.
pub fn forget_installation(state: &Path, dry_run: bool) -> Vec<Kept> {
    let paths = OWN_FILES.iter().map(|name| state.join(name));
    let found: Vec<(PathBuf, u64)> =
        paths.filter_map(|path| fs::metadata(&path).ok().map(|facts| (path, facts.len()))).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let busy =
        running(state).map(|id| format!("{id} still runs; wait for it, or end it with: deskhand tasks stop {id}"));
    let kept = found.into_iter().map(|(path, size)| {
        let reason = match (&busy, dry_run) {
            (Some(busy), _) => Some(busy.clone()),
            (None, true) => None,
            (None, false) => fs::remove_file(&path).err().map(|error| error.to_string()),
        };
        Kept { path, size, reason }
    });
    let kept: Vec<Kept> = kept.collect();
    if !dry_run {
        // Folders with something else in them stay.
        let _ = fs::remove_dir(state).and_then(|()| state.parent().map_or(Ok(()), fs::remove_dir));
    }
    kept
}

/// An execution that runs or is being started.
fn running(state: &Path) -> Option<String> {
    if let Some(owner) = AutomationLock::owner(state) {
        return Some(owner.execution);
    }
    // A database that cannot be read has nothing in it that could still be used.
    let jobs = Store::open(state).and_then(|store| store.unfinished()).unwrap_or_default();
    let lives = |process: ProcessId| process.is_alive();
    jobs.into_iter().find(|job| lives(job.keeper) || job.worker.is_some_and(lives)).map(|job| job.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::{Job, State};

    #[test]
    fn all_is_taken_back_but_the_users_own_rules_and_never_while_something_runs() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("Deskhand").join("state");
        assert!(forget_installation(&state, false).is_empty());
        let mut store = Store::open(&state).unwrap();
        let session = store.begin_session("test").unwrap();
        let job = Job {
            id: "here".into(),
            task: "fill".into(),
            folder: dir.path().into(),
            background: false,
            state: State::Running,
            message: String::new(),
            keeper: ProcessId::own(),
            worker: None,
            created: "2026-11-30".into(),
            ended: None,
        };
        store.enter(&job, session).unwrap();
        let kept = forget_installation(&state, false);
        assert!(kept.iter().all(|kept| kept.reason.as_ref().is_some_and(|reason| reason.contains("here"))), "{kept:?}");
        store.finish("here", State::Completed, "").unwrap();
        drop(store);
        assert_eq!(forget_installation(&state, true).len(), 1);
        assert!(state.join("jobs.db").is_file(), "only listed");
        fs::write(state.join("policy.toml"), "").unwrap();
        forget_installation(&state, false);
        let left: Vec<_> = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["policy.toml"]);
        fs::remove_file(state.join("policy.toml")).unwrap();
        drop(Store::open(&state).unwrap());
        forget_installation(&state, false);
        assert!(!dir.path().join("Deskhand").exists());
    }
}
