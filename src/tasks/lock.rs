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

    const FOLDER: &str = "DESKHAND_TEST_LOCK_FOLDER";

    /// One of two processes that race for the lock, as told line by line.
    #[test]
    #[ignore = "a part of two_processes_race_for_the_lock"]
    fn racer() {
        let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
        let own = owner(&format!("racer-{}", std::process::id()));
        let mut held = None;
        for line in std::io::stdin().lines() {
            match line.unwrap().as_str() {
                "take" => match AutomationLock::take(&folder, &own) {
                    Ok(lock) => {
                        held = Some(lock);
                        println!("\n> won {}", own.execution);
                    }
                    Err(LockError::Held(holder)) => println!("\n> lost {}", holder.execution),
                    Err(other) => println!("\n> broken {other}"),
                },
                _ => {
                    held = None;
                    println!("\n> released");
                }
            }
        }
        drop(held);
    }

    struct Racer {
        child: std::process::Child,
        lines: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
    }

    impl Racer {
        fn start(folder: &Path) -> Self {
            use std::io::BufRead;
            use std::process::{Command, Stdio};
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "tasks::lock::tests::racer", "--ignored", "--nocapture"])
                .env(FOLDER, folder)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
            Racer { child, lines }
        }

        fn say(&mut self, word: &str) {
            use std::io::Write;
            writeln!(self.child.stdin.as_mut().unwrap(), "{word}").unwrap();
        }

        fn hear(&mut self) -> String {
            self.lines.by_ref().find_map(|line| Some(line.unwrap().strip_prefix("> ")?.to_owned())).unwrap()
        }
    }

    #[test]
    fn two_processes_race_for_the_lock_a_thousand_times_and_never_both_have_it() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("状态");
        let (mut a, mut b) = (Racer::start(&folder), Racer::start(&folder));
        let mut wins = [0, 0];
        for round in 0..1000 {
            a.say("take");
            b.say("take");
            let heard = [a.hear(), b.hear()];
            let winner = heard.iter().position(|words| words.starts_with("won ")).expect("one has it");
            let name = heard[winner].strip_prefix("won ").unwrap();
            assert_eq!(heard[1 - winner], format!("lost {name}"), "round {round}: {heard:?}");
            // Whoever only asks needs no lock.
            assert_eq!(AutomationLock::owner(&folder).unwrap().execution, name);
            wins[winner] += 1;
            a.say("release");
            b.say("release");
            assert_eq!([a.hear(), b.hear()], ["released", "released"]);
        }
        println!("wins: {wins:?}");
        drop((a.child.stdin.take(), b.child.stdin.take()));
        assert!(a.child.wait().unwrap().success() && b.child.wait().unwrap().success());
    }

    #[test]
    fn the_lock_of_a_killed_process_is_free_and_its_name_counts_for_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut killed = Racer::start(dir.path());
        killed.say("take");
        assert!(killed.hear().starts_with("won "));
        killed.child.kill().unwrap();
        killed.child.wait().unwrap();
        assert_eq!(AutomationLock::owner(dir.path()), None);
        let lock = AutomationLock::take(dir.path(), &owner("next")).unwrap();
        assert_eq!(AutomationLock::owner(dir.path()).unwrap().execution, "next");
        drop(lock);
        assert_eq!(AutomationLock::owner(dir.path()), None);
    }

    #[test]
    fn two_installations_have_two_locks() {
        let dir = tempfile::tempdir().unwrap();
        let _a = AutomationLock::take(&dir.path().join("a"), &owner("a")).unwrap();
        let _b = AutomationLock::take(&dir.path().join("b"), &owner("b")).unwrap();
    }
}
