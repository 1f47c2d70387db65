//! What the eyes remember of a picture, so that the next one costs only what has changed.

use image::RgbImage;

use super::change::Change;
use super::detector::Seen;
use super::ocr::{self, TextBox};
use super::{Result, pixels};
use crate::scene::{Element, ImageRect};

/// Pictures that are remembered: the window's, and a dialog's or a part's in between.
const MAX_KNOWN: usize = 2;
/// A thing that is cut by the edge of a changed part is looked at whole, up to this height.
const WHOLE_BELOW: i32 = 48;

/// A picture and what was found on it.
pub(super) struct Glance {
    pub image: RgbImage,
    pub found: Vec<TextBox>,
    pub seen: Vec<Seen>,
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

/// Something with a place on the picture.
pub(super) trait Placed: Clone {
    fn place(&self) -> ImageRect;
    fn at(&self, place: ImageRect) -> Self;
    /// So near to a change such things are looked at again.
    const NEAR: i32;
    /// What must be around a part so that they are seen in it as in the whole picture.
    const AROUND: i32;
    /// When what must be looked at takes up more than one such part of the picture, all of it is looked at.
    const LARGE: i32;
    /// Whether they are found in the same way after a shift.
    const MOVES: bool;
    /// Adds it to what was found, unless it was found before.
    fn add_to(self, things: &mut Vec<Self>);
}

impl Placed for TextBox {
    const NEAR: i32 = 8;
    const AROUND: i32 = 64;
    // A line's neighbours far away tell the network what a line is, too: of large parts it sees other things than of the whole.
    const LARGE: i32 = 6;
    const MOVES: bool = true;

    fn place(&self) -> ImageRect {
        self.rect
    }

    fn at(&self, place: ImageRect) -> TextBox {
        TextBox { rect: place, ..*self }
    }

    fn add_to(self, things: &mut Vec<TextBox>) {
        ocr::detect::merge_into(things, self);
    }
}

impl Placed for Seen {
    // What an element is depends on what is around it, and a shift by other than the network's grid is seen anew.
    const NEAR: i32 = 64;
    const AROUND: i32 = 224;
    const LARGE: i32 = 2;
    const MOVES: bool = false;

    fn place(&self) -> ImageRect {
        self.bbox
    }

    fn at(&self, place: ImageRect) -> Seen {
        Seen { bbox: place, ..self.clone() }
    }

    // Controls lie in one another, so only what takes up the same place is the same.
    fn add_to(self, things: &mut Vec<Seen>) {
        let is_same = |known: &Seen| {
            let shared = pixels::intersection_area(known.bbox, self.bbox);
            2 * shared > known.bbox.area() + self.bbox.area() - shared
        };
        match things.iter_mut().find(|known| is_same(known)) {
            Some(known) => *known = self,
            None => things.push(self),
        }
    }
}

/// What stands on the picture: what was there before and is untouched by the change, and what `find` sees in the changed
/// parts. With nothing known, or when much of it has changed, all of it is looked at. In reading order.
pub(super) fn look<T: Placed>(
    known: Option<(&[T], &Change)>,
    frame: ImageRect,
    mut find: impl FnMut(ImageRect) -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let mut things = match known {
        Some((before, change)) => renew(before, change, frame, find)?,
        None => find(frame)?,
    };
    things.sort_by_key(|t| (t.place().min.y, t.place().min.x));
    Ok(things)
}

fn renew<T: Placed>(
    before: &[T],
    change: &Change,
    frame: ImageRect,
    mut find: impl FnMut(ImageRect) -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let carry = |t: &T| change.carry(t.place()).map(|place| t.at(place));
    let mut things: Vec<T> = before.iter().filter_map(carry).collect();
    let places: Vec<ImageRect> = things.iter().map(T::place).collect();
    let mut changed: Vec<ImageRect> = change.dirty.iter().map(|part| part.inflate(T::NEAR, T::NEAR)).collect();
    changed.extend(change.moved.filter(|_| !T::MOVES).map(|moved| moved.area));
    let parts = parts_to_look_at(&changed, &places, T::AROUND);
    let around = |part: &ImageRect| pixels::clip_to(pixels::snapped(part.inflate(T::AROUND, T::AROUND)), frame);
    let mut left = frame.area() / T::LARGE;
    let mut new = Vec::new();
    for mut part in parts {
        loop {
            let area = around(&part);
            left -= area.area();
            if left < 0 {
                return find(frame);
            }
            let found: Vec<T> = find(area)?.into_iter().filter(|t| is_of(part, t.place())).collect();
            let cut = found.iter().map(T::place).filter(|p| is_cut(*p, area, frame));
            let grown = cut.fold(part, |part, p| part.union(&p));
            if grown == part {
                new.extend(found);
                break;
            }
            part = grown;
        }
        things.retain(|t| !is_of(part, t.place()));
    }
    for thing in new {
        thing.add_to(&mut things);
    }
    Ok(things)
}

/// Whether what stands at `place` is to be looked at with this part: a line or a control when it reaches into it, a
/// large thing when it stands there for the most part.
fn is_of(part: ImageRect, place: ImageRect) -> bool {
    match place.height() <= WHOLE_BELOW {
        true => pixels::intersection_area(part, place) > 0,
        false => part.contains(place.center()),
    }
}

/// Whether a thing may go on beyond the area that was looked at.
fn is_cut(place: ImageRect, area: ImageRect, frame: ImageRect) -> bool {
    place.min.x <= area.min.x && area.min.x != frame.min.x
        || place.min.y <= area.min.y && area.min.y != frame.min.y
        || place.max.x >= area.max.x && area.max.x != frame.max.x
        || place.max.y >= area.max.y && area.max.y != frame.max.y
}

/// The changed parts, grown so that they hold what they cut, and joined where that costs little.
fn parts_to_look_at(changed: &[ImageRect], places: &[ImageRect], around: i32) -> Vec<ImageRect> {
    let cost = |part: &ImageRect| part.inflate(around, around).area();
    let mut parts: Vec<ImageRect> = Vec::new();
    for part in changed {
        let mut part = *part;
        while let Some(cut) = places
            .iter()
            .find(|p| p.height() <= WHOLE_BELOW && pixels::intersection_area(**p, part) > 0 && !part.contains_box(p))
        {
            part = part.union(cut);
        }
        while let Some(close) = parts.iter().position(|p| cost(&p.union(&part)) <= cost(p) + cost(&part)) {
            part = part.union(&parts.swap_remove(close));
        }
        parts.push(part);
    }
    parts
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
        let moved = Moved { area: rect(50, 100, 400, 640), by: -60 };
        let change = Change { moved: Some(moved), dirty: vec![rect(50, 640, 400, 700)] };
        let found = look(Some((&before[..], &change)), FRAME, |_| Ok(vec![text(100, 660)])).expect("nothing fails");
        let found: Vec<ImageRect> = found.iter().map(|t| t.rect).collect();
        assert_eq!(found, [text(700, 120).rect, text(100, 240).rect, text(100, 660).rect]);
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
            seen: Vec::new(),
            elements: Vec::new(),
        };
        for width in [3, 4, 5] {
            memory.keep(glance(width));
        }
        assert!(memory.take(3, 5).is_none() && memory.take(4, 5).is_some() && memory.take(5, 5).is_some());
        assert!(memory.take(5, 5).is_none(), "it is taken out");
    }
}
