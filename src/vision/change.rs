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
        let mut tiles = Tiles::none(now.width() as usize, now.height() as usize);
        mark_differences(&mut tiles, before, now, frame);
        let mut dirty = tiles.boxes(frame);
        let largest = dirty.iter().copied().max_by_key(ImageRect::area);
        let whole = dirty.iter().copied().reduce(|a, b| a.union(&b));
        let moved = [whole, largest].into_iter().flatten().find_map(|area| find_shift(before, now, area));
        if let Some(moved) = moved {
            let mut rest = Tiles::none(now.width() as usize, now.height() as usize);
            for area in &dirty {
                for part in without(*area, moved.area) {
                    mark_differences(&mut rest, before, now, part);
                }
            }
            // Inside the moved part: what differs from what was moved there, e.g. a highlighted row.
            for y in moved.area.min.y..moved.area.max.y {
                let row = |image, y| pixels::row(image, y, moved.area.min.x, moved.area.max.x);
                let (new, old) = (row(now, y), row(before, y - moved.by));
                for (strip, (a, b)) in new.chunks(3 * STRIP as usize).zip(old.chunks(3 * STRIP as usize)).enumerate() {
                    if a != b {
                        let x = moved.area.min.x + strip as i32 * STRIP;
                        rest.mark(rect(x, y, (x + STRIP).min(moved.area.max.x), y + 1));
                    }
                }
            }
            dirty = rest.boxes(frame);
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

fn mark_differences(tiles: &mut Tiles, before: &RgbImage, now: &RgbImage, area: ImageRect) {
    for y in area.min.y..area.max.y {
        let (a, b) = (
            pixels::row(before, y, area.min.x, area.max.x),
            pixels::row(now, y, area.min.x, area.max.x),
        );
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
