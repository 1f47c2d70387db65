//! Processes by who they are, not only by number, and ending one with everything that it started.

use serde::{Deserialize, Serialize};

/// A process. Numbers are used again; number and time of birth together are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessId {
    pub pid: u32,
    /// When it was born, in the system's own unit.
    pub born: u64,
}

/// Marks every process of an execution: children inherit the environment, also those that leave their group.
pub const EXECUTION_VARIABLE: &str = "DESKHAND_EXECUTION";

impl ProcessId {
    /// This process.
    pub fn own() -> Self {
        let pid = std::process::id();
        ProcessId { pid, born: system::born(pid).unwrap_or_default() }
    }

    /// The process of that number; `None` when there is none.
    pub fn of(pid: u32) -> Option<Self> {
        Some(ProcessId { pid, born: system::born(pid)? })
    }

    /// The process of that number, which we have just started. One that is dead already has no time of birth any more;
    /// no other process is meant then.
    pub fn started(pid: u32) -> Self {
        Self::of(pid).unwrap_or(ProcessId { pid, born: 0 })
    }

    /// Whether it still runs. A process that has ended but was not waited for is dead.
    pub fn is_alive(self) -> bool {
        system::born(self.pid) == Some(self.born)
    }

    /// Asks it to end, where the system has a way to ask.
    pub fn ask_to_end(self) {
        if self.is_alive() {
            system::ask_to_end(self.pid);
        }
    }
}

/// Kills a worker and all that it and its children have started, but not its guard, which has its work to do then.
pub fn clear_tree(worker: ProcessId, execution: &str, guard: Option<ProcessId>) {
    system::clear_tree(worker, execution, guard);
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};

    use super::{EXECUTION_VARIABLE, ProcessId};

    /// Start time in clock ticks since boot (proc(5), `/proc/pid/stat` field 22); `None` for zombies too.
    pub fn born(pid: u32) -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name may contain anything, blanks and brackets too; what follows its last bracket does not.
        let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_whitespace();
        let state = fields.next()?;
        if matches!(state, "Z" | "X" | "x") {
            return None;
        }
        fields.nth(18)?.parse().ok()
    }

    pub fn ask_to_end(pid: u32) {
        if let Some(pid) = pid_of(pid) {
            // It may have ended meanwhile, which is what was asked for.
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// The guard does not carry the mark and leads a group of its own.
    pub fn clear_tree(worker: ProcessId, execution: &str, _guard: Option<ProcessId>) {
        // A worker that clears up after itself is the last to go.
        let other = worker.pid != std::process::id() && worker.is_alive();
        if let Some(pid) = pid_of(worker.pid).filter(|_| other) {
            let _ = kill_process(pid, Signal::KILL);
        }
        // Children may start others while they are being ended: until none is left, but not for ever.
        for _ in 0..20 {
            let left = of_execution(execution);
            if left.is_empty() {
                break;
            }
            for pid in left.into_iter().filter_map(pid_of) {
                let _ = kill_process(pid, Signal::KILL);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        // The worker leads a group of its own, whose number no other process gets while a member lives.
        if let Some(group) = pid_of(worker.pid).filter(|_| born(worker.pid).is_none_or(|born| born == worker.born)) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Living processes that carry the execution's mark, other than this one.
    fn of_execution(execution: &str) -> Vec<u32> {
        let mark = format!("{EXECUTION_VARIABLE}={execution}");
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| *pid != std::process::id() && born(*pid).is_some())
            .filter(|pid| {
                let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
            })
            .collect()
    }

    fn pid_of(pid: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(pid).ok()?)
    }
}

#[cfg(windows)]
mod system {
    use windows_sys::Win32::Foundation::{FILETIME, STILL_ACTIVE};
    use windows_sys::Win32::System::Threading::{
        GetExitCodeProcess, GetProcessTimes, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_TERMINATE, TerminateProcess,
    };

    use super::ProcessId;
    use crate::desktop::processes::{open, parents};

    /// Creation time in 100 ns since 1601; `None` when it has ended.
    pub fn born(pid: u32) -> Option<u64> {
        let process = open(pid, PROCESS_QUERY_LIMITED_INFORMATION)?;
        let mut code = 0;
        let none = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
        let (mut created, mut ended, mut kernel, mut user) = (none, none, none, none);
        // SAFETY: the handle is open and every pointer leads to a local variable.
        let (running, times) = unsafe {
            let running = GetExitCodeProcess(process.0, &mut code) != 0 && code == STILL_ACTIVE as u32;
            (running, GetProcessTimes(process.0, &mut created, &mut ended, &mut kernel, &mut user) != 0)
        };
        let time = u64::from(created.dwHighDateTime) << 32 | u64::from(created.dwLowDateTime);
        (running && times).then_some(time)
    }

    /// Windows has no polite way to end a process without a window; the stop file was the polite way.
    pub fn ask_to_end(_pid: u32) {}

    /// The worker's job object, which its supervisor holds, ends all of them too; this also works from other processes.
    pub fn clear_tree(worker: ProcessId, _execution: &str, guard: Option<ProcessId>) {
        let mut tree = vec![worker];
        let mut place = 0;
        let all = parents();
        while let Some(parent) = tree.get(place).copied() {
            place += 1;
            let children =
                all.iter().filter(|(_, owner)| *owner == parent.pid).filter_map(|(pid, _)| ProcessId::of(*pid));
            // The number of a dead parent may have been used again: a child is younger than its parent.
            let children = children.filter(|child| child.born >= parent.born && Some(*child) != guard);
            let new: Vec<_> = children.filter(|child| !tree.contains(child)).collect();
            tree.extend(new);
        }
        for process in tree {
            if !process.is_alive() {
                continue;
            }
            if let Some(handle) = open(process.pid, PROCESS_TERMINATE) {
                // SAFETY: the handle is open; the process may have ended meanwhile, which is what is wanted.
                unsafe { TerminateProcess(handle.0, 1) };
            }
        }
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    use super::ProcessId;

    pub fn born(_pid: u32) -> Option<u64> {
        None
    }

    pub fn ask_to_end(_pid: u32) {}

    pub fn clear_tree(_worker: ProcessId, _execution: &str, _guard: Option<ProcessId>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_number_and_birth() {
        let own = ProcessId::own();
        assert!(own.is_alive());
        assert!(!ProcessId { born: own.born + 1, ..own }.is_alive(), "another process with the same number");
        assert_eq!(ProcessId::of(own.pid), Some(own));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn children_that_leave_their_group_and_change_their_parent_are_cleared_too() {
        use std::os::unix::process::CommandExt;
        use std::time::{Duration, Instant};
        let mark = format!("test-{}", std::process::id());
        let mut child = std::process::Command::new("sh")
            .args(["-c", "setsid sh -c 'sleep 1000 & wait' & sleep 1000 & wait"])
            .env(EXECUTION_VARIABLE, &mark)
            .process_group(0)
            .spawn()
            .unwrap();
        let worker = ProcessId::of(child.id()).unwrap();
        let marked = || {
            let all = std::fs::read_dir("/proc").unwrap().flatten();
            let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
            let carries = |pid: &u32| {
                let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                String::from_utf8_lossy(&environment).contains(&format!("{EXECUTION_VARIABLE}={mark}"))
            };
            pids.filter(|pid| ProcessId::of(*pid).is_some()).filter(carries).count()
        };
        let until = Instant::now() + Duration::from_secs(10);
        while marked() < 4 {
            assert!(Instant::now() < until, "{}", marked());
            std::thread::yield_now();
        }
        clear_tree(worker, &mark, None);
        child.wait().unwrap();
        assert_eq!(marked(), 0);
    }
}
