//! `scroll`: the mouse wheel, over an element or the middle of the window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::workbench::{Wanted, parse};
use super::{ToolResult, Workbench};

/// The way the content moves past the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// Which way and how far.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    direction: Direction,
    /// Wheel clicks, 3 when left out.
    #[schemars(range(min = 1, max = 50))]
    amount: Option<i32>,
    /// Text or label of the element to scroll over.
    element: Option<String>,
}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    let amount = args.amount.unwrap_or(3);
    let (dx, dy, way) = match args.direction {
        Direction::Up => (0, -amount, "up"),
        Direction::Down => (0, amount, "down"),
        Direction::Left => (-amount, 0, "left"),
        Direction::Right => (amount, 0, "right"),
    };
    bench.attempt(|bench| {
        let over = args.element.map(|name| bench.find(&Wanted::named(name))).transpose()?;
        let effect = bench.scroll(over.as_ref(), dx, dy)?;
        Ok(ToolResult::completed(effect, format!("scrolled {way} by {amount}")))
    })
}
