//! The Windows backend: SendInput for mouse and keys, xcap for pictures, the window manager's own lists for the rest.
//!
//! The executable's manifest makes the process aware of every monitor's scale, so that windows, pointer and pictures
//! all count physical pixels.

mod facts;
mod grab;
mod input;
mod keyboard;
mod pointer;
pub(crate) mod processes;
mod release;
mod rights;
mod toplevel;

use arboard::Clipboard;
use image::RgbImage;
use windows_sys::Win32::Foundation::{POINT, RECT};
use windows_sys::Win32::UI::WindowsAndMessaging::{GA_ROOT, GetAncestor, WindowFromPoint};

use crate::scene::{DesktopPoint, DesktopRect, WindowId};

use super::{Backend, DesktopError, Key, Ledger, Monitor, MouseButton, Result, StopSignal, Untrue, WindowInfo};

use keyboard::Keyboard;
use pointer::Pointer;

pub use release::release;

/// How often the clipboard is asked for while another program holds it open, and the pause between.
const CLIPBOARD_TRIES: u32 = 20;
const CLIPBOARD_PAUSE: std::time::Duration = std::time::Duration::from_millis(25);

/// The desktop of the session that this process belongs to.
pub struct Windows {
    keyboard: Keyboard,
    pointer: Pointer,
    clipboard: Option<Clipboard>,
    ancestors: Vec<u32>,
    consoles: Vec<WindowId>,
}

impl Windows {
    /// Opens the desktop that the user sees.
    ///
    /// # Errors
    /// [`DesktopError::NoDisplay`] when the session is locked, has no desktop, or the process is a service.
    pub fn open() -> Result<Windows> {
        facts::input_desktop()?;
        Ok(Windows {
            keyboard: Keyboard::default(),
            pointer: Pointer::default(),
            clipboard: None,
            ancestors: processes::ancestors(),
            consoles: toplevel::consoles(),
        })
    }

    /// Does something with the clipboard; tries again while another program has it open.
    fn with_clipboard<T>(
        &mut self,
        mut action: impl FnMut(&mut Clipboard) -> std::result::Result<T, arboard::Error>,
    ) -> Result<T> {
        let mut tries = 0;
        loop {
            tries += 1;
            let done = match &mut self.clipboard {
                Some(clipboard) => action(clipboard),
                None => Clipboard::new().and_then(|new| action(self.clipboard.insert(new))),
            };
            match done {
                Ok(done) => return Ok(done),
                Err(arboard::Error::ClipboardOccupied) if tries < CLIPBOARD_TRIES => {
                    std::thread::sleep(CLIPBOARD_PAUSE);
                }
                Err(error) => return Err(DesktopError::Clipboard(error.to_string())),
            }
        }
    }
}

impl Backend for Windows {
    fn monitors(&self) -> Result<Vec<Monitor>> {
        grab::monitors()
    }

    fn windows(&self) -> Result<Vec<WindowInfo>> {
        Ok(toplevel::windows())
    }

    fn popups(&self) -> Result<Vec<WindowInfo>> {
        Ok(toplevel::popups())
    }

    fn active_window(&self) -> Result<Option<WindowId>> {
        Ok(toplevel::active())
    }

    fn activate(&mut self, window: WindowId) -> Result<()> {
        toplevel::activate(window)
    }

    fn grab(&mut self, area: DesktopRect) -> Result<RgbImage> {
        grab::grab(area)
    }

    fn kept_from_pictures(&self, window: WindowId) -> Option<Untrue> {
        toplevel::kept_from_pictures(window)
    }

    fn move_pointer(&mut self, to: DesktopPoint) -> Result<()> {
        self.pointer.move_to(to)
    }

    fn button(&mut self, button: MouseButton, down: bool) -> Result<()> {
        self.pointer.button(button, down)
    }

    fn wheel(&mut self, dx: i32, dy: i32) -> Result<()> {
        self.pointer.wheel(dx, dy)
    }

    fn key(&mut self, name: &str, down: bool) -> Result<()> {
        let key = Key::parse(name)?;
        if down { self.keyboard.press(key) } else { self.keyboard.release(key) }
    }

    fn type_text(&mut self, text: &str, stop: &StopSignal) -> Result<()> {
        self.keyboard.type_text(text, stop)
    }

    fn clipboard(&mut self) -> Result<Option<String>> {
        self.with_clipboard(|clipboard| match clipboard.get_text() {
            Ok(text) => Ok(Some(text)),
            Err(arboard::Error::ContentNotAvailable) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn set_clipboard(&mut self, text: &str) -> Result<()> {
        self.with_clipboard(|clipboard| clipboard.set_text(text))
    }

    fn program_name(&self, window: &WindowInfo) -> Option<String> {
        window.pid.and_then(processes::executable)
    }

    fn reachable_at(&self, window: WindowId, at: DesktopPoint) -> Result<bool> {
        // SAFETY: both calls take plain values and tolerate any.
        let hit = unsafe { GetAncestor(WindowFromPoint(POINT { x: at.x, y: at.y }), GA_ROOT) };
        Ok(!hit.is_null() && processes::of_window(hit) == processes::of_window(toplevel::handle(window)))
    }

    fn started_us(&self, window: &WindowInfo) -> bool {
        self.consoles.contains(&window.id) || window.pid.is_some_and(|pid| self.ancestors.contains(&pid))
    }

    fn release_all(&mut self) -> Result<()> {
        // The buttons go up even when the keyboard's part fails.
        let buttons = self.pointer.release_all();
        let keys = self.keyboard.release_all();
        buttons.and(keys)
    }

    fn set_ledger(&mut self, ledger: Ledger) {
        self.keyboard.set_ledger(ledger.clone());
        self.pointer.set_ledger(ledger);
    }

    fn facts(&self) -> Vec<(String, String)> {
        facts::facts()
    }
}

impl Drop for Windows {
    fn drop(&mut self) {
        // Nothing may stay pressed; a desktop that takes no input any more holds nothing.
        let _ = self.release_all();
    }
}

/// Our rectangle for one of the system's.
fn rect(rect: RECT) -> DesktopRect {
    DesktopRect::new(DesktopPoint::new(rect.left, rect.top), DesktopPoint::new(rect.right, rect.bottom))
}

/// The text that a call has written into a buffer of UTF-16; what is no UTF-16 becomes replacement characters.
fn text(buffer: &[u16], length: usize) -> String {
    String::from_utf16_lossy(buffer.get(..length).unwrap_or(buffer))
}

#[cfg(test)]
mod tests;
