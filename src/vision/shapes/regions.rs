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
        let (region_of, regions) = flat_areas(image, width, height);
        let (blob_of, blobs) = ink_blobs(image, &region_of, &regions, width, height);
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

/// Disjoint sets over pixels.
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
}

/// Sums over the pixels of one set.
#[derive(Clone)]
struct Tally {
    x0: usize,
    y0: usize,
    x1: usize,
    y1: usize,
    area: u32,
    core: u32,
    sum: [u64; 3],
}

impl Tally {
    fn new() -> Tally {
        Tally { x0: usize::MAX, y0: usize::MAX, x1: 0, y1: 0, area: 0, core: 0, sum: [0; 3] }
    }

    fn add(&mut self, x: usize, y: usize, pixel: &[u8]) {
        self.x0 = self.x0.min(x);
        self.y0 = self.y0.min(y);
        self.x1 = self.x1.max(x + 1);
        self.y1 = self.y1.max(y + 1);
        self.area += 1;
        for (sum, value) in self.sum.iter_mut().zip(pixel) {
            *sum += u64::from(*value);
        }
    }

    fn bbox(&self) -> ImageRect {
        rect(self.x0 as i32, self.y0 as i32, self.x1 as i32, self.y1 as i32)
    }

    fn color(&self) -> Rgb {
        self.sum.map(|s| (s / u64::from(self.area.max(1))) as u8)
    }
}

fn flat_areas(image: &RgbImage, width: usize, height: usize) -> (Vec<u32>, Vec<Region>) {
    let raw = image.as_raw();
    let pixel = |i: usize| -> Rgb { [raw[3 * i], raw[3 * i + 1], raw[3 * i + 2]] };
    let len = (raw.len() / 3).min(width * height);
    let mut sets = Sets::new(len);
    for i in 0..len {
        let here = pixel(i);
        if i % width > 0 && pixels::distance(here, pixel(i - 1)) <= TOLERANCE {
            sets.join(i as u32, i as u32 - 1);
        }
        if i >= width && pixels::distance(here, pixel(i - width)) <= TOLERANCE {
            sets.join(i as u32, (i - width) as u32);
        }
    }
    let mut labels = vec![0u32; len];
    let mut tallies: Vec<Tally> = Vec::new();
    for i in 0..len {
        let root = sets.root(i as u32) as usize;
        if root == i {
            labels[i] = tallies.len() as u32;
            tallies.push(Tally::new());
        } else {
            labels[i] = labels[root];
        }
        if let Some(tally) = tallies.get_mut(labels[i] as usize) {
            tally.add(i % width, i / width, &raw[3 * i..3 * i + 3]);
        }
    }
    count_core(&labels, &mut tallies, width, height);
    let regions = tallies
        .iter()
        .map(|t| Region {
            bbox: t.bbox(),
            area: t.area,
            color: t.color(),
            thick: t.area >= THICK_AREA && t.core as f32 >= THICK_CORE * t.area as f32,
        })
        .collect();
    (labels, regions)
}

/// Counts for each area the pixels whose whole 3 x 3 neighbourhood belongs to it.
fn count_core(labels: &[u32], tallies: &mut [Tally], width: usize, height: usize) {
    if labels.len() < width * height {
        return;
    }
    for y in 1..height.saturating_sub(1) {
        for x in 1..width.saturating_sub(1) {
            let i = y * width + x;
            let label = labels[i];
            let same = |row: usize| labels[row - 1] == label && labels[row] == label && labels[row + 1] == label;
            if same(i) && same(i - width) && same(i + width) {
                tallies[label as usize].core += 1;
            }
        }
    }
}

fn ink_blobs(
    image: &RgbImage,
    region_of: &[u32],
    regions: &[Region],
    width: usize,
    height: usize,
) -> (Vec<u32>, Vec<Blob>) {
    let raw = image.as_raw();
    let ink: Vec<bool> = region_of.iter().map(|r| !regions[*r as usize].thick).collect();
    let mut blob_of = vec![0u32; ink.len()];
    let mut blobs = Vec::new();
    let mut stack = Vec::new();
    for start in 0..ink.len() {
        if !ink[start] || blob_of[start] != 0 {
            continue;
        }
        let number = blobs.len() as u32 + 1;
        blob_of[start] = number;
        stack.push(start);
        let mut tally = Tally::new();
        while let Some(i) = stack.pop() {
            let (x, y) = (i % width, i / width);
            tally.add(x, y, &raw[3 * i..3 * i + 3]);
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    let next = ny * width + nx;
                    if next < ink.len() && ink[next] && blob_of[next] == 0 {
                        blob_of[next] = number;
                        stack.push(next);
                    }
                }
            }
        }
        blobs.push(Blob { bbox: tally.bbox(), area: tally.area, color: tally.color() });
    }
    (blob_of, blobs)
}

#[cfg(test)]
mod tests {
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
}
