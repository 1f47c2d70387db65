//! `drag`: from one element to another.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::workbench::{Wanted, parse};
use super::{ToolResult, Workbench};

/// From where to where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Text or label of the element to drag.
    from: String,
    /// Text or label of the element to drop it on.
    to: String,
}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    bench.attempt(|bench| {
        let from = bench.find(&Wanted::named(args.from))?;
        let to = bench.find(&Wanted::named(args.to))?;
        let effect = bench.drag(&from, &to)?;
        Ok(ToolResult::completed(effect, format!("dragged \"{}\" onto \"{}\"", from.name(), to.name())))
    })
}
