//! Pictures that lie, on a real server: windows of one colour, and a compositor that paints nothing or an old frame.

use std::io::IoSlice;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{ConnectionExt, CreateGCAux, SubwindowMode};
use x11rb::rust_connection::RustConnection;

use crate::desktop::{SettleOptions, Untrue};

use super::*;

/// A compositor: from now on the server keeps what windows draw away from the screen. As long as it lives.
struct Compositor {
    client: RustConnection,
    root: u32,
}

impl Compositor {
    fn start(display: &TestDisplay) -> Compositor {
        let client = display.other_client();
        let root = client.setup().roots[0].root;
        let opcode = client.extension_information("Composite").unwrap().unwrap().major_opcode;
        // CompositeRedirectSubwindows by hand, Manual: three words, of which the last is the way of updating.
        let mut request = [opcode, 2, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0];
        request[2..4].copy_from_slice(&3u16.to_ne_bytes());
        request[4..8].copy_from_slice(&root.to_ne_bytes());
        client.send_request_without_reply(&[IoSlice::new(&request)], Vec::new()).unwrap();
        client.get_input_focus().unwrap().reply().unwrap();
        Compositor { client, root }
    }

    /// Paints a window on the screen as it is now.
    fn paint(&self, window: &WindowInfo) {
        let gc = self.client.generate_id().unwrap();
        let inferiors = CreateGCAux::new().subwindow_mode(SubwindowMode::INCLUDE_INFERIORS);
        self.client.create_gc(gc, self.root, &inferiors).unwrap();
        let (at, size) = (window.bounds.min, window.bounds.size());
        let (x, y) = (at.x as i16, at.y as i16);
        let (width, height) = (size.width as u16, size.height as u16);
        self.client.copy_area(window.id.0 as u32, self.root, gc, 0, 0, x, y, width, height).unwrap().check().unwrap();
    }

    /// Paints a wallpaper.
    fn wallpaper(&self) {
        let gc = self.client.generate_id().unwrap();
        self.client.create_gc(gc, self.root, &CreateGCAux::new()).unwrap();
        for y in 0..800i16 {
            let colour = 0x20_5030 + u32::from(y as u16 / 8) * 0x01_0001;
            let line = x11rb::protocol::xproto::Rectangle { x: 0, y, width: 1280, height: 1 };
            self.client.change_gc(gc, &x11rb::protocol::xproto::ChangeGCAux::new().foreground(colour)).unwrap();
            self.client.poly_fill_rectangle(self.root, gc, &[line]).unwrap();
        }
        self.client.get_input_focus().unwrap().reply().unwrap();
    }
}

fn reason(desktop: &mut Desktop, window: WindowId) -> Option<Untrue> {
    match desktop.capture(CaptureArea::Window(window)) {
        Ok(_) => None,
        Err(DesktopError::Untrue { why, .. }) => Some(why),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_window_that_paints_only_black_or_only_white_is_named_so() {
    for (kind, why) in [("black", Untrue::Black), ("white", Untrue::Blank)] {
        let mut display = TestDisplay::start();
        display.app("liar.py", kind, &["--title", "Target"]);
        let mut desktop = display.open();
        let window = front(&mut desktop, "Target");
        assert_eq!(reason(&mut desktop, window.id), Some(why));
    }
}

#[test]
fn an_empty_screen_is_black() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    match desktop.capture(CaptureArea::All) {
        Err(DesktopError::Untrue { why: Untrue::Black, of }) => assert_eq!(of, "the screen"),
        other => panic!("{:?}", other.map(|capture| capture.id)),
    }
}

#[test]
fn a_compositor_that_paints_the_wallpaper_alone_is_seen_through() {
    let mut display = TestDisplay::start();
    display.app("liar.py", "form", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    drawn(&mut desktop, window.id);
    assert_eq!(reason(&mut desktop, window.id), None);
    let compositor = Compositor::start(&display);
    compositor.wallpaper();
    assert_eq!(reason(&mut desktop, window.id), Some(Untrue::WallpaperOnly));
    compositor.paint(&window);
    assert_eq!(reason(&mut desktop, window.id), None, "the window is shown now");
}

#[test]
fn a_screen_that_shows_an_old_frame_is_stale() {
    let mut display = TestDisplay::start();
    let out = display.app("tk_app.py", "entry", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    drawn(&mut desktop, window.id);
    let compositor = Compositor::start(&display);
    compositor.wallpaper();
    compositor.paint(&window);
    let before = desktop.capture(CaptureArea::Window(window.id)).unwrap();
    desktop.type_text("something").unwrap();
    expect_file(&out, "something");
    let settled = desktop.settle(CaptureArea::Window(window.id), &SettleOptions::after(&before));
    assert!(matches!(settled, Err(DesktopError::Untrue { why: Untrue::Stale, .. })), "{settled:?}");
    assert_eq!(reason(&mut desktop, window.id), Some(Untrue::Stale));
    compositor.paint(&window);
    assert_eq!(reason(&mut desktop, window.id), None, "the compositor goes on");
}

#[test]
fn a_minimized_window_gives_no_picture() {
    let mut display = TestDisplay::with_manager();
    display.app("tk_app.py", "clicks", &["--title", "Target"]);
    let mut desktop = display.open();
    let window = front(&mut desktop, "Target");
    drawn(&mut desktop, window.id);
    display.iconify(window.id);
    wait_until("it is minimized", || desktop.window(window.id).ok().filter(|window| window.minimized));
    match desktop.capture(CaptureArea::Window(window.id)) {
        Err(DesktopError::BadCapture(reason)) => assert!(reason.contains("minimized"), "{reason}"),
        other => panic!("{:?}", other.map(|capture| capture.id)),
    }
}
