//! Connecting to the X server through its Unix socket, and never in another way.
//!
//! x11rb's own `connect` tries TCP when the socket does not answer; offline must mean that no such socket is ever
//! opened, so the address is taken apart here.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

use x11rb::reexports::x11rb_protocol::{parse_display, xauth};
use x11rb::rust_connection::{DefaultStream, RustConnection};

use crate::desktop::{DesktopError, Result};

/// A connection together with the number of the screen that the display's name asks for.
pub struct Connected {
    pub connection: RustConnection,
    pub screen: usize,
}

/// Connects to `display` (such as `:0` or `:1.0`).
///
/// # Errors
/// [`DesktopError::NoDisplay`] with the reason as a sentence part.
pub fn connect(display: &str) -> Result<Connected> {
    if display.trim().is_empty() {
        return Err(DesktopError::NoDisplay("DISPLAY is not set".to_owned()));
    }
    let parsed =
        parse_display::parse_display(Some(display)).map_err(|_| no_display(display, "is not the name of a display"))?;
    let unix_protocol = parsed.protocol.as_deref() == Some("unix");
    let direct_path = unix_protocol && parsed.host.starts_with('/');
    let local = unix_protocol || (parsed.protocol.is_none() && (parsed.host.is_empty() || parsed.host == "unix"));
    if !local {
        return Err(no_display(display, "names another machine, and Deskhand uses no network"));
    }
    let path = if direct_path { parsed.host.clone() } else { format!("/tmp/.X11-unix/X{}", parsed.display) };
    let stream = open_socket(&path).map_err(|error| no_display(display, &format!("does not answer ({error})")))?;
    let (stream, (family, address)) = DefaultStream::from_unix_stream(stream)
        .map_err(|error| no_display(display, &format!("does not answer ({error})")))?;
    let (auth_name, auth_data) = cookie(family, &address, parsed.display);
    let screen = usize::from(parsed.screen);
    let connection = RustConnection::connect_to_stream_with_auth_info(stream, screen, auth_name, auth_data)
        .map_err(|error| no_display(display, &format!("refused the connection ({error})")))?;
    Ok(Connected { connection, screen })
}

fn no_display(display: &str, reason: &str) -> DesktopError {
    DesktopError::NoDisplay(format!("DISPLAY={display} {reason}"))
}

/// The socket file first (it also works in another network namespace), then Linux's abstract socket.
fn open_socket(path: &str) -> std::io::Result<UnixStream> {
    UnixStream::connect(path).or_else(|error| {
        SocketAddr::from_abstract_name(path).and_then(|address| UnixStream::connect_addr(&address)).map_err(|_| error)
    })
}

/// The authorisation from the user's Xauthority file; nothing when there is none for this display.
fn cookie(family: xauth::Family, address: &[u8], display: u16) -> (Vec<u8>, Vec<u8>) {
    xauth::get_auth(family, address, display).ok().flatten().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_malformed_dead_or_remote_display_is_no_display() {
        for (display, part) in [
            ("", "not set"),
            ("nonsense", "not the name of a display"),
            (":x", "not the name of a display"),
            (":64999", "does not answer"),
            ("127.0.0.1:0", "another machine"),
            ("localhost:10.0", "another machine"),
            ("tcp/localhost:0", "another machine"),
        ] {
            match connect(display) {
                Err(DesktopError::NoDisplay(reason)) => assert!(reason.contains(part), "{display:?}: {reason}"),
                Err(other) => panic!("{display:?} gave {other}"),
                Ok(_) => panic!("{display:?} connected"),
            }
        }
    }
}
