//! Waiting for picture facts instead of time: until the screen has changed and is still again.

use std::time::{Duration, Instant};

use image::RgbImage;

use crate::scene::Capture;

use super::untrue::{Untrue, by_its_pixels};
use super::{CaptureArea, Desktop, Result};

/// A change no larger than this is a blinking text cursor and means nothing.
const CURSOR_WIDTH: u32 = 3;
const CURSOR_HEIGHT: u32 = 40;

/// How to wait.
#[derive(Debug, Clone)]
pub struct SettleOptions {
    /// The picture before the action; without it only stillness is waited for.
    pub before: Option<Capture>,
    /// Between two pictures.
    pub poll: Duration,
    /// How many pictures in a row must equal the one before them.
    pub equal_polls: u32,
    /// An action that has changed nothing after this long is taken to change nothing at all.
    pub no_change: Duration,
    /// The end of all waiting.
    pub deadline: Duration,
}

impl Default for SettleOptions {
    fn default() -> Self {
        SettleOptions {
            before: None,
            poll: Duration::from_millis(35),
            equal_polls: 2,
            no_change: Duration::from_millis(400),
            deadline: Duration::from_secs(5),
        }
    }
}

impl SettleOptions {
    /// The usual waits, compared with the picture taken before the action.
    pub fn after(before: &Capture) -> Self {
        SettleOptions { before: Some(before.clone()), ..Self::default() }
    }
}

/// How the waiting ended.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The last picture; it can be acted on.
    pub capture: Capture,
    /// Whether it differs from the picture before the action (without one: from the first picture).
    pub changed: bool,
    /// Whether the screen was still at the end; `false` when the deadline came first.
    pub stable: bool,
    pub waited: Duration,
}

impl Desktop {
    /// Watches the area until it has changed and is still again, until it is clear that nothing changes, or until the
    /// deadline (which is no error: `stable` says so).
    ///
    /// # Errors
    /// As [`Desktop::capture`]: [`super::DesktopError::WindowGone`] when the watched window closes,
    /// [`super::DesktopError::Untrue`] when the picture is useless at the deadline, also because it is an old one:
    /// nothing has changed on it, though the window has drawn something else.
    pub fn settle(&mut self, area: CaptureArea, options: &SettleOptions) -> Result<Settled> {
        let start = Instant::now();
        let mut last = self.shoot(area)?;
        let first = options
            .before
            .as_ref()
            .map_or_else(|| (last.origin, last.image.clone()), |before| (before.origin, before.image.clone()));
        let mut equal = 0;
        loop {
            let changed = last.origin != first.0 || differs(&first.1, &last.image);
            let still = equal >= options.equal_polls;
            let waited = start.elapsed();
            let enough = still && (changed || waited >= options.no_change);
            let over = waited >= options.deadline;
            if enough || over {
                // Only a picture that has not changed can be an old one; the others need no second look.
                let examined = if changed { by_its_pixels(&last.image) } else { self.examine(&last)?.untrue };
                match examined.filter(|why| *why != Untrue::WallpaperOnly) {
                    None => return Ok(Settled { capture: self.keep(last), changed, stable: still, waited }),
                    Some(why) if over => return Err(Self::refuse(&last, why)),
                    // It may still be drawn.
                    Some(_) => {}
                }
            }
            self.pause(options.poll)?;
            let next = self.shoot(area)?;
            let same = next.origin == last.origin && !differs(&last.image, &next.image);
            equal = if same { equal + 1 } else { 0 };
            last = next;
        }
    }
}

/// Whether two pictures differ in more than a blinking text cursor.
pub fn differs(a: &RgbImage, b: &RgbImage) -> bool {
    if a.dimensions() != b.dimensions() {
        return true;
    }
    match changed_box(a, b) {
        None => false,
        Some([left, top, right, bottom]) => right - left > CURSOR_WIDTH || bottom - top > CURSOR_HEIGHT,
    }
}

/// The smallest box (left, top, right, bottom; half open) around all pixels that differ in two pictures of one size.
fn changed_box(a: &RgbImage, b: &RgbImage) -> Option<[u32; 4]> {
    let row_bytes = a.width() as usize * 3;
    if row_bytes == 0 {
        return None;
    }
    let rows = || a.as_raw().chunks_exact(row_bytes).zip(b.as_raw().chunks_exact(row_bytes));
    let mut found: Option<[u32; 4]> = None;
    for (y, (row_a, row_b)) in (0u32..).zip(rows()) {
        // Comparing whole rows is a memcmp; only rows that differ are looked at closely.
        if row_a == row_b {
            continue;
        }
        let unequal = |(a, b): (&u8, &u8)| a != b;
        let pairs = || row_a.iter().zip(row_b);
        let (Some(first), Some(last)) = (pairs().position(unequal), pairs().rposition(unequal)) else { continue };
        let (left, right) = ((first / 3) as u32, (last / 3) as u32 + 1);
        found = Some(match found {
            None => [left, y, right, y + 1],
            Some([l, t, r, _]) => [l.min(left), t, r.max(right), y + 1],
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use crate::desktop::DesktopError;
    use crate::desktop::fake::Film;

    use super::*;

    /// Takes the first picture as the one before the action, then settles on the rest.
    fn watch(pictures: Vec<RgbImage>, again: bool) -> Settled {
        let mut desktop = Desktop::with_backend(Box::new(Film { again, ..Film::of(pictures) }));
        let before = desktop.capture(CaptureArea::All).unwrap();
        let quick = SettleOptions {
            poll: Duration::from_millis(1),
            no_change: Duration::from_millis(30),
            deadline: Duration::from_millis(if again { 60 } else { 20_000 }),
            ..SettleOptions::after(&before)
        };
        desktop.settle(CaptureArea::All, &quick).unwrap()
    }

    #[test]
    fn an_animation_that_ends_is_awaited_and_its_last_picture_returned() {
        let pictures: Vec<RgbImage> = (0..8).map(|step| with_box(step * 10, 5, 9, 9)).collect();
        let settled = watch(pictures.clone(), false);
        assert!(settled.changed && settled.stable);
        assert_eq!(*settled.capture.image, pictures[7]);
    }

    #[test]
    fn nothing_changed_is_said_after_the_budget() {
        let settled = watch(vec![with_box(10, 10, 20, 20)], false);
        assert!(!settled.changed && settled.stable);
        assert!(settled.waited >= Duration::from_millis(30));
    }

    #[test]
    fn an_endless_animation_ends_at_the_deadline_and_is_not_called_stable() {
        let settled = watch((0..3).map(|step| with_box(step * 20, 5, 15, 15)).collect(), true);
        assert!(!settled.stable);
    }

    #[test]
    fn a_text_cursor_blinking_beside_a_form_disturbs_nothing() {
        let cursor = |on: u32| {
            RgbImage::from_fn(100, 80, |x, y| {
                let inside = (40..90).contains(&x) && y < 5 || on == 1 && x == 20 && (30..50).contains(&y);
                if inside { Rgb([0, 0, 0]) } else { Rgb([255, 255, 255]) }
            })
        };
        let settled = watch((0..2).map(cursor).collect(), true);
        assert!(!settled.changed && settled.stable);
    }

    #[test]
    fn a_stop_ends_the_waiting() {
        let mut desktop = Desktop::with_backend(Box::new(Film::of(vec![with_box(1, 1, 5, 5)])));
        desktop.stop_signal().set();
        let waited = desktop.settle(CaptureArea::All, &SettleOptions::default());
        assert!(matches!(waited, Err(DesktopError::Stopped)));
    }

    fn with_box(x: u32, y: u32, width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(100, 80, |px, py| {
            let inside = (x..x + width).contains(&px) && (y..y + height).contains(&py);
            if inside { Rgb([0, 0, 0]) } else { Rgb([255, 255, 255]) }
        })
    }

    #[test]
    fn a_blinking_text_cursor_is_no_change() {
        let empty = with_box(0, 0, 0, 0);
        assert!(!differs(&empty, &empty));
        assert!(!differs(&empty, &with_box(20, 10, 2, 18)));
        assert!(!differs(&empty, &with_box(97, 40, 3, 40)));
    }

    #[test]
    fn anything_wider_or_taller_than_a_text_cursor_is_a_change() {
        let empty = with_box(0, 0, 0, 0);
        assert!(differs(&empty, &with_box(20, 10, 4, 1)));
        assert!(differs(&empty, &with_box(20, 10, 1, 41)));
        assert!(differs(&with_box(0, 0, 2, 10), &with_box(50, 0, 2, 10)));
        assert!(differs(&empty, &RgbImage::new(100, 81)));
    }

    #[test]
    fn the_box_around_a_change_is_exact() {
        let empty = with_box(0, 0, 0, 0);
        assert_eq!(changed_box(&empty, &with_box(7, 9, 12, 30)), Some([7, 9, 19, 39]));
        assert_eq!(changed_box(&empty, &with_box(0, 0, 100, 80)), Some([0, 0, 100, 80]));
    }
}
