//! A look: what the eyes find on a picture, joined with what the window's program says of it meanwhile.

use std::thread;

use crate::desktop::FrameGeometry;
use crate::desktop::WindowInfo;
use crate::desktop::accessibility::{Accessibility, Limits};
use crate::scene::{Capture, Element, merge};
use crate::vision::{Eyes, Result};

/// All elements of a window's picture. What the program says is preferred where it agrees with the picture; a program
/// that says nothing, does not answer in time or lies leaves what the eyes found.
///
/// # Errors
/// When the eyes fail. Whatever goes wrong with the accessibility tree does not.
pub fn look(
    eyes: &mut Eyes,
    accessibility: &mut Accessibility,
    capture: &Capture,
    window: &WindowInfo,
) -> Result<Vec<Element>> {
    let (seen, told) = told_while(accessibility, capture, window, || eyes.look(&capture.image));
    Ok(merge(seen?, &told, &capture.image))
}

/// Does the work; meanwhile the window is asked what it says of itself.
fn told_while<T>(
    accessibility: &mut Accessibility,
    capture: &Capture,
    window: &WindowInfo,
    work: impl FnOnce() -> T,
) -> (T, Vec<Element>) {
    if !accessibility.may_tell(window.id) {
        return (work(), Vec::new());
    }
    let ask = || match accessibility.read(window, Limits::default()) {
        Ok(reading) => reading.accessibles,
        // The eyes see the window as well.
        Err(_) => Vec::new(),
    };
    let (done, told) = thread::scope(|scope| {
        let asked = thread::Builder::new().name("accessibility".into()).spawn_scoped(scope, ask);
        let done = work();
        // Without a thread, or when it fell over its program's answers, nothing was told.
        (done, asked.ok().and_then(|asked| asked.join().ok()).unwrap_or_default())
    });
    let frame = FrameGeometry::of(capture);
    (done, told.iter().filter_map(|thing| thing.in_picture(&frame)).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant, SystemTime};

    use image::{Rgb, RgbImage};

    use super::*;
    use crate::desktop::accessibility::{AccessibilityError, Accessible, Reading, Tree};
    use crate::scene::{CaptureId, DesktopPoint, DesktopRect, Role, WindowId};

    /// A tree that does what the test wants and counts how often it is asked.
    struct Fake<F> {
        asked: usize,
        answer: F,
    }

    impl<F: FnMut(usize, Limits) -> std::result::Result<Reading, AccessibilityError> + Send> Tree for Fake<F> {
        fn read(&mut self, _: &WindowInfo, limits: Limits) -> std::result::Result<Reading, AccessibilityError> {
            self.asked += 1;
            (self.answer)(self.asked, limits)
        }
    }

    fn fake(
        answer: impl FnMut(usize, Limits) -> std::result::Result<Reading, AccessibilityError> + Send + 'static,
    ) -> Accessibility {
        Accessibility::of(Box::new(Fake { asked: 0, answer }))
    }

    fn rect(x: i32, y: i32, width: i32, height: i32) -> DesktopRect {
        DesktopRect::new(DesktopPoint::new(x, y), DesktopPoint::new(x + width, y + height))
    }

    fn window(id: u64) -> WindowInfo {
        WindowInfo {
            id: WindowId(id),
            title: "Orders".into(),
            class: "orders".into(),
            pid: Some(1),
            bounds: rect(100, 50, 200, 100),
            minimized: false,
            transient_for: None,
        }
    }

    fn capture() -> Capture {
        let image = RgbImage::from_fn(200, 100, |x, y| Rgb([if (x + y) % 2 == 0 { 0 } else { 255 }; 3]));
        Capture {
            id: CaptureId(1),
            image: Arc::new(image),
            origin: DesktopPoint::new(100, 50),
            scale: 1.0,
            window: None,
            taken_at: SystemTime::UNIX_EPOCH,
        }
    }

    fn told(accessibility: &mut Accessibility, id: u64) -> Vec<String> {
        let (done, told) = told_while(accessibility, &capture(), &window(id), || 7);
        assert_eq!(done, 7, "the work itself is done whatever the program says");
        told.iter().map(|element| format!("{element} {:?}", element.bbox.min.to_tuple())).collect()
    }

    fn button(name: &str, bounds: DesktopRect) -> Accessible {
        Accessible { role: Role::Button, name: name.into(), value: None, states: vec![], bounds }
    }

    #[test]
    fn what_is_told_lies_in_the_picture() {
        let mut tree = fake(|_, _| {
            let lies = [rect(-9000, 60, 30, 20), rect(i32::MIN, i32::MIN, 5, 5), rect(i32::MAX - 4, 60, 4, 4)];
            let mut accessibles = vec![button("Save", rect(110, 60, 60, 30))];
            accessibles.extend(lies.map(|lie| button("Lie", lie)));
            let (least, most) = (DesktopPoint::new(i32::MIN, i32::MIN), DesktopPoint::new(i32::MAX, i32::MAX));
            accessibles
                .extend([DesktopRect::new(least, most), DesktopRect::new(most, least)].map(|b| button("Lie", b)));
            Ok(Reading { accessibles, partial: false })
        });
        assert_eq!(told(&mut tree, 1), ["0 button \"Save\" (10, 10)"]);
    }

    #[test]
    fn a_window_that_never_answers_costs_its_time_once_and_the_others_nothing() {
        let mut tree = fake(|asked, limits| {
            assert!(asked <= 2, "a silent window was asked again");
            if asked == 2 {
                let accessibles = vec![button("Save", rect(110, 60, 60, 30))];
                return Ok(Reading { accessibles, partial: false });
            }
            thread::sleep(limits.time);
            Ok(Reading { accessibles: vec![], partial: true })
        });
        assert!(told(&mut tree, 1).is_empty());
        let started = Instant::now();
        assert!((0..50).all(|_| told(&mut tree, 1).is_empty()));
        assert!(started.elapsed() < Limits::default().time + Duration::from_secs(2));
        assert_eq!(told(&mut tree, 2).len(), 1);
    }

    #[test]
    fn a_service_that_is_gone_is_not_asked_again() {
        let mut tree = fake(|asked, _| {
            assert_eq!(asked, 1);
            Err(AccessibilityError::Connection("gone".into()))
        });
        assert!(told(&mut tree, 1).is_empty());
        assert!(!tree.may_tell(WindowId(1)) && !tree.may_tell(WindowId(2)));
        assert!(told(&mut tree, 2).is_empty());
    }

    #[test]
    fn a_window_that_tells_nonsense_is_left_alone() {
        let mut tree = fake(|_, _| Err(AccessibilityError::Answer("a path that is none".into())));
        assert!(told(&mut tree, 1).is_empty());
        assert!(!tree.may_tell(WindowId(1)) && tree.may_tell(WindowId(2)));
    }

    #[test]
    fn a_tree_that_breaks_does_not_break_the_look() {
        let mut tree = fake(|_, _| std::panic::resume_unwind(Box::new("broken")));
        assert!(told(&mut tree, 1).is_empty());
    }
}
