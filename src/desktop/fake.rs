//! For tests: a desktop of pictures, which does nothing and counts what it was told to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::RgbImage;

use crate::scene::{DesktopPoint, DesktopRect, WindowId};

use super::{Backend, Ledger, Monitor, MouseButton, Result, StopSignal, Untrue, WindowInfo};

/// The window of a [`Film`], which fills its screen.
pub const WINDOW: WindowId = WindowId(7);

/// A screen that shows one picture after the other, the last one for ever or all of them in turn.
#[derive(Default)]
pub struct Film {
    pub pictures: Vec<RgbImage>,
    pub again: bool,
    /// What the window itself has drawn each time that it is asked, the last one for ever; empty where nobody can tell.
    pub own: Vec<RgbImage>,
    pub kept: Option<Untrue>,
    /// Windows above that of the film.
    pub above: Vec<DesktopRect>,
    /// Whether something that is no window lies over it.
    pub covered: bool,
    /// How often hands were moved.
    pub deeds: Arc<AtomicUsize>,
    /// How many pictures were taken, of the screen and of the window itself.
    pub shown: usize,
    pub told: usize,
}

impl Film {
    pub fn of(pictures: Vec<RgbImage>) -> Film {
        Film { pictures, ..Film::default() }
    }

    fn deed(&self) -> Result<()> {
        self.deeds.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn screen(&self) -> DesktopRect {
        let (width, height) = self.pictures.first().map_or((0, 0), RgbImage::dimensions);
        DesktopRect::new(DesktopPoint::zero(), DesktopPoint::new(width.cast_signed(), height.cast_signed()))
    }

    fn window(&self, id: WindowId, bounds: DesktopRect) -> WindowInfo {
        WindowInfo {
            id,
            title: format!("film {}", id.0),
            class: "Film".to_owned(),
            pid: None,
            bounds,
            minimized: false,
            transient_for: None,
        }
    }
}

impl Backend for Film {
    fn monitors(&self) -> Result<Vec<Monitor>> {
        Ok(vec![Monitor { name: "film".to_owned(), bounds: self.screen(), scale: 1.0, primary: true }])
    }
    fn grab(&mut self, _area: DesktopRect) -> Result<RgbImage> {
        let last = self.pictures.len() - 1;
        let place = if self.again { self.shown % self.pictures.len() } else { self.shown.min(last) };
        self.shown += 1;
        Ok(self.pictures[place].clone())
    }
    fn windows(&self) -> Result<Vec<WindowInfo>> {
        let above = self.above.iter().zip(100..).map(|(bounds, id)| self.window(WindowId(id), *bounds));
        Ok(above.chain([self.window(WINDOW, self.screen())]).collect())
    }
    fn popups(&self) -> Result<Vec<WindowInfo>> {
        Ok(Vec::new())
    }
    fn active_window(&self) -> Result<Option<WindowId>> {
        Ok(Some(WINDOW))
    }
    fn activate(&mut self, _window: WindowId) -> Result<()> {
        Ok(())
    }
    fn own_picture(&mut self, _window: WindowId, _area: DesktopRect) -> Result<Option<RgbImage>> {
        let place = self.told.min(self.own.len().saturating_sub(1));
        self.told += 1;
        Ok(self.own.get(place).cloned())
    }
    fn kept_from_pictures(&self, _window: WindowId) -> Option<Untrue> {
        self.kept
    }
    fn reachable_at(&self, _window: WindowId, _at: DesktopPoint) -> Result<bool> {
        Ok(!self.covered)
    }
    fn move_pointer(&mut self, _to: DesktopPoint) -> Result<()> {
        self.deed()
    }
    fn button(&mut self, _button: MouseButton, _down: bool) -> Result<()> {
        self.deed()
    }
    fn wheel(&mut self, _dx: i32, _dy: i32) -> Result<()> {
        self.deed()
    }
    fn key(&mut self, _name: &str, _down: bool) -> Result<()> {
        self.deed()
    }
    fn type_text(&mut self, _text: &str, _stop: &StopSignal) -> Result<()> {
        self.deed()
    }
    fn clipboard(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
    fn set_clipboard(&mut self, _text: &str) -> Result<()> {
        Ok(())
    }
    fn release_all(&mut self) -> Result<()> {
        Ok(())
    }
    fn set_ledger(&mut self, _ledger: Ledger) {}
    fn facts(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}
