//! Whether a program runs with more rights than we do: Windows silently drops input from a process with fewer.

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Security::{
    GetSidSubAuthority, GetSidSubAuthorityCount, GetTokenInformation, TOKEN_MANDATORY_LABEL, TOKEN_QUERY,
    TokenIntegrityLevel,
};
use windows_sys::Win32::System::SystemServices::SECURITY_MANDATORY_HIGH_RID;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken, PROCESS_QUERY_LIMITED_INFORMATION};

use super::processes::{self, Handle};

/// Whether input from us would not reach that process. What cannot be told counts as reachable.
pub fn above_ours(pid: u32) -> bool {
    // A process of an administrator cannot even be asked by one that is none; others that refuse are not told apart.
    let Some(process) = processes::open(pid, PROCESS_QUERY_LIMITED_INFORMATION) else { return false };
    match (level(process.0), own_level()) {
        (Some(theirs), Some(ours)) => theirs > ours,
        _ => false,
    }
}

/// Whether we run with an administrator's rights.
pub fn elevated() -> Option<bool> {
    own_level().map(|level| level >= SECURITY_MANDATORY_HIGH_RID as u32)
}

fn own_level() -> Option<u32> {
    // SAFETY: the call has no argument; its handle needs no closing.
    level(unsafe { GetCurrentProcess() })
}

/// The integrity level of a process (`SECURITY_MANDATORY_*_RID`).
fn level(process: HANDLE) -> Option<u32> {
    let mut token: HANDLE = std::ptr::null_mut();
    // SAFETY: the process handle is open; the token is checked before use.
    if unsafe { OpenProcessToken(process, TOKEN_QUERY, &raw mut token) } == 0 {
        return None;
    }
    let token = Handle(token);
    // Room for the label and the identifier that stands behind it, aligned as the label needs.
    let mut buffer = [0u64; 16];
    let mut length = 0;
    // SAFETY: the buffer has the size that is passed.
    let done = unsafe {
        let size = size_of_val(&buffer) as u32;
        GetTokenInformation(token.0, TokenIntegrityLevel, buffer.as_mut_ptr().cast(), size, &raw mut length)
    };
    if done == 0 {
        return None;
    }
    // SAFETY: the call has filled in a label whose identifier lies in the buffer, which outlives these reads.
    unsafe {
        let label = &*buffer.as_ptr().cast::<TOKEN_MANDATORY_LABEL>();
        let count = GetSidSubAuthorityCount(label.Label.Sid).as_ref().copied().filter(|count| *count > 0)?;
        GetSidSubAuthority(label.Label.Sid, u32::from(count) - 1).as_ref().copied()
    }
}
