//! Starting Deskhand's own processes so that none of them outlives what it belongs to.

use std::io;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::process::EXECUTION_VARIABLE;

/// Makes the command that starts this program again; tests put another program there.
pub struct Launcher(Box<dyn Fn() -> io::Result<Command> + Send + Sync>);

impl Launcher {
    /// The program that is running.
    pub fn this_program() -> Self {
        Launcher(Box::new(crate::relaunch::command))
    }

    /// Another program.
    pub fn with(make: impl Fn() -> io::Result<Command> + Send + Sync + 'static) -> Self {
        Launcher(Box::new(make))
    }

    pub(super) fn command(&self) -> io::Result<Command> {
        (self.0)()
    }
}

/// A started worker, tied to this process: the end of this process is the end of its standard input, and on Windows
/// also the end of its job object.
pub(super) struct TiedChild {
    pub child: Child,
    _tie: system::Tie,
}

/// Starts a worker of an execution. Its input and output are pipes.
pub(super) fn tied(mut command: Command, execution: &str) -> io::Result<TiedChild> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).env(EXECUTION_VARIABLE, execution);
    system::apart(&mut command);
    let mut child = command.spawn()?;
    match system::tie(&child) {
        Ok(tie) => Ok(TiedChild { child, _tie: tie }),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

/// Starts a process that must outlive a killed worker for a moment: the guard. Its input is a pipe.
pub(super) fn guard(make: &Launcher) -> io::Result<Child> {
    let prepared = || -> io::Result<Command> {
        let mut command = make.command()?;
        command.arg("guard").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env_remove(EXECUTION_VARIABLE);
        Ok(command)
    };
    system::outliving(prepared)
}

/// Starts a process that goes on when this one ends, without a terminal.
pub(super) fn detached(mut command: Command) -> io::Result<Child> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    system::detach(&mut command);
    command.spawn()
}

/// Waits for a process that is about to end, and ends it when it does not.
pub(super) fn end(mut child: Child, patience: Duration) {
    let deadline = Instant::now() + patience;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    // Ended processes can be killed and waited for as well.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    pub struct Tie;

    pub fn tie(_child: &Child) -> io::Result<Tie> {
        Ok(Tie)
    }

    /// A group of its own: Ctrl-C on the terminal goes to the supervisor, which asks the worker to stop.
    pub fn apart(command: &mut Command) {
        command.process_group(0);
    }

    pub fn outliving(prepared: impl Fn() -> io::Result<Command>) -> io::Result<Child> {
        prepared()?.process_group(0).spawn()
    }

    /// The process makes itself the leader of a new session (`deskhand keep`).
    pub fn detach(_command: &mut Command) {}
}

#[cfg(windows)]
mod system {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};

    use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_BREAKAWAY_OK, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    };
    use windows_sys::Win32::System::Threading::{
        CREATE_BREAKAWAY_FROM_JOB, CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, DETACHED_PROCESS,
    };

    /// A job object whose last handle is ours: when this process ends, Windows ends all that is in it.
    pub struct Tie(HANDLE);

    impl Drop for Tie {
        fn drop(&mut self) {
            // SAFETY: the handle was opened by us and is closed once.
            unsafe { CloseHandle(self.0) };
        }
    }

    pub fn tie(child: &Child) -> io::Result<Tie> {
        // SAFETY: no name and no security attributes are needed; a null handle is the failure.
        let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        let tie = Tie(job);
        // SAFETY: the structure is plain data, for which zeros are valid.
        let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { std::mem::zeroed() };
        // The guard breaks away: it has to let go of the keys of a worker that was killed.
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_BREAKAWAY_OK;
        let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
        // SAFETY: both handles are open, and the structure is as large as is said.
        let done = unsafe {
            SetInformationJobObject(tie.0, JobObjectExtendedLimitInformation, (&raw const limits).cast(), size) != 0
                && AssignProcessToJobObject(tie.0, child.as_raw_handle()) != 0
        };
        if done { Ok(tie) } else { Err(io::Error::last_os_error()) }
    }

    pub fn apart(command: &mut Command) {
        command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
    }

    pub fn outliving(prepared: impl Fn() -> io::Result<Command>) -> io::Result<Child> {
        let flags = CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW;
        // A job around all of Deskhand may forbid to break away; then the guard lives as long as that job allows.
        prepared()?
            .creation_flags(flags | CREATE_BREAKAWAY_FROM_JOB)
            .spawn()
            .or_else(|_| prepared()?.creation_flags(flags).spawn())
    }

    pub fn detach(command: &mut Command) {
        command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
    }
}
