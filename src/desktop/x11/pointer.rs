//! The mouse through XTEST: moves that are proven, buttons that are remembered until they are up.

use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, KeyButMask, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use crate::desktop::guard::Mark;
use crate::desktop::{DesktopError, MouseButton, Result};
use crate::scene::DesktopPoint;

use super::{Wire, lost};

/// How long a move or a release may take to arrive. Window managers freeze the pointer after a press until they have
/// looked at it, which takes seconds when they are busy (openbox after a change of the keyboard map).
const ARRIVAL: Duration = Duration::from_secs(15);
/// When it is sent again: the user may have pushed it away meanwhile.
const SEND_AGAIN: Duration = Duration::from_millis(200);
/// Between two looks at where it is.
const POLL: Duration = Duration::from_millis(2);
/// Between two wheel clicks; toolkits drop or merge faster ones.
const WHEEL_PAUSE: Duration = Duration::from_millis(8);
/// Most wheel clicks of one call: far more than any list needs.
const MAX_WHEEL: u32 = 1000;

const WHEEL_UP: u8 = 4;
const WHEEL_DOWN: u8 = 5;
const WHEEL_LEFT: u8 = 6;
const WHEEL_RIGHT: u8 = 7;

/// Which buttons are down because of us.
#[derive(Debug, Default)]
pub struct Pointer {
    held: Vec<u8>,
}

impl Pointer {
    /// Moves the pointer and proves that it arrived.
    ///
    /// # Errors
    /// [`DesktopError::PointerBlocked`] when it does not arrive.
    pub fn move_to(&mut self, wire: &Wire, to: DesktopPoint) -> Result<()> {
        let blocked = DesktopError::PointerBlocked { x: to.x, y: to.y };
        let (Ok(x), Ok(y)) = (i16::try_from(to.x), i16::try_from(to.y)) else { return Err(blocked) };
        let start = Instant::now();
        let mut sent: Option<Instant> = None;
        while start.elapsed() < ARRIVAL {
            if sent.is_none_or(|at| at.elapsed() >= SEND_AGAIN) {
                wire.connection
                    .xtest_fake_input(MOTION_NOTIFY_EVENT, 0, x11rb::CURRENT_TIME, wire.root, x, y, 0)
                    .map_err(lost)?;
                sent = Some(Instant::now());
            }
            let at = wire.connection.query_pointer(wire.root).map_err(lost)?.reply().map_err(lost)?;
            if (at.root_x, at.root_y) == (x, y) {
                return Ok(());
            }
            sleep(POLL);
        }
        Err(blocked)
    }

    /// Presses or releases a button; pressing one that is down and releasing one that is up do nothing. A release
    /// returns only when the server has really let go: while a window manager holds a click back, keys pressed next
    /// would overtake it and end in the field that had the focus before.
    ///
    /// # Errors
    /// [`DesktopError::PointerBlocked`] when the release is held back for too long; [`DesktopError::Unguarded`].
    pub fn button(&mut self, wire: &Wire, button: MouseButton, down: bool) -> Result<()> {
        let number = match button {
            MouseButton::Left => 1,
            MouseButton::Middle => 2,
            MouseButton::Right => 3,
        };
        if down == self.held.contains(&number) {
            return Ok(());
        }
        if down {
            wire.ledger.owe(&[Mark::Button(number)])?;
            self.held.push(number);
        } else {
            self.held.retain(|held| *held != number);
        }
        send(wire, number, down)?;
        if down {
            return wire.sync().map(drop);
        }
        let bit = u16::from(KeyButMask::BUTTON1) << (number - 1);
        let start = Instant::now();
        loop {
            let at = wire.connection.query_pointer(wire.root).map_err(lost)?.reply().map_err(lost)?;
            if u16::from(at.mask) & bit == 0 {
                wire.ledger.handled();
                return Ok(());
            }
            if start.elapsed() >= ARRIVAL {
                return Err(DesktopError::PointerBlocked { x: i32::from(at.root_x), y: i32::from(at.root_y) });
            }
            sleep(POLL);
        }
    }

    /// Turns the wheel; positive is down and right.
    ///
    /// # Errors
    /// [`DesktopError::Unguarded`].
    pub fn wheel(&mut self, wire: &Wire, dx: i32, dy: i32) -> Result<()> {
        let vertical = if dy < 0 { WHEEL_UP } else { WHEEL_DOWN };
        let horizontal = if dx < 0 { WHEEL_LEFT } else { WHEEL_RIGHT };
        for (button, clicks) in [(vertical, dy.unsigned_abs()), (horizontal, dx.unsigned_abs())] {
            for _ in 0..clicks.min(MAX_WHEEL) {
                // A wheel click is a button too: one that is down for ever would scroll for ever.
                wire.ledger.owe(&[Mark::Button(button)])?;
                send(wire, button, true)?;
                send(wire, button, false)?;
                wire.sync()?;
                sleep(WHEEL_PAUSE);
            }
        }
        Ok(())
    }

    /// Releases what is down because of us.
    pub fn release_all(&mut self, wire: &Wire) -> Result<()> {
        while let Some(number) = self.held.pop() {
            send(wire, number, false)?;
        }
        wire.sync().map(drop)
    }
}

/// Presses or releases a button; what goes down must be in the ledger before.
fn send(wire: &Wire, number: u8, down: bool) -> Result<()> {
    fake_button(wire, number, down)?;
    wire.connection.flush().map_err(lost)?;
    if !down {
        wire.ledger.released(&[Mark::Button(number)]);
    }
    Ok(())
}

/// The request alone, not flushed and in no ledger.
pub fn fake_button(wire: &Wire, number: u8, down: bool) -> Result<()> {
    let kind = if down { BUTTON_PRESS_EVENT } else { BUTTON_RELEASE_EVENT };
    wire.connection.xtest_fake_input(kind, number, x11rb::CURRENT_TIME, wire.root, 0, 0, 0).map_err(lost)?;
    Ok(())
}
