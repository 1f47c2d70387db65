//! The hands' end of the pipe: one small write before anything goes down, one when it is known to be up.
//!
//! That a release was sent is not enough for the second one: an X server drops what a killed program has sent last and
//! was not read yet. So releases are remembered here until the system is known to have handled them.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::desktop::{DesktopError, Result};

use super::Mark;

/// Where the hands write down what they owe to the desktop. Cloning shares the pipe; the one without a pipe
/// (`Ledger::default()`) takes everything and does nothing.
#[derive(Clone, Default)]
pub struct Ledger {
    pipe: Option<Arc<Mutex<Pipe>>>,
}

struct Pipe {
    out: Box<dyn Write + Send>,
    /// Why the guard is taken to be gone. Once that is known, nothing is pressed any more.
    broken: Option<String>,
    /// Released, but perhaps not yet by the system. The guard does not know of it.
    on_its_way: Vec<Mark>,
}

impl Ledger {
    /// A ledger that a guard reads at the other end of the pipe.
    pub fn new(out: Box<dyn Write + Send>) -> Ledger {
        Ledger { pipe: Some(Arc::new(Mutex::new(Pipe { out, broken: None, on_its_way: Vec::new() }))) }
    }

    /// Says where the hands work. A failure shows with the next press.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only X11 has displays by name"))]
    pub fn introduce(&self, display: &str, client: u32) {
        self.with(|pipe| pipe.write(&format!("display {display}\nclient {client}\n")));
    }

    /// Says what is about to go down or to be changed. Only after this may it be done.
    ///
    /// # Errors
    /// [`DesktopError::Unguarded`] when the guard is gone.
    pub fn owe(&self, marks: &[Mark]) -> Result<()> {
        let broken = self.with(|pipe| {
            pipe.on_its_way.retain(|mark| !marks.contains(mark));
            pipe.write(&lines("owe", marks.iter()));
            pipe.broken.clone()
        });
        match broken.flatten() {
            Some(reason) => Err(DesktopError::Unguarded(reason)),
            None => Ok(()),
        }
    }

    /// Remembers what was released or changed back just now, until [`Ledger::handled`].
    pub fn released(&self, marks: &[Mark]) {
        self.with(|pipe| pipe.on_its_way.extend_from_slice(marks));
    }

    /// The system has handled everything that was sent so far: what was on its way is paid. This cannot fail: releasing
    /// goes on without a guard, and that it is gone shows with the next [`Ledger::owe`].
    pub fn handled(&self) {
        self.with(|pipe| {
            let lines = lines("paid", pipe.on_its_way.iter());
            pipe.on_its_way.clear();
            pipe.write(&lines);
        });
    }

    /// Says what was released or changed back and is known to have been handled, with all that was on its way before.
    pub fn paid(&self, marks: &[Mark]) {
        self.released(marks);
        self.handled();
    }

    /// Does something with the pipe, if there is one.
    fn with<T>(&self, action: impl FnOnce(&mut Pipe) -> T) -> Option<T> {
        let pipe = self.pipe.as_ref()?;
        Some(action(&mut pipe.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Pipe {
    /// All lines in one write: what is shorter than a pipe's buffer arrives whole or not at all.
    fn write(&mut self, lines: &str) {
        if self.broken.is_none() && !lines.is_empty() {
            let sent = self.out.write_all(lines.as_bytes()).and_then(|()| self.out.flush());
            self.broken = sent.err().map(|error| error.to_string());
        }
    }
}

/// One line for each mark.
fn lines<'a>(word: &str, marks: impl Iterator<Item = &'a Mark>) -> String {
    marks.map(|mark| format!("{word} {mark}\n")).collect()
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.pipe.is_some() { "Ledger(guarded)" } else { "Ledger(unguarded)" })
    }
}
