//! UI Automation, on a thread of its own: a program that hangs holds the one who asks it for many seconds.

use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::Instant;

use uiautomation::types::{ControlType, Handle, TreeScope, UIProperty};
use uiautomation::variants::Variant;
use uiautomation::{UIAutomation, UIElement};

use crate::scene::{DesktopPoint, DesktopRect, Role, State, WindowId};

use super::{AccessibilityError, Accessible, Limits, Reading, Result, WindowInfo, spoken};

/// What is asked about every element, in one call for all children of one. Values are not among it: a password's must
/// not even be asked for.
const ASKED: [UIProperty; 10] = [
    UIProperty::Name,
    UIProperty::ControlType,
    UIProperty::BoundingRectangle,
    UIProperty::IsEnabled,
    UIProperty::HasKeyboardFocus,
    UIProperty::IsOffscreen,
    UIProperty::IsPassword,
    UIProperty::ValueIsReadOnly,
    UIProperty::ToggleToggleState,
    UIProperty::SelectionItemIsSelected,
];

/// The tree as UI Automation has it.
pub struct Tree {
    jobs: Sender<Job>,
    /// Where the answers to a reading that ran out of time still arrive.
    late: Option<Receiver<Part>>,
}

struct Job {
    window: WindowId,
    clip: DesktopRect,
    nodes: usize,
    deadline: Instant,
    parts: Sender<Part>,
}

/// What comes of a job: things one by one, then how it ended.
enum Part {
    Thing(Accessible),
    End { partial: bool },
    Failed(AccessibilityError),
}

impl Tree {
    /// The tree, on its thread; whether the system has one is known when the first window is read.
    pub fn open() -> Option<Tree> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let work = move || {
            let automation = UIAutomation::new();
            for job in inbox {
                let end = match &automation {
                    Ok(automation) => job.run(automation),
                    Err(error) => Part::Failed(AccessibilityError::Connection(told(error))),
                };
                // Nobody waits any more: the next job will say so as well.
                let _ = job.parts.send(end);
            }
        };
        thread::Builder::new().name("accessibility".into()).spawn(work).ok()?;
        Some(Tree { jobs, late: None })
    }

    /// Whether a program that does not answer still holds the thread.
    fn is_held(&mut self) -> bool {
        let Some(late) = &self.late else { return false };
        loop {
            match late.try_recv() {
                Ok(Part::Thing(_)) => {}
                Err(TryRecvError::Empty) => return true,
                Ok(Part::End { .. } | Part::Failed(_)) | Err(TryRecvError::Disconnected) => {
                    self.late = None;
                    return false;
                }
            }
        }
    }
}

impl super::Tree for Tree {
    fn read(&mut self, window: &WindowInfo, limits: Limits) -> Result<Reading> {
        let mut reading = Reading { accessibles: Vec::new(), partial: true };
        if self.is_held() {
            return Ok(reading);
        }
        let deadline = Instant::now() + limits.time;
        let (parts, answers) = mpsc::channel();
        let job = Job { window: window.id, clip: window.bounds, nodes: limits.nodes, deadline, parts };
        self.jobs.send(job).map_err(|_| AccessibilityError::Connection("its thread has ended".into()))?;
        loop {
            match answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Part::Thing(thing)) => reading.accessibles.push(thing),
                Ok(Part::End { partial }) => return Ok(Reading { partial, ..reading }),
                Ok(Part::Failed(error)) => return Err(error),
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    self.late = Some(answers);
                    return Ok(reading);
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(AccessibilityError::Connection("its thread has ended".into()));
                }
            }
        }
    }
}

impl Job {
    fn run(&self, automation: &UIAutomation) -> Part {
        match self.walk(automation) {
            Ok(partial) => Part::End { partial },
            Err(error) => Part::Failed(AccessibilityError::Answer(told(&error))),
        }
    }

    /// Sends what is visible, a level at a time; true when a limit or a part that does not answer cut it short.
    fn walk(&self, automation: &UIAutomation) -> uiautomation::Result<bool> {
        let request = automation.create_cache_request()?;
        for property in ASKED {
            request.add_property(property)?;
        }
        let every = automation.get_control_view_condition()?;
        let root = automation.element_from_handle_build_cache(Handle::from(self.window.0 as isize), &request)?;
        let mut level = vec![Spot { element: root, parent: None }];
        let mut left = self.nodes;
        let mut partial = false;
        while !level.is_empty() {
            let mut next = Vec::new();
            for spot in level {
                if Instant::now() >= self.deadline || left == 0 {
                    return Ok(true);
                }
                left -= 1;
                let parent = self.report(&spot);
                if parent.is_some_and(is_leaf) {
                    continue;
                }
                match spot.element.find_all_build_cache(TreeScope::Children, &every, &request) {
                    Ok(children) => next.extend(children.into_iter().map(|element| Spot { element, parent })),
                    Err(_) => partial = true,
                }
            }
            level = next;
        }
        Ok(partial)
    }

    /// Sends what is visible of the element and gives its role, or that of what it is a part of.
    fn report(&self, spot: &Spot) -> Option<Role> {
        let element = &spot.element;
        let Some(role) = element.get_cached_control_type().ok().and_then(|told| role_of(told, element)) else {
            return spot.parent;
        };
        if element.is_cached_offscreen().unwrap_or(false) || drawn_by(spot.parent, role) {
            return Some(role);
        }
        let visible = bounds(element).and_then(|bounds| bounds.intersection(&self.clip));
        let name = spoken(&element.get_cached_name().unwrap_or_default());
        if let Some(bounds) = visible
            && (role != Role::Text || !name.is_empty())
        {
            // What does not say whether it is a password is taken for one.
            let secret = element.is_cached_password().unwrap_or(true);
            let value = (role.is_named_beside() && !secret).then(|| value(element));
            let thing = Accessible { role, name, value, states: states(element, role), bounds };
            // Nobody waits any more: the deadline ends the walk as well.
            let _ = self.parts.send(Part::Thing(thing));
        }
        Some(role)
    }
}

/// The system's words, which may be none, and its number.
fn told(error: &uiautomation::Error) -> String {
    format!("{error} ({:#010x})", error.code()).trim_start().to_owned()
}

struct Spot {
    element: UIElement,
    /// The role of the reported thing that it is a part of.
    parent: Option<Role>,
}

fn bounds(element: &UIElement) -> Option<DesktopRect> {
    let told = element.get_cached_bounding_rectangle().ok()?;
    let min = DesktopPoint::new(told.get_left(), told.get_top());
    let max = DesktopPoint::new(told.get_right(), told.get_bottom());
    Some(DesktopRect::new(min, max)).filter(|rect| !rect.is_empty())
}

fn property<T>(element: &UIElement, property: UIProperty) -> Option<T>
where
    Variant: TryInto<T>,
{
    element.get_cached_property_value(property).ok()?.try_into().ok()
}

/// What stands in it, asked for by itself.
fn value(element: &UIElement) -> String {
    let told = element.get_property_value(UIProperty::ValueValue).ok();
    told.and_then(|value| value.try_into().ok()).unwrap_or_default()
}

fn states(element: &UIElement, role: Role) -> Vec<State> {
    let mut states = Vec::new();
    if matches!(role, Role::Checkbox | Role::Switch) {
        // 2 is neither: half checked, or an element that cannot be toggled.
        match property::<i32>(element, UIProperty::ToggleToggleState) {
            Some(0) => states.push(State::Unchecked),
            Some(1) => states.push(State::Checked),
            _ => {}
        }
    }
    let selected = property::<bool>(element, UIProperty::SelectionItemIsSelected).unwrap_or(false);
    match role {
        Role::Radio => states.push(if selected { State::Checked } else { State::Unchecked }),
        _ if selected => states.push(State::Selected),
        _ => {}
    }
    if role.is_interactive() && !element.is_cached_enabled().unwrap_or(true) {
        states.push(State::Disabled);
    }
    if element.has_cached_keyboard_focus().unwrap_or(false) {
        states.push(State::Focused);
    }
    states
}

/// What an element of this type is to a user; `None` for what only holds others together.
fn role_of(told: ControlType, element: &UIElement) -> Option<Role> {
    Some(match told {
        ControlType::Button | ControlType::SplitButton => Role::Button,
        ControlType::CheckBox => Role::Checkbox,
        ControlType::ComboBox => Role::Combobox,
        ControlType::Edit | ControlType::Spinner => Role::Textbox,
        ControlType::Document if !property(element, UIProperty::ValueIsReadOnly).unwrap_or(true) => Role::Textbox,
        ControlType::Hyperlink => Role::Link,
        ControlType::Image => Role::Image,
        ControlType::ListItem | ControlType::TreeItem => Role::Listitem,
        ControlType::MenuItem => Role::Menuitem,
        ControlType::RadioButton => Role::Radio,
        ControlType::Slider => Role::Slider,
        ControlType::TabItem => Role::Tab,
        ControlType::Text => Role::Text,
        ControlType::DataItem | ControlType::HeaderItem => Role::Cell,
        ControlType::AppBar
        | ControlType::Calendar
        | ControlType::Custom
        | ControlType::DataGrid
        | ControlType::Document
        | ControlType::Group
        | ControlType::Header
        | ControlType::List
        | ControlType::Menu
        | ControlType::MenuBar
        | ControlType::Pane
        | ControlType::ProgressBar
        | ControlType::ScrollBar
        | ControlType::SemanticZoom
        | ControlType::Separator
        | ControlType::StatusBar
        | ControlType::Tab
        | ControlType::Table
        | ControlType::Thumb
        | ControlType::TitleBar
        | ControlType::ToolBar
        | ControlType::ToolTip
        | ControlType::Tree
        | ControlType::Window => return None,
    })
}

/// Whether parts of such an element are only the way it is drawn.
fn is_leaf(role: Role) -> bool {
    matches!(role, Role::Button | Role::Checkbox | Role::Radio | Role::Slider | Role::Textbox | Role::Image)
}

/// Whether a part of this role is only how the thing around it is drawn: the words of a link, the field of a list.
fn drawn_by(whole: Option<Role>, part: Role) -> bool {
    match whole {
        Some(Role::Combobox) => matches!(part, Role::Textbox | Role::Button | Role::Text),
        Some(Role::Link | Role::Tab | Role::Menuitem | Role::Text) => part == Role::Text,
        _ => false,
    }
}
