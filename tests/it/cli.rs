//! The command line is a contract: exit codes, where output goes, and one clear sentence for each fault.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{Display, exe, root, text, told};

/// Without any display.
fn bare(args: &[&str]) -> Output {
    Command::new(exe())
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn refused(output: &Output, code: i32, words: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", told(output));
    assert!(output.stdout.is_empty(), "nothing but results goes to stdout: {}", told(output));
    let stderr = text(&output.stderr);
    assert!(stderr.starts_with("deskhand: ") && stderr.trim_end().lines().count() == 1, "one sentence: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "{word:?} is missing in {stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn no_display_is_told_before_anything_else_with_exit_code_5() {
    for args in [vec!["run", "Click Save"], vec!["see"], vec!["fill", "bench/data/orders.csv"]] {
        let output = Command::new(exe())
            .args(&args)
            .current_dir(root())
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        refused(&output, 5, &["no display"]);
    }
}

#[test]
fn a_dead_display_is_no_display() {
    let output = Command::new(exe()).args(["see"]).env("DISPLAY", ":4711").stdin(Stdio::null()).output().unwrap();
    refused(&output, 5, &["display"]);
}

#[test]
fn wrong_usage_ends_with_2() {
    assert_eq!(bare(&["run"]).status.code(), Some(2));
    assert_eq!(bare(&["frobnicate"]).status.code(), Some(2));
    assert_eq!(bare(&["see", "--image", "a.png", "--window", "b"]).status.code(), Some(2));
    assert_eq!(bare(&["run", "  "]).status.code(), Some(2));
}

#[test]
fn help_shows_examples_for_every_command() {
    for command in ["run", "fill", "see", "decide", "bench", "pack"] {
        let output = bare(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("deskhand "), "{command} --help has no example");
        assert!(text(&output.stdout).contains("Examples"), "{command} --help has no examples");
    }
}

#[test]
fn an_unreadable_sheet_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("缺失.csv");
    refused(&bare(&["fill", missing.to_str().unwrap()]), 2, &["缺失.csv"]);
    let broken = folder.path().join("broken.xlsx");
    std::fs::write(&broken, b"PK\x03\x04 this is no workbook").unwrap();
    refused(&bare(&["fill", broken.to_str().unwrap()]), 2, &["broken.xlsx"]);
    let empty = folder.path().join("empty.csv");
    std::fs::write(&empty, b"").unwrap();
    refused(&bare(&["fill", empty.to_str().unwrap()]), 2, &["empty.csv"]);
}

#[test]
fn a_sheet_without_a_fitting_column_names_columns_and_fields() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let _practice = display.practice("en", 0, &folder.path().join("log"));
    let sheet = folder.path().join("other.csv");
    std::fs::write(&sheet, "Blood group,Shoe colour\nA,red\n").unwrap();
    let run_dir = folder.path().join("run");
    let output = display.deskhand(&["fill", sheet.to_str().unwrap(), "--run-dir", run_dir.to_str().unwrap()]);
    refused(&output, 1, &["Blood group", "Customer"]);
}

#[test]
fn a_window_that_is_not_there_is_named_with_the_open_ones() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let _practice = display.practice("en", 0, &folder.path().join("log"));
    refused(&display.deskhand(&["see", "--window", "Nonesuch"]), 1, &["Nonesuch", "Practice orders"]);
}

#[test]
fn an_unreadable_picture_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let text_file = folder.path().join("文字.png");
    std::fs::write(&text_file, "not a picture").unwrap();
    refused(&bare(&["see", "--image", text_file.to_str().unwrap()]), 1, &["文字.png"]);
    refused(&bare(&["see", "--image", "/nonexistent.png"]), 1, &["/nonexistent.png"]);
}

#[test]
fn a_damaged_payload_is_refused_by_name_and_never_crashes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(exe()).unwrap();
    let run = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        make_executable(&path);
        Command::new(&path)
            .args(["decide", "--scene", "scene.json", "Click Save"])
            .current_dir(folder.path())
            .env_remove("DESKHAND_PAYLOAD")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    std::fs::write(folder.path().join("scene.json"), r#"{"elements":[{"id":1,"role":"button","text":"Save"}]}"#)
        .unwrap();
    refused(&run("cut", &whole[..whole.len() - 4096]), 5, &[]);
    let mut flipped = whole.clone();
    // In the middle of the tail stands the language model.
    let middle = whole.len() / 2;
    flipped[middle] ^= 0x10;
    refused(&run("flipped", &flipped), 5, &["damaged"]);
    assert_eq!(run("whole", &whole).status.code(), Some(0));
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn doctor_says_whether_the_machine_is_ready_and_writes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let missing = Command::new(exe())
        .args(["doctor", "--json"])
        .env_remove("DISPLAY")
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(5), "{}", told(&missing));
    let display = Display::start();
    // An empty virtual screen is one colour, which doctor rightly calls a useless picture.
    let folder = tempfile::tempdir().unwrap();
    let _practice = display.practice("en", 0, &folder.path().join("log"));
    let output = display.command(exe()).args(["doctor", "--json"]).env("HOME", home.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ready"], true);
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0, "doctor writes nothing");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let _practice = display.practice("en", 0, &folder.path().join("log"));
    let mut child = display.command(exe()).arg("see").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
}
