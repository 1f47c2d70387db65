//! The picture of what was seen: every element's box in its role's colour with its number, for a person and for a
//! model that takes pictures.

use image::{Rgb, RgbImage};

use super::pixels;
use crate::scene::{Element, ImageRect, Role, Source};

/// Columns and rows of a digit of the built-in font.
const DIGIT_WIDTH: i32 = 5;
const DIGIT_HEIGHT: i32 = 7;
/// Digits 0 to 9, one row of five pixels per number, the leftmost pixel in the highest bit.
const DIGITS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/// Draws box and number of every element onto a copy of the picture. Numbers stand outside their boxes where there is
/// room, so that they hide little text.
pub fn annotate(image: &RgbImage, elements: &[Element]) -> RgbImage {
    let mut out = image.clone();
    let frame = pixels::frame(image);
    for e in elements {
        // Boxes of plain words touch the letters, so their outline goes around.
        let b = if e.source == Source::Ocr { e.bbox.inflate(2, 2) } else { e.bbox };
        outline(&mut out, b, color_of(e.role));
    }
    let mut tags: Vec<ImageRect> = Vec::new();
    for e in elements {
        let tag = place_tag(e, elements, &tags, frame);
        fill(&mut out, tag, color_of(e.role));
        write_number(&mut out, e.id, tag.min.x + 2, tag.min.y + 1);
        tags.push(tag);
    }
    out
}

/// Dark enough for white digits, far apart for the roles that are often confused.
fn color_of(role: Role) -> Rgb<u8> {
    Rgb(match role {
        Role::Button => [0, 92, 197],
        Role::Icon => [0, 131, 143],
        Role::Link => [94, 53, 177],
        Role::Textbox => [198, 40, 40],
        Role::Combobox => [216, 67, 21],
        Role::Checkbox | Role::Radio | Role::Switch => [46, 125, 50],
        Role::Tab | Role::Menuitem => [136, 14, 79],
        Role::Listitem | Role::Cell => [121, 85, 72],
        Role::Slider => [130, 119, 23],
        Role::Text | Role::Image | Role::Window => [110, 110, 110],
    })
}

/// Where the number goes: above the box, left of it, below, right, else on its upper left corner; the place that covers
/// the fewest other boxes and numbers wins.
fn place_tag(e: &Element, elements: &[Element], tags: &[ImageRect], frame: ImageRect) -> ImageRect {
    let digits = e.id.to_string().len() as i32;
    let (w, h) = (digits * (DIGIT_WIDTH + 1) + 3, DIGIT_HEIGHT + 2);
    let b = if e.source == Source::Ocr { e.bbox.inflate(2, 2) } else { e.bbox };
    let middle = b.center().y - h / 2;
    let corners = [
        (b.min.x, b.min.y - h),
        (b.min.x - w, middle),
        (b.max.x, middle),
        (b.min.x, b.max.y),
        (b.max.x - w, b.min.y - h),
        (b.min.x, b.min.y),
    ];
    let cost = |tag: ImageRect| {
        let outside = tag.area() - pixels::intersection_area(tag, frame);
        let over_tags: i32 = tags.iter().map(|t| pixels::intersection_area(*t, tag)).sum();
        // A panel is covered without harm, words and small controls are not.
        let small = elements.iter().filter(|o| o.bbox.height() <= 70);
        let over_boxes: i32 = small.map(|o| pixels::intersection_area(o.bbox, tag)).sum();
        20 * outside + 4 * over_tags + over_boxes
    };
    let place = |(x, y)| pixels::rect(x, y, x + w, y + h);
    corners.into_iter().map(place).min_by_key(|tag| cost(*tag)).unwrap_or_else(|| place((b.min.x, b.min.y)))
}

fn outline(image: &mut RgbImage, b: ImageRect, color: Rgb<u8>) {
    for x in b.min.x..b.max.x {
        put(image, x, b.min.y, color);
        put(image, x, b.max.y - 1, color);
    }
    for y in b.min.y..b.max.y {
        put(image, b.min.x, y, color);
        put(image, b.max.x - 1, y, color);
    }
}

fn fill(image: &mut RgbImage, b: ImageRect, color: Rgb<u8>) {
    for y in b.min.y..b.max.y {
        for x in b.min.x..b.max.x {
            put(image, x, y, color);
        }
    }
}

fn write_number(image: &mut RgbImage, number: u32, x: i32, y: i32) {
    for (place, digit) in number.to_string().bytes().enumerate() {
        let Some(rows) = DIGITS.get(usize::from(digit.wrapping_sub(b'0'))) else { continue };
        for (dy, row) in (0..).zip(rows) {
            for dx in 0..DIGIT_WIDTH {
                if row & (0b10000 >> dx) != 0 {
                    put(image, x + place as i32 * (DIGIT_WIDTH + 1) + dx, y + dy, Rgb([255, 255, 255]));
                }
            }
        }
    }
}

/// Sets a pixel if it is inside the picture.
fn put(image: &mut RgbImage, x: i32, y: i32, color: Rgb<u8>) {
    if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
        && let Some(pixel) = image.get_pixel_mut_checked(x, y)
    {
        *pixel = color;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(id: u32, b: ImageRect) -> Element {
        Element {
            id,
            role: Role::Button,
            text: String::new(),
            label: String::new(),
            value: None,
            state: Vec::new(),
            bbox: b,
            confidence: 1.0,
            source: Source::Shape,
        }
    }

    #[test]
    fn a_box_and_its_number_are_drawn_and_the_inside_is_left_alone() {
        let image = RgbImage::from_pixel(120, 80, Rgb([255; 3]));
        let out = annotate(&image, &[element(7, pixels::rect(30, 30, 90, 60))]);
        assert_eq!(out.get_pixel(30, 45), &color_of(Role::Button));
        assert_eq!(out.get_pixel(60, 45), &Rgb([255; 3]));
        let above = pixels::rect(30, 21, 45, 30);
        let white = (above.min.y..above.max.y)
            .flat_map(|y| (above.min.x..above.min.x + 9).map(move |x| (x, y)))
            .filter(|(x, y)| out.get_pixel(*x as u32, *y as u32).0 == [255; 3])
            .count();
        assert_eq!(white, 11, "the pixels of a 7");
    }

    #[test]
    fn boxes_beyond_the_picture_do_no_harm() {
        let image = RgbImage::new(4, 4);
        let out = annotate(
            &image,
            &[element(4_294_967_295, pixels::rect(-50, -50, 400, 400)), element(1, ImageRect::zero())],
        );
        assert_eq!(out.dimensions(), (4, 4));
    }
}
