//! The stop signal: one flag that every event of a run is checked against.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::{DesktopError, Result};

/// Set by Ctrl-C (and later the stop key); checked between all events. Cloning shares the flag.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(pub Arc<AtomicBool>);

impl StopSignal {
    /// A signal that nobody has set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A signal that SIGINT and SIGTERM set. A second one, coming while the flag is still set, ends the process at
    /// once (exit code 130, or 143 for SIGTERM): the way out when something hangs.
    ///
    /// # Errors
    /// When the system refuses the handlers.
    pub fn install_ctrl_c() -> io::Result<Self> {
        let signal = Self::new();
        for (number, code) in [(SIGINT, 130), (SIGTERM, 143)] {
            // The order matters: the shutdown looks at the flag before this same delivery sets it.
            flag::register_conditional_shutdown(number, code, Arc::clone(&signal.0))?;
            flag::register(number, Arc::clone(&signal.0))?;
        }
        // Ctrl-Z would stop only who watches, while the mouse went on by itself.
        #[cfg(unix)]
        flag::register(signal_hook::consts::SIGTSTP, Arc::clone(&signal.0))?;
        Ok(signal)
    }

    /// Asks everything that shares the flag to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Makes the flag usable for another run.
    pub fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// Whether somebody asked to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// `Err(Stopped)` when somebody asked to stop.
    ///
    /// # Errors
    /// [`DesktopError::Stopped`].
    pub fn check(&self) -> Result<()> {
        if self.is_set() { Err(DesktopError::Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_shares_the_flag() {
        let first = StopSignal::new();
        let second = first.clone();
        assert!(first.check().is_ok());
        second.set();
        assert!(matches!(first.check(), Err(DesktopError::Stopped)));
        first.clear();
        assert!(second.check().is_ok());
    }
}
