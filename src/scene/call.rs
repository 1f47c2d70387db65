//! What a model asks for: one tool with its arguments.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A request to run one tool. Whether it may run is decided by `policy/`, whether it is valid by `tools/`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

impl ToolCall {
    /// A call of `tool` with the given arguments (`serde_json::json!({..})`); anything but an object counts as none.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        let arguments = match arguments {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        ToolCall { tool: tool.into(), arguments }
    }
}
