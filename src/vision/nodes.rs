//! The rectangles of a picture as a tree, with the words, the ink and the boxes to tick that stand in each.

use super::lines::Line;
use super::shapes::Shapes;
use super::shapes::marks::Outline;
use super::shapes::rects::Rect;
use crate::scene::{ImageRect, Role};

/// A rectangle with what stands in it and around it.
pub(super) struct Node {
    pub rect: Rect,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// Lines whose smallest rectangle this is.
    pub lines: Vec<usize>,
    /// Ink in it that is no text, as boxes.
    pub ink: Vec<ImageRect>,
    pub role: Verdict,
}

/// A box to tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tick {
    pub bbox: ImageRect,
    pub outline: Outline,
    pub ticked: bool,
    /// Seen by the detector: it is one even without words and company.
    pub proven: bool,
}

/// What a rectangle was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing by itself: a panel, a frame, a window.
    Container,
    /// Part of another control (its arrow, its face).
    Part,
    Is(Role),
}

/// Which boxes touch others of the same row and of the same column: cells of a table.
pub(super) fn grid_cells(boxes: &[ImageRect]) -> Vec<bool> {
    let beside = |a: &ImageRect, b: &ImageRect| {
        (-3..=3).contains(&(b.min.x - a.max.x)) && (a.min.y - b.min.y).abs() <= 2 && (a.max.y - b.max.y).abs() <= 2
    };
    let below = |a: &ImageRect, b: &ImageRect| {
        (-3..=3).contains(&(b.min.y - a.max.y)) && (a.min.x - b.min.x).abs() <= 3 && (a.max.x - b.max.x).abs() <= 3
    };
    let touches = |a: &ImageRect, near: &dyn Fn(&ImageRect, &ImageRect) -> bool| {
        boxes.iter().any(|b| a != b && (near(a, b) || near(b, a)))
    };
    boxes.iter().map(|a| a.height() <= 90 && touches(a, &beside) && touches(a, &below)).collect()
}

/// The marks that are boxes to tick: not the picture on a small button.
pub(super) fn ticks_of(shapes: &Shapes, is_cell: &[bool]) -> Vec<Tick> {
    let is_on_button = |mark: ImageRect, ticked: bool| {
        shapes.rects.iter().zip(is_cell).any(|(r, is_cell)| {
            let o = r.outer;
            let around =
                o.inflate(1, 1).contains_box(&mark) && o.width() > mark.width() + 4 && o.height() > mark.height() + 2;
            // Nor the picture at the end of a field (a calendar, an eye).
            let at_end = o.max.x - mark.max.x <= 20 && mark.min.x - o.min.x >= 60 && o.height() <= 50;
            let before_words = ticked && o.height() <= 44 && o.width() <= 200 && r.bordered;
            around && !is_cell && (at_end || before_words || (o.width() <= 44 && o.height() <= 44))
        })
    };
    let marks = shapes.marks.iter().filter(|m| m.sure && !is_on_button(m.bbox, m.ticked));
    marks.map(|m| Tick { bbox: m.bbox, outline: m.outline, ticked: m.ticked, proven: false }).collect()
}

/// The rectangles as a tree with their lines and ink.
pub(super) fn nodes_of(shapes: &Shapes, lines: &[Line], ticks: &[ImageRect]) -> Vec<Node> {
    let is_tick = |r: &Rect| ticks.iter().any(|m| m.inflate(3, 3).contains_box(&r.outer) || r.outer == *m);
    let mut nodes: Vec<Node> = shapes
        .rects
        .iter()
        .filter(|r| !is_tick(r))
        .map(|r| Node {
            rect: r.clone(),
            parent: None,
            children: Vec::new(),
            lines: Vec::new(),
            ink: Vec::new(),
            role: Verdict::Container,
        })
        .collect();
    let outers: Vec<ImageRect> = nodes.iter().map(|n| n.rect.outer).collect();
    for i in 0..nodes.len() {
        // Sorted by area, so the last one that contains it is the smallest.
        let parent = (0..i)
            .rev()
            .find(|p| outers[*p].inflate(1, 1).contains_box(&outers[i]) && outers[*p].area() > outers[i].area());
        nodes[i].parent = parent;
        if let Some(p) = parent {
            nodes[p].children.push(i);
        }
    }
    let smallest = |b: &ImageRect| {
        // Words across its upper border are its label.
        let is_across = |o: &ImageRect| 4 * (o.min.y - b.min.y) >= b.height();
        let holds = |o: &ImageRect| o.contains(b.center()) && o.inflate(1, 3).contains_box(b) && !is_across(o);
        (0..outers.len()).rev().find(|i| holds(&outers[*i]))
    };
    for (l, line) in lines.iter().enumerate() {
        if let Some(i) = smallest(&line.bbox) {
            nodes[i].lines.push(l);
        }
    }
    for blob in &shapes.segments.blobs {
        let b = blob.bbox;
        if b.width() > 60 || b.height() > 60 || blob.area < 4 {
            continue;
        }
        let in_text = lines.iter().any(|l| l.bbox.inflate(2, 2).contains_box(&b));
        if in_text {
            continue;
        }
        // What touches the edge is the rounding of a corner.
        if let Some(i) = smallest(&b)
            && nodes[i].rect.inner.inflate(-1, -1).contains_box(&b)
        {
            nodes[i].ink.push(b);
        }
    }
    nodes
}
