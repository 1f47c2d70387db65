//! A picture of the screen together with everything needed to act on what it shows.

use std::sync::Arc;
use std::time::SystemTime;

use image::RgbImage;
use serde::{Deserialize, Serialize};

use super::{DesktopPoint, ImagePoint};

/// Names one capture; a point of another or forgotten capture is refused by `desktop/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CaptureId(pub u64);

/// The system's own handle of a top-level window (X11 window id, Windows HWND).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WindowId(pub u64);

/// One picture of (a part of) the desktop.
#[derive(Debug, Clone)]
pub struct Capture {
    pub id: CaptureId,
    pub image: Arc<RgbImage>,
    /// Where the image's pixel (0, 0) lies on the desktop.
    pub origin: DesktopPoint,
    /// Desktop pixels per image pixel (1.0 where both are physical).
    pub scale: f64,
    /// The window the capture was made for, if it was made for one.
    pub window: Option<WindowId>,
    pub taken_at: SystemTime,
}

/// A pixel of one particular capture: the only kind of place that can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapturePoint {
    pub capture: CaptureId,
    pub point: ImagePoint,
}

impl Capture {
    /// The clickable point of this capture at `point`.
    pub fn at(&self, point: ImagePoint) -> CapturePoint {
        CapturePoint { capture: self.id, point }
    }
}
