//! What the eyes remember of a picture, so that the next one costs only what has changed.

use image::RgbImage;

use super::change::Change;
use super::detector::Seen;
use super::ocr::TextBox;
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
    /// Whether they are found in the same way after a shift.
    const MOVES: bool;
}

impl Placed for TextBox {
    const NEAR: i32 = 8;
    const AROUND: i32 = 64;
    const MOVES: bool = true;

    fn place(&self) -> ImageRect {
        self.rect
    }

    fn at(&self, place: ImageRect) -> TextBox {
        TextBox { rect: place, ..*self }
    }
}

impl Placed for Seen {
    // What an element is depends on what is around it, and a shift by other than the network's grid is seen anew.
    const NEAR: i32 = 64;
    const AROUND: i32 = 224;
    const MOVES: bool = false;

    fn place(&self) -> ImageRect {
        self.bbox
    }

    fn at(&self, place: ImageRect) -> Seen {
        Seen { bbox: place, ..self.clone() }
    }
}

/// What stands on the picture: what was there before and is untouched by the change, and what `find` sees in the changed
/// parts. With nothing known, or when most of it has changed, all of it is looked at. In reading order.
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
    if parts.iter().map(|part| around(part).area()).sum::<i32>() > frame.area() / 2 {
        return find(frame);
    }
    things.retain(|t| !parts.iter().any(|part| part.contains(t.place().center())));
    for part in &parts {
        things.extend(find(around(part))?.into_iter().filter(|t| part.contains(t.place().center())));
    }
    Ok(things)
}

/// The changed parts, grown so that they hold what they cut, and joined where they come close to each other.
fn parts_to_look_at(changed: &[ImageRect], places: &[ImageRect], around: i32) -> Vec<ImageRect> {
    let mut parts: Vec<ImageRect> = Vec::new();
    for part in changed {
        let mut part = *part;
        while let Some(cut) = places.iter().find(|p| {
            p.height() <= WHOLE_BELOW && pixels::intersection_area(**p, part) > 0 && !part.contains_box(p)
        }) {
            part = part.union(cut);
        }
        while let Some(close) = parts.iter().position(|p| p.inflate(around, around).intersects(&part)) {
            part = part.union(&parts.swap_remove(close));
        }
        parts.push(part);
    }
    parts
}
