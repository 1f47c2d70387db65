//! AT-SPI over D-Bus: finds the program's window in the registry and walks through it, a level at a time.
//!
//! Speaks plain D-Bus. The questions about all objects of a level travel together: a program answers thousands a second
//! that way, but only hundreds when each waits for the one before.

mod bus;
mod roles;

use std::time::Instant;

use zbus::Message;
use zbus::zvariant::OwnedObjectPath;

use crate::scene::{DesktopPoint, DesktopRect, Role};

use super::placement::Placement;
use super::{AccessibilityError, Accessible, Limits, Reading, Result, WindowInfo, spoken};
use bus::{Bus, Object, call, property, read, within};
use roles::{States, clips, is_leaf, is_popup, is_window, role, role_of};

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const COMPONENT: &str = "org.a11y.atspi.Component";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const SELECTION: &str = "org.a11y.atspi.Selection";
const TEXT: &str = "org.a11y.atspi.Text";
const VALUE: &str = "org.a11y.atspi.Value";
const REGISTRY: (&str, &str) = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root");
/// Stands for "no object".
const NOTHING: &str = "/org/a11y/atspi/null";

/// Objects that are asked at once; between two lots the limits are looked at.
const LOT: usize = 64;
/// A list or table with more parts than this is not listed: making the list would stop its program for seconds.
const MANY_PARTS: i32 = 2_000;
/// ATSPI_RELATION_LABELLED_BY
const LABELLED_BY: u32 = 2;
/// ATSPI_COORD_TYPE_SCREEN
const ON_SCREEN: u32 = 0;

/// The tree as AT-SPI has it.
pub struct Tree {
    bus: Bus,
}

impl Tree {
    /// The tree of the user's session; `None` when there is none.
    pub fn open() -> Option<Tree> {
        Some(Tree { bus: Bus::open(None)? })
    }

    /// The tree that is known on this session bus.
    #[cfg(test)]
    pub fn open_on(session: &str) -> Option<Tree> {
        Some(Tree { bus: Bus::open(Some(session))? })
    }
}

impl super::Tree for Tree {
    fn read(&mut self, window: &WindowInfo, limits: Limits) -> Result<Reading> {
        let deadline = Instant::now() + limits.time;
        let mut walk = Walk { bus: &mut self.bus, nodes_left: limits.nodes, found: Vec::new(), partial: false };
        let outcome = async_io::block_on(within(deadline, walk.window(window)));
        let partial = walk.partial || outcome.is_none();
        let accessibles = told(walk.found);
        outcome.transpose()?;
        Ok(Reading { accessibles, partial })
    }
}

/// An object that is to be looked at.
struct Spot {
    object: Object,
    /// What shows things at all: the window, or the pane that scrolls them.
    clip: DesktopRect,
    placement: Placement,
    /// The nearest reported thing around it, by its place in the list.
    parent: Option<usize>,
}

/// A reported object together with what decides whether it is a thing of its own.
struct Found {
    thing: Accessible,
    parent: Option<usize>,
}

/// The answers to the first questions about an object.
struct Basics {
    role: u32,
    states: States,
    name: String,
    interfaces: Vec<String>,
    parts: i32,
}

struct Walk<'b> {
    bus: &'b mut Bus,
    nodes_left: usize,
    found: Vec<Found>,
    partial: bool,
}

impl Walk<'_> {
    async fn window(&mut self, window: &WindowInfo) -> Result<()> {
        let mut level = Vec::new();
        for program in self.programs(window.pid).await? {
            level.extend(self.windows_of(&program, window).await?);
        }
        while !level.is_empty() {
            let mut next = Vec::new();
            for lot in level.chunks(LOT) {
                let lot = &lot[..lot.len().min(self.nodes_left)];
                self.nodes_left -= lot.len();
                if lot.is_empty() {
                    self.partial = true;
                    return Ok(());
                }
                next.extend(self.look_at(lot).await?);
            }
            level = next;
        }
        Ok(())
    }

    /// The programs that the window may belong to: those of its process, all when none is known to be it.
    async fn programs(&mut self, pid: Option<u32>) -> Result<Vec<Object>> {
        let root = (REGISTRY.0.to_string(), path(REGISTRY.1)?);
        let answers = self.bus.ask(&[on(&root, ACCESSIBLE, "GetChildren", &())?]).await?;
        let programs: Vec<Object> = answers.first().and_then(read).unwrap_or_default();
        let Some(pid) = pid else { return Ok(programs) };
        let bus = "org.freedesktop.DBus";
        let whose =
            |(name, _): &Object| call(bus, "/org/freedesktop/DBus", bus, "GetConnectionUnixProcessID", &(name,));
        let asks: Vec<Message> = programs.iter().map(whose).collect::<Result<_>>()?;
        let pids = self.bus.ask(&asks).await?;
        let own: Vec<Object> =
            programs.iter().zip(&pids).filter(|(_, p)| read::<u32>(p) == Some(pid)).map(|(o, _)| o.clone()).collect();
        Ok(if own.is_empty() { programs } else { own })
    }

    /// The program's objects for the window and for its popups.
    async fn windows_of(&mut self, program: &Object, window: &WindowInfo) -> Result<Vec<Spot>> {
        let answers = self.bus.ask(&[on(program, ACCESSIBLE, "GetChildren", &())?]).await?;
        let children: Vec<Object> = answers.first().and_then(read).unwrap_or_default();
        let basics = self.basics(&children).await?;
        let boxes = self.boxes(&children).await?;
        let mut windows = Vec::new();
        let mut popups = Vec::new();
        for ((object, basics), told) in children.into_iter().zip(basics).zip(boxes) {
            let (Some(basics), Some(told)) = (basics, told) else { continue };
            if !basics.states.showing() {
                continue;
            }
            let titled = spoken(&basics.name) == spoken(&window.title);
            if is_window(basics.role) && titled {
                windows.push((object, told));
            } else if is_popup(basics.role) && basics.name.is_empty() {
                popups.push((object, told));
            }
        }
        // Of several windows with the same title the one that lies there; sizes are compared first, because places may
        // be counted from the window's own corner.
        let distance = |told: &DesktopRect| {
            let (size, wanted) = (told.size(), window.bounds.size());
            let place = (told.min.x - window.bounds.min.x).abs() + (told.min.y - window.bounds.min.y).abs();
            ((size.width - wanted.width).abs() / 64 + (size.height - wanted.height).abs() / 64, place)
        };
        let Some((object, told)) = windows.into_iter().min_by_key(|(_, told)| distance(told)) else {
            return Ok(Vec::new());
        };
        let placement = Placement::of(told, window.bounds);
        let spot = |object, clip| Spot { object, clip, placement, parent: None };
        let mut spots = vec![spot(object, window.bounds)];
        spots.extend(popups.into_iter().map(|(object, told)| spot(object, placement.apply(told))));
        Ok(spots)
    }

    async fn basics(&mut self, objects: &[Object]) -> Result<Vec<Option<Basics>>> {
        let mut asks = Vec::with_capacity(objects.len() * 5);
        for object in objects {
            asks.push(on(object, ACCESSIBLE, "GetRole", &())?);
            asks.push(on(object, ACCESSIBLE, "GetState", &())?);
            asks.push(on(object, ACCESSIBLE, "GetInterfaces", &())?);
            asks.push(on(object, PROPERTIES, "Get", &(ACCESSIBLE, "Name"))?);
            asks.push(on(object, PROPERTIES, "Get", &(ACCESSIBLE, "ChildCount"))?);
        }
        let answers = self.bus.ask(&asks).await?;
        let basics = |answers: &[Option<Message>]| match answers {
            [role, states, interfaces, name, parts] => Some(Basics {
                role: read(role)?,
                states: States::new(&read::<Vec<u32>>(states)?),
                interfaces: read(interfaces).unwrap_or_default(),
                name: property(name).unwrap_or_default(),
                parts: property(parts).unwrap_or(0),
            }),
            _ => None,
        };
        Ok(answers.chunks(5).map(basics).collect())
    }

    async fn boxes(&mut self, objects: &[Object]) -> Result<Vec<Option<DesktopRect>>> {
        let ask = |object: &Object| on(object, COMPONENT, "GetExtents", &(ON_SCREEN,));
        let asks: Vec<Message> = objects.iter().map(ask).collect::<Result<_>>()?;
        let answers = self.bus.ask(&asks).await?;
        let rect = |answer: &Option<Message>| {
            let ((x, y, width, height),) = read::<((i32, i32, i32, i32),)>(answer).or_else(|| {
                // The one struct of the answer comes with or without being counted as the only argument.
                read::<(i32, i32, i32, i32)>(answer).map(|rect| (rect,))
            })?;
            let end = DesktopPoint::new(x.checked_add(width)?, y.checked_add(height)?);
            Some(DesktopRect::new(DesktopPoint::new(x, y), end))
        };
        Ok(answers.iter().map(rect).collect())
    }

    /// Reports what is visible of these objects and gives their parts.
    async fn look_at(&mut self, lot: &[Spot]) -> Result<Vec<Spot>> {
        let objects: Vec<Object> = lot.iter().map(|spot| spot.object.clone()).collect();
        let basics = self.basics(&objects).await?;
        let shown: Vec<(&Spot, Basics)> = lot
            .iter()
            .zip(basics)
            .filter_map(|(spot, basics)| Some((spot, basics?)))
            .filter(|(_, basics)| basics.states.showing())
            .collect();
        let objects: Vec<Object> = shown.iter().map(|(spot, _)| spot.object.clone()).collect();
        let boxes = self.boxes(&objects).await?;
        let mut asks = Vec::new();
        let mut slots = Vec::new();
        for (spot, basics) in &shown {
            let details = Details::of(&spot.object, basics)?;
            slots.push((asks.len(), details.wanted));
            asks.extend(details.asks);
        }
        let answers = self.bus.ask(&asks).await?;
        let mut parts = Vec::new();
        let mut lookups = Vec::new();
        for (((spot, basics), told), (start, wanted)) in shown.into_iter().zip(boxes).zip(slots) {
            let answer = |detail: Detail| wanted.iter().position(|w| *w == detail).map(|at| &answers[start + at]);
            let bounds = told.map(|told| spot.placement.apply(told));
            let visible = bounds.and_then(|bounds| bounds.intersection(&spot.clip));
            let mut parent = spot.parent;
            if let Some(role) = role_of(basics.role, basics.states)
                && let Some(visible) = visible
            {
                let text = answer(Detail::Text).and_then(read::<String>);
                let number = answer(Detail::Value).and_then(property::<f64>).map(|value| value.to_string());
                let label = answer(Detail::Relations).and_then(labelled_by);
                let chosen = answer(Detail::Chosen).and_then(read::<Object>).filter(|o| o.1.as_str() != NOTHING);
                let name = spoken(&basics.name);
                let value = match role {
                    _ if basics.role == role::PASSWORD_TEXT => None,
                    Role::Textbox => Some(text.or(number).unwrap_or_default()),
                    Role::Slider => number,
                    // Until its chosen item is asked: most call a list by what is chosen in it.
                    Role::Combobox => Some(text.unwrap_or_else(|| name.clone())),
                    _ => None,
                };
                parent = Some(self.found.len());
                lookups.extend(label.map(|label| (self.found.len(), Detail::Relations, label)));
                lookups.extend(chosen.map(|chosen| (self.found.len(), Detail::Chosen, chosen)));
                let states = basics.states.seen_on(basics.role, role);
                let thing = Accessible { role, name, value, states, bounds: visible };
                self.found.push(Found { thing, parent: spot.parent });
            }
            let Some(children) = answer(Detail::Parts) else {
                self.partial |= basics.parts > MANY_PARTS;
                continue;
            };
            let clip = if clips(basics.role) { visible.unwrap_or(spot.clip) } else { spot.clip };
            let children = read::<Vec<Object>>(children).unwrap_or_default();
            let children = children.into_iter().filter(|(_, path)| path.as_str() != NOTHING);
            parts.extend(children.map(|object| Spot { object, clip, placement: spot.placement, parent }));
        }
        self.complete(&lookups).await?;
        Ok(parts)
    }

    /// Fills in names that other objects have: a field's label, a list's chosen item.
    async fn complete(&mut self, lookups: &[(usize, Detail, Object)]) -> Result<()> {
        let ask = |(_, _, object): &(usize, Detail, Object)| on(object, PROPERTIES, "Get", &(ACCESSIBLE, "Name"));
        let asks: Vec<Message> = lookups.iter().map(ask).collect::<Result<_>>()?;
        let answers = self.bus.ask(&asks).await?;
        for ((at, detail, _), answer) in lookups.iter().zip(&answers) {
            let (Some(name), Some(found)) = (property::<String>(answer), self.found.get_mut(*at)) else { continue };
            let name = spoken(&name);
            match detail {
                Detail::Chosen => found.thing.value = Some(name),
                _ if !name.is_empty() => found.thing.name = name,
                _ => {}
            }
        }
        Ok(())
    }
}

/// What is asked about some objects only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Parts,
    Text,
    Value,
    Relations,
    Chosen,
}

struct Details {
    wanted: Vec<Detail>,
    asks: Vec<Message>,
}

impl Details {
    fn of(object: &Object, basics: &Basics) -> Result<Details> {
        let role = role_of(basics.role, basics.states);
        let offers = |interface: &str| basics.interfaces.iter().any(|i| i == interface);
        let named_beside = matches!(role, Some(Role::Textbox | Role::Combobox | Role::Slider));
        let secret = basics.role == role::PASSWORD_TEXT;
        let mut details = Details { wanted: Vec::new(), asks: Vec::new() };
        let mut add = |detail: Detail, interface: &str, member: &str| -> Result<()> {
            let ask = match detail {
                Detail::Text => on(object, interface, member, &(0i32, -1i32)),
                Detail::Value => on(object, PROPERTIES, "Get", &(interface, member)),
                Detail::Chosen => on(object, interface, member, &(0i32,)),
                Detail::Parts | Detail::Relations => on(object, interface, member, &()),
            }?;
            details.wanted.push(detail);
            details.asks.push(ask);
            Ok(())
        };
        if (1..=MANY_PARTS).contains(&basics.parts) && !role.is_some_and(is_leaf) {
            add(Detail::Parts, ACCESSIBLE, "GetChildren")?;
        }
        if named_beside && !secret && offers(TEXT) {
            add(Detail::Text, TEXT, "GetText")?;
        }
        if named_beside && offers(VALUE) {
            add(Detail::Value, VALUE, "CurrentValue")?;
        }
        if named_beside {
            add(Detail::Relations, ACCESSIBLE, "GetRelationSet")?;
        }
        if role == Some(Role::Combobox) && offers(SELECTION) {
            add(Detail::Chosen, SELECTION, "GetSelectedChild")?;
        }
        Ok(details)
    }
}

/// The things of their own: parts that only draw their parent are dropped, a list's entry is the list's value.
fn told(found: Vec<Found>) -> Vec<Accessible> {
    let parents: Vec<Option<usize>> = found.iter().map(|found| found.parent).collect();
    let mut things: Vec<Accessible> = found.into_iter().map(|found| found.thing).collect();
    let mut drawn = vec![false; things.len()];
    for (at, parent) in parents.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        let (part, whole) = (things[at].clone(), &mut things[parent]);
        match (whole.role, part.role) {
            (Role::Combobox, Role::Textbox) => {
                whole.value = part.value.or(whole.value.take());
                drawn[at] = true;
            }
            (Role::Combobox, Role::Button) => drawn[at] = true,
            (Role::Link | Role::Menuitem | Role::Listitem | Role::Cell | Role::Text, Role::Text) => {
                if whole.name.is_empty() {
                    whole.name = part.name.clone();
                }
                drawn[at] = whole.name == part.name;
            }
            _ => {}
        }
    }
    for thing in &mut things {
        // A list that is called by what is chosen in it has no name.
        if thing.role == Role::Combobox && thing.value.as_deref() == Some(thing.name.as_str()) {
            thing.name.clear();
        }
    }
    let nameless = |thing: &Accessible| thing.role == Role::Text && thing.name.is_empty();
    things.into_iter().zip(drawn).filter(|(thing, drawn)| !drawn && !nameless(thing)).map(|(thing, _)| thing).collect()
}

fn labelled_by(answer: &Option<Message>) -> Option<Object> {
    let relations: Vec<(u32, Vec<Object>)> = read(answer)?;
    relations.into_iter().find(|(kind, _)| *kind == LABELLED_BY)?.1.into_iter().next()
}

fn on<B>(object: &Object, interface: &str, member: &str, body: &B) -> Result<Message>
where
    B: serde::Serialize + zbus::zvariant::DynamicType,
{
    call(&object.0, object.1.as_str(), interface, member, body)
}

fn path(path: &str) -> Result<OwnedObjectPath> {
    OwnedObjectPath::try_from(path).map_err(|error| AccessibilityError::Answer(error.to_string()))
}
