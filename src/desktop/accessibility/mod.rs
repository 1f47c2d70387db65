//! What a window says of itself: names, roles, values and states from the system's accessibility tree.
//!
//! Owns the connection to that tree (AT-SPI on Linux, UI Automation on Windows). It reports; whether a report agrees
//! with the picture is not its business (`scene::merge`). A machine without such a tree costs nothing: no process
//! is started and nothing is waited for.

#[cfg(target_os = "linux")]
mod atspi;
#[cfg(target_os = "linux")]
mod placement;
#[cfg(all(test, target_os = "linux"))]
mod tests;
#[cfg(windows)]
mod uia;

use std::time::{Duration, Instant};

use crate::scene::{DesktopRect, Element, Role, Source, State, WindowId};

use super::{FrameGeometry, WindowInfo};

#[cfg(target_os = "linux")]
use atspi::Tree as Native;
#[cfg(windows)]
use uia::Tree as Native;

/// Why the tree could not be read. Nothing depends on it: the eyes see the window as well.
#[derive(Debug, thiserror::Error)]
pub enum AccessibilityError {
    #[error("the accessibility service cannot be spoken to: {0}")]
    Connection(String),
    #[error("the accessibility service answered what makes no sense: {0}")]
    Answer(String),
}

type Result<T> = std::result::Result<T, AccessibilityError>;

/// One thing of a window, as its program describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Accessible {
    pub role: Role,
    /// What the program calls it: a button's words, a field's label; empty when it says nothing.
    pub name: String,
    /// What stands in a field; never of a password.
    pub value: Option<String>,
    pub states: Vec<State>,
    pub bounds: DesktopRect,
}

impl Accessible {
    /// The same as an element of a picture, without a number (0); `None` when less than half of it is in the picture.
    pub fn in_picture(&self, frame: &FrameGeometry) -> Option<Element> {
        let bbox = frame.visible_part(self.bounds)?;
        let value = self.value.clone().filter(|_| self.role.holds_text());
        let (text, label) = if self.role.is_named_beside() {
            (value.clone().unwrap_or_default(), self.name.clone())
        } else {
            (self.name.clone(), String::new())
        };
        Some(Element {
            id: 0,
            role: self.role,
            text,
            label,
            group: String::new(),
            value,
            state: self.states.clone(),
            bbox,
            confidence: 1.0,
            source: Source::Accessibility,
        })
    }
}

/// How much work reading may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Nodes that are looked at, whether reported or not.
    pub nodes: usize,
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: 2_000, time: Duration::from_millis(300) }
    }
}

/// What was read of a window.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Parents before their children; empty when the program says nothing of this window.
    pub accessibles: Vec<Accessible>,
    /// Whether a limit cut the reading short, or a part of the window did not answer.
    pub partial: bool,
}

/// One system's accessibility tree: `atspi/`, `uia.rs`.
pub trait Tree: Send {
    /// What is visible of the window and its popups, in desktop pixels. Keeps to the limits whatever the window's
    /// program does; what was told till then is given.
    ///
    /// # Errors
    /// [`AccessibilityError`] when the service is gone.
    fn read(&mut self, window: &WindowInfo, limits: Limits) -> Result<Reading>;
}

/// The tree of this session; `None` when there is none.
fn open() -> Option<Box<dyn Tree>> {
    #[cfg(any(target_os = "linux", windows))]
    {
        Native::open().map(|tree| Box::new(tree) as Box<dyn Tree>)
    }
    #[cfg(not(any(target_os = "linux", windows)))]
    {
        None
    }
}

/// A window that said nothing within the limits is left alone for this long.
const LEFT_ALONE: Duration = Duration::from_secs(10);

/// What windows say of themselves, for as long as somebody says it.
///
/// The tree is opened when the first window is asked. Once there is none, nothing is tried again.
pub struct Accessibility {
    tree: Service,
    /// Windows whose program did not answer, and until when they are not asked.
    silent: Vec<(WindowId, Instant)>,
}

enum Service {
    Untried,
    Absent,
    There(Box<dyn Tree>),
}

impl Accessibility {
    /// The tree of the user's session, not opened yet.
    pub fn of_session() -> Accessibility {
        Accessibility { tree: Service::Untried, silent: Vec::new() }
    }

    /// This tree.
    pub fn of(tree: Box<dyn Tree>) -> Accessibility {
        Accessibility { tree: Service::There(tree), silent: Vec::new() }
    }

    /// Whether asking about this window may bring anything. It never waits.
    pub fn may_tell(&mut self, window: WindowId) -> bool {
        let now = Instant::now();
        self.silent.retain(|(_, until)| now < *until);
        !matches!(self.tree, Service::Absent) && self.silent.iter().all(|(silent, _)| *silent != window)
    }

    /// What is visible of the window and its popups, in desktop pixels; nothing where there is no tree.
    ///
    /// # Errors
    /// [`AccessibilityError`] when the service has just gone; from then on there is none.
    pub fn read(&mut self, window: &WindowInfo, limits: Limits) -> Result<Reading> {
        if !self.may_tell(window.id) {
            return Ok(Reading::default());
        }
        if matches!(self.tree, Service::Untried) {
            self.tree = open().map_or(Service::Absent, Service::There);
        }
        let Service::There(tree) = &mut self.tree else { return Ok(Reading::default()) };
        let reading = tree.read(window, limits);
        match &reading {
            Ok(reading) if reading.partial && reading.accessibles.is_empty() => {
                self.silent.push((window.id, Instant::now() + LEFT_ALONE));
            }
            Ok(_) => {}
            Err(AccessibilityError::Connection(_)) => self.tree = Service::Absent,
            // Of this window it told nonsense; others may be described better.
            Err(AccessibilityError::Answer(_)) => self.silent.push((window.id, Instant::now() + LEFT_ALONE)),
        }
        reading
    }
}

/// A name as a person would say it: one line, no colon or mnemonic at its end.
fn spoken(name: &str) -> String {
    let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches([':', '：', ' ']).to_string()
}
