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
    let own = std::process::id();
    if let Some(row) = sockets()?.into_iter().find(|row| row.last() == Some(&own)) {
        anyhow::bail!("this process holds an internet socket ({row:x?})");
    }
    Ok("no internet socket is open".to_owned())
}

/// The rows of the system's four tables of sockets as 32-bit words, the owner's process id last (MIB_TCPROW_OWNER_PID
/// and its kin).
#[cfg(windows)]
fn sockets() -> anyhow::Result<Vec<Vec<u32>>> {
    use windows_sys::Win32::NetworkManagement::IpHelper::{
        GetExtendedTcpTable, GetExtendedUdpTable, TCP_TABLE_OWNER_PID_ALL, UDP_TABLE_OWNER_PID,
    };
    use windows_sys::Win32::Networking::WinSock::{AF_INET, AF_INET6};

    let mut rows = Vec::new();
    for (family, tcp, udp) in [(AF_INET, 6, 3), (AF_INET6, 14, 7)] {
        let family = u32::from(family);
        let table_of_tcp = table(|buffer, size| {
            // SAFETY: `table` passes a buffer of that size, or none with size 0.
            unsafe { GetExtendedTcpTable(buffer, size, 0, family, TCP_TABLE_OWNER_PID_ALL, 0) }
        })?;
        let table_of_udp = table(|buffer, size| {
            // SAFETY: as above.
            unsafe { GetExtendedUdpTable(buffer, size, 0, family, UDP_TABLE_OWNER_PID, 0) }
        })?;
        for (words, length) in [(table_of_tcp, tcp), (table_of_udp, udp)] {
            let count = words.first().map_or(0, |count| *count as usize);
            let found = words.get(1..).unwrap_or_default().chunks_exact(length).take(count);
            rows.extend(found.map(<[u32]>::to_vec));
        }
    }
    Ok(rows)
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
    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_socket_is_noticed() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(super::network().is_err());
        drop(socket);
    }

    // Wine lists the socket, but does not know its owner.
    #[cfg(windows)]
    #[test]
    fn an_open_socket_is_in_the_system_s_table() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = u32::from(socket.local_addr().unwrap().port().swap_bytes());
        let listed = |row: &Vec<u32>| row.len() == 6 && row.get(2) == Some(&port);
        assert!(super::sockets().unwrap().iter().any(listed));
        drop(socket);
        assert!(!super::sockets().unwrap().iter().any(listed));
    }
}
