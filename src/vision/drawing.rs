//! Test pictures drawn by hand: dialogs of several styles, so that what the eyes must see stands in the test.

use image::{Rgb, RgbImage};

use super::pixels::{self, rect};
use crate::scene::ImageRect;

pub(super) const WHITE: u8 = 255;
pub(super) const PANEL: u8 = 212;
pub(super) const DARK: u8 = 96;

/// A grey picture to draw on.
pub(super) struct Drawing(pub RgbImage);

impl Drawing {
    pub(super) fn new(width: u32, height: u32, ground: u8) -> Drawing {
        Drawing(RgbImage::from_pixel(width, height, Rgb([ground; 3])))
    }

    pub(super) fn fill(mut self, b: ImageRect, color: [u8; 3]) -> Drawing {
        for y in b.min.y..b.max.y {
            for x in b.min.x..b.max.x {
                if let Some(p) = self.0.get_pixel_mut_checked(x as u32, y as u32) {
                    *p = Rgb(color);
                }
            }
        }
        self
    }

    /// A surface with a border of one pixel.
    pub(super) fn boxed(self, b: ImageRect, border: u8, surface: u8) -> Drawing {
        self.fill(b, [border; 3]).fill(b.inflate(-1, -1), [surface; 3])
    }

    /// A sunken field as old dialogs draw it: dark above and left, light below and right.
    pub(super) fn sunken(self, b: ImageRect, surface: u8) -> Drawing {
        let inner = rect(b.min.x + 1, b.min.y + 1, b.max.x - 1, b.max.y - 1);
        self.fill(b, [255; 3])
            .fill(rect(b.min.x, b.min.y, b.max.x - 1, b.max.y - 1), [128; 3])
            .fill(inner, [surface; 3])
    }

    /// A disc, drawn without smoothing.
    pub(super) fn disc(mut self, b: ImageRect, color: u8) -> Drawing {
        let (cx, cy) = ((b.min.x + b.max.x) as f32 / 2.0, (b.min.y + b.max.y) as f32 / 2.0);
        let r = b.width() as f32 / 2.0;
        for y in b.min.y..b.max.y {
            for x in b.min.x..b.max.x {
                let (dx, dy) = (x as f32 + 0.5 - cx, y as f32 + 0.5 - cy);
                if dx * dx + dy * dy <= r * r {
                    self.0.put_pixel(x as u32, y as u32, Rgb([color; 3]));
                }
            }
        }
        self
    }

    /// A sign from rows of text, `#` is ink.
    pub(super) fn sign(mut self, x: i32, y: i32, rows: &[&str], color: u8) -> Drawing {
        for (dy, row) in (0..).zip(rows) {
            for (dx, _) in row.chars().enumerate().filter(|(_, c)| *c == '#') {
                self.0.put_pixel((x + dx as i32) as u32, (y + dy) as u32, Rgb([color; 3]));
            }
        }
        self
    }

    /// Something that looks like words: a row of strokes of letter size, as wide as asked.
    pub(super) fn words(mut self, x: i32, y: i32, width: i32, color: u8) -> Drawing {
        let mut at = x;
        while at + 5 <= x + width {
            self = self.sign(at, y, &["####", "#..#", "#..#", "####", "#...", "#..#", "####", "#...", "#..."], color);
            at += 6;
        }
        self
    }

    /// The extent of `words` drawn with the same arguments.
    pub(super) fn words_box(x: i32, y: i32, width: i32) -> ImageRect {
        let letters = (width - 5) / 6 + 1;
        rect(x, y, x + 6 * letters - 2, y + 9)
    }

    pub(super) fn frame(&self) -> ImageRect {
        pixels::frame(&self.0)
    }
}
