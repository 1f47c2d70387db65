//! How a tool ended: its state, what it did to the screen, and a sentence about it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The final state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    Completed,
    Failed,
    Rejected,
    Stopped,
    NotFound,
}

impl ToolState {
    /// The name as logged.
    pub fn name(self) -> &'static str {
        match self {
            ToolState::Completed => "completed",
            ToolState::Failed => "failed",
            ToolState::Rejected => "rejected",
            ToolState::Stopped => "stopped",
            ToolState::NotFound => "not_found",
        }
    }
}

/// What the call is known to have done to the screen: delivering an event is one thing, seeing its effect another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The expected state was read back from the screen.
    Confirmed,
    /// The picture changed.
    Changed,
    /// Nothing visible happened.
    Unchanged,
    /// It cannot be told from the picture.
    Unverifiable,
}

impl Effect {
    /// The name as logged.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Confirmed => "confirmed",
            Effect::Changed => "changed",
            Effect::Unchanged => "unchanged",
            Effect::Unverifiable => "unverifiable",
        }
    }
}

/// The result of one call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolResult {
    pub state: ToolState,
    pub effect: Effect,
    /// One sentence for the model and the user.
    pub message: String,
    pub data: Value,
}

impl ToolResult {
    pub fn completed(effect: Effect, message: impl Into<String>) -> Self {
        ToolResult { state: ToolState::Completed, effect, message: message.into(), data: Value::Null }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        ToolResult {
            state: ToolState::Failed,
            effect: Effect::Unverifiable,
            message: message.into(),
            data: Value::Null,
        }
    }

    /// The same result with data for programs.
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = data;
        self
    }
}
