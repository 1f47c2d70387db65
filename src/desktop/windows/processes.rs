//! Which processes stand above ours, and what a process runs.

use std::path::Path;

use windows_sys::Win32::Foundation::{CloseHandle, HANDLE, HWND, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW,
};
use windows_sys::Win32::UI::WindowsAndMessaging::GetWindowThreadProcessId;

/// Longest path that is asked for, in UTF-16 units: the longest that Windows has.
const LONGEST_PATH: usize = 32_768;

/// A handle that is closed with it.
pub struct Handle(pub HANDLE);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle came from a call that opens one and is closed here only.
        unsafe { CloseHandle(self.0) };
    }
}

/// The process that the window belongs to; `None` for a window that is gone.
pub fn of_window(window: HWND) -> Option<u32> {
    let mut pid = 0;
    // SAFETY: the call accepts any window handle and writes one number.
    unsafe { GetWindowThreadProcessId(window, &raw mut pid) };
    (pid != 0).then_some(pid)
}

/// A process opened with these rights; `None` when it is gone or does not grant them.
pub fn open(pid: u32, rights: u32) -> Option<Handle> {
    // SAFETY: plain values; the result is checked.
    let handle = unsafe { OpenProcess(rights, 0, pid) };
    (!handle.is_null()).then_some(Handle(handle))
}

/// The base name of the file that the process runs.
pub fn executable(pid: u32) -> Option<String> {
    let process = open(pid, PROCESS_QUERY_LIMITED_INFORMATION)?;
    let mut buffer = vec![0u16; LONGEST_PATH];
    let mut length = LONGEST_PATH as u32;
    // SAFETY: the buffer has the length that is passed; the handle is open.
    let done =
        unsafe { QueryFullProcessImageNameW(process.0, PROCESS_NAME_WIN32, buffer.as_mut_ptr(), &raw mut length) };
    if done == 0 {
        return None;
    }
    let path = super::text(&buffer, length as usize);
    Some(Path::new(&path).file_name()?.to_string_lossy().into_owned())
}

/// The process ids of our parent, its parent and so on.
pub fn ancestors() -> Vec<u32> {
    let parents = parents();
    let mut found = Vec::new();
    let mut pid = std::process::id();
    while let Some((_, parent)) = parents.iter().find(|(child, _)| *child == pid) {
        if *parent == 0 || found.contains(parent) {
            break;
        }
        // The desktop's own shell starts everything that is double-clicked; its windows are not our terminal.
        if executable(*parent).is_some_and(|name| name.eq_ignore_ascii_case("explorer.exe")) {
            break;
        }
        found.push(*parent);
        pid = *parent;
    }
    found
}

/// (process, its parent) for all processes.
pub fn parents() -> Vec<(u32, u32)> {
    // SAFETY: plain values; the result is checked.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return Vec::new();
    }
    let snapshot = Handle(snapshot);
    // SAFETY: the structure is plain data, for which zeros are valid.
    let mut entry: PROCESSENTRY32W = unsafe { std::mem::zeroed() };
    entry.dwSize = size_of::<PROCESSENTRY32W>() as u32;
    let mut found = Vec::new();
    // SAFETY: the snapshot is open and the entry says its own size.
    let mut more = unsafe { Process32FirstW(snapshot.0, &raw mut entry) };
    while more != 0 {
        found.push((entry.th32ProcessID, entry.th32ParentProcessID));
        // SAFETY: as above.
        more = unsafe { Process32NextW(snapshot.0, &raw mut entry) };
    }
    found
}
