//! Top-level windows and popups: through the window manager's lists where there is one, by walking the tree where
//! there is none.

use std::collections::HashSet;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, GetPropertyReply, InputFocus,
    MapState, StackMode, Window, WindowClass,
};

use crate::desktop::{DesktopError, Result, WindowInfo};
use crate::scene::{DesktopPoint, DesktopRect, WindowId};

use super::{Wire, lost, pids, rect};

/// Popups smaller than this in either direction are bookkeeping windows, not something to look at.
const SMALLEST_POPUP: i32 = 9;
/// How deep below the root a window without a window manager's list is searched (frames of simple managers).
const SEARCH_DEPTH: u32 = 2;
/// WM_STATE's value for a minimized window.
const ICONIC: u32 = 3;

/// What a property of a window says, before it becomes a [`WindowInfo`].
struct Details {
    info: WindowInfo,
    types: Vec<Atom>,
    states: Vec<Atom>,
    override_redirect: bool,
    visible: bool,
}

/// The X11 id behind our own; `None` for an id that no X server gives.
pub fn xid(window: WindowId) -> Option<Window> {
    u32::try_from(window.0).ok()
}

/// The name of the running EWMH window manager; `None` when none runs.
pub fn manager(wire: &Wire) -> Result<Option<String>> {
    let check = wire.atoms._NET_SUPPORTING_WM_CHECK;
    let Some(window) = longs(wire, wire.root, check)?.first().copied() else { return Ok(None) };
    // A manager that died leaves the root's property behind; only a living one answers on its own window.
    if longs(wire, window, check)?.first() != Some(&window) {
        return Ok(None);
    }
    Ok(Some(text(wire, window, wire.atoms._NET_WM_NAME)?.unwrap_or_else(|| "unnamed".to_owned())))
}

/// Ordinary top-level windows, topmost first.
pub fn windows(wire: &Wire) -> Result<Vec<WindowInfo>> {
    let mut found: Vec<Details> = Vec::new();
    for id in clients(wire)? {
        if let Some(details) = details(wire, id)?
            && !is_furniture(wire, &details)
        {
            found.push(details);
        }
    }
    adopt_dialogs(wire, &mut found);
    Ok(found.into_iter().map(|details| details.info).collect())
}

/// Mapped override-redirect windows (menus, drop-down lists), topmost first.
pub fn popups(wire: &Wire) -> Result<Vec<WindowInfo>> {
    let clients = clients(wire)?;
    let mut frames = HashSet::new();
    for client in &clients {
        frames.extend(top_ancestor(wire, *client)?);
    }
    let mut found = Vec::new();
    for id in children(wire, wire.root)?.into_iter().rev() {
        if frames.contains(&id) {
            continue;
        }
        let Some(details) = details(wire, id)? else { continue };
        let bounds = details.info.bounds;
        let large = bounds.width() >= SMALLEST_POPUP && bounds.height() >= SMALLEST_POPUP;
        if details.override_redirect && details.visible && large && !is_furniture(wire, &details) {
            found.push(details.info);
        }
    }
    Ok(found)
}

/// The window that has the keyboard; `None` when no top-level window has it.
pub fn active(wire: &Wire) -> Result<Option<WindowId>> {
    let focus = wire.sync()?;
    if focus == u32::from(InputFocus::NONE) || focus == u32::from(InputFocus::POINTER_ROOT) || focus == wire.root {
        return Ok(None);
    }
    if manager(wire)?.is_some()
        && let Some(active) = longs(wire, wire.root, wire.atoms._NET_ACTIVE_WINDOW)?.first().copied()
    {
        // The manager's word counts only once the keyboard has really gone to that program.
        let agrees = active != 0 && wire.program_of(active) == wire.program_of(focus);
        return Ok(agrees.then_some(WindowId(u64::from(active))));
    }
    let clients = clients(wire)?;
    let mut window = focus;
    loop {
        if clients.contains(&window) {
            return Ok(Some(WindowId(u64::from(window))));
        }
        match parent(wire, window)? {
            Some(above) if above != wire.root => window = above,
            Some(_) | None => return Ok(None),
        }
    }
}

/// Whether one of the windows that contain the place, from the root down, is of the same program as `window`.
pub fn reachable_at(wire: &Wire, window: Window, at: DesktopPoint) -> Result<bool> {
    let (Ok(x), Ok(y)) = (i16::try_from(at.x), i16::try_from(at.y)) else { return Ok(false) };
    let mut above = wire.root;
    loop {
        let asked = wire.connection.translate_coordinates(wire.root, above, x, y).map_err(lost)?;
        let child = wire.present(asked.reply())?.map_or(x11rb::NONE, |reply| reply.child);
        if child == x11rb::NONE {
            return Ok(false);
        }
        if wire.program_of(child) == wire.program_of(window) {
            return Ok(true);
        }
        above = child;
    }
}

/// Asks the window manager to bring the window to the front; does it by hand where there is none.
pub fn activate(wire: &Wire, window: Window) -> Result<()> {
    let Some(details) = details(wire, window)? else {
        return Err(DesktopError::WindowGone(format!("{window:#x}")));
    };
    let connection = &wire.connection;
    if manager(wire)?.is_some() {
        // Source 2 means "a pager": the user's own wish, which focus-stealing prevention lets through.
        let message = ClientMessageEvent::new(32, window, wire.atoms._NET_ACTIVE_WINDOW, [2, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        connection.send_event(false, wire.root, mask, message).map_err(lost)?;
        return connection.flush().map_err(lost);
    }
    connection.map_window(window).map_err(lost)?;
    let above = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
    connection.configure_window(window, &above).map_err(lost)?;
    let focus = connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).map_err(lost)?;
    // A window that is not yet viewable refuses the focus; the caller waits and asks again.
    focus.check().or_else(|error| wire.ignore_x_error(error))?;
    if longs(wire, window, wire.atoms.WM_PROTOCOLS)?.contains(&wire.atoms.WM_TAKE_FOCUS) {
        let data = [wire.atoms.WM_TAKE_FOCUS, x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, details.info.id.0 as u32, wire.atoms.WM_PROTOCOLS, data);
        connection.send_event(false, window, EventMask::NO_EVENT, message).map_err(lost)?;
    }
    connection.flush().map_err(lost)
}

/// Ids of the top-level windows, topmost first.
fn clients(wire: &Wire) -> Result<Vec<Window>> {
    if manager(wire)?.is_some() {
        for list in [wire.atoms._NET_CLIENT_LIST_STACKING, wire.atoms._NET_CLIENT_LIST] {
            let mut ids = longs(wire, wire.root, list)?;
            if !ids.is_empty() {
                ids.reverse();
                return Ok(ids);
            }
        }
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    search(wire, wire.root, SEARCH_DEPTH, &mut found)?;
    Ok(found)
}

/// Collects, topmost first, the windows below `parent` that look like a program's own.
fn search(wire: &Wire, parent: Window, depth: u32, found: &mut Vec<Window>) -> Result<()> {
    for id in children(wire, parent)?.into_iter().rev() {
        let Some(attributes) = wire.present(wire.connection.get_window_attributes(id).map_err(lost)?.reply())? else {
            continue;
        };
        if attributes.map_state != MapState::VIEWABLE || attributes.class != WindowClass::INPUT_OUTPUT {
            continue;
        }
        let named = !attributes.override_redirect
            && (has(wire, id, AtomEnum::WM_NAME.into())? || has(wire, id, AtomEnum::WM_CLASS.into())?);
        // Below the first level only windows that a manager has marked count, not a program's inner ones.
        let counts = if parent == wire.root { named } else { named && has(wire, id, wire.atoms.WM_STATE)? };
        if counts {
            found.push(id);
        } else if depth > 0 {
            search(wire, id, depth - 1, found)?;
        }
    }
    Ok(())
}

/// Everything about a window; `None` when it is gone.
fn details(wire: &Wire, id: Window) -> Result<Option<Details>> {
    let connection = &wire.connection;
    // All questions go out before the first answer is awaited: one round trip instead of a dozen.
    let attributes = connection.get_window_attributes(id).map_err(lost)?;
    let geometry = connection.get_geometry(id).map_err(lost)?;
    let place = connection.translate_coordinates(id, wire.root, 0, 0).map_err(lost)?;
    let ask = |property: Atom| connection.get_property(false, id, property, AtomEnum::ANY, 0, 4096).map_err(lost);
    let net_name = ask(wire.atoms._NET_WM_NAME)?;
    let name = ask(AtomEnum::WM_NAME.into())?;
    let class = ask(AtomEnum::WM_CLASS.into())?;
    let pid = ask(wire.atoms._NET_WM_PID)?;
    let transient = ask(AtomEnum::WM_TRANSIENT_FOR.into())?;
    let state = ask(wire.atoms.WM_STATE)?;
    let net_state = ask(wire.atoms._NET_WM_STATE)?;
    let types = ask(wire.atoms._NET_WM_WINDOW_TYPE)?;
    let shadow = ask(wire.atoms._GTK_FRAME_EXTENTS)?;

    let attributes = wire.present(attributes.reply())?;
    let geometry = wire.present(geometry.reply())?;
    let place = wire.present(place.reply())?;
    let net_name = wire.present(net_name.reply())?.and_then(|reply| decode(wire, &reply));
    let name = wire.present(name.reply())?.and_then(|reply| decode(wire, &reply));
    let class = wire.present(class.reply())?;
    let pid = numbers(wire.present(pid.reply())?);
    let transient = numbers(wire.present(transient.reply())?);
    let state = numbers(wire.present(state.reply())?);
    let states = numbers(wire.present(net_state.reply())?);
    let types = numbers(wire.present(types.reply())?);
    let shadow = numbers(wire.present(shadow.reply())?);
    let (Some(attributes), Some(geometry), Some(place)) = (attributes, geometry, place) else { return Ok(None) };

    let mut bounds =
        rect(i32::from(place.dst_x), i32::from(place.dst_y), i32::from(geometry.width), i32::from(geometry.height));
    if let [left, right, top, bottom] = shadow[..] {
        bounds = without_shadow(bounds, [left, right, top, bottom]);
    }
    let visible = attributes.map_state == MapState::VIEWABLE && attributes.class == WindowClass::INPUT_OUTPUT;
    let minimized = !visible || state.first() == Some(&ICONIC) || states.contains(&wire.atoms._NET_WM_STATE_HIDDEN);
    let info = WindowInfo {
        id: WindowId(u64::from(id)),
        title: crate::desktop::one_line(&net_name.or(name).unwrap_or_default()),
        class: class.map(|reply| class_name(&reply)).unwrap_or_default(),
        pid: match pid.first() {
            Some(pid) => Some(*pid),
            None => pids::of_window(connection, id)?,
        },
        bounds,
        minimized,
        transient_for: transient.first().filter(|of| **of != 0 && **of != id).map(|of| WindowId(u64::from(*of))),
    };
    Ok(Some(Details { info, types, states, override_redirect: attributes.override_redirect, visible }))
}

/// GTK windows that draw their own frame count its invisible shadow to the window.
fn without_shadow(bounds: DesktopRect, [left, right, top, bottom]: [u32; 4]) -> DesktopRect {
    let side = |extent: u32| i32::try_from(extent).unwrap_or(0);
    let inner = rect(
        bounds.min.x + side(left),
        bounds.min.y + side(top),
        bounds.width() - side(left) - side(right),
        bounds.height() - side(top) - side(bottom),
    );
    if inner.is_empty() { bounds } else { inner }
}

/// Panels, the desktop's own background, notifications: nothing that is operated as a program's window.
fn is_furniture(wire: &Wire, details: &Details) -> bool {
    let atoms = &wire.atoms;
    let furniture = [
        atoms._NET_WM_WINDOW_TYPE_DESKTOP,
        atoms._NET_WM_WINDOW_TYPE_DOCK,
        atoms._NET_WM_WINDOW_TYPE_NOTIFICATION,
        atoms._NET_WM_WINDOW_TYPE_DND,
    ];
    details.types.iter().any(|kind| furniture.contains(kind))
}

/// A dialog that names no owner, or the whole program as its owner, belongs to the next window of its program below.
fn adopt_dialogs(wire: &Wire, found: &mut [Details]) {
    let ids: Vec<WindowId> = found.iter().map(|details| details.info.id).collect();
    for place in 0..found.len() {
        let this = &found[place];
        let dialog = this.types.first() == Some(&wire.atoms._NET_WM_WINDOW_TYPE_DIALOG)
            || this.states.contains(&wire.atoms._NET_WM_STATE_MODAL)
            || this.info.transient_for.is_some();
        if !dialog || this.info.transient_for.is_some_and(|owner| ids.contains(&owner)) {
            continue;
        }
        let program = wire.program_of(this.info.id.0 as u32);
        let below = ids[place + 1..].iter().find(|id| wire.program_of(id.0 as u32) == program).copied();
        found[place].info.transient_for = below;
    }
}

/// The child of the root window that contains `window` (a manager's frame, or itself).
fn top_ancestor(wire: &Wire, mut window: Window) -> Result<Option<Window>> {
    loop {
        match parent(wire, window)? {
            Some(above) if above == wire.root => return Ok(Some(window)),
            Some(above) => window = above,
            None => return Ok(None),
        }
    }
}

/// The parent; `None` for the root and for windows that are gone.
pub fn parent(wire: &Wire, window: Window) -> Result<Option<Window>> {
    let tree = wire.present(wire.connection.query_tree(window).map_err(lost)?.reply())?;
    Ok(tree.map(|tree| tree.parent).filter(|parent| *parent != x11rb::NONE))
}

/// The children, lowest first; none when the window is gone.
fn children(wire: &Wire, window: Window) -> Result<Vec<Window>> {
    let tree = wire.present(wire.connection.query_tree(window).map_err(lost)?.reply())?;
    Ok(tree.map(|tree| tree.children).unwrap_or_default())
}

fn property(wire: &Wire, window: Window, name: Atom) -> Result<Option<GetPropertyReply>> {
    wire.present(wire.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1 << 16).map_err(lost)?.reply())
}

fn has(wire: &Wire, window: Window, name: Atom) -> Result<bool> {
    Ok(property(wire, window, name)?.is_some_and(|reply| reply.type_ != x11rb::NONE))
}

/// The 32-bit values of a property; none when the window is gone.
pub fn longs(wire: &Wire, window: Window, name: Atom) -> Result<Vec<u32>> {
    Ok(numbers(property(wire, window, name)?))
}

fn text(wire: &Wire, window: Window, name: Atom) -> Result<Option<String>> {
    Ok(property(wire, window, name)?.and_then(|reply| decode(wire, &reply)))
}

/// The 32-bit values of a property; none when it has another format or does not exist.
fn numbers(reply: Option<GetPropertyReply>) -> Vec<u32> {
    reply.as_ref().and_then(GetPropertyReply::value32).map(Iterator::collect).unwrap_or_default()
}

/// A text property; `None` when it does not exist or is empty.
fn decode(wire: &Wire, reply: &GetPropertyReply) -> Option<String> {
    if reply.format != 8 || reply.value.is_empty() {
        return None;
    }
    let bytes = reply.value.split(|byte| *byte == 0).next().unwrap_or_default();
    if reply.type_ == wire.atoms.UTF8_STRING {
        return Some(String::from_utf8_lossy(bytes).into_owned());
    }
    Some(latin1_or_utf8(bytes))
}

/// Text of the STRING type: Latin-1 by the rules, UTF-8 by the habits of many programs.
pub fn latin1_or_utf8(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The class part of WM_CLASS (`instance\0Class\0`).
fn class_name(reply: &GetPropertyReply) -> String {
    let mut parts = reply.value.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    let instance = parts.next().unwrap_or_default();
    latin1_or_utf8(parts.next().unwrap_or(instance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read_as_utf8_or_latin1() {
        assert_eq!(latin1_or_utf8("订单".as_bytes()), "订单");
        assert_eq!(latin1_or_utf8(b"Caf\xe9"), "Café");
    }

    #[test]
    fn the_invisible_shadow_of_a_window_is_no_part_of_it() {
        assert_eq!(without_shadow(rect(10, 10, 100, 80), [5, 6, 7, 8]), rect(15, 17, 89, 65));
        assert_eq!(without_shadow(rect(10, 10, 8, 8), [5, 5, 5, 5]), rect(10, 10, 8, 8));
    }
}
