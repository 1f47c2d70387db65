//! Asking the user in the terminal; no answer in time means no.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::question::{Answer, Asker, Question, harmless};
use crate::words::{is, words};

/// How long a question waits.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks whether the user wants to end.
const LOOK: Duration = Duration::from_millis(50);

/// Asks on the terminal that started us.
pub struct TerminalAsker {
    lines: mpsc::Receiver<String>,
    /// Set when the user wants everything to end; then nobody waits for an answer any more.
    stop: Arc<AtomicBool>,
}

impl TerminalAsker {
    /// Someone to ask, if there is a terminal to ask on.
    pub fn new(stop: Arc<AtomicBool>) -> Option<Self> {
        if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            return None;
        }
        let (send, lines) = mpsc::channel();
        // Reading blocks; a thread of its own lets the question time out.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Some(TerminalAsker { lines, stop })
    }
}

impl Asker for TerminalAsker {
    fn ask(&mut self, question: &Question, wanted: &dyn Fn() -> bool) -> Option<Answer> {
        // What was typed before the question is no answer to it.
        while self.lines.try_recv().is_ok() {}
        let mut err = std::io::stderr();
        write!(err, "{}", prompt(question)).and_then(|()| err.flush()).ok()?;
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && !self.stop.load(Ordering::SeqCst) && wanted() {
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Some(understood(question, &line)),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return None,
            }
        }
        // The shell's prompt, or what is told next, begins on a line of its own.
        let _ = writeln!(err);
        None
    }
}

/// The question as it is printed. Whoever made it, it prints no control characters.
fn prompt(question: &Question) -> String {
    let mut text = format!("{}\n", harmless(&question.text, usize::MAX));
    for detail in &question.details {
        text.push_str(&format!("  {}\n", harmless(detail, usize::MAX)));
    }
    let choices = if question.remember.is_some() { "y/N/a = always for this workflow" } else { "y/N" };
    text.push_str(&format!("  Allow? [{choices}, {} s] ", PATIENCE.as_secs()));
    text
}

/// What a line means. Anything that is not clearly a yes is a no.
fn understood(question: &Question, line: &str) -> Answer {
    let line = line.trim();
    let known = words();
    if question.remember.is_some() && is(&known.all.answers.always, line) {
        Answer::Always
    } else if !line.is_empty() && known.truth(line) == Some(true) {
        Answer::Yes
    } else {
        Answer::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(remember: Option<&str>) -> Question {
        Question {
            text: "Deskhand wants to click the button \"Save\"\x1b[1A\nAllow? [y/N] y".into(),
            details: vec!["picture: /runs/1/before.png\r\n".into()],
            remember: remember.map(Into::into),
        }
    }

    #[test]
    fn the_question_is_printed_with_its_details_and_without_control_characters() {
        assert_eq!(
            prompt(&question(None)),
            "Deskhand wants to click the button \"Save\"\u{fffd}[1A Allow? [y/N] y\n  \
             picture: /runs/1/before.png  \n  Allow? [y/N, 120 s] "
        );
        assert!(prompt(&question(Some("orders"))).ends_with("Allow? [y/N/a = always for this workflow, 120 s] "));
    }

    #[test]
    fn answers_are_understood_in_both_languages_and_always_only_where_it_is_offered() {
        for (line, plain, lasting) in [
            ("y", Answer::Yes, Answer::Yes),
            ("Yes", Answer::Yes, Answer::Yes),
            ("是", Answer::Yes, Answer::Yes),
            ("n", Answer::No, Answer::No),
            ("否", Answer::No, Answer::No),
            ("", Answer::No, Answer::No),
            ("what?", Answer::No, Answer::No),
            ("a", Answer::No, Answer::Always),
            ("always", Answer::No, Answer::Always),
            ("总是", Answer::No, Answer::Always),
        ] {
            assert_eq!(understood(&question(None), line), plain, "{line}");
            assert_eq!(understood(&question(Some("orders")), line), lasting, "{line}");
        }
    }
}
