//! Typed geometry: a pixel of a picture and a pixel of the desktop are different types.
//!
//! Only `desktop/` turns one into the other, because only it knows a capture's origin and scale.

/// Unit: pixels of one capture's image, origin top left, y down.
#[derive(Debug, Clone, Copy)]
pub enum ImagePx {}

/// Unit: physical pixels of the virtual desktop, which may have negative coordinates.
#[derive(Debug, Clone, Copy)]
pub enum DesktopPx {}

/// A point in a capture's image.
pub type ImagePoint = euclid::Point2D<i32, ImagePx>;
/// A half-open box in a capture's image: `min` is inside, `max` is the first pixel outside.
pub type ImageRect = euclid::Box2D<i32, ImagePx>;
/// A point on the virtual desktop.
pub type DesktopPoint = euclid::Point2D<i32, DesktopPx>;
/// A half-open box on the virtual desktop.
pub type DesktopRect = euclid::Box2D<i32, DesktopPx>;
