//! The desktop of the session that the tests run in; nothing on it is touched but a key that no program knows.

use super::*;

#[test]
fn the_monitors_cover_the_picture_of_the_whole_screen() {
    let mut desktop = Windows::open().unwrap();
    let monitors = desktop.monitors().unwrap();
    assert!(monitors.first().is_some_and(|monitor| monitor.primary && monitor.scale >= 1.0), "{monitors:?}");
    let all = monitors.iter().map(|monitor| monitor.bounds).reduce(|all, next| all.union(&next)).unwrap();
    let picture = desktop.grab(all).unwrap();
    assert_eq!(picture.dimensions(), (all.width() as u32, all.height() as u32));
    let corner = DesktopRect::new(all.min, DesktopPoint::new(all.min.x + 7, all.min.y + 5));
    assert_eq!(desktop.grab(corner).unwrap().dimensions(), (7, 5));
}

#[test]
fn this_process_is_known_by_its_executable_and_has_no_more_rights_than_itself() {
    let own = std::env::current_exe().unwrap();
    let name = own.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(processes::executable(std::process::id()), Some(name));
    assert_eq!(processes::executable(u32::MAX), None);
    assert!(!rights::above_ours(std::process::id()));
    assert!(!rights::above_ours(u32::MAX));
}

#[test]
fn a_window_that_is_gone_is_said_to_be_gone() {
    let gone = WindowId(0xdead_beef);
    assert!(matches!(Windows::open().unwrap().activate(gone), Err(DesktopError::WindowGone(_))));
    assert!(!toplevel::windows().iter().any(|window| window.id == gone));
}

#[test]
fn the_clipboard_keeps_any_text() {
    let mut desktop = Windows::open().unwrap();
    let text = "订单 № 7\tÄpfel & Söhne\r\n𝄞";
    desktop.set_clipboard(text).unwrap();
    assert_eq!(desktop.clipboard().unwrap().as_deref(), Some(text));
}

#[test]
fn a_key_of_hands_that_are_gone_is_released_by_the_guard() {
    use std::io::Read;

    use windows_sys::Win32::UI::Input::KeyboardAndMouse::{GetAsyncKeyState, VK_F24};

    // SAFETY: the call takes a number and returns one; the highest bit means "is down".
    let is_down = || unsafe { GetAsyncKeyState(i32::from(VK_F24)) } < 0;
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut hands = Windows::open().unwrap();
    hands.set_ledger(Ledger::new(Box::new(writer)));
    hands.key("f24", true).unwrap();
    let start = std::time::Instant::now();
    while !is_down() {
        assert!(start.elapsed().as_secs() < 5, "the key does not go down");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // As if the hands had been killed here: what they have said so far is all that they ever say.
    let mut said = [0; 256];
    let length = reader.read(&mut said).unwrap();
    crate::desktop::watch(&said[..length]).unwrap();
    assert!(!is_down());
    // The guard is gone, and so nothing goes down any more.
    drop(reader);
    hands.key("f24", false).unwrap();
    assert!(matches!(hands.key("f24", true), Err(DesktopError::Unguarded(_))));
    assert!(!is_down());
}
