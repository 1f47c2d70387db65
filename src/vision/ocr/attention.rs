//! Where it is worth looking: blank parts of a screen, and parts that have not changed, cost nothing.

use image::RgbImage;

use super::TextBox;
use crate::scene::ImageRect;
use crate::vision::pixels::{self, rect};

/// Side of a tile, in pixels.
const TILE: i32 = 16;
/// Blank bands of this many tiles are cut out.
const BLANK: usize = 4;
/// Around what is looked at, so that text at its edge is seen whole.
const MARGIN: i32 = 16;
/// When more than this share of a picture changed, all of it is looked at.
const MOST_CHANGED: f32 = 0.6;

/// A coarse map of a picture: which tiles are worth looking at.
#[derive(Debug, Clone)]
pub(crate) struct Tiles {
    columns: usize,
    rows: usize,
    marked: Vec<bool>,
}

impl Tiles {
    /// No tile of a picture of this size is marked.
    pub(crate) fn none(width: usize, height: usize) -> Tiles {
        let (columns, rows) = (width.div_ceil(TILE as usize), height.div_ceil(TILE as usize));
        Tiles { columns, rows, marked: vec![false; columns * rows] }
    }

    /// Marks the tiles that a box touches.
    pub(crate) fn mark(&mut self, b: ImageRect) {
        let clamp = |v: i32, max: usize| (v.max(0) as usize).min(max);
        let columns = clamp(b.min.x / TILE, self.columns)..clamp((b.max.x + TILE - 1) / TILE, self.columns);
        for row in clamp(b.min.y / TILE, self.rows)..clamp((b.max.y + TILE - 1) / TILE, self.rows) {
            for column in columns.clone() {
                self.marked[row * self.columns + column] = true;
            }
        }
    }

    /// The tiles in which two pictures of the same size differ.
    fn changed(old: &RgbImage, new: &RgbImage) -> Tiles {
        let (width, height) = (new.width() as usize, new.height() as usize);
        let mut tiles = Tiles::none(width, height);
        let rows = old.as_raw().chunks_exact(3 * width.max(1)).zip(new.as_raw().chunks_exact(3 * width.max(1)));
        for (y, (a, b)) in rows.enumerate() {
            if a == b {
                continue;
            }
            let row = y / TILE as usize * tiles.columns;
            let chunk = 3 * TILE as usize;
            for (column, (a, b)) in a.chunks(chunk).zip(b.chunks(chunk)).enumerate() {
                if a != b {
                    tiles.marked[row + column] = true;
                }
            }
        }
        tiles
    }

    fn get(&self, column: usize, row: usize) -> bool {
        self.marked[row * self.columns + column]
    }

    /// Boxes that hold all marked tiles inside `area` and few others: blank bands are cut out, in turn across and down.
    pub(crate) fn areas(&self, area: ImageRect) -> Vec<ImageRect> {
        let x = tile_range(area.min.x, area.max.x, self.columns);
        let y = tile_range(area.min.y, area.max.y, self.rows);
        let mut found = Vec::new();
        self.split(x, y, &mut found);
        found.into_iter().map(|b| pixels::clip_to(b.inflate(MARGIN, MARGIN), area)).filter(|b| !b.is_empty()).collect()
    }

    fn split(&self, x: std::ops::Range<usize>, y: std::ops::Range<usize>, found: &mut Vec<ImageRect>) {
        let column_marked = |c: usize| y.clone().any(|r| self.get(c, r));
        let row_marked = |r: usize| x.clone().any(|c| self.get(c, r));
        let columns: Vec<usize> = x.clone().filter(|c| column_marked(*c)).collect();
        let rows: Vec<usize> = y.clone().filter(|r| row_marked(*r)).collect();
        let (Some(x), Some(y)) = (span(&columns), span(&rows)) else { return };
        if let Some(at) = widest_gap(&rows) {
            self.split(x.clone(), y.start..at.start, found);
            self.split(x, at.end..y.end, found);
        } else if let Some(at) = widest_gap(&columns) {
            self.split(x.start..at.start, y.clone(), found);
            self.split(at.end..x.end, y, found);
        } else {
            let edge = |tile: usize| tile as i32 * TILE;
            found.push(rect(edge(x.start), edge(y.start), edge(x.end), edge(y.end)));
        }
    }
}

fn tile_range(from: i32, to: i32, count: usize) -> std::ops::Range<usize> {
    let first = (from.max(0) / TILE) as usize;
    let last = ((to.max(0) + TILE - 1) / TILE) as usize;
    first.min(count)..last.min(count)
}

/// From the first to behind the last of sorted numbers.
fn span(sorted: &[usize]) -> Option<std::ops::Range<usize>> {
    Some(*sorted.first()?..*sorted.last()? + 1)
}

/// The widest run of missing numbers, if it is wide enough to be worth a cut.
fn widest_gap(sorted: &[usize]) -> Option<std::ops::Range<usize>> {
    sorted.windows(2).map(|pair| pair[0] + 1..pair[1]).filter(|gap| gap.len() >= BLANK).max_by_key(|gap| gap.len())
}

/// What was found on the last picture.
pub(super) struct Seen {
    pub image: RgbImage,
    pub boxes: Vec<TextBox>,
}

/// What of the last picture still holds, and which areas must be looked at again.
pub(super) fn compare(last: Option<Seen>, image: &RgbImage) -> (Vec<TextBox>, Vec<ImageRect>) {
    let frame = pixels::frame(image);
    let Some(last) = last.filter(|seen| seen.image.dimensions() == image.dimensions()) else {
        return (Vec::new(), vec![frame]);
    };
    let changed = Tiles::changed(&last.image, image);
    let mut stale: Vec<ImageRect> = changed.areas(frame);
    for area in &mut stale {
        *area = grown_to_lines(*area, &last.boxes, frame);
    }
    let pixels_stale: i64 = stale.iter().map(|a| i64::from(a.width()) * i64::from(a.height())).sum();
    let pixels_all = i64::from(image.width()) * i64::from(image.height());
    if pixels_stale as f32 > MOST_CHANGED * pixels_all as f32 {
        return (Vec::new(), vec![frame]);
    }
    let kept = last.boxes.into_iter().filter(|b| !stale.iter().any(|area| area.intersects(&b.rect))).collect();
    (kept, stale)
}

/// A line that reaches into a changed area is looked at again as a whole, and so is what it then reaches.
fn grown_to_lines(mut area: ImageRect, boxes: &[TextBox], frame: ImageRect) -> ImageRect {
    loop {
        let touched = boxes.iter().filter(|b| b.rect.intersects(&area));
        let grown = touched.fold(area, |sum, b| sum.union(&pixels::clip_to(b.rect.inflate(4, 4), frame)));
        if grown == area {
            return area;
        }
        area = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_bands_are_cut_out() {
        let mut tiles = Tiles::none(1280, 800);
        tiles.mark(rect(100, 50, 200, 66));
        tiles.mark(rect(900, 50, 1000, 66));
        tiles.mark(rect(400, 600, 500, 616));
        let areas = tiles.areas(rect(0, 0, 1280, 800));
        assert_eq!(areas.len(), 3);
        assert!(areas.iter().any(|a| a.contains_box(&rect(100, 50, 200, 66))));
        assert!(areas.iter().all(|a| a.height() <= 80 && a.width() <= 180));
    }

    #[test]
    fn a_blank_picture_needs_no_look() {
        assert_eq!(Tiles::none(640, 480).areas(rect(0, 0, 640, 480)), []);
    }

    #[test]
    fn what_did_not_change_is_kept() {
        let old = RgbImage::new(640, 480);
        let mut new = old.clone();
        new.put_pixel(300, 200, image::Rgb([255, 255, 255]));
        let far = TextBox { rect: rect(10, 10, 60, 30), score: 0.9 };
        let near = TextBox { rect: rect(250, 190, 310, 210), score: 0.9 };
        let (kept, stale) = compare(Some(Seen { image: old, boxes: vec![far, near] }), &new);
        assert_eq!(kept, [far]);
        assert_eq!(stale.len(), 1);
        assert!(stale[0].contains_box(&near.rect));
    }

    #[test]
    fn an_area_grows_until_no_line_crosses_its_edge() {
        let lines = [rect(0, 0, 50, 20), rect(40, 22, 120, 40), rect(110, 42, 200, 60), rect(300, 300, 310, 310)];
        let boxes = lines.map(|rect| TextBox { rect, score: 1.0 });
        let grown = grown_to_lines(rect(45, 10, 60, 15), &boxes, rect(0, 0, 640, 480));
        assert!(lines[..3].iter().all(|l| grown.contains_box(l)));
        assert!(!grown.intersects(&lines[3]));
    }

    #[test]
    fn another_size_is_another_picture() {
        let seen = Seen { image: RgbImage::new(64, 64), boxes: Vec::new() };
        assert_eq!(compare(Some(seen), &RgbImage::new(64, 80)).1, [rect(0, 0, 64, 80)]);
    }

    #[test]
    fn a_wholly_changed_picture_is_looked_at_as_a_whole() {
        let old = RgbImage::new(320, 200);
        let new = RgbImage::from_pixel(320, 200, image::Rgb([9, 9, 9]));
        let seen = Seen { image: old, boxes: vec![TextBox { rect: rect(0, 0, 9, 9), score: 1.0 }] };
        assert_eq!(compare(Some(seen), &new), (Vec::new(), vec![rect(0, 0, 320, 200)]));
    }
}
