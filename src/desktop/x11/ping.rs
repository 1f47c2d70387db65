//! Asking the program that has the keyboard whether it has caught up.
//!
//! A program reads its events in order. The window managers' ping (`_NET_WM_PING`) is one of them, so its echo proves
//! that every key sent before has been read, under the keyboard map of that time. No fixed pause can prove that on a
//! busy machine. Programs that don't know the ping (Tk, old ones) are watched from outside instead: one that sleeps
//! and goes on sleeping has nothing left to read.

use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask, InputFocus, Window,
};

use crate::desktop::{Result, StopSignal};

use super::processes::{Activity, activity};
use super::{Wire, lost, pids, windows};

/// Between two looks for the echo.
const POLL: Duration = Duration::from_millis(1);

/// A process that does nothing for this long waits for events.
const QUIET: Duration = Duration::from_millis(24);
/// A program that is always busy is not waited for longer than this.
const BUSY: Duration = Duration::from_secs(5);

/// What came of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// Everything sent before has been read.
    CaughtUp,
    /// The program knows the question and did not answer in time.
    Silent,
    /// The program does not know the question, or no program has the keyboard.
    Unknown,
}

/// Asks and waits at most `patience` for the answer.
pub fn ask(wire: &Wire, number: u32, patience: Duration, stop: &StopSignal) -> Result<Echo> {
    let focus = wire.sync()?;
    if focus == u32::from(InputFocus::NONE) || focus == u32::from(InputFocus::POINTER_ROOT) {
        return Ok(Echo::Unknown);
    }
    let Some(window) = listener(wire, focus)? else {
        watch_process(wire, focus, patience.min(BUSY), stop)?;
        return Ok(Echo::Unknown);
    };
    // The echo goes to the root window; it reaches those who watch its children.
    watch_root(wire, EventMask::SUBSTRUCTURE_NOTIFY)?;
    let answer = ask_window(wire, window, number, patience, stop);
    watch_root(wire, EventMask::NO_EVENT)?;
    answer
}

fn ask_window(wire: &Wire, window: Window, number: u32, patience: Duration, stop: &StopSignal) -> Result<Echo> {
    let ping = wire.atoms._NET_WM_PING;
    let message = ClientMessageEvent::new(32, window, wire.atoms.WM_PROTOCOLS, [ping, number, window, 0, 0]);
    wire.connection.send_event(false, window, EventMask::NO_EVENT, message).map_err(lost)?;
    wire.connection.flush().map_err(lost)?;
    let deadline = Instant::now() + patience;
    loop {
        match wire.connection.poll_for_event().map_err(lost)? {
            Some(Event::ClientMessage(echo)) if echo.type_ == wire.atoms.WM_PROTOCOLS && echo.format == 32 => {
                if echo.data.as_data32()[..3] == [ping, number, window] {
                    return Ok(Echo::CaughtUp);
                }
            }
            Some(_) => {}
            None => {
                stop.check()?;
                if Instant::now() >= deadline {
                    return Ok(Echo::Silent);
                }
                sleep(POLL);
            }
        }
    }
}

/// Waits until the window's process has been asleep for a while; gives up quietly.
fn watch_process(wire: &Wire, window: Window, patience: Duration, stop: &StopSignal) -> Result<()> {
    let Some(pid) = pids::of_window(&wire.connection, window)? else { return Ok(()) };
    let start = Instant::now();
    let mut asleep: Option<(Instant, Activity)> = None;
    while start.elapsed() < patience {
        stop.check()?;
        // A program may also sleep because it waits for a server that gets no processor. The server writes out what it
        // has for all its clients in one go, ours perhaps first, and answers the second question only after that: then
        // all answers and events are on their way, and whoever gets one is awake.
        wire.sync()?;
        wire.sync()?;
        let Some(now) = activity(pid) else { return Ok(()) };
        match asleep {
            Some((since, before)) if before == now && !now.running => {
                if since.elapsed() >= QUIET {
                    return Ok(());
                }
            }
            Some(_) | None => asleep = (!now.running).then(|| (Instant::now(), now)),
        }
        sleep(POLL * 4);
    }
    Ok(())
}

/// The window around the focused one whose program answers pings.
fn listener(wire: &Wire, focus: Window) -> Result<Option<Window>> {
    let mut window = focus;
    while window != wire.root {
        if windows::longs(wire, window, wire.atoms.WM_PROTOCOLS)?.contains(&wire.atoms._NET_WM_PING) {
            return Ok(Some(window));
        }
        match windows::parent(wire, window)? {
            Some(parent) => window = parent,
            None => return Ok(None),
        }
    }
    Ok(None)
}

fn watch_root(wire: &Wire, events: EventMask) -> Result<()> {
    let watch = ChangeWindowAttributesAux::new().event_mask(events);
    wire.connection.change_window_attributes(wire.root, &watch).map_err(lost)?;
    Ok(())
}
