//! The hands: clicks, drags, wheel, chords, text and the clipboard, each stopped and released on every way out.

use std::time::Duration;

use crate::scene::{CapturePoint, DesktopPoint};

use super::{Desktop, MouseButton, Result, StopSignal, parse_chord};

/// Between arriving and pressing: programs light up what is under the pointer first.
const HOVER: Duration = Duration::from_millis(25);
/// How long a button or key stays down.
const HOLD: Duration = Duration::from_millis(20);
/// Between the clicks of a double click; well below every system's limit.
const BETWEEN_CLICKS: Duration = Duration::from_millis(50);
/// Between two moves of a drag.
const DRAG_PAUSE: Duration = Duration::from_millis(10);
/// Moves of a drag between its ends: programs only start dragging after a few.
const DRAG_STEPS: i32 = 12;

impl Desktop {
    /// Moves the pointer to a point of a picture.
    ///
    /// # Errors
    /// As [`Desktop::to_desktop`]; also when the pointer cannot be moved there.
    pub fn move_to(&mut self, at: CapturePoint) -> Result<()> {
        let point = self.to_desktop(at)?;
        self.backend.move_pointer(point)
    }

    /// Clicks `count` times (2 is a double click) at a point of a picture.
    ///
    /// # Errors
    /// As [`Desktop::move_to`].
    pub fn click(&mut self, at: CapturePoint, button: MouseButton, count: u32) -> Result<()> {
        self.move_to(at)?;
        self.pause(HOVER)?;
        for number in 0..count {
            if number > 0 {
                self.pause(BETWEEN_CLICKS)?;
            }
            self.held(|desktop| {
                desktop.backend.button(button, true)?;
                desktop.pause(HOLD)?;
                desktop.backend.button(button, false)
            })?;
        }
        Ok(())
    }

    /// Drags with the left button from one point to another, over several places between them.
    ///
    /// # Errors
    /// As [`Desktop::move_to`]; both points are checked before the button goes down.
    pub fn drag(&mut self, from: CapturePoint, to: CapturePoint) -> Result<()> {
        let (start, end) = (self.to_desktop(from)?, self.to_desktop(to)?);
        self.backend.move_pointer(start)?;
        self.pause(HOVER)?;
        self.held(|desktop| {
            desktop.backend.button(MouseButton::Left, true)?;
            desktop.pause(HOLD)?;
            for step in 1..=DRAG_STEPS {
                desktop.backend.move_pointer(between(start, end, step))?;
                desktop.pause(DRAG_PAUSE)?;
            }
            desktop.pause(HOLD)?;
            desktop.backend.button(MouseButton::Left, false)
        })
    }

    /// Turns the wheel over a point of a picture: positive `dy` scrolls down, positive `dx` right, in wheel clicks.
    ///
    /// # Errors
    /// As [`Desktop::move_to`].
    pub fn scroll(&mut self, at: CapturePoint, dx: i32, dy: i32) -> Result<()> {
        self.move_to(at)?;
        self.pause(HOVER)?;
        let mut left = (dx, dy);
        while left != (0, 0) {
            self.check()?;
            let step = (left.0.signum(), left.1.signum());
            self.backend.wheel(step.0, step.1)?;
            left = (left.0 - step.0, left.1 - step.1);
        }
        Ok(())
    }

    /// Presses a key or a chord (`enter`, `ctrl+s`, `ctrl+shift+f5`) and releases it.
    ///
    /// # Errors
    /// [`super::DesktopError::UnknownKey`] before anything is pressed.
    pub fn press_chord(&mut self, chord: &str) -> Result<()> {
        self.check()?;
        let names: Vec<String> = parse_chord(chord)?.iter().map(ToString::to_string).collect();
        self.held(|desktop| {
            for name in &names {
                desktop.check()?;
                desktop.backend.key(name, true)?;
            }
            desktop.pause(HOLD)?;
            names.iter().rev().try_for_each(|name| desktop.backend.key(name, false))
        })
    }

    /// Types any Unicode text exactly; `\n` is the Return key, `\t` the Tab key.
    ///
    /// # Errors
    /// [`super::DesktopError::Typing`] before anything is typed when the text cannot be.
    pub fn type_text(&mut self, text: &str) -> Result<()> {
        self.check()?;
        let stop: StopSignal = self.stop.clone();
        self.held(|desktop| desktop.backend.type_text(text, &stop))
    }

    /// The clipboard's text; `None` when it holds no text or nobody owns it.
    ///
    /// # Errors
    /// [`super::DesktopError::Clipboard`] when its owner does not answer.
    pub fn clipboard(&mut self) -> Result<Option<String>> {
        self.check()?;
        self.backend.clipboard()
    }

    /// Puts text on the clipboard; it stays there as long as this `Desktop` lives and nobody else takes it.
    ///
    /// # Errors
    /// [`super::DesktopError::Clipboard`] when the system refuses.
    pub fn set_clipboard(&mut self, text: &str) -> Result<()> {
        self.check()?;
        self.backend.set_clipboard(text)
    }

    /// The text selected last with the mouse, where the system has such a thing.
    ///
    /// # Errors
    /// [`super::DesktopError::Clipboard`] when its owner does not answer.
    pub fn primary_selection(&mut self) -> Result<Option<String>> {
        self.check()?;
        self.backend.primary_selection()
    }

    /// Releases everything that is down because of us. Works also after a stop.
    ///
    /// # Errors
    /// When the connection fails.
    pub fn release_all(&mut self) -> Result<()> {
        self.backend.release_all()
    }

    /// Does something that holds keys or buttons: whatever goes wrong in it, nothing stays down.
    fn held(&mut self, action: impl FnOnce(&mut Desktop) -> Result<()>) -> Result<()> {
        let done = action(self);
        if done.is_err() {
            // The first error is the one to report.
            let _ = self.backend.release_all();
        }
        done
    }
}

/// The point `step` of [`DRAG_STEPS`] on the way; the last one is the end exactly.
fn between(start: DesktopPoint, end: DesktopPoint, step: i32) -> DesktopPoint {
    let part = |a: i32, b: i32| a + (b - a) * step / DRAG_STEPS;
    DesktopPoint::new(part(start.x, end.x), part(start.y, end.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_ends_exactly_where_it_should_also_backwards() {
        let (a, b) = (DesktopPoint::new(700, 3), DesktopPoint::new(-13, 250));
        assert_eq!(between(a, b, DRAG_STEPS), b);
        assert_eq!(between(b, a, DRAG_STEPS), a);
        assert_eq!(between(a, b, 0), a);
    }
}
