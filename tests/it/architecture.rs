//! The invariants of docs/architecture.md that can be checked: who imports whom, and how long a file is.

use std::path::{Path, PathBuf};

use crate::support::root;

/// What each room may use of the crate. Rooms that are not listed may use everything.
const MAY_KNOW: [(&str, &[&str]); 13] = [
    ("scene", &["scene"]),
    ("words", &["words"]),
    ("model", &["model", "scene"]),
    ("vision", &["vision", "scene"]),
    ("desktop", &["desktop", "scene"]),
    ("payload", &["payload"]),
    ("record", &["record", "scene"]),
    ("policy", &["policy", "scene", "words"]),
    ("tools", &["tools", "scene", "desktop", "vision", "model", "policy", "words"]),
    ("relaunch", &["relaunch"]),
    ("tasks", &["tasks", "scene", "desktop", "policy", "record", "tools", "words", "relaunch"]),
    (
        "builtin",
        &[
            "builtin", "agent", "workflow", "tasks", "tools", "policy", "record", "desktop", "vision", "model",
            "payload", "assembly",
        ],
    ),
    ("workflow", &["workflow", "scene", "model", "policy", "tasks", "tools", "words", "quiet"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// A file's lines before its tests.
fn product_lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().take_while(|line| line.trim() != "#[cfg(test)]").map(str::to_string).collect()
}

fn is_test(path: &Path) -> bool {
    path.file_name().is_some_and(|n| ["tests.rs", "testing.rs", "real.rs", "fixture.rs"].iter().any(|t| n == *t))
}

#[test]
fn no_room_knows_more_than_the_architecture_allows() {
    let mut faults = Vec::new();
    for (room, allowed) in MAY_KNOW {
        let folder = root().join("src").join(room);
        let files = if folder.is_dir() { sources(&folder) } else { vec![folder.with_extension("rs")] };
        for file in files.iter().filter(|file| !is_test(file)) {
            for line in product_lines(file) {
                for used in line.split("crate::").skip(1) {
                    let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if !name.is_empty() && !allowed.contains(&name.as_str()) {
                        faults.push(format!("{}: {}", file.display(), line.trim()));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_file_says_what_it_is_for_and_none_is_longer_than_800_lines() {
    for file in sources(&root().join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!") || is_test(&file), "{} has no module doc", file.display());
        assert!(text.lines().count() <= 800, "{} has {} lines", file.display(), text.lines().count());
    }
}

#[test]
fn only_the_command_line_prints() {
    for file in sources(&root().join("src")) {
        let path = file.display().to_string();
        if path.contains("/cli/") || is_test(&file) {
            continue;
        }
        for line in product_lines(&file) {
            let code = line.split("//").next().unwrap_or_default();
            assert!(!code.contains("println!(") && !code.contains("eprint"), "{path}: {line}");
        }
    }
}
