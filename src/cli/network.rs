//! Whether this process holds an internet socket; in the default mode it never opens one.

/// A sentence about it.
///
/// # Errors
/// When a socket is open, or the system does not tell.
#[cfg(target_os = "linux")]
pub fn network() -> anyhow::Result<String> {
    let mut own = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")?.flatten() {
        if let Ok(target) = std::fs::read_link(entry.path()) {
            let target = target.to_string_lossy().into_owned();
            own.extend(target.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']')).map(str::to_string));
        }
    }
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"] {
        let text = std::fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default();
        let inodes = text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(9));
        if let Some(inode) = inodes.into_iter().find(|inode| own.iter().any(|own| own == inode)) {
            anyhow::bail!("this process holds an internet socket ({table}, inode {inode})");
        }
    }
    Ok(format!("no internet socket is open ({} local sockets)", own.len()))
}

/// A sentence about it.
///
/// # Errors
/// When a socket is open, or the system does not tell.
#[cfg(windows)]
pub fn network() -> anyhow::Result<String> {
    use windows_sys::Win32::NetworkManagement::IpHelper::{
        GetExtendedTcpTable, GetExtendedUdpTable, TCP_TABLE_OWNER_PID_ALL, UDP_TABLE_OWNER_PID,
    };
    use windows_sys::Win32::Networking::WinSock::{AF_INET, AF_INET6};

    let ask_tcp = |family: u16, buffer: *mut core::ffi::c_void, size: *mut u32| {
        // SAFETY: `table` passes a buffer of that size, or none with size 0.
        unsafe { GetExtendedTcpTable(buffer, size, 0, u32::from(family), TCP_TABLE_OWNER_PID_ALL, 0) }
    };
    let ask_udp = |family: u16, buffer: *mut core::ffi::c_void, size: *mut u32| {
        // SAFETY: as above.
        unsafe { GetExtendedUdpTable(buffer, size, 0, u32::from(family), UDP_TABLE_OWNER_PID, 0) }
    };
    // Length of a row and place of the process id in it, in 32-bit words (MIB_TCPROW_OWNER_PID and its kin).
    let tables = [
        ("tcp", table(|buffer, size| ask_tcp(AF_INET, buffer, size))?, 6, 5),
        ("tcp6", table(|buffer, size| ask_tcp(AF_INET6, buffer, size))?, 14, 13),
        ("udp", table(|buffer, size| ask_udp(AF_INET, buffer, size))?, 3, 2),
        ("udp6", table(|buffer, size| ask_udp(AF_INET6, buffer, size))?, 7, 6),
    ];
    let own = std::process::id();
    for (name, words, length, pid) in tables {
        let count = words.first().map_or(0, |count| *count as usize);
        let rows = words.get(1..).unwrap_or_default().chunks_exact(length).take(count);
        if rows.into_iter().any(|row| row.get(pid) == Some(&own)) {
            anyhow::bail!("this process holds an internet socket ({name})");
        }
    }
    Ok("no internet socket is open".to_owned())
}

/// A table of sockets as 32-bit words: the number of rows, then the rows.
#[cfg(windows)]
fn table(ask: impl Fn(*mut core::ffi::c_void, *mut u32) -> u32) -> anyhow::Result<Vec<u32>> {
    use windows_sys::Win32::Foundation::{ERROR_INSUFFICIENT_BUFFER, NO_ERROR};
    let mut words: Vec<u32> = Vec::new();
    // The table may grow between asking for its size and asking for it.
    for _ in 0..8 {
        let mut size = (words.len() * size_of::<u32>()) as u32;
        let buffer = if words.is_empty() { std::ptr::null_mut() } else { words.as_mut_ptr().cast() };
        match ask(buffer, &raw mut size) {
            NO_ERROR => return Ok(words),
            ERROR_INSUFFICIENT_BUFFER => words = vec![0; size as usize / size_of::<u32>() + 64],
            error => anyhow::bail!("the system does not tell its sockets (error {error})"),
        }
    }
    anyhow::bail!("the system's sockets change too quickly to be listed")
}

/// Nobody has looked there yet.
///
/// # Errors
/// Never.
#[cfg(not(any(target_os = "linux", windows)))]
pub fn network() -> anyhow::Result<String> {
    Ok("not checked on this system".into())
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn an_open_socket_is_noticed_and_a_closed_one_is_gone() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(network().is_err());
        drop(socket);
    }
}
