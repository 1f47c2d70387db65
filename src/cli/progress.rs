//! What is printed while a command works: one line a step, readable by a person or as JSON.

use std::io::Write;

use serde_json::Value;

use crate::tasks::{Event, StepReport};

/// Writes one line to stdout at once; a closed pipe is reported to the caller.
pub(super) fn line(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", plain(text)).and_then(|()| out.flush())
}

/// Tells what went wrong, on stderr. Nobody listening is no further trouble.
pub(super) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "deskhand: {}", plain(text));
}

/// Text for a terminal. Titles, labels and cells come from other programs: none of them may move the cursor.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c }).collect()
}

/// Writes one JSON document on a line of its own.
pub(super) fn json_line(value: &Value) -> std::io::Result<()> {
    line(&value.to_string())
}

/// Prints a finished step; other events are nothing to it. Nobody listening (a closed pipe) does not stop the work.
pub(super) fn step(as_json: bool, event: &Event) {
    let Event::Progress { kind, data } = event else { return };
    if kind != "step" {
        return;
    }
    let printed = match serde_json::from_value(data.clone()) {
        Ok(report) if !as_json => line(&as_text(&report)),
        _ => json_line(data),
    };
    // The run's folder has every step; a lost line of progress loses nothing.
    drop(printed);
}

fn as_text(report: &StepReport) -> String {
    let row = report.row.map(|row| format!("row {row}: ")).unwrap_or_default();
    let state = match report.state {
        crate::tools::ToolState::Completed => String::new(),
        other => format!("{}: ", other.name()),
    };
    let seconds = report.ms as f64 / 1000.0;
    // A tool that lists the screen answers with many lines; the log has them all.
    let first = report.message.lines().next().unwrap_or_default();
    let more = report.message.lines().count().saturating_sub(1);
    let more = if more > 0 { format!(" (+{more} lines)") } else { String::new() };
    format!("{:>3}. {row}{state}{first}{more} [{}, {}, {seconds:.1} s]", report.step, report.tool, report.effect.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{Effect, ToolState};

    #[test]
    fn words_of_other_programs_do_not_reach_the_terminal_as_commands() {
        assert_eq!(
            plain("Evil \u{1b}[31mRED\u{1b}]0;x\u{7} 保存\r\u{9b}2J\n"),
            "Evil \u{fffd}[31mRED\u{fffd}]0;x\u{fffd} 保存\u{fffd}\u{fffd}2J\n"
        );
    }

    #[test]
    fn a_step_reads_as_one_line() {
        let report = StepReport {
            step: 2,
            row: Some(1),
            tool: "click".into(),
            arguments: serde_json::Map::new(),
            state: ToolState::Completed,
            effect: Effect::Changed,
            message: "clicked button \"Save\"".into(),
            ms: 640,
        };
        insta::assert_snapshot!(as_text(&report), @r#"  2. row 1: clicked button "Save" [click, changed, 0.6 s]"#);
        let failed = StepReport {
            row: None,
            state: ToolState::Failed,
            effect: Effect::Unverifiable,
            message: "it is gone\nreally".into(),
            ..report
        };
        insta::assert_snapshot!(as_text(&failed), @"  2. failed: it is gone (+1 lines) [click, unverifiable, 0.6 s]");
    }
}
