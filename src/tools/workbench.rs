//! What the tools work with: hands, eyes, the target window and the last view of it.

use std::sync::Arc;
use std::time::Duration;

use image::RgbImage;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::desktop::accessibility::Accessibility;
use crate::desktop::{CaptureArea, Desktop, DesktopError, MouseButton, SettleOptions};
use crate::scene::{Capture, Element, ImagePoint, ImageRect, Numbering, Role, Scene, ToolCall, WindowId};
use crate::vision::{Eyes, VisionError};

use super::{CallError, Effect, ToolResult, ToolState, same_text, sight};

/// Why a tool could not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(transparent)]
    Desktop(#[from] DesktopError),
    #[error(transparent)]
    Vision(#[from] VisionError),
    #[error(transparent)]
    Call(#[from] CallError),
    /// The screen is not what the call was made for; acting would be a guess.
    #[error("{0}")]
    Doubt(String),
}

/// A picture of the target together with what the eyes found in it.
#[derive(Debug, Clone)]
pub struct View {
    pub capture: Capture,
    pub scene: Scene,
    /// The window that was looked at: the target, or the dialog in front of it.
    pub window: WindowId,
    pub title: String,
}

/// Hands, eyes, the accessibility tree and the window they work on.
pub struct Workbench {
    pub(super) desktop: Desktop,
    pub(super) eyes: Eyes,
    accessibility: Accessibility,
    target: WindowId,
    view: Option<View>,
    numbering: Numbering,
}

impl Workbench {
    /// A workbench for one target window.
    pub fn new(desktop: Desktop, eyes: Eyes, target: WindowId) -> Self {
        let accessibility = Accessibility::of_session();
        Workbench { desktop, eyes, accessibility, target, view: None, numbering: Numbering::default() }
    }

    pub fn target(&self) -> WindowId {
        self.target
    }

    /// Brings the target (or its dialog) to the front and looks at it with fresh eyes.
    ///
    /// # Errors
    /// When the window is gone, does not come to the front, or its picture is useless.
    pub fn observe(&mut self) -> anyhow::Result<&View> {
        // Whoever tells the user what to do about it must find the room's own error, not one of this room.
        self.look().map_err(|trouble| match trouble {
            Trouble::Desktop(error) => error.into(),
            Trouble::Vision(error) => error.into(),
            other => other.into(),
        })
    }

    /// The last view; `None` before the first look.
    pub fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    pub(super) fn look(&mut self) -> Result<&View, Trouble> {
        self.desktop.bring_to_front(self.target)?;
        let front = self.desktop.front_of(self.target)?;
        let capture = self.desktop.capture(CaptureArea::Window(front.id))?;
        let elements = sight::look(&mut self.eyes, &mut self.accessibility, &capture, &front)?;
        let (width, height) = capture.image.dimensions();
        let mut scene = Scene { capture: capture.id, width, height, elements };
        self.numbering.number(front.id, &mut scene);
        Ok(self.view.insert(View { capture, scene, window: front.id, title: front.title }))
    }

    /// A picture of the target as it is now, for the record; no eyes involved.
    pub fn picture(&mut self) -> Option<Arc<RgbImage>> {
        let front = self.desktop.front_of(self.target).ok()?;
        self.desktop.capture(CaptureArea::Window(front.id)).ok().map(|capture| capture.image)
    }

    /// Runs a tool's body and turns what went wrong into a result.
    pub(super) fn attempt(&mut self, body: impl FnOnce(&mut Self) -> Result<ToolResult, Trouble>) -> ToolResult {
        match body(self) {
            Ok(result) => result,
            Err(trouble) => {
                // In doubt nothing is done; after any other trouble something may have been.
                let (state, effect) = match &trouble {
                    Trouble::Desktop(DesktopError::Stopped) => (ToolState::Stopped, Effect::Unverifiable),
                    Trouble::Call(_) => (ToolState::NotFound, Effect::Unchanged),
                    Trouble::Doubt(_) => (ToolState::Failed, Effect::Unchanged),
                    Trouble::Desktop(_) | Trouble::Vision(_) => (ToolState::Failed, Effect::Unverifiable),
                };
                ToolResult { state, effect, ..ToolResult::failed(trouble.to_string()) }
            }
        }
    }

    /// The element of the last view that a call names.
    pub(super) fn find(&mut self, wanted: &Wanted) -> Result<Element, Trouble> {
        if self.view.is_none() {
            self.look()?;
        }
        let scene = self.view.as_ref().map(|view| &view.scene);
        let scene = scene.ok_or_else(|| Trouble::Doubt("nothing has been looked at yet".into()))?;
        Ok(wanted.find(scene)?.clone())
    }

    /// A fresh picture of what the view showed, proven to be the same window in the same size and in front.
    pub(super) fn fresh(&mut self) -> Result<Capture, Trouble> {
        self.desktop.bring_to_front(self.target)?;
        let front = self.desktop.front_of(self.target)?;
        let capture = self.desktop.capture(CaptureArea::Window(front.id))?;
        if let Some(view) = &self.view {
            if view.window != front.id {
                return Err(Trouble::Doubt(format!(
                    "another window came up meanwhile: \"{}\"; look again first",
                    front.title
                )));
            }
            if view.capture.image.dimensions() != capture.image.dimensions() {
                return Err(Trouble::Doubt("the window changed its size; look again first".into()));
            }
        }
        Ok(capture)
    }

    /// Clicks an element after making sure that it still shows what the view showed (C2).
    pub(super) fn click_element(
        &mut self,
        element: &Element,
        button: MouseButton,
        count: u32,
    ) -> Result<Effect, Trouble> {
        let now = self.fresh()?;
        self.still_there(element, &now)?;
        self.desktop.click(now.at(element.click_point()), button, count)?;
        self.effect_since(&now)
    }

    /// Refuses when the place of `element` no longer shows its text.
    fn still_there(&mut self, element: &Element, now: &Capture) -> Result<(), Trouble> {
        let Some(view) = &self.view else { return Ok(()) };
        if same_pixels(&view.capture.image, &now.image, element.bbox) || element.text.is_empty() {
            return Ok(());
        }
        if element.role.is_field() {
            // Its value may change by itself or by our own typing; its label is what identifies it.
            return Ok(());
        }
        let read = self.eyes.read_line(&now.image, element.bbox)?;
        if same_text(&read.text, &element.text) {
            return Ok(());
        }
        Err(Trouble::Doubt(format!(
            "where \"{}\" was, the screen now shows \"{}\"; nothing was clicked",
            element.text, read.text
        )))
    }

    pub(super) fn drag(&mut self, from: &Element, to: &Element) -> Result<Effect, Trouble> {
        let now = self.fresh()?;
        self.still_there(from, &now)?;
        self.still_there(to, &now)?;
        self.desktop.drag(now.at(from.click_point()), now.at(to.click_point()))?;
        self.effect_since(&now)
    }

    pub(super) fn scroll(&mut self, over: Option<&Element>, dx: i32, dy: i32) -> Result<Effect, Trouble> {
        let now = self.fresh()?;
        let (width, height) = now.image.dimensions();
        let middle = ImagePoint::new(width as i32 / 2, height as i32 / 2);
        self.desktop.scroll(now.at(over.map_or(middle, Element::click_point)), dx, dy)?;
        self.effect_since(&now)
    }

    pub(super) fn press(&mut self, keys: &str) -> Result<Effect, Trouble> {
        let now = self.fresh()?;
        self.desktop.press_chord(keys)?;
        self.effect_since(&now)
    }

    /// Waits until the window's picture is at rest; true when it changed meanwhile.
    pub(super) fn wait_until_stable(&mut self, seconds: u64) -> Result<bool, Trouble> {
        let before = self.fresh()?;
        let options = SettleOptions { deadline: Duration::from_secs(seconds), ..SettleOptions::after(&before) };
        let front = self.front()?;
        let settled = self.desktop.settle(CaptureArea::Window(front), &options)?;
        if !settled.stable {
            return Err(Trouble::Doubt(format!("the screen was still changing after {seconds} s")));
        }
        Ok(settled.changed)
    }

    /// Watches the screen until it is at rest and says whether it changed.
    pub(super) fn effect_since(&mut self, before: &Capture) -> Result<Effect, Trouble> {
        // The window may be closed by the very action; its disappearance is a visible change.
        let window = match self.front() {
            Ok(window) => window,
            Err(Trouble::Desktop(DesktopError::WindowGone(_))) => return Ok(Effect::Changed),
            Err(other) => return Err(other),
        };
        match self.desktop.settle(CaptureArea::Window(window), &SettleOptions::after(before)) {
            Ok(settled) if settled.changed => Ok(Effect::Changed),
            Ok(_) => Ok(Effect::Unchanged),
            Err(DesktopError::WindowGone(_)) => Ok(Effect::Changed),
            Err(other) => Err(other.into()),
        }
    }

    pub(super) fn front(&mut self) -> Result<WindowId, Trouble> {
        Ok(self.desktop.front_of(self.target)?.id)
    }
}

/// An element as a call names it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted {
    pub name: String,
    pub role: Option<Role>,
    pub id: Option<u32>,
}

impl Wanted {
    pub(super) fn named(name: impl Into<String>) -> Self {
        Wanted { name: name.into(), role: None, id: None }
    }

    /// The one element that is meant.
    ///
    /// # Errors
    /// None or several: the text lists what could have been meant. A number whose element has another name is
    /// refused, because the screen is not the one the caller thinks of.
    pub(super) fn find<'s>(&self, scene: &'s Scene) -> Result<&'s Element, CallError> {
        if let Some(id) = self.id {
            let element = scene.get(id).ok_or_else(|| CallError(format!("there is no element {id} on the screen")))?;
            if same_name(element.name(), &self.name) || same_name(&element.text, &self.name) {
                return Ok(element);
            }
            return Err(CallError(format!("element {id} is \"{}\", not \"{}\"", element.name(), self.name)));
        }
        let by_role = |e: &&Element| self.role.is_none_or(|role| e.role == role);
        let named: Vec<&Element> =
            scene.elements.iter().filter(by_role).filter(|e| same_name(e.name(), &self.name)).collect();
        let active: Vec<&Element> = named.iter().copied().filter(|e| e.role.is_interactive()).collect();
        match (active.as_slice(), named.as_slice()) {
            ([one], _) | ([], [one]) => Ok(one),
            ([], []) => {
                let names: Vec<String> = scene
                    .elements
                    .iter()
                    .filter(|e| e.role.is_interactive() && !e.name().is_empty())
                    .take(40)
                    .map(|e| format!("{} \"{}\"", e.role.name(), e.name()))
                    .collect();
                Err(CallError(format!("\"{}\" is not on the screen; there are: {}", self.name, names.join(", "))))
            }
            (several, all) => {
                let list = if several.is_empty() { all } else { several };
                let list: Vec<String> = list.iter().map(|e| e.to_string()).collect();
                Err(CallError(format!("\"{}\" is ambiguous; say role or id: {}", self.name, list.join("; "))))
            }
        }
    }
}

/// The elements that a call's arguments name, whatever the tool.
pub(super) fn named_elements(arguments: &Value) -> Vec<Wanted> {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let mut wanted = Vec::new();
    if let Some(name) = text("element") {
        let role = arguments.get("role").and_then(|role| serde_json::from_value(role.clone()).ok());
        wanted.push(Wanted { name: name.into(), role, id: number(arguments) });
    }
    wanted.extend(["from", "to"].into_iter().filter_map(text).map(Wanted::named));
    for field in arguments.get("fields").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = field.get("field").and_then(Value::as_str) {
            wanted.push(Wanted { name: name.into(), role: None, id: number(field) });
        }
    }
    wanted
}

/// The element that a call acts on, for the approval and the log; `None` when it names none or it is not there.
pub fn target_of<'s>(call: &ToolCall, scene: &'s Scene) -> Option<&'s Element> {
    let arguments = Value::Object(call.arguments.clone());
    named_elements(&arguments).first().and_then(|wanted| wanted.find(scene).ok())
}

fn number(object: &Value) -> Option<u32> {
    object.get("id").and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok())
}

fn same_name(a: &str, b: &str) -> bool {
    same_text(&a.to_lowercase(), &b.to_lowercase())
}

/// The arguments as the tool's own type; they were checked against its schema, so a fault here is told, not hidden.
pub(super) fn parse<A: DeserializeOwned>(arguments: Map<String, Value>) -> Result<A, ToolResult> {
    serde_json::from_value(Value::Object(arguments)).map_err(|e| ToolResult::failed(format!("wrong arguments: {e}")))
}

fn same_pixels(a: &RgbImage, b: &RgbImage, area: ImageRect) -> bool {
    let inside = |image: &RgbImage| {
        let (width, height) = image.dimensions();
        area.min.x >= 0 && area.min.y >= 0 && area.max.x <= width as i32 && area.max.y <= height as i32
    };
    if !inside(a) || !inside(b) {
        return false;
    }
    (area.min.y..area.max.y)
        .all(|y| (area.min.x..area.max.x).all(|x| a.get_pixel(x as u32, y as u32) == b.get_pixel(x as u32, y as u32)))
}
