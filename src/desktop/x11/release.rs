//! What the guard does on a display when the hands are gone: everything they owe is released and changed back.
//!
//! A killed program's last requests may still lie in the server's queue, and a press among them would come after our
//! release. So releasing is repeated until the server has closed the killed program's connection, which it does after
//! the last of its requests.

use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask, Keycode, Keysym, ModMask};

use crate::desktop::guard::{Debts, Mark};
use crate::desktop::{DesktopError, Result};

use super::keyboard::{self, Locks, Map};
use super::keysyms::NO_SYMBOL;
use super::pointer::fake_button;
use super::{Wire, lost};

/// How long the releasing may take.
const DEADLINE: Duration = Duration::from_secs(1);
/// When it is not known which connection was the hands', everything must have been up for this long.
const QUIET: Duration = Duration::from_millis(150);
/// Between two releases.
const POLL: Duration = Duration::from_millis(5);

/// Releases the keys and buttons, then gives back the keyboard map and the locks.
///
/// # Errors
/// [`DesktopError::StillDown`] when something is down after a second; [`DesktopError::NoDisplay`].
pub fn release(debts: &Debts) -> Result<()> {
    let display = match debts.display() {
        Some(display) => display.to_owned(),
        None => std::env::var("DISPLAY").unwrap_or_default(),
    };
    let wire = Wire::open(&display)?;
    let start = Instant::now();
    let mut quiet_since = start;
    let down = loop {
        // Asked first: what is released after the connection was closed stays released.
        let closed = debts.client().map(|window| is_closed(&wire, window)).transpose()?;
        for mark in debts.marks() {
            match mark {
                Mark::Key(code) => keyboard::fake_key(&wire, code, false)?,
                Mark::Button(number) => fake_button(&wire, number, false)?,
                Mark::Keysym { .. } | Mark::Locks { .. } | Mark::Input { .. } | Mark::Mouse { .. } => {}
            }
        }
        let down = still_down(&wire, debts)?;
        if !down.is_empty() {
            quiet_since = Instant::now();
        }
        if down.is_empty() && closed.unwrap_or_else(|| quiet_since.elapsed() >= QUIET) || start.elapsed() >= DEADLINE {
            break down;
        }
        sleep(POLL);
    };
    // Also when a key seems to be down: the user may be holding it.
    give_back_map(&wire, debts)?;
    give_back_locks(&wire, debts)?;
    if down.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = down.iter().map(Mark::to_string).collect();
    Err(DesktopError::StillDown(names.join(", ")))
}

/// Whether the server has closed the connection that this window belonged to.
fn is_closed(wire: &Wire, window: u32) -> Result<bool> {
    let geometry = wire.connection.get_geometry(window).map_err(lost)?.reply();
    Ok(wire.present(geometry)?.is_none())
}

/// What of the keys and buttons in the ledger is down now.
fn still_down(wire: &Wire, debts: &Debts) -> Result<Vec<Mark>> {
    let keys = wire.connection.query_keymap().map_err(lost)?;
    let pointer = wire.connection.query_pointer(wire.root).map_err(lost)?;
    let keys = keys.reply().map_err(lost)?.keys;
    let buttons = u16::from(pointer.reply().map_err(lost)?.mask);
    let is_down = |mark: &Mark| match mark {
        Mark::Key(code) => keys.get(usize::from(code / 8)).is_some_and(|bits| bits & (1 << (code % 8)) != 0),
        // The server tells about the first five.
        Mark::Button(number @ 1..=5) => buttons & (u16::from(KeyButMask::BUTTON1) << (number - 1)) != 0,
        Mark::Button(_) | Mark::Keysym { .. } | Mark::Locks { .. } | Mark::Input { .. } | Mark::Mouse { .. } => false,
    };
    Ok(debts.marks().filter(is_down).collect())
}

/// Empties the keys that carry a character of the hands, and no others: the layout may have been changed meanwhile.
fn give_back_map(wire: &Wire, debts: &Debts) -> Result<()> {
    let owed: Vec<(Keycode, Keysym)> = debts
        .marks()
        .filter_map(|mark| match mark {
            Mark::Keysym { code, keysym } => Some((code, keysym)),
            Mark::Key(_) | Mark::Button(_) | Mark::Locks { .. } | Mark::Input { .. } | Mark::Mouse { .. } => None,
        })
        .collect();
    if owed.is_empty() {
        return Ok(());
    }
    // A program that lags behind still looks up what was typed last.
    sleep(keyboard::SETTLE);
    let map = Map::read(wire)?;
    let changes: Vec<(Keycode, Keysym)> =
        map.rows().filter(|(code, row)| carries_one_of(*code, row, &owed)).map(|(code, _)| (code, NO_SYMBOL)).collect();
    keyboard::change_map(wire, &changes)?;
    wire.sync().map(drop)
}

/// Whether the key has nothing but a keysym that it got from the hands.
fn carries_one_of(code: Keycode, row: &[Keysym], owed: &[(Keycode, Keysym)]) -> bool {
    let mut symbols = row.iter().filter(|symbol| **symbol != NO_SYMBOL);
    symbols.next().is_some_and(|first| owed.contains(&(code, *first)) && symbols.all(|other| other == first))
}

/// Switches the locks on again; the ones that were found first come last.
fn give_back_locks(wire: &Wire, debts: &Debts) -> Result<()> {
    let mut known = None;
    for mark in debts.marks() {
        if let Mark::Locks { modifiers, group } = mark {
            let has_xkb = match known {
                Some(has_xkb) => has_xkb,
                None => *known.insert(keyboard::use_xkb(wire)?),
            };
            if has_xkb {
                let modifiers = ModMask::from(modifiers);
                keyboard::set_locks(wire, Locks { modifiers, group: group.into() })?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_key_with_nothing_but_our_own_keysym_is_emptied() {
        let owed = [(93, 0x0100_8ba2), (94, 0xffd5)];
        assert!(carries_one_of(93, &[0x0100_8ba2, 0x0100_8ba2, 0, 0], &owed));
        assert!(carries_one_of(94, &[0xffd5, 0xffd5], &owed));
        assert!(!carries_one_of(94, &[0x0100_8ba2, 0x0100_8ba2], &owed));
        assert!(!carries_one_of(93, &[0x0100_8ba2, 0x41], &owed));
        assert!(!carries_one_of(93, &[0, 0], &owed));
    }
}
