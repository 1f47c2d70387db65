//! Finding windows and bringing them to the front, with and without a window manager.

use super::*;

fn two_windows(display: &mut TestDisplay) -> (std::path::PathBuf, std::path::PathBuf) {
    let first = display.app("tk_app.py", "entry", &["--title", "First 订单", "--geometry", "300x120+20+30"]);
    let second = display.app("gtk_app.py", "entry", &["--title", "Second"]);
    (first, second)
}

/// Types into each of two windows in turn: only real focus makes that work.
fn focus_is_real(mut display: TestDisplay) {
    let (first_out, second_out) = two_windows(&mut display);
    let mut desktop = display.open();
    // The window that came last is taken first: its manager may give it the focus late.
    for (title, text) in [("second", "b"), ("first 订单", "a"), ("Second", "d"), ("First", "c")] {
        let window = front(&mut desktop, title);
        let now = desktop.windows().unwrap();
        assert_eq!(now.first().map(|top| top.id), Some(window.id), "the window is topmost");
        desktop.type_text(text).unwrap();
    }
    expect_file(&first_out, "ac");
    // GTK selects an entry's text when it gets the focus again, so the second letter replaces the first.
    wait_until("the second window has its text", || {
        let text = std::fs::read_to_string(&second_out).unwrap();
        (text == "d" || text == "bd").then_some(())
    });
}

#[test]
fn bringing_to_front_gives_real_focus_without_a_window_manager() {
    focus_is_real(TestDisplay::start());
}

#[test]
fn bringing_to_front_gives_real_focus_under_a_window_manager() {
    focus_is_real(TestDisplay::with_manager());
}

#[test]
fn clicks_land_exactly_under_a_window_manager_that_draws_frames() {
    let mut display = TestDisplay::with_manager();
    let out = display.app("tk_app.py", "clicks", &["--title", "Target", "--geometry", "301x203+137+61"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    assert_eq!((capture.image.width(), capture.image.height()), (301, 203), "the client area, without the frame");
    desktop.click(capture.at(point(0, 0)), MouseButton::Left, 1).unwrap();
    desktop.click(capture.at(point(300, 202)), MouseButton::Left, 1).unwrap();
    expect_file(&out, "down 1 0 0\nup 1 0 0\ndown 1 300 202\nup 1 300 202");
    assert!(desktop.backend.popups().unwrap().is_empty(), "frames are no popups");
}

#[test]
fn a_click_that_a_busy_window_manager_holds_back_is_not_overtaken_by_keys() {
    let mut display = TestDisplay::with_manager();
    let out = display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    display.signal_manager("STOP");
    let clicking =
        std::thread::spawn(move || desktop.click(capture.at(point(70, 80)), MouseButton::Left, 1).map(|()| desktop));
    wait_until("the button is down", || (display.buttons_down() != 0).then_some(()));
    assert!(!clicking.is_finished(), "the click is not over while it is held back");
    display.signal_manager("CONT");
    let desktop = clicking.join().unwrap().unwrap();
    assert_eq!(display.buttons_down(), 0);
    expect_file(&out, "down 1 70 80\nup 1 70 80");
    drop(desktop);
}

#[test]
fn windows_are_found_by_title_class_and_program_and_otherwise_listed() {
    let mut display = TestDisplay::start();
    two_windows(&mut display);
    let mut desktop = display.open();
    let first = front(&mut desktop, "First 订单");
    assert_eq!(first.class, "Deskprobe");
    assert!(first.pid.is_some());
    assert_eq!(desktop.find_window("订单").unwrap().id, first.id);
    assert_eq!(desktop.find_window("deskPROBE").unwrap().id, first.id);
    assert!(desktop.find_window("python3").is_ok(), "by the executable's name");
    wait_until("both windows are there", || desktop.find_window("second").ok());
    match desktop.find_window("Invoice") {
        Err(DesktopError::NoWindow { wanted, open }) => {
            assert_eq!(wanted, "Invoice");
            assert!(open.contains("First 订单") && open.contains("Second"), "{open}");
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(desktop.find_window(" "), Err(DesktopError::NoWindow { .. })));
}

#[test]
fn the_topmost_foreign_window_is_not_one_of_ours() {
    let mut display = TestDisplay::start();
    two_windows(&mut display);
    let mut desktop = display.open();
    let second = front(&mut desktop, "Second");
    let first = front(&mut desktop, "First");
    assert_eq!(desktop.topmost_foreign(&[]).unwrap().map(|window| window.id), Some(first.id));
    let ours = first.pid.unwrap();
    assert_eq!(desktop.topmost_foreign(&[ours]).unwrap().map(|window| window.id), Some(second.id));
    assert_eq!(desktop.topmost_foreign(&[ours, second.pid.unwrap()]).unwrap(), None);
}

#[test]
fn a_place_that_another_program_covers_is_not_clicked() {
    let mut display = TestDisplay::start();
    let under_log = display.app("tk_app.py", "clicks", &["--title", "Under", "--geometry", "300x200+50+50"]);
    let over_log = display.app("tk_app.py", "clicks", &["--title", "Over", "--geometry", "100x100+200+100"]);
    let mut desktop = display.open();
    let under = front(&mut desktop, "Under");
    let capture = drawn(&mut desktop, under.id).capture;
    let over = front(&mut desktop, "Over");
    let covered = capture.at(point(200, 100));
    match desktop.click(covered, MouseButton::Left, 1) {
        Err(DesktopError::Covered(title)) => assert_eq!(title, "Under"),
        other => panic!("{other:?}"),
    }
    desktop.click(capture.at(point(10, 10)), MouseButton::Left, 1).unwrap();
    expect_file(&under_log, "down 1 10 10\nup 1 10 10");
    desktop.bring_to_front(under.id).unwrap();
    desktop.click(covered, MouseButton::Left, 1).unwrap();
    expect_file(&under_log, "down 1 10 10\nup 1 10 10\ndown 1 200 100\nup 1 200 100");
    expect_file(&over_log, "");
    assert!(desktop.alive(over.id).unwrap());
}

fn dialog_is_in_front(mut display: TestDisplay) {
    display.app("tk_app.py", "entry", &["--title", "Main", "--dialog", "Sure?"]);
    let mut desktop = display.open();
    let dialog = wait_until("the dialog is there", || desktop.find_window("Sure?").ok());
    let main = desktop.find_window("Main").unwrap();
    assert_eq!(dialog.transient_for, Some(main.id));
    assert_eq!(desktop.front_of(main.id).unwrap().id, dialog.id);
    assert_eq!(desktop.front_of(dialog.id).unwrap().id, dialog.id);
    assert_eq!(desktop.bring_to_front(main.id).unwrap().id, dialog.id);
}

#[test]
fn a_dialog_stands_for_its_window_without_a_window_manager() {
    dialog_is_in_front(TestDisplay::start());
}

#[test]
fn a_dialog_stands_for_its_window_under_a_window_manager() {
    dialog_is_in_front(TestDisplay::with_manager());
}

#[test]
fn the_monitor_and_the_facts_describe_the_display() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    let monitors = desktop.monitors().unwrap();
    assert_eq!(monitors.len(), 1);
    assert_eq!((monitors[0].bounds.width(), monitors[0].bounds.height()), (1280, 800));
    let facts = desktop.facts();
    let value = |wanted: &str| facts.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    assert_eq!(value("display"), Some(display.name.as_str()));
    assert_eq!(value("screen"), Some("1280x800"));
    assert_eq!(value("window manager"), Some("none"));
    assert_eq!(value("XTEST"), Some("present"));
}

#[test]
fn a_display_that_died_is_a_connection_error_and_not_a_crash() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    drop(display);
    assert!(matches!(desktop.windows(), Err(DesktopError::Connection(_))));
}
