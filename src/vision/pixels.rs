//! Small operations on pictures and boxes that several parts of the eyes need.

use image::RgbImage;

use crate::scene::{ImagePoint, ImageRect};

/// A colour, red first.
pub(super) type Rgb = [u8; 3];

/// A box from its edges.
pub(super) fn rect(x0: i32, y0: i32, x1: i32, y1: i32) -> ImageRect {
    ImageRect::new(ImagePoint::new(x0, y0), ImagePoint::new(x1, y1))
}

/// The whole picture as a box.
pub(super) fn frame(image: &RgbImage) -> ImageRect {
    let edge = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    rect(0, 0, edge(image.width()), edge(image.height()))
}

/// The part of `area` that lies inside the picture; empty when none does.
pub(super) fn clip(area: ImageRect, image: &RgbImage) -> ImageRect {
    clip_to(area, frame(image))
}

/// The part of `area` inside `bounds`; a zero box when there is none.
pub(super) fn clip_to(area: ImageRect, bounds: ImageRect) -> ImageRect {
    area.intersection(&bounds).unwrap_or_else(ImageRect::zero)
}

/// All networks halve their input five times: their grids have this many pixels.
pub(super) const GRID: i32 = 32;

/// `area` with its edges moved outward to the networks' grid.
pub(super) fn snapped(area: ImageRect) -> ImageRect {
    let (down, up) = (|v: i32| v.div_euclid(GRID) * GRID, |v: i32| (v + GRID - 1).div_euclid(GRID) * GRID);
    rect(down(area.min.x), down(area.min.y), up(area.max.x), up(area.max.y))
}

/// Pixels that two boxes share.
pub(super) fn intersection_area(a: ImageRect, b: ImageRect) -> i32 {
    a.intersection(&b).map_or(0, |i| i.area())
}

/// The largest difference in any channel.
pub(super) fn distance(a: Rgb, b: Rgb) -> u8 {
    let d = |i: usize| a[i].abs_diff(b[i]);
    d(0).max(d(1)).max(d(2))
}

/// Perceived brightness, 0..=255.
pub(super) fn luma(c: Rgb) -> i32 {
    (299 * i32::from(c[0]) + 587 * i32::from(c[1]) + 114 * i32::from(c[2])) / 1000
}

/// How colourful: the spread of the channels, 0..=255.
pub(super) fn saturation(c: Rgb) -> i32 {
    let max = c[0].max(c[1]).max(c[2]);
    let min = c[0].min(c[1]).min(c[2]);
    i32::from(max) - i32::from(min)
}

/// The pixel at (x, y), or the nearest one inside the picture.
pub(super) fn at(image: &RgbImage, x: i32, y: i32) -> Rgb {
    let inside = |v: i32, n: u32| (v.max(0) as u32).min(n.saturating_sub(1));
    image.get_pixel_checked(inside(x, image.width()), inside(y, image.height())).map_or([0; 3], |p| p.0)
}

/// The bytes of the row `y` from column `x0` to before `x1`; what is outside the picture is left out.
pub(super) fn row(image: &RgbImage, y: i32, x0: i32, x1: i32) -> &[u8] {
    let width = image.width() as usize;
    let inside = |x: i32| (x.max(0) as usize).min(width);
    let start = y.max(0) as usize * width;
    image.as_raw().get(3 * (start + inside(x0))..3 * (start + inside(x1))).unwrap_or_default()
}

/// Both networks want blue, green, red planes with values from -1 to 1.
fn scaled(value: f32) -> f32 {
    value / 127.5 - 1.0
}

/// `area` (inside the picture) at its own size as planes of `width` x `height`; what is outside repeats the edge.
pub(super) fn padded_tensor(image: &RgbImage, area: ImageRect, width: usize, height: usize) -> Vec<f32> {
    let mut planes = vec![0.0f32; 3 * width * height];
    let (inner_w, inner_h) = (area.width().max(1) as usize, area.height().max(1) as usize);
    let stride = image.width() as usize * 3;
    let raw = image.as_raw();
    for y in 0..height {
        let row = (area.min.y as usize + y.min(inner_h - 1)) * stride;
        for x in 0..width {
            let from = row + (area.min.x as usize + x.min(inner_w - 1)) * 3;
            let Some(pixel) = raw.get(from..from + 3) else { continue };
            for (plane, value) in pixel.iter().rev().enumerate() {
                planes[(plane * height + y) * width + x] = scaled(f32::from(*value));
            }
        }
    }
    planes
}

/// `area` (inside the picture) resized bilinearly to `scaled_width` x `height`, written into planes of `width` x
/// `height`; columns beyond `scaled_width` stay as they are (0 is the networks' grey).
pub(super) fn resized_into(
    image: &RgbImage,
    area: ImageRect,
    planes: &mut [f32],
    scaled_width: usize,
    width: usize,
    height: usize,
) {
    let columns: Vec<(usize, usize, f32)> = (0..scaled_width.min(width))
        .map(|x| sample(x, area.width() as f32 / scaled_width as f32, area.width()))
        .collect();
    let stride = image.width() as usize * 3;
    let raw = image.as_raw();
    let left = area.min.x as usize * 3;
    for y in 0..height {
        let (y0, y1, fy) = sample(y, area.height() as f32 / height as f32, area.height());
        let upper = (area.min.y as usize + y0) * stride + left;
        let lower = (area.min.y as usize + y1) * stride + left;
        for (x, &(x0, x1, fx)) in columns.iter().enumerate() {
            for channel in 0..3 {
                let value =
                    |row: usize, column: usize| raw.get(row + column * 3 + channel).map_or(0.0, |v| f32::from(*v));
                let top = value(upper, x0) * (1.0 - fx) + value(upper, x1) * fx;
                let bottom = value(lower, x0) * (1.0 - fx) + value(lower, x1) * fx;
                planes[((2 - channel) * height + y) * width + x] = scaled(top * (1.0 - fy) + bottom * fy);
            }
        }
    }
}

/// The two source pixels of target pixel `i` and the weight of the second.
fn sample(i: usize, ratio: f32, len: i32) -> (usize, usize, f32) {
    let max = (len.max(1) - 1) as f32;
    let position = ((i as f32 + 0.5) * ratio - 0.5).clamp(0.0, max);
    let first = position.floor();
    (first as usize, (first + 1.0).min(max) as usize, position - first)
}
