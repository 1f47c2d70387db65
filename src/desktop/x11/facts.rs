//! What `doctor` tells about the display.

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::{randr, shm, xkb, xtest};

use super::{Wire, grab, windows};

/// Variables that decide whether an input method may interfere with typing, and which kind of session this is.
const VARIABLES: [&str; 5] = ["GTK_IM_MODULE", "QT_IM_MODULE", "XMODIFIERS", "XDG_SESSION_TYPE", "WAYLAND_DISPLAY"];

/// Name and value of everything worth knowing; what cannot be told is said to be unknown.
pub fn facts(wire: &Wire) -> Vec<(String, String)> {
    let setup = wire.connection.setup();
    let mut facts = vec![
        ("display".to_owned(), wire.display.clone()),
        ("server".to_owned(), format!("{} {}", String::from_utf8_lossy(&setup.vendor), setup.release_number)),
    ];
    let size = match grab::root_rect(&wire.connection, wire.root) {
        Ok(screen) => format!("{}x{}", screen.width(), screen.height()),
        Err(error) => format!("unknown ({error})"),
    };
    facts.push(("screen".to_owned(), size));
    let manager = match windows::manager(wire) {
        Ok(Some(name)) => name,
        Ok(None) => "none".to_owned(),
        Err(error) => format!("unknown ({error})"),
    };
    facts.push(("window manager".to_owned(), manager));
    for (name, extension) in [
        ("XTEST", xtest::X11_EXTENSION_NAME),
        ("RANDR", randr::X11_EXTENSION_NAME),
        ("MIT-SHM", shm::X11_EXTENSION_NAME),
        ("XKB", xkb::X11_EXTENSION_NAME),
    ] {
        let present = match wire.connection.extension_information(extension) {
            Ok(Some(_)) => "present",
            Ok(None) => "missing",
            Err(_) => "unknown",
        };
        facts.push((name.to_owned(), present.to_owned()));
    }
    for variable in VARIABLES {
        let value =
            std::env::var_os(variable).map_or("not set".to_owned(), |value| value.to_string_lossy().into_owned());
        facts.push((variable.to_owned(), value));
    }
    facts
}
