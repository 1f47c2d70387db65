//! Setting one field and proving it: typing, choosing, ticking, each with a read-back.
//!
//! The eyes read first; where they do not read exactly what was entered (a long text, a caret, similar letters), the
//! field's own copy command decides. What neither confirms is not confirmed.

use std::time::Duration;

use image::RgbImage;
use serde_json::json;

use crate::desktop::{CaptureArea, DesktopError, MouseButton, SettleOptions, Untrue};
use crate::scene::{Capture, Element, ImagePoint, ImageRect, Role, State};
use crate::words::words;

use super::workbench::{Trouble, Wanted};
use super::{Effect, ToolResult, ToolState, Workbench, same_text};

/// How the content of a field was read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The eyes read it.
    Eyes,
    /// The field's own copy command gave it.
    Copy,
    /// Neither read what should be there.
    Differs,
}

impl How {
    pub(super) fn name(self) -> &'static str {
        match self {
            How::Eyes => "eyes",
            How::Copy => "copy",
            How::Differs => "differs",
        }
    }
}

/// What stands in a field after it was set.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proof {
    pub read: String,
    pub how: How,
}

impl Proof {
    pub(super) fn confirmed(&self) -> bool {
        self.how != How::Differs
    }

    /// The result of a call that set just this field.
    pub(super) fn into_result(self, field: &str, value: &str) -> ToolResult {
        let data = json!({"field": field, "value": value, "read": self.read, "how": self.how.name()});
        if self.confirmed() {
            ToolResult::completed(Effect::Confirmed, format!("\"{field}\" now holds \"{value}\"")).with_data(data)
        } else {
            let message = self.mismatch(field, value);
            ToolResult { state: ToolState::Failed, effect: Effect::Changed, message, data }
        }
    }

    /// What is wrong, when it is not confirmed.
    pub(super) fn mismatch(&self, field: &str, value: &str) -> String {
        format!("\"{field}\" holds \"{}\" instead of \"{value}\"", self.read)
    }
}

/// The whole of a tool that sets one field.
pub(super) fn set_one(bench: &mut Workbench, wanted: &Wanted, value: &str) -> ToolResult {
    bench.attempt(|bench| {
        let element = bench.find(wanted)?;
        let proof = bench.set_field(&element, value)?;
        Ok(proof.into_result(element.name(), value))
    })
}

/// A text field of this height shows more than one line.
const LINES_HEIGHT: i32 = 46;
/// Two looks at the same box differ by no more pixels than this.
const SAME_BOX: i32 = 12;

impl Workbench {
    /// Makes `element` hold `value` and reads it back. A value that cannot be confirmed is entered once more.
    pub(super) fn set_field(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        if element.is(State::Disabled) {
            return Err(Trouble::Doubt(format!("\"{}\" is disabled", element.name())));
        }
        match element.role {
            Role::Checkbox | Role::Switch | Role::Radio => self.set_check(element, value),
            Role::Combobox => self.set_choice(element, value),
            _ => self.set_text(element, value),
        }
    }

    /// What stands in each of these fields now, judged on one picture; only what the eyes do not confirm is copied.
    pub(super) fn verify_fields(&mut self, wanted: &[(&Element, &str)]) -> Result<Vec<Proof>, Trouble> {
        let capture = self.fresh()?;
        let mut proofs = Vec::with_capacity(wanted.len());
        for (element, value) in wanted {
            let seen = self.see_field(element, value, &capture)?;
            proofs.push(if seen.confirmed() { seen } else { self.verify_field(element, value)? });
        }
        Ok(proofs)
    }

    /// What stands in a field now: `Eyes` or `Copy` when it is `value`, else `Differs`.
    fn verify_field(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        let capture = self.fresh()?;
        let seen = self.see_field(element, value, &capture)?;
        if seen.confirmed() || !is_text_field(element) {
            return Ok(seen);
        }
        self.verify_by_copy(element, value, seen.read)
    }

    /// What the eyes see in a field.
    fn see_field(&mut self, element: &Element, value: &str, capture: &Capture) -> Result<Proof, Trouble> {
        match element.role {
            Role::Checkbox | Role::Switch | Role::Radio => {
                let wanted = wanted_check(element, value)?;
                let is = self.check_state(element, capture)?;
                Ok(Proof { read: yes_no(is).into(), how: if is == Some(wanted) { How::Eyes } else { How::Differs } })
            }
            Role::Combobox => self.read_choice(element, value, capture),
            _ => {
                let read = self.eyes.read_line(&capture.image, element.bbox)?.text;
                // What a field of several lines shows may be a part of what it holds: only its copy proves it.
                let proven = same_text(&read, value) && (value.is_empty() || !has_lines(element));
                Ok(Proof { read, how: if proven { How::Eyes } else { How::Differs } })
            }
        }
    }

    fn set_text(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        let mut proof = self.enter_text(element, value)?;
        if !proof.confirmed() {
            proof = self.enter_text(element, value)?;
        }
        Ok(proof)
    }

    fn enter_text(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        let before = self.fresh()?;
        self.desktop.click(before.at(element.click_point()), MouseButton::Left, 1)?;
        self.select_content(element)?;
        // Deleting first: some programs do not replace the selection, and an empty value must empty the field.
        self.desktop.press_chord("backspace")?;
        self.desktop.type_text(value)?;
        let front = self.front()?;
        let after = self.desktop.settle(CaptureArea::Window(front), &quickly(&before))?.capture;
        let proof = self.verify_field(element, value)?;
        // The field holds the text by its own word, and the picture has not changed at all and shows another one.
        if proof.how == How::Copy && before.image == after.image {
            let shown = self.eyes.read_line(&after.image, element.bbox)?.text;
            let is_empty = shown.is_empty() && is_without_ink(&after.image, element.bbox);
            if is_empty && !value.trim().is_empty() || !shown.is_empty() && shows_something_else(&shown, value) {
                let title = self.desktop.window(front)?.title;
                return Err(DesktopError::Untrue { of: format!("the window \"{title}\""), why: Untrue::Stale }.into());
            }
        }
        Ok(proof)
    }

    /// End, then Shift+Home: selects a line in every toolkit, where Ctrl+A is "line start" in some. A field of several
    /// lines needs its own chords, else only one line would be replaced.
    fn select_content(&mut self, element: &Element) -> Result<(), Trouble> {
        let chords = if has_lines(element) { ["ctrl+home", "ctrl+shift+end"] } else { ["end", "shift+home"] };
        for chord in chords {
            self.desktop.press_chord(chord)?;
        }
        Ok(())
    }

    /// Reads a field through its own copy command; the user's clipboard is put back.
    fn verify_by_copy(&mut self, element: &Element, value: &str, seen: String) -> Result<Proof, Trouble> {
        let capture = self.fresh()?;
        self.desktop.click(capture.at(element.click_point()), MouseButton::Left, 1)?;
        let kept = self.desktop.clipboard()?;
        // A marker tells an empty answer from a copy command that did nothing.
        const MARKER: &str = "\u{2060}deskhand\u{2060}";
        self.desktop.set_clipboard(MARKER)?;
        self.select_content(element)?;
        self.desktop.press_chord("ctrl+c")?;
        let mut copied = None;
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(30));
            copied = self.desktop.clipboard()?.filter(|text| text != MARKER);
            if copied.is_some() {
                break;
            }
        }
        self.desktop.press_chord("end")?;
        self.desktop.set_clipboard(kept.as_deref().unwrap_or_default())?;
        Ok(match copied {
            // A field of lines may end its last line.
            Some(text) if text == value || has_lines(element) && text.trim_end_matches('\n') == value => {
                Proof { read: text, how: How::Copy }
            }
            Some(text) => Proof { read: text, how: How::Differs },
            None => Proof { read: seen, how: How::Differs },
        })
    }

    fn set_check(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        let wanted = wanted_check(element, value)?;
        for _ in 0..2 {
            let before = self.fresh()?;
            match self.check_state(element, &before)? {
                Some(is) if is == wanted => break,
                Some(_) => {}
                // A click on a box whose state is not known may untick what shall be ticked.
                None => {
                    return Err(Trouble::Doubt(format!("it cannot be seen whether \"{}\" is ticked", element.name())));
                }
            }
            self.desktop.click(before.at(element.click_point()), MouseButton::Left, 1)?;
            let front = self.front()?;
            let settled = self.desktop.settle(CaptureArea::Window(front), &quickly(&before))?;
            if self.check_state(element, &settled.capture)?.is_none() {
                // The frame that shows the keyboard's place can hide the box from the eyes.
                self.desktop.press_chord("tab")?;
                self.desktop.settle(CaptureArea::Window(front), &quickly(&settled.capture))?;
            }
        }
        self.verify_field(element, value)
    }

    /// Whether a checkbox is ticked now; `None` when the eyes cannot tell. A part of the picture is looked at first,
    /// all of it only when that shows no box at the right place (a frame around it can look like something else).
    fn check_state(&mut self, element: &Element, capture: &Capture) -> Result<Option<bool>, Trouble> {
        let (width, height) = capture.image.dimensions();
        let all = ImageRect::new(ImagePoint::zero(), ImagePoint::new(width as i32, height as i32));
        for area in [clip(element.bbox.inflate(60, 40), capture), all] {
            let size = area.size();
            let (x, y) = (area.min.x as u32, area.min.y as u32);
            let picture =
                image::imageops::crop_imm(&*capture.image, x, y, size.width as u32, size.height as u32).to_image();
            let place = element.click_point() - area.min.to_vector();
            let seen = self.eyes.look(&picture)?;
            let state = seen
                .iter()
                .filter(|e| matches!(e.role, Role::Checkbox | Role::Radio | Role::Switch))
                .filter(|e| (e.click_point() - place).square_length() <= SAME_BOX * SAME_BOX)
                .find_map(|e| match (e.is(State::Checked), e.is(State::Unchecked)) {
                    (true, _) => Some(true),
                    (false, true) => Some(false),
                    (false, false) => None,
                });
            if state.is_some() {
                return Ok(state);
            }
        }
        Ok(None)
    }

    fn set_choice(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        let capture = self.fresh()?;
        let now = self.read_choice(element, value, &capture)?;
        if now.confirmed() {
            return Ok(now);
        }
        let picked = self.pick_from_list(element, value)?;
        if picked.confirmed() {
            return Ok(picked);
        }
        self.pick_by_keys(element, value)
    }

    /// Opens the list by a click, looks for the entry's text in what appeared, and clicks it.
    fn pick_from_list(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        let before = self.fresh()?;
        // The arrow at the right end opens every kind of list, the text part only some.
        let arrow = ImagePoint::new(element.bbox.max.x - element.bbox.height() / 2, element.bbox.center().y);
        self.desktop.click(before.at(arrow), MouseButton::Left, 1)?;
        let front = self.front()?;
        self.desktop.settle(CaptureArea::Window(front), &SettleOptions::after(&before))?;
        let open = self.desktop.capture(CaptureArea::Window(front))?;
        let region = appeared(&before, &open);
        let lines = self.eyes.read_lines(&open.image, region)?;
        let shift = (open.origin - before.origin).cast_unit();
        let own = element.bbox.translate(-shift);
        let entry = lines
            .iter()
            .filter(|line| same_text(&line.text, value))
            .filter(|line| !own.contains(line.bbox.center()))
            .min_by_key(|line| (line.bbox.center().y - own.max.y).abs());
        let Some(entry) = entry else {
            self.desktop.press_chord("escape")?;
            let after = self.fresh()?;
            return self.read_choice(element, value, &after);
        };
        self.desktop.click(open.at(entry.bbox.center()), MouseButton::Left, 1)?;
        self.desktop.settle(CaptureArea::Window(front), &quickly(&open))?;
        let after = self.fresh()?;
        self.read_choice(element, value, &after)
    }

    /// Walks through the entries with the arrow keys and reads each, for lists that do not show what they hold.
    fn pick_by_keys(&mut self, element: &Element, value: &str) -> Result<Proof, Trouble> {
        const MOST_ENTRIES: usize = 40;
        let mut last = Proof { read: String::new(), how: How::Differs };
        for key in ["up", "down"] {
            for _ in 0..MOST_ENTRIES {
                let before = self.fresh()?;
                self.desktop.press_chord(key)?;
                let front = self.front()?;
                let settled = self.desktop.settle(CaptureArea::Window(front), &quickly(&before))?;
                last = self.read_choice(element, value, &settled.capture)?;
                if last.confirmed() {
                    return Ok(last);
                }
                if !settled.changed {
                    break;
                }
            }
        }
        Ok(last)
    }

    fn read_choice(&mut self, element: &Element, value: &str, capture: &Capture) -> Result<Proof, Trouble> {
        let read = self.eyes.read_line(&capture.image, element.bbox)?.text;
        let how = if same_text(&read, value) { How::Eyes } else { How::Differs };
        Ok(Proof { read, how })
    }
}

/// A field shows at once what was typed; only a stuck program takes longer.
fn quickly(before: &Capture) -> SettleOptions {
    SettleOptions {
        no_change: Duration::from_millis(250),
        deadline: Duration::from_secs(3),
        ..SettleOptions::after(before)
    }
}

/// Whether what the eyes read cannot be `value` misread: nothing of its letters and digits is in it. Only plain ones
/// count, which the eyes know, and three at least.
fn shows_something_else(read: &str, value: &str) -> bool {
    let plain = |text: &str| -> Vec<char> {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let (read, value) = (plain(read), plain(value));
    value.len() >= 3 && !value.iter().any(|c| read.contains(c))
}

/// Whether nothing is drawn in a field but, perhaps, the text cursor.
fn is_without_ink(image: &RgbImage, field: ImageRect) -> bool {
    /// Borders are no ink.
    const BORDER: i32 = 4;
    const CURSOR_WIDTH: usize = 3;
    let inside = field.inflate(-BORDER, -BORDER);
    if inside.is_empty() {
        return false;
    }
    let at = |x: i32, y: i32| image.get_pixel_checked(u32::try_from(x).ok()?, u32::try_from(y).ok()?);
    let paper = at(inside.max.x - 1, inside.min.y);
    let is_inked = |x: &i32| (inside.min.y..inside.max.y).any(|y| at(*x, y) != paper);
    paper.is_some() && (inside.min.x..inside.max.x).filter(is_inked).count() <= CURSOR_WIDTH
}

/// Whether `value` means ticked. A value that repeats the box's own words means "this one".
fn wanted_check(element: &Element, value: &str) -> Result<bool, Trouble> {
    if same_text(value, element.name()) {
        return Ok(true);
    }
    words()
        .truth(value)
        .ok_or_else(|| Trouble::Doubt(format!("\"{value}\" is neither yes nor no, as \"{}\" needs it", element.name())))
}

/// Whether a text field is high enough for several lines.
fn has_lines(element: &Element) -> bool {
    element.bbox.height() >= LINES_HEIGHT
}

fn is_text_field(element: &Element) -> bool {
    !matches!(element.role, Role::Checkbox | Role::Switch | Role::Radio | Role::Combobox)
}

fn yes_no(state: Option<bool>) -> &'static str {
    match state {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

fn clip(area: ImageRect, capture: &Capture) -> ImageRect {
    let (width, height) = capture.image.dimensions();
    let all = ImageRect::new(ImagePoint::zero(), ImagePoint::new(width as i32, height as i32));
    area.intersection(&all).unwrap_or_else(|| ImageRect::new(ImagePoint::zero(), ImagePoint::new(1, 1)))
}

/// The part of `after` that differs from `before`; all of it when the picture's frame itself changed.
fn appeared(before: &Capture, after: &Capture) -> ImageRect {
    let (width, height) = after.image.dimensions();
    let all = ImageRect::new(ImagePoint::zero(), ImagePoint::new(width as i32, height as i32));
    if before.origin != after.origin || before.image.dimensions() != after.image.dimensions() {
        return all;
    }
    let mut changed: Option<ImageRect> = None;
    for (x, y, pixel) in after.image.enumerate_pixels() {
        if before.image.get_pixel(x, y) != pixel {
            let point = ImagePoint::new(x as i32, y as i32);
            let dot = ImageRect::new(point, point + euclid::vec2(1, 1));
            changed = Some(changed.map_or(dot, |area| area.union(&dot)));
        }
    }
    changed.map_or(all, |area| clip(area.inflate(4, 4), after))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn only_a_reading_without_any_letter_of_the_value_is_something_else() {
        assert!(shows_something_else("42", "Sample"));
        assert!(!shows_something_else("5ample", "Sample"), "misread");
        assert!(!shows_something_else("S", "7"), "too little to be sure");
        assert!(!shows_something_else("适", "订单数量"), "small Chinese characters may be missed");
    }

    #[test]
    fn a_text_cursor_is_no_ink_and_letters_are() {
        let field = ImageRect::new(ImagePoint::new(10, 10), ImagePoint::new(90, 34));
        let with = |columns: std::ops::Range<u32>| {
            RgbImage::from_fn(100, 50, |x, y| {
                Rgb([if columns.contains(&x) && (15..30).contains(&y) { 0 } else { 255 }; 3])
            })
        };
        assert!(is_without_ink(&with(20..20), field));
        assert!(is_without_ink(&with(20..22), field));
        assert!(!is_without_ink(&with(20..25), field));
        assert!(!is_without_ink(&with(20..20), ImageRect::new(ImagePoint::new(10, 10), ImagePoint::new(12, 12))));
    }
}
