//! Schemas made from the types that parse the arguments, and faults told with what would be allowed.

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::CallError;

/// A JSON Schema of an object and its checker.
pub struct Schema {
    value: Value,
    validator: Validator,
}

impl Schema {
    /// The schema of the type that parses the arguments of `name`.
    ///
    /// # Errors
    /// When the type makes no usable schema.
    pub fn of<A: JsonSchema>(name: &str) -> Result<Self, CallError> {
        let mut value = schemars::schema_for!(A).to_value();
        if let Some(object) = value.as_object_mut() {
            object.remove("$schema");
            object.remove("title");
        }
        Self::new(name, value)
    }

    /// A schema that was read from somewhere.
    ///
    /// # Errors
    /// When it is not a valid schema.
    pub fn new(name: &str, value: Value) -> Result<Self, CallError> {
        let validator = jsonschema::validator_for(&value).map_err(|e| CallError(format!("schema of {name}: {e}")))?;
        Ok(Schema { value, validator })
    }

    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What is wrong with the arguments and what would be allowed; empty when they are right.
    pub fn faults(&self, arguments: &Map<String, Value>) -> Vec<String> {
        let arguments = Value::Object(arguments.clone());
        self.validator.iter_errors(&arguments).map(|error| self.describe(&error)).collect()
    }

    /// The arguments with their types, in one line.
    pub fn in_words(&self) -> String {
        let required: Vec<&str> =
            self.value["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = self.value["properties"].as_object();
        let words = properties.into_iter().flatten().map(|(name, property)| {
            let kind = match &property["type"] {
                Value::String(kind) => kind.clone(),
                Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).filter(|k| *k != "null").collect(),
                _ => "value".into(),
            };
            let open = if required.contains(&name.as_str()) { "" } else { ", optional" };
            format!("{name} ({kind}{open})")
        });
        let words: Vec<String> = words.collect();
        if words.is_empty() { "none".into() } else { words.join(", ") }
    }

    fn describe(&self, error: &jsonschema::ValidationError<'_>) -> String {
        let place = error.instance_path().to_string();
        let text = match error.kind() {
            // Each of the alternatives says what it would take.
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                let alternatives: Vec<String> = context.iter().flatten().map(ToString::to_string).collect();
                if alternatives.is_empty() { error.to_string() } else { alternatives.join(" and ") }
            }
            _ => error.to_string(),
        };
        let allowed = match error.kind() {
            ValidationErrorKind::AdditionalProperties { .. } | ValidationErrorKind::Required { .. } => {
                format!("; allowed are: {}", self.in_words())
            }
            _ => String::new(),
        };
        if place.is_empty() { format!("{text}{allowed}") } else { format!("{place}: {text}{allowed}") }
    }
}
