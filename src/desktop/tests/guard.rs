//! The working process is killed at random moments, and a guard process puts everything right.
//!
//! The processes are real: this test program starts itself again, once as the hands and once as the guard. Both are
//! tests that are ignored otherwise; what they shall do is told by an environment variable.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use super::*;
use crate::desktop::watch;

/// The display that a process of these tests works on.
const DISPLAY: &str = "DESKHAND_TEST_GUARD_DISPLAY";
/// What the hands do.
const WORK: &str = "DESKHAND_TEST_GUARD_WORK";
/// What they say when they have begun.
const BEGUN: &str = "the hands have begun";
/// So long after that they live at most, in milliseconds.
const LATEST: u64 = 300;
/// More than enough for a guard on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// This program again, as one of the ignored tests below.
fn this_program(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let (_, module) = module_path!().split_once("::").unwrap();
    command.args(["--exact", &format!("{module}::{test}"), "--ignored", "--nocapture", "--test-threads=1"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
#[ignore = "a process of the other tests, not a test"]
fn guard_process() {
    if std::env::var_os(DISPLAY).is_some() {
        watch(io::stdin()).unwrap();
    }
}

#[test]
#[ignore = "a process of the other tests, not a test"]
fn hands_process() {
    let (Ok(display), Ok(work)) = (std::env::var(DISPLAY), std::env::var(WORK)) else { return };
    let mut desktop = Desktop::open_on(&display).unwrap();
    if work != "unguarded" {
        // Standard input is the writing end of the guard's pipe.
        desktop = desktop.guarded_by(Box::new(File::from(io::stdin().as_fd().try_clone_to_owned().unwrap())));
    }
    writeln!(io::stdout(), "{BEGUN}").unwrap();
    loop {
        if work == "typing" {
            desktop.backend.key("shift", true).unwrap();
            desktop.type_text("AbC: Order #42 订单\n客户 {XyZ} ÄÖ").unwrap();
            desktop.backend.key("shift", false).unwrap();
            desktop.type_text("春眠不觉晓处处闻啼鸟夜来风雨声花落知多少 ABCdef").unwrap();
        } else {
            clicks_and_chords(&mut desktop);
        }
    }
}

fn clicks_and_chords(desktop: &mut Desktop) {
    use crate::scene::DesktopPoint;
    // Xvfb's empty screen has no picture that could be acted on, so the drag is made of its parts.
    desktop.backend.move_pointer(DesktopPoint::new(100, 100)).unwrap();
    desktop.backend.button(MouseButton::Left, true).unwrap();
    for step in 1..=6 {
        desktop.backend.move_pointer(DesktopPoint::new(100 + 50 * step, 100 + 20 * step)).unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    desktop.backend.button(MouseButton::Left, false).unwrap();
    desktop.press_chord("ctrl+shift+s").unwrap();
    desktop.backend.wheel(1, 2).unwrap();
    desktop.press_chord("ctrl+shift+f24").unwrap();
    for button in [MouseButton::Right, MouseButton::Middle] {
        desktop.backend.button(button, true).unwrap();
        thread::sleep(Duration::from_millis(5));
        desktop.backend.button(button, false).unwrap();
    }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn guard_on(display: &TestDisplay) -> Child {
    this_program("guard_process").env(DISPLAY, &display.name).stdin(Stdio::piped()).spawn().unwrap()
}

/// Whether the server gets to read what the hands have sent last.
#[derive(Clone, Copy, PartialEq)]
enum Server {
    Reads,
    /// It is stopped before the hands die, and drops what it has not read by then.
    IsStopped,
}

/// Starts the hands, lets them work for a while and kills them.
fn kill_in_the_middle(display: &TestDisplay, work: &str, pipe: Stdio, after: Duration, server: Server) {
    let mut command = this_program("hands_process");
    command.env(DISPLAY, &display.name).env(WORK, work).stdin(pipe).stdout(Stdio::piped());
    let mut hands = command.spawn().unwrap();
    // Our own copy of the pipe is closed, or the guard would never see its end.
    drop(command);
    let mut said = BufReader::new(hands.stdout.take().unwrap());
    loop {
        let mut line = String::new();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "the hands ended before they had begun");
        if line.contains(BEGUN) {
            break;
        }
    }
    thread::sleep(after);
    if server == Server::IsStopped {
        display.signal_server("STOP");
        // The hands go on until they wait for an answer.
        thread::sleep(Duration::from_millis(20));
    }
    assert!(hands.try_wait().unwrap().is_none(), "the hands ended by themselves");
    hands.kill().unwrap();
    hands.wait().unwrap();
    if server == Server::IsStopped {
        display.signal_server("CONT");
    }
}

fn expect_end(guard: &mut Child) {
    let start = Instant::now();
    let status = loop {
        if let Some(status) = guard.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            guard.kill().unwrap();
            guard.wait().unwrap();
            panic!("the guard does not end");
        }
        thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success(), "the guard: {status}");
}

fn keymap(client: &RustConnection) -> Vec<Vec<u32>> {
    let (first, last) = (client.setup().min_keycode, client.setup().max_keycode);
    let reply = client.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
    let rows = reply.keysyms.chunks(usize::from(reply.keysyms_per_keycode));
    // How many columns there are is up to the server; empty ones mean nothing.
    rows.map(|row| row.iter().copied().take_while(|symbol| *symbol != 0).collect()).collect()
}

fn survives_kills(work: &str, kills: u64, seed: u64, server: Server) {
    let display = TestDisplay::start();
    let client = display.other_client();
    let before = keymap(&client);
    let mut random = Random(seed);
    for round in 0..kills {
        let after = Duration::from_millis(random.below(LATEST));
        let mut guard = guard_on(&display);
        let pipe = guard.stdin.take().unwrap();
        kill_in_the_middle(&display, work, pipe.into(), after, server);
        expect_end(&mut guard);
        let moment = format!("killed while {work}, round {round}, after {after:?}");
        assert_eq!(display.keys_down(), [0u8; 0], "{moment}");
        assert_eq!(display.buttons_down(), 0, "{moment}");
        assert!(keymap(&client) == before, "the keyboard map has changed; {moment}");
    }
}

#[test]
fn a_kill_while_typing_leaves_no_key_down_and_no_key_changed() {
    survives_kills("typing", 25, 1, Server::Reads);
}

#[test]
fn a_kill_while_dragging_clicking_and_pressing_chords_leaves_nothing_down() {
    survives_kills("dragging", 25, 2, Server::Reads);
}

#[test]
fn a_release_that_the_server_has_not_read_before_the_kill_is_done_by_the_guard() {
    survives_kills("typing", 8, 3, Server::IsStopped);
    survives_kills("dragging", 16, 4, Server::IsStopped);
}

#[test]
fn without_a_guard_the_same_kills_leave_something_down() {
    let display = TestDisplay::start();
    let before = keymap(&display.other_client());
    let mut random = Random(2);
    let left_something = (0..25).any(|_| {
        let after = Duration::from_millis(random.below(LATEST));
        kill_in_the_middle(&display, "unguarded", Stdio::null(), after, Server::Reads);
        // What the dead hands have sent last may still be on its way.
        thread::sleep(Duration::from_millis(50));
        let map_changed = keymap(&display.other_client()) != before;
        !display.keys_down().is_empty() || display.buttons_down() != 0 || map_changed
    });
    assert!(left_something, "the tests with a guard prove nothing");
}

/// Another program presses or releases something, as the killed hands would have.
fn fake(client: &RustConnection, kind: u8, number: u8) {
    client.xtest_fake_input(kind, number, 0, 0, 0, 0, 0).unwrap().check().unwrap();
}

const PRESS: u8 = 2;
const RELEASE: u8 = 3;
const BUTTON_PRESS: u8 = 4;

#[test]
fn only_what_the_ledger_says_is_released() {
    let display = TestDisplay::start();
    let user = display.other_client();
    for code in [38, 39, 50] {
        fake(&user, PRESS, code);
    }
    fake(&user, BUTTON_PRESS, 1);
    fake(&user, BUTTON_PRESS, 3);
    let said = format!("display {}\nowe key 38\nowe key 50\nowe button 3\npaid key 50\n", display.name);
    watch(said.as_bytes()).unwrap();
    assert_eq!(display.keys_down(), [39, 50]);
    assert_eq!(display.buttons_down(), u16::from(KeyButMask::BUTTON1));
}

#[test]
fn caps_lock_that_was_switched_off_for_typing_is_on_again() {
    let display = TestDisplay::start();
    let user = display.other_client();
    let root = user.setup().roots[0].root;
    let locked = || user.query_pointer(root).unwrap().reply().unwrap().mask.contains(KeyButMask::LOCK);
    let caps = 66;
    fake(&user, PRESS, caps);
    fake(&user, RELEASE, caps);
    assert!(locked());
    let (mut reader, writer) = io::pipe().unwrap();
    let mut desktop = display.open().guarded_by(Box::new(writer));
    desktop.backend.key("ctrl", true).unwrap();
    assert!(!locked());
    // As if the hands had been killed here: what they have said so far is all that they ever say. Their connection is
    // still open, and the guard must not wait for its end.
    let mut said = vec![0; 4096];
    let length = reader.read(&mut said).unwrap();
    let said = String::from_utf8(said[..length].to_vec()).unwrap();
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("client")).collect();
    let said = said.join("\n") + "\n";
    watch(said.as_bytes()).unwrap();
    assert!(locked());
    assert!(display.keys_down().is_empty());
}

#[test]
fn presses_that_the_server_gets_to_only_after_the_death_are_released_too() {
    let display = TestDisplay::start();
    let hands = display.other_client();
    let window = hands.generate_id().unwrap();
    let root = hands.setup().roots[0].root;
    let inputs = x11rb::protocol::xproto::WindowClass::INPUT_ONLY;
    hands.create_window(0, window, root, 0, 0, 1, 1, 0, inputs, 0, &Default::default()).unwrap().check().unwrap();
    let said = format!("display {}\nclient {window}\nowe key 38\nowe button 1\n", display.name);
    let guard = thread::spawn(move || watch(said.as_bytes()));
    // The guard releases again and again while the connection lives, and once more after its end.
    thread::sleep(Duration::from_millis(200));
    hands.xtest_fake_input(PRESS, 38, 0, 0, 0, 0, 0).unwrap();
    hands.xtest_fake_input(BUTTON_PRESS, 1, 0, 0, 0, 0, 0).unwrap();
    hands.flush().unwrap();
    drop(hands);
    guard.join().unwrap().unwrap();
    assert!(display.keys_down().is_empty());
    assert_eq!(display.buttons_down(), 0);
}

#[test]
fn a_dead_display_is_an_error_of_the_guard_and_no_panic() {
    let said = "display :64999\nowe key 38\n";
    assert!(matches!(watch(said.as_bytes()), Err(DesktopError::NoDisplay(_))));
}

#[test]
fn hands_whose_guard_is_gone_stop_with_nothing_down() {
    let display = TestDisplay::start();
    let (reader, writer) = io::pipe().unwrap();
    let mut desktop = display.open().guarded_by(Box::new(writer));
    desktop.type_text("fine").unwrap();
    desktop.backend.key("ctrl", true).unwrap();
    desktop.backend.button(MouseButton::Left, true).unwrap();
    drop(reader);
    let refused = desktop.press_chord("shift+a");
    assert!(matches!(refused, Err(DesktopError::Unguarded(_))), "{refused:?}");
    assert!(display.keys_down().is_empty());
    assert_eq!(display.buttons_down(), 0);
    assert!(matches!(desktop.type_text("x"), Err(DesktopError::Unguarded(_))));
    assert!(matches!(desktop.backend.button(MouseButton::Left, true), Err(DesktopError::Unguarded(_))));
    assert!(matches!(desktop.backend.wheel(0, 1), Err(DesktopError::Unguarded(_))));
    assert!(display.keys_down().is_empty());
    assert_eq!(display.buttons_down(), 0);
}

#[test]
fn hands_that_end_cleanly_owe_nothing() {
    let display = TestDisplay::start();
    let (mut reader, writer) = io::pipe().unwrap();
    let listener = thread::spawn(move || {
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        said
    });
    let mut desktop = display.open().guarded_by(Box::new(writer));
    desktop.press_chord("ctrl+shift+f24").unwrap();
    desktop.type_text("Ab 春眠不觉晓处处闻啼鸟夜来风雨声花落知多少 床前明月光疑是地上霜").unwrap();
    clicks_and_chords(&mut desktop);
    drop(desktop);
    let said = listener.join().unwrap();
    let mut owed: Vec<&str> = Vec::new();
    for line in said.lines() {
        match line.split_once(' ') {
            Some(("owe", what)) if !owed.contains(&what) => owed.push(what),
            Some(("paid", what)) => owed.retain(|other| *other != what),
            Some(_) | None => {}
        }
    }
    assert_eq!(owed, [""; 0]);
    for kind in ["owe key ", "owe button 1", "owe button 5", "owe button 7", "owe keysym "] {
        assert!(said.contains(kind), "{kind}");
    }
}
