//! `wait`: until the screen is at rest.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::workbench::parse;
use super::{Effect, ToolResult, Workbench};

/// How long at most.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// At most this many seconds, 5 when left out.
    #[schemars(range(min = 1, max = 120))]
    seconds: Option<u64>,
}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    let seconds = args.seconds.unwrap_or(5);
    bench.attempt(|bench| {
        let changed = bench.wait_until_stable(seconds)?;
        let effect = if changed { Effect::Changed } else { Effect::Unchanged };
        Ok(ToolResult::completed(effect, "the screen is at rest"))
    })
}
