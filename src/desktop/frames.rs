//! The only transform from a picture's pixel to a desktop pixel, and the memory of the last captures it works for.

use std::collections::VecDeque;

use crate::scene::{Capture, CaptureId, DesktopPoint, DesktopRect, ImagePoint, ImageRect, WindowId};

use super::{DesktopError, Result};

/// How many captures stay clickable. Older ones are refused as stale.
pub const MAX_FRAMES: usize = 16;

/// Where a picture lies on the desktop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameGeometry {
    /// The desktop point of the picture's pixel (0, 0). May be negative.
    pub origin: DesktopPoint,
    /// Desktop pixels per picture pixel.
    pub scale: f64,
    /// Size of the picture in its own pixels.
    pub width: u32,
    pub height: u32,
}

impl FrameGeometry {
    /// Where a capture's picture lies.
    pub fn of(capture: &Capture) -> FrameGeometry {
        let (width, height) = capture.image.dimensions();
        FrameGeometry { origin: capture.origin, scale: capture.scale, width, height }
    }

    /// The desktop pixel under the middle of the picture's pixel `point`.
    ///
    /// # Errors
    /// [`DesktopError::OutsideCapture`] when the picture has no such pixel.
    pub fn to_desktop(&self, point: ImagePoint) -> Result<DesktopPoint> {
        if !self.contains(point) {
            return Err(DesktopError::OutsideCapture {
                x: point.x,
                y: point.y,
                width: self.width,
                height: self.height,
            });
        }
        Ok(DesktopPoint::new(self.origin.x + middle(point.x, self.scale), self.origin.y + middle(point.y, self.scale)))
    }

    /// The picture's pixel that shows the desktop pixel `point`; `None` when the picture does not show it.
    pub fn to_image(&self, point: DesktopPoint) -> Option<ImagePoint> {
        let pixel = ImagePoint::new(
            covering(point.x - self.origin.x, self.scale),
            covering(point.y - self.origin.y, self.scale),
        );
        self.contains(pixel).then_some(pixel)
    }

    /// The part of the picture that shows the desktop's box; `None` when it shows less than half of it.
    pub fn visible_part(&self, area: DesktopRect) -> Option<ImageRect> {
        let across = |x: i32| covering(x.saturating_sub(self.origin.x), self.scale);
        let down = |y: i32| covering(y.saturating_sub(self.origin.y), self.scale);
        // The last pixel inside, whatever numbers the box came with.
        let (right, bottom) = (area.max.x.saturating_sub(1), area.max.y.saturating_sub(1));
        let whole = ImageRect::new(
            ImagePoint::new(across(area.min.x), down(area.min.y)),
            ImagePoint::new(across(right).saturating_add(1), down(bottom).saturating_add(1)),
        );
        let picture = ImageRect::from_size(euclid::size2(self.width as i32, self.height as i32));
        let part = whole.intersection(&picture)?;
        let side = |from: i32, to: i32| i128::from(to) - i128::from(from);
        let size = |area: ImageRect| side(area.min.x, area.max.x) * side(area.min.y, area.max.y);
        (2 * size(part) >= size(whole)).then_some(part)
    }

    fn contains(&self, point: ImagePoint) -> bool {
        point.x >= 0 && point.y >= 0 && (point.x as i64) < self.width as i64 && (point.y as i64) < self.height as i64
    }
}

/// Offset of the desktop pixel that the middle of picture pixel `at` falls into.
fn middle(at: i32, scale: f64) -> i32 {
    ((f64::from(at) + 0.5) * scale).floor() as i32
}

/// Index of the picture pixel that the middle of the desktop pixel at `offset` falls into.
fn covering(offset: i32, scale: f64) -> i32 {
    ((f64::from(offset) + 0.5) / scale).floor() as i32
}

/// A capture as far as clicking into it needs it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub id: CaptureId,
    pub geometry: FrameGeometry,
    /// The window that was captured, its title, and where it was then.
    pub window: Option<(WindowId, String, DesktopRect)>,
}

/// The last [`MAX_FRAMES`] captures.
#[derive(Debug, Default)]
pub(super) struct FrameTable {
    frames: VecDeque<Frame>,
    last_id: u64,
}

impl FrameTable {
    /// Remembers a new capture and names it; forgets the oldest when there are too many.
    pub fn add(&mut self, geometry: FrameGeometry, window: Option<(WindowId, String, DesktopRect)>) -> CaptureId {
        self.last_id += 1;
        let id = CaptureId(self.last_id);
        if self.frames.len() == MAX_FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(Frame { id, geometry, window });
        id
    }

    /// The remembered capture.
    ///
    /// # Errors
    /// [`DesktopError::StaleCapture`] when it is unknown or forgotten.
    pub fn get(&self, id: CaptureId) -> Result<&Frame> {
        self.frames.iter().find(|frame| frame.id == id).ok_or(DesktopError::StaleCapture(id))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn geometry(origin: (i32, i32), scale: f64, size: (u32, u32)) -> FrameGeometry {
        FrameGeometry { origin: DesktopPoint::new(origin.0, origin.1), scale, width: size.0, height: size.1 }
    }

    #[test]
    fn zero_is_a_coordinate() {
        let at = geometry((0, 0), 1.0, (10, 10)).to_desktop(ImagePoint::new(0, 0)).unwrap();
        assert_eq!(at, DesktopPoint::new(0, 0));
    }

    #[test]
    fn a_point_outside_the_picture_is_refused() {
        let frame = geometry((5, 5), 1.0, (10, 20));
        for (x, y) in [(-1, 0), (0, -1), (10, 0), (0, 20), (i32::MAX, i32::MAX)] {
            match frame.to_desktop(ImagePoint::new(x, y)) {
                Err(DesktopError::OutsideCapture { width: 10, height: 20, .. }) => {}
                other => panic!("({x}, {y}) gave {other:?}"),
            }
        }
    }

    #[test]
    fn the_oldest_capture_is_forgotten_and_an_unknown_one_refused() {
        let mut table = FrameTable::default();
        let ids: Vec<CaptureId> = (0..=MAX_FRAMES).map(|_| table.add(geometry((0, 0), 1.0, (1, 1)), None)).collect();
        assert!(matches!(table.get(ids[0]), Err(DesktopError::StaleCapture(id)) if id == ids[0]));
        assert!(table.get(ids[1]).is_ok());
        assert!(table.get(ids[MAX_FRAMES]).is_ok());
        assert!(matches!(table.get(CaptureId(999)), Err(DesktopError::StaleCapture(CaptureId(999)))));
    }

    proptest! {
        #[test]
        fn a_pixel_of_the_picture_is_the_pixel_that_is_clicked(
            ox in -4000i32..4000, oy in -4000i32..4000,
            w in 1u32..3000, h in 1u32..3000, fx in 0.0f64..1.0, fy in 0.0f64..1.0,
        ) {
            let frame = geometry((ox, oy), 1.0, (w, h));
            let point = ImagePoint::new((fx * f64::from(w)) as i32, (fy * f64::from(h)) as i32);
            prop_assert_eq!(frame.to_desktop(point).unwrap(), DesktopPoint::new(ox + point.x, oy + point.y));
        }

        #[test]
        fn a_shrunk_picture_round_trips_and_stays_within_the_pixel(
            ox in -4000i32..4000, oy in -4000i32..4000, scale in 1.0f64..4.0,
            w in 1u32..2000, h in 1u32..2000, fx in 0.0f64..1.0, fy in 0.0f64..1.0,
        ) {
            let frame = geometry((ox, oy), scale, (w, h));
            let point = ImagePoint::new((fx * f64::from(w)) as i32, (fy * f64::from(h)) as i32);
            let at = frame.to_desktop(point).unwrap();
            let dx = f64::from(at.x - ox);
            prop_assert!(dx + 1.0 > f64::from(point.x) * scale && dx < f64::from(point.x + 1) * scale);
            prop_assert_eq!(frame.to_image(at), Some(point));
        }

        #[test]
        fn an_enlarged_picture_lands_on_the_desktop_pixel_it_shows(
            ox in -4000i32..4000, oy in -4000i32..4000, scale in 0.3f64..1.0,
            w in 1u32..2000, h in 1u32..2000, fx in 0.0f64..1.0, fy in 0.0f64..1.0,
        ) {
            let frame = geometry((ox, oy), scale, (w, h));
            let point = ImagePoint::new((fx * f64::from(w)) as i32, (fy * f64::from(h)) as i32);
            let at = frame.to_desktop(point).unwrap();
            let middle = (f64::from(point.x) + 0.5) * scale;
            prop_assert!(f64::from(at.x - ox) <= middle && middle < f64::from(at.x - ox) + 1.0);
        }
    }
}
