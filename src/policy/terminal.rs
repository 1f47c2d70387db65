//! Asking the user in the terminal; no answer in time means no.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::mpsc;
use std::time::Duration;

use super::Asker;

/// How long a question waits.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks on the terminal that started us.
pub struct TerminalAsker {
    lines: mpsc::Receiver<String>,
}

impl TerminalAsker {
    /// Someone to ask, if there is a terminal to ask on.
    pub fn new() -> Option<Self> {
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
        Some(TerminalAsker { lines })
    }
}

impl Asker for TerminalAsker {
    fn ask(&mut self, question: &str) -> Option<bool> {
        while self.lines.try_recv().is_ok() {}
        let mut err = std::io::stderr();
        write!(err, "{question}\n  Allow? [y/N, {} s] ", PATIENCE.as_secs()).and_then(|()| err.flush()).ok()?;
        let line = self.lines.recv_timeout(PATIENCE).ok()?;
        Some(crate::words::words().truth(line.trim()).unwrap_or(false) && !line.trim().is_empty())
    }
}
