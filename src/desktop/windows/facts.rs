//! What `doctor` tells about the session, and whether it can be worked in at all.

use windows_sys::Win32::System::RemoteDesktop::ProcessIdToSessionId;
use windows_sys::Win32::System::StationsAndDesktops::{
    CloseDesktop, DESKTOP_READOBJECTS, DESKTOP_WRITEOBJECTS, OpenInputDesktop,
};
use windows_sys::Win32::System::SystemInformation::{GetVersionExW, OSVERSIONINFOW};
use windows_sys::Win32::UI::WindowsAndMessaging::{GetSystemMetrics, SM_REMOTESESSION};

use crate::desktop::{DesktopError, Result};

use super::{grab, rights};

/// Proves that this process may read from and act on the desktop that the user sees.
///
/// # Errors
/// [`DesktopError::NoDisplay`] with the reason.
pub fn input_desktop() -> Result<()> {
    // SAFETY: plain values; the result is checked and closed.
    let desktop = unsafe { OpenInputDesktop(0, 0, DESKTOP_READOBJECTS | DESKTOP_WRITEOBJECTS) };
    if desktop.is_null() {
        let reason = if session() == Some(0) {
            "this process runs as a service, which has no desktop"
        } else {
            "the screen is locked, or a question of the system for an administrator is open"
        };
        return Err(DesktopError::NoDisplay(reason.to_owned()));
    }
    // SAFETY: opened above.
    unsafe { CloseDesktop(desktop) };
    Ok(())
}

/// Name and value of everything worth knowing; what cannot be told is said to be unknown.
pub fn facts() -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let screen = match grab::monitors() {
        Ok(monitors) => {
            let one = |monitor: &crate::desktop::Monitor| {
                let (size, percent) = (monitor.bounds.size(), (monitor.scale * 100.0).round());
                format!("{}x{} at {percent} %", size.width, size.height)
            };
            monitors.iter().map(one).collect::<Vec<String>>().join(" and ")
        }
        Err(error) => format!("unknown ({error})"),
    };
    // SAFETY: the call takes a number and returns one.
    let remote = unsafe { GetSystemMetrics(SM_REMOTESESSION) } != 0;
    let rights = match rights::elevated() {
        Some(true) => "administrator",
        Some(false) => "ordinary user (programs that run as administrator cannot be operated)",
        None => "unknown",
    };
    vec![
        fact("Windows", version()),
        fact("screen", screen),
        fact("session", if remote { "remote desktop" } else { "local" }.to_owned()),
        fact("rights", rights.to_owned()),
    ]
}

fn version() -> String {
    // SAFETY: the structure is plain data, for which zeros are valid, and says its own size. The manifest names Windows
    // 10, so that this call tells the truth there and later.
    unsafe {
        let mut version: OSVERSIONINFOW = std::mem::zeroed();
        version.dwOSVersionInfoSize = size_of::<OSVERSIONINFOW>() as u32;
        if GetVersionExW(&raw mut version) == 0 {
            return "unknown".to_owned();
        }
        format!("{}.{}.{}", version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber)
    }
}

fn session() -> Option<u32> {
    let mut session = 0;
    // SAFETY: the call writes one number.
    let known = unsafe { ProcessIdToSessionId(std::process::id(), &raw mut session) };
    (known != 0).then_some(session)
}
