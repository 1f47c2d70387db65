//! The six states of an execution and the one structure in which every result comes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PROTOCOL;

/// What became of an execution. All but `Running` are final and never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Running,
    Completed,
    Failed,
    /// Not begun: wrong parameters, no approval, another execution has the screen.
    Rejected,
    Stopped,
    /// There is no such task or execution.
    NotFound,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Completed => "completed",
            State::Failed => "failed",
            State::Rejected => "rejected",
            State::Stopped => "stopped",
            State::NotFound => "not_found",
        }
    }

    /// The state of that name.
    pub fn parse(name: &str) -> Option<State> {
        use State::{Completed, Failed, NotFound, Rejected, Running, Stopped};
        [Running, Completed, Failed, Rejected, Stopped, NotFound].into_iter().find(|state| state.name() == name)
    }

    pub fn is_final(self) -> bool {
        self != State::Running
    }
}

/// Every result, whoever reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    pub protocol: u32,
    pub task: String,
    /// Empty when it was rejected before it got an id.
    pub execution: String,
    pub state: State,
    pub message: String,
    pub seconds: f64,
    #[serde(default)]
    pub data: Value,
}

impl TaskResult {
    /// A result without data.
    pub fn new(task: &str, execution: &str, state: State, message: impl Into<String>) -> Self {
        TaskResult {
            protocol: PROTOCOL,
            task: task.into(),
            execution: execution.into(),
            state,
            message: message.into(),
            seconds: 0.0,
            data: Value::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_reads_back_as_it_was_written() {
        let result = TaskResult { seconds: 1.5, ..TaskResult::new("fill", "x-1", State::NotFound, "没有") };
        let text = serde_json::to_string(&result).unwrap();
        assert!(text.contains("\"not_found\""), "{text}");
        assert_eq!(serde_json::from_str::<TaskResult>(&text).unwrap(), result);
        assert_eq!(State::parse("not_found"), Some(State::NotFound));
        assert_eq!(State::parse("Running"), None);
    }
}
