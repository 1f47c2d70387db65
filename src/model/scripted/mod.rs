//! A model that plays a script, for tests: what it says was written beforehand, one reply a line.
//!
//! A line is `{"call": {"tool": .., "arguments": {..}}}` or `{"answer": ".."}`. Nothing checks whether the tool
//! exists or the arguments fit: a script is also how a misbehaving model is played.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;

use super::{ChatModel, Decision, ModelError, Reply, Result, Scorer, Turn};
use crate::scene::ToolCall;

/// What the model says once the script is used up.
const END: &str = "the script has ended";

/// One line of a script.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Call(ToolCall),
    Answer(String),
}

/// Plays its replies in order, whatever it is asked; afterwards it answers that the script has ended.
#[derive(Debug)]
pub struct ScriptedModel {
    replies: VecDeque<Reply>,
}

impl ScriptedModel {
    /// Reads a script; empty lines are skipped.
    ///
    /// # Errors
    /// [`ModelError::File`] when the file cannot be read or a line is not a reply; the text names the line.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let problem = |reason: String| ModelError::File { file: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|e| problem(e.to_string()))?;
        Self::from_lines(&text).map_err(problem)
    }

    /// Plays these replies.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        ScriptedModel { replies: replies.into_iter().collect() }
    }

    fn from_lines(text: &str) -> std::result::Result<Self, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let replies = lines.map(|(i, line)| match serde_json::from_str(line) {
            Ok(Line::Call(call)) => Ok(Reply::Call(call)),
            Ok(Line::Answer(answer)) => Ok(Reply::Answer(answer)),
            Err(e) => Err(format!("line {} is no reply: {e}", i + 1)),
        });
        Ok(ScriptedModel { replies: replies.collect::<std::result::Result<_, String>>()? })
    }

    /// Replies not yet given.
    pub fn remaining(&self) -> usize {
        self.replies.len()
    }
}

impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn chooses(&self) -> bool {
        false
    }

    fn decide(&mut self, _turn: &Turn, stop: &AtomicBool) -> Result<Decision> {
        if stop.load(Ordering::Relaxed) {
            return Err(ModelError::Stopped);
        }
        let reply = self.replies.pop_front().unwrap_or_else(|| Reply::Answer(END.to_string()));
        Ok(Decision { reply, confidence: 1.0, scores: Vec::new(), tokens: 0, model_calls: 0, ms: 0 })
    }

    fn scorer(&mut self) -> Option<&mut dyn Scorer> {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turn() -> Turn {
        Turn {
            messages: Vec::new(),
            tools: Vec::new(),
            request: "anything".into(),
            channel_prefix: String::new(),
            channel_separator: String::new(),
            options: Vec::new(),
        }
    }

    fn say(model: &mut ScriptedModel) -> Reply {
        model.decide(&turn(), &AtomicBool::new(false)).unwrap().reply
    }

    #[test]
    fn replies_come_in_order_and_then_the_script_has_ended() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            &file,
            "{\"call\":{\"tool\":\"click\",\"arguments\":{\"element\":\"Save\"}}}\n\n{\"answer\":\"fertig 完成\"}\n",
        )
        .unwrap();
        let mut model = ScriptedModel::from_file(file.path()).unwrap();
        assert_eq!(say(&mut model), Reply::Call(ToolCall::new("click", json!({"element": "Save"}))));
        assert_eq!(model.remaining(), 1);
        assert_eq!(say(&mut model), Reply::Answer("fertig 完成".into()));
        assert_eq!(say(&mut model), Reply::Answer(END.into()));
        assert_eq!(say(&mut model), Reply::Answer(END.into()));
    }

    #[test]
    fn a_misbehaving_model_can_be_played() {
        let script = r#"{"call":{"tool":"format_disk","arguments":{"x":"many"}}}
{"call":{"tool":"click","arguments":{"element":7}}}
{"call":{"tool":"click"}}"#;
        let mut model = ScriptedModel::from_lines(script).unwrap();
        assert_eq!(say(&mut model), Reply::Call(ToolCall::new("format_disk", json!({"x": "many"}))));
        assert_eq!(say(&mut model), Reply::Call(ToolCall::new("click", json!({"element": 7}))));
        assert_eq!(say(&mut model), Reply::Call(ToolCall::new("click", json!({}))));
    }

    #[test]
    fn a_line_that_is_no_reply_is_named() {
        let error = ScriptedModel::from_lines("{\"answer\":\"a\"}\n{\"reply\":\"b\"}").unwrap_err();
        assert!(error.starts_with("line 2 is no reply"), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = ScriptedModel::from_file("/nowhere/script.jsonl").unwrap_err();
        assert!(error.to_string().contains("/nowhere/script.jsonl"), "{error}");
    }

    #[test]
    fn a_stop_is_heard() {
        let mut model = ScriptedModel::new([Reply::Answer("a".into())]);
        let stopped = model.decide(&turn(), &AtomicBool::new(true));
        assert!(matches!(stopped, Err(ModelError::Stopped)));
        assert_eq!(model.remaining(), 1);
    }
}
