//! `read_screen`: what is there now, as a numbered list.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::workbench::parse;
use super::{Effect, ToolResult, Workbench};
use crate::scene::scene_text;

/// Nothing to say.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let Args {} = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    bench.attempt(|bench| {
        let view = bench.look()?;
        let elements = json!(view.scene.elements);
        let text = scene_text(&view.scene);
        Ok(ToolResult::completed(Effect::Confirmed, text).with_data(json!({ "elements": elements })))
    })
}
