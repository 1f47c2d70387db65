//! Boxes to compute with: whatever numbers a box comes with, nothing here overflows.

use super::ImageRect;

/// A box with its sides in order, in wide numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub x0: i64,
    pub y0: i64,
    pub x1: i64,
    pub y1: i64,
}

impl Area {
    /// The box of an element; sides that come in the wrong order are swapped.
    pub(super) fn of(b: ImageRect) -> Area {
        let [x0, y0, x1, y1] = [b.min.x, b.min.y, b.max.x, b.max.y].map(i64::from);
        Area { x0: x0.min(x1), y0: y0.min(y1), x1: x0.max(x1), y1: y0.max(y1) }
    }

    pub(super) fn height(self) -> i64 {
        self.y1 - self.y0
    }

    pub(super) fn middle(self) -> (i64, i64) {
        ((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)
    }

    /// How much it covers.
    pub(super) fn size(self) -> i128 {
        i128::from(self.x1 - self.x0) * i128::from(self.y1 - self.y0)
    }

    pub(super) fn contains(self, (x, y): (i64, i64)) -> bool {
        (self.x0..self.x1).contains(&x) && (self.y0..self.y1).contains(&y)
    }

    pub(super) fn union(self, other: Area) -> Area {
        Area {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The free space between two boxes, across and down; 0 where they meet.
    pub(super) fn gap(self, other: Area) -> (i64, i64) {
        let across = (self.x0.max(other.x0) - self.x1.min(other.x1)).max(0);
        let down = (self.y0.max(other.y0) - self.y1.min(other.y1)).max(0);
        (across, down)
    }

    /// How far the middles are apart, across and down added.
    pub(super) fn distance(self, other: Area) -> i64 {
        let ((ax, ay), (bx, by)) = (self.middle(), other.middle());
        (ax - bx).abs() + (ay - by).abs()
    }
}
