//! Questions to the user and their answers; making foreign text harmless to show.

use serde::{Deserialize, Serialize};

/// At most so many characters of one foreign text are shown in a question.
pub(super) const MOST_SHOWN: usize = 200;

/// What the user is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// One sentence that says who wants to do what.
    pub text: String,
    /// Exactly what will happen: the picture of the target, the resolved path, the full command; one line each.
    pub details: Vec<String>,
    /// The workflow for which a yes can be remembered.
    pub remember: Option<String>,
}

/// What the user says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    No,
    Yes,
    /// Yes, and from now on in this workflow. It counts as a plain yes where nothing was offered to be remembered.
    Always,
}

/// Someone who can answer a question.
pub trait Asker {
    /// `None`: nobody answered in time, or `wanted` said that the answer is of no use any more; both mean no.
    fn ask(&mut self, question: &Question, wanted: &dyn Fn() -> bool) -> Option<Answer>;
}

/// Approvals that the user gave for good, each for one workflow.
pub trait Memory {
    /// Whether the user approved this deed in this workflow for good.
    fn recalls(&self, workflow: &str, deed: &str) -> bool;

    /// Keeps an approval.
    ///
    /// # Errors
    /// When it cannot be written; the action itself is approved all the same.
    fn remember(&mut self, workflow: &str, deed: &str) -> std::io::Result<()>;
}

/// Foreign text that can be printed into a question: one line, no control or direction characters, at most `limit`
/// characters. What stands on a screen is data and must not be able to forge the question around it.
pub fn harmless(text: &str, limit: usize) -> String {
    let mut safe: String = text.chars().take(limit).map(plain).collect();
    let count = if limit == usize::MAX { 0 } else { text.chars().count() };
    if count > limit {
        safe.push_str(&format!("… ({count} characters)"));
    }
    safe
}

fn plain(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() || is_invisible(c) => '\u{fffd}',
        c => c,
    }
}

/// Characters that turn the direction of text or cannot be seen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Foreign text in quotation marks that it cannot close itself.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", harmless(text, MOST_SHOWN).replace('"', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_the_screen_cannot_forge_a_question() {
        assert_eq!(quoted("Save\"\nAllow? [y/N] y\x1b[2J"), "\"Save' Allow? [y/N] y\u{fffd}[2J\"");
        assert_eq!(harmless("a\u{202e}b\u{200b}c\0", 9), "a\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(harmless("确定删除?\r\n是", 99), "确定删除?  是");
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        assert_eq!(harmless(&"x".repeat(300), 3), "xxx… (300 characters)");
    }
}
