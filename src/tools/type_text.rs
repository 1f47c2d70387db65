//! `type_text`: one field, one text, read back.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::fields::set_one;
use super::workbench::{Wanted, parse};
use super::{ToolResult, Workbench};
use crate::scene::Role;

/// Which field and which text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The field's label, as listed.
    element: String,
    /// The text that shall stand in it, exactly.
    text: String,
    /// Its role, needed when two elements share the label.
    role: Option<Role>,
    /// Its number in the list, when the label alone is not enough.
    id: Option<u32>,
}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    let wanted = Wanted { name: args.element, role: args.role, id: args.id };
    set_one(bench, &wanted, &args.text)
}
