//! Keys by virtual key, text as Unicode: what is typed does not depend on the keyboard's layout or an input method.

use std::thread::sleep;
use std::time::Duration;

use windows_sys::Win32::UI::Input::KeyboardAndMouse::*;
use windows_sys::Win32::UI::WindowsAndMessaging::{GetForegroundWindow, GetWindowThreadProcessId};

use crate::desktop::guard::{Ledger, Mark};
use crate::desktop::{DesktopError, Key, Result, StopSignal};

use super::input;

/// Between two characters of a text: old programs lose characters that come faster than they are drawn.
const GAP: Duration = Duration::from_millis(2);

/// One event source: a virtual key, or a character that the layout does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Virtual(u16),
    Unit(u16),
}

/// What is down because of us.
#[derive(Debug, Default)]
pub struct Keyboard {
    held: Vec<(Key, Vec<Code>)>,
    ledger: Ledger,
}

impl Keyboard {
    /// Says in this ledger from now on what is about to go down and what is up.
    pub fn set_ledger(&mut self, ledger: Ledger) {
        self.ledger = ledger;
    }

    /// Presses a key and leaves it down; nothing when it is down already.
    ///
    /// # Errors
    /// [`DesktopError::InputRefused`], [`DesktopError::Unguarded`].
    pub fn press(&mut self, key: Key) -> Result<()> {
        if self.held.iter().any(|(held, _)| *held == key) {
            return Ok(());
        }
        let codes = codes(key);
        // Noted first, so that a key that went down although the call failed goes up again.
        self.held.push((key, codes.clone()));
        codes.iter().try_for_each(|code| {
            self.ledger.owe(&[mark(*code)])?;
            input::send(&[event(*code, true)])
        })
    }

    /// Releases a key that we have pressed.
    ///
    /// # Errors
    /// [`DesktopError::InputRefused`].
    pub fn release(&mut self, key: Key) -> Result<()> {
        let Some(place) = self.held.iter().position(|(held, _)| *held == key) else { return Ok(()) };
        let (_, codes) = self.held.remove(place);
        codes.iter().rev().try_for_each(|code| self.let_go(*code))
    }

    /// What the system has refused to release stays in the ledger: the guard tries again.
    fn let_go(&self, code: Code) -> Result<()> {
        input::send(&[event(code, false)])?;
        self.ledger.paid(&[mark(code)]);
        Ok(())
    }

    /// Types any text exactly.
    ///
    /// # Errors
    /// [`DesktopError::Typing`] before anything is typed when the text has control characters;
    /// [`DesktopError::Stopped`], [`DesktopError::InputRefused`], [`DesktopError::Unguarded`].
    pub fn type_text(&mut self, text: &str, stop: &StopSignal) -> Result<()> {
        // A line break is one key, however it is written.
        let text = text.replace("\r\n", "\n");
        if let Some(bad) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
            return Err(DesktopError::Typing(format!("it has the control character U+{:04X}", u32::from(bad))));
        }
        for character in text.chars() {
            stop.check()?;
            let codes = match character {
                '\n' => vec![Code::Virtual(VK_RETURN)],
                '\t' => vec![Code::Virtual(VK_TAB)],
                other => other.encode_utf16(&mut [0; 2]).iter().map(|unit| Code::Unit(*unit)).collect(),
            };
            let events: Vec<INPUT> = codes.iter().flat_map(|code| [event(*code, true), event(*code, false)]).collect();
            let marks: Vec<Mark> = codes.iter().map(|code| mark(*code)).collect();
            self.ledger.owe(&marks)?;
            input::send(&events)?;
            self.ledger.paid(&marks);
            sleep(GAP);
        }
        Ok(())
    }

    /// Releases what is down because of us.
    ///
    /// # Errors
    /// [`DesktopError::InputRefused`].
    pub fn release_all(&mut self) -> Result<()> {
        while let Some((_, codes)) = self.held.pop() {
            for code in codes.iter().rev() {
                self.let_go(*code)?;
            }
        }
        Ok(())
    }
}

/// What must go down, in this order, for a key.
fn codes(key: Key) -> Vec<Code> {
    let one = |code: u16| vec![Code::Virtual(code)];
    match key {
        Key::Char(character) => character_codes(character),
        Key::Function(number) => one(VK_F1 + u16::from(number.clamp(1, 24)) - 1),
        Key::Ctrl => one(VK_LCONTROL),
        Key::Shift => one(VK_LSHIFT),
        Key::Alt => one(VK_LMENU),
        Key::AltGr => one(VK_RMENU),
        Key::Super => one(VK_LWIN),
        Key::Enter => one(VK_RETURN),
        Key::Tab => one(VK_TAB),
        Key::Escape => one(VK_ESCAPE),
        Key::Space => one(VK_SPACE),
        Key::Backspace => one(VK_BACK),
        Key::Delete => one(VK_DELETE),
        Key::Insert => one(VK_INSERT),
        Key::Home => one(VK_HOME),
        Key::End => one(VK_END),
        Key::PageUp => one(VK_PRIOR),
        Key::PageDown => one(VK_NEXT),
        Key::Up => one(VK_UP),
        Key::Down => one(VK_DOWN),
        Key::Left => one(VK_LEFT),
        Key::Right => one(VK_RIGHT),
        Key::Menu => one(VK_APPS),
        Key::PrintScreen => one(VK_SNAPSHOT),
        Key::CapsLock => one(VK_CAPITAL),
    }
}

/// The keys of a character on the layout of the program that has the keyboard.
fn character_codes(character: char) -> Vec<Code> {
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units);
    // SAFETY: the calls take handles and numbers and tolerate any; the layout is that of the window in front.
    let found = match units {
        [unit] => unsafe {
            let thread = GetWindowThreadProcessId(GetForegroundWindow(), std::ptr::null_mut());
            VkKeyScanExW(*unit, GetKeyboardLayout(thread))
        },
        _ => -1,
    };
    if found == -1 {
        return match character {
            // Shortcuts work by these codes on layouts without Latin letters too.
            'a'..='z' | '0'..='9' => vec![Code::Virtual(character.to_ascii_uppercase() as u16)],
            _ => units.iter().map(|unit| Code::Unit(*unit)).collect(),
        };
    }
    let [code, state] = found.to_le_bytes();
    let modifiers = [(1, VK_LSHIFT), (2, VK_LCONTROL), (4, VK_LMENU)];
    let needed = modifiers.into_iter().filter(|(bit, _)| state & bit != 0).map(|(_, code)| Code::Virtual(code));
    needed.chain([Code::Virtual(u16::from(code))]).collect()
}

fn event(code: Code, down: bool) -> INPUT {
    let (virtual_key, scan, flags) = parts(code, down);
    input::key(virtual_key, scan, flags)
}

/// What releases the key, as the guard needs it.
fn mark(code: Code) -> Mark {
    let (virtual_key, scan, flags) = parts(code, false);
    Mark::Input { virtual_key, scan, flags }
}

/// Virtual key, scan code or unit, and flags of an event.
fn parts(code: Code, down: bool) -> (u16, u16, KEYBD_EVENT_FLAGS) {
    let up = if down { 0 } else { KEYEVENTF_KEYUP };
    match code {
        Code::Unit(unit) => (0, unit, KEYEVENTF_UNICODE | up),
        Code::Virtual(virtual_key) => {
            // SAFETY: the call takes numbers and returns one. Programs that read scan codes get the right ones.
            let scan = unsafe { MapVirtualKeyW(u32::from(virtual_key), MAPVK_VK_TO_VSC) };
            let extended = if is_extended(virtual_key) { KEYEVENTF_EXTENDEDKEY } else { 0 };
            (virtual_key, scan as u16, extended | up)
        }
    }
}

/// The keys that came with the larger keyboards: without the flag they would be those of the number pad.
fn is_extended(virtual_key: u16) -> bool {
    matches!(
        virtual_key,
        VK_PRIOR
            | VK_NEXT
            | VK_END
            | VK_HOME
            | VK_LEFT
            | VK_UP
            | VK_RIGHT
            | VK_DOWN
            | VK_INSERT
            | VK_DELETE
            | VK_LWIN
            | VK_APPS
            | VK_RMENU
            | VK_SNAPSHOT
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_refused_before_anything_is_typed() {
        let mut keyboard = Keyboard::default();
        let refused = keyboard.type_text("ab\u{7}c", &StopSignal::new());
        assert!(matches!(refused, Err(DesktopError::Typing(reason)) if reason.contains("U+0007")));
    }

    #[test]
    fn a_character_that_no_layout_has_is_sent_as_unicode() {
        assert_eq!(character_codes('单'), [Code::Unit('单' as u16)]);
        assert_eq!(character_codes('𝄞').len(), 2);
    }

    #[test]
    fn what_the_guard_is_told_releases_the_key() {
        let unit = mark(Code::Unit(0x5355));
        assert_eq!(unit, Mark::Input { virtual_key: 0, scan: 0x5355, flags: KEYEVENTF_UNICODE | KEYEVENTF_KEYUP });
        assert!(matches!(
            mark(Code::Virtual(VK_RMENU)),
            Mark::Input { virtual_key: VK_RMENU, flags, .. } if flags == KEYEVENTF_EXTENDEDKEY | KEYEVENTF_KEYUP
        ));
    }

    #[test]
    fn letters_for_shortcuts_are_the_same_keys_on_every_layout() {
        assert_eq!(character_codes('s'), [Code::Virtual(u16::from(b'S'))]);
        assert_eq!(codes(Key::Function(24)), [Code::Virtual(VK_F24)]);
    }
}
