//! SendInput: one place where events leave, and where it is noticed that the system takes none.

use windows_sys::Win32::UI::Input::KeyboardAndMouse::{
    INPUT, INPUT_0, INPUT_KEYBOARD, INPUT_MOUSE, KEYBDINPUT, MOUSEINPUT, SendInput,
};

use crate::desktop::{DesktopError, Result};

/// A mouse event; the meaning of `dx`, `dy` and `data` depends on the flags.
pub fn mouse(flags: u32, dx: i32, dy: i32, data: i32) -> INPUT {
    let mi = MOUSEINPUT { dx, dy, mouseData: data.cast_unsigned(), dwFlags: flags, time: 0, dwExtraInfo: 0 };
    INPUT { r#type: INPUT_MOUSE, Anonymous: INPUT_0 { mi } }
}

/// A keyboard event.
pub fn key(virtual_key: u16, scan: u16, flags: u32) -> INPUT {
    let ki = KEYBDINPUT { wVk: virtual_key, wScan: scan, dwFlags: flags, time: 0, dwExtraInfo: 0 };
    INPUT { r#type: INPUT_KEYBOARD, Anonymous: INPUT_0 { ki } }
}

/// Sends events, with nothing of others between them.
///
/// # Errors
/// [`DesktopError::InputRefused`] when the system takes less than all of them.
pub fn send(events: &[INPUT]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    // SAFETY: the pointer and the count belong to one slice, and the size is that of its elements.
    let taken = unsafe { SendInput(events.len() as u32, events.as_ptr(), size_of::<INPUT>() as i32) };
    if taken as usize == events.len() {
        return Ok(());
    }
    Err(DesktopError::InputRefused)
}
