//! Two changes as a user's work makes them, drawn into a picture: words in a field, a scrolled list.

use image::{RgbImage, imageops};

use crate::scene::{Element, ImageRect, Role};

/// Puts words that stand elsewhere on the picture into its first field with room for them; false when there is none.
pub(super) fn type_words(image: &mut RgbImage, elements: &[Element]) -> bool {
    let fields = elements.iter().filter(|e| e.role == Role::Textbox).map(|e| e.bbox.inflate(-3, -3));
    for inside in fields {
        let fits = |e: &&Element| {
            e.role == Role::Text && e.bbox.height() <= inside.height() && e.bbox.width() < inside.width()
        };
        let Some(words) = elements.iter().find(fits).map(|e| e.bbox) else { continue };
        let letters = part(image, words);
        let Some(ground) = letters.get_pixel_checked(0, 0).copied() else { continue };
        for y in inside.min.y..inside.max.y {
            for x in inside.min.x..inside.max.x {
                if let Some(pixel) = image.get_pixel_mut_checked(x as u32, y as u32) {
                    *pixel = ground;
                }
            }
        }
        let top = inside.min.y + (inside.height() - words.height()) / 2;
        imageops::replace(image, &letters, i64::from(inside.min.x + 1), i64::from(top));
        return true;
    }
    false
}

/// Moves what is in `area` by so many rows down (negative: up); what leaves it comes in at the other end.
pub(super) fn scroll(image: &mut RgbImage, area: ImageRect, by: i32) {
    let before = part(image, area);
    for y in 0..area.height() {
        let from = (y - by).rem_euclid(area.height()) as u32;
        let row = imageops::crop_imm(&before, 0, from, before.width(), 1).to_image();
        imageops::replace(image, &row, i64::from(area.min.x), i64::from(area.min.y + y));
    }
}

fn part(image: &RgbImage, area: ImageRect) -> RgbImage {
    let edge = |v: i32| v.max(0) as u32;
    imageops::crop_imm(image, edge(area.min.x), edge(area.min.y), edge(area.width()), edge(area.height())).to_image()
}
