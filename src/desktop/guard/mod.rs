//! The guard: what holds when the working process dies in the middle of a press, whatever way it dies.
//!
//! Owns a small line protocol over a pipe and both its ends. The hands say into the pipe what they are about to press
//! or to change ([`Ledger`]), and say it again when it is known to be up or changed back. A second process reads that
//! ([`watch`]); when the pipe ends, the hands are gone, and what is still owed to the desktop is put right. Who starts
//! that process is not known here. It should not get the terminal's Ctrl-C, or it would be gone before the hands are.
//!
//! The lines, each ended by a line feed:
//! ```text
//! display :0              where the hands work (X11)
//! client 4194305          a window of the hands; it is gone when the server has forgotten them (X11)
//! owe key 38              keycode 38 is about to go down (X11)
//! owe button 1            button 1 is about to go down (X11)
//! owe keysym 93 16812962  keycode 93 is about to get that keysym (X11)
//! owe locks 2 0           locked modifiers 2 and layout 0 are about to be switched off (X11)
//! owe input 65 30 2       the keyboard event that releases what is about to go down (Windows)
//! owe mouse 4             the mouse event that releases what is about to go down (Windows)
//! paid key 38             that is over; the same words follow as after `owe`
//! ```

mod ledger;

use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Read};

pub use ledger::Ledger;

use super::Result;

/// Longer lines are none of ours.
const LONGEST_LINE: usize = 1024;

/// Something that is owed to the desktop: to be released, or to be changed back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// An X11 keycode that is down.
    Key(u8),
    /// An X11 button that is down.
    Button(u8),
    /// An X11 keycode without a meaning of its own that carries this keysym.
    Keysym { code: u8, keysym: u32 },
    /// The locks and the layout that were on before we switched them off.
    Locks { modifiers: u8, group: u8 },
    /// The Windows keyboard event that releases what is down.
    Input { virtual_key: u16, scan: u16, flags: u32 },
    /// The Windows mouse event that releases what is down.
    Mouse { flags: u32 },
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Key(code) => write!(f, "key {code}"),
            Mark::Button(number) => write!(f, "button {number}"),
            Mark::Keysym { code, keysym } => write!(f, "keysym {code} {keysym}"),
            Mark::Locks { modifiers, group } => write!(f, "locks {modifiers} {group}"),
            Mark::Input { virtual_key, scan, flags } => write!(f, "input {virtual_key} {scan} {flags}"),
            Mark::Mouse { flags } => write!(f, "mouse {flags}"),
        }
    }
}

impl Mark {
    /// Reads what [`Mark`]'s `Display` writes; `None` for anything else.
    fn parse(text: &str) -> Option<Mark> {
        let mut words = text.split(' ');
        let mark = match words.next()? {
            "key" => Mark::Key(number(words.next())?),
            "button" => Mark::Button(number(words.next())?),
            "keysym" => Mark::Keysym { code: number(words.next())?, keysym: number(words.next())? },
            "locks" => Mark::Locks { modifiers: number(words.next())?, group: number(words.next())? },
            "input" => Mark::Input {
                virtual_key: number(words.next())?,
                scan: number(words.next())?,
                flags: number(words.next())?,
            },
            "mouse" => Mark::Mouse { flags: number(words.next())? },
            _ => return None,
        };
        words.next().is_none().then_some(mark)
    }
}

/// A number as we write it: digits only.
fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// What the lines read so far leave owed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Debts {
    display: Option<String>,
    client: Option<u32>,
    marks: Vec<Mark>,
}

impl Debts {
    /// Reads to the end. A pipe that cannot be read any more has ended as well: nobody will pay what is owed.
    fn read(input: impl Read) -> Debts {
        let mut input = BufReader::new(input);
        let mut debts = Debts::default();
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            line.clear();
            match (&mut input).take(LONGEST_LINE as u64).read_until(b'\n', &mut line) {
                Ok(0) => return debts,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return debts,
            }
            // A line without its end was cut off by the death of its writer, before anything was pressed.
            let ended = line.pop_if(|last| *last == b'\n').is_some();
            if ended
                && !too_long
                && let Ok(text) = std::str::from_utf8(&line)
            {
                debts.note(text);
            }
            too_long = !ended;
        }
    }

    /// Takes one line; one that is not understood changes nothing.
    fn note(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("display", name)) if !name.trim().is_empty() => self.display = Some(name.to_owned()),
            Some(("client", window)) => self.client = number(Some(window)).or(self.client),
            Some(("owe", rest)) => {
                if let Some(mark) = Mark::parse(rest)
                    && !self.marks.contains(&mark)
                {
                    self.marks.push(mark);
                }
            }
            Some(("paid", rest)) => {
                if let Some(mark) = Mark::parse(rest) {
                    self.marks.retain(|owed| *owed != mark);
                }
            }
            Some(_) | None => {}
        }
    }

    /// Where the hands have worked, if they have said so.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only X11 has displays by name"))]
    pub fn display(&self) -> Option<&str> {
        self.display.as_deref()
    }

    /// A window of the hands' connection, if they have told one.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "only X11 has connections that outlive their process")
    )]
    pub fn client(&self) -> Option<u32> {
        self.client
    }

    /// What is owed, in the order in which it is best put right: what was done last comes first.
    pub fn marks(&self) -> impl Iterator<Item = Mark> {
        self.marks.iter().rev().copied()
    }
}

/// Reads what the hands say until the pipe ends, then releases and gives back what they have not. When they owe
/// nothing, it returns without touching the desktop.
///
/// # Errors
/// [`super::DesktopError::StillDown`] when something stays down for a second; [`super::DesktopError::NoDisplay`] and
/// others when the desktop cannot be reached.
pub fn watch(input: impl Read) -> Result<()> {
    let debts = Debts::read(input);
    if debts.marks.is_empty() { Ok(()) } else { settle(&debts) }
}

#[cfg(target_os = "linux")]
fn settle(debts: &Debts) -> Result<()> {
    super::x11::release(debts)
}

#[cfg(windows)]
fn settle(debts: &Debts) -> Result<()> {
    super::windows::release(debts)
}

/// No backend for this system yet, so nothing can have been pressed on it.
#[cfg(not(any(target_os = "linux", windows)))]
fn settle(_debts: &Debts) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
