//! The executable is a console program, so that a terminal waits for it, shows what it writes and gets its exit code.
//! Started by a double click it shall show no console. The manifest asks Windows (11 24H2 and newer) to make none then
//! (`consoleAllocationPolicy`); older ones make one before our first line runs, which is given back at once here.

use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList, GetConsoleWindow};
use windows_sys::Win32::System::LibraryLoader::{LOAD_LIBRARY_SEARCH_SYSTEM32, SetDefaultDllDirectories};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    IDYES, MB_ICONINFORMATION, MB_SETFOREGROUND, MB_YESNO, MessageBoxW, SW_HIDE, ShowWindow,
};

use super::Exit;
use crate::app::practice;

/// What a double click says as long as the practice window is all there is to show without a terminal.
const INTRODUCTION: &str = "\
Deskhand operates programs from a sentence. It is used from a terminal: open one in this folder and type

    deskhand --help

Open the practice window now, a small order form to try it on?

Deskhand 按一句话操作电脑上的程序，在命令行中使用：请在此文件夹中打开命令行，输入 deskhand --help

现在打开练习窗口（一个用于试用的订单表单）吗？";

/// To be called first. Gives back a console that was made for this process alone, and takes libraries that are loaded
/// later from the system's folder only: a program that lies among downloads must not load what lies beside it. Returns
/// whether this start is a double click.
pub fn prepare() -> bool {
    // SAFETY: a plain value. Where it fails (Windows 7 without updates) libraries are searched as ever.
    unsafe { SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32) };
    let double_clicked = double_clicked();
    if double_clicked {
        // SAFETY: the calls take no pointers; a missing console makes them fail, which is what is wanted.
        unsafe {
            ShowWindow(GetConsoleWindow(), SW_HIDE);
            FreeConsole();
        }
    }
    double_clicked
}

/// Whether nobody reads what we write and nobody has given us words: a double click, with or without a console of its
/// own. Arguments or a redirected output mean a script, whatever the console.
fn double_clicked() -> bool {
    use std::os::windows::io::AsRawHandle as _;
    if std::env::args_os().len() > 1 {
        return false;
    }
    let mut processes = [0; 2];
    // SAFETY: the buffer has the length that is passed.
    let attached = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), processes.len() as u32) };
    match attached {
        0 => std::io::stdout().as_raw_handle().is_null(),
        1 => std::io::IsTerminal::is_terminal(&std::io::stdout()),
        _ => false,
    }
}

/// Says in a window what a double click can offer.
pub fn introduce() -> anyhow::Result<Exit> {
    let wide = |text: &str| -> Vec<u16> { text.encode_utf16().chain([0]).collect() };
    let (text, title) = (wide(INTRODUCTION), wide("Deskhand"));
    let style = MB_YESNO | MB_ICONINFORMATION | MB_SETFOREGROUND;
    // SAFETY: both texts end with a zero and outlive the call; there is no owner window.
    let answer = unsafe { MessageBoxW(std::ptr::null_mut(), text.as_ptr(), title.as_ptr(), style) };
    if answer == IDYES {
        practice::run(practice::Options::default())?;
    }
    Ok(Exit::Done)
}
