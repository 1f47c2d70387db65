//! Offline means offline (I4): no internet socket is ever opened, and without a network all of it still works.

use std::process::Command;

use crate::support::{Display, exe, records, root, rows, text, told};

#[test]
fn in_a_namespace_without_network_orders_are_still_entered() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("saved.jsonl");
    let _practice = display.practice("en", 0, &log);
    let sheet = root().join("bench/data/orders.csv");
    let run_dir = folder.path().join("run");
    let output = Command::new("unshare")
        .args(["-n", "--"])
        .arg(exe())
        .args(["fill", sheet.to_str().unwrap(), "--approve", "always", "--run-dir", run_dir.to_str().unwrap()])
        .env("DISPLAY", &display.name)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(records(&log).len(), rows(&sheet).len());
}

#[test]
fn no_internet_socket_is_opened_by_any_command() {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("saved.jsonl");
    let _practice = display.practice("en", 0, &log);
    let run_dir = folder.path().join("run");
    let scene = folder.path().join("scene.json");
    std::fs::write(&scene, r#"{"elements":[{"id":1,"role":"button","text":"Save"}]}"#).unwrap();
    for (name, args) in [
        ("run", vec!["run", "Type Sample Ltd into Customer", "--run-dir", run_dir.to_str().unwrap()]),
        ("see", vec!["see", "--json"]),
        ("decide", vec!["decide", "--scene", scene.to_str().unwrap(), "Click Save"]),
        ("doctor", vec!["doctor"]),
    ] {
        let trace = folder.path().join(format!("{name}.trace"));
        let output = display
            .command("strace")
            .args(["-f", "-qq", "-e", "trace=socket", "-o"])
            .arg(&trace)
            .arg(exe())
            .args(&args)
            .output()
            .expect("strace is installed by make test");
        assert_eq!(output.status.code(), Some(0), "{name}: {}", told(&output));
        let trace = std::fs::read_to_string(&trace).unwrap();
        assert!(!trace.contains("AF_INET"), "{name} opened an internet socket:\n{trace}");
        if name != "decide" {
            assert!(trace.contains("AF_UNIX"), "{name}: the trace shows the display's socket, so it would show others");
        }
    }
    // A dead display must not be looked for on the network either.
    let trace = folder.path().join("dead.trace");
    let output = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=socket", "-o"])
        .arg(&trace)
        .arg(exe())
        .arg("see")
        .env("DISPLAY", ":4711")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    assert!(!std::fs::read_to_string(&trace).unwrap().contains("AF_INET"));
}
