//! From loose text boxes to exact pieces of text: cut at borders, marks and wide gaps, tightened to the ink.
//!
//! The detection network joins what stands on one line (a menu bar, a group of radio buttons, a label and its field).
//! The ink inside its boxes tells where one piece ends and the next begins, to the pixel.

use image::RgbImage;
use image::imageops;

use super::detector::Seen;
use super::evidence;
use super::ocr::{CharBox, ReadText, TextBox, Tiles};
use super::pixels::{self, Rgb, rect};
use super::shapes::Shapes;
use super::shapes::regions::{Blob, Region, Segments};
use crate::scene::ImageRect;

/// A gap is wide when it exceeds this share of the line's tallest letter: words are a third of it apart, Chinese
/// punctuation leaves two thirds blank, menu entries are nearly a whole one apart.
const WIDE_GAP: f32 = 0.75;
const MIN_WIDE_GAP: i32 = 8;
/// A read line below this is noise (an icon, a picture).
const MIN_CONFIDENCE: f32 = 0.5;
/// A lone ideograph that no icon looks like is a word (a unit, mostly) from here on.
const LONE_WORD: f32 = 0.9;

/// A piece of text before it is read.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// What the recognition network gets.
    pub crop: ImageRect,
    /// The extent of the ink.
    pub tight: ImageRect,
    /// The number of the network's box that it was cut from; none for ink that only a rectangle hints at.
    pub from: Option<usize>,
}

/// A piece of text after it was read.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub bbox: ImageRect,
    pub text: String,
    pub confidence: f32,
    /// The colour of the letters and what they stand on.
    pub ink: Rgb,
    pub ground: Rgb,
}

/// Where on the picture text may be: wherever there is ink of a letter's or a word's size. Borders and lines are not.
pub(super) fn content(shapes: &Shapes) -> Tiles {
    let segments = &shapes.segments;
    let mut tiles = Tiles::none(segments.width, segments.height);
    for blob in &segments.blobs {
        let b = blob.bbox;
        // Text on a picture hangs together with it, in a large and dense blob.
        let is_dense = blob.area as f32 >= 0.15 * b.area() as f32;
        let is_line = b.width().min(b.height()) <= 3 && b.width().max(b.height()) >= 24;
        if !is_line && b.height() >= 3 && (b.height() <= 80 && b.width() <= 400 || is_dense) {
            tiles.mark(b);
        }
    }
    for region in segments.regions.iter().filter(|r| r.thick && r.bbox.height() <= 80 && r.bbox.width() <= 80) {
        tiles.mark(region.bbox);
    }
    tiles
}

/// All pieces of text worth reading.
pub(super) fn pieces(image: &RgbImage, shapes: &Shapes, found: &[TextBox]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (number, b) in found.iter().enumerate() {
        pieces.extend(cut(shapes, b.rect).into_iter().map(|piece| Piece { from: Some(number), ..piece }));
    }
    join_neighbours(shapes, &mut pieces);
    let lone = lone_ink(shapes, &pieces);
    pieces.extend(lone);
    for piece in &mut pieces {
        piece.crop = pixels::clip(piece.crop, image);
        piece.tight = pixels::clip(piece.tight, image);
    }
    pieces.retain(|piece| !piece.crop.is_empty() && !piece.tight.is_empty());
    pieces
}

/// The network sometimes ends a box between two words: what stands a word's gap apart in one place is one piece.
fn join_neighbours(shapes: &Shapes, pieces: &mut Vec<Piece>) {
    pieces.sort_by_key(|p| p.tight.min.x);
    let mut joined: Vec<Piece> = Vec::new();
    for piece in pieces.drain(..) {
        let b = piece.tight;
        let fits = |known: &Piece| {
            let a = known.tight;
            // What was cut apart stays apart.
            let is_cut = known.from == piece.from;
            let overlap = a.max.y.min(b.max.y) - a.min.y.max(b.min.y);
            let gap = b.min.x - a.max.x;
            !is_cut
                && 10 * overlap >= 7 * a.height().min(b.height())
                && 10 * a.height().min(b.height()) >= 6 * a.height().max(b.height())
                && (-2..=(3 * a.height().max(b.height()) / 5).max(6)).contains(&gap)
                && container_of(shapes, a) == container_of(shapes, b)
                && !has_mark_between(shapes, a.max.x, b)
                && !(is_underlined(&shapes.segments, a) && is_underlined(&shapes.segments, b))
        };
        match joined.iter_mut().find(|known| fits(known)) {
            Some(known) => {
                known.tight = known.tight.union(&b);
                known.crop = known.crop.union(&piece.crop);
            }
            None => joined.push(piece),
        }
    }
    *pieces = joined;
}

/// Joins pieces with what was read in them; drops what is no text.
pub(super) fn assemble(
    image: &RgbImage,
    shapes: &Shapes,
    pieces: Vec<Piece>,
    texts: Vec<ReadText>,
    seen: &[Seen],
) -> Vec<Line> {
    let things = evidence::made_of_words(seen);
    let mut lines = Vec::new();
    for (piece, read) in pieces.into_iter().zip(texts) {
        let is_lone = read.text.chars().count() == 1;
        let sure = read.text.chars().all(is_word_alone);
        let needed = match is_lone {
            true if sure => LONE_WORD.min(lone_confidence(shapes, piece.tight)),
            true => lone_confidence(shapes, piece.tight),
            false => MIN_CONFIDENCE,
        };
        if read.text.is_empty() || read.confidence < needed {
            continue;
        }
        let ground = ground_color(image, shapes, piece.tight);
        let ink = ink_color(image, piece.tight, ground);
        for part in split(&read.chars, piece.tight, &things) {
            lines.push(Line { bbox: part.1, text: part.0, confidence: read.confidence, ink, ground });
        }
    }
    join_at_punctuation(&mut lines);
    lines.sort_by_key(|l| (l.bbox.min.y, l.bbox.min.x));
    lines
}

/// Chinese punctuation takes as much room as a letter, most of it blank: what was cut there is one line.
fn join_at_punctuation(lines: &mut Vec<Line>) {
    lines.sort_by_key(|l| l.bbox.min.x);
    let mut joined: Vec<Line> = Vec::new();
    for line in lines.drain(..) {
        let continues = |known: &&mut Line| {
            let (a, b) = (known.bbox, line.bbox);
            let height = a.height().max(b.height());
            let is_cut = known.text.ends_with(['，', '、', '；', '。', '）', '”', '》'])
                || line.text.starts_with(['（', '“', '《']);
            is_cut
                && (-2..=5 * height / 4).contains(&(b.min.x - a.max.x))
                && (a.center().y - b.center().y).abs() <= height / 3
                && pixels::distance(known.ink, line.ink) <= 48
                && pixels::distance(known.ground, line.ground) <= 8
        };
        match joined.iter_mut().find(continues) {
            Some(known) => {
                known.text.push_str(&line.text);
                known.bbox = known.bbox.union(&line.bbox);
                known.confidence = known.confidence.min(line.confidence);
            }
            None => joined.push(line),
        }
    }
    *lines = joined;
}

pub(super) fn is_ideograph(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}

/// Ideographs and unit signs, but for those that look like icons: boxes and grids.
fn is_word_alone(c: char) -> bool {
    const LIKE_ICONS: &str = "口日目田回囗凸凹由甲申自白百皿四西旧国固因困圆区匠匹一二三十大个中工王土士上下山门";
    (is_ideograph(c) && !LIKE_ICONS.contains(c)) || matches!(c, '℃' | '％' | '￥')
}

/// A lone sign is as often an icon as a letter; in a place wide enough for words it is rather a letter.
fn lone_confidence(shapes: &Shapes, tight: ImageRect) -> f32 {
    let is_mark = |m: &super::shapes::marks::Mark| 2 * pixels::intersection_area(m.bbox, tight) > tight.area();
    if shapes.marks.iter().any(is_mark) {
        return f32::INFINITY;
    }
    let place = container_of(shapes, tight).and_then(|c| shapes.rects.get(c)).map(|r| r.outer);
    if place.is_some_and(|p| p.width() >= 60 && p.height() <= 66) { 0.95 } else { 0.985 }
}

/// Splits a read line where its characters stand further apart than twice its height (the ink has done most of it; this
/// is for text on pictures and gradients, where no ink could be told from its ground), and between two things that the
/// detector tells apart, as the entries of a menu bar.
fn split(chars: &[CharBox], tight: ImageRect, things: &[ImageRect]) -> Vec<(String, ImageRect)> {
    let height = tight.height() as f32;
    let y = tight.center().y;
    let thing_at = |c: &CharBox| {
        let x = ((c.x0 + c.x1) / 2.0) as i32;
        things.iter().position(|t| (t.min.x..t.max.x).contains(&x) && (t.min.y..t.max.y).contains(&y))
    };
    let mut parts: Vec<Vec<CharBox>> = vec![Vec::new()];
    let mut last: Option<(f32, Option<usize>)> = None;
    let mut last_char = None;
    for c in chars.iter().skip_while(|c| c.ch.is_whitespace()) {
        if !c.ch.is_whitespace() {
            let thing = thing_at(c);
            let limit: f32 = match last {
                Some((_, before)) if before != thing => {
                    if before.is_some() && thing.is_some() {
                        0.25
                    } else {
                        0.6
                    }
                }
                Some(_) | None => 2.0,
            };
            // Of an ideograph only the middle is placed.
            let limit = if is_ideograph(c.ch) && last_char.is_some_and(is_ideograph) { limit.max(0.9) } else { limit };
            if last.is_some_and(|(end, _)| c.x0 - end > limit * height) {
                parts.push(Vec::new());
            }
            last = Some((c.x1, thing));
            last_char = Some(c.ch);
        }
        if let Some(part) = parts.last_mut() {
            part.push(*c);
        }
    }
    if parts.len() == 1 {
        return vec![(chars.iter().map(|c| c.ch).collect(), tight)];
    }
    parts
        .into_iter()
        .filter_map(|part| {
            let text: String = part.iter().map(|c| c.ch).collect();
            let visible = part.iter().filter(|c| !c.ch.is_whitespace());
            let x0 = visible.clone().map(|c| c.x0).fold(f32::MAX, f32::min);
            let x1 = visible.map(|c| c.x1).fold(f32::MIN, f32::max);
            (x1 > x0).then(|| (text.trim().to_owned(), rect(x0 as i32, tight.min.y, x1.ceil() as i32, tight.max.y)))
        })
        .collect()
}

/// One stroke, letter or sign: ink that hangs together, or a thick letter.
#[derive(Debug, Clone, Copy)]
struct Unit {
    bbox: ImageRect,
    /// The smallest rectangle around it, as an index.
    container: Option<usize>,
}

/// Cuts one box of the detection network into pieces.
fn cut(shapes: &Shapes, found: ImageRect) -> Vec<Piece> {
    let units = units_in(shapes, found);
    if units.is_empty() {
        let is_mark = shapes.marks.iter().any(|m| m.sure && found.contains(m.bbox.center()));
        let piece = Piece { crop: found, tight: found.inflate(-1, -2), from: None };
        return if is_mark { Vec::new() } else { vec![piece] };
    }
    groups_of(shapes, units).iter().filter_map(|g| piece_of(shapes, g)).collect()
}

/// Puts the strokes of one line together that belong to one piece of text, from left to right.
fn groups_of(shapes: &Shapes, mut units: Vec<Unit>) -> Vec<Vec<Unit>> {
    units.sort_by_key(|u| u.bbox.min.x);
    let tallest = units.iter().map(|u| u.bbox.height()).max().unwrap_or(0);
    let limit =
        ((tallest as f32 * WIDE_GAP).round() as i32).max(MIN_WIDE_GAP) + (2 * usual_gap(&units) - 2).clamp(0, 3);
    let right_end = units.iter().map(|u| u.bbox.max.x).max().unwrap_or(0);
    let mut groups: Vec<Vec<Unit>> = Vec::new();
    let mut end = i32::MIN;
    for unit in units {
        let is_new = match groups.last().map(Vec::as_slice) {
            None | Some([]) => true,
            Some(group @ [.., last]) => {
                let gap = unit.bbox.min.x - end;
                let is_link = |u: &Unit| is_underlined(&shapes.segments, u.bbox);
                gap > limit
                    || (last.container != unit.container && gap >= 0)
                    || has_mark_between(shapes, end, unit.bbox)
                    || (gap >= 3 && is_link(&unit) && group.iter().any(is_link))
                    || is_trailing_arrow(unit.bbox, gap, right_end)
                    || is_leading_picture(group, unit.bbox, tallest)
            }
        };
        if is_new {
            groups.push(Vec::new());
            end = i32::MIN;
        }
        end = end.max(unit.bbox.max.x);
        if let Some(group) = groups.last_mut() {
            group.push(unit);
        }
    }
    groups
}

/// The median gap between letters; fonts of fixed pitch space letters and words widely.
fn usual_gap(units: &[Unit]) -> i32 {
    let mut gaps: Vec<i32> =
        units.windows(2).map(|p| p[1].bbox.min.x - p[0].bbox.max.x).filter(|gap| *gap > 0).collect();
    gaps.sort_unstable();
    // A line of few words has few gaps: only a longer one tells its pitch.
    if gaps.len() < 8 { 0 } else { gaps[gaps.len() / 2] }
}

/// Links that stand close together are told apart by their underlines, which join the letters of each.
fn is_underlined(segments: &Segments, b: ImageRect) -> bool {
    let drawn = |y: i32| (b.min.x..b.max.x).filter(|x| segments.is_ink(*x, y)).count() as i32;
    b.width() >= 10 && (1..=2).any(|up| 10 * drawn(b.max.y - up) >= 9 * b.width())
}

/// A picture before the words (a magnifier in a search field) is taller than the letters and squarish.
fn is_leading_picture(group: &[Unit], next: ImageRect, tallest: i32) -> bool {
    let [first] = group else { return false };
    let b = first.bbox;
    let squarish = (b.width() - b.height()).abs() <= 3 && b.height() >= 12;
    squarish && b.height() >= tallest && next.min.x - b.max.x >= 4 && 5 * next.height() <= 4 * b.height()
}

/// The arrow of a drop-down list right after its words: flat, higher than a dash, the last on its line.
fn is_trailing_arrow(b: ImageRect, gap: i32, right_end: i32) -> bool {
    let flat = (6..=14).contains(&b.width()) && (4..=9).contains(&b.height()) && 10 * b.width() >= 13 * b.height();
    flat && gap >= 3 && b.max.x == right_end
}

fn has_mark_between(shapes: &Shapes, from: i32, unit: ImageRect) -> bool {
    shapes.marks.iter().any(|m| {
        m.sure
            && m.bbox.min.x >= from - 1
            && m.bbox.max.x <= unit.min.x + 1
            && m.bbox.min.y < unit.max.y
            && unit.min.y < m.bbox.max.y
    })
}

/// The piece that some strokes make.
fn piece_of(shapes: &Shapes, units: &[Unit]) -> Option<Piece> {
    let tight = units.iter().map(|u| u.bbox).reduce(|a, b| a.union(&b))?;
    let crop = line_crop(tight);
    let bounds = units.first().and_then(|u| u.container).and_then(|c| shapes.rects.get(c)).map(|r| r.inner);
    let crop = bounds.map_or(crop, |inner| pixels::clip_to(crop, inner.union(&tight)));
    Some(Piece { crop, tight, from: None })
}

/// The crop that the recognition network reads best: a little margin around the ink, and flat signs (a dash, dots)
/// not blown up. It depends on the ink alone, so that the same words give the same crop however they were found.
fn line_crop(tight: ImageRect) -> ImageRect {
    let middle = tight.center().y;
    let y0 = (tight.min.y - 3).min(middle - 8);
    let y1 = (tight.max.y + 3).max(middle + 8);
    let margin = (y1 - y0) / 6 + 1;
    rect(tight.min.x - margin, y0, tight.max.x + margin, y1)
}

/// The strokes of the text in `found`. Borders, marks and whatever reaches far beyond the box are left out.
fn units_in(shapes: &Shapes, found: ImageRect) -> Vec<Unit> {
    let segments = &shapes.segments;
    let bounds = found.inflate(found.height() / 2, (found.height() / 5).max(3));
    // The box may be larger than the button it is in; in its middle the button's face prevails.
    let surface = segments.surface(found.inflate(-found.width() / 8, -found.height() / 4));
    let mut blobs = Vec::new();
    let mut regions = Vec::new();
    for y in found.min.y..found.max.y {
        for x in found.min.x..found.max.x {
            if let Some(blob) = segments.blob_at(x, y) {
                push_new(&mut blobs, blob);
            } else if let Some(region) = segments.region_at(x, y)
                && Some(region) != surface
            {
                push_new(&mut regions, region);
            }
        }
    }
    let boxes = blobs
        .iter()
        .filter_map(|b| segments.blobs.get(*b))
        .filter(|b| !is_rim(b))
        .map(|b| b.bbox)
        .chain(regions.iter().filter_map(|r| segments.regions.get(*r)).filter(|r| !is_patch(r)).map(|r| r.bbox));
    boxes
        .filter(|b| bounds.contains_box(b) && found.contains(b.center()))
        .filter(|b| !shapes.rects.iter().any(|r| r.outer == *b || r.inner == *b))
        .filter(|b| !shapes.marks.iter().any(|m| m.sure && m.bbox.inflate(2, 2).contains_box(b)))
        .map(|bbox| Unit { bbox, container: container_of(shapes, bbox).filter(|c| !is_across(shapes, *c, found)) })
        .collect()
}

/// Whether the upper border of a rectangle runs through the middle of a text: its label, in a gap of the border.
fn is_across(shapes: &Shapes, number: usize, found: ImageRect) -> bool {
    let middle = found.inflate(0, -found.height() / 4);
    shapes.rects.get(number).is_some_and(|r| (middle.min.y..middle.max.y).contains(&r.outer.min.y))
}

/// Thin ink along the sides of something wide: part of a border, not of a letter.
fn is_rim(blob: &Blob) -> bool {
    blob.bbox.width() >= 24 && blob.bbox.height() >= 12 && 10 * (blob.area as i32) < blob.bbox.area()
}

/// A solid area too wide for a letter's stroke: the face of a button, marked text.
fn is_patch(region: &Region) -> bool {
    let b = region.bbox;
    b.width().min(b.height()) >= 10 && 10 * region.area as i32 >= 6 * b.area()
}

fn push_new(list: &mut Vec<usize>, value: usize) {
    // Neighbouring pixels mostly repeat the last ones.
    if !list.iter().rev().any(|known| *known == value) {
        list.push(value);
    }
}

/// The smallest rectangle that contains a box.
fn container_of(shapes: &Shapes, b: ImageRect) -> Option<usize> {
    let center = b.center();
    shapes
        .rects
        .iter()
        .enumerate()
        .filter(|(_, r)| r.outer.contains(center) && r.outer.contains_box(&b) && r.outer != b)
        .min_by_key(|(_, r)| r.outer.area())
        .map(|(i, _)| i)
}

/// Small rectangles with ink in which the network saw no text: lone digits and signs, which it often misses.
fn lone_ink(shapes: &Shapes, known: &[Piece]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (number, r) in shapes.rects.iter().enumerate() {
        let inner = r.inner;
        if !(12..=64).contains(&inner.height()) || r.surface.is_none() {
            continue;
        }
        let is_leaf = !shapes.rects.iter().skip(number + 1).any(|o| r.inner.contains_box(&o.outer));
        if !is_leaf || known.iter().any(|p| inner.intersects(&p.tight)) {
            continue;
        }
        let mut blobs = Vec::new();
        for y in inner.min.y..inner.max.y {
            for x in inner.min.x..inner.max.x {
                if let Some(blob) = shapes.segments.blob_at(x, y) {
                    push_new(&mut blobs, blob);
                }
            }
        }
        let boxes: Vec<ImageRect> =
            blobs.iter().filter_map(|b| shapes.segments.blobs.get(*b)).map(|b| b.bbox).collect();
        if boxes.is_empty() || boxes.iter().any(|b| !inner.contains_box(b)) {
            continue;
        }
        let tight = boxes.iter().skip(1).fold(boxes[0], |sum, b| sum.union(b));
        if tight.height() > 28 || tight.width() > 3 * tight.height().max(8) {
            continue;
        }
        let crop = pixels::clip_to(line_crop(tight), inner);
        pieces.push(Piece { crop, tight, from: None });
    }
    pieces
}

/// Where text stands in a known box (a field, a button), row by row: without its border, its arrow, its box to tick
/// and the text cursor. Nothing when the box is empty.
pub(super) fn text_inside(image: &RgbImage, area: ImageRect) -> Vec<Vec<Piece>> {
    let area = pixels::clip(area, image);
    if area.is_empty() {
        return Vec::new();
    }
    let [x, y, w, h] = [area.min.x, area.min.y, area.width(), area.height()].map(|v| v.max(0) as u32);
    let shapes = Shapes::of(&imageops::crop_imm(image, x, y, w, h).to_image());
    let whole = rect(0, 0, area.width(), area.height());
    // The field's own face, if its border is in the picture; its arrow button is another rectangle.
    let face = shapes.rects.iter().filter(|r| 2 * r.inner.area() > whole.area()).map(|r| r.inner).next_back();
    let interior = face.unwrap_or(whole);
    let mut units = strokes_of(&shapes, interior);
    drop_caret(&mut units, interior.height());
    let to_picture = area.min.to_vector();
    let mut rows = Vec::new();
    for row in rows_of(units) {
        let mut groups = groups_of(&shapes, row);
        if groups.last().is_some_and(|g| is_end_sign(g, interior)) {
            groups.pop();
        }
        let pieces = groups.iter().filter_map(|g| piece_of(&shapes, g));
        rows.push(
            pieces
                .map(|p| Piece {
                    crop: pixels::clip_to(p.crop, interior).translate(to_picture),
                    tight: p.tight.translate(to_picture),
                    from: None,
                })
                .collect(),
        );
    }
    rows
}

/// All strokes inside a box that are neither its border nor a mark.
fn strokes_of(shapes: &Shapes, interior: ImageRect) -> Vec<Unit> {
    let segments = &shapes.segments;
    let letters = segments.regions.iter().filter(|r| r.thick && !is_patch(r)).map(|r| r.bbox);
    let is_frame = |b: &ImageRect| {
        shapes.rects.iter().any(|r| r.outer == *b || r.inner == *b) && 3 * b.height() > 2 * interior.height()
    };
    segments
        .blobs
        .iter()
        .filter(|b| !is_rim(b))
        .map(|b| b.bbox)
        .chain(letters)
        .filter(|b| interior.contains_box(b) && *b != interior && !is_frame(b))
        .filter(|b| !shapes.marks.iter().any(|m| m.sure && m.bbox.inflate(2, 2).contains_box(b)))
        .map(|bbox| Unit { bbox, container: container_of(shapes, bbox) })
        .collect()
}

/// Strokes in rows: a blank line between two groups of at least a letter's height separates them.
fn rows_of(mut units: Vec<Unit>) -> Vec<Vec<Unit>> {
    units.sort_by_key(|u| u.bbox.min.y);
    let mut rows: Vec<(ImageRect, Vec<Unit>)> = Vec::new();
    for unit in units {
        match rows.last_mut() {
            Some((extent, row)) if unit.bbox.min.y <= extent.max.y + 1 || extent.height() < 6 => {
                *extent = extent.union(&unit.bbox);
                row.push(unit);
            }
            Some(_) | None => rows.push((unit.bbox, vec![unit])),
        }
    }
    // A row lower than a letter is the dots or the underline of the one above.
    let mut joined: Vec<(ImageRect, Vec<Unit>)> = Vec::new();
    for (extent, row) in rows {
        match joined.last_mut() {
            Some((above, units)) if extent.height() < 6 && extent.min.y - above.max.y < 8 => {
                *above = above.union(&extent);
                units.extend(row);
            }
            Some(_) | None => joined.push((extent, row)),
        }
    }
    joined.into_iter().map(|(_, row)| row).collect()
}

/// Whether a group at the right end of a field is its arrow (or its two arrows), not text.
fn is_end_sign(group: &[Unit], interior: ImageRect) -> bool {
    let Some(extent) = group.iter().map(|u| u.bbox).reduce(|a, b| a.union(&b)) else { return false };
    let at_end = interior.max.x - extent.min.x <= interior.height().clamp(18, 30) && interior.width() >= 60;
    let is_arrow = |b: ImageRect| {
        (5..=14).contains(&b.width()) && (3..=9).contains(&b.height()) && 10 * b.width() >= 13 * b.height()
    };
    at_end && !group.is_empty() && group.iter().all(|u| is_arrow(u.bbox))
}

/// Takes the text cursor away: a stroke one or two pixels wide, higher than every letter beside it (or, alone, higher
/// than a letter would be in a field of this height).
fn drop_caret(units: &mut Vec<Unit>, field_height: i32) {
    let boxes: Vec<ImageRect> = units.iter().map(|u| u.bbox).collect();
    let is_stroke = |b: &ImageRect| b.width() <= 2 && b.height() >= 10;
    let Some((at, caret)) =
        boxes.iter().copied().enumerate().filter(|(_, b)| is_stroke(b)).max_by_key(|(_, b)| b.height())
    else {
        return;
    };
    let others = boxes.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, b)| b);
    let tallest = others.clone().map(|b| b.height()).max();
    let is_caret = match tallest {
        None => 5 * caret.height() >= 3 * field_height,
        Some(tallest) => {
            caret.height() > tallest + 1 || (caret.height() > tallest && others.clone().all(|b| b.min.y > caret.min.y))
        }
    };
    if is_caret {
        units.remove(at);
    }
}

/// The colour that text stands on.
fn ground_color(image: &RgbImage, shapes: &Shapes, tight: ImageRect) -> Rgb {
    let area = tight.inflate(2, 2);
    match shapes.segments.surface(area).and_then(|s| shapes.segments.regions.get(s)) {
        // A gradient's mean may be far from the colour here, so the nearest pixel of the surface counts.
        Some(region) => {
            let corner = pixels::at(image, area.min.x, area.min.y);
            if pixels::distance(corner, region.color) < 48 { corner } else { region.color }
        }
        None => pixels::at(image, area.min.x, area.min.y),
    }
}

/// The mean colour of the pixels that differ most from the ground: the cores of the strokes.
fn ink_color(image: &RgbImage, tight: ImageRect, ground: Rgb) -> Rgb {
    let mut pixels_by_contrast: Vec<(u8, Rgb)> = Vec::new();
    for y in tight.min.y..tight.max.y {
        for x in tight.min.x..tight.max.x {
            let color = pixels::at(image, x, y);
            pixels_by_contrast.push((pixels::distance(color, ground), color));
        }
    }
    pixels_by_contrast.sort_unstable_by_key(|(contrast, _)| std::cmp::Reverse(*contrast));
    let strongest = &pixels_by_contrast[..(pixels_by_contrast.len() / 24).max(4).min(pixels_by_contrast.len())];
    if strongest.is_empty() {
        return ground;
    }
    let mean = |channel: usize| {
        let sum: u32 = strongest.iter().map(|(_, c)| u32::from(c[channel])).sum();
        (sum / strongest.len() as u32) as u8
    };
    [mean(0), mean(1), mean(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{Drawing, PANEL, WHITE};

    fn cut_all(d: &Drawing, found: ImageRect) -> Vec<ImageRect> {
        cut(&Shapes::of(&d.0), found).into_iter().map(|p| p.tight).collect()
    }

    #[test]
    fn a_menu_bar_is_cut_at_its_gaps_and_words_are_kept_together() {
        let d = Drawing::new(260, 40, PANEL).words(10, 15, 30, 0).words(44, 15, 30, 0).words(100, 15, 40, 0);
        assert_eq!(
            cut_all(&d, rect(6, 8, 150, 32)),
            [Drawing::words_box(10, 15, 30).union(&Drawing::words_box(44, 15, 30)), Drawing::words_box(100, 15, 40)]
        );
    }

    #[test]
    fn a_label_and_its_field_are_two_pieces_however_close() {
        let field = rect(50, 8, 150, 30);
        let d = Drawing::new(200, 40, PANEL).sunken(field, WHITE).words(10, 15, 36, 0).words(54, 15, 40, 0);
        assert_eq!(cut_all(&d, rect(6, 8, 150, 30)), [Drawing::words_box(10, 15, 36), Drawing::words_box(54, 15, 40)]);
    }

    #[test]
    fn radio_buttons_separate_their_words_and_are_no_text() {
        let mut d = Drawing::new(260, 40, WHITE);
        for x in [10, 90] {
            let b = rect(x, 12, x + 13, 25);
            d = d.disc(b, 90).disc(b.inflate(-1, -1), WHITE).words(x + 20, 14, 40, 0);
        }
        assert_eq!(cut_all(&d, rect(6, 8, 160, 32)), [Drawing::words_box(30, 14, 40), Drawing::words_box(110, 14, 40)]);
    }

    fn inside(d: &Drawing, area: ImageRect) -> Vec<Vec<ImageRect>> {
        text_inside(&d.0, area).into_iter().map(|row| row.into_iter().map(|p| p.tight).collect()).collect()
    }

    #[test]
    fn the_text_of_a_field_is_found_without_border_and_arrow() {
        let field = rect(20, 10, 180, 32);
        let d = Drawing::new(200, 40, PANEL).boxed(field, 90, WHITE).words(26, 16, 60, 0);
        assert_eq!(inside(&d, field), [[Drawing::words_box(26, 16, 60)]]);
        let with_arrow = d.sign(162, 18, &["#########", ".#######.", "..#####..", "...###...", "....#...."], 60);
        assert_eq!(inside(&with_arrow, field), [[Drawing::words_box(26, 16, 60)]]);
    }

    #[test]
    fn the_text_cursor_is_no_letter() {
        let field = rect(20, 10, 180, 34);
        let caret = |x| rect(x, 13, x + 1, 31);
        let empty = Drawing::new(200, 40, PANEL).boxed(field, 90, WHITE);
        assert_eq!(inside(&empty.fill(caret(24), [0; 3]), field), Vec::<Vec<ImageRect>>::new());
        let typed = Drawing::new(200, 40, PANEL).boxed(field, 90, WHITE).words(26, 17, 60, 0).fill(caret(88), [0; 3]);
        assert_eq!(inside(&typed, field), [[Drawing::words_box(26, 17, 60)]]);
    }

    #[test]
    fn two_lines_in_a_high_field_are_two_rows() {
        let field = rect(10, 10, 190, 80);
        let d = Drawing::new(200, 90, PANEL).boxed(field, 90, WHITE).words(16, 18, 60, 0).words(16, 36, 90, 0);
        assert_eq!(inside(&d, field), [[Drawing::words_box(16, 18, 60)], [Drawing::words_box(16, 36, 90)]]);
    }

    #[test]
    fn a_place_outside_the_picture_holds_no_text() {
        let d = Drawing::new(50, 50, WHITE);
        assert!(inside(&d, rect(60, 60, 90, 90)).is_empty());
        assert!(inside(&d, rect(10, 10, 10, 10)).is_empty());
    }

    #[test]
    fn characters_far_apart_are_two_texts() {
        let chars: Vec<CharBox> = "OK Cancel"
            .chars()
            .enumerate()
            .map(|(i, ch)| {
                let x0 = if i < 3 { 8.0 * i as f32 } else { 100.0 + 8.0 * i as f32 };
                CharBox { ch, x0, x1: x0 + 7.0 }
            })
            .collect();
        let parts: Vec<String> = split(&chars, rect(0, 0, 180, 12), &[]).into_iter().map(|p| p.0).collect();
        assert_eq!(parts, ["OK", "Cancel"]);
        let together: Vec<CharBox> = chars.iter().take(3).copied().collect();
        assert_eq!(split(&together, rect(0, 0, 30, 12), &[]).len(), 1);
    }

    #[test]
    fn blank_parts_are_not_looked_at() {
        let d = Drawing::new(640, 480, WHITE).words(20, 20, 60, 0);
        let areas = content(&Shapes::of(&d.0)).areas(d.frame());
        assert_eq!(areas.len(), 1);
        assert!(areas[0].contains_box(&Drawing::words_box(20, 20, 60)) && areas[0].width() < 150);
    }
}
