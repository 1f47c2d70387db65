//! Pictures that lie: black, blank, old, or of what lies behind the window. Each is named, none is acted on.
//!
//! A picture alone can only be known to be black or of one colour. That it shows something else than the window, or an
//! old frame, is claimed only where the system also gives what the window itself has drawn ([`Backend::own_picture`]),
//! or says itself that the window is kept out of pictures.
//!
//! [`Backend::own_picture`]: super::Backend::own_picture

use std::fmt;

use image::RgbImage;

use crate::scene::{DesktopPoint, DesktopRect, WindowId};

use super::session::Shot;
use super::settle::differs;
use super::{Desktop, DesktopError, Result};

/// No channel of a black picture is brighter: what comes over a video link is rarely 0.
const BLACK: u8 = 16;
/// A window with less contrast than this (standard deviation of brightness) has drawn nothing that could be looked for.
const LEAST_CONTRAST: f64 = 2.0;
/// What a window has drawn is found again where the screen is this much like it (correlation): see-through and dimmed
/// windows stay far above, another picture far below.
const LEAST_ALIKE: f64 = 0.2;
/// Pictures are compared at no more places than this.
const MOST_SAMPLES: u32 = 60_000;
/// At so many places along each side it is asked whose window the user would hit there.
const PROBES: i32 = 6;

/// Why a picture does not show what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untrue {
    /// All of it is black.
    Black,
    /// All of it has one colour.
    Blank,
    /// It is the picture from before, although the window has drawn something else since.
    Stale,
    /// It shows what lies behind the window and nothing of the window.
    WallpaperOnly,
}

impl Untrue {
    /// Every reason.
    pub const ALL: [Untrue; 4] = [Untrue::Black, Untrue::Blank, Untrue::Stale, Untrue::WallpaperOnly];

    /// The reason in one word, for logs and programs.
    pub fn name(self) -> &'static str {
        match self {
            Untrue::Black => "black",
            Untrue::Blank => "blank",
            Untrue::Stale => "stale",
            Untrue::WallpaperOnly => "wallpaper_only",
        }
    }
}

/// What happened and what to do.
impl fmt::Display for Untrue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Untrue::Black => {
                "it is black all over. The screen may be off or locked, the program may keep its content out of \
                 pictures, or this is a Wayland session, which shows its windows to nobody. Wake and unlock the screen, \
                 or log in to an X11 session, and start again"
            }
            Untrue::Blank => {
                "all its pixels have the same colour: nothing is drawn yet, or the system does not let its picture be \
                 taken. Wait until the window shows its content, and start again"
            }
            Untrue::Stale => {
                "it is the same as before, although the window has changed: the screen is frozen or shows an old frame. \
                 Restart the desktop's compositor or the remote session that shows it, and start again"
            }
            Untrue::WallpaperOnly => {
                "it shows what lies behind the window and nothing of the window itself. Allow Deskhand to take pictures \
                 of other programs' windows, or restart the desktop's compositor, and start again"
            }
        })
    }
}

/// What can be said of a picture by its pixels alone.
pub fn by_its_pixels(image: &RgbImage) -> Option<Untrue> {
    let bytes = image.as_raw();
    if bytes.iter().all(|channel| *channel <= BLACK) {
        return Some(Untrue::Black);
    }
    let first = bytes.get(..3)?;
    bytes.chunks_exact(3).all(|pixel| pixel == first).then_some(Untrue::Blank)
}

/// The last true picture of a window, with what the window itself had drawn then.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    window: WindowId,
    area: DesktopRect,
    screen: RgbImage,
    own: RgbImage,
}

/// A picture that is compared with what its window has drawn.
#[derive(Debug)]
pub(super) struct Examined {
    pub untrue: Option<Untrue>,
    seen: Option<Seen>,
}

impl Examined {
    /// Whether what was found is certain, given the look before. A window that never rests (a film) cannot be compared
    /// with a picture that is a moment older; but a screen that never changes while the window does is an old one.
    pub fn is_certain_after(&self, last: Option<&Examined>) -> bool {
        match (self.untrue, &self.seen) {
            (Some(Untrue::WallpaperOnly), Some(now)) => last
                .and_then(|last| last.seen.as_ref())
                .is_some_and(|then| now.area == then.area && now.own == then.own && now.screen == then.screen),
            (untrue, _) => untrue.is_some(),
        }
    }
}

impl Desktop {
    /// Compares a picture with what its window has drawn.
    ///
    /// # Errors
    /// When the connection fails.
    pub(super) fn examine(&mut self, shot: &Shot) -> Result<Examined> {
        if let Some(untrue) = by_its_pixels(&shot.image) {
            return Ok(Examined { untrue: Some(untrue), seen: None });
        }
        let Some((window, _, bounds)) = &shot.window else { return Ok(Examined { untrue: None, seen: None }) };
        if let Some(untrue) = self.backend.kept_from_pictures(*window) {
            return Ok(Examined { untrue: Some(untrue), seen: None });
        }
        let (width, height) = (shot.image.width().cast_signed(), shot.image.height().cast_signed());
        let all = DesktopRect::new(shot.origin, DesktopPoint::new(shot.origin.x + width, shot.origin.y + height));
        let Some(area) = bounds.intersection(&all).filter(|area| !area.is_empty()) else {
            return Ok(Examined { untrue: None, seen: None });
        };
        let own = self.backend.own_picture(*window, area)?;
        let corner = area.min - shot.origin;
        let size = |length: i32| u32::try_from(length).unwrap_or(0);
        let (x, y) = (size(corner.x), size(corner.y));
        let screen = image::imageops::crop_imm(&*shot.image, x, y, size(area.width()), size(area.height())).to_image();
        let Some(own) = own.filter(|own| own.dimensions() == screen.dimensions()) else {
            return Ok(Examined { untrue: None, seen: None });
        };
        let now = Seen { window: *window, area, screen, own };
        let untrue = self.against_its_own(&now)?;
        Ok(Examined { untrue, seen: Some(now) })
    }

    /// Remembers a picture as a true one, to know an old one by it.
    pub(super) fn believe(&mut self, examined: Examined) {
        self.seen = examined.seen;
    }

    fn against_its_own(&mut self, now: &Seen) -> Result<Option<Untrue>> {
        let before = self.seen.as_ref().filter(|seen| seen.window == now.window && seen.area == now.area);
        let changed = before.is_some_and(|before| before.screen == now.screen && differs(&before.own, &now.own));
        let changes = match before {
            Some(before) if changed => changes(&before.own, &now.own),
            _ => Vec::new(),
        };
        // The cheap look first; whether something lies over the window is asked only when it matters.
        let is_hidden = alike(&now.own, &now.screen, |_, _| true).is_some_and(|alike| alike < LEAST_ALIKE);
        if !changed && !is_hidden {
            return Ok(None);
        }
        let covers = self.covers(now)?;
        if is_hidden
            && alike(&now.own, &now.screen, |x, y| is_free(&covers, now.area.min, x, y))
                .is_some_and(|alike| alike < LEAST_ALIKE)
            && self.is_reachable(now, &probes(now, &covers))?
        {
            return Ok(Some(Untrue::WallpaperOnly));
        }
        let free: Vec<(u32, u32)> =
            changes.into_iter().filter(|(x, y)| is_free(&covers, now.area.min, *x, *y)).collect();
        Ok((changed && self.is_reachable(now, &free)?).then_some(Untrue::Stale))
    }

    /// What lies over the window: the windows above it and all popups.
    fn covers(&mut self, now: &Seen) -> Result<Vec<DesktopRect>> {
        let windows = self.backend.windows()?;
        let above = windows.iter().take_while(|window| window.id != now.window).filter(|window| !window.minimized);
        let popups = self.backend.popups()?;
        Ok(above.chain(&popups).map(|cover| cover.bounds).filter(|bounds| bounds.intersects(&now.area)).collect())
    }

    /// Whether the user would hit the window at each of these places, of which there must be some.
    fn is_reachable(&mut self, now: &Seen, places: &[(u32, u32)]) -> Result<bool> {
        for (x, y) in places {
            let at = DesktopPoint::new(now.area.min.x + x.cast_signed(), now.area.min.y + y.cast_signed());
            if !self.backend.reachable_at(now.window, at)? {
                return Ok(false);
            }
        }
        Ok(!places.is_empty())
    }

    /// The error for an untrue picture.
    pub(super) fn refuse(shot: &Shot, why: Untrue) -> DesktopError {
        let of = match &shot.window {
            Some((_, title, _)) => format!("the window \"{title}\""),
            None => "the screen".to_owned(),
        };
        DesktopError::Untrue { of, why }
    }
}

/// Places that are spread over the window and not under another one.
fn probes(now: &Seen, covers: &[DesktopRect]) -> Vec<(u32, u32)> {
    let part = |length: i32, step: i32| u32::try_from(length * (2 * step + 1) / (2 * PROBES)).unwrap_or(0);
    let all = (0..PROBES).flat_map(|row| (0..PROBES).map(move |column| (column, row)));
    all.map(|(column, row)| (part(now.area.width(), column), part(now.area.height(), row)))
        .filter(|(x, y)| is_free(covers, now.area.min, *x, *y))
        .collect()
}

fn is_free(covers: &[DesktopRect], corner: DesktopPoint, x: u32, y: u32) -> bool {
    let at = DesktopPoint::new(corner.x + x.cast_signed(), corner.y + y.cast_signed());
    !covers.iter().any(|cover| cover.contains(at))
}

/// Some of the places at which two pictures of one size differ.
fn changes(a: &RgbImage, b: &RgbImage) -> Vec<(u32, u32)> {
    const MOST: usize = 24;
    let differing: Vec<(u32, u32)> =
        a.enumerate_pixels().zip(b.pixels()).filter(|((_, _, a), b)| a != b).map(|((x, y, _), _)| (x, y)).collect();
    let step = differing.len().div_ceil(MOST).max(1);
    differing.into_iter().step_by(step).collect()
}

/// How much the screen looks like what the window has drawn, as the correlation of brightness over the places that
/// count: 1 is the same, 0 has nothing in common. `None` when the window has drawn next to nothing there.
fn alike(own: &RgbImage, screen: &RgbImage, counts: impl Fn(u32, u32) -> bool) -> Option<f64> {
    let (width, height) = own.dimensions();
    let step = (f64::from(width) * f64::from(height) / f64::from(MOST_SAMPLES)).sqrt().ceil().max(1.0) as usize;
    let brightness = |image: &RgbImage, x: u32, y: u32| {
        image.get_pixel_checked(x, y).map_or(0.0, |pixel| pixel.0.iter().map(|channel| f64::from(*channel)).sum())
    };
    let (mut n, mut sum_a, mut sum_b, mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for y in (0..height).step_by(step) {
        for x in (0..width).step_by(step).filter(|x| counts(*x, y)) {
            let (a, b): (f64, f64) = (brightness(own, x, y), brightness(screen, x, y));
            n += 1.0;
            sum_a += a;
            sum_b += b;
            aa += a * a;
            bb += b * b;
            ab += a * b;
        }
    }
    if n == 0.0 {
        return None;
    }
    let (var_a, var_b) = (aa / n - (sum_a / n).powi(2), bb / n - (sum_b / n).powi(2));
    if var_a < (3.0 * LEAST_CONTRAST).powi(2) {
        return None;
    }
    if var_b <= f64::EPSILON {
        return Some(0.0);
    }
    let covariance = ab / n - (sum_a / n) * (sum_b / n);
    Some((covariance / (var_a * var_b).sqrt()).abs())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use image::Rgb;

    use crate::desktop::fake::{Film, WINDOW};
    use crate::desktop::{CaptureArea, MouseButton, SettleOptions};
    use crate::scene::ImagePoint;

    use super::*;

    const WIDTH: u32 = 160;
    const HEIGHT: u32 = 100;

    fn plain(colour: [u8; 3]) -> RgbImage {
        RgbImage::from_pixel(WIDTH, HEIGHT, Rgb(colour))
    }

    /// A form with bars instead of words; `text` is how much is typed into its field.
    fn form(text: u32) -> RgbImage {
        RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
            let words = (10..60).contains(&x) && y % 20 > 12 && x % 7 > 2;
            let typed = (80..80 + text).contains(&x) && (30..40).contains(&y);
            Rgb(if words || typed { [20, 20, 30] } else { [240, 240, 240] })
        })
    }

    /// Hills and sky.
    fn wallpaper() -> RgbImage {
        RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
            let hill = 60.0 + 20.0 * (f64::from(x) / 25.0).sin();
            Rgb(if f64::from(y) > hill { [40, 110, 50] } else { [90, 140, (120 + y) as u8] })
        })
    }

    fn capture(film: Film) -> (Result<crate::scene::Capture>, Desktop) {
        let mut desktop = Desktop::with_backend(Box::new(film));
        (desktop.capture(CaptureArea::Window(WINDOW)), desktop)
    }

    fn reason(film: Film) -> Option<Untrue> {
        match capture(film).0 {
            Ok(_) => None,
            Err(DesktopError::Untrue { why, .. }) => Some(why),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn black_and_blank_pictures_are_told_apart_and_others_are_neither() {
        assert_eq!(by_its_pixels(&plain([0; 3])), Some(Untrue::Black));
        let noise = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| Rgb([((x * y) % 17) as u8, (x % 9) as u8, 16]));
        assert_eq!(by_its_pixels(&noise), Some(Untrue::Black), "limited range and noise of a video link");
        assert_eq!(by_its_pixels(&plain([255; 3])), Some(Untrue::Blank));
        assert_eq!(by_its_pixels(&plain([30, 30, 30])), Some(Untrue::Blank), "a dark theme");
        assert_eq!(by_its_pixels(&form(0)), None);
        let mut terminal = plain([0; 3]);
        terminal.put_pixel(4, 9, Rgb([200; 3]));
        assert_eq!(by_its_pixels(&terminal), None, "a black terminal with a prompt is a true picture");
    }

    #[test]
    fn each_reason_says_what_happened_and_what_to_do() {
        for why in Untrue::ALL {
            let told = DesktopError::Untrue { of: "the window \"Orders\"".to_owned(), why }.to_string();
            assert!(told.contains("\"Orders\"") && told.contains("nothing is done"), "{told}");
            assert!(told.contains("start again"), "{told}");
            let others = Untrue::ALL.iter().filter(|other| **other != why);
            assert!(others.clone().all(|other| other.to_string() != why.to_string() && other.name() != why.name()));
        }
    }

    #[test]
    fn a_black_or_blank_window_is_refused_with_its_reason() {
        assert_eq!(reason(Film::of(vec![plain([0; 3])])), Some(Untrue::Black));
        assert_eq!(reason(Film::of(vec![plain([240; 3])])), Some(Untrue::Blank));
    }

    #[test]
    fn a_window_that_is_drawn_a_moment_later_is_waited_for() {
        assert_eq!(reason(Film::of(vec![plain([0; 3]), plain([240; 3]), form(0)])), None);
    }

    #[test]
    fn a_picture_without_anything_of_the_window_is_of_the_wallpaper() {
        let film = || Film { own: vec![form(0)], ..Film::of(vec![wallpaper()]) };
        assert_eq!(reason(film()), Some(Untrue::WallpaperOnly));
        let cover = DesktopRect::new(DesktopPoint::zero(), DesktopPoint::new(WIDTH as i32, HEIGHT as i32));
        assert_eq!(reason(Film { above: vec![cover], ..film() }), None, "it is known to be covered");
        assert_eq!(reason(Film { covered: true, ..film() }), None, "something that is no window lies over it");
        assert_eq!(reason(Film { own: vec![plain([9; 3])], ..film() }), None, "the window has drawn nothing");
        assert_eq!(reason(Film { own: Vec::new(), ..film() }), None, "nobody knows what it has drawn");
        let film = Film { kept: Some(Untrue::WallpaperOnly), ..Film::of(vec![wallpaper()]) };
        assert_eq!(reason(film), Some(Untrue::WallpaperOnly), "the system says so itself");
    }

    #[test]
    fn see_through_dimmed_and_inverted_windows_are_true() {
        let mix = |part: f64| {
            RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
                let (own, behind) = (*form(0).get_pixel(x, y), *wallpaper().get_pixel(x, y));
                let channel = |i: usize| (f64::from(own.0[i]) * part + f64::from(behind.0[i]) * (1.0 - part)) as u8;
                Rgb([channel(0), channel(1), channel(2)])
            })
        };
        let mut dim = form(0);
        dim.pixels_mut().for_each(|pixel| pixel.0 = pixel.0.map(|channel| channel / 3));
        let mut inverted = form(0);
        image::imageops::invert(&mut inverted);
        for screen in [mix(0.6), dim, inverted] {
            assert_eq!(reason(Film { own: vec![form(0)], ..Film::of(vec![screen]) }), None);
        }
    }

    #[test]
    fn a_screen_that_stays_while_the_window_changes_is_stale() {
        let film = |own: Vec<RgbImage>| Film { own, ..Film::of(vec![form(0)]) };
        let (first, mut desktop) = capture(film(vec![form(0), form(40)]));
        first.unwrap();
        let second = desktop.capture(CaptureArea::Window(WINDOW));
        assert!(matches!(second, Err(DesktopError::Untrue { why: Untrue::Stale, .. })), "{second:?}");
        // A blinking text cursor and a window that did not change are nothing to wonder about.
        for own in [form(2), form(0)] {
            let (first, mut desktop) = capture(film(vec![form(0), own]));
            first.unwrap();
            desktop.capture(CaptureArea::Window(WINDOW)).unwrap();
        }
    }

    #[test]
    fn what_changes_under_another_window_makes_no_picture_stale() {
        let cover = DesktopRect::new(DesktopPoint::new(70, 20), DesktopPoint::new(160, 60));
        let film = Film { own: vec![form(0), form(40)], above: vec![cover], ..Film::of(vec![form(0)]) };
        let (first, mut desktop) = capture(film);
        first.unwrap();
        desktop.capture(CaptureArea::Window(WINDOW)).unwrap();
    }

    #[test]
    fn a_screen_that_follows_late_is_waited_for_while_settling() {
        let late = Film { own: vec![form(0), form(40)], ..Film::of([vec![form(0); 8], vec![form(40)]].concat()) };
        let frozen = Film { own: vec![form(0), form(40)], ..Film::of(vec![form(0)]) };
        for (film, stale) in [(late, false), (frozen, true)] {
            let (before, mut desktop) = capture(film);
            let quick = SettleOptions {
                poll: std::time::Duration::from_millis(1),
                no_change: std::time::Duration::ZERO,
                deadline: std::time::Duration::from_millis(300),
                ..SettleOptions::after(&before.unwrap())
            };
            match desktop.settle(CaptureArea::Window(WINDOW), &quick) {
                Ok(settled) => assert!(settled.changed && !stale),
                Err(DesktopError::Untrue { why: Untrue::Stale, .. }) => assert!(stale),
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn without_a_true_picture_there_is_no_point_to_click() {
        let film = Film::of(vec![plain([0; 3])]);
        let deeds = film.deeds.clone();
        let (refused, mut desktop) = capture(film);
        assert!(refused.is_err());
        let made_up = crate::scene::CapturePoint { capture: crate::scene::CaptureId(1), point: ImagePoint::new(5, 5) };
        assert!(matches!(desktop.click(made_up, MouseButton::Left, 1), Err(DesktopError::StaleCapture(_))));
        assert_eq!(deeds.load(Ordering::Relaxed), 0);
    }
}
