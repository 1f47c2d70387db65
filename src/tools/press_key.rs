//! `press_key`: a key or a chord, sent to the target window.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::workbench::parse;
use super::{ToolResult, Workbench};

/// Which keys.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// A key or a chord, e.g. `enter`, `f5`, `ctrl+s`.
    keys: String,
}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    bench.attempt(|bench| {
        let effect = bench.press(&args.keys)?;
        Ok(ToolResult::completed(effect, format!("pressed {}", args.keys)))
    })
}
