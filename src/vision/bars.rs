//! What only the company of others tells: menu bars, tabs, lists and loose icons.

use super::pixels;
use super::shapes::Shapes;
use super::shapes::rects::Rect;
use crate::scene::{Element, ImageRect, Role, State};

/// Menu entries stand this far apart; links of a page's head stand further apart.
const MENU_GAP: std::ops::RangeInclusive<i32> = 7..=26;
/// Sides of an icon.
const ICON: std::ops::RangeInclusive<i32> = 8..=48;

/// Gives rows and columns of plain words their roles.
pub(super) fn refine(elements: &mut [Element], shapes: &Shapes) {
    tabs_by_underline(elements, shapes);
    tabs_on_a_page(elements, shapes);
    menu_bars(elements);
    lists(elements, shapes);
}

/// Indices of the elements of `role`, grouped into rows of the same height of text, each from left to right.
fn rows(elements: &[Element], wanted: impl Fn(&Element) -> bool) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..elements.len()).filter(|i| wanted(&elements[*i])).collect();
    order.sort_by_key(|i| (elements[*i].bbox.center().y, elements[*i].bbox.min.x));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for i in order {
        let y = elements[i].bbox.center().y;
        match rows.last_mut() {
            Some(row) if row.last().is_some_and(|j| (elements[*j].bbox.center().y - y).abs() <= 4) => row.push(i),
            Some(_) | None => rows.push(vec![i]),
        }
    }
    for row in &mut rows {
        row.sort_by_key(|i| elements[*i].bbox.min.x);
    }
    rows
}

/// Three or more short words in a row with the gaps of a menu bar, nothing else between.
fn menu_bars(elements: &mut [Element]) {
    for row in rows(elements, |e| e.role == Role::Text) {
        for run in runs(elements, &row, MENU_GAP) {
            let short =
                run.iter().all(|i| elements[*i].text.chars().count() <= 14 && !has_digits_only(&elements[*i].text));
            if run.len() >= 3 && short && stands_alone(elements, &run) {
                for i in run {
                    elements[i].role = Role::Menuitem;
                }
            }
        }
    }
}

/// Whether no other words stand close above or below, as they do in a paragraph.
fn stands_alone(elements: &[Element], run: &[usize]) -> bool {
    let Some(row) = run.iter().map(|i| elements[*i].bbox).reduce(|a, b| a.union(&b)) else { return false };
    let reach = row.inflate(0, 2 * row.height() / 3);
    !elements.iter().enumerate().any(|(i, e)| {
        e.role == Role::Text && !run.contains(&i) && reach.intersects(&e.bbox) && !row.intersects(&e.bbox)
    })
}

fn has_digits_only(text: &str) -> bool {
    !text.chars().any(char::is_alphabetic)
}

/// Cuts a row where the gap to the next is not in `gap`.
fn runs(elements: &[Element], row: &[usize], gap: std::ops::RangeInclusive<i32>) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for i in row {
        match runs.last_mut() {
            Some(run)
                if run.last().is_some_and(|j| gap.contains(&(elements[*i].bbox.min.x - elements[*j].bbox.max.x))) =>
            {
                run.push(*i);
            }
            Some(_) | None => runs.push(vec![*i]),
        }
    }
    runs
}

/// Words with a coloured line under them, and the words beside them in the same row.
fn tabs_by_underline(elements: &mut [Element], shapes: &Shapes) {
    let lines: Vec<ImageRect> = shapes
        .segments
        .regions
        .iter()
        .filter(|r| {
            (2..=5).contains(&r.bbox.height())
                && r.bbox.width() >= 20
                && pixels::saturation(r.color) >= 60
                && r.area as i32 * 10 >= r.bbox.area() * 8
        })
        .map(|r| r.bbox)
        .collect();
    let is_active = |e: &Element| {
        lines.iter().any(|l| {
            let below = l.min.y - e.bbox.max.y;
            (2..=18).contains(&below)
                && l.min.x <= e.bbox.min.x + 2
                && l.max.x >= e.bbox.max.x - 2
                && l.width() <= e.bbox.width() + 60
        })
    };
    for row in rows(elements, |e| matches!(e.role, Role::Text | Role::Link | Role::Button)) {
        let Some(active) = row.iter().copied().find(|i| elements[*i].role != Role::Button && is_active(&elements[*i]))
        else {
            continue;
        };
        for run in runs(elements, &row, 6..=64) {
            if run.len() >= 2 && run.contains(&active) {
                for i in run {
                    elements[i].role = Role::Tab;
                }
                elements[active].state.push(State::Selected);
            }
        }
    }
}

/// Faces that touch each other and stand on the upper edge of a page; the open one among them is only words.
fn tabs_on_a_page(elements: &mut [Element], shapes: &Shapes) {
    let stands_on_page = |b: ImageRect| {
        shapes.rects.iter().any(|r: &Rect| {
            let o = r.outer;
            (o.min.y - b.max.y).abs() <= 4 && o.min.x <= b.min.x + 4 && o.max.x >= b.max.x + 60 && o.height() >= 60
        })
    };
    for row in rows(elements, |e| matches!(e.role, Role::Text | Role::Button | Role::Textbox)) {
        let faces: Vec<usize> = row.iter().copied().filter(|i| elements[*i].role != Role::Text).collect();
        let touching: Vec<usize> = faces
            .iter()
            .copied()
            .filter(|i| {
                let b = elements[*i].bbox;
                (16..=48).contains(&b.height())
                    && stands_on_page(b)
                    && faces.iter().any(|j| {
                        let o = elements[*j].bbox;
                        *j != *i && ((o.min.x - b.max.x).abs() <= 3 || (b.min.x - o.max.x).abs() <= 3)
                    })
            })
            .collect();
        let Some(first) = touching.first() else { continue };
        let bounds = touching.iter().fold(elements[*first].bbox, |sum, i| sum.union(&elements[*i].bbox));
        let open: Vec<usize> = row
            .iter()
            .copied()
            .filter(|i| {
                let b = elements[*i].bbox;
                elements[*i].role == Role::Text && b.max.x >= bounds.min.x - 40 && b.min.x <= bounds.max.x + 40
            })
            .collect();
        for i in touching {
            elements[i].role = Role::Tab;
            elements[i].value = None;
            elements[i].label.clear();
        }
        for i in open {
            elements[i].role = Role::Tab;
            elements[i].state.push(State::Selected);
        }
    }
}

/// Words in one column at even distances inside a frame are the rows of a list.
fn lists(elements: &mut [Element], shapes: &Shapes) {
    for (number, r) in shapes.rects.iter().enumerate() {
        let inner = r.inner;
        if !r.bordered || r.surface.is_none() || inner.height() < 48 || inner.width() > 480 {
            continue;
        }
        let is_smallest = |b: ImageRect| {
            !shapes.rects.iter().skip(number + 1).any(|o| o.outer.contains(b.center()) && o.inner.height() >= 48)
        };
        let mut rows: Vec<usize> = (0..elements.len())
            .filter(|i| inner.contains(elements[*i].bbox.center()) && is_smallest(elements[*i].bbox))
            .collect();
        rows.sort_by_key(|i| elements[*i].bbox.center().y);
        let words_only = rows
            .iter()
            .all(|i| matches!(elements[*i].role, Role::Text | Role::Button | Role::Textbox | Role::Menuitem));
        let (Some(first), true) = (rows.first().copied(), rows.len() >= 3 && words_only) else { continue };
        let words: Vec<ImageRect> = rows.iter().map(|i| elements[*i].bbox).collect();
        let steps: Vec<i32> = words.windows(2).map(|p| p[1].center().y - p[0].center().y).collect();
        let step = steps.iter().copied().min().unwrap_or(0);
        let even = step >= 12 && steps.iter().all(|s| *s <= step + 16) && step <= 40;
        let aligned =
            words.iter().filter(|b| (b.min.x - elements[first].bbox.min.x).abs() <= 4).count() + 1 >= words.len();
        if !even || !aligned {
            continue;
        }
        for i in rows {
            let y = elements[i].bbox.center().y;
            elements[i].role = Role::Listitem;
            elements[i].value = None;
            elements[i].label.clear();
            let row = pixels::rect(inner.min.x, y - step / 2, inner.max.x, y + (step + 1) / 2);
            elements[i].bbox = pixels::clip_to(row, inner);
        }
    }
}

/// Pictures that stand alone: ink that is no text and belongs to no control, in clusters of an icon's size.
pub(super) fn loose_icons(shapes: &Shapes, taken: &[ImageRect]) -> Vec<ImageRect> {
    let small = |b: ImageRect| b.width() <= *ICON.end() && b.height() <= *ICON.end();
    let free = |b: &ImageRect| {
        !taken.iter().any(|t| t.inflate(2, 2).contains_box(b) || 2 * pixels::intersection_area(*t, *b) > b.area())
    };
    let is_frame = |b: &ImageRect| shapes.rects.iter().any(|r| r.outer == *b || r.inner == *b);
    // A ring as small as an icon is one; a larger one is a cell or a key.
    let frame = pixels::rect(0, 0, shapes.segments.width as i32, shapes.segments.height as i32);
    let is_large_frame = |b: &ImageRect| b.width().max(b.height()) > 26 && is_frame(b);
    // The rounding of a large corner is no picture.
    let is_corner = |b: &ImageRect| {
        shapes.rects.iter().any(|r| {
            let o = r.outer;
            let at_side = (b.min.x - o.min.x).abs() <= 1 || (b.max.x - o.max.x).abs() <= 1;
            let at_level = (b.min.y - o.min.y).abs() <= 1 || (b.max.y - o.max.y).abs() <= 1;
            at_side && at_level && o.area() > 4 * b.area()
        })
    };
    let blobs = shapes.segments.blobs.iter().filter(|b| b.area >= 4).map(|b| b.bbox).filter(|b| !is_large_frame(b));
    let faces =
        shapes.segments.regions.iter().filter(|r| r.thick).map(|r| r.bbox).filter(|b| !is_frame(b) && *b != frame);
    let mut clusters: Vec<ImageRect> = Vec::new();
    for b in blobs.chain(faces).filter(|b| small(*b) && !is_corner(b)).filter(free) {
        let mut merged = b;
        // A cluster may bridge several others.
        while let Some(i) = clusters.iter().position(|c| c.inflate(3, 3).intersects(&merged) && small(c.union(&merged)))
        {
            merged = merged.union(&clusters.swap_remove(i));
        }
        clusters.push(merged);
    }
    clusters
        .into_iter()
        .filter(|c| ICON.contains(&c.width()) && ICON.contains(&c.height()))
        .filter(|c| c.width() <= 3 * c.height() && c.height() <= 3 * c.width() && c.area() >= 100)
        .collect()
}
