//! What changed between two pictures of the same size: which parts are new, and what was scrolled.
//!
//! After one typed letter nearly all of a screen is what it was, and what was found there before still stands.

use image::RgbImage;

use super::ocr::Tiles;
use super::pixels::{self, rect};
use crate::scene::ImageRect;

/// A part that has been scrolled is at least this wide and high.
const LEAST_MOVED: i32 = 96;
/// Rows of the scrolled part that must be found again, of those that are not plain.
const MATCHING: f32 = 0.7;
/// So many rows that are not plain prove a shift.
const LEAST_ROWS: usize = 24;
/// Columns are compared in strips of this width.
const STRIP: i32 = 32;

/// The difference of a picture to the one before.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Change {
    /// What stands elsewhere than before.
    pub moved: Option<Moved>,
    /// Parts that look different and were not only moved.
    pub dirty: Vec<ImageRect>,
}

/// A part that was moved up or down as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moved {
    /// Where it stands now.
    pub area: ImageRect,
    /// How far down it went; negative: up.
    pub by: i32,
}

impl Moved {
    fn before(&self) -> ImageRect {
        self.area.translate(euclid::vec2(0, -self.by))
    }
}

impl Change {
    /// Compares two pictures of the same size.
    pub(super) fn between(before: &RgbImage, now: &RgbImage) -> Change {
        let frame = pixels::frame(now);
        let mut dirty = differing(before, now, frame);
        let largest = dirty.iter().copied().max_by_key(ImageRect::area);
        let whole = dirty.iter().copied().reduce(|a, b| a.union(&b));
        let moved = [whole, largest].into_iter().flatten().find_map(|area| find_shift(before, now, area));
        if let Some(moved) = moved {
            // Each side by itself: around three sides of a list the smallest box would be the whole list.
            let sides: Vec<ImageRect> = dirty.iter().flat_map(|area| without(*area, moved.area)).collect();
            dirty = sides.into_iter().flat_map(|side| differing(before, now, side)).collect();
            dirty.extend(differing_from_moved(before, now, moved));
        }
        Change { moved, dirty }
    }

    /// Whether both pictures are the same.
    pub(super) fn is_none(&self) -> bool {
        self.moved.is_none() && self.dirty.is_empty()
    }

    /// Where what stood at `b` stands now; `None` when it was scrolled out of sight or covered by what was scrolled.
    pub(super) fn carry(&self, b: ImageRect) -> Option<ImageRect> {
        let Some(moved) = self.moved else { return Some(b) };
        let (from, to) = (moved.before(), moved.area);
        if from.contains_box(&b) {
            return Some(b.translate(euclid::vec2(0, moved.by))).filter(|b| to.contains_box(b));
        }
        let both = from.union(&to);
        (b.contains_box(&both) || pixels::intersection_area(b, both) == 0).then_some(b)
    }
}

/// Boxes around what differs inside `area`.
fn differing(before: &RgbImage, now: &RgbImage, area: ImageRect) -> Vec<ImageRect> {
    let rows = |y| (pixels::row(before, y, area.min.x, area.max.x), pixels::row(now, y, area.min.x, area.max.x));
    boxes_of_differences(now, area, rows)
}

/// Boxes around what differs from what was moved there, e.g. a highlighted row.
fn differing_from_moved(before: &RgbImage, now: &RgbImage, moved: Moved) -> Vec<ImageRect> {
    let area = moved.area;
    let rows =
        |y| (pixels::row(before, y - moved.by, area.min.x, area.max.x), pixels::row(now, y, area.min.x, area.max.x));
    boxes_of_differences(now, area, rows)
}

/// Boxes around the pixels of `area` in which two rows differ.
fn boxes_of_differences<'a>(
    image: &RgbImage,
    area: ImageRect,
    rows: impl Fn(i32) -> (&'a [u8], &'a [u8]),
) -> Vec<ImageRect> {
    let mut tiles = Tiles::none(image.width() as usize, image.height() as usize);
    for y in area.min.y..area.max.y {
        let (a, b) = rows(y);
        if a == b {
            continue;
        }
        for (strip, (a, b)) in a.chunks(3 * STRIP as usize).zip(b.chunks(3 * STRIP as usize)).enumerate() {
            let differs = |pair: (usize, (&[u8], &[u8]))| (pair.1.0 != pair.1.1).then_some(pair.0 as i32);
            let places: Vec<i32> = a.chunks(3).zip(b.chunks(3)).enumerate().filter_map(differs).collect();
            if let (Some(first), Some(last)) = (places.first(), places.last()) {
                let x = area.min.x + strip as i32 * STRIP;
                tiles.mark(rect(x + first, y, x + last + 1, y + 1));
            }
        }
    }
    tiles.boxes(area)
}

/// Looks for a part of `area` that stands higher or lower than before: first how far, by its middle columns, then how
/// wide (a scroll bar beside it moves differently), then from which row to which.
fn find_shift(before: &RgbImage, now: &RgbImage, area: ImageRect) -> Option<Moved> {
    if area.width() < LEAST_MOVED || area.height() < LEAST_MOVED {
        return None;
    }
    let middle = area.inflate(-area.width() / 4, 0);
    let rows = |image: &RgbImage, x0: i32, x1: i32| -> Vec<Option<u64>> {
        (area.min.y..area.max.y).map(|y| fingerprint(pixels::row(image, y, x0, x1))).collect()
    };
    let by = shift_of(&rows(before, middle.min.x, middle.max.x), &rows(now, middle.min.x, middle.max.x))?;
    let matches = |x0: i32, x1: i32| {
        let (old, new) = (rows(before, x0, x1), rows(now, x0, x1));
        let (right, all) = agreement(&old, &new, by);
        all == 0 || right as f32 >= MATCHING * all as f32
    };
    let (mut left, mut right) = (middle.min.x, middle.max.x);
    while left > area.min.x && matches((left - STRIP).max(area.min.x), left) {
        left = (left - STRIP).max(area.min.x);
    }
    while right < area.max.x && matches(right, (right + STRIP).min(area.max.x)) {
        right = (right + STRIP).min(area.max.x);
    }
    let (old, new) = (rows(before, left, right), rows(now, left, right));
    let is_same = |y: &usize| at(&old, *y, by).is_some_and(|old| old == new[*y]);
    let first = (0..new.len()).find(is_same)?;
    let last = (0..new.len()).rev().find(is_same)?;
    let area = rect(left, area.min.y + first as i32, right, area.min.y + last as i32 + 1);
    (area.height() >= LEAST_MOVED).then_some(Moved { area, by })
}

/// The row that was moved to `y`.
fn at<T: Copy>(old: &[T], y: usize, by: i32) -> Option<T> {
    usize::try_from(y as i64 - i64::from(by)).ok().and_then(|y| old.get(y)).copied()
}

/// How many of the rows that are not plain are the same after the shift, and how many there are.
fn agreement(old: &[Option<u64>], new: &[Option<u64>], by: i32) -> (usize, usize) {
    let pairs = (0..new.len()).filter_map(|y| Some((at(old, y, by)?, new[y])));
    let told = pairs.filter(|(a, b)| a.is_some() || b.is_some());
    told.fold((0, 0), |(right, all), (a, b)| (right + usize::from(a == b), all + 1))
}

/// The shift that most rows agree on. Each row proposes the distances to its like.
fn shift_of(old: &[Option<u64>], new: &[Option<u64>]) -> Option<i32> {
    let mut places: std::collections::HashMap<u64, Vec<usize>> = std::collections::HashMap::new();
    for (y, row) in old.iter().enumerate() {
        if let Some(row) = row {
            places.entry(*row).or_default().push(y);
        }
    }
    let mut votes: std::collections::HashMap<i32, usize> = std::collections::HashMap::new();
    for (y, row) in new.iter().enumerate() {
        // Rows that stand in many places, e.g. lines of a grid, tell nothing.
        let Some(known) = row.and_then(|row| places.get(&row)).filter(|known| known.len() <= 4) else { continue };
        for from in known {
            *votes.entry(y as i32 - *from as i32).or_default() += 1;
        }
    }
    let (by, count) = votes.into_iter().filter(|(by, _)| *by != 0).max_by_key(|(by, count)| (*count, -by.abs()))?;
    let (right, all) = agreement(old, new, by);
    (count >= LEAST_ROWS && right as f32 >= MATCHING * all as f32).then_some(by)
}

/// A number for a row of pixels; none for a plain one.
fn fingerprint(row: &[u8]) -> Option<u64> {
    let first = row.get(..3)?;
    row.chunks_exact(3).any(|p| p != first).then(|| xxhash_rust::xxh3::xxh3_64(row))
}

/// The parts of `a` that lie outside of `hole`.
fn without(a: ImageRect, hole: ImageRect) -> Vec<ImageRect> {
    let h = pixels::clip_to(hole, a);
    if h.is_empty() {
        return vec![a];
    }
    let parts = [
        rect(a.min.x, a.min.y, a.max.x, h.min.y),
        rect(a.min.x, h.max.y, a.max.x, a.max.y),
        rect(a.min.x, h.min.y, h.min.x, h.max.y),
        rect(h.max.x, h.min.y, a.max.x, h.max.y),
    ];
    parts.into_iter().filter(|p| !p.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use image::Rgb;
    use proptest::prelude::*;

    use super::*;

    /// A page of grey lines that all differ, as text does.
    fn page(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| {
            let ink = xxhash_rust::xxh3::xxh3_64(&[(x / 3) as u8, y as u8, (y >> 8) as u8]).is_multiple_of(3);
            Rgb(if ink && y % 20 < 12 { [30; 3] } else { [250; 3] })
        })
    }

    fn scrolled(before: &RgbImage, area: ImageRect, by: i32) -> RgbImage {
        let mut now = before.clone();
        for y in area.min.y..area.max.y {
            for x in area.min.x..area.max.x {
                let from = (y - by - area.min.y).rem_euclid(area.height()) + area.min.y;
                *now.get_pixel_mut(x as u32, y as u32) = *before.get_pixel(x as u32, from as u32);
            }
        }
        now
    }

    #[test]
    fn an_equal_picture_has_not_changed() {
        let picture = page(300, 200);
        assert!(Change::between(&picture, &picture.clone()).is_none());
    }

    #[test]
    fn a_scrolled_list_is_found_with_its_distance_and_only_what_came_in_is_new() {
        let before = page(640, 480);
        for by in [-60, 24] {
            let list = rect(100, 80, 500, 400);
            let change = Change::between(&before, &scrolled(&before, list, by));
            let moved = change.moved.expect("it was scrolled");
            assert_eq!(moved.by, by);
            assert!(moved.area.width() >= 360 && moved.area.height() >= 250, "{:?}", moved.area);
            assert!(change.dirty.iter().map(ImageRect::area).sum::<i32>() < list.area() / 2, "{:?}", change.dirty);
            let inside = rect(250, 230, 300, 242);
            assert_eq!(change.carry(inside), Some(inside.translate(euclid::vec2(0, by))));
            let outside = rect(520, 200, 560, 212);
            assert_eq!(change.carry(outside), Some(outside));
        }
    }

    #[test]
    fn what_was_scrolled_out_of_sight_is_gone() {
        let moved = Moved { area: rect(0, 0, 200, 140), by: -60 };
        let change = Change { moved: Some(moved), dirty: Vec::new() };
        assert_eq!(change.carry(rect(10, 20, 60, 32)), None);
        assert_eq!(change.carry(rect(10, 80, 60, 92)), Some(rect(10, 20, 60, 32)));
        assert_eq!(change.carry(rect(0, 0, 400, 300)), Some(rect(0, 0, 400, 300)), "the window around it stays");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn every_pixel_that_is_not_as_before_or_as_moved_lies_in_a_new_part(
            list in (0i32..200, 0i32..150, 120i32..300, 110i32..200), by in -70i32..70,
            spots in prop::collection::vec((0u32..400, 0u32..320, 0u8..255), 0..6),
        ) {
            let before = page(400, 320);
            let area = pixels::clip_to(rect(list.0, list.1, list.0 + list.2, list.1 + list.3), rect(0, 0, 400, 320));
            let mut now = scrolled(&before, area, by);
            for (x, y, value) in spots {
                now.put_pixel(x, y, Rgb([value; 3]));
            }
            let change = Change::between(&before, &now);
            for (x, y, pixel) in now.enumerate_pixels() {
                let at = crate::scene::ImagePoint::new(x as i32, y as i32);
                if change.dirty.iter().any(|part| part.contains(at)) {
                    continue;
                }
                let shift = change.moved.filter(|m| m.area.contains(at)).map_or(0, |m| m.by);
                let from = pixels::at(&before, at.x, at.y - shift);
                prop_assert_eq!(pixel.0, from, "at {:?} with {:?}", at, change);
            }
        }
    }
}
