//! What is printed while a command works: one line a step, readable by a person or as JSON.

use std::io::Write;

use serde_json::{Value, json};

use crate::tasks::StepReport;

/// Writes one line to stdout at once; a closed pipe is reported to the caller.
pub(super) fn line(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush())
}

/// Writes one JSON document on a line of its own.
pub(super) fn json_line(value: &Value) -> std::io::Result<()> {
    line(&value.to_string())
}

/// Prints every finished step. Nobody listening (a closed pipe) does not stop the work.
pub(super) fn listener(as_json: bool) -> Box<dyn FnMut(&StepReport)> {
    Box::new(move |report| {
        let printed = if as_json { json_line(&as_value(report)) } else { line(&as_text(report)) };
        // The run's folder has every step; a lost line of progress loses nothing.
        drop(printed);
    })
}

fn as_value(report: &StepReport) -> Value {
    json!({"step": report.step, "row": report.row, "tool": report.call.tool, "arguments": report.call.arguments,
        "state": report.result.state, "effect": report.result.effect, "message": report.result.message,
        "ms": report.ms})
}

fn as_text(report: &StepReport) -> String {
    let row = report.row.map(|row| format!("row {row}: ")).unwrap_or_default();
    let state = match report.result.state {
        crate::tools::ToolState::Completed => String::new(),
        other => format!("{}: ", other.name()),
    };
    let seconds = report.ms as f64 / 1000.0;
    // A tool that lists the screen answers with many lines; the log has them all.
    let first = report.result.message.lines().next().unwrap_or_default();
    let more = report.result.message.lines().count().saturating_sub(1);
    let more = if more > 0 { format!(" (+{more} lines)") } else { String::new() };
    format!(
        "{:>3}. {row}{state}{first}{more} [{}, {}, {seconds:.1} s]",
        report.step,
        report.call.tool,
        report.result.effect.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ToolCall;
    use crate::tools::{Effect, ToolResult};

    #[test]
    fn a_step_reads_as_one_line() {
        let report = StepReport {
            step: 2,
            row: Some(1),
            call: ToolCall::new("click", json!({"element": "Save"})),
            result: ToolResult::completed(Effect::Changed, "clicked button \"Save\""),
            ms: 640,
        };
        insta::assert_snapshot!(as_text(&report), @r#"  2. row 1: clicked button "Save" [click, changed, 0.6 s]"#);
        let failed = StepReport { row: None, result: ToolResult::failed("it is gone\nreally"), ..report };
        insta::assert_snapshot!(as_text(&failed), @"  2. failed: it is gone (+1 lines) [click, unverifiable, 0.6 s]");
    }
}
