//! `click`, `double_click`, `right_click`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::workbench::{Wanted, parse};
use super::{ToolResult, Workbench};
use crate::desktop::MouseButton;
use crate::scene::Role;

/// Which element.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The element's text or label, as listed.
    element: String,
    /// Its role, needed when two elements share the text.
    role: Option<Role>,
    /// Its number in the list, when the text alone is not enough.
    id: Option<u32>,
}

pub(super) fn click(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    clicks(bench, arguments, MouseButton::Left, 1, "clicked")
}

pub(super) fn double_click(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    clicks(bench, arguments, MouseButton::Left, 2, "double-clicked")
}

pub(super) fn right_click(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    clicks(bench, arguments, MouseButton::Right, 1, "right-clicked")
}

fn clicks(
    bench: &mut Workbench,
    arguments: Map<String, Value>,
    button: MouseButton,
    count: u32,
    verb: &str,
) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    let wanted = Wanted { name: args.element, role: args.role, id: args.id };
    bench.attempt(|bench| {
        let element = bench.find(&wanted)?;
        let effect = bench.click_element(&element, button, count)?;
        Ok(ToolResult::completed(effect, format!("{verb} {} \"{}\"", element.role.name(), element.name())))
    })
}
