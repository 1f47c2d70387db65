//! What the guard does on Windows when the hands are gone: the releasing events that they still owe are sent.
//!
//! What a killed program has sent before is in the system's queue already, so a release sent now comes after it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use windows_sys::Win32::UI::Input::KeyboardAndMouse::{GetAsyncKeyState, INPUT, KEYEVENTF_KEYUP};

use crate::desktop::guard::{Debts, Mark};
use crate::desktop::{DesktopError, Result};

use super::{input, pointer};

/// How long the releasing may take; the system refuses input while it asks for an administrator, for example.
const DEADLINE: Duration = Duration::from_secs(1);
/// Between two releases.
const POLL: Duration = Duration::from_millis(10);

/// Releases the keys and buttons.
///
/// # Errors
/// [`DesktopError::StillDown`] when something is down after a second, [`DesktopError::InputRefused`].
pub fn release(debts: &Debts) -> Result<()> {
    let events: Vec<INPUT> = debts.marks().filter_map(event).collect();
    let start = Instant::now();
    loop {
        let sent = input::send(&events);
        let down: Vec<String> = debts.marks().filter(is_down).map(|mark| mark.to_string()).collect();
        if sent.is_ok() && down.is_empty() {
            return Ok(());
        }
        if start.elapsed() >= DEADLINE {
            return sent.and(Err(DesktopError::StillDown(down.join(", "))));
        }
        sleep(POLL);
    }
}

/// The event that releases it. The flags are those of a release whatever the line said: the guard never presses.
fn event(mark: Mark) -> Option<INPUT> {
    match mark {
        Mark::Input { virtual_key, scan, flags } => Some(input::key(virtual_key, scan, flags | KEYEVENTF_KEYUP)),
        Mark::Mouse { flags } => pointer::released_by(flags).map(|_| input::mouse(flags, 0, 0, 0)),
        Mark::Key(_) | Mark::Button(_) | Mark::Keysym { .. } | Mark::Locks { .. } => None,
    }
}

/// Whether it is down now. Characters sent as Unicode have no state.
fn is_down(mark: &Mark) -> bool {
    let virtual_key = match mark {
        Mark::Input { virtual_key: 0, .. } => None,
        Mark::Input { virtual_key, .. } => Some(*virtual_key),
        Mark::Mouse { flags } => pointer::released_by(*flags),
        Mark::Key(_) | Mark::Button(_) | Mark::Keysym { .. } | Mark::Locks { .. } => None,
    };
    // SAFETY: the call takes a number and returns one; the highest bit means "is down".
    virtual_key.is_some_and(|virtual_key| unsafe { GetAsyncKeyState(i32::from(virtual_key)) } < 0)
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::UI::Input::KeyboardAndMouse::{INPUT_KEYBOARD, MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP};

    use super::*;

    #[test]
    fn the_guard_only_ever_releases() {
        let pressed = event(Mark::Input { virtual_key: 65, scan: 30, flags: 0 }).unwrap();
        assert_eq!(pressed.r#type, INPUT_KEYBOARD);
        // SAFETY: a keyboard event, as just proven.
        assert_eq!(unsafe { pressed.Anonymous.ki.dwFlags }, KEYEVENTF_KEYUP);
        assert!(event(Mark::Mouse { flags: MOUSEEVENTF_LEFTDOWN }).is_none());
        assert!(event(Mark::Mouse { flags: MOUSEEVENTF_LEFTUP }).is_some());
        assert!(event(Mark::Key(38)).is_none());
    }
}
