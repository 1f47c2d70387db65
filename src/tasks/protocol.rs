//! What supervisor, worker and whoever watches tell each other: one JSON document a line, with a version.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::policy::{Answer, ApproveMode, Origin, Question};

use super::{ProcessId, TaskResult};

/// The version of everything below and of the files in an execution's folder. Whoever meets another one refuses.
pub const PROTOCOL: u32 = 1;

/// `request.json`: all that a worker needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub protocol: u32,
    pub execution: String,
    pub task: String,
    pub parameters: Map<String, Value>,
    /// Whether the caller said `confirmed=true`, which destructive tasks need.
    pub confirmed: bool,
    /// How policy came to allow the start.
    pub approved: String,
    pub origin: Origin,
    pub approve: ApproveMode,
    /// Whether somebody can answer questions.
    pub can_ask: bool,
    pub background: bool,
    pub created: String,
}

/// `status.json`: written by the worker as soon as it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    pub protocol: u32,
    pub execution: String,
    pub worker: ProcessId,
    /// The process that lets go of keys and buttons when the worker dies.
    pub guard: Option<ProcessId>,
    pub since: String,
}

/// What happens to an execution, in the order in which it happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    Queued {
        task: String,
        execution: String,
    },
    Handshake {
        version: String,
        worker: ProcessId,
    },
    Running,
    /// Something that the task itself reports: a step, a row.
    Progress {
        kind: String,
        data: Value,
    },
    Question {
        question: Question,
    },
    Answered {
        /// `None`: nobody answered in time.
        answer: Option<Answer>,
    },
    Stopping {
        how: String,
    },
    Ended {
        result: TaskResult,
    },
}

/// An event as it stands in `events.jsonl` and on the worker's standard output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub protocol: u32,
    pub at: String,
    #[serde(flatten)]
    pub event: Event,
}

impl Line {
    /// The event, dated now.
    pub fn now(event: Event) -> Self {
        Line { protocol: PROTOCOL, at: crate::record::now(), event }
    }
}

/// What a supervisor writes to its worker's standard input. Its end means that the supervisor is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum Order {
    /// The worker is held in a way that it cannot outlive the supervisor: it may begin.
    Begin,
    Answer {
        answer: Option<Answer>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::State;

    #[test]
    fn an_event_is_one_flat_line_with_its_version() {
        let line = Line { protocol: 1, at: "2026-11-30T10:00:00".into(), event: Event::Running };
        assert_eq!(
            serde_json::to_string(&line).unwrap(),
            r#"{"protocol":1,"at":"2026-11-30T10:00:00","event":"running"}"#
        );
        let ended = Event::Ended { result: TaskResult::new("fill", "x", State::Completed, "第一\n第二") };
        let text = serde_json::to_string(&Line::now(ended.clone())).unwrap();
        assert!(!text.contains('\n'));
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap().event, ended);
    }
}
