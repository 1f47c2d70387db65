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
    fn the_executable_of_this_process_is_known() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(executable(std::process::id()).as_deref(), own.file_name().and_then(|name| name.to_str()));
        assert_eq!(executable(u32::MAX), None);
    }
}
