//! `fill_fields`: several fields of one form in one call, each read back (E10).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::workbench::{Wanted, parse};
use super::{Effect, ToolResult, ToolState, Workbench};

/// One field and what shall stand in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldValue {
    /// The field's label, as listed.
    pub field: String,
    /// The text, exactly; for a checkbox yes or no.
    pub value: String,
    /// The field's number in the list, when the label alone is not enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
}

/// Which fields.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1))]
    fields: Vec<FieldValue>,
}

pub(super) fn run(bench: &mut Workbench, arguments: Map<String, Value>) -> ToolResult {
    let args: Args = match parse(arguments) {
        Ok(args) => args,
        Err(result) => return result,
    };
    bench.attempt(|bench| {
        let mut elements = Vec::new();
        for field in &args.fields {
            elements.push(bench.find(&Wanted { name: field.field.clone(), role: None, id: field.id })?);
        }
        for (field, element) in args.fields.iter().zip(&elements) {
            let proof = bench.set_field(element, &field.value)?;
            if !proof.confirmed() {
                let message = format!("\"{}\" holds \"{}\" instead of \"{}\"", field.field, proof.read, field.value);
                return Ok(ToolResult {
                    state: ToolState::Failed,
                    effect: Effect::Changed,
                    message,
                    data: Value::Null,
                });
            }
        }
        // A later field may have changed an earlier one; what counts is what stands there when all are entered.
        let wanted: Vec<_> = elements.iter().zip(args.fields.iter().map(|f| f.value.as_str())).collect();
        let proofs = bench.verify_fields(&wanted)?;
        let mut report = Vec::new();
        let mut wrong = Vec::new();
        for (field, proof) in args.fields.iter().zip(&proofs) {
            report
                .push(json!({"field": field.field, "value": field.value, "read": proof.read, "how": proof.how.name()}));
            if !proof.confirmed() {
                wrong.push(format!("\"{}\" holds \"{}\" instead of \"{}\"", field.field, proof.read, field.value));
            }
        }
        let data = json!({ "fields": report });
        if wrong.is_empty() {
            let message = format!("{} fields entered and read back", args.fields.len());
            return Ok(ToolResult::completed(Effect::Confirmed, message).with_data(data));
        }
        Ok(ToolResult { state: ToolState::Failed, effect: Effect::Changed, message: wrong.join("; "), data })
    })
}
