//! Pictures, the points in them, and what happens to a point whose picture no longer holds.

use crate::scene::{CaptureId, CapturePoint};

use super::*;

#[test]
fn a_pixel_of_a_window_at_an_odd_place_is_the_pixel_that_is_clicked() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "clicks", &["--title", "Target", "--geometry", "301x203+137+61"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    assert_eq!((capture.image.width(), capture.image.height()), (301, 203));
    assert_eq!((capture.origin.x, capture.origin.y), (137, 61));
    let mut wanted = Vec::new();
    for (x, y) in [(0, 0), (300, 202), (0, 202), (300, 0), (17, 93), (150, 101)] {
        desktop.click(capture.at(point(x, y)), MouseButton::Left, 1).unwrap();
        wanted.extend([format!("down 1 {x} {y}"), format!("up 1 {x} {y}")]);
    }
    expect_file(&out, &wanted.join("\n"));
    assert_eq!(display.buttons_down(), 0);
}

#[test]
fn double_and_right_clicks_and_the_wheel_arrive_as_such() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    desktop.click(capture.at(point(30, 40)), MouseButton::Left, 2).unwrap();
    desktop.click(capture.at(point(200, 40)), MouseButton::Right, 1).unwrap();
    desktop.scroll(capture.at(point(50, 50)), 0, 2).unwrap();
    desktop.scroll(capture.at(point(50, 50)), 0, -1).unwrap();
    let lines =
        "down 1 30 40\nup 1 30 40\ndouble 1 30 40\nup 1 30 40\ndown 3 200 40\nup 3 200 40\nwheel 5\nwheel 5\nwheel 4";
    expect_file(&out, lines);
}

#[test]
fn a_drag_presses_moves_and_releases_where_it_should() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    desktop.drag(capture.at(point(0, 10)), capture.at(point(240, 70))).unwrap();
    let log = wait_until("the drag has ended", || std::fs::read_to_string(&out).ok().filter(|log| log.contains("up")));
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.first(), Some(&"down 1 0 10"));
    assert_eq!(lines.last(), Some(&"up 1 240 70"));
    assert!(lines.iter().filter(|line| line.starts_with("drag")).count() >= 3, "{log}");
    assert_eq!(display.buttons_down(), 0);
}

#[test]
fn points_of_unknown_captures_and_outside_the_picture_are_refused() {
    let mut display = TestDisplay::start();
    display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    let unknown = CapturePoint { capture: CaptureId(77_777), point: point(1, 1) };
    assert!(matches!(desktop.click(unknown, MouseButton::Left, 1), Err(DesktopError::StaleCapture(CaptureId(77_777)))));
    assert!(matches!(
        desktop.click(capture.at(point(400, 0)), MouseButton::Left, 1),
        Err(DesktopError::OutsideCapture { x: 400, y: 0, width: 400, height: 200 })
    ));
    for _ in 0..crate::desktop::MAX_FRAMES {
        desktop.capture(CaptureArea::Window(window.id)).unwrap();
    }
    assert!(matches!(
        desktop.click(capture.at(point(1, 1)), MouseButton::Left, 1),
        Err(DesktopError::StaleCapture(id)) if id == capture.id
    ));
}

#[test]
fn a_moved_window_makes_its_captures_stale_and_a_closed_one_is_gone() {
    let mut display = TestDisplay::start();
    display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let capture = drawn(&mut desktop, window.id).capture;
    desktop.move_to(capture.at(point(5, 5))).unwrap();
    display.move_window(window.id, 300, 222);
    assert!(matches!(desktop.move_to(capture.at(point(5, 5))), Err(DesktopError::StaleCapture(_))));
    let fresh = drawn(&mut desktop, window.id).capture;
    assert_eq!(desktop.to_desktop(fresh.at(point(5, 5))).unwrap(), crate::scene::DesktopPoint::new(305, 227));
    display.end_last_program();
    wait_until("the window is gone", || (!desktop.alive(window.id).unwrap()).then_some(()));
    assert!(matches!(desktop.move_to(fresh.at(point(5, 5))), Err(DesktopError::WindowGone(_))));
    assert!(matches!(desktop.capture(CaptureArea::Window(window.id)), Err(DesktopError::WindowGone(_))));
    assert!(matches!(desktop.bring_to_front(window.id), Err(DesktopError::WindowGone(_))));
}

#[test]
fn a_monitor_that_is_not_there_is_a_bad_capture() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    assert!(matches!(desktop.capture(CaptureArea::Monitor(7)), Err(DesktopError::BadCapture(_))));
}

#[test]
fn a_window_that_sticks_out_of_the_screen_is_cut_at_its_edge_and_still_clicked_right() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    display.move_window(window.id, -40, -30);
    let capture = drawn(&mut desktop, window.id).capture;
    assert_eq!((capture.image.width(), capture.image.height()), (360, 170));
    assert_eq!((capture.origin.x, capture.origin.y), (0, 0));
    desktop.click(capture.at(point(0, 0)), MouseButton::Left, 1).unwrap();
    expect_file(&out, "down 1 40 30\nup 1 40 30");
}

#[test]
fn an_open_drop_down_list_belongs_to_the_windows_picture() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "combo", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let closed = drawn(&mut desktop, window.id).capture;
    desktop.click(closed.at(point(390, 190)), MouseButton::Left, 1).unwrap();
    let open = wait_until("the list is open", || {
        let settled = desktop.settle(CaptureArea::Window(window.id), &crate::desktop::SettleOptions::after(&closed));
        settled.ok().filter(|settled| settled.capture.image.height() > closed.image.height())
    });
    assert!(open.changed);
    // The list hangs below the window: its second line is a point of the same picture.
    desktop.click(open.capture.at(point(100, 200 + 26)), MouseButton::Left, 1).unwrap();
    let chosen = wait_until("a choice was made", || {
        std::fs::read_to_string(&out).ok().filter(|text| text.starts_with("Choice"))
    });
    assert_eq!(chosen, "Choice 2");
}

#[test]
fn settling_after_typing_sees_the_change_and_after_nothing_sees_none() {
    let mut display = TestDisplay::start();
    display.app("tk_app.py", "entry", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    let area = CaptureArea::Window(window.id);
    let before = drawn(&mut desktop, window.id).capture;
    desktop.type_text("something").unwrap();
    let settled = desktop.settle(area, &crate::desktop::SettleOptions::after(&before)).unwrap();
    assert!(settled.changed && settled.stable);
    let calm = desktop.settle(area, &crate::desktop::SettleOptions::after(&settled.capture)).unwrap();
    assert!(!calm.changed && calm.stable, "a blinking text cursor is no change");
}
