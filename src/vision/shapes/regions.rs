//! Splitting a picture into flat areas and the ink between them.
//!
//! An area is a 4-connected set of pixels whose neighbours hardly differ: a panel, the inside of a field, the face of a
//! button, also with a soft gradient. What belongs to no thick area is ink: letters, borders, small marks. Ink that
//! hangs together is a blob. Nothing here depends on the theme: only differences count, never the colours themselves.

use image::RgbImage;

use crate::scene::ImageRect;
use crate::vision::pixels::{self, Rgb, rect};

/// Neighbouring pixels that differ by at most this much in every channel belong together.
const TOLERANCE: u8 = 3;
/// A thick area has at least this many pixels...
const THICK_AREA: u32 = 120;
/// ...of which this share has no neighbour of another area (borders and letters have nearly none).
const THICK_CORE: f32 = 0.33;

/// A flat area.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub bbox: ImageRect,
    pub area: u32,
    /// The colour of most of it (mean).
    pub color: Rgb,
    /// Thick areas are surfaces; thin ones are ink.
    pub thick: bool,
}

/// Ink that hangs together.
#[derive(Debug, Clone)]
pub(crate) struct Blob {
    pub bbox: ImageRect,
    /// Pixels of ink.
    pub area: u32,
    /// Its mean colour.
    pub color: Rgb,
}

/// The areas and blobs of a picture with a label for each pixel.
pub(crate) struct Segments {
    pub width: usize,
    pub height: usize,
    pub regions: Vec<Region>,
    pub blobs: Vec<Blob>,
    region_of: Vec<u32>,
    /// Blob number + 1, or 0 where a thick area is.
    blob_of: Vec<u32>,
}

impl Segments {
    pub(crate) fn of(image: &RgbImage) -> Segments {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let (flat, labels, regions) = flat_areas(image, width, height);
        let (ink, numbers, blobs) = ink_blobs(&flat, &labels, &regions);
        let region_of = per_pixel(&flat, width, height, |run| labels[run]);
        let blob_of = per_pixel(&ink, width, height, |run| numbers[run] + 1);
        Segments { width, height, regions, blobs, region_of, blob_of }
    }

    /// The number of the area at (x, y), if the point is inside the picture.
    pub(crate) fn region_at(&self, x: i32, y: i32) -> Option<usize> {
        self.index(x, y).and_then(|i| self.region_of.get(i)).map(|r| *r as usize)
    }

    /// The number of the blob at (x, y), if there is ink.
    pub(crate) fn blob_at(&self, x: i32, y: i32) -> Option<usize> {
        let blob = self.index(x, y).and_then(|i| self.blob_of.get(i))?;
        (*blob as usize).checked_sub(1)
    }

    /// Whether there is ink at (x, y).
    pub(crate) fn is_ink(&self, x: i32, y: i32) -> bool {
        self.blob_at(x, y).is_some()
    }

    /// The thick area that takes up most of a box, counted on a coarse grid.
    pub(crate) fn surface(&self, area: ImageRect) -> Option<usize> {
        let mut counts: Vec<(usize, u32)> = Vec::new();
        let step = |len: i32| (len / 24).max(1) as usize;
        for y in (area.min.y..area.max.y).step_by(step(area.height())) {
            for x in (area.min.x..area.max.x).step_by(step(area.width())) {
                let Some(r) = self.region_at(x, y) else { continue };
                if !self.regions.get(r).is_some_and(|region| region.thick) {
                    continue;
                }
                match counts.iter_mut().find(|(known, _)| *known == r) {
                    Some((_, n)) => *n += 1,
                    None => counts.push((r, 1)),
                }
            }
        }
        counts.into_iter().max_by_key(|(_, n)| *n).map(|(r, _)| r)
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then_some(y * self.width + x)
    }
}

/// Disjoint sets over numbered runs.
struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    fn new(len: usize) -> Sets {
        Sets { parent: (0..len as u32).collect() }
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let up = self.parent[i as usize];
            self.parent[i as usize] = self.parent[up as usize];
            i = self.parent[i as usize];
        }
        i
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller number is the root, so that roots come first in reading order.
        match a.cmp(&b) {
            std::cmp::Ordering::Less => self.parent[b as usize] = a,
            std::cmp::Ordering::Greater => self.parent[a as usize] = b,
            std::cmp::Ordering::Equal => {}
        }
    }

    /// The number of each member's set, counted in the order of their first members, and how many there are.
    fn numbers(&mut self) -> (Vec<u32>, usize) {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.parent.len());
        let mut count = 0;
        for i in 0..self.parent.len() as u32 {
            let root = self.root(i);
            // A root stands before its members.
            let number = if root == i { count } else { numbers[root as usize] };
            count += u32::from(root == i);
            numbers.push(number);
        }
        (numbers, count as usize)
    }
}

/// Pixels side by side in one row. Screens are made of few long ones, so all that follows works on these.
#[derive(Debug, Clone, Copy)]
struct Run {
    x0: usize,
    x1: usize,
    /// Sums of the channels.
    sum: [u64; 3],
}

/// Runs of all rows, one row after the other.
struct Runs {
    runs: Vec<Run>,
    /// Where each row begins in `runs`, and the end.
    starts: Vec<usize>,
}

impl Runs {
    fn new() -> Runs {
        Runs { runs: Vec::new(), starts: vec![0] }
    }

    fn row(&self, y: usize) -> std::ops::Range<usize> {
        self.starts[y]..self.starts[y + 1]
    }

    fn end_row(&mut self) {
        self.starts.push(self.runs.len());
    }

    /// Each pair of runs, of this row and of the one above, that stand over one another or at most `play` apart; with the columns
    /// that both have.
    fn touching(&self, y: usize, play: usize, mut with: impl FnMut(usize, usize, std::ops::Range<usize>)) {
        let (mut above, last) = (self.row(y - 1).start, self.row(y - 1).end);
        for here in self.row(y) {
            let run = self.runs[here];
            while above < last && self.runs[above].x1 + play <= run.x0 {
                above += 1;
            }
            let over = (above..last).take_while(|a| self.runs[*a].x0 < run.x1 + play);
            for other in over {
                let (x0, x1) = (self.runs[other].x0.max(run.x0), self.runs[other].x1.min(run.x1));
                with(other, here, x0..x1);
            }
        }
    }
}

/// Sums over the runs of one set.
#[derive(Clone)]
struct Tally {
    x0: usize,
    y0: usize,
    x1: usize,
    y1: usize,
    area: usize,
    core: usize,
    sum: [u64; 3],
}

impl Tally {
    fn new() -> Tally {
        Tally { x0: usize::MAX, y0: usize::MAX, x1: 0, y1: 0, area: 0, core: 0, sum: [0; 3] }
    }

    fn add(&mut self, run: &Run, y: usize) {
        self.x0 = self.x0.min(run.x0);
        self.y0 = self.y0.min(y);
        self.x1 = self.x1.max(run.x1);
        self.y1 = self.y1.max(y + 1);
        self.area += run.x1 - run.x0;
        for (sum, value) in self.sum.iter_mut().zip(run.sum) {
            *sum += value;
        }
    }

    fn bbox(&self) -> ImageRect {
        rect(self.x0 as i32, self.y0 as i32, self.x1 as i32, self.y1 as i32)
    }

    fn color(&self) -> Rgb {
        self.sum.map(|s| (s / self.area.max(1) as u64) as u8)
    }
}

/// The runs of pixels whose neighbours hardly differ.
fn flat_runs(image: &RgbImage, width: usize, height: usize) -> Runs {
    let mut found = Runs::new();
    let mut above: &[u8] = &[];
    for row in image.as_raw().chunks_exact(3 * width.max(1)).take(height) {
        let (pixels, _) = row.as_chunks::<3>();
        if row == above {
            let same = found.starts[found.starts.len() - 2]..found.runs.len();
            found.runs.extend_from_within(same);
        } else {
            let mut x0 = 0;
            for flat in pixels.chunk_by(|a, b| a == b || pixels::distance(*a, *b) <= TOLERANCE) {
                let sum = |c: usize| flat.iter().map(|p| u64::from(p[c])).sum();
                found.runs.push(Run { x0, x1: x0 + flat.len(), sum: [sum(0), sum(1), sum(2)] });
                x0 += flat.len();
            }
        }
        found.end_row();
        above = row;
    }
    found
}

fn flat_areas(image: &RgbImage, width: usize, height: usize) -> (Runs, Vec<u32>, Vec<Region>) {
    let runs = flat_runs(image, width, height);
    let rows = runs.starts.len() - 1;
    let (pixels, _) = image.as_raw().as_chunks::<3>();
    let mut sets = Sets::new(runs.runs.len());
    for y in 1..rows {
        let (upper, lower) = (&pixels[(y - 1) * width..y * width], &pixels[y * width..(y + 1) * width]);
        runs.touching(y, 0, |above, here, columns| {
            let near = |x: usize| pixels::distance(upper[x], lower[x]) <= TOLERANCE;
            let (a, b) = (above as u32, here as u32);
            if sets.root(a) != sets.root(b) && columns.into_iter().any(near) {
                sets.join(a, b);
            }
        });
    }
    let (labels, count) = sets.numbers();
    let mut tallies = vec![Tally::new(); count];
    for y in 0..rows {
        for i in runs.row(y) {
            tallies[labels[i] as usize].add(&runs.runs[i], y);
        }
    }
    count_core(&runs, &labels, &mut tallies);
    let regions = tallies
        .iter()
        .map(|t| Region {
            bbox: t.bbox(),
            area: t.area as u32,
            color: t.color(),
            thick: t.area as u32 >= THICK_AREA && t.core as f32 >= THICK_CORE * t.area as f32,
        })
        .collect();
    (runs, labels, regions)
}

/// Columns of one row that belong to one area.
type Stretch = (u32, usize, usize);

/// Counts for each area the pixels whose whole 3 x 3 neighbourhood belongs to it.
fn count_core(runs: &Runs, labels: &[u32], tallies: &mut [Tally]) {
    // Per row, the pixels whose left and right neighbour belong to the same area.
    let inner = |y: usize| -> Vec<Stretch> {
        let mut row: Vec<Stretch> = Vec::new();
        for i in runs.row(y) {
            match row.last_mut() {
                Some(last) if last.0 == labels[i] => last.2 = runs.runs[i].x1,
                _ => row.push((labels[i], runs.runs[i].x0, runs.runs[i].x1)),
            }
        }
        row.into_iter().map(|(label, x0, x1)| (label, x0 + 1, x1.saturating_sub(1))).filter(|s| s.1 < s.2).collect()
    };
    let rows: Vec<Vec<Stretch>> = (0..runs.starts.len() - 1).map(inner).collect();
    for three in rows.windows(3) {
        for (label, x0, x1) in shared(&shared(&three[0], &three[1]), &three[2]) {
            tallies[label as usize].core += x1 - x0;
        }
    }
}

/// What two rows of stretches have in common.
fn shared(a: &[Stretch], b: &[Stretch]) -> Vec<Stretch> {
    let (mut i, mut k, mut both) = (0, 0, Vec::new());
    while let (Some(x), Some(y)) = (a.get(i), b.get(k)) {
        let (x0, x1) = (x.1.max(y.1), x.2.min(y.2));
        if x.0 == y.0 && x0 < x1 {
            both.push((x.0, x0, x1));
        }
        if x.2 <= y.2 { i += 1 } else { k += 1 }
    }
    both
}

/// Ink that hangs together, corners included: its runs, their blobs' numbers, and the blobs.
fn ink_blobs(flat: &Runs, labels: &[u32], regions: &[Region]) -> (Runs, Vec<u32>, Vec<Blob>) {
    let rows = flat.starts.len() - 1;
    let mut ink = Runs::new();
    for y in 0..rows {
        let first = ink.runs.len();
        for i in flat.row(y).filter(|i| !regions[labels[*i] as usize].thick) {
            let run = flat.runs[i];
            match ink.runs[first..].last_mut() {
                Some(last) if last.x1 == run.x0 => {
                    last.x1 = run.x1;
                    last.sum.iter_mut().zip(run.sum).for_each(|(sum, more)| *sum += more);
                }
                _ => ink.runs.push(run),
            }
        }
        ink.end_row();
    }
    let mut sets = Sets::new(ink.runs.len());
    for y in 1..rows {
        ink.touching(y, 1, |above, here, _| sets.join(above as u32, here as u32));
    }
    let (numbers, count) = sets.numbers();
    let mut tallies = vec![Tally::new(); count];
    for y in 0..rows {
        for i in ink.row(y) {
            tallies[numbers[i] as usize].add(&ink.runs[i], y);
        }
    }
    let blobs = tallies.iter().map(|t| Blob { bbox: t.bbox(), area: t.area as u32, color: t.color() }).collect();
    (ink, numbers, blobs)
}

/// A number for each pixel: that of its run, by `number`; 0 where no run is.
fn per_pixel(runs: &Runs, width: usize, height: usize, number: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut numbers = vec![0; width * height];
    for (y, row) in numbers.chunks_exact_mut(width.max(1)).enumerate() {
        for i in runs.row(y) {
            row[runs.runs[i].x0..runs.runs[i].x1].fill(number(i));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vision::drawing::{Drawing, PANEL};

    #[test]
    fn a_field_on_a_panel_gives_two_surfaces_and_a_ring_of_ink() {
        let field = rect(20, 20, 120, 42);
        let d = Drawing::new(200, 80, PANEL).boxed(field, 90, 255);
        let s = Segments::of(&d.0);
        let thick: Vec<ImageRect> = s.regions.iter().filter(|r| r.thick).map(|r| r.bbox).collect();
        assert_eq!(thick, [d.frame(), field.inflate(-1, -1)]);
        assert_eq!(s.blobs.iter().map(|b| b.bbox).collect::<Vec<_>>(), [field]);
        assert!(s.is_ink(20, 30) && !s.is_ink(21, 30));
    }

    #[test]
    fn a_soft_gradient_is_one_surface() {
        let mut image = RgbImage::new(60, 60);
        for (_, y, p) in image.enumerate_pixels_mut() {
            p.0 = [200 - 2 * y as u8; 3];
        }
        let s = Segments::of(&image);
        assert_eq!(s.regions.len(), 1);
        assert!(s.blobs.is_empty());
    }

    #[test]
    fn a_picture_without_pixels_has_no_parts() {
        let s = Segments::of(&RgbImage::new(0, 0));
        assert!(s.regions.is_empty() && s.blobs.is_empty());
        assert_eq!(s.surface(rect(0, 0, 5, 5)), None);
    }

    proptest! {
        #[test]
        fn areas_and_ink_are_those_of_a_flood(width in 1u32..14, colors in prop::collection::vec(0usize..3, 1..180)) {
            let height = (colors.len() as u32).div_ceil(width);
            // The first two belong together, the third to none of them.
            let color = |at: usize| [[10u8, 10, 10], [12, 11, 10], [90, 90, 90]][colors.get(at).copied().unwrap_or(0)];
            let image = RgbImage::from_fn(width, height, |x, y| image::Rgb(color((y * width + x) as usize)));
            let s = Segments::of(&image);
            let at = |x: u32, y: u32| s.region_at(x as i32, y as i32);
            let near = |a: (u32, u32), b: (u32, u32)| {
                pixels::distance(image.get_pixel(a.0, a.1).0, image.get_pixel(b.0, b.1).0) <= TOLERANCE
            };
            let mut flooded = vec![usize::MAX; (width * height) as usize];
            let mut count = 0;
            for start in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                if flooded[(start.1 * width + start.0) as usize] != usize::MAX {
                    continue;
                }
                let (mut stack, mut area) = (vec![start], 0);
                flooded[(start.1 * width + start.0) as usize] = count;
                while let Some((x, y)) = stack.pop() {
                    area += 1;
                    prop_assert_eq!(at(x, y), Some(count));
                    let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                    for (nx, ny) in around.into_iter().filter(|(nx, ny)| *nx < width && *ny < height) {
                        let next = &mut flooded[(ny * width + nx) as usize];
                        if *next == usize::MAX && near((x, y), (nx, ny)) {
                            *next = count;
                            stack.push((nx, ny));
                        }
                    }
                }
                prop_assert_eq!(s.regions[count].area, area);
                count += 1;
            }
            prop_assert_eq!(s.regions.len(), count);
            let ink: u32 = s.blobs.iter().map(|b| b.area).sum();
            prop_assert_eq!(ink, s.regions.iter().filter(|r| !r.thick).map(|r| r.area).sum::<u32>());
        }
    }
}
