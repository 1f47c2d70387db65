//! The screen and the hands: captures, mouse, keys, exact typing, windows, settling, the stop signal.
//!
//! Owns every system call that touches the desktop, and the only transform from a picture's point to a desktop
//! point. It knows `scene/` and nothing above: it does not know what an element, a tool or a policy is.

pub mod accessibility;
#[cfg(test)]
mod fake;
mod frames;
mod guard;
mod hands;
mod keys;
mod session;
mod settle;
mod stop;
#[cfg(all(test, target_os = "linux"))]
mod testing;
#[cfg(all(test, target_os = "linux"))]
mod tests;
mod untrue;
#[cfg(windows)]
mod windows;
#[cfg(target_os = "linux")]
mod x11;

use image::RgbImage;

#[cfg(windows)]
pub(crate) use windows::processes;

pub use frames::{FrameGeometry, MAX_FRAMES};
pub use guard::{Ledger, watch};
pub use keys::{Key, known_keys, parse_chord};
pub use session::Desktop;
pub use settle::{SettleOptions, Settled};
pub use stop::StopSignal;
pub use untrue::Untrue;

use crate::scene::{CaptureId, DesktopPoint, DesktopRect, WindowId};

/// Why the desktop could not be used.
#[derive(Debug, thiserror::Error)]
pub enum DesktopError {
    #[error("there is no display to work on: {0}. Start Deskhand inside a desktop session, or set DISPLAY")]
    NoDisplay(String),
    #[error("the display lacks {0}, which Deskhand needs")]
    Missing(&'static str),
    #[error("the window {0} is gone")]
    WindowGone(String),
    #[error("no window matches \"{wanted}\". Open windows: {open}")]
    NoWindow { wanted: String, open: String },
    #[error("the window \"{0}\" did not come to the front")]
    NotInFront(String),
    #[error("another window covers that place of \"{0}\"; bring it to the front first")]
    Covered(String),
    #[error("the point belongs to capture {0:?}, which is unknown or too old; look again first")]
    StaleCapture(CaptureId),
    #[error("the point ({x}, {y}) lies outside its picture ({width}x{height})")]
    OutsideCapture { x: i32, y: i32, width: u32, height: u32 },
    #[error("the screen picture is useless: {0}")]
    BadCapture(String),
    #[error("the picture of {of} cannot be trusted, so nothing is done with it: {why}")]
    Untrue { of: String, why: Untrue },
    #[error("this text cannot be typed here: {0}")]
    Typing(String),
    #[error("there is no key named \"{name}\". Known keys: {known}")]
    UnknownKey { name: String, known: String },
    #[error("the clipboard did not work: {0}")]
    Clipboard(String),
    #[error("the mouse is blocked at ({x}, {y}): another program holds it or confines it")]
    PointerBlocked { x: i32, y: i32 },
    #[error("the system takes no input now; the screen may be locked, or a question for an administrator is open")]
    InputRefused,
    #[error(
        "\"{0}\" runs with an administrator's rights and takes no input from programs without them; close Deskhand \
         and start it with \"Run as administrator\""
    )]
    MoreRights(String),
    #[error(
        "the guard, which lets go of keys and buttons should Deskhand be killed, is gone ({0}); everything was released \
         and nothing more is pressed without it. Start the run again"
    )]
    Unguarded(String),
    #[error("these may still be down or changed: {0}. Press and release each key and button of them once by hand")]
    StillDown(String),
    #[error("stopped")]
    Stopped,
    #[error("the display connection failed: {0}")]
    Connection(String),
}

pub type Result<T> = std::result::Result<T, DesktopError>;

/// A top-level window.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowInfo {
    pub id: WindowId,
    pub title: String,
    /// WM_CLASS on X11, the window class on Windows.
    pub class: String,
    pub pid: Option<u32>,
    /// Client area, without the window manager's frame.
    pub bounds: DesktopRect,
    pub minimized: bool,
    /// The window this one is a dialog of.
    pub transient_for: Option<WindowId>,
}

/// A title as one line: programs may put anything into theirs, and whoever lists titles must not be fooled by it.
fn one_line(title: &str) -> String {
    title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A monitor.
#[derive(Debug, Clone, PartialEq)]
pub struct Monitor {
    pub name: String,
    pub bounds: DesktopRect,
    pub scale: f64,
    pub primary: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    Left,
    Middle,
    Right,
}

/// What shall be captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureArea {
    /// A window, together with the popups (menus, drop-down lists) that belong to it.
    Window(WindowId),
    /// One monitor, by its place in `Desktop::monitors`.
    Monitor(usize),
    /// The whole virtual desktop.
    All,
}

/// What one system can do: `x11/`, `windows/`. Coordinates are physical desktop pixels.
pub trait Backend: Send {
    fn monitors(&self) -> Result<Vec<Monitor>>;
    /// Ordinary top-level windows, topmost first.
    fn windows(&self) -> Result<Vec<WindowInfo>>;
    /// Visible popups (menus, drop-down lists) that no window manager handles.
    fn popups(&self) -> Result<Vec<WindowInfo>>;
    fn active_window(&self) -> Result<Option<WindowId>>;
    /// Asks for the window to come to the front and to have the focus; does not wait.
    fn activate(&mut self, window: WindowId) -> Result<()>;
    fn grab(&mut self, area: DesktopRect) -> Result<RgbImage>;
    /// What the window itself has drawn in this part of the desktop, whatever the screen shows there; `None` where the
    /// system does not tell. The part lies within the window and on the screen.
    ///
    /// # Errors
    /// When the connection fails.
    fn own_picture(&mut self, _window: WindowId, _area: DesktopRect) -> Result<Option<RgbImage>> {
        Ok(None)
    }
    /// What pictures show instead of the window, when its program has asked the system to keep it out of them.
    fn kept_from_pictures(&self, _window: WindowId) -> Option<Untrue> {
        None
    }
    fn move_pointer(&mut self, to: DesktopPoint) -> Result<()>;
    /// A release returns only when it has taken effect, so that what follows cannot overtake the click.
    fn button(&mut self, button: MouseButton, down: bool) -> Result<()>;
    /// Wheel clicks: positive `dy` scrolls down, positive `dx` right.
    fn wheel(&mut self, dx: i32, dy: i32) -> Result<()>;
    /// A key by its name (`ctrl`, `enter`, `f5`, `a`, ...).
    fn key(&mut self, name: &str, down: bool) -> Result<()>;
    /// Types any Unicode text exactly; `\n` is the Return key.
    fn type_text(&mut self, text: &str, stop: &StopSignal) -> Result<()>;
    /// The clipboard's text; `None` when it holds no text or nobody owns it.
    fn clipboard(&mut self) -> Result<Option<String>>;
    fn set_clipboard(&mut self, text: &str) -> Result<()>;
    /// The text selected last with the mouse, where the system has such a thing (X11's PRIMARY selection).
    fn primary_selection(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
    /// The executable's base name of the program that owns the window, where it can be told.
    fn program_name(&self, _window: &WindowInfo) -> Option<String> {
        None
    }
    /// Whether both windows belong to the same running program.
    fn same_program(&self, a: &WindowInfo, b: &WindowInfo) -> bool {
        a.pid.is_some() && a.pid == b.pid
    }
    /// Whether what the user would hit at that place belongs to the window's program, not to one that covers it.
    ///
    /// # Errors
    /// When the connection fails.
    fn reachable_at(&self, _window: WindowId, _at: DesktopPoint) -> Result<bool> {
        Ok(true)
    }
    /// Whether the window is the terminal (or another ancestor process) that started this process.
    fn started_us(&self, _window: &WindowInfo) -> bool {
        false
    }
    /// Releases every key and button that is down because of us, and restores the keyboard map.
    fn release_all(&mut self) -> Result<()>;
    /// From now on says in this ledger what is about to go down or to be changed, and what is over. Nothing may go
    /// down that the ledger refuses; releasing goes on whatever it says.
    fn set_ledger(&mut self, ledger: Ledger);
    /// Facts for `doctor`: (name, value).
    fn facts(&self) -> Vec<(String, String)>;
}
