//! Drawn shapes: rectangles (fields, buttons, lists) and small squares and circles (checkboxes, radio buttons).
//!
//! Works on flat areas and ink (`regions`), never on fixed colours, so that old grey dialogs, flat pages and dark
//! themes are the same to it.

pub(super) mod marks;
pub(super) mod rects;
pub(super) mod regions;

use image::RgbImage;

use self::marks::Mark;
use self::rects::Rect;
use self::regions::Segments;

/// Everything drawn that was found in a picture.
pub(super) struct Shapes {
    pub segments: Segments,
    pub rects: Vec<Rect>,
    pub marks: Vec<Mark>,
}

impl Shapes {
    pub(super) fn of(image: &RgbImage) -> Shapes {
        let segments = Segments::of(image);
        let marks = marks::find(image, &segments);
        let mut rects = rects::find(&segments);
        // Letters like 口 and 限 have straight sides, too.
        rects.retain(|r| r.outer.width().max(r.outer.height()) > 30 || !marks::stands_in_text(&segments, r.outer));
        Shapes { segments, rects, marks }
    }
}
