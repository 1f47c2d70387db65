//! `done`: the task's end, in words.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::workbench::parse;
use super::{Effect, ToolResult, Workbench};

/// What is said to the user.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What was achieved, or the answer that was asked for.
    answer: String,
}

pub(super) fn run(_bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    match parse::<Args>(arguments) {
        Ok(args) => ToolResult::completed(Effect::Confirmed, args.answer),
        Err(result) => result,
    }
}
