//! Rectangles: flat areas and rings of ink whose outline is straight on all four sides.

use super::regions::Segments;
use crate::scene::ImageRect;
use crate::vision::pixels::{Rgb, rect};

/// Smaller ones are marks or letters.
const MIN_SIDE: i32 = 12;
/// Share of a side that must be drawn.
const SIDE_COVERAGE: f32 = 0.82;
/// Nested outlines that are nowhere further apart are one control (border, focus ring, face).
const NESTING: i32 = 6;
/// Borders are at most this thick.
const MAX_BORDER: i32 = 3;

/// The text cursor of an empty field stands right behind its left border and is this wide at most.
const CARET_PLAY: i32 = 4;

/// A rectangle on the screen.
#[derive(Debug, Clone)]
pub(crate) struct Rect {
    /// With its border.
    pub outer: ImageRect,
    /// Without its border.
    pub inner: ImageRect,
    /// The colour of its surface.
    pub fill: Rgb,
    /// The flat area that is its surface; none when only a ring was found.
    pub surface: Option<usize>,
    /// Whether a border was seen around the surface.
    pub bordered: bool,
}

/// All rectangles of the picture, outer ones before those they contain.
pub(crate) fn find(segments: &Segments) -> Vec<Rect> {
    let mut found: Vec<Rect> = Vec::new();
    let mut candidates = surfaces(segments);
    candidates.extend(rings(segments));
    candidates.sort_by_key(|r| (std::cmp::Reverse(r.outer.area()), r.outer.min.y, r.outer.min.x));
    for candidate in candidates {
        match found.iter_mut().rev().find(|known| is_same_control(known, &candidate)) {
            Some(known) => adopt(known, candidate),
            None => found.push(candidate),
        }
    }
    found
}

/// Areas of the picture that fill a rectangle, rounded corners allowed.
fn surfaces(segments: &Segments) -> Vec<Rect> {
    let frame = rect(0, 0, segments.width as i32, segments.height as i32);
    let mut rects = Vec::new();
    for (number, region) in segments.regions.iter().enumerate() {
        let b = region.bbox;
        if b.width() < MIN_SIDE || b.height() < MIN_SIDE || b == frame {
            continue;
        }
        if !is_straight(b, CARET_PLAY, |x, y| segments.region_at(x, y) == Some(number)) {
            continue;
        }
        if region.thick {
            let outer = with_border(segments, b);
            rects.push(Rect { outer, inner: b, fill: region.color, surface: Some(number), bordered: outer != b });
        } else {
            rects.push(Rect { outer: b, inner: b, fill: region.color, surface: None, bordered: true });
        }
    }
    rects
}

/// Ink that runs around a rectangle: borders of several colours, as old dialogs draw them.
fn rings(segments: &Segments) -> Vec<Rect> {
    let mut rects = Vec::new();
    for (number, blob) in segments.blobs.iter().enumerate() {
        let b = blob.bbox;
        if b.width() < MIN_SIDE || b.height() < MIN_SIDE {
            continue;
        }
        if is_straight(b, 1, |x, y| segments.blob_at(x, y) == Some(number)) {
            rects.push(Rect { outer: b, inner: b, fill: blob.color, surface: None, bordered: true });
        }
    }
    rects
}

/// Whether the pixels for which `belongs` holds reach all four sides of `b` along nearly their whole length. One pixel
/// of play (on the left `left_play`) and the corners are forgiven.
fn is_straight(b: ImageRect, left_play: i32, belongs: impl Fn(i32, i32) -> bool) -> bool {
    let corner = (b.width().min(b.height()) / 3).min(10);
    let rows = b.min.y + corner..b.max.y - corner;
    let columns = b.min.x + corner..b.max.x - corner;
    let share = |hits: usize, len: usize| len > 0 && hits as f32 >= SIDE_COVERAGE * len as f32;
    let left = rows.clone().filter(|y| (0..=left_play).any(|d| belongs(b.min.x + d, *y))).count();
    let right = rows.clone().filter(|y| belongs(b.max.x - 1, *y) || belongs(b.max.x - 2, *y)).count();
    let top = columns.clone().filter(|x| belongs(*x, b.min.y) || belongs(*x, b.min.y + 1)).count();
    let bottom = columns.clone().filter(|x| belongs(*x, b.max.y - 1) || belongs(*x, b.max.y - 2)).count();
    share(left, rows.len()) && share(right, rows.len()) && share(top, columns.len()) && share(bottom, columns.len())
}

/// Grows a surface by the lines of ink that run along its sides.
fn with_border(segments: &Segments, inner: ImageRect) -> ImageRect {
    let inset = (inner.width().min(inner.height()) / 3).min(10);
    let rows = || inner.min.y + inset..inner.max.y - inset;
    let columns = || inner.min.x + inset..inner.max.x - inset;
    let is_line = |hits: usize, len: usize| len > 0 && hits as f32 >= SIDE_COVERAGE * len as f32;
    let grow = |is_ink: &dyn Fn(i32) -> usize, len: usize| {
        (1..=MAX_BORDER).take_while(|d| is_line(is_ink(*d), len)).last().unwrap_or(0)
    };
    let left = grow(&|d| rows().filter(|y| segments.is_ink(inner.min.x - d, *y)).count(), rows().len());
    let right = grow(&|d| rows().filter(|y| segments.is_ink(inner.max.x - 1 + d, *y)).count(), rows().len());
    let top = grow(&|d| columns().filter(|x| segments.is_ink(*x, inner.min.y - d)).count(), columns().len());
    let bottom = grow(&|d| columns().filter(|x| segments.is_ink(*x, inner.max.y - 1 + d)).count(), columns().len());
    rect(inner.min.x - left, inner.min.y - top, inner.max.x + right, inner.max.y + bottom)
}

/// Whether `inner` is the face inside the border or focus ring of `outer`.
fn is_same_control(outer: &Rect, inner: &Rect) -> bool {
    let (o, i) = (outer.outer, inner.outer);
    let near = |a: i32, b: i32| (a - b).abs() <= NESTING;
    near(o.min.x, i.min.x)
        && near(o.min.y, i.min.y)
        && near(o.max.x, i.max.x)
        && near(o.max.y, i.max.y)
        && 2 * i.area() > o.area()
}

/// Takes the face of a nested outline over.
fn adopt(known: &mut Rect, nested: Rect) {
    if nested.surface.is_some() && nested.inner.area() <= known.inner.area() {
        known.inner = nested.inner;
        known.fill = nested.fill;
        known.surface = nested.surface;
        known.bordered |= nested.bordered || nested.outer != known.outer;
    }
    known.outer = known.outer.union(&nested.outer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{DARK, Drawing, PANEL, WHITE};

    fn rects(d: Drawing) -> Vec<ImageRect> {
        find(&Segments::of(&d.0)).into_iter().map(|r| r.outer).collect()
    }

    #[test]
    fn borders_of_all_fashions_make_a_rectangle() {
        let b = rect(30, 20, 150, 44);
        assert_eq!(rects(Drawing::new(200, 80, PANEL).boxed(b, 160, WHITE)), [b], "one grey line");
        assert_eq!(rects(Drawing::new(200, 80, PANEL).sunken(b, WHITE)), [b], "sunken");
        assert_eq!(rects(Drawing::new(200, 80, 30).boxed(b, 70, 24)), [b], "dark theme");
        assert_eq!(rects(Drawing::new(200, 80, WHITE).fill(b, [30, 110, 240])), [b], "a flat face");
        assert_eq!(rects(Drawing::new(200, 80, WHITE).boxed(b, 225, WHITE)), [b], "white on white, faint line");
    }

    #[test]
    fn rounded_corners_are_forgiven() {
        let b = rect(30, 20, 150, 50);
        let mut d = Drawing::new(200, 80, PANEL).boxed(b, 120, WHITE);
        for (x, y) in [(30, 20), (31, 20), (30, 21), (149, 20), (148, 20), (149, 21), (30, 49), (149, 49)] {
            d = d.fill(rect(x, y, x + 1, y + 1), [PANEL; 3]);
        }
        assert_eq!(rects(d), [b]);
    }

    #[test]
    fn the_face_inside_a_focus_ring_is_the_same_control() {
        let b = rect(30, 20, 150, 50);
        let d = Drawing::new(200, 80, PANEL).boxed(b, 0, 230).boxed(b.inflate(-4, -4), DARK, 230);
        assert_eq!(rects(d), [b]);
    }

    #[test]
    fn words_alone_make_no_rectangle() {
        assert_eq!(rects(Drawing::new(200, 80, WHITE).words(20, 30, 90, 0)), []);
    }
}
