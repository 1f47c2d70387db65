//! Text arrives exactly in programs of other toolkits, and nothing stays pressed or changed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::*;

/// 200 and more characters: ASCII, Chinese beyond one batch, full-width, symbols, accents, Cyrillic.
const MIXED: &str = "Order #42: {Sample \"Ltd\"} <a@b.c> 50% ~`|\\^_ 春眠不觉晓处处闻啼鸟夜来风雨声花落知多少 \
床前明月光疑是地上霜举头望明月低头思故乡 客户名称：深圳市（福田）有限公司；数量＝１２３，单价￥１２．５０ \
àéîõü ßÆØ €£¥ ©®™ «»… Привет, мир 白日依山尽黄河入海流欲穷千里目更上一层楼 AaZz09 !@#$%^&*()-+=[];',./? 完";
const LINES: &str = "first line\n第二行：月结\n\n  indented\twith tab\nlast 行";

fn keymap(display: &TestDisplay) -> Vec<u32> {
    let client = display.other_client();
    let (first, last) = (client.setup().min_keycode, client.setup().max_keycode);
    client.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap().keysyms
}

fn keycode(display: &TestDisplay, keysym: u32) -> u8 {
    let client = display.other_client();
    let (first, last) = (client.setup().min_keycode, client.setup().max_keycode);
    let reply = client.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
    let place = reply.keysyms.iter().position(|symbol| *symbol == keysym).unwrap();
    first + (place / usize::from(reply.keysyms_per_keycode)) as u8
}

/// Another program presses or releases a key, as a user would.
fn foreign_key(display: &TestDisplay, code: u8, down: bool) {
    let client = display.other_client();
    client.xtest_fake_input(if down { 2 } else { 3 }, code, 0, 0, 0, 0, 0).unwrap().check().unwrap();
}

fn caps_lock_is_on(display: &TestDisplay) -> bool {
    let client = display.other_client();
    let root = client.setup().roots[0].root;
    client.query_pointer(root).unwrap().reply().unwrap().mask.contains(KeyButMask::LOCK)
}

fn types_exactly(script: &str, kind: &str, text: &str) {
    let mut display = TestDisplay::start();
    let out = display.app(script, kind, &["--title", "Target"]);
    let mut desktop = display.open();
    let before = keymap(&display);
    front(&mut desktop, "Target");
    desktop.type_text(text).unwrap();
    expect_file(&out, text);
    drop(desktop);
    assert_eq!(keymap(&display), before, "the keyboard map is as it was");
    assert!(display.keys_down().is_empty());
}

#[test]
fn mixed_text_arrives_exactly_in_a_gtk_entry() {
    types_exactly("gtk_app.py", "entry", &format!("{MIXED} 😀🧾"));
}

#[test]
fn mixed_text_arrives_exactly_in_a_tk_entry() {
    types_exactly("tk_app.py", "entry", MIXED);
}

#[test]
fn lines_and_tabs_arrive_exactly_in_a_gtk_text_field() {
    types_exactly("gtk_app.py", "text", LINES);
}

#[test]
fn lines_and_tabs_arrive_exactly_in_a_tk_text_field() {
    types_exactly("tk_app.py", "text", LINES);
}

#[test]
fn caps_lock_and_a_held_shift_do_not_change_the_text() {
    let mut display = TestDisplay::start();
    let out = display.app("gtk_app.py", "entry", &["--title", "Target"]);
    let mut desktop = display.open();
    front(&mut desktop, "Target");
    let (caps, shift) = (keycode(&display, 0xffe5), keycode(&display, 0xffe1));
    foreign_key(&display, caps, true);
    foreign_key(&display, caps, false);
    foreign_key(&display, shift, true);
    assert!(caps_lock_is_on(&display));
    desktop.type_text("abc ABC 12 订单 é").unwrap();
    expect_file(&out, "abc ABC 12 订单 é");
    assert!(caps_lock_is_on(&display), "the user's Caps Lock is on again");
    assert!(display.keys_down().is_empty(), "a foreign Shift is not pressed again");
}

#[test]
fn a_modifier_that_we_hold_is_down_again_after_typing() {
    let mut display = TestDisplay::start();
    let out = display.app("gtk_app.py", "entry", &["--title", "Target"]);
    let mut desktop = display.open();
    front(&mut desktop, "Target");
    desktop.backend.key("ctrl", true).unwrap();
    let down = display.keys_down();
    assert_eq!(down.len(), 1);
    desktop.type_text("plain 文字").unwrap();
    expect_file(&out, "plain 文字");
    assert_eq!(display.keys_down(), down);
    desktop.release_all().unwrap();
    assert!(display.keys_down().is_empty());
}

#[test]
fn a_text_with_a_control_character_is_refused_before_anything_is_typed() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "entry", &["--title", "Target"]);
    let mut desktop = display.open();
    front(&mut desktop, "Target");
    assert!(matches!(desktop.type_text("ab\u{1b}c"), Err(DesktopError::Typing(_))));
    desktop.type_text("ok").unwrap();
    expect_file(&out, "ok");
}

#[test]
fn chords_and_named_keys_reach_the_program() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "keys", &["--title", "Target"]);
    let mut desktop = display.open();
    front(&mut desktop, "Target");
    let presses = |text: String| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix("press ")).map(str::to_owned).collect()
    };
    let keys = [
        ("ctrl+s", vec!["Control_L 0", "s 4"]),
        ("Ctrl+Shift+F5", vec!["Control_L 0", "Shift_L 4", "F5 5"]),
        ("?", vec!["Shift_L 0", "question 1"]),
        ("Return", vec!["Return 0"]),
        ("pagedown", vec!["Next 0"]),
        ("F24", vec!["F24 0"]),
        ("delete", vec!["Delete 0"]),
        ("super", vec!["Super_L 0"]),
    ];
    let mut wanted: Vec<&str> = Vec::new();
    for (chord, expected) in &keys {
        desktop.press_chord(chord).unwrap();
        wanted.extend(expected);
    }
    let seen = wait_until("all keys have arrived", || {
        let seen = presses(std::fs::read_to_string(&out).unwrap_or_default());
        (seen.len() >= wanted.len()).then_some(seen)
    });
    assert_eq!(seen, wanted);
    assert!(display.keys_down().is_empty());
    assert!(matches!(desktop.press_chord("ctrl+nonsense"), Err(DesktopError::UnknownKey { .. })));
}

#[test]
fn keys_and_buttons_are_up_after_a_drop() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    desktop.backend.key("ctrl", true).unwrap();
    desktop.backend.key("a", true).unwrap();
    desktop.backend.button(MouseButton::Left, true).unwrap();
    assert_eq!(display.keys_down().len(), 2);
    assert_ne!(display.buttons_down(), 0);
    drop(desktop);
    assert!(display.keys_down().is_empty());
    assert_eq!(display.buttons_down(), 0);
}

#[test]
fn keys_and_buttons_are_up_after_a_panic() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    let panicked = catch_unwind(AssertUnwindSafe(move || {
        desktop.backend.key("shift", true).unwrap();
        desktop.backend.button(MouseButton::Right, true).unwrap();
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    assert!(display.keys_down().is_empty());
    assert_eq!(display.buttons_down(), 0);
}

#[test]
fn after_a_stop_everything_is_up_and_every_call_says_stopped() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    desktop.backend.key("alt", true).unwrap();
    desktop.backend.button(MouseButton::Left, true).unwrap();
    desktop.stop_signal().set();
    assert!(matches!(desktop.windows(), Err(DesktopError::Stopped)));
    assert!(display.keys_down().is_empty());
    assert_eq!(display.buttons_down(), 0);
    assert!(matches!(desktop.type_text("x"), Err(DesktopError::Stopped)));
    assert!(matches!(desktop.press_chord("ctrl+s"), Err(DesktopError::Stopped)));
    assert!(matches!(desktop.capture(CaptureArea::All), Err(DesktopError::Stopped)));
    assert!(matches!(desktop.clipboard(), Err(DesktopError::Stopped)));
}

#[test]
fn a_stop_in_the_middle_of_typing_ends_it_at_once() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "entry", &["--title", "Target"]);
    let mut desktop = display.open();
    front(&mut desktop, "Target");
    let stop = desktop.stop_signal();
    let watched = out.clone();
    let stopper = thread::spawn(move || {
        wait_until("some text has arrived", || {
            std::fs::read_to_string(&watched).is_ok_and(|text| text.len() > 5).then_some(())
        });
        stop.set();
    });
    let endless = "Abc ".repeat(20_000);
    assert!(matches!(desktop.type_text(&endless), Err(DesktopError::Stopped)));
    stopper.join().unwrap();
    assert!(display.keys_down().is_empty());
}

#[test]
fn typing_ends_with_an_error_when_another_program_takes_the_keyboard() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "entry", &["--title", "Target"]);
    display.app("tk_app.py", "keys", &["--title", "Intruder", "--geometry", "100x100+600+300"]);
    let (mut desktop, mut other) = (display.open(), display.open());
    let intruder = front(&mut other, "Intruder");
    front(&mut desktop, "Target");
    let thief = thread::spawn(move || {
        wait_until("some text has arrived", || {
            std::fs::read_to_string(&out).is_ok_and(|text| text.len() > 5).then_some(())
        });
        other.bring_to_front(intruder.id).unwrap();
    });
    match desktop.type_text(&"Abc ".repeat(20_000)) {
        Err(DesktopError::Typing(reason)) => assert!(reason.contains("another window took the keyboard")),
        unexpected => panic!("{unexpected:?}"),
    }
    thief.join().unwrap();
    assert!(display.keys_down().is_empty());
}
