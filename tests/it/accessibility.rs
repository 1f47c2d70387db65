//! What a program says of its own window is joined with what is seen, and costs nothing where it says nothing (C5).

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Display, Program, root, told};

const TITLE: &str = "Order form";

fn form(display: &Display) -> Program {
    let mut command = Command::new("/usr/bin/python3");
    command.arg(root().join("tests/apps/gtk_form.py"));
    display.open(&mut command, TITLE)
}

/// What `see` finds in the window, with these settings of the environment.
fn see(display: &Display, settings: &[(&str, &str)]) -> Vec<Value> {
    let mut command = display.command(crate::support::exe());
    let output = command.args(["see", "--window", TITLE, "--json"]).envs(settings.iter().copied()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let scene: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    scene["elements"].as_array().expect("elements").clone()
}

fn is_told(element: &Value) -> bool {
    element["source"] == "accessibility"
}

/// `textbox "Customer" = "Sample Ltd" [focused]`, without the number.
fn line(element: &Value) -> String {
    let text = |key: &str| element[key].as_str().unwrap_or_default();
    let name = if text("label").is_empty() { text("text") } else { text("label") };
    let value = element["value"].as_str().map(|value| format!(" = {value:?}")).unwrap_or_default();
    let states = element["state"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let states: String = states.filter(|state| *state != "focused").map(|state| format!(" {state}")).collect();
    format!("{} {name:?}{value}{states}", text("role"))
}

#[test]
fn names_values_and_states_come_from_the_program_that_knows_them() {
    let display = Display::accessible();
    let _form = form(&display);
    let wanted = [
        "textbox \"Customer\" = \"Sample Ltd\"",
        "combobox \"Terms\" = \"Monthly\"",
        "textbox \"Quantity\" = \"12\"",
        "checkbox \"Urgent\" checked",
        "radio \"Express\" checked",
        "radio \"Standard\" unchecked",
        "button \"Save\"",
        // Nobody can tell by its looks for sure.
        "button \"Delete\" disabled",
    ];
    // A program that has just started takes a while until it tells of itself.
    let mut elements = Vec::new();
    let mut missing = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        elements = see(&display, &[]);
        let lines: Vec<String> = elements.iter().filter(|e| is_told(e)).map(line).collect();
        missing = wanted.into_iter().filter(|wanted| !lines.iter().any(|line| line == wanted)).collect();
        if missing.is_empty() {
            break;
        }
    }
    let lines: Vec<String> = elements.iter().map(|e| format!("{} {}", line(e), e["source"])).collect();
    assert!(missing.is_empty(), "{missing:?} are missing in {lines:#?}");
    for hidden in ["secret", "nobody sees this", "Line 20", "Yearly"] {
        assert!(!elements.iter().any(|e| e.to_string().contains(hidden)), "{hidden} cannot be seen: {lines:#?}");
    }
    let mut ids: Vec<u64> = elements.iter().filter_map(|e| e["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=elements.len() as u64).collect::<Vec<_>>(), "{lines:#?}");
}

#[test]
fn without_a_bus_or_an_answer_the_eyes_see_what_they_always_see() {
    let display = Display::accessible();
    let form = form(&display);
    let no_bus = || see(&display, &[("DBUS_SESSION_BUS_ADDRESS", "")]);
    // A window that has just come up is drawn once more when it gets the keyboard.
    let mut without = no_bus();
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let again = no_bus();
        if again == without || Instant::now() > deadline {
            break;
        }
        without = again;
    }
    assert!(!without.is_empty() && !without.iter().any(is_told));
    assert_eq!(see(&display, &[("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")]), without);
    assert_eq!(see(&display, &[("DBUS_SESSION_BUS_ADDRESS", "a: bus that; is none")]), without);
    // The program hangs: it is drawn, but answers nobody.
    let signal = |name: &str| Command::new("kill").args(["-s", name, &form.0.id().to_string()]).status().unwrap();
    assert!(signal("STOP").success());
    let started = Instant::now();
    let hanging = see(&display, &[]);
    let took = started.elapsed();
    assert!(signal("CONT").success());
    assert_eq!(hanging, without);
    assert!(took < Duration::from_secs(20), "{took:?}");
}
