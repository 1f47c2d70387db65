//! Where a program's coordinates lie on the desktop.
//!
//! AT-SPI promises places on the screen. GTK 4 and everything on Wayland know only places inside their window, and GTK 3
//! counts in pixels of its own scale. The window's frame, which both sides know, tells what is to be done.

use crate::scene::{DesktopPoint, DesktopRect};

/// Scales that desktops use are at least this far from 1.
const LEAST_SCALE: f64 = 1.2;
/// How far off two measures of the same window may be: shadows, borders, title bars.
const SLACK: i32 = 64;

/// Turns a program's box into one on the desktop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    scale: f64,
    offset: (i32, i32),
}

impl Placement {
    /// How a window whose program says that it lies at `told` comes to lie at `bounds`.
    pub fn of(told: DesktopRect, bounds: DesktopRect) -> Placement {
        let scale = scale_of(told, bounds);
        let plain = Placement { scale, offset: (0, 0) };
        let told = plain.apply(told);
        // The told frame may have a title bar around the client area, but then it surrounds it.
        let surrounds = told.inflate(2, 2).contains_box(&bounds);
        let near = (told.min.x - bounds.min.x).abs() <= SLACK && (told.min.y - bounds.min.y).abs() <= SLACK;
        if surrounds || near {
            // A window near the corner of the screen whose program counts from its own corner looks the same as one
            // that tells the truth, but for the exact place: equal sizes must then have equal places.
            let same_size = told.size() == bounds.size();
            if !same_size || told.min == bounds.min {
                return plain;
            }
        }
        Placement { scale, offset: (bounds.min.x - told.min.x, bounds.min.y - told.min.y) }
    }

    /// The box on the desktop.
    pub fn apply(self, told: DesktopRect) -> DesktopRect {
        // Hidden things lie at the smallest number there is.
        let place = |v: i32, offset: i32| ((f64::from(v) * self.scale).round() as i32).saturating_add(offset);
        let point = |p: DesktopPoint| DesktopPoint::new(place(p.x, self.offset.0), place(p.y, self.offset.1));
        DesktopRect::new(point(told.min), point(told.max))
    }
}

fn scale_of(told: DesktopRect, bounds: DesktopRect) -> f64 {
    if told.is_empty() || bounds.is_empty() {
        return 1.0;
    }
    let across = f64::from(bounds.width()) / f64::from(told.width());
    let down = f64::from(bounds.height()) / f64::from(told.height());
    // Steps of a quarter are what desktops offer; a title bar makes the height's ratio a little smaller.
    let scale = (across * 4.0).round() / 4.0;
    let plausible = (LEAST_SCALE..=4.0).contains(&scale) && (across - scale).abs() < 0.05 && down > scale * 0.85;
    if plausible && down < scale * 1.05 { scale } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: i32, y: i32, width: i32, height: i32) -> DesktopRect {
        DesktopRect::new(DesktopPoint::new(x, y), DesktopPoint::new(x + width, y + height))
    }

    #[test]
    fn true_places_stay() {
        let place = Placement::of(rect(100, 50, 400, 300), rect(100, 50, 400, 300));
        assert_eq!(place.apply(rect(110, 60, 20, 10)), rect(110, 60, 20, 10));
    }

    #[test]
    fn a_title_bar_around_the_client_area_moves_nothing() {
        let place = Placement::of(rect(99, 30, 402, 321), rect(100, 50, 400, 300));
        assert_eq!(place.apply(rect(110, 60, 20, 10)), rect(110, 60, 20, 10));
    }

    #[test]
    fn places_inside_the_window_are_moved_to_where_it_lies() {
        let place = Placement::of(rect(0, 0, 400, 300), rect(100, 50, 400, 300));
        assert_eq!(place.apply(rect(10, 10, 20, 10)), rect(110, 60, 20, 10));
        let left = Placement::of(rect(0, 0, 400, 300), rect(-900, 50, 400, 300));
        assert_eq!(left.apply(rect(10, 10, 20, 10)), rect(-890, 60, 20, 10));
    }

    #[test]
    fn places_inside_a_window_near_the_corner_are_moved_too() {
        let place = Placement::of(rect(0, 0, 400, 300), rect(5, 30, 400, 300));
        assert_eq!(place.apply(rect(10, 10, 20, 10)), rect(15, 40, 20, 10));
    }

    #[test]
    fn logical_pixels_become_physical_ones() {
        let place = Placement::of(rect(100, 50, 400, 300), rect(200, 100, 800, 600));
        assert_eq!(place.apply(rect(110, 60, 20, 10)), rect(220, 120, 40, 20));
        let with_title = Placement::of(rect(100, 30, 400, 320), rect(200, 100, 800, 600));
        assert_eq!(with_title.apply(rect(110, 60, 20, 10)), rect(220, 120, 40, 20));
    }

    #[test]
    fn an_empty_frame_is_believed() {
        let place = Placement::of(rect(0, 0, 0, 0), rect(0, 0, 800, 600));
        assert_eq!(place.apply(rect(1, 2, 3, 4)), rect(1, 2, 3, 4));
    }
}
