//! The desktop on real virtual displays, with real programs of other toolkits as witnesses.

mod captures;
mod clipboard;
mod guard;
mod typing;
mod untrue;
mod windows;

use crate::scene::{ImagePoint, WindowId};

use super::testing::{TestDisplay, expect_file, wait_until};
use super::{CaptureArea, Desktop, DesktopError, MouseButton, Settled, WindowInfo};

/// Waits until a window of this title is there, brings it to the front and returns it.
fn front(desktop: &mut Desktop, title: &str) -> WindowInfo {
    let window = wait_until("the window is there", || desktop.find_window(title).ok());
    desktop.bring_to_front(window.id).unwrap();
    window
}

/// Waits until the window has been drawn and holds still.
fn drawn(desktop: &mut Desktop, window: WindowId) -> Settled {
    wait_until("the window is drawn", || {
        desktop.settle(CaptureArea::Window(window), &Default::default()).ok().filter(|settled| settled.stable)
    })
}

fn point(x: i32, y: i32) -> ImagePoint {
    ImagePoint::new(x, y)
}
