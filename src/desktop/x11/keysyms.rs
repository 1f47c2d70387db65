//! X11's numbers for keys and characters (keysyms).

use x11rb::protocol::xproto::Keysym;

use crate::desktop::Key;

/// No key at all.
pub const NO_SYMBOL: Keysym = 0;
/// The Return key.
pub const RETURN: Keysym = 0xff0d;
/// The Tab key.
pub const TAB: Keysym = 0xff09;
/// Characters beyond Latin-1 are this plus their code point.
const UNICODE: Keysym = 0x0100_0000;

/// The keysym of a printable character.
pub fn of_char(c: char) -> Keysym {
    let code = u32::from(c);
    match code {
        0x20..=0x7e | 0xa0..=0xff => code,
        _ => UNICODE | code,
    }
}

/// Whether a keysym is one that only [`of_char`] would put on a key: what a killed run may have left behind.
pub fn is_unicode(keysym: Keysym) -> bool {
    keysym & 0xff00_0000 == UNICODE
}

/// The keysyms that stand for a key, the usual one first.
pub fn of_key(key: Key) -> Vec<Keysym> {
    match key {
        Key::Char(c) => vec![of_char(c)],
        Key::Function(number) => vec![0xffbd + Keysym::from(number)],
        Key::Ctrl => vec![0xffe3, 0xffe4],
        Key::Shift => vec![0xffe1, 0xffe2],
        Key::Alt => vec![0xffe9, 0xffea],
        Key::AltGr => vec![0xfe03, 0xff7e],
        Key::Super => vec![0xffeb, 0xffec],
        Key::Enter => vec![RETURN],
        Key::Tab => vec![TAB],
        Key::Escape => vec![0xff1b],
        Key::Space => vec![0x20],
        Key::Backspace => vec![0xff08],
        Key::Delete => vec![0xffff],
        Key::Insert => vec![0xff63],
        Key::Home => vec![0xff50],
        Key::End => vec![0xff57],
        Key::PageUp => vec![0xff55],
        Key::PageDown => vec![0xff56],
        Key::Up => vec![0xff52],
        Key::Down => vec![0xff54],
        Key::Left => vec![0xff51],
        Key::Right => vec![0xff53],
        Key::Menu => vec![0xff67],
        Key::PrintScreen => vec![0xff61],
        Key::CapsLock => vec![0xffe5],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin1_characters_are_their_own_keysym_and_others_carry_the_unicode_flag() {
        assert_eq!(of_char('A'), 0x41);
        assert_eq!(of_char('é'), 0xe9);
        assert_eq!(of_char('订'), 0x0100_8ba2);
        assert_eq!(of_char('€'), 0x0100_20ac);
        assert!(is_unicode(of_char('😀')) && !is_unicode(of_char('z')) && !is_unicode(RETURN));
    }

    #[test]
    fn function_keys_count_from_f1() {
        assert_eq!(of_key(Key::Function(1)), [0xffbe]);
        assert_eq!(of_key(Key::Function(24)), [0xffd5]);
    }
}
