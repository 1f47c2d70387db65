//! What the eyes remember of a picture, so that the next one costs only what has changed.

use image::RgbImage;

use super::change::Change;
use super::detector::Features;
use super::ocr::{TextBox, detect};
use super::{Result, pixels};
use crate::scene::{Element, ImageRect};

/// Pictures that are remembered: the window's, and a dialog's or a part's in between.
const MAX_KNOWN: usize = 2;
/// So near to a change lines are looked for again.
const NEAR: i32 = 8;
/// What must be around a part so that lines are found in it as in the whole picture.
const AROUND: i32 = 64;
/// When what must be looked at takes up more than one such part of the picture, all of it is looked at: a line's
/// neighbours far away tell the network what a line is, too.
const LARGE: i32 = 10;
/// What is cut by the edge of a changed part is looked at whole, up to this height: a line of text, no picture.
const WHOLE_BELOW: i32 = 48;

/// A picture and what was found on it.
pub(super) struct Glance {
    pub image: RgbImage,
    pub found: Vec<TextBox>,
    pub features: Features,
    pub elements: Vec<Element>,
}

/// The last pictures.
#[derive(Default)]
pub(super) struct Memory {
    glances: Vec<Glance>,
}

impl Memory {
    /// Takes the last picture of this size out of the memory.
    pub(super) fn take(&mut self, width: u32, height: u32) -> Option<Glance> {
        let at = self.glances.iter().position(|g| g.image.dimensions() == (width, height))?;
        Some(self.glances.remove(at))
    }

    pub(super) fn keep(&mut self, glance: Glance) {
        self.glances.insert(0, glance);
        self.glances.truncate(MAX_KNOWN);
    }
}

/// Where text stands on the picture: what was there before and is untouched by the change, and what `find` sees in the
/// changed parts. With nothing known, or when much of it has changed, all of it is looked at. In reading order.
pub(super) fn look(
    known: Option<(&[TextBox], &Change)>,
    frame: ImageRect,
    mut find: impl FnMut(ImageRect) -> Result<Vec<TextBox>>,
) -> Result<Vec<TextBox>> {
    let mut boxes = match known {
        Some((before, change)) => renew(before, change, frame, find)?,
        None => find(frame)?,
    };
    boxes.sort_by_key(|b| (b.rect.min.y, b.rect.min.x));
    Ok(boxes)
}

fn renew(
    before: &[TextBox],
    change: &Change,
    frame: ImageRect,
    mut find: impl FnMut(ImageRect) -> Result<Vec<TextBox>>,
) -> Result<Vec<TextBox>> {
    let carry = |b: &TextBox| change.carry(b.rect).map(|rect| TextBox { rect, ..*b });
    let mut boxes: Vec<TextBox> = before.iter().filter_map(carry).collect();
    let places: Vec<ImageRect> = boxes.iter().map(|b| b.rect).collect();
    let changed = change.dirty.iter().map(|part| whole_lines(part.inflate(NEAR, NEAR), &places));
    let around = |part: &ImageRect| pixels::clip_to(pixels::snapped(part.inflate(AROUND, AROUND)), frame);
    let parts = joined(&changed.collect::<Vec<_>>(), AROUND);
    let mut left = frame.area() / LARGE - parts.iter().map(|part| around(part).area()).sum::<i32>();
    if left < 0 {
        return find(frame);
    }
    let mut new = Vec::new();
    for mut part in parts {
        loop {
            let area = around(&part);
            let found: Vec<TextBox> = find(area)?.into_iter().filter(|b| is_of(part, b.rect)).collect();
            let cut = found.iter().map(|b| b.rect).filter(|b| is_cut(*b, area, frame));
            let grown = cut.fold(part, |part, b| part.union(&b));
            if grown == part {
                new.extend(found);
                break;
            }
            // Once more, with what it cut.
            part = grown;
            left -= around(&part).area();
            if left < 0 {
                return find(frame);
            }
        }
        boxes.retain(|b| !is_of(part, b.rect));
    }
    for found in new {
        detect::merge_into(&mut boxes, found);
    }
    Ok(boxes)
}

/// Whether what stands at `place` is to be looked at with this part: a line when it reaches into it, a large thing when
/// it stands there for the most part.
fn is_of(part: ImageRect, place: ImageRect) -> bool {
    match place.height() <= WHOLE_BELOW {
        true => pixels::intersection_area(part, place) > 0,
        false => part.contains(place.center()),
    }
}

/// Whether a line may go on beyond the area that was looked at.
fn is_cut(place: ImageRect, area: ImageRect, frame: ImageRect) -> bool {
    place.min.x <= area.min.x && area.min.x != frame.min.x
        || place.min.y <= area.min.y && area.min.y != frame.min.y
        || place.max.x >= area.max.x && area.max.x != frame.max.x
        || place.max.y >= area.max.y && area.max.y != frame.max.y
}

/// `part` grown so that it holds the lines that it cuts.
fn whole_lines(mut part: ImageRect, places: &[ImageRect]) -> ImageRect {
    let is_cut = |part: &ImageRect, place: &ImageRect| {
        place.height() <= WHOLE_BELOW && pixels::intersection_area(*place, *part) > 0 && !part.contains_box(place)
    };
    while let Some(cut) = places.iter().find(|place| is_cut(&part, place)) {
        part = part.union(cut);
    }
    part
}

/// Parts of a picture, joined where that costs little, when so much around each must be looked at.
pub(super) fn joined(parts: &[ImageRect], around: i32) -> Vec<ImageRect> {
    let cost = |part: &ImageRect| part.inflate(around, around).area();
    let mut joined: Vec<ImageRect> = Vec::new();
    for part in parts {
        let mut part = *part;
        while let Some(close) = joined.iter().position(|p| cost(&p.union(&part)) <= cost(p) + cost(&part)) {
            part = part.union(&joined.swap_remove(close));
        }
        joined.push(part);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::change::Moved;
    use crate::vision::pixels::rect;

    const FRAME: ImageRect = ImageRect { min: euclid::point2(0, 0), max: euclid::point2(1000, 800) };

    fn text(x: i32, y: i32) -> TextBox {
        TextBox { rect: rect(x, y, x + 80, y + 14), score: 0.9 }
    }

    #[test]
    fn only_what_has_changed_is_looked_at_and_the_rest_stays() {
        let before = [text(100, 100), text(100, 400), text(600, 400)];
        let change = Change { moved: None, dirty: vec![rect(170, 100, 176, 112)] };
        let mut areas = Vec::new();
        let found = look(Some((&before[..], &change)), FRAME, |area| {
            areas.push(area);
            Ok(vec![TextBox { rect: rect(100, 100, 190, 114), score: 0.8 }])
        });
        let found = found.expect("nothing fails").iter().map(|t| t.rect).collect::<Vec<_>>();
        assert_eq!(found, [rect(100, 100, 190, 114), rect(100, 400, 180, 414), rect(600, 400, 680, 414)]);
        let [area] = areas[..] else { panic!("one part: {areas:?}") };
        assert!(area.contains_box(&rect(100, 100, 190, 114)) && area.area() < FRAME.area() / 8, "{area:?}");
        assert_eq!((area.min.x % pixels::GRID, area.min.y % pixels::GRID), (0, 0));
    }

    #[test]
    fn what_was_scrolled_is_carried_along() {
        let before = [text(100, 300), text(100, 120), text(700, 120)];
        let moved = Moved { area: rect(80, 100, 200, 640), by: -60 };
        let change = Change { moved: Some(moved), dirty: vec![rect(80, 640, 200, 700)] };
        let found = look(Some((&before[..], &change)), FRAME, |_| Ok(vec![text(100, 660)])).expect("nothing fails");
        let found: Vec<ImageRect> = found.iter().map(|t| t.rect).collect();
        assert_eq!(found, [text(700, 120).rect, text(100, 240).rect, text(100, 660).rect]);
    }

    #[test]
    fn a_line_that_crosses_two_changed_parts_is_found_once() {
        let line = rect(300, 200, 520, 214);
        let change = Change { moved: None, dirty: vec![rect(290, 190, 320, 230), rect(500, 190, 530, 230)] };
        let found = look(Some((&[][..], &change)), FRAME, |area| {
            Ok(vec![TextBox { rect: pixels::clip_to(line, area), score: 0.9 }])
        });
        assert_eq!(found.expect("nothing fails").iter().map(|b| b.rect).collect::<Vec<_>>(), [line]);
    }

    #[test]
    fn a_line_that_goes_on_beyond_what_was_looked_at_is_looked_at_whole() {
        let line = rect(40, 200, 440, 214);
        let change = Change { moved: None, dirty: vec![rect(400, 196, 430, 220)] };
        let mut areas = Vec::new();
        let found = look(Some((&[][..], &change)), FRAME, |area| {
            areas.push(area);
            Ok(vec![TextBox { rect: pixels::clip_to(line, area), score: 0.9 }])
        });
        assert_eq!(found.expect("nothing fails").iter().map(|b| b.rect).collect::<Vec<_>>(), [line]);
        assert!(areas.len() > 1 && areas.last().is_some_and(|area| area.contains_box(&line)), "{areas:?}");
    }

    #[test]
    fn a_picture_that_is_mostly_new_is_looked_at_as_a_whole() {
        let change = Change { moved: None, dirty: vec![rect(0, 0, 900, 700)] };
        let mut areas = Vec::new();
        let found = look(Some((&[text(5, 5)][..], &change)), FRAME, |area| {
            areas.push(area);
            Ok(Vec::<TextBox>::new())
        });
        assert_eq!((found.expect("nothing fails"), areas), (Vec::new(), vec![FRAME]));
    }

    #[test]
    fn pictures_of_two_sizes_are_remembered() {
        let mut memory = Memory::default();
        let glance = |width| Glance {
            image: RgbImage::new(width, 5),
            found: Vec::new(),
            features: Features::default(),
            elements: Vec::new(),
        };
        for width in [3, 4, 5] {
            memory.keep(glance(width));
        }
        assert!(memory.take(3, 5).is_none() && memory.take(4, 5).is_some() && memory.take(5, 5).is_some());
        assert!(memory.take(5, 5).is_none(), "it is taken out");
    }
}
