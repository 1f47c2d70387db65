//! The automation lock: a screen has one mouse, so one execution has it at a time, and says who it is.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::ProcessId;

/// Who has the lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    pub execution: String,
    pub task: String,
    pub process: ProcessId,
    pub since: String,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}, process {}, since {})", self.execution, self.task, self.process.pid, self.since)
    }
}

/// Why the lock was not given.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{0} is using the screen; wait for it, or end it with: deskhand tasks stop {id}", id = .0.execution)]
    Held(Box<Owner>),
    #[error("another Deskhand is using the screen and does not say which; wait for it, or end it")]
    HeldBySomebody,
    #[error("the automation lock {path} does not work: {source}", path = path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// How long the winner may take to write its name down.
const NAMING: Duration = Duration::from_secs(2);
/// Between two looks at the name.
const POLL: Duration = Duration::from_millis(1);

/// The lock, held until it is dropped or the process ends in whatever way.
#[derive(Debug)]
pub struct AutomationLock {
    folder: PathBuf,
    _held: system::Held,
}

impl AutomationLock {
    /// Takes the lock of the installation whose state folder is `folder`. Does not wait for its release.
    ///
    /// # Errors
    /// [`LockError::Held`] with its owner, or when the lock does not work.
    pub fn take(folder: &Path, owner: &Owner) -> Result<Self, LockError> {
        let io = |source| LockError::Io { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        let deadline = Instant::now() + NAMING;
        loop {
            if let Some(held) = system::try_take(folder).map_err(io)? {
                let lock = AutomationLock { folder: folder.to_owned(), _held: held };
                let text = serde_json::to_vec(owner).map_err(|e| io(e.into()))?;
                let partial = folder.join(format!(".automation.{}.partial", std::process::id()));
                std::fs::write(&partial, text)
                    .and_then(|()| std::fs::rename(&partial, name_file(folder)))
                    .map_err(io)?;
                return Ok(lock);
            }
            // Between taking the lock and writing the name down the owner is unknown; so it is after a release, when
            // the lock may be had by now.
            if let Some(owner) = Self::owner(folder) {
                return Err(LockError::Held(Box::new(owner)));
            }
            if Instant::now() >= deadline {
                return Err(LockError::HeldBySomebody);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Who has the lock now, without asking for it; `None` when nobody has, or the one who had it is dead.
    pub fn owner(folder: &Path) -> Option<Owner> {
        let text = std::fs::read(name_file(folder)).ok()?;
        let owner: Owner = serde_json::from_slice(&text).ok()?;
        owner.process.is_alive().then_some(owner)
    }
}

impl Drop for AutomationLock {
    fn drop(&mut self) {
        // The name goes first: nobody may read it when the lock belongs to somebody else already.
        let _ = std::fs::remove_file(name_file(&self.folder));
    }
}

fn name_file(folder: &Path) -> PathBuf {
    folder.join("automation.json")
}

#[cfg(not(windows))]
mod system {
    use std::fs::{File, OpenOptions, TryLockError};
    use std::io;
    use std::path::Path;

    /// flock(2): the system gives it back when the process is gone.
    #[derive(Debug)]
    pub struct Held(#[expect(dead_code, reason = "closing the file is what gives the lock back")] File);

    pub fn try_take(folder: &Path) -> io::Result<Option<Held>> {
        let path = folder.join("automation.lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Held(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(windows)]
mod system {
    use std::io;
    use std::marker::PhantomData;
    use std::path::Path;

    use windows_sys::Win32::Foundation::{CloseHandle, HANDLE, WAIT_ABANDONED, WAIT_OBJECT_0, WAIT_TIMEOUT};
    use windows_sys::Win32::System::Threading::{CreateMutexW, ReleaseMutex, WaitForSingleObject};

    /// A named mutex of the user's session: the system gives it back when the process is gone. It belongs to the thread
    /// that took it, so it cannot be sent to another one.
    #[derive(Debug)]
    pub struct Held {
        mutex: HANDLE,
        _of_one_thread: PhantomData<*const ()>,
    }

    impl Drop for Held {
        fn drop(&mut self) {
            // SAFETY: the mutex was taken by this thread and is closed once.
            unsafe {
                ReleaseMutex(self.mutex);
                CloseHandle(self.mutex);
            }
        }
    }

    pub fn try_take(folder: &Path) -> io::Result<Option<Held>> {
        // One name for one folder, however it is spelled.
        let folder = std::fs::canonicalize(folder)?.to_string_lossy().to_lowercase();
        let name = format!(r"Local\Deskhand-automation-{:016x}", xxhash_rust::xxh3::xxh3_64(folder.as_bytes()));
        let wide: Vec<u16> = name.encode_utf16().chain([0]).collect();
        // SAFETY: the name is zero-terminated and lives until the call returns.
        let mutex = unsafe { CreateMutexW(std::ptr::null(), 0, wide.as_ptr()) };
        if mutex.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is open.
        match unsafe { WaitForSingleObject(mutex, 0) } {
            // Abandoned: who had it died with it; it is ours all the same.
            WAIT_OBJECT_0 | WAIT_ABANDONED => Ok(Some(Held { mutex, _of_one_thread: PhantomData })),
            answer => {
                let error = io::Error::last_os_error();
                // SAFETY: the handle is open and closed once.
                unsafe { CloseHandle(mutex) };
                if answer == WAIT_TIMEOUT { Ok(None) } else { Err(error) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(execution: &str) -> Owner {
        Owner {
            execution: execution.into(),
            task: "fill".into(),
            process: ProcessId::own(),
            since: "2026-11-30T10:00:00".into(),
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn the_second_one_is_told_who_has_it_and_gets_it_after_the_release() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("状态");
        let first = AutomationLock::take(&folder, &owner("first")).unwrap();
        match AutomationLock::take(&folder, &owner("second")) {
            Err(LockError::Held(holder)) => assert_eq!(holder.execution, "first"),
            other => panic!("{other:?}"),
        }
        assert_eq!(AutomationLock::owner(&folder).unwrap().execution, "first");
        drop(first);
        assert_eq!(AutomationLock::owner(&folder), None);
        AutomationLock::take(&folder, &owner("second")).unwrap();
    }

    #[test]
    fn the_name_of_a_dead_owner_counts_for_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let dead = Owner { process: ProcessId { born: 1, ..ProcessId::own() }, ..owner("dead") };
        std::fs::write(name_file(dir.path()), serde_json::to_vec(&dead).unwrap()).unwrap();
        assert_eq!(AutomationLock::owner(dir.path()), None);
        let lock = AutomationLock::take(dir.path(), &owner("alive")).unwrap();
        assert_eq!(AutomationLock::owner(dir.path()).unwrap().execution, "alive");
        drop(lock);
    }

    #[test]
    fn two_installations_have_two_locks() {
        let dir = tempfile::tempdir().unwrap();
        let _a = AutomationLock::take(&dir.path().join("a"), &owner("a")).unwrap();
        let _b = AutomationLock::take(&dir.path().join("b"), &owner("b")).unwrap();
    }
}
