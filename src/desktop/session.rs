//! An open desktop: its windows, its pictures, and which of its pictures may still be acted on.

use std::io::Write;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use image::RgbImage;

use crate::scene::{Capture, CaptureId, CapturePoint, DesktopPoint, DesktopRect, WindowId};

use super::frames::{FrameGeometry, FrameTable};
use super::untrue::{Examined, Seen};
use super::{Backend, CaptureArea, DesktopError, Ledger, Monitor, Result, StopSignal, WindowInfo};

/// How long a window may take to come to the front.
const TO_FRONT: Duration = Duration::from_secs(3);
/// A window manager that has not reacted after this long is asked once more.
const ASK_AGAIN: Duration = Duration::from_millis(750);
/// A window that was just opened shows nothing for a while; so long its picture is waited for.
const FIRST_DRAWING: Duration = Duration::from_secs(3);
/// Between two looks at something that is waited for.
const POLL: Duration = Duration::from_millis(20);
/// Long waits are cut into pieces of this length so that a stop is noticed at once.
const STOP_CHECK: Duration = Duration::from_millis(10);

/// The desktop. Every call checks the stop signal first: once it is set, all that is held is released and
/// [`DesktopError::Stopped`] comes back. Dropping it releases all keys and buttons too.
pub struct Desktop {
    pub(super) backend: Box<dyn Backend>,
    pub(super) stop: StopSignal,
    frames: FrameTable,
    pub(super) seen: Option<Seen>,
}

impl Desktop {
    /// Opens the desktop of this session.
    ///
    /// # Errors
    /// [`DesktopError::NoDisplay`] and [`DesktopError::Missing`], each a sentence for the user.
    #[cfg(target_os = "linux")]
    pub fn open() -> Result<Desktop> {
        Ok(Self::with_backend(Box::new(super::x11::X11::open()?)))
    }

    /// Opens the desktop of this session.
    ///
    /// # Errors
    /// [`DesktopError::NoDisplay`], a sentence for the user.
    #[cfg(windows)]
    pub fn open() -> Result<Desktop> {
        Ok(Self::with_backend(Box::new(super::windows::Windows::open()?)))
    }

    /// No backend for this system yet.
    ///
    /// # Errors
    /// Always [`DesktopError::NoDisplay`].
    #[cfg(not(any(target_os = "linux", windows)))]
    pub fn open() -> Result<Desktop> {
        Err(DesktopError::NoDisplay("this system is not supported yet".to_owned()))
    }

    /// Opens a display by its name, such as `:99`, whatever the environment says.
    ///
    /// # Errors
    /// As [`Desktop::open`].
    #[cfg(target_os = "linux")]
    pub fn open_on(display: &str) -> Result<Desktop> {
        Ok(Self::with_backend(Box::new(super::x11::X11::open_on(display)?)))
    }

    /// A desktop on any backend; for other systems and for tests.
    pub fn with_backend(backend: Box<dyn Backend>) -> Desktop {
        Desktop { backend, stop: StopSignal::new(), frames: FrameTable::default(), seen: None }
    }

    /// Uses this stop signal instead of its own, for example one that Ctrl-C sets.
    pub fn with_stop(mut self, stop: StopSignal) -> Desktop {
        self.stop = stop;
        self
    }

    /// Says into this pipe what goes down and comes up. A process that [`super::watch`]es its other end lets go of what
    /// is down when this one dies, whatever way. Once the pipe is broken, everything that would press something fails
    /// with [`DesktopError::Unguarded`], and nothing stays down.
    pub fn guarded_by(mut self, pipe: Box<dyn Write + Send>) -> Desktop {
        // What went down before is unknown to the guard. A lost connection shows with the next call.
        let _ = self.backend.release_all();
        self.backend.set_ledger(Ledger::new(pipe));
        self
    }

    /// The signal that ends everything when set.
    pub fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    /// Facts for `doctor`: (name, value). Works also after a stop.
    pub fn facts(&self) -> Vec<(String, String)> {
        self.backend.facts()
    }

    /// The monitors, in the order of [`CaptureArea::Monitor`].
    ///
    /// # Errors
    /// When the connection fails or the run was stopped.
    pub fn monitors(&mut self) -> Result<Vec<Monitor>> {
        self.check()?;
        self.backend.monitors()
    }

    /// Ordinary top-level windows, topmost first.
    ///
    /// # Errors
    /// When the connection fails or the run was stopped.
    pub fn windows(&mut self) -> Result<Vec<WindowInfo>> {
        self.check()?;
        self.backend.windows()
    }

    /// The window that a user calls `wanted`: its handle (`0x1a0042`, as `see --json` tells it), else the title as it
    /// is, else a part of the title, else of the class, else of the executable's name; in any case of letters. Among
    /// equals the topmost.
    ///
    /// # Errors
    /// [`DesktopError::NoWindow`], which lists the open windows.
    pub fn find_window(&mut self, wanted: &str) -> Result<WindowInfo> {
        let windows = self.windows()?;
        let part = wanted.trim().to_lowercase();
        let programs: Vec<String> =
            windows.iter().map(|window| self.backend.program_name(window).unwrap_or_default().to_lowercase()).collect();
        let place = if part.is_empty() {
            None
        } else {
            let by = |fits: &dyn Fn(usize, &WindowInfo) -> bool| {
                windows.iter().enumerate().position(|(place, window)| fits(place, window))
            };
            let handle = part.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
            by(&|_, window| Some(window.id.0) == handle)
                .or_else(|| by(&|_, window| window.title.trim().to_lowercase() == part))
                .or_else(|| by(&|_, window| window.title.to_lowercase().contains(&part)))
                .or_else(|| by(&|_, window| window.class.to_lowercase().contains(&part)))
                .or_else(|| by(&|place, _| programs.get(place).is_some_and(|name| name.contains(&part))))
        };
        match place.and_then(|place| windows.get(place)) {
            Some(window) => Ok(window.clone()),
            None => Err(DesktopError::NoWindow { wanted: wanted.to_owned(), open: list(&windows) }),
        }
    }

    /// The topmost window that is neither ours (this process and `own_pids`) nor the terminal that started us;
    /// `None` when there is no such window. Minimized windows don't count.
    ///
    /// # Errors
    /// When the connection fails or the run was stopped.
    pub fn topmost_foreign(&mut self, own_pids: &[u32]) -> Result<Option<WindowInfo>> {
        let own = |pid: u32| pid == std::process::id() || own_pids.contains(&pid);
        let windows = self.windows()?;
        let foreign = windows
            .into_iter()
            .find(|window| !window.minimized && !window.pid.is_some_and(own) && !self.backend.started_us(window));
        Ok(foreign)
    }

    /// The window as it is now.
    ///
    /// # Errors
    /// [`DesktopError::WindowGone`] when it no longer exists.
    pub fn window(&mut self, id: WindowId) -> Result<WindowInfo> {
        let found = self.windows()?.into_iter().find(|window| window.id == id);
        found.ok_or_else(|| gone(id))
    }

    /// Whether the window still exists.
    ///
    /// # Errors
    /// When the connection fails or the run was stopped.
    pub fn alive(&mut self, id: WindowId) -> Result<bool> {
        Ok(self.windows()?.iter().any(|window| window.id == id))
    }

    /// The topmost dialog that the same program has put in front of the window, or the window itself.
    ///
    /// # Errors
    /// [`DesktopError::WindowGone`] when the window no longer exists.
    pub fn front_of(&mut self, id: WindowId) -> Result<WindowInfo> {
        let windows = self.windows()?;
        let place = windows.iter().position(|window| window.id == id).ok_or_else(|| gone(id))?;
        let (above, own) = windows.split_at(place);
        let dialog = above.iter().find(|window| !window.minimized && is_dialog_of(window, id, &windows));
        dialog.or(own.first()).cloned().ok_or_else(|| gone(id))
    }

    /// Brings the window to the front and waits until it, or a dialog of it, has the keyboard.
    ///
    /// # Errors
    /// [`DesktopError::NotInFront`] after three seconds, [`DesktopError::WindowGone`].
    pub fn bring_to_front(&mut self, id: WindowId) -> Result<WindowInfo> {
        let deadline = Instant::now() + TO_FRONT;
        let mut asked: Option<Instant> = None;
        loop {
            let front = self.front_of(id)?;
            let active = self.backend.active_window()?;
            if active == Some(front.id) && !front.minimized {
                return Ok(front);
            }
            if Instant::now() >= deadline {
                return Err(DesktopError::NotInFront(front.title));
            }
            if asked.is_none_or(|at| at.elapsed() >= ASK_AGAIN) {
                self.backend.activate(front.id)?;
                asked = Some(Instant::now());
            }
            self.pause(POLL)?;
        }
    }

    /// Takes a picture that can be acted on: a window together with its popups, a monitor, or everything.
    ///
    /// # Errors
    /// [`DesktopError::Untrue`] when it has not shown what is there for three seconds, [`DesktopError::BadCapture`] when
    /// nothing of it is on the screen, [`DesktopError::WindowGone`].
    pub fn capture(&mut self, area: CaptureArea) -> Result<Capture> {
        let deadline = Instant::now() + FIRST_DRAWING;
        let mut last: Option<Examined> = None;
        loop {
            let shot = self.shoot(area)?;
            let examined = self.examine(&shot)?;
            let Some(why) = examined.untrue else {
                self.believe(examined);
                return Ok(self.keep(shot));
            };
            if Instant::now() >= deadline {
                let certain = examined.is_certain_after(last.as_ref());
                return if certain { Err(Self::refuse(&shot, why)) } else { Ok(self.keep(shot)) };
            }
            last = Some(examined);
            self.pause(POLL)?;
        }
    }

    /// The desktop point of a picture's point: the only such transform. Refuses pictures that no longer hold.
    ///
    /// # Errors
    /// [`DesktopError::StaleCapture`] (unknown, too old, or its window has moved or changed its size),
    /// [`DesktopError::WindowGone`], [`DesktopError::OutsideCapture`], [`DesktopError::Covered`] (another program's
    /// window lies over that place of the captured window).
    pub fn to_desktop(&mut self, at: CapturePoint) -> Result<DesktopPoint> {
        self.check()?;
        let frame = self.frames.get(at.capture)?;
        let point = frame.geometry.to_desktop(at.point)?;
        if let Some((id, title, then)) = &frame.window {
            let windows = self.backend.windows()?;
            match windows.iter().find(|window| window.id == *id) {
                None => return Err(DesktopError::WindowGone(title.clone())),
                Some(now) if now.bounds != *then || now.minimized => {
                    return Err(DesktopError::StaleCapture(at.capture));
                }
                Some(_) if !self.backend.reachable_at(*id, point)? => {
                    return Err(DesktopError::Covered(title.clone()));
                }
                Some(_) => {}
            }
        }
        Ok(point)
    }

    /// Where a remembered capture lies on the desktop.
    ///
    /// # Errors
    /// [`DesktopError::StaleCapture`] when it is unknown or forgotten.
    pub fn frame(&self, capture: CaptureId) -> Result<FrameGeometry> {
        Ok(self.frames.get(capture)?.geometry)
    }

    /// Fails and releases everything when the run was stopped.
    pub(super) fn check(&mut self) -> Result<()> {
        let stopped = self.stop.check();
        if stopped.is_err() {
            // What matters to the caller is the stop; a lost connection has nothing left to release.
            let _ = self.backend.release_all();
        }
        stopped
    }

    /// Waits, but no longer than until a stop.
    pub(super) fn pause(&mut self, time: Duration) -> Result<()> {
        let end = Instant::now() + time;
        loop {
            self.check()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            sleep(left.min(STOP_CHECK));
        }
    }

    /// A picture that nobody can act on yet.
    pub(super) fn shoot(&mut self, area: CaptureArea) -> Result<Shot> {
        self.check()?;
        let monitors = self.backend.monitors()?;
        let screen = monitors.iter().map(|monitor| monitor.bounds).reduce(|all, next| all.union(&next));
        let screen = screen.ok_or_else(|| DesktopError::BadCapture("there is no monitor".to_owned()))?;
        let (wanted, window) = match area {
            CaptureArea::All => (screen, None),
            CaptureArea::Monitor(number) => {
                let monitor = monitors.get(number).ok_or_else(|| {
                    DesktopError::BadCapture(format!("there is no monitor {number}; there are {}", monitors.len()))
                })?;
                (monitor.bounds, None)
            }
            CaptureArea::Window(id) => {
                let window = self.backend.windows()?.into_iter().find(|window| window.id == id);
                let window = window.ok_or_else(|| gone(id))?;
                if window.minimized {
                    return Err(DesktopError::BadCapture(format!("the window \"{}\" is minimized", window.title)));
                }
                let popups = self.backend.popups()?;
                let belonging = popups.iter().filter(|popup| {
                    self.backend.same_program(popup, &window) || popup.bounds.intersects(&window.bounds)
                });
                let bounds = belonging.fold(window.bounds, |all, popup| all.union(&popup.bounds));
                (bounds, Some((window.id, window.title, window.bounds)))
            }
        };
        let visible = wanted
            .intersection(&screen)
            .filter(|visible| !visible.is_empty())
            .ok_or_else(|| DesktopError::BadCapture("nothing of it lies on the screen".to_owned()))?;
        let image = self.backend.grab(visible)?;
        Ok(Shot { image: Arc::new(image), origin: visible.min, window })
    }

    /// Makes a picture one that can be acted on.
    pub(super) fn keep(&mut self, shot: Shot) -> Capture {
        let (width, height) = shot.image.dimensions();
        let geometry = FrameGeometry { origin: shot.origin, scale: 1.0, width, height };
        let window = shot.window.as_ref().map(|(id, _, _)| *id);
        let id = self.frames.add(geometry, shot.window);
        Capture {
            id,
            image: shot.image,
            origin: shot.origin,
            scale: geometry.scale,
            window,
            taken_at: SystemTime::now(),
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // Also while unwinding from a panic: nothing may stay pressed. A lost connection holds nothing.
        let _ = self.backend.release_all();
    }
}

/// A picture and where it lies.
pub(super) struct Shot {
    pub image: Arc<RgbImage>,
    pub origin: DesktopPoint,
    pub window: Option<(WindowId, String, DesktopRect)>,
}

fn gone(id: WindowId) -> DesktopError {
    DesktopError::WindowGone(format!("{:#x}", id.0))
}

/// Whether following the owners from `window` upwards leads to `id`.
fn is_dialog_of(window: &WindowInfo, id: WindowId, windows: &[WindowInfo]) -> bool {
    let mut owner = window.transient_for;
    // Programs can build circles of owners; no chain is longer than the list.
    for _ in 0..windows.len() {
        match owner {
            Some(above) if above == id => return true,
            Some(above) => owner = windows.iter().find(|other| other.id == above).and_then(|other| other.transient_for),
            None => return false,
        }
    }
    false
}

/// The open windows in one line.
fn list(windows: &[WindowInfo]) -> String {
    if windows.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<String> = windows
        .iter()
        .map(|window| match (window.title.trim(), window.class.trim()) {
            ("", class) => format!("untitled ({class})"),
            (title, "") => format!("\"{title}\""),
            (title, class) => format!("\"{title}\" ({class})"),
        })
        .collect();
    names.join(", ")
}
