//! The screen and the hands: captures, mouse, keys, exact typing, windows, settling, the stop signal.
//!
//! Owns every system call that touches the desktop, and the only transform from a picture's point to a desktop
//! point. It knows `scene/` and nothing above: it does not know what an element, a tool or a policy is.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use image::RgbImage;

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
    #[error("the point belongs to capture {0:?}, which is unknown or too old; look again first")]
    StaleCapture(CaptureId),
    #[error("the point ({x}, {y}) lies outside its picture ({width}x{height})")]
    OutsideCapture { x: i32, y: i32, width: u32, height: u32 },
    #[error("the screen picture is useless: {0}")]
    BadCapture(String),
    #[error("this text cannot be typed here: {0}")]
    Typing(String),
    #[error("there is no key named \"{name}\". Known keys: {known}")]
    UnknownKey { name: String, known: String },
    #[error("stopped")]
    Stopped,
    #[error("the display connection failed: {0}")]
    Connection(String),
}

pub type Result<T> = std::result::Result<T, DesktopError>;

/// Set by Ctrl-C (and later the stop key); checked between all events. Cloning shares the flag.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(pub Arc<AtomicBool>);

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

/// What one system can do; `x11.rs` is the first. Coordinates are physical desktop pixels.
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
    fn move_pointer(&mut self, to: DesktopPoint) -> Result<()>;
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
    /// Releases every key and button that is down because of us, and restores the keyboard map.
    fn release_all(&mut self) -> Result<()>;
    /// Facts for `doctor`: (name, value).
    fn facts(&self) -> Vec<(String, String)>;
}
