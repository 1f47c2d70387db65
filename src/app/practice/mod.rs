//! The practice program: a small old-fashioned order-entry window to try Deskhand on, a process of its own.
//!
//! It knows nothing of the rest of Deskhand, so that driving it proves something: what works here works on a stranger's
//! window. `form` says what the window looks like for a seed, `book` what it does with what is typed; both are plain
//! data. `window` ties them to the window toolkit and `look` holds the colours.

mod book;
mod form;
mod look;
mod window;

use std::path::PathBuf;

pub use book::{Draft, Notice, Order, OrderBook, OrderLog};
pub use form::{Button, Colours, Field, Form, LabelPlace, Lang};

/// The font of Deskhand's own windows: a part of Noto Sans CJK SC (SIL Open Font License, see `assets/fonts/OFL.txt`)
/// with Latin, punctuation, and the characters of GB2312.
pub const FONT: &[u8] = include_bytes!("../../../assets/fonts/DeskhandSans.otf");

/// The family name inside [`FONT`].
pub const FONT_NAME: &str = "Deskhand Sans";

/// The window's class (WM_CLASS), by which programs and tests find it.
pub const WINDOW_CLASS: &str = "deskhand-practice";

/// How the practice window shall look and where it notes what was saved.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The language of everything in the window.
    pub lang: Lang,
    /// Varies field order, labels, text size, colours, place; 0 is plain. The same seed gives the same window.
    pub seed: u64,
    /// A file to which every saved record is appended as one line of JSON.
    pub log: Option<PathBuf>,
}

/// Why the practice window could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum PracticeError {
    #[error("{0}")]
    NoDisplay(String),
    #[error("the log file {} cannot be written", path.display())]
    Log { path: PathBuf, source: std::io::Error },
    #[error("the window could not be opened: {0}")]
    Window(String),
}

/// Opens the window and returns when the user has closed it.
///
/// # Errors
/// No display, a log file that cannot be opened for appending, or a window system that refuses the window.
pub fn run(options: Options) -> Result<(), PracticeError> {
    let log = options
        .log
        .map(|path| OrderLog::open(&path).map_err(|source| PracticeError::Log { path, source }))
        .transpose()?;
    check_display()?;
    window::open(Form::new(options.lang, options.seed), log)
}

/// The window toolkit panics without a display; this says it beforehand, in a sentence.
#[cfg(target_os = "linux")]
fn check_display() -> Result<(), PracticeError> {
    let name = std::env::var("DISPLAY").unwrap_or_default();
    if name.is_empty() {
        let reason = match std::env::var_os("WAYLAND_DISPLAY") {
            Some(_) => "this is a Wayland session without X11 (DISPLAY is not set)",
            None => "DISPLAY is not set",
        };
        return Err(PracticeError::NoDisplay(reason.to_owned()));
    }
    x11rb::connect(Some(&name))
        .map(|_connection| ())
        .map_err(|error| PracticeError::NoDisplay(format!("the display {name} does not answer ({error})")))
}

/// Windows and macOS always have a display.
#[cfg(not(target_os = "linux"))]
fn check_display() -> Result<(), PracticeError> {
    Ok(())
}
