//! Language models behind one trait: the embedded one, and a scripted double for tests.
//!
//! Owns: reading GGUF, tokenising, running, scoring and constrained decoding. It is given text, options and
//! schemas and returns a choice; it never touches the screen, runs a tool, or writes prompt text of its own
//! (prompts come from `agent/prompt`). It knows `scene/` and nothing above.

pub mod local;
pub mod scripted;

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde_json::Value;

use crate::scene::ToolCall;

/// Why a model could not answer.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file is not one we can run; the text says what is wrong and what is supported.
    #[error("the model file {file} cannot be used: {reason}")]
    File { file: String, reason: String },
    #[error("the model failed while running: {0}")]
    Run(String),
    #[error("the grammar could not be built: {0}")]
    Grammar(String),
    #[error("stopped")]
    Stopped,
}

pub type Result<T> = std::result::Result<T, ModelError>;

/// One text whose likelihood is wanted: how probable is `text` after `prefix` + `context`?
#[derive(Debug, Clone)]
pub struct Continuation {
    pub context: String,
    pub text: String,
}

/// Likelihood of one continuation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContinuationScore {
    /// Sum of the natural log probabilities of the text's tokens.
    pub logprob: f32,
    /// How many tokens the text has.
    pub tokens: usize,
}

/// A model that can tell how likely a text is.
pub trait Scorer {
    /// Scores every item after the common `prefix`. The prefix is computed once and kept.
    fn score(&mut self, prefix: &str, items: &[Continuation], stop: &AtomicBool) -> Result<Vec<ContinuationScore>>;

    /// Writes the most likely JSON value that `schema` allows after `prompt` (greedy, at most `max_tokens`).
    fn generate_json(&mut self, prompt: &str, schema: &Value, max_tokens: usize, stop: &AtomicBool) -> Result<Value>;
}

/// Who said something in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    System,
    User,
    Assistant,
    Tool,
}

/// One message of the conversation as a chat model sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Message {
    pub role: Speaker,
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCall>,
}

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDefinition {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}

/// One possible next action, made by the agent from the tools and what is on the screen.
#[derive(Debug, Clone)]
pub struct ActionOption {
    pub call: ToolCall,
    /// The action in words, as the model reads it, e.g. `click the button "Save"`.
    pub phrase: String,
    /// How well the words fit by the cheap text score, 0..=1.
    pub prior: f32,
    /// Set when an argument is still open: it is generated under `schema` after `prompt` once the option is chosen.
    pub open: Option<OpenArguments>,
}

/// What is needed to generate the missing arguments of an option.
#[derive(Debug, Clone)]
pub struct OpenArguments {
    pub prompt: String,
    /// JSON Schema of the whole arguments object, with the known ones fixed by `const`.
    pub schema: Value,
}

/// Everything a model may look at to decide on the next step.
#[derive(Debug, Clone)]
pub struct Turn {
    pub messages: Vec<Message>,
    pub tools: Vec<ToolDefinition>,
    /// The part of the user's sentence that is still to be done.
    pub request: String,
    /// Prompt before each option: instructions and examples; the same for all options and turns.
    pub channel_prefix: String,
    /// Between an option's phrase and the request in the scored text.
    pub channel_separator: String,
    /// The shortlist; a model that scores chooses one of these.
    pub options: Vec<ActionOption>,
}

/// What the model wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    Call(ToolCall),
    Answer(String),
}

/// The model's score of one option, for the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OptionScore {
    pub phrase: String,
    /// Mean log probability of the request given this action, or what the model uses instead.
    pub model: f32,
    pub prior: f32,
    pub total: f32,
}

/// A reply with how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub reply: Reply,
    /// 0..=1; the probability mass of the chosen option among the shortlist.
    pub confidence: f32,
    /// Best first.
    pub scores: Vec<OptionScore>,
    /// Tokens that went through the model for this decision.
    pub tokens: usize,
    /// Passes through the network for this decision.
    pub model_calls: usize,
    pub ms: u64,
}

/// A model that decides on the next step.
pub trait ChatModel {
    /// Name for the log.
    fn name(&self) -> &str;
    /// Whether it chooses among `Turn::options`; then the agent keeps track of what of the sentence is done.
    fn chooses(&self) -> bool;
    fn decide(&mut self, turn: &Turn, stop: &AtomicBool) -> Result<Decision>;
    /// The scoring side, where the model has one.
    fn scorer(&mut self) -> Option<&mut dyn Scorer>;
}
