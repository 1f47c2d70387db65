//! One line of a run's log.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::scene::Element;

/// What the model said about a step, kept so that a choice can be understood afterwards.
#[derive(Debug, Clone, Serialize)]
pub struct ModelNote {
    pub name: String,
    /// 0..=1, the share of the chosen option among the shortlist.
    pub confidence: f32,
    /// Every option of the shortlist with its scores, best first.
    pub options: Vec<Value>,
    pub tokens: usize,
    pub model_calls: usize,
    pub ms: u64,
}

/// One step as it happened.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Step {
    /// Number within the run, from 1; given by the folder.
    pub step: usize,
    /// Local time, ISO 8601 with offset; given by the folder.
    pub at: String,
    /// The row of the sheet the step belongs to, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    pub tool: String,
    pub arguments: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<Element>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelNote>,
    /// How policy came to its answer.
    pub approval: String,
    /// completed, failed, rejected, stopped, not_found
    pub state: String,
    pub message: String,
    /// changed, unchanged, confirmed, unverifiable
    pub effect: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub data: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    pub ms: u64,
    /// How much of it was not the tool's own: checking, policy, the pictures for the record.
    pub boundary_ms: f64,
}
