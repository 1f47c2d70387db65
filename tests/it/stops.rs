//! What happens when something ends in the middle: the user's Ctrl-C, the target window, the program.

use std::process::Stdio;

use crate::support::{Display, Stage, records, root, text, told};

/// Starts filling and waits until the first row's first step is logged or the form shows input.
fn filling(display: &Display, run_dir: &std::path::Path) -> std::process::Child {
    let sheet = root().join("bench/data/orders.csv");
    let child = display
        .command(crate::support::exe())
        .args(["fill", sheet.to_str().unwrap(), "--approve", "always", "--run-dir", run_dir.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line of the log is the choice of the button; typing begins right after it.
    let log = run_dir.join("log.jsonl");
    display.until("the run begins", || std::fs::read_to_string(&log).is_ok_and(|text| text.contains("choose_save")));
    child
}

#[test]
fn ctrl_c_ends_with_4_keys_are_up_and_nothing_is_half_written() {
    let Stage { practice: _practice, display, folder, log } = Stage::practice("en", 0);
    let run_dir = folder.path().join("run");
    let child = filling(&display, &run_dir);
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", told(&output));
    // Every row is accounted for, and what counts as saved is in the program's own file.
    let result: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run_dir.join("result.json")).unwrap()).unwrap();
    let count = |key: &str| result["data"][key].as_u64().unwrap() as usize;
    assert_eq!(count("saved") + count("failed") + count("skipped") + count("unknown"), 3, "{result}");
    assert!(count("saved") <= records(&log).len());
    for line in std::fs::read_to_string(run_dir.join("log.jsonl")).unwrap().lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("no half line");
    }
    assert!(keys_down(&display).is_empty(), "keys still down: {:?}", keys_down(&display));
}

#[test]
fn a_target_that_is_closed_in_the_middle_is_told_in_one_sentence() {
    let Stage { practice, display, folder, log } = Stage::practice("en", 0);
    let run_dir = folder.path().join("run");
    let child = filling(&display, &run_dir);
    drop(practice);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let all = text(&output.stdout) + &text(&output.stderr);
    assert!(all.contains("gone") || all.contains("closed"), "{all}");
    assert!(!all.contains("panicked"), "{all}");
    assert!(keys_down(&display).is_empty());
    let result: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run_dir.join("result.json")).unwrap()).unwrap();
    assert_eq!(result["data"]["saved"].as_u64().unwrap() as usize, records(&log).len(), "{result}");
}

/// Key codes that are down on the display.
fn keys_down(display: &Display) -> Vec<usize> {
    use x11rb::protocol::xproto::ConnectionExt;
    let (connection, _) = x11rb::connect(Some(&display.name)).unwrap();
    let keys = connection.query_keymap().unwrap().reply().unwrap().keys;
    (0..256).filter(|code| keys[code / 8] & (1 << (code % 8)) != 0).collect()
}
