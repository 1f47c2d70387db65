//! Fusing shapes and text into elements: what is a field, a button, a box to tick, and what belongs to it.

use image::RgbImage;

use super::bars;
use super::detector::Seen;
use super::evidence;
use super::forms;
use super::groups;
use super::labels::{self, Around, Words};
use super::lines::Line;
use super::nodes::{Node, Tick, Verdict, grid_cells, nodes_of, ticks_of};
use super::pixels;
use super::shapes::Shapes;
use super::shapes::marks::Outline;
use super::tables;
use super::values;
use super::windows;
#[cfg(test)]
use super::witness::Guess;
use crate::scene::{Element, ImageRect, Role, Source, State};

/// Controls of one line are this high.
const LINE_HEIGHT: std::ops::RangeInclusive<i32> = 14..=66;
/// Text in a field begins at most this far from its left side (a picture may stand before it).
pub(super) const MAX_INDENT: i32 = 26;
/// Text fainter than this against its ground (brightness) is disabled...
const FAINT: i32 = 118;
/// ...and in a field it is a placeholder, which is drawn less faintly.
const PLACEHOLDER: i32 = 152;

/// All elements in reading order, numbered from 1.
pub(super) fn elements(image: &RgbImage, shapes: &Shapes, lines: Vec<Line>, seen: &[Seen]) -> Vec<Element> {
    let mut scene = Fusion::new(image, shapes, lines, seen);
    scene.judge_all();
    evidence::correct_nodes(&mut scene.nodes, &scene.lines, &scene.ticks, seen);
    let ticks: Vec<ImageRect> = scene.ticks.iter().map(|t| t.bbox).collect();
    tables::open(&mut scene.nodes, &scene.lines, &ticks, &tables::arrows(shapes));
    let mut elements = scene.into_elements();
    bars::refine(&mut elements, shapes);
    evidence::correct_elements(&mut elements, seen);
    evidence::free_heads(&mut elements);
    groups::name(&mut elements, shapes);
    windows::add(&mut elements, image, shapes);
    in_reading_order(&mut elements);
    elements
}

/// What the shapes alone take for what: boxes to tick, rectangles, words.
#[cfg(test)]
pub(super) fn guesses(image: &RgbImage, shapes: &Shapes, lines: Vec<Line>) -> [Vec<(Guess, ImageRect)>; 3] {
    let mut scene = Fusion::new(image, shapes, lines, &[]);
    scene.judge_all();
    let ticks = scene.ticks.iter().map(|t| (evidence::guess_of(t), t.bbox)).collect();
    let nodes: Vec<(Guess, ImageRect)> = scene.nodes.iter().map(|n| (Guess::from(n.role), n.rect.outer)).collect();
    let fields: Vec<ImageRect> = nodes.iter().filter(|n| evidence::is_field(n.0)).map(|n| n.1).collect();
    let mut elements = scene.into_elements();
    bars::refine(&mut elements, shapes);
    let words = elements
        .iter()
        .filter(|e| e.source == Source::Ocr)
        .map(|e| (evidence::guess_of_element(e, &fields), e.bbox))
        .collect();
    [ticks, nodes, words]
}

struct Fusion<'a> {
    shapes: &'a Shapes,
    lines: Vec<Line>,
    nodes: Vec<Node>,
    /// Marks that are boxes to tick.
    ticks: Vec<Tick>,
    page: pixels::Rgb,
    /// How far a placeholder stands out from its ground at most.
    placeholder: i32,
}

impl<'a> Fusion<'a> {
    fn new(image: &RgbImage, shapes: &'a Shapes, lines: Vec<Line>, seen: &[Seen]) -> Fusion<'a> {
        let page = shapes
            .segments
            .surface(pixels::frame(image))
            .and_then(|s| shapes.segments.regions.get(s))
            .map_or([255; 3], |r| r.color);
        let outers: Vec<ImageRect> = shapes.rects.iter().map(|r| r.outer).collect();
        let mut ticks = ticks_of(shapes, &grid_cells(&outers));
        evidence::correct_ticks(&mut ticks, seen);
        let boxes: Vec<ImageRect> = ticks.iter().map(|t| t.bbox).collect();
        let nodes = nodes_of(shapes, &lines, &boxes);
        let placeholder = PLACEHOLDER.min(7 * values::usual_contrast(&lines) / 8);
        Fusion { shapes, lines, nodes, ticks, page, placeholder }
    }

    fn judge_all(&mut self) {
        let grid = grid_cells(&self.nodes.iter().map(|n| n.rect.outer).collect::<Vec<_>>());
        for i in (0..self.nodes.len()).rev() {
            // Inner ones first: what a rectangle is depends on what its parts are.
            self.nodes[i].role =
                if grid[i] && self.nodes[i].children.is_empty() { Verdict::Is(Role::Cell) } else { self.judge(i) };
            if let Verdict::Is(Role::Combobox | Role::Textbox | Role::Button | Role::Icon) = self.nodes[i].role {
                for child in self.nodes[i].children.clone() {
                    self.nodes[child].role = Verdict::Part;
                }
            }
        }
        self.join_loose_arrows();
    }

    /// What the rectangle `i` is, its children being judged.
    fn judge(&self, i: usize) -> Verdict {
        let node = &self.nodes[i];
        let b = node.rect.outer;
        if b.min.x <= 0 && b.max.x >= self.shapes.segments.width as i32 {
            // A band from edge to edge is the head of a page.
            return Verdict::Container;
        }
        if node.rect.surface.is_none() && node.children.is_empty() && node.lines.is_empty() && node.ink.is_empty() {
            return Verdict::Container;
        }
        if !LINE_HEIGHT.contains(&b.height()) {
            return self.judge_high(i);
        }
        let arrow = self.arrow_in(i);
        let foreign = node
            .children
            .iter()
            .any(|c| !self.is_end_part(i, *c) && !self.is_selection(i, *c) && self.nodes[*c].role != Verdict::Part);
        if foreign {
            return Verdict::Container;
        }
        if self.ticks.iter().any(|t| b.contains_box(&t.bbox)) {
            return Verdict::Container;
        }
        let lines = self.lines_within(i);
        if lines.is_empty() {
            return self.judge_wordless(i, arrow);
        }
        let rows_apart = lines.iter().any(|l| (self.lines[*l].bbox.center().y - b.center().y).abs() > b.height() / 3);
        if rows_apart && b.height() > 44 {
            return Verdict::Container;
        }
        if self.has_separate_words(&lines) {
            return Verdict::Container;
        }
        let text = lines.iter().map(|l| self.lines[*l].bbox).reduce(|a, b| a.union(&b)).unwrap_or(b);
        match arrow {
            Some(Arrow::Down) => Verdict::Is(Role::Combobox),
            Some(Arrow::UpDown) => Verdict::Is(Role::Textbox),
            None => Verdict::Is(self.button_or_textbox(i, text, &lines)),
        }
    }

    /// Whether words stand far apart on one line: a bar of several things, not one control.
    fn has_separate_words(&self, lines: &[usize]) -> bool {
        let wide = lines.windows(2).filter(|pair| {
            let (a, b) = (self.lines[pair[0]].bbox, self.lines[pair[1]].bbox);
            b.min.x - a.max.x >= 8
        });
        let far = lines.windows(2).any(|pair| self.lines[pair[1]].bbox.min.x - self.lines[pair[0]].bbox.max.x > 24);
        far || wide.count() >= 2
    }

    fn button_or_textbox(&self, i: usize, text: ImageRect, lines: &[usize]) -> Role {
        let node = &self.nodes[i];
        let inner = node.rect.inner;
        // The grip to resize a field of several lines is no part of its text.
        let is_grip = |b: &&ImageRect| inner.max.x - b.max.x <= 6 && inner.max.y - b.max.y <= 6;
        let all = node.ink.iter().filter(|b| !is_grip(b)).fold(text, |sum, b| sum.union(b));
        let (left, right) = (all.min.x - inner.min.x, inner.max.x - all.max.x);
        let (text_left, text_right) = (text.min.x - inner.min.x, inner.max.x - text.max.x);
        let slack = (inner.width() / 14).max(4);
        let around = self.color_around(i);
        let fill = node.rect.fill;
        let is_paper = pixels::saturation(fill) < 24
            && (pixels::luma(fill) >= 247 || (pixels::luma(fill) < 110 && pixels::luma(fill) <= pixels::luma(around)));
        let stands_out = pixels::distance(fill, around) > 6;
        if (left - right).abs() <= slack || (text_left - text_right).abs() <= slack {
            // In the middle, or filling it: the surface decides, paper on a panel is for writing.
            let fills = left <= 9 && is_paper && stands_out && node.rect.bordered;
            return if fills { Role::Textbox } else { Role::Button };
        }
        if !is_paper && stands_out && pixels::saturation(fill) >= 40 {
            return Role::Button;
        }
        let numeric = lines.iter().all(|l| self.lines[*l].text.chars().filter(|c| c.is_alphabetic()).count() == 0);
        let is_left = left < right && left <= MAX_INDENT;
        if is_left || (numeric && right <= 14) {
            return if is_paper || node.rect.bordered { Role::Textbox } else { Role::Button };
        }
        Role::Button
    }

    fn judge_wordless(&self, i: usize, arrow: Option<Arrow>) -> Verdict {
        let node = &self.nodes[i];
        let b = node.rect.outer;
        match arrow {
            Some(Arrow::Down) if b.width() >= 44 && b.width() > 2 * b.height() => return Verdict::Is(Role::Combobox),
            Some(Arrow::UpDown) if b.width() >= 36 => return Verdict::Is(Role::Textbox),
            Some(_) | None => {}
        }
        let content = node.ink.iter().copied().reduce(|a, b| a.union(&b));
        match content {
            Some(c) => {
                let centered = (c.center().x - b.center().x).abs() <= 4 && (c.center().y - b.center().y).abs() <= 4;
                let small = c.width() <= 44 && c.height() <= 44 && c.width() >= 4 && b.width() <= 110;
                if small && (centered || b.width() <= 40) {
                    Verdict::Is(Role::Icon)
                } else if b.width() >= 60 && c.min.x - b.min.x <= 16 && self.looks_writable(i) {
                    Verdict::Is(Role::Textbox)
                } else {
                    Verdict::Container
                }
            }
            None if b.width() >= 36 && 2 * b.width() >= 3 * b.height() && self.looks_writable(i) => {
                Verdict::Is(Role::Textbox)
            }
            None => Verdict::Container,
        }
    }

    /// Rectangles higher than a line: fields of several lines, large keys, else containers.
    fn judge_high(&self, i: usize) -> Verdict {
        let node = &self.nodes[i];
        let b = node.rect.outer;
        if node.lines.is_empty()
            && !node.ink.is_empty()
            && b.height() <= 110
            && b.width() <= 110
            && node.children.is_empty()
        {
            return self.judge_wordless(i, None);
        }
        let wide = b.width() >= 100 && (67..=260).contains(&b.height()) && b.width() * 2 >= b.height() * 3;
        let plain = node.children.iter().all(|c| self.is_end_part(i, *c)) && node.ink.len() <= 2;
        let mine = &node.lines;
        let no_marks = !self.ticks.iter().any(|t| b.contains_box(&t.bbox));
        let left = mine.iter().map(|l| self.lines[*l].bbox.min.x).min();
        let one_column = mine.iter().all(|l| Some(self.lines[*l].bbox.min.x) <= left.map(|x| x + 12));
        let starts_at_top = left.is_none_or(|x| x - b.min.x <= 14)
            && mine.iter().map(|l| self.lines[*l].bbox.min.y).min().is_none_or(|y| y - b.min.y <= 16);
        if self.is_headed(b) {
            Verdict::Container
        } else if wide && plain && no_marks && one_column && starts_at_top && mine.len() <= 4 && self.looks_writable(i)
        {
            Verdict::Is(Role::Textbox)
        } else if plain && no_marks && self.is_tile(i) {
            Verdict::Is(Role::Button)
        } else {
            Verdict::Container
        }
    }

    /// Whether a row of headings stands right above it: then it is the body of a list, however empty.
    fn is_headed(&self, b: ImageRect) -> bool {
        let above = |line: &&Line| {
            let l = line.bbox;
            l.min.x >= b.min.x - 2 && l.max.x <= b.max.x + 2 && (0..=26).contains(&(b.min.y - l.max.y))
        };
        let heads: Vec<ImageRect> = self.lines.iter().filter(above).map(|line| line.bbox).collect();
        let left = heads.iter().map(|h| h.min.x).min().unwrap_or(b.max.x);
        let right = heads.iter().map(|h| h.max.x).max().unwrap_or(b.min.x);
        heads.len() >= 3 && 2 * (right - left) > b.width()
    }

    /// Whether it is a large key: a face of its own with one or two lines in its middle.
    fn is_tile(&self, i: usize) -> bool {
        let node = &self.nodes[i];
        let b = node.rect.outer;
        let text = node.lines.iter().map(|l| self.lines[*l].bbox).reduce(|a, b| a.union(&b));
        let in_middle = text.is_some_and(|t| {
            (t.center().x - b.center().x).abs() <= 6 && (t.center().y - b.center().y).abs() <= b.height() / 8 + 3
        });
        in_middle && b.width() <= 280 && b.height() <= 140 && node.lines.len() <= 2
    }

    /// Whether the surface is one to write on: paper with a border, or paper on a panel.
    fn looks_writable(&self, i: usize) -> bool {
        let node = &self.nodes[i];
        let around = self.color_around(i);
        let fill = node.rect.fill;
        let lighter = pixels::luma(fill) >= 235 && pixels::saturation(fill) < 24;
        let dark = pixels::luma(fill) < 110 && pixels::luma(fill) <= pixels::luma(around) + 14;
        node.rect.surface.is_some() && (lighter || dark) && (node.rect.bordered || pixels::distance(fill, around) > 6)
    }

    /// The colour of the surface around a rectangle.
    fn color_around(&self, i: usize) -> pixels::Rgb {
        let mut up = self.nodes[i].parent;
        while let Some(p) = up {
            if self.nodes[p].rect.surface.is_some() {
                return self.nodes[p].rect.fill;
            }
            up = self.nodes[p].parent;
        }
        self.page
    }

    /// All lines in a rectangle and in its parts, from left to right.
    fn lines_within(&self, i: usize) -> Vec<usize> {
        let mut lines = self.nodes[i].lines.clone();
        for c in &self.nodes[i].children {
            lines.extend(&self.nodes[*c].lines);
        }
        lines.sort_by_key(|l| (self.lines[*l].bbox.min.y / 12, self.lines[*l].bbox.min.x));
        let b = self.nodes[i].rect.inner;
        values::drop_signs(&mut lines, b, &self.lines);
        lines
    }

    /// The arrow at the right end of a rectangle: of a drop-down list (one) or of a spin box (two).
    fn arrow_in(&self, i: usize) -> Option<Arrow> {
        let node = &self.nodes[i];
        let b = node.rect.outer;
        if b.width() < 36 {
            return None;
        }
        let end = b.max.x - (b.height()).clamp(20, 36);
        let mut signs: Vec<ImageRect> = node.ink.clone();
        for c in &node.children {
            signs.extend(&self.nodes[*c].ink);
        }
        for l in node.lines.iter().chain(node.children.iter().flat_map(|c| &self.nodes[*c].lines)) {
            let line = &self.lines[*l];
            if line.text.chars().count() <= 1 {
                signs.push(line.bbox);
            }
        }
        signs.retain(|s| {
            let c = s.center();
            c.x >= end && s.max.x <= b.max.x && (3..=16).contains(&s.width()) && (2..=14).contains(&s.height())
        });
        let middle = b.center().y;
        let upper = signs.iter().find(|s| s.center().y < middle - 2 && s.max.y <= middle + 1);
        let lower = signs.iter().find(|s| s.center().y > middle + 2 && s.min.y >= middle - 1);
        if upper.is_some() && lower.is_some() {
            return Some(Arrow::UpDown);
        }
        // Old toolkits draw the arrow low.
        let play = b.height() / 3;
        // An arrow is flat: the cross that closes a window is not, nor is a unit behind a value.
        let is_arrow = |s: &ImageRect| (s.center().y - middle).abs() <= play && 10 * s.width() >= 12 * s.height();
        signs.iter().any(is_arrow).then_some(Arrow::Down)
    }

    /// Whether `child` is the button at the right end of `parent` (an arrow, two arrows).
    fn is_end_part(&self, parent: usize, child: usize) -> bool {
        let (p, c) = (self.nodes[parent].rect.outer, self.nodes[child].rect.outer);
        let is_picture = c.width().max(c.height()) <= 26 && (c.center().y - p.center().y).abs() <= 3;
        let margin = if is_picture { 18 } else { 5 };
        let at_end = p.max.x - c.max.x <= margin && c.width() <= 36 && p.width() >= 2 * c.width();
        let is_rest = c.height() + 10 >= p.height() && c.width() * 2 >= p.width() && p.height() <= 66;
        at_end || is_rest
    }

    /// Whether `child` is the marked text of the field `parent`: a coloured patch at the beginning of its paper.
    fn is_selection(&self, parent: usize, child: usize) -> bool {
        let (p, c) = (&self.nodes[parent], &self.nodes[child]);
        let is_patch = pixels::saturation(c.rect.fill) >= 40 && c.children.is_empty();
        let starts_left = c.rect.outer.min.x - p.rect.outer.min.x <= 20;
        let is_inside = p.rect.inner.inflate(-1, -1).contains_box(&c.rect.outer);
        is_patch && starts_left && is_inside && self.looks_writable(parent)
    }

    /// Fields with a separate arrow button beside them (no common border) become one combobox.
    fn join_loose_arrows(&mut self) {
        for i in 0..self.nodes.len() {
            if self.nodes[i].role != Verdict::Is(Role::Textbox) {
                continue;
            }
            let b = self.nodes[i].rect.outer;
            let arrow = (0..self.nodes.len()).find(|j| {
                let o = self.nodes[*j].rect.outer;
                let is_small = (10..=30).contains(&o.width()) && (o.height() - b.height()).abs() <= 8;
                let is_beside = (o.min.x - b.max.x).abs() <= 3 && (o.center().y - b.center().y).abs() <= 4;
                *j != i
                    && is_small
                    && is_beside
                    && self.nodes[*j].ink.len() == 1
                    && self.nodes[*j].lines.is_empty()
                    && self.nodes[*j].ink.iter().all(|s| s.width() > s.height())
            });
            if let Some(j) = arrow {
                self.nodes[i].role = Verdict::Is(Role::Combobox);
                self.nodes[i].rect.outer = b.union(&self.nodes[j].rect.outer);
                self.nodes[j].role = Verdict::Part;
            }
        }
    }

    fn into_elements(self) -> Vec<Element> {
        let mut used = vec![false; self.lines.len()];
        let mut elements = Vec::new();
        let mut fields = Vec::new();
        let mut boxes: Vec<ImageRect> = Vec::new();
        // Between a box to tick and its words a picture may stand, as in a list of mails.
        let mut no_pictures: Vec<ImageRect> = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let Verdict::Is(role) = node.role else { continue };
            let lines = self.lines_within(i);
            if role == Role::Cell && (lines.is_empty() || lines.iter().any(|l| is_link(&self.lines[*l]))) {
                continue;
            }
            for c in &node.children {
                for l in &self.nodes[*c].lines {
                    used[*l] = true;
                }
            }
            for l in &node.lines {
                used[*l] = true;
            }
            if role != Role::Cell {
                boxes.push(node.rect.outer);
                if role != Role::Icon {
                    no_pictures.push(node.rect.outer);
                }
            }
            if role.is_field() {
                fields.push(elements.len());
            }
            elements.push(self.control(i, role, &lines));
        }
        let words: Vec<(usize, Words)> = self
            .lines
            .iter()
            .enumerate()
            .filter(|(l, _)| !used[*l])
            .map(|(l, line)| (l, Words { text: line.text.clone(), bbox: line.bbox, is_cell: false }))
            .collect();
        let mut free: Vec<Words> = words.iter().map(|(_, w)| w.clone()).collect();
        let ids: Vec<usize> = words.iter().map(|(l, _)| *l).collect();
        let marks: Vec<ImageRect> = self.ticks.iter().map(|t| t.bbox).collect();
        let mut taken = vec![false; free.len()];
        // A box to tick at the start of a table's row or a list's is named by the words there, which stay where they are.
        let mut near_marks = free.clone();
        near_marks.extend(self.words_of_rows());
        for (t, mark) in self.ticks.iter().enumerate() {
            let beside = labels::words_beside(mark.bbox, &near_marks, &marks_and(&no_pictures, &marks, mark.bbox));
            let (text, bbox) = match beside {
                Some((w, true)) if taken.get(w) == Some(&false) => {
                    taken[w] = true;
                    used[ids[w]] = true;
                    (free[w].text.clone(), mark.bbox.union(&free[w].bbox))
                }
                Some((w, _)) => (near_marks[w].text.clone(), mark.bbox),
                None => (String::new(), mark.bbox),
            };
            if text.is_empty() && !mark.proven && !self.has_mate(t) {
                // A box with no words and no other box above or below is a picture.
                elements.push(element(Role::Icon, text, bbox, Vec::new(), 0.5, Source::Shape));
                continue;
            }
            let role = match mark.outline {
                Outline::Square => Role::Checkbox,
                Outline::Circle | Outline::Diamond => Role::Radio,
            };
            let state = if mark.ticked { State::Checked } else { State::Unchecked };
            elements.push(element(role, text.clone(), bbox, vec![state], 0.9, Source::Shape));
            if let Some(e) = elements.last_mut() {
                e.label = labels::clean(&text);
            }
        }
        // Words of a checkbox name no field.
        let mut ticked: Vec<Words> = Vec::new();
        for (w, t) in taken.iter().enumerate() {
            if *t {
                ticked.push(free[w].clone());
                free[w].bbox = ImageRect::zero();
            }
        }
        let heads: Vec<Words> = elements
            .iter()
            .filter(|e| e.role == Role::Cell)
            .map(|e| Words { text: e.text.clone(), bbox: e.bbox, is_cell: true })
            .collect();
        free.extend(heads);
        let obstacles: Vec<ImageRect> = boxes.iter().chain(&marks).copied().collect();
        let cells = elements.iter().filter(|e| e.role == Role::Cell).map(|e| e.bbox);
        let table: Vec<ImageRect> = fields.iter().map(|f| elements[*f].bbox).chain(cells).collect();
        let nameless: Vec<usize> = fields.iter().copied().filter(|f| elements[*f].label.is_empty()).collect();
        let places: Vec<ImageRect> = nameless.iter().map(|f| elements[*f].bbox).collect();
        let around = Around { words: &free, obstacles: &obstacles, boxes: &table, ticked: &ticked };
        let hint = |e: &Element| if e.value.as_deref() == Some("") { e.text.clone() } else { String::new() };
        let hints: Vec<String> = nameless.iter().map(|f| hint(&elements[*f])).collect();
        for (f, name) in nameless.into_iter().zip(forms::names(&places, &hints, &around)) {
            elements[f].label = name;
        }
        let taken: Vec<ImageRect> = self.lines.iter().map(|l| l.bbox).chain(obstacles.iter().copied()).collect();
        for icon in bars::loose_icons(self.shapes, &taken) {
            let caption = (0..self.lines.len()).find(|l| !used[*l] && is_caption(icon, self.lines[*l].bbox));
            match caption {
                Some(l) => {
                    used[l] = true;
                    let bbox = icon.union(&self.lines[l].bbox);
                    elements.push(element(
                        Role::Button,
                        self.lines[l].text.clone(),
                        bbox,
                        Vec::new(),
                        0.7,
                        Source::Shape,
                    ));
                }
                None => elements.push(element(Role::Icon, String::new(), icon, Vec::new(), 0.5, Source::Shape)),
            }
        }
        for (l, line) in self.lines.iter().enumerate() {
            if !used[l] {
                let role = if is_link(line) { Role::Link } else { Role::Text };
                elements.push(element(role, line.text.clone(), line.bbox, Vec::new(), line.confidence, Source::Ocr));
            }
        }
        elements
    }

    /// The words in the cells of tables and the rows of lists.
    fn words_of_rows(&self) -> Vec<Words> {
        let rows = self.nodes.iter().filter(|n| matches!(n.role, Verdict::Is(Role::Cell | Role::Listitem)));
        let lines = rows.flat_map(|n| &n.lines).map(|l| &self.lines[*l]);
        lines.map(|line| Words { text: line.text.clone(), bbox: line.bbox, is_cell: true }).collect()
    }

    /// Whether another mark of the same size stands in the same column, as in a table's first column.
    fn has_mate(&self, tick: usize) -> bool {
        let Some(m) = self.ticks.get(tick).map(|mark| mark.bbox) else { return false };
        self.ticks.iter().enumerate().filter(|(t, _)| *t != tick).any(|(_, mark)| {
            let o = mark.bbox;
            (o.width() - m.width()).abs() <= 1 && (o.center().x - m.center().x).abs() <= 2
        })
    }

    fn control(&self, i: usize, role: Role, lines: &[usize]) -> Element {
        let node = &self.nodes[i];
        let in_field = role.is_field().then(|| values::lines_to_write_in(&self.nodes, i, lines, &self.lines));
        let lines = in_field.as_deref().unwrap_or(lines);
        let text = lines.iter().map(|l| self.lines[*l].text.as_str()).collect::<Vec<_>>().join(" ");
        let confidence = lines.iter().map(|l| self.lines[*l].confidence).fold(0.9f32, f32::min);
        let limit = if role == Role::Textbox { self.placeholder } else { FAINT };
        let faint = !lines.is_empty() && lines.iter().all(|l| values::is_faint(&self.lines[*l], limit));
        let mut e = element(role, text, node.rect.outer, Vec::new(), confidence, Source::Shape);
        match role {
            Role::Textbox | Role::Combobox => {
                // Faint words in an empty field are its placeholder: they are its text, not its value.
                let is_hint = faint && role == Role::Textbox && e.text.chars().any(char::is_alphabetic);
                let is_placeholder = is_hint && !values::is_shut(&self.nodes, i, |j| self.color_around(j));
                e.value = Some(if is_placeholder { String::new() } else { e.text.clone() });
                if let Some((label, value)) = values::label_inside(lines.iter().map(|l| &self.lines[*l]).collect()) {
                    e.label = labels::clean(&label);
                    e.value = Some(value);
                }
                if lines.is_empty() {
                    e.value = Some(values::hidden_signs(&node.ink));
                }
            }
            Role::Button if faint => e.state.push(State::Disabled),
            _ => {}
        }
        e
    }
}

/// What points at the right end of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Arrow {
    Down,
    UpDown,
}

fn element(role: Role, text: String, bbox: ImageRect, state: Vec<State>, confidence: f32, source: Source) -> Element {
    Element {
        id: 0,
        role,
        text,
        label: String::new(),
        group: String::new(),
        value: None,
        state,
        bbox,
        confidence,
        source,
    }
}

/// Whether words stand centred right below a picture, as in a toolbar.
fn is_caption(icon: ImageRect, words: ImageRect) -> bool {
    (0..=8).contains(&(words.min.y - icon.max.y))
        && (words.center().x - icon.center().x).abs() <= 4
        && words.width() <= 90
}

fn marks_and(boxes: &[ImageRect], marks: &[ImageRect], me: ImageRect) -> Vec<ImageRect> {
    boxes.iter().chain(marks.iter().filter(|m| **m != me)).copied().collect()
}

/// Words in a link's colour.
pub(super) fn is_link(line: &Line) -> bool {
    let [r, g, b] = line.ink.map(i32::from);
    pixels::saturation(line.ink) >= 70 && b > r + 40 && b >= g && pixels::saturation(line.ground) < 40
}

/// Sorts by rows (elements whose middles are within half a height share one), then from left to right; numbers them.
fn in_reading_order(elements: &mut [Element]) {
    elements.sort_by_key(|e| (e.bbox.center().y, e.bbox.min.x));
    let mut start = 0;
    while start < elements.len() {
        let first = elements[start].bbox;
        let reach = (first.height() / 2).clamp(6, 14);
        let row = elements[start..].iter().take_while(|e| e.bbox.center().y - first.center().y <= reach).count();
        elements[start..start + row].sort_by_key(|e| e.bbox.min.x);
        start += row.max(1);
    }
    for (id, e) in (1u32..).zip(elements.iter_mut()) {
        e.id = id;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vision::drawing::{Drawing, PANEL, WHITE};
    use crate::vision::lines;
    use crate::vision::ocr::{ReadText, TextBox};
    use crate::vision::pixels::rect;

    /// A drawing with words that were read; each text takes as many pixels as `Drawing::words` gives it.
    struct Dialog {
        drawing: Drawing,
        lines: Vec<Line>,
    }

    impl Dialog {
        fn new(drawing: Drawing) -> Dialog {
            Dialog { drawing, lines: Vec::new() }
        }

        fn text(self, x: i32, y: i32, text: &str) -> Dialog {
            self.colored(x, y, text, 0)
        }

        fn colored(mut self, x: i32, y: i32, text: &str, ink: u8) -> Dialog {
            let width = 6 * text.chars().count() as i32;
            let ground = pixels::at(&self.drawing.0, x, y);
            self.drawing = self.drawing.words(x, y, width, ink);
            let bbox = Drawing::words_box(x, y, width);
            self.lines.push(Line { bbox, text: text.to_owned(), confidence: 0.99, ink: [ink; 3], ground });
            self
        }

        /// `role text|label|value|states` of each element.
        fn seen(self) -> Vec<String> {
            let shapes = Shapes::of(&self.drawing.0);
            elements(&self.drawing.0, &shapes, self.lines, &[])
                .iter()
                .map(|e| {
                    let value = e.value.as_ref().map(|v| format!("={v}")).unwrap_or_default();
                    let states: String = e.state.iter().map(|s| format!(" {s:?}").to_lowercase()).collect();
                    format!("{} {}|{}{value}{states}", e.role.name(), e.text, e.label)
                })
                .collect()
        }
    }

    const ARROW: [&str; 5] = ["#########", ".#######.", "..#####..", "...###...", "....#...."];

    #[test]
    fn fields_take_their_labels_and_buttons_stay_buttons() {
        let drawing = Drawing::new(400, 160, PANEL)
            .sunken(rect(100, 10, 300, 32), WHITE)
            .sunken(rect(100, 40, 300, 62), WHITE)
            .boxed(rect(100, 80, 180, 106), 120, 225)
            .boxed(rect(200, 80, 280, 106), 120, 225);
        let dialog = Dialog::new(drawing)
            .text(10, 16, "Customer:")
            .text(106, 16, "Sample Ltd")
            .text(10, 46, "Code")
            .text(128, 88, "Save")
            .text(222, 88, "Cancel");
        assert_eq!(
            dialog.seen(),
            [
                "text Customer:|",
                "textbox Sample Ltd|Customer=Sample Ltd",
                "text Code|",
                "textbox |Code=",
                "button Save|",
                "button Cancel|",
            ]
        );
    }

    #[test]
    fn an_arrow_at_the_right_end_makes_a_combobox() {
        let drawing = Drawing::new(400, 60, PANEL).boxed(rect(100, 10, 260, 34), 120, WHITE).sign(244, 19, &ARROW, 40);
        let seen = Dialog::new(drawing).text(20, 17, "Terms").text(106, 17, "Monthly").seen();
        assert_eq!(seen, ["text Terms|", "combobox Monthly|Terms=Monthly"]);
    }

    #[test]
    fn a_separate_arrow_button_belongs_to_the_field_beside_it() {
        let drawing = Drawing::new(400, 60, PANEL)
            .sunken(rect(100, 10, 240, 34), WHITE)
            .boxed(rect(240, 10, 260, 34), 90, 225)
            .sign(246, 19, &ARROW, 0);
        let seen = Dialog::new(drawing).text(20, 17, "Terms").text(106, 17, "Cash").seen();
        assert_eq!(seen, ["text Terms|", "combobox Cash|Terms=Cash"]);
    }

    #[test]
    fn faint_words_in_a_field_are_its_placeholder() {
        let drawing = Drawing::new(300, 60, PANEL).boxed(rect(20, 10, 220, 36), 150, WHITE);
        assert_eq!(Dialog::new(drawing).colored(28, 18, "Search", 150).seen(), ["textbox Search|Search="]);
    }

    #[test]
    fn a_faint_button_is_disabled() {
        let drawing = Drawing::new(300, 60, PANEL).boxed(rect(20, 10, 120, 36), 150, 225);
        assert_eq!(Dialog::new(drawing).colored(56, 18, "Apply", 150).seen(), ["button Apply| disabled"]);
    }

    #[test]
    fn boxes_and_circles_take_the_words_right_of_them() {
        let circle = rect(20, 40, 33, 53);
        let drawing = Drawing::new(300, 80, WHITE)
            .boxed(rect(20, 10, 33, 23), 60, WHITE)
            .disc(circle, 60)
            .disc(circle.inflate(-1, -1), WHITE)
            .disc(circle.inflate(-4, -4), 60);
        let seen = Dialog::new(drawing).text(40, 12, "Urgent").text(40, 42, "Cash").seen();
        assert_eq!(seen, ["checkbox Urgent|Urgent unchecked", "radio Cash|Cash checked"]);
    }

    #[test]
    fn a_table_gives_cells_not_fields() {
        let mut drawing = Drawing::new(400, 140, WHITE);
        for row in 0..3 {
            for column in 0..3 {
                let (x, y) = (20 + 100 * column, 20 + 24 * row);
                drawing = drawing.boxed(rect(x, y, x + 101, y + 25), 150, WHITE);
            }
        }
        let seen = Dialog::new(drawing).text(26, 28, "Item").text(26, 52, "Rope").text(126, 52, "12").seen();
        assert_eq!(seen, ["cell Item|", "cell Rope|", "cell 12|"]);
    }

    #[test]
    fn a_row_of_short_words_is_a_menu_bar() {
        let dialog =
            Dialog::new(Drawing::new(400, 60, PANEL)).text(10, 10, "File").text(50, 10, "Edit").text(90, 10, "Help");
        assert_eq!(dialog.seen(), ["menuitem File|", "menuitem Edit|", "menuitem Help|"]);
    }

    #[test]
    fn ids_follow_the_reading_order_from_one() {
        let dialog = Dialog::new(Drawing::new(300, 100, WHITE))
            .text(200, 12, "second")
            .text(10, 10, "first")
            .text(10, 50, "third");
        let shapes = Shapes::of(&dialog.drawing.0);
        let seen = elements(&dialog.drawing.0, &shapes, dialog.lines, &[]);
        assert_eq!(
            seen.iter().map(|e| (e.id, e.text.as_str())).collect::<Vec<_>>(),
            [(1, "first"), (2, "second"), (3, "third")]
        );
    }

    fn noise() -> impl Strategy<Value = RgbImage> {
        (1u32..48, 1u32..48).prop_flat_map(|(w, h)| {
            // Few colours make large areas, many make dust.
            prop::collection::vec(prop::sample::select(vec![0u8, 3, 128, 212, 255]), (3 * w * h) as usize)
                .prop_map(move |raw| RgbImage::from_raw(w, h, raw).unwrap_or_default())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn whatever_the_picture_boxes_lie_in_it(image in noise(), x in -9..60i32, y in -9..60i32, w in 0..60i32, h in 0..40i32) {
            let shapes = Shapes::of(&image);
            let found = [TextBox { rect: rect(x, y, x + w, y + h), score: 0.9 }];
            let pieces = lines::pieces(&image, &shapes, &found);
            let texts = pieces.iter().map(|_| ReadText { text: "ab".into(), confidence: 0.99, chars: Vec::new() }).collect();
            let read = lines::assemble(&image, &shapes, pieces, texts, &[]);
            let frame = pixels::frame(&image);
            for e in elements(&image, &shapes, read, &[]) {
                prop_assert!(frame.contains_box(&e.bbox), "{:?} outside {:?}", e, frame);
            }
            lines::text_inside(&image, rect(x, y, x + w, y + h));
        }
    }
}
