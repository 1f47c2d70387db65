//! Where it is worth looking: blank parts of a screen cost nothing.

use crate::scene::ImageRect;
use crate::vision::pixels::{self, rect};

/// Side of a tile, in pixels.
const TILE: i32 = 16;
/// Blank bands of this many tiles are cut out.
const BLANK: usize = 4;
/// Around what is looked at.
const MARGIN: i32 = 16;

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

    fn get(&self, column: usize, row: usize) -> bool {
        self.marked[row * self.columns + column]
    }

    /// Boxes that hold all marked tiles inside `area` and few others: blank bands are cut out, in turn across and down.
    pub(crate) fn boxes(&self, area: ImageRect) -> Vec<ImageRect> {
        let x = tile_range(area.min.x, area.max.x, self.columns);
        let y = tile_range(area.min.y, area.max.y, self.rows);
        let mut found = Vec::new();
        self.split(x, y, &mut found);
        found.into_iter().map(|b| pixels::clip_to(b, area)).filter(|b| !b.is_empty()).collect()
    }

    /// The same with a margin around each box, so that what stands at its edge is seen whole.
    pub(crate) fn areas(&self, area: ImageRect) -> Vec<ImageRect> {
        self.boxes(area).into_iter().map(|b| pixels::clip_to(b.inflate(MARGIN, MARGIN), area)).collect()
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
}
