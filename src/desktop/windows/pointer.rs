//! The mouse: moves over the whole virtual desktop that are proven, buttons that are remembered until they are up.

use std::thread::sleep;
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::{HWND, POINT};
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{
    GetAsyncKeyState, MOUSE_EVENT_FLAGS, MOUSEEVENTF_ABSOLUTE, MOUSEEVENTF_HWHEEL, MOUSEEVENTF_LEFTDOWN,
    MOUSEEVENTF_LEFTUP, MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_MIDDLEUP, MOUSEEVENTF_MOVE, MOUSEEVENTF_RIGHTDOWN,
    MOUSEEVENTF_RIGHTUP, MOUSEEVENTF_VIRTUALDESK, MOUSEEVENTF_WHEEL, VK_LBUTTON, VK_MBUTTON, VK_RBUTTON,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    GetCursorPos, GetSystemMetrics, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN, SM_SWAPBUTTON, SM_XVIRTUALSCREEN,
    SM_YVIRTUALSCREEN, SMTO_ABORTIFHUNG, SendMessageTimeoutW, WHEEL_DELTA, WM_NULL, WindowFromPoint,
};

use crate::desktop::guard::{Ledger, Mark};
use crate::desktop::{DesktopError, MouseButton, Result};
use crate::scene::DesktopPoint;

use super::input;

/// To a place on the virtual desktop, which spans all monitors.
const TO_PLACE: MOUSE_EVENT_FLAGS = MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK;
/// How long a move may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(5);
/// When it is sent again: the user may have pushed the mouse away meanwhile.
const SEND_AGAIN: Duration = Duration::from_millis(200);
/// Between two looks at where it is.
const POLL: Duration = Duration::from_millis(2);
/// How long a button may take to be seen as released.
const RELEASED: Duration = Duration::from_secs(2);
/// How long the program under the pointer may take to say that it lives.
const ANSWER: u32 = 1_000;
/// Between two wheel clicks; programs merge faster ones.
const WHEEL_PAUSE: Duration = Duration::from_millis(8);
/// Most wheel clicks of one call: far more than any list needs.
const MAX_WHEEL: u32 = 1000;

/// Which buttons are down because of us, as the user means them, and where we have moved the pointer last.
///
/// Every press, release and wheel click carries that place with it: whatever else moves the pointer meanwhile (the
/// user's hand, a late event of a remote desktop), it acts where it was meant.
#[derive(Debug, Default)]
pub struct Pointer {
    held: Vec<MouseButton>,
    place: Option<DesktopPoint>,
    ledger: Ledger,
}

impl Pointer {
    /// Says in this ledger from now on what is about to go down and what is up.
    pub fn set_ledger(&mut self, ledger: Ledger) {
        self.ledger = ledger;
    }

    /// Moves the pointer and proves that it arrived.
    ///
    /// # Errors
    /// [`DesktopError::PointerBlocked`] when it does not arrive, [`DesktopError::InputRefused`].
    pub fn move_to(&mut self, to: DesktopPoint) -> Result<()> {
        let start = Instant::now();
        let mut sent: Option<Instant> = None;
        while start.elapsed() < ARRIVAL {
            if sent.is_none_or(|at| at.elapsed() >= SEND_AGAIN) {
                let Some((x, y)) = coordinates(to) else { break };
                input::send(&[input::mouse(TO_PLACE, x, y, 0)])?;
                self.place = Some(to);
                sent = Some(Instant::now());
            }
            if position() == Some(to) {
                return Ok(());
            }
            sleep(POLL);
        }
        Err(DesktopError::PointerBlocked { x: to.x, y: to.y })
    }

    /// Presses or releases a button; pressing one that is down and releasing one that is up do nothing. A release
    /// returns when the system sees the button up and the program under the pointer answers again.
    ///
    /// # Errors
    /// [`DesktopError::InputRefused`], [`DesktopError::Unguarded`].
    pub fn button(&mut self, button: MouseButton, down: bool) -> Result<()> {
        if down == self.held.contains(&button) {
            return Ok(());
        }
        let (press, release, virtual_key) = events(button, swapped());
        let mark = Mark::Mouse { flags: release };
        if down {
            self.ledger.owe(&[mark])?;
            self.held.push(button);
            return self.act(press, 0);
        }
        self.held.retain(|held| *held != button);
        self.act(release, 0)?;
        self.ledger.paid(&[mark]);
        let start = Instant::now();
        // SAFETY: the call takes a number and returns one; the highest bit means "is down".
        while unsafe { GetAsyncKeyState(i32::from(virtual_key)) } < 0 && start.elapsed() < RELEASED {
            sleep(POLL);
        }
        answered();
        Ok(())
    }

    /// Turns the wheel; positive is down and right.
    ///
    /// # Errors
    /// [`DesktopError::InputRefused`].
    pub fn wheel(&mut self, dx: i32, dy: i32) -> Result<()> {
        let step = WHEEL_DELTA.cast_signed();
        // Windows counts up and right as positive.
        for (flags, clicks, sign) in [(MOUSEEVENTF_WHEEL, dy, -1), (MOUSEEVENTF_HWHEEL, dx, 1)] {
            for _ in 0..clicks.unsigned_abs().min(MAX_WHEEL) {
                self.act(flags, sign * clicks.signum() * step)?;
                sleep(WHEEL_PAUSE);
            }
        }
        Ok(())
    }

    /// Sends a button or wheel event that carries the place where it is meant. One event, not a movement and another
    /// one: what comes between the two is what this is for.
    fn act(&self, flags: MOUSE_EVENT_FLAGS, data: i32) -> Result<()> {
        match self.place.and_then(coordinates) {
            Some((x, y)) => input::send(&[input::mouse(flags | TO_PLACE, x, y, data)]),
            None => input::send(&[input::mouse(flags, 0, 0, data)]),
        }
    }

    /// Releases what is down because of us.
    ///
    /// # Errors
    /// [`DesktopError::InputRefused`].
    pub fn release_all(&mut self) -> Result<()> {
        while let Some(button) = self.held.pop() {
            let (_, release, _) = events(button, swapped());
            input::send(&[input::mouse(release, 0, 0, 0)])?;
            self.ledger.paid(&[Mark::Mouse { flags: release }]);
        }
        Ok(())
    }
}

/// What SendInput takes for a place; `None` outside the virtual desktop.
fn coordinates(to: DesktopPoint) -> Option<(i32, i32)> {
    let metric = |index| {
        // SAFETY: the call takes a number and returns one.
        unsafe { GetSystemMetrics(index) }
    };
    let x = absolute(to.x, metric(SM_XVIRTUALSCREEN), metric(SM_CXVIRTUALSCREEN))?;
    let y = absolute(to.y, metric(SM_YVIRTUALSCREEN), metric(SM_CYVIRTUALSCREEN))?;
    Some((x, y))
}

/// Where the pointer is.
fn position() -> Option<DesktopPoint> {
    let mut at = POINT { x: 0, y: 0 };
    // SAFETY: the call fills in the point.
    let known = unsafe { GetCursorPos(&raw mut at) };
    (known != 0).then(|| DesktopPoint::new(at.x, at.y))
}

/// Whether the user has swapped the buttons: events name the physical button, we mean the one that acts.
fn swapped() -> bool {
    // SAFETY: the call takes a number and returns one.
    unsafe { GetSystemMetrics(SM_SWAPBUTTON) != 0 }
}

/// The virtual key of the physical button that a release event lets go of.
pub fn released_by(flags: MOUSE_EVENT_FLAGS) -> Option<u16> {
    let all = [MouseButton::Left, MouseButton::Middle, MouseButton::Right].map(|button| events(button, false));
    all.into_iter().find(|(_, release, _)| *release == flags).map(|(_, _, virtual_key)| virtual_key)
}

/// Press event, release event and virtual key of the physical button that does what `button` means.
fn events(button: MouseButton, swapped: bool) -> (MOUSE_EVENT_FLAGS, MOUSE_EVENT_FLAGS, u16) {
    match (button, swapped) {
        (MouseButton::Left, false) | (MouseButton::Right, true) => {
            (MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP, VK_LBUTTON)
        }
        (MouseButton::Right, false) | (MouseButton::Left, true) => {
            (MOUSEEVENTF_RIGHTDOWN, MOUSEEVENTF_RIGHTUP, VK_RBUTTON)
        }
        (MouseButton::Middle, _) => (MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_MIDDLEUP, VK_MBUTTON),
    }
}

/// Waits until the program under the pointer takes messages; one that hangs is not waited for longer than a second.
fn answered() {
    let Some(at) = position() else { return };
    // SAFETY: the call takes a point and returns a handle or null.
    let window: HWND = unsafe { WindowFromPoint(POINT { x: at.x, y: at.y }) };
    if !window.is_null() {
        // SAFETY: the message carries no pointers, and a window that is gone makes the call fail.
        unsafe { SendMessageTimeoutW(window, WM_NULL, 0, 0, SMTO_ABORTIFHUNG, ANSWER, std::ptr::null_mut()) };
    }
}

/// The coordinate that MOUSEEVENTF_ABSOLUTE takes for a pixel: the virtual desktop counts as 65,536 wide, and Windows
/// rounds down when it computes the pixel. `None` outside the virtual desktop.
fn absolute(pixel: i32, start: i32, length: i32) -> Option<i32> {
    let offset = i64::from(pixel) - i64::from(start);
    if offset < 0 || offset >= i64::from(length) {
        return None;
    }
    // Rounded up, so that rounding down gives the pixel again.
    let scaled = (offset * 65_536 + i64::from(length) - 1) / i64::from(length);
    i32::try_from(scaled).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_pixel_of_the_virtual_desktop_is_hit_exactly(
            start in -8000i32..8000, length in 1i32..16_000, part in 0.0f64..1.0,
        ) {
            let pixel = start + (part * f64::from(length)) as i32;
            let scaled = absolute(pixel, start, length).unwrap();
            let back = i64::from(scaled) * i64::from(length) / 65_536 + i64::from(start);
            prop_assert_eq!(back, i64::from(pixel));
        }
    }

    #[test]
    fn a_place_outside_the_virtual_desktop_has_no_coordinate() {
        assert_eq!(absolute(-1, 0, 1280), None);
        assert_eq!(absolute(1280, 0, 1280), None);
        assert_eq!(absolute(-1920, -1920, 3200), Some(0));
    }

    #[test]
    fn swapped_buttons_are_swapped_back() {
        assert_eq!(events(MouseButton::Left, true), events(MouseButton::Right, false));
        assert_eq!(events(MouseButton::Right, true), events(MouseButton::Left, false));
        assert_eq!(events(MouseButton::Middle, true), events(MouseButton::Middle, false));
    }
}
