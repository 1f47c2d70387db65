//! Numbers that an element keeps from one look to the next, so that a text about the scene changes only where it did.
//!
//! The eyes number each picture afresh. A session gives every element the number that it had before, new ones a number
//! that nothing had. What went away and comes back to its place (as when a dialog closes) has its old number again.

use std::collections::HashMap;

use super::area::Area;
use super::{Element, Role, Scene, WindowId};

/// An element that has moved no further stands where it stood.
const SAME_PLACE: i64 = 8;
/// So many elements of a window that are not there any more are remembered.
const MOST_GONE: usize = 1000;

/// The numbers given in one session.
#[derive(Debug, Clone, Default)]
pub struct Numbering {
    last: u32,
    /// Each window has its own elements: what stands at one place in two windows is not the same.
    windows: HashMap<WindowId, Vec<Known>>,
}

/// An element that has a number.
#[derive(Debug, Clone)]
struct Known {
    id: u32,
    role: Role,
    name: String,
    area: Area,
    /// Whether it was there when the window was looked at last.
    is_there: bool,
}

impl Known {
    fn is_alike(&self, element: &Element) -> bool {
        self.role == element.role && self.name == element.name()
    }

    fn is_at(&self, area: Area) -> bool {
        let is_close =
            |(ax, ay): (i64, i64), (bx, by): (i64, i64)| (ax - bx).abs() <= SAME_PLACE && (ay - by).abs() <= SAME_PLACE;
        is_close((self.area.x0, self.area.y0), (area.x0, area.y0)) || is_close(self.area.middle(), area.middle())
    }
}

impl Numbering {
    /// Numbers the elements of a new look at `window`: first those that stand where they stood, then those that have
    /// moved, then those whose words have changed; the rest is new.
    pub fn number(&mut self, window: WindowId, scene: &mut Scene) {
        let mut before = self.windows.remove(&window).unwrap_or_default();
        let mut given: Vec<Option<u32>> = vec![None; scene.elements.len()];
        for is_same in [stayed, moved, reworded] {
            for (element, id) in scene.elements.iter().zip(&mut given).filter(|(_, id)| id.is_none()) {
                let area = Area::of(element.bbox);
                let same = before.iter().enumerate().filter(|(_, known)| is_same(known, element, area));
                let nearest = same.min_by_key(|(_, known)| (!known.is_there, known.area.distance(area)));
                if let Some((index, _)) = nearest {
                    *id = Some(before.remove(index).id);
                }
            }
        }
        let mut now = Vec::with_capacity(scene.elements.len() + before.len());
        for (element, id) in scene.elements.iter_mut().zip(given) {
            element.id = id.unwrap_or_else(|| {
                self.last += 1;
                self.last
            });
            let (name, area) = (element.name().to_owned(), Area::of(element.bbox));
            now.push(Known { id: element.id, role: element.role, name, area, is_there: true });
        }
        let gone = before.into_iter().map(|known| Known { is_there: false, ..known });
        now.extend(gone.take(MOST_GONE));
        self.windows.insert(window, now);
    }
}

/// The same thing at its place, also one that was away.
fn stayed(known: &Known, element: &Element, area: Area) -> bool {
    known.is_at(area) && known.is_alike(element)
}

/// The same name elsewhere. Pictures without a name are known by their place alone.
fn moved(known: &Known, element: &Element, _: Area) -> bool {
    known.is_there && !known.name.is_empty() && known.is_alike(element)
}

/// The same kind of thing at the same place under another name.
fn reworded(known: &Known, element: &Element, area: Area) -> bool {
    known.is_there && known.role == element.role && known.is_at(area)
}
