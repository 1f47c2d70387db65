//! The X11 backend: x11rb over the Unix socket, no other library and no helper program.

mod atoms;
mod clipboard;
mod connect;
mod facts;
mod grab;
mod keyboard;
mod keysyms;
mod pids;
mod ping;
mod pointer;
mod processes;
mod release;
mod windows;

use std::fmt::Display;

use image::RgbImage;
use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::ReplyError;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt, Window};
use x11rb::protocol::{ErrorKind, xtest};
use x11rb::rust_connection::RustConnection;

use crate::scene::{DesktopPoint, DesktopRect, WindowId};

use super::{Backend, DesktopError, Key, Ledger, Monitor, MouseButton, Result, StopSignal, WindowInfo};

use atoms::Atoms;
use clipboard::Clipboard;
use grab::PixelFormat;
use keyboard::Keyboard;
use pointer::Pointer;

pub use release::release;

/// The connection and what is needed with nearly every request.
struct Wire {
    display: String,
    connection: RustConnection,
    root: Window,
    screen: usize,
    atoms: Atoms,
    /// Where is said what goes down and comes up.
    ledger: Ledger,
}

/// An open X11 display.
pub struct X11 {
    wire: Wire,
    format: PixelFormat,
    keyboard: Keyboard,
    pointer: Pointer,
    clipboard: Clipboard,
    ancestors: Vec<u32>,
    terminal: Option<u64>,
}

impl X11 {
    /// Opens the display that the environment names.
    ///
    /// # Errors
    /// [`DesktopError::NoDisplay`] when there is none, [`DesktopError::Missing`] when it cannot be driven.
    pub fn open() -> Result<X11> {
        let display = std::env::var("DISPLAY").unwrap_or_default();
        if display.is_empty() && std::env::var_os("WAYLAND_DISPLAY").is_some() {
            let reason = "this is a Wayland session without X11 programs, which is not supported yet";
            return Err(DesktopError::NoDisplay(reason.to_owned()));
        }
        Self::open_on(&display)
    }

    /// Opens a display by its name, such as `:0`.
    ///
    /// # Errors
    /// As [`X11::open`].
    pub fn open_on(display: &str) -> Result<X11> {
        let wire = Wire::open(display)?;
        let format = grab::format_of(&wire.connection, wire.screen)?;
        let keyboard = Keyboard::new(&wire)?;
        let clipboard = Clipboard::new(&wire)?;
        let terminal = std::env::var("WINDOWID").ok().and_then(|id| id.parse().ok());
        let ancestors = processes::ancestors();
        Ok(X11 { wire, format, keyboard, pointer: Pointer::default(), clipboard, ancestors, terminal })
    }
}

impl Backend for X11 {
    fn monitors(&self) -> Result<Vec<Monitor>> {
        let randr = x11rb::protocol::randr::X11_EXTENSION_NAME;
        let connection = &self.wire.connection;
        let mut monitors = Vec::new();
        if connection.extension_information(randr).map_err(lost)?.is_some() {
            let version = connection.randr_query_version(1, 5).map_err(lost)?.reply().map_err(lost)?;
            if (version.major_version, version.minor_version) >= (1, 5) {
                let reply = connection.randr_get_monitors(self.wire.root, true).map_err(lost)?.reply().map_err(lost)?;
                for monitor in reply.monitors {
                    let name = connection.get_atom_name(monitor.name).map_err(lost)?.reply().map_err(lost)?.name;
                    monitors.push(Monitor {
                        name: windows::latin1_or_utf8(&name),
                        bounds: rect(
                            i32::from(monitor.x),
                            i32::from(monitor.y),
                            i32::from(monitor.width),
                            i32::from(monitor.height),
                        ),
                        // Pictures, pointer and windows all count physical pixels on X11.
                        scale: 1.0,
                        primary: monitor.primary,
                    });
                }
            }
        }
        if monitors.is_empty() {
            let bounds = grab::root_rect(connection, self.wire.root)?;
            monitors.push(Monitor { name: "screen".to_owned(), bounds, scale: 1.0, primary: true });
        }
        Ok(monitors)
    }

    fn windows(&self) -> Result<Vec<WindowInfo>> {
        windows::windows(&self.wire)
    }

    fn popups(&self) -> Result<Vec<WindowInfo>> {
        windows::popups(&self.wire)
    }

    fn active_window(&self) -> Result<Option<WindowId>> {
        windows::active(&self.wire)
    }

    fn activate(&mut self, window: WindowId) -> Result<()> {
        let id = windows::xid(window).ok_or_else(|| DesktopError::WindowGone(format!("{:#x}", window.0)))?;
        windows::activate(&self.wire, id)
    }

    fn grab(&mut self, area: DesktopRect) -> Result<RgbImage> {
        let screen = grab::root_rect(&self.wire.connection, self.wire.root)?;
        let visible = area.intersection(&screen).unwrap_or(DesktopRect::zero());
        grab::grab(&self.wire.connection, self.wire.root, &self.format, visible)
    }

    fn own_picture(&mut self, window: WindowId, area: DesktopRect) -> Result<Option<RgbImage>> {
        match windows::xid(window) {
            Some(window) => grab::own(&self.wire, window, area),
            None => Ok(None),
        }
    }

    fn move_pointer(&mut self, to: DesktopPoint) -> Result<()> {
        self.pointer.move_to(&self.wire, to)
    }

    fn button(&mut self, button: MouseButton, down: bool) -> Result<()> {
        self.pointer.button(&self.wire, button, down)
    }

    fn wheel(&mut self, dx: i32, dy: i32) -> Result<()> {
        self.pointer.wheel(&self.wire, dx, dy)
    }

    fn key(&mut self, name: &str, down: bool) -> Result<()> {
        let key = Key::parse(name)?;
        if down { self.keyboard.press(&self.wire, key) } else { self.keyboard.release(&self.wire, key) }
    }

    fn type_text(&mut self, text: &str, stop: &StopSignal) -> Result<()> {
        self.keyboard.type_text(&self.wire, text, stop)
    }

    fn clipboard(&mut self) -> Result<Option<String>> {
        self.clipboard.read(&self.wire, self.wire.atoms.CLIPBOARD)
    }

    fn set_clipboard(&mut self, text: &str) -> Result<()> {
        self.clipboard.offer(&self.wire, text)
    }

    fn primary_selection(&mut self) -> Result<Option<String>> {
        self.clipboard.read(&self.wire, x11rb::protocol::xproto::AtomEnum::PRIMARY.into())
    }

    fn program_name(&self, window: &WindowInfo) -> Option<String> {
        window.pid.and_then(processes::executable)
    }

    fn same_program(&self, a: &WindowInfo, b: &WindowInfo) -> bool {
        let same_pid = a.pid.is_some() && a.pid == b.pid;
        same_pid || self.wire.program_of(a.id.0 as u32) == self.wire.program_of(b.id.0 as u32)
    }

    fn reachable_at(&self, window: WindowId, at: DesktopPoint) -> Result<bool> {
        let Some(window) = windows::xid(window) else { return Ok(false) };
        windows::reachable_at(&self.wire, window, at)
    }

    fn started_us(&self, window: &WindowInfo) -> bool {
        self.terminal == Some(window.id.0) || window.pid.is_some_and(|pid| self.ancestors.contains(&pid))
    }

    fn release_all(&mut self) -> Result<()> {
        // The buttons go up even when the keyboard's part fails.
        let buttons = self.pointer.release_all(&self.wire);
        let keys = self.keyboard.release_all(&self.wire);
        buttons.and(keys)
    }

    fn set_ledger(&mut self, ledger: Ledger) {
        ledger.introduce(&self.wire.display, self.clipboard.window());
        self.wire.ledger = ledger;
    }

    fn facts(&self) -> Vec<(String, String)> {
        facts::facts(&self.wire)
    }
}

impl Drop for X11 {
    fn drop(&mut self) {
        // A connection that is already lost has nothing left to release.
        let _ = self.release_all();
    }
}

impl Wire {
    /// Connects to the display; nothing on it is changed.
    ///
    /// # Errors
    /// As [`X11::open`].
    fn open(display: &str) -> Result<Wire> {
        let connect::Connected { connection, screen } = connect::connect(display)?;
        let root = connection
            .setup()
            .roots
            .get(screen)
            .map(|screen| screen.root)
            .ok_or(DesktopError::Missing("the screen that DISPLAY names"))?;
        if connection.extension_information(xtest::X11_EXTENSION_NAME).map_err(lost)?.is_none() {
            return Err(DesktopError::Missing("the XTEST extension"));
        }
        let atoms = Atoms::new(&connection).map_err(lost)?.reply().map_err(lost)?;
        Ok(Wire { display: display.to_owned(), connection, root, screen, atoms, ledger: Ledger::default() })
    }

    /// The part of a window's id that all windows of one program share.
    fn program_of(&self, window: Window) -> u32 {
        window & !self.connection.setup().resource_id_mask
    }

    /// A reply, or `None` when the window it asked about no longer exists.
    fn present<T>(&self, reply: std::result::Result<T, ReplyError>) -> Result<Option<T>> {
        match reply {
            Ok(reply) => Ok(Some(reply)),
            Err(ReplyError::X11Error(error)) if matches!(error.error_kind, ErrorKind::Window | ErrorKind::Drawable) => {
                Ok(None)
            }
            Err(error) => Err(lost(error)),
        }
    }

    /// Only a broken connection counts as an error, not the server's "no".
    fn ignore_x_error(&self, error: ReplyError) -> Result<()> {
        match error {
            ReplyError::X11Error(_) => Ok(()),
            ReplyError::ConnectionError(error) => Err(lost(error)),
        }
    }

    /// Waits until the server has handled everything sent so far; returns the window that has the keyboard.
    fn sync(&self) -> Result<Window> {
        let focus = self.connection.get_input_focus().map_err(lost)?.reply().map_err(lost)?.focus;
        self.ledger.handled();
        Ok(focus)
    }
}

/// An error of the connection or an unexpected answer.
fn lost(error: impl Display) -> DesktopError {
    DesktopError::Connection(error.to_string())
}

/// A rectangle from its corner and size.
fn rect(x: i32, y: i32, width: i32, height: i32) -> DesktopRect {
    DesktopRect::new(DesktopPoint::new(x, y), DesktopPoint::new(x + width, y + height))
}
