//! Windows and dialogs that are drawn inside a picture, known by their title bars.
//!
//! A title bar is a row at the top of a rectangle that holds a title and, at its right end, the signs that close,
//! enlarge or minimize a window, and nothing else but the program's picture. What merely looks framed (a panel, a group
//! box, a card) has no such row and is no window. The picture of one window shows no frame of its own; those found here
//! are dialogs over it, windows inside of it, and everything on a picture of the whole screen.

use image::RgbImage;

use super::pixels::{self, Rgb, rect};
use super::shapes::Shapes;
use crate::scene::{Element, ImageRect, Role, Source};

/// A window is at least this wide and high.
const SMALLEST: (i32, i32) = (120, 60);
/// A title bar is at most this high.
const BAR: i32 = 44;
/// The signs in a title bar are at most this large...
const SIGN: i32 = 46;
/// ...stand at most this far apart...
const SIGN_GAP: i32 = 18;
/// ...and the last one at most this far from the window's right side.
const END_GAP: i32 = 16;
/// What stands in one row has its middle at most this far from that of the others.
const ROW: i32 = 7;
/// A bar with a single sign is one only when its ground differs so much from that of the window.
const OTHER_GROUND: u8 = 40;
/// Parts of one window meet at most this far apart.
const SEAM: i32 = 4;
/// How surely a window with a title bar is one.
const CONFIDENCE: f32 = 0.8;

/// A row that may be a title bar.
#[derive(Debug, Clone, PartialEq)]
struct Bar {
    title: String,
    title_box: ImageRect,
    /// From the leftmost thing in it to the last sign.
    extent: ImageRect,
    signs: usize,
}

/// Adds the windows to the elements.
pub(super) fn add(elements: &mut Vec<Element>, image: &RgbImage, shapes: &Shapes) {
    let rects: Vec<ImageRect> = shapes.rects.iter().map(|r| r.outer).collect();
    let mut windows: Vec<Element> = Vec::new();
    for bar in bars(elements) {
        let Some(bbox) = window_of(&bar, &rects, elements, image) else { continue };
        let is_same = |known: &Element| {
            let union = known.bbox.union(&bbox).to_i64().area();
            i64::from(pixels::intersection_area(known.bbox, bbox)) * 10 > 8 * union
        };
        if windows.iter().any(is_same) {
            continue;
        }
        windows.push(Element {
            id: 0,
            role: Role::Window,
            text: bar.title,
            label: String::new(),
            group: String::new(),
            value: None,
            state: Vec::new(),
            bbox,
            confidence: CONFIDENCE,
            source: Source::Shape,
        });
    }
    elements.append(&mut windows);
}

/// The rows that end in signs and have words before them.
fn bars(elements: &[Element]) -> Vec<Bar> {
    let is_sign = |e: &Element| {
        matches!(e.role, Role::Icon | Role::Button | Role::Image)
            && e.text.chars().count() <= 1
            && e.bbox.width() <= SIGN
            && e.bbox.height() <= SIGN
    };
    let signs: Vec<&Element> = elements.iter().filter(|e| is_sign(e)).collect();
    let same_row = |a: ImageRect, b: ImageRect| (a.center().y - b.center().y).abs() <= ROW;
    let mut found = Vec::new();
    for last in &signs {
        let follows =
            |e: &&&Element| same_row(e.bbox, last.bbox) && (-2..=SIGN_GAP).contains(&(e.bbox.min.x - last.bbox.max.x));
        if signs.iter().any(|e| follows(&e)) {
            continue;
        }
        // From the last sign to the left, as long as they stand close.
        let (mut first, mut count) = (last.bbox, 1);
        while let Some(next) = signs.iter().find(|e| {
            same_row(e.bbox, first)
                && (-2..=SIGN_GAP).contains(&(first.min.x - e.bbox.max.x))
                && e.bbox.min.x < first.min.x
        }) {
            first = next.bbox;
            count += 1;
        }
        // Words of any kind may be taken for a control; only the nearest count.
        let title = elements
            .iter()
            .filter(|e| e.text.chars().count() > 1 && same_row(e.bbox, last.bbox) && e.bbox.max.x <= first.min.x)
            .filter(|e| matches!(e.role, Role::Text | Role::Link | Role::Button | Role::Menuitem | Role::Tab))
            .max_by_key(|e| e.bbox.max.x);
        let Some(title) = title else { continue };
        let is_picture = |e: &&&Element| {
            same_row(e.bbox, title.bbox) && e.bbox.max.x <= title.bbox.min.x + 2 && e.bbox.width() <= SIGN
        };
        let left = signs.iter().filter(is_picture).map(|e| e.bbox.min.x).max().unwrap_or(title.bbox.min.x);
        let top = first.min.y.min(title.bbox.min.y).min(last.bbox.min.y);
        let bottom = first.max.y.max(title.bbox.max.y).max(last.bbox.max.y);
        if bottom - top <= BAR {
            let extent = rect(left.min(title.bbox.min.x), top, last.bbox.max.x, bottom);
            found.push(Bar { title: title.text.clone(), title_box: title.bbox, extent, signs: count });
        }
    }
    found
}

/// The window that a bar is the head of: the smallest rectangle with the bar at its top, or the one right below it.
fn window_of(bar: &Bar, rects: &[ImageRect], elements: &[Element], image: &RgbImage) -> Option<ImageRect> {
    let frame = pixels::frame(image);
    let fits = |b: &ImageRect| {
        b.width() >= SMALLEST.0
            && b.height() >= SMALLEST.1
            && b.min.x <= bar.extent.min.x
            && (0..=END_GAP).contains(&(b.max.x - bar.extent.max.x))
            // The head of a page, from side to side, is none of a window.
            && b.width() + SEAM < frame.width()
    };
    let holds = rects.iter().filter(|b| {
        fits(b)
            && (0..=BAR - bar.extent.height().min(BAR)).contains(&(bar.extent.min.y - b.min.y))
            && b.max.y > bar.extent.max.y + 20
    });
    let below = rects
        .iter()
        .filter(|b| fits(b) && (-2..=14).contains(&(b.min.y - bar.extent.max.y)))
        .map(|b| rect(b.min.x, (bar.extent.min.y - 4).max(frame.min.y), b.max.x, b.max.y));
    let mut window = holds.copied().min_by_key(ImageRect::area).or_else(|| below.max_by_key(ImageRect::area))?;
    // Lines from side to side cut a window without a border into several rectangles.
    let continues = |window: ImageRect, b: &&ImageRect| {
        (b.min.x - window.min.x).abs() <= SEAM
            && (b.max.x - window.max.x).abs() <= SEAM
            && (b.min.y - window.max.y).abs() <= SEAM
            && b.max.y > window.max.y + SEAM
    };
    while let Some(next) = rects.iter().find(|b| continues(window, b)) {
        window = window.union(next);
    }
    let bar_bottom = bar.extent.max.y + 2;
    let is_alone = elements.iter().all(|e| {
        let in_bar =
            e.bbox.center().y < bar_bottom && window.contains(e.bbox.center()) && !e.bbox.contains_box(&window);
        // A bar's own ground may have been taken for something.
        let is_ground = e.bbox.contains_box(&bar.extent.inflate(-2, -2));
        !in_bar || is_ground || e.text.is_empty() || e.text.chars().count() == 1 || e.bbox == bar.title_box
    });
    let has_content = elements.iter().any(|e| {
        e.bbox.min.y >= bar_bottom && window.contains(e.bbox.center()) && window.inflate(1, 1).contains_box(&e.bbox)
    });
    (is_alone && has_content && (bar.signs >= 2 || has_own_ground(bar, window, image))).then_some(window)
}

/// Whether the ground of a bar is another one than that of the window below it.
fn has_own_ground(bar: &Bar, window: ImageRect, image: &RgbImage) -> bool {
    let free = (bar.title_box.max.x + 4).min(bar.extent.max.x);
    let ground = pixels::at(image, free, bar.title_box.center().y);
    let usual = usual_color(image, rect(window.min.x + 4, bar.extent.max.y + 8, window.max.x - 4, window.max.y - 4));
    pixels::distance(ground, usual) >= OTHER_GROUND
}

/// The colour that most of an area has, by a few hundred samples.
fn usual_color(image: &RgbImage, area: ImageRect) -> Rgb {
    let area = pixels::clip(area, image);
    let mut counts: Vec<(Rgb, usize)> = Vec::new();
    for row in 0..16 {
        for column in 0..16 {
            let at = (area.min.x + area.width() * column / 16, area.min.y + area.height() * row / 16);
            let color = pixels::at(image, at.0, at.1);
            match counts.iter_mut().find(|(known, _)| *known == color) {
                Some((_, count)) => *count += 1,
                None => counts.push((color, 1)),
            }
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or([0; 3], |(color, _)| color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, PANEL, WHITE};

    fn thing(role: Role, text: &str, bbox: ImageRect) -> Element {
        Element {
            id: 0,
            role,
            text: text.into(),
            label: String::new(),
            group: String::new(),
            value: None,
            state: Vec::new(),
            bbox,
            confidence: 1.0,
            source: Source::Ocr,
        }
    }

    /// A frame with a bar of a colour of its own, its title, and so many signs at its right end.
    fn window(drawing: Drawing, b: ImageRect, title: &str, signs: i32, bar: u8) -> (Drawing, Vec<Element>) {
        let drawing =
            drawing.boxed(b, 60, PANEL).fill(rect(b.min.x + 1, b.min.y + 1, b.max.x - 1, b.min.y + 23), [bar; 3]);
        let y = b.min.y + 5;
        let mut elements = vec![
            thing(Role::Text, title, rect(b.min.x + 30, y, b.min.x + 90, y + 13)),
            thing(Role::Text, "Delete the order?", rect(b.min.x + 20, b.min.y + 40, b.min.x + 110, b.min.y + 53)),
        ];
        for i in 0..signs {
            let right = b.max.x - 6 - 18 * i;
            elements.push(thing(Role::Icon, "", rect(right - 14, y, right, y + 14)));
        }
        (drawing, elements)
    }

    fn found((drawing, elements): (Drawing, Vec<Element>)) -> Vec<(String, ImageRect)> {
        let mut all = elements;
        add(&mut all, &drawing.0, &Shapes::of(&drawing.0));
        all.into_iter().filter(|e| e.role == Role::Window).map(|e| (e.text, e.bbox)).collect()
    }

    fn screen() -> Drawing {
        Drawing::new(600, 400, WHITE)
    }

    #[test]
    fn a_dialog_over_a_window_is_found_beside_it() {
        let (outer, inner) = (rect(40, 30, 560, 380), rect(180, 140, 420, 250));
        let (drawing, mut elements) = window(screen(), outer, "Orders", 3, 150);
        let (drawing, more) = window(drawing, inner, "Confirm", 3, 150);
        elements.extend(more);
        assert_eq!(found((drawing, elements)), [("Orders".to_string(), outer), ("Confirm".to_string(), inner)]);
    }

    #[test]
    fn one_sign_is_enough_on_a_bar_with_a_ground_of_its_own_only() {
        let b = rect(100, 80, 400, 240);
        assert_eq!(found(window(screen(), b, "Notice", 1, 90)), [("Notice".to_string(), b)]);
        assert_eq!(found(window(screen(), b, "Notice", 1, PANEL)), []);
    }

    #[test]
    fn panels_without_signs_and_rows_with_other_words_are_no_windows() {
        let b = rect(100, 80, 400, 240);
        assert_eq!(found(window(screen(), b, "Address", 0, 90)), []);
        let (drawing, mut elements) = window(screen(), b, "Search", 3, 90);
        elements.push(thing(Role::Textbox, "Sample Ltd", rect(200, 84, 300, 98)));
        assert_eq!(found((drawing, elements)), [], "a tool bar");
    }

    #[test]
    fn the_head_of_a_page_is_no_title_bar() {
        let whole = screen().frame();
        assert_eq!(found(window(screen(), whole, "Mail", 3, 90)), []);
    }
}
