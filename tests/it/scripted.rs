//! Whatever a model says, the loop neither crashes nor does what is not allowed (A1-A4, A6, A9).

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::{Display, records, text, told};

/// Runs a script against a fresh practice window.
fn play(script: &str, extra: &[&str]) -> (Output, Vec<Value>, Vec<Value>) {
    let display = Display::start();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("saved.jsonl");
    let _practice = display.practice("en", 0, &log);
    let file = folder.path().join("script.jsonl");
    std::fs::write(&file, script).unwrap();
    let model = format!("script:{}", file.display());
    let run_dir = folder.path().join("run");
    let mut args = vec!["run", "Fill in the form", "--model", &model, "--run-dir", run_dir.to_str().unwrap()];
    args.extend(extra);
    let output = display.deskhand(&args);
    (output, steps(&run_dir), records(&log))
}

fn steps(run_dir: &Path) -> Vec<Value> {
    let log = std::fs::read_to_string(run_dir.join("log.jsonl")).unwrap_or_default();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_call_that_is_wrong_goes_back_to_the_model_and_the_run_goes_on() {
    let script = r#"
{"call":{"tool":"format_disk","arguments":{}}}
{"call":{"tool":"click","arguments":{}}}
{"call":{"tool":"type_text","arguments":{"element":"Customer","text":"Sample Ltd"}}}
{"call":{"tool":"click","arguments":{"element":"Nonesuch"}}}
{"call":{"tool":"done","arguments":{"answer":"entered"}}}
"#;
    let (output, steps, _) = play(script, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(text(&output.stdout).trim_end().lines().last(), Some("entered"));
    let tools: Vec<_> = steps.iter().map(|step| step["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["type_text", "done"], "wrong calls never happen");
    assert_eq!(steps[0]["effect"], "confirmed");
    assert_eq!(steps[0]["data"]["read"], "Sample Ltd");
}

#[test]
fn a_model_that_only_asks_for_the_impossible_is_ended() {
    let script = r#"{"call":{"tool":"rm","arguments":{}}}"#.to_string() + "\n";
    let (output, steps, _) = play(&script.repeat(5), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(steps.is_empty());
    assert!(text(&output.stdout).contains("there is no tool \"rm\""), "{}", told(&output));
}

#[test]
fn at_the_step_limit_the_run_says_that_the_task_may_be_unfinished() {
    let script = r#"{"call":{"tool":"read_screen","arguments":{}}}"#.to_string() + "\n";
    let (output, _, _) = play(&script.repeat(9), &["--max-steps", "3"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(text(&output.stdout).contains("may be unfinished"), "{}", told(&output));
}

#[test]
fn what_cannot_be_undone_is_refused_where_nobody_can_be_asked() {
    let script = r#"{"call":{"tool":"click","arguments":{"element":"Save"}}}"#;
    let (output, steps, records) = play(script, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert_eq!(steps[0]["state"], "rejected");
    assert!(records.is_empty());
}

#[test]
fn even_with_always_only_what_the_sentence_asks_for_is_done() {
    // "Fill in the form" asks for no deletion.
    let script = r#"{"call":{"tool":"click","arguments":{"element":"Delete"}}}"#;
    let (output, _, _) = play(script, &["--approve", "always"]);
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert!(text(&output.stdout).contains("do not ask for it"), "{}", told(&output));
}

#[test]
fn a_record_is_entered_by_one_call_and_fields_not_named_stay_untouched() {
    let script = r#"
{"call":{"tool":"type_text","arguments":{"element":"Remark","text":"stays"}}}
{"call":{"tool":"fill_fields","arguments":{"fields":[{"field":"Customer","value":"上海样品有限公司"},{"field":"Product code","value":"00120"},{"field":"Payment","value":"Monthly"},{"field":"Urgent","value":"yes"}]}}}
{"call":{"tool":"read_screen","arguments":{}}}
{"answer":"entered"}
"#;
    let (output, steps, _) = play(script, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let elements = steps[2]["data"]["elements"].as_array().unwrap();
    let value = |label: &str| {
        elements.iter().find(|e| e["label"] == label && e["value"].is_string()).map(|e| e["value"].clone()).unwrap()
    };
    assert_eq!(value("Remark"), "stays");
    assert_eq!(value("Customer"), "上海样品有限公司");
    assert_eq!(value("Product code"), "00120");
    assert_eq!(value("Payment"), "Monthly");
    assert_eq!(value("Quantity"), "");
}
