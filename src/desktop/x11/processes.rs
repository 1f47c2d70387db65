//! Which processes stand above ours, and what a process runs: from /proc.

use std::fs;

/// The process ids of our parent, its parent and so on.
pub fn ancestors() -> Vec<u32> {
    let mut found = Vec::new();
    let mut pid = std::process::id();
    while let Some(parent) = parent(pid) {
        // Process 1 starts everything; being below it says nothing about who called us.
        if parent <= 1 || found.contains(&parent) {
            break;
        }
        found.push(parent);
        pid = parent;
    }
    found
}

/// The base name of the file that the process runs.
pub fn executable(pid: u32) -> Option<String> {
    let path = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// What the threads of a process are up to at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    /// Whether one of them runs or waits for a processor.
    pub running: bool,
    /// How often they have changed between running and waiting; equal counts mean that nothing has happened between.
    pub switches: u64,
}

/// The activity of a process; `None` when it cannot be told.
pub fn activity(pid: u32) -> Option<Activity> {
    let mut activity = Activity { running: false, switches: 0 };
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let status = fs::read_to_string(task.ok()?.path().join("status")).ok()?;
        for line in status.lines() {
            let Some((name, value)) = line.split_once(':') else { continue };
            match name {
                // Sleeping (S) is the only state of a thread that waits for events.
                "State" => activity.running |= !value.trim_start().starts_with('S'),
                "voluntary_ctxt_switches" | "nonvoluntary_ctxt_switches" => {
                    activity.switches += value.trim().parse::<u64>().unwrap_or(0);
                }
                _ => {}
            }
        }
    }
    Some(activity)
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may contain spaces and parentheses itself: the last one closes it.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_parent_is_the_nearest_ancestor() {
        let found = ancestors();
        assert_eq!(found.first().copied(), Some(std::os::unix::process::parent_id()).filter(|pid| *pid > 1));
    }

    #[test]
    fn a_process_that_looks_at_itself_is_running() {
        assert!(activity(std::process::id()).unwrap().running);
        assert_eq!(activity(u32::MAX), None);
    }

    #[test]
    fn the_executable_of_this_process_is_known() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(executable(std::process::id()).as_deref(), own.file_name().and_then(|name| name.to_str()));
        assert_eq!(executable(u32::MAX), None);
    }
}
