//! Keys and exact typing through XTEST.
//!
//! Characters that the keyboard map has on the first two levels are pressed as they are. All others are put on keys
//! that the map leaves free, a batch at a time. Before and after each change the program is asked whether it has
//! caught up, because programs look at the map only when they get to a key; one that cannot be asked gets a pause. The
//! key that was used longest ago is given away first, so that such a program, lagging behind, still finds the old
//! character on it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xkb::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{
    ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, KeyButMask, Keycode, Keysym, ModMask,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use crate::desktop::guard::Mark;
use crate::desktop::{DesktopError, Key, Result, StopSignal};

use super::keysyms::{self, NO_SYMBOL};
use super::ping::{self, Echo};
use super::{Wire, lost};

/// Most characters that are put on free keys at once.
const BATCH: usize = 18;
/// How long programs that cannot be asked get to take notice of a changed keyboard map.
pub const SETTLE: Duration = Duration::from_millis(80);
/// How long a program that can be asked may take to catch up before typing into it is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same when we are on the way out.
const LAST_PATIENCE: Duration = Duration::from_secs(1);
/// Between two characters.
const GAP: Duration = Duration::from_millis(3);
/// Characters typed between two round trips to the server.
const ROUND_TRIP: usize = 16;

/// A key that is down because of us, with everything pressed for it.
#[derive(Debug)]
struct Held {
    key: Key,
    codes: Vec<Keycode>,
}

/// A character that we put on a free key.
#[derive(Debug)]
struct Binding {
    code: Keycode,
    keysym: Keysym,
    /// Counts up with every use; the lowest is given away first.
    used: u64,
}

/// Locks (Caps Lock, ...) and the layout that were on before we cleared them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locks {
    pub modifiers: ModMask,
    pub group: xkb::Group,
}

impl Locks {
    fn mark(self) -> Mark {
        // The server's mask of modifiers has eight bits.
        Mark::Locks { modifiers: u16::from(self.modifiers) as u8, group: self.group.into() }
    }
}

impl Binding {
    fn mark(&self) -> Mark {
        Mark::Keysym { code: self.code, keysym: self.keysym }
    }
}

/// What is down and what was changed because of us.
#[derive(Debug)]
pub struct Keyboard {
    has_xkb: bool,
    held: Vec<Held>,
    bindings: Vec<Binding>,
    uses: u64,
    last_event: Instant,
    pings: u32,
    saved: Option<Locks>,
}

/// The keyboard map as it is now.
pub struct Map {
    first: Keycode,
    per_code: usize,
    keysyms: Vec<Keysym>,
    modifiers: Vec<Keycode>,
}

impl Map {
    /// Reads it from the server.
    pub fn read(wire: &Wire) -> Result<Map> {
        let setup = wire.connection.setup();
        let first = setup.min_keycode;
        let count = setup.max_keycode.saturating_sub(first).saturating_add(1);
        let mapping = wire.connection.get_keyboard_mapping(first, count).map_err(lost)?;
        let modifiers = wire.connection.get_modifier_mapping().map_err(lost)?;
        let mapping = mapping.reply().map_err(lost)?;
        let modifiers = modifiers.reply().map_err(lost)?.keycodes;
        let per_code = usize::from(mapping.keysyms_per_keycode).max(1);
        Ok(Map { first, per_code, keysyms: mapping.keysyms, modifiers })
    }

    /// Every keycode with its keysyms.
    pub fn rows(&self) -> impl Iterator<Item = (Keycode, &[Keysym])> {
        (self.first..=Keycode::MAX).zip(self.keysyms.chunks_exact(self.per_code))
    }

    /// The key that gives `keysym`, and whether Shift must be held for it.
    fn find(&self, keysym: Keysym) -> Option<(Keycode, bool)> {
        let on_level =
            |level: usize| self.rows().find(|(_, row)| row.get(level) == Some(&keysym)).map(|(code, _)| code);
        on_level(0).map(|code| (code, false)).or_else(|| on_level(1).map(|code| (code, true)))
    }

    /// Keys without any meaning, and those that a killed run of ours has left bound.
    fn free(&self) -> Vec<Keycode> {
        let unused = |row: &[Keysym]| {
            let mut symbols = row.iter().filter(|symbol| **symbol != NO_SYMBOL);
            match symbols.next() {
                None => true,
                Some(first) => {
                    keysyms::is_unicode(*first) && row.get(1) == Some(first) && symbols.all(|other| other == first)
                }
            }
        };
        let free = self.rows().filter(|(code, row)| unused(row) && !self.modifiers.contains(code));
        free.map(|(code, _)| code).collect()
    }
}

impl Keyboard {
    /// Learns what the server can do; changes nothing.
    pub fn new(wire: &Wire) -> Result<Keyboard> {
        Ok(Keyboard {
            has_xkb: use_xkb(wire)?,
            held: Vec::new(),
            bindings: Vec::new(),
            uses: 0,
            last_event: Instant::now(),
            pings: 0,
            saved: None,
        })
    }

    /// Presses a key and leaves it down; nothing when it is down already.
    ///
    /// # Errors
    /// [`DesktopError::Typing`] when the keyboard map has no room for it; [`DesktopError::Unguarded`].
    pub fn press(&mut self, wire: &Wire, key: Key) -> Result<()> {
        if self.held.iter().any(|held| held.key == key) {
            return Ok(());
        }
        if self.saved.is_none() && key != Key::CapsLock {
            self.saved = self.clear_locks(wire)?;
        }
        let keysyms = keysyms::of_key(key);
        let map = Map::read(wire)?;
        let found = keysyms.iter().find_map(|keysym| map.find(*keysym));
        let (code, shifted) = match (found, keysyms.first()) {
            (Some(found), _) => found,
            (None, Some(keysym)) => {
                self.bind(wire, &map, &[*keysym], &StopSignal::new())?;
                let bound = self.bindings.iter().find(|binding| binding.keysym == *keysym);
                (bound.map(|binding| binding.code).ok_or_else(|| no_free_key(&key.to_string()))?, false)
            }
            (None, None) => return Err(no_free_key(&key.to_string())),
        };
        let mut codes = Vec::new();
        if shifted {
            codes.push(shift_code(&map)?);
        }
        codes.push(code);
        // Noted first: should the second key fail, the first one goes up again with all the others.
        self.held.push(Held { key, codes: codes.clone() });
        for code in codes {
            self.send(wire, code, true)?;
        }
        self.touch(code);
        wire.sync().map(drop)
    }

    /// Releases a key that [`Keyboard::press`] has pressed; nothing for others.
    pub fn release(&mut self, wire: &Wire, key: Key) -> Result<()> {
        if let Some(place) = self.held.iter().position(|held| held.key == key) {
            let held = self.held.remove(place);
            for code in held.codes.iter().rev() {
                self.send(wire, *code, false)?;
            }
            wire.sync()?;
        }
        if self.held.is_empty()
            && let Some(locks) = self.saved.take()
        {
            restore_locks(wire, locks)?;
        }
        Ok(())
    }

    /// Types the text. Modifiers that are down are released first (ours are pressed again afterwards), Caps Lock and
    /// a second layout are switched off meanwhile.
    ///
    /// # Errors
    /// [`DesktopError::Typing`] before anything is typed when a character cannot be, and in the middle when another
    /// program takes the keyboard or the program does not react; [`DesktopError::Stopped`],
    /// [`DesktopError::Unguarded`].
    pub fn type_text(&mut self, wire: &Wire, text: &str, stop: &StopSignal) -> Result<()> {
        let keysyms = to_keysyms(text)?;
        let down_before = self.lift_all(wire)?;
        let locks = self.clear_locks(wire)?;
        let typed = self.type_keysyms(wire, &keysyms, stop);
        // Both are put back on every way out; the first error is the one to report.
        let relocked = locks.map_or(Ok(()), |locks| restore_locks(wire, locks));
        let repressed = down_before.iter().try_for_each(|code| self.send(wire, *code, true));
        typed.and(relocked).and(repressed).and_then(|()| wire.sync()).map(drop)
    }

    /// Releases what is down because of us, and gives back the keys, locks and layout that we changed.
    pub fn release_all(&mut self, wire: &Wire) -> Result<()> {
        while let Some(held) = self.held.pop() {
            for code in held.codes.iter().rev() {
                self.send(wire, *code, false)?;
            }
        }
        if let Some(locks) = self.saved.take() {
            restore_locks(wire, locks)?;
        }
        if !self.bindings.is_empty() {
            // Whether or not the program keeps up, the map is given back.
            self.catch_up(wire, LAST_PATIENCE, &StopSignal::new())?;
            let marks: Vec<Mark> = self.bindings.iter().map(Binding::mark).collect();
            let mut codes: Vec<Keycode> = self.bindings.drain(..).map(|binding| binding.code).collect();
            codes.sort_unstable();
            let changes: Vec<(Keycode, Keysym)> = codes.into_iter().map(|code| (code, NO_SYMBOL)).collect();
            change_map(wire, &changes)?;
            wire.ledger.released(&marks);
        }
        wire.sync().map(drop)
    }

    fn type_keysyms(&mut self, wire: &Wire, keysyms: &[Keysym], stop: &StopSignal) -> Result<()> {
        let target = wire.program_of(wire.sync()?);
        let mut rest = keysyms;
        while !rest.is_empty() {
            stop.check()?;
            let mut map = Map::read(wire)?;
            // A layout change by somebody else takes our keys away; what is gone is bound anew.
            let there = |binding: &mut Binding| map.find(binding.keysym) == Some((binding.code, false));
            let gone: Vec<Mark> =
                self.bindings.extract_if(.., |binding| !there(binding)).map(|binding| binding.mark()).collect();
            wire.ledger.released(&gone);
            let room = BATCH.min(self.available(&map).len());
            let (batch, missing) = next_batch(rest, &map, room);
            if batch == 0 {
                let first = rest.first().copied().unwrap_or(NO_SYMBOL);
                return Err(no_free_key(&format!("the character {first:#x}")));
            }
            let (now, later) = rest.split_at(batch);
            if !missing.is_empty() {
                for keysym in now {
                    if let Some((code, _)) = map.find(*keysym) {
                        self.touch(code);
                    }
                }
                self.bind(wire, &map, &missing, stop)?;
                map = Map::read(wire)?;
            }
            let shift = shift_code(&map)?;
            for (count, keysym) in now.iter().enumerate() {
                stop.check()?;
                let (code, shifted) = map
                    .find(*keysym)
                    .ok_or_else(|| DesktopError::Typing("the keyboard map changed meanwhile".to_owned()))?;
                self.tap(wire, code, shifted.then_some(shift))?;
                if count % ROUND_TRIP == ROUND_TRIP - 1 && wire.program_of(wire.sync()?) != target {
                    return Err(DesktopError::Typing("another window took the keyboard".to_owned()));
                }
                sleep(GAP);
            }
            rest = later;
        }
        Ok(())
    }

    /// One character: all its events leave in one piece, so that no key is ever down for long enough to repeat.
    fn tap(&mut self, wire: &Wire, code: Keycode, shift: Option<Keycode>) -> Result<()> {
        let marks: Vec<Mark> = shift.into_iter().chain([code]).map(Mark::Key).collect();
        wire.ledger.owe(&marks)?;
        let events = shift.map(|shift| (shift, true)).into_iter();
        let events = events.chain([(code, true), (code, false)]).chain(shift.map(|shift| (shift, false)));
        for (code, down) in events {
            fake_key(wire, code, down)?;
        }
        wire.connection.flush().map_err(lost)?;
        wire.ledger.released(&marks);
        self.last_event = Instant::now();
        self.touch(code);
        Ok(())
    }

    fn send(&mut self, wire: &Wire, code: Keycode, down: bool) -> Result<()> {
        if down {
            wire.ledger.owe(&[Mark::Key(code)])?;
        }
        fake_key(wire, code, down)?;
        wire.connection.flush().map_err(lost)?;
        if !down {
            wire.ledger.released(&[Mark::Key(code)]);
        }
        self.last_event = Instant::now();
        Ok(())
    }

    /// Releases everything that is down; returns what of it was down because of us.
    fn lift_all(&mut self, wire: &Wire) -> Result<Vec<Keycode>> {
        let keys = wire.connection.query_keymap().map_err(lost)?.reply().map_err(lost)?.keys;
        let down = (0..=Keycode::MAX).filter(|code| keys[usize::from(code / 8)] & (1 << (code % 8)) != 0);
        let mut ours = Vec::new();
        for code in down {
            self.send(wire, code, false)?;
            // A modifier that the user held is not pressed again: if they let go meanwhile it would stay down.
            if self.held.iter().any(|held| held.codes.contains(&code)) {
                ours.push(code);
            }
        }
        Ok(ours)
    }

    /// Switches Caps Lock, other locks and a second layout off; returns what was on, if anything.
    fn clear_locks(&self, wire: &Wire) -> Result<Option<Locks>> {
        if !self.has_xkb {
            let mask = wire.connection.query_pointer(wire.root).map_err(lost)?.reply().map_err(lost)?.mask;
            return if mask.contains(KeyButMask::LOCK) {
                Err(DesktopError::Typing("Caps Lock is on".to_owned()))
            } else {
                Ok(None)
            };
        }
        let state = wire.connection.xkb_get_state(core_keyboard()).map_err(lost)?.reply().map_err(lost)?;
        let before = Locks { modifiers: state.locked_mods, group: state.locked_group };
        let clear = Locks { modifiers: ModMask::from(0u16), group: xkb::Group::M1 };
        if before == clear && state.latched_mods == ModMask::from(0u16) {
            return Ok(None);
        }
        wire.ledger.owe(&[before.mark()])?;
        set_locks(wire, clear)?;
        Ok(Some(before))
    }

    /// Keys that can take a character: free ones and our own.
    fn available(&self, map: &Map) -> Vec<Keycode> {
        let mut codes = map.free();
        codes.extend(self.bindings.iter().map(|binding| binding.code));
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Puts the keysyms on keys: never used ones first, then those that were used longest ago.
    fn bind(&mut self, wire: &Wire, map: &Map, keysyms: &[Keysym], stop: &StopSignal) -> Result<()> {
        let mut codes: Vec<(u64, Keycode)> = self
            .available(map)
            .into_iter()
            .map(|code| {
                let used = self.bindings.iter().find(|binding| binding.code == code).map_or(0, |binding| binding.used);
                (used, code)
            })
            .collect();
        codes.sort_unstable();
        if codes.len() < keysyms.len() {
            return Err(no_free_key("all characters"));
        }
        let reused = codes.iter().take(keysyms.len()).any(|(used, _)| *used > 0);
        if reused && self.catch_up(wire, PATIENCE, stop)? == Echo::Silent {
            return Err(silent());
        }
        let mut changes: Vec<(Keycode, Keysym)> =
            codes.into_iter().map(|(_, code)| code).zip(keysyms.iter().copied()).collect();
        changes.sort_unstable();
        let new: Vec<Mark> =
            changes.iter().map(|(code, keysym)| Mark::Keysym { code: *code, keysym: *keysym }).collect();
        wire.ledger.owe(&new)?;
        let changed = |binding: &mut Binding| changes.iter().any(|(code, _)| *code == binding.code);
        let mut old: Vec<Mark> = self.bindings.extract_if(.., changed).map(|binding| binding.mark()).collect();
        for (code, keysym) in &changes {
            self.uses += 1;
            self.bindings.push(Binding { code: *code, keysym: *keysym, used: self.uses });
        }
        change_map(wire, &changes)?;
        // Only now: until the change is on its way, the old character is the one that is on the key.
        old.retain(|mark| !new.contains(mark));
        wire.ledger.released(&old);
        wire.sync()?;
        self.last_event = Instant::now();
        match self.catch_up(wire, PATIENCE, stop)? {
            Echo::CaughtUp | Echo::Unknown => Ok(()),
            Echo::Silent => Err(silent()),
        }
    }

    /// Notes that a key of ours was used just now.
    fn touch(&mut self, code: Keycode) {
        self.uses += 1;
        if let Some(binding) = self.bindings.iter_mut().find(|binding| binding.code == code) {
            binding.used = self.uses;
        }
    }

    /// Waits until the program with the keyboard has read all keys and map changes sent so far; one that cannot be
    /// asked gets a pause since the last of them.
    fn catch_up(&mut self, wire: &Wire, patience: Duration, stop: &StopSignal) -> Result<Echo> {
        self.pings = self.pings.wrapping_add(1);
        let echo = ping::ask(wire, self.pings, patience, stop)?;
        if echo == Echo::Unknown {
            sleep(SETTLE.saturating_sub(self.last_event.elapsed()));
        }
        Ok(echo)
    }
}

/// How many of the keysyms can be typed with at most `room` newly bound keys, and which must be bound for that.
fn next_batch(keysyms: &[Keysym], map: &Map, room: usize) -> (usize, Vec<Keysym>) {
    let mut missing = Vec::new();
    for (place, keysym) in keysyms.iter().enumerate() {
        if map.find(*keysym).is_none() && !missing.contains(keysym) {
            if missing.len() == room {
                return (place, missing);
            }
            missing.push(*keysym);
        }
    }
    (keysyms.len(), missing)
}

/// The keysyms of a text; line ends become Return.
fn to_keysyms(text: &str) -> Result<Vec<Keysym>> {
    let mut keysyms = Vec::new();
    let mut after_return = false;
    for c in text.chars() {
        match c {
            '\n' if after_return => {}
            '\n' | '\r' => keysyms.push(keysyms::RETURN),
            '\t' => keysyms.push(keysyms::TAB),
            c if c.is_control() => {
                return Err(DesktopError::Typing(format!("it contains the control character U+{:04X}", u32::from(c))));
            }
            c => keysyms.push(keysyms::of_char(c)),
        }
        after_return = c == '\r';
    }
    Ok(keysyms)
}

/// Whether the server speaks XKB; afterwards it does so with us.
pub fn use_xkb(wire: &Wire) -> Result<bool> {
    let present = wire.connection.extension_information(xkb::X11_EXTENSION_NAME).map_err(lost)?.is_some();
    Ok(present && wire.connection.xkb_use_extension(1, 0).map_err(lost)?.reply().map_err(lost)?.supported)
}

/// Switches locks on and off and chooses the layout; only where there is XKB.
pub fn set_locks(wire: &Wire, locks: Locks) -> Result<()> {
    let every = ModMask::from(0xffu16);
    wire.connection
        .xkb_latch_lock_state(core_keyboard(), every, locks.modifiers, true, locks.group, every, false, 0)
        .map_err(lost)?;
    wire.sync().map(drop)
}

/// Gives back what was switched off.
fn restore_locks(wire: &Wire, locks: Locks) -> Result<()> {
    set_locks(wire, locks)?;
    // Setting them waits for the server, so this is done and not only on its way.
    wire.ledger.paid(&[locks.mark()]);
    Ok(())
}

/// Changes the map key by key run: neighbouring keys go in one request, because each request wakes every program.
pub fn change_map(wire: &Wire, changes: &[(Keycode, Keysym)]) -> Result<()> {
    for run in changes.chunk_by(|(a, _), (b, _)| a.checked_add(1) == Some(*b)) {
        let Some((first, _)) = run.first() else { continue };
        // The same keysym on both levels: whether Shift is down does not matter.
        let keysyms: Vec<Keysym> = run.iter().flat_map(|(_, keysym)| [*keysym; 2]).collect();
        let count = u8::try_from(run.len()).unwrap_or(u8::MAX);
        wire.connection.change_keyboard_mapping(count, *first, 2, &keysyms).map_err(lost)?;
    }
    wire.connection.flush().map_err(lost)
}

/// The request alone, not flushed and in no ledger.
pub fn fake_key(wire: &Wire, code: Keycode, down: bool) -> Result<()> {
    let kind = if down { KEY_PRESS_EVENT } else { KEY_RELEASE_EVENT };
    wire.connection.xtest_fake_input(kind, code, x11rb::CURRENT_TIME, x11rb::NONE, 0, 0, 0).map_err(lost)?;
    Ok(())
}

fn shift_code(map: &Map) -> Result<Keycode> {
    let mut shifts = keysyms::of_key(Key::Shift).into_iter();
    let found = shifts.find_map(|keysym| map.find(keysym));
    found.map(|(code, _)| code).ok_or_else(|| DesktopError::Typing("the keyboard map has no Shift key".to_owned()))
}

fn core_keyboard() -> xkb::DeviceSpec {
    u16::from(xkb::ID::USE_CORE_KBD)
}

fn silent() -> DesktopError {
    DesktopError::Typing(format!("the program has not reacted for {} s", PATIENCE.as_secs()))
}

fn no_free_key(what: &str) -> DesktopError {
    DesktopError::Typing(format!("the keyboard map has no free key for {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(rows: &[[Keysym; 2]]) -> Map {
        Map { first: 8, per_code: 2, keysyms: rows.concat(), modifiers: vec![11] }
    }

    #[test]
    fn line_ends_are_one_return_each_and_control_characters_are_refused() {
        let a = keysyms::of_char('a');
        assert_eq!(to_keysyms("a\r\na\n\na\r").unwrap(), [a, 0xff0d, a, 0xff0d, 0xff0d, a, 0xff0d]);
        assert!(matches!(to_keysyms("a\u{7}"), Err(DesktopError::Typing(reason)) if reason.contains("U+0007")));
    }

    #[test]
    fn keys_without_meaning_and_leftovers_of_a_killed_run_are_free_but_modifiers_are_not() {
        let chinese = keysyms::of_char('订');
        let map = map(&[[0x61, 0x41], [0, 0], [chinese, chinese], [0, 0], [chinese, 0]]);
        assert_eq!(map.free(), [9, 10]);
        assert_eq!(map.find(0x61), Some((8, false)));
        assert_eq!(map.find(0x41), Some((8, true)));
    }

    #[test]
    fn a_batch_ends_where_the_free_keys_end() {
        let map = map(&[[0x61, 0x41]]);
        let wanted: Vec<Keysym> = "a订单a订号".chars().map(keysyms::of_char).collect();
        let (count, missing) = next_batch(&wanted, &map, 2);
        assert_eq!((count, missing), (5, vec![keysyms::of_char('订'), keysyms::of_char('单')]));
        assert_eq!(next_batch(&wanted, &map, 0).0, 1);
    }
}
