//! Top-level windows and popups, in the order in which they lie on the screen.

use std::ffi::c_void;

use windows_sys::Win32::Foundation::{HWND, LPARAM, POINT, RECT};
use windows_sys::Win32::Graphics::Dwm::{DWMWA_CLOAKED, DwmGetWindowAttribute};
use windows_sys::Win32::Graphics::Gdi::ClientToScreen;
use windows_sys::Win32::System::Console::GetConsoleWindow;
use windows_sys::Win32::UI::Input::KeyboardAndMouse::IsWindowEnabled;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    BringWindowToTop, EnumWindows, GA_ROOT, GA_ROOTOWNER, GW_OWNER, GWL_EXSTYLE, GWL_STYLE, GetAncestor, GetClassNameW,
    GetClientRect, GetForegroundWindow, GetMenu, GetMenuBarInfo, GetShellWindow, GetSystemMetrics, GetWindow,
    GetWindowDisplayAffinity, GetWindowLongPtrW, GetWindowRect, GetWindowTextLengthW, GetWindowTextW, IsIconic,
    IsWindow, IsWindowVisible, MENUBARINFO, OBJID_MENU, SM_CYMENU, SW_RESTORE, SetForegroundWindow, ShowWindow,
    WDA_EXCLUDEFROMCAPTURE, WDA_NONE, WS_CAPTION, WS_EX_APPWINDOW, WS_EX_LAYERED, WS_EX_NOACTIVATE, WS_EX_TOOLWINDOW,
    WS_EX_TRANSPARENT,
};
use windows_sys::core::BOOL;

use crate::desktop::{DesktopError, Result, Untrue, WindowInfo};
use crate::scene::{DesktopPoint, DesktopRect, WindowId};

use super::{input, processes, rect, rights, text};

/// Windows smaller than this in either direction are bookkeeping, not something to look at.
const SMALLEST: i32 = 9;
/// The system's own classes for what pops up: menus, the lists of combo boxes, hints.
const POPUP_CLASSES: [&str; 3] = ["#32768", "ComboLBox", "tooltips_class32"];
/// The system's own classes that are always there and nobody's window: wallpaper, shadows, input method bars.
const FURNITURE: [&str; 6] = ["Progman", "WorkerW", "Shell_TrayWnd", "SysShadow", "IME", "MSCTFIME UI"];

/// What a top-level window is to its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ordinary,
    Popup,
    Furniture,
}

/// The system's handle behind our own id.
pub fn handle(window: WindowId) -> HWND {
    window.0 as usize as *mut c_void
}

fn id(window: HWND) -> WindowId {
    WindowId(window as usize as u64)
}

/// Ordinary top-level windows, topmost first.
pub fn windows() -> Vec<WindowInfo> {
    let all = all();
    let ordinary: Vec<HWND> = all.into_iter().filter(|window| kind(*window) == Kind::Ordinary).collect();
    ordinary.iter().map(|window| info(*window, owner_among(*window, &ordinary))).collect()
}

/// Menus, drop-down lists and the like, topmost first.
pub fn popups() -> Vec<WindowInfo> {
    all().into_iter().filter(|window| kind(*window) == Kind::Popup).map(|window| info(window, None)).collect()
}

/// The window that has the keyboard.
pub fn active() -> Option<WindowId> {
    // SAFETY: the calls take handles and tolerate null.
    let window = unsafe { GetAncestor(GetForegroundWindow(), GA_ROOT) };
    (!window.is_null()).then(|| id(window))
}

/// The consoles that this process may have been started from: its own, and the terminal that shows it.
pub fn consoles() -> Vec<WindowId> {
    // SAFETY: the calls take a handle, which may be null, and return one.
    let own = unsafe { GetConsoleWindow() };
    if own.is_null() {
        return Vec::new();
    }
    // SAFETY: as above.
    let shown_by = unsafe { GetAncestor(own, GA_ROOTOWNER) };
    [own, shown_by].into_iter().filter(|window| !window.is_null()).map(id).collect()
}

/// Asks for the window to come to the front.
///
/// # Errors
/// [`DesktopError::WindowGone`]; [`DesktopError::MoreRights`] when input would not reach it.
pub fn activate(window: WindowId) -> Result<()> {
    let target = handle(window);
    // SAFETY: the call accepts any value.
    if unsafe { IsWindow(target) } == 0 {
        return Err(DesktopError::WindowGone(format!("{:#x}", window.0)));
    }
    if processes::of_window(target).is_some_and(rights::above_ours) {
        return Err(DesktopError::MoreRights(title(target)));
    }
    // Only the program that got the last input may choose the front. A movement by nothing makes that us.
    let _ = input::send(&[input::mouse(windows_sys::Win32::UI::Input::KeyboardAndMouse::MOUSEEVENTF_MOVE, 0, 0, 0)]);
    // SAFETY: the calls take handles; one that is gone by now makes them fail, which the caller notices by looking.
    unsafe {
        if IsIconic(target) != 0 {
            ShowWindow(target, SW_RESTORE);
        }
        if SetForegroundWindow(target) == 0 {
            BringWindowToTop(target);
        }
    }
    Ok(())
}

/// What pictures show instead of a window whose program has asked the system to keep it out of them.
pub fn kept_from_pictures(window: WindowId) -> Option<Untrue> {
    let mut affinity = WDA_NONE;
    // SAFETY: the buffer is one number, as the call wants; a window that is gone makes it fail.
    let known = unsafe { GetWindowDisplayAffinity(handle(window), &raw mut affinity) } != 0;
    match affinity {
        WDA_EXCLUDEFROMCAPTURE if known => Some(Untrue::WallpaperOnly),
        WDA_NONE => None,
        _ => known.then_some(Untrue::Black),
    }
}

/// All top-level windows, topmost first.
fn all() -> Vec<HWND> {
    unsafe extern "system" fn note(window: HWND, list: LPARAM) -> BOOL {
        // SAFETY: `list` is the pointer passed below, which is used by nobody else during the call.
        let list = unsafe { &mut *(list as *mut Vec<HWND>) };
        list.push(window);
        1
    }
    let mut found: Vec<HWND> = Vec::new();
    // SAFETY: the callback gets the address of a list that outlives the call.
    unsafe { EnumWindows(Some(note), &raw mut found as LPARAM) };
    found
}

fn kind(window: HWND) -> Kind {
    // SAFETY: all calls accept any handle; those that are gone give zeros.
    let (visible, style, extended, shell) = unsafe {
        let (style, extended) = (GetWindowLongPtrW(window, GWL_STYLE), GetWindowLongPtrW(window, GWL_EXSTYLE));
        (IsWindowVisible(window) != 0, style as u32, extended as u32, GetShellWindow() == window)
    };
    let class = class(window);
    let minimized = is_minimized(window);
    let bounds = bounds(window);
    let small = bounds.width() < SMALLEST || bounds.height() < SMALLEST;
    if !visible || shell || (small && !minimized) || is_cloaked(window) || FURNITURE.contains(&class.as_str()) {
        return Kind::Furniture;
    }
    // What lets the mouse through is drawn over the screen or not at all: nothing in it can be meant.
    let ghost = WS_EX_LAYERED | WS_EX_TRANSPARENT;
    if extended & ghost == ghost {
        return Kind::Furniture;
    }
    if POPUP_CLASSES.contains(&class.as_str()) {
        return Kind::Popup;
    }
    // What never takes the keyboard, and small helpers without a title bar, belong to another window.
    let captioned = style & WS_CAPTION == WS_CAPTION;
    let helper = extended & WS_EX_TOOLWINDOW != 0 && extended & WS_EX_APPWINDOW == 0 && !captioned;
    if extended & WS_EX_NOACTIVATE != 0 || helper { Kind::Popup } else { Kind::Ordinary }
}

/// Whether the window is hidden by the system: on another virtual desktop, or a suspended app.
fn is_cloaked(window: HWND) -> bool {
    let mut cloaked = 0u32;
    // SAFETY: the buffer has the size that is passed. Where the question is unknown the call fails.
    let asked = unsafe {
        DwmGetWindowAttribute(window, DWMWA_CLOAKED as u32, (&raw mut cloaked).cast(), size_of::<u32>() as u32)
    };
    asked == 0 && cloaked != 0
}

fn is_minimized(window: HWND) -> bool {
    // SAFETY: the call accepts any handle.
    unsafe { IsIconic(window) != 0 }
}

fn info(window: HWND, owner: Option<HWND>) -> WindowInfo {
    WindowInfo {
        id: id(window),
        title: title(window),
        class: class(window),
        pid: processes::of_window(window),
        bounds: bounds(window),
        minimized: is_minimized(window),
        transient_for: owner.map(id),
    }
}

/// The window of the list that this one is a dialog of. Old programs own their dialogs by an invisible window (Delphi's
/// application window); there, the dialog belongs to the window that it has disabled.
fn owner_among(window: HWND, windows: &[HWND]) -> Option<HWND> {
    // SAFETY: the calls accept any handle.
    let (owner, enabled) = unsafe { (GetWindow(window, GW_OWNER), IsWindowEnabled(window) != 0) };
    if owner.is_null() {
        return None;
    }
    if windows.contains(&owner) {
        return Some(owner);
    }
    let below = windows.iter().skip_while(|other| **other != window).skip(1).copied();
    let disabled = |other: &HWND| {
        // SAFETY: the call accepts any handle.
        unsafe { IsWindowEnabled(*other) == 0 }
    };
    let mine = processes::of_window(window);
    below.filter(|_| enabled).find(|other| disabled(other) && processes::of_window(*other) == mine)
}

/// The part of the window that its program fills: client area and menu bar. Popups are all of it.
fn bounds(window: HWND) -> DesktopRect {
    let nothing = RECT { left: 0, top: 0, right: 0, bottom: 0 };
    let (mut whole, mut client) = (nothing, nothing);
    let mut corner = POINT { x: 0, y: 0 };
    // SAFETY: each call fills in its own structure; those of a window that is gone stay empty.
    let known = unsafe {
        GetWindowRect(window, &raw mut whole);
        GetClientRect(window, &raw mut client) != 0 && ClientToScreen(window, &raw mut corner) != 0
    };
    let whole = rect(whole);
    if !known || POPUP_CLASSES.contains(&class(window).as_str()) {
        return whole;
    }
    client.left += corner.x;
    client.right += corner.x;
    client.top += corner.y;
    client.bottom += corner.y;
    let client = rect(client);
    match menu_bar(window, client) {
        Some(menu) => client.union(&menu),
        None => client,
    }
}

/// The menu bar above a client area. The system tells its place for programs of its own kind; else a bar of one line
/// is taken to lie right above the client area, where it always lies.
fn menu_bar(window: HWND, client: DesktopRect) -> Option<DesktopRect> {
    // SAFETY: the structure is plain data, for which zeros are valid; it says its own size; the calls accept any handle.
    let (told, height) = unsafe {
        if GetMenu(window).is_null() {
            return None;
        }
        let mut bar: MENUBARINFO = std::mem::zeroed();
        bar.cbSize = size_of::<MENUBARINFO>() as u32;
        let known = GetMenuBarInfo(window, OBJID_MENU, 0, &raw mut bar) != 0;
        (known.then(|| rect(bar.rcBar)).filter(|bar| !bar.is_empty()), GetSystemMetrics(SM_CYMENU))
    };
    let above = DesktopPoint::new(client.min.x, client.min.y - height);
    told.or(Some(DesktopRect::new(above, DesktopPoint::new(client.max.x, client.min.y))))
}

fn title(window: HWND) -> String {
    // SAFETY: the buffer has the length that is passed. For windows of other programs the system answers itself, so
    // that one that hangs does not hold us up.
    unsafe {
        let length = usize::try_from(GetWindowTextLengthW(window)).unwrap_or(0);
        let mut buffer = vec![0u16; length + 1];
        let written = GetWindowTextW(window, buffer.as_mut_ptr(), buffer.len() as i32);
        crate::desktop::one_line(&text(&buffer, usize::try_from(written).unwrap_or(0)))
    }
}

fn class(window: HWND) -> String {
    // Class names are at most 256 long.
    let mut buffer = [0u16; 257];
    // SAFETY: the buffer has the length that is passed.
    let written = unsafe { GetClassNameW(window, buffer.as_mut_ptr(), buffer.len() as i32) };
    text(&buffer, usize::try_from(written).unwrap_or(0))
}
