//! Text detection: the network's probability map, turned into axis-aligned boxes.

use image::RgbImage;

use super::TextBox;
use crate::scene::{ImagePoint, ImageRect};
use crate::vision::pixels;
use crate::vision::runtime::Network;
use crate::vision::{Result, VisionError};

/// A pixel belongs to a text's core above this probability.
const PIXEL_THRESHOLD: f32 = 0.3;
/// A box is text when the mean probability inside its core reaches this.
const BOX_THRESHOLD: f32 = 0.45;
/// The network marks shrunken cores; a core grows by area * ratio / perimeter (as it was trained).
const UNCLIP_RATIO: f32 = 1.6;
/// The network halves its input five times.
const STRIDE: usize = 32;
/// Pictures larger than this are looked at in strips, so that memory stays bounded.
const MAX_STRIP_PIXELS: usize = 4_000_000;
/// Strips overlap by this much, more than the height of a line.
const STRIP_OVERLAP: i32 = 64;

/// Finds text inside `area`; boxes are in pixels of `image`, clipped to `area`.
pub(super) fn find(network: &mut Network, image: &RgbImage, area: ImageRect) -> Result<Vec<TextBox>> {
    let area = pixels::clip(area, image);
    if area.is_empty() {
        return Ok(Vec::new());
    }
    let mut boxes = Vec::new();
    for strip in strips(area) {
        for found in find_in_strip(network, image, strip)? {
            merge_into(&mut boxes, found);
        }
    }
    Ok(boxes)
}

/// Cuts a huge area into overlapping strips of whole width; nearly always there is one.
fn strips(area: ImageRect) -> Vec<ImageRect> {
    let width = area.width().max(1) as usize;
    let rows = (MAX_STRIP_PIXELS / width).max(2 * STRIP_OVERLAP as usize) as i32;
    let mut strips = Vec::new();
    let mut top = area.min.y;
    loop {
        let bottom = area.max.y.min(top + rows);
        strips.push(ImageRect::new(ImagePoint::new(area.min.x, top), ImagePoint::new(area.max.x, bottom)));
        if bottom == area.max.y {
            return strips;
        }
        top = bottom - STRIP_OVERLAP;
    }
}

/// Adds a box unless an overlapping strip has found it already; the larger one stays.
pub(in crate::vision) fn merge_into(boxes: &mut Vec<TextBox>, found: TextBox) {
    for known in boxes.iter_mut() {
        let shared = pixels::intersection_area(known.rect, found.rect);
        if 2 * shared > known.rect.area().min(found.rect.area()) {
            if found.rect.area() > known.rect.area() {
                *known = found;
            }
            return;
        }
    }
    boxes.push(found);
}

fn find_in_strip(network: &mut Network, image: &RgbImage, strip: ImageRect) -> Result<Vec<TextBox>> {
    let round = |n: i32| (n as usize).div_ceil(STRIDE) * STRIDE;
    let (width, height) = (round(strip.width()), round(strip.height()));
    // Padding instead of scaling keeps small letters at their true size and boxes at their true place.
    let input = pixels::padded_tensor(image, strip, width, height);
    network.run([1, 3, height, width], &input, |shape, map| {
        if shape != [1, 1, height as i64, width as i64] {
            return Err(VisionError::Run(format!("text detection gave an unexpected shape {shape:?}")));
        }
        Ok(boxes_of_map(map, width, height)
            .into_iter()
            .map(|b| TextBox { rect: pixels::clip_to(b.rect.translate(strip.min.to_vector()), strip), score: b.score })
            .filter(|b| !b.rect.is_empty())
            .collect())
    })
}

/// The boxes of a probability map of `width` x `height`, in its own pixels: connected cores above the threshold,
/// scored by their mean and grown to the whole text.
pub(crate) fn boxes_of_map(map: &[f32], width: usize, height: usize) -> Vec<TextBox> {
    let mut seen = vec![false; map.len().min(width * height)];
    let mut boxes = Vec::new();
    let mut stack = Vec::new();
    for start in 0..seen.len() {
        if seen[start] || map[start] <= PIXEL_THRESHOLD {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        let (mut x0, mut y0, mut x1, mut y1) = (width, height, 0, 0);
        let (mut sum, mut count) = (0.0f64, 0usize);
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            (x0, y0, x1, y1) = (x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1));
            sum += f64::from(map[at]);
            count += 1;
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    let next = ny * width + nx;
                    if next < seen.len() && !seen[next] && map[next] > PIXEL_THRESHOLD {
                        seen[next] = true;
                        stack.push(next);
                    }
                }
            }
        }
        let (w, h) = ((x1 - x0) as f32, (y1 - y0) as f32);
        let score = (sum / count as f64) as f32;
        if w.min(h) < 3.0 || score < BOX_THRESHOLD {
            continue;
        }
        let grow = w * h * UNCLIP_RATIO / (2.0 * (w + h));
        let edge = |v: f32, max: usize| v.round().clamp(0.0, max as f32) as i32;
        let rect = ImageRect::new(
            ImagePoint::new(edge(x0 as f32 - grow, width), edge(y0 as f32 - grow, height)),
            ImagePoint::new(edge(x1 as f32 + grow, width), edge(y1 as f32 + grow, height)),
        );
        boxes.push(TextBox { rect, score });
    }
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map from a drawing, `#` is 0.9, `+` is 0.4, everything else 0.
    fn map(rows: &[&str]) -> (Vec<f32>, usize, usize) {
        let value = |c| match c {
            '#' => 0.9,
            '+' => 0.4,
            _ => 0.0,
        };
        (rows.iter().flat_map(|r| r.chars().map(value)).collect(), rows[0].len(), rows.len())
    }

    #[test]
    fn a_core_grows_to_the_whole_text() {
        let (m, w, h) = map(&[
            "....................",
            "....................",
            "....................",
            "...############.....",
            "...############.....",
            "...############.....",
            "...############.....",
            "....................",
            "....................",
            "....................",
        ]);
        let boxes = boxes_of_map(&m, w, h);
        assert_eq!(boxes.len(), 1);
        // 12 x 4: grows by 48 * 1.6 / 32 = 2.4.
        assert_eq!(boxes[0].rect, ImageRect::new(ImagePoint::new(1, 1), ImagePoint::new(17, 9)));
    }

    #[test]
    fn faint_and_tiny_cores_are_no_text() {
        let (m, w, h) = map(&["++++++......", "++++++...##.", "++++++...##.", "++++++......"]);
        assert_eq!(boxes_of_map(&m, w, h), []);
    }

    #[test]
    fn two_cores_give_two_boxes_inside_the_map() {
        let (m, w, h) = map(&["####..####", "####..####", "####..####", "####..####"]);
        let boxes = boxes_of_map(&m, w, h);
        assert_eq!(boxes.len(), 2);
        for b in boxes {
            assert!(b.rect.min.x >= 0 && b.rect.min.y >= 0 && b.rect.max.x <= 10 && b.rect.max.y <= 4);
        }
    }

    #[test]
    fn strips_cover_a_huge_area_and_overlap() {
        let area = ImageRect::new(ImagePoint::new(0, 0), ImagePoint::new(8000, 9000));
        let strips = strips(area);
        assert_eq!(strips.first().map(|s| s.min.y), Some(0));
        assert_eq!(strips.last().map(|s| s.max.y), Some(9000));
        assert!(strips.windows(2).all(|p| p[1].min.y < p[0].max.y));
    }
}
