//! For tests: a virtual display of their own and small real programs on it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use x11rb::protocol::xproto::{ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask};
use x11rb::rust_connection::RustConnection;

use crate::scene::WindowId;

use super::Desktop;

/// Generous: the machine may be busy. Nothing waits this long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

/// An Xvfb with the programs started on it; all of them end with it.
pub struct TestDisplay {
    pub name: String,
    folder: TempDir,
    programs: Vec<Child>,
    manager: Option<u32>,
    server: Child,
}

impl TestDisplay {
    /// A display without a window manager.
    pub fn start() -> TestDisplay {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed by make test");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        TestDisplay { name, folder: TempDir::new().unwrap(), programs: Vec::new(), manager: None, server }
    }

    /// A display on which openbox manages the windows.
    pub fn with_manager() -> TestDisplay {
        let mut display = TestDisplay::start();
        display.spawn(&mut Command::new("openbox"));
        display.manager = display.programs.last().map(Child::id);
        let desktop = display.open();
        wait_until("openbox manages the display", || {
            desktop.facts().iter().any(|(name, value)| name == "window manager" && value != "none").then_some(())
        });
        display
    }

    pub fn open(&self) -> Desktop {
        Desktop::open_on(&self.name).unwrap()
    }

    /// A connection beside the one under test, to look at and to disturb the display.
    pub fn other_client(&self) -> RustConnection {
        RustConnection::connect(Some(&self.name)).unwrap().0
    }

    /// Starts a program of `tests/apps` and waits until it is up. Returns the file it writes to.
    pub fn app(&mut self, script: &str, kind: &str, options: &[&str]) -> PathBuf {
        let out = self.path(&format!("out{}", self.programs.len()));
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/apps").join(script);
        self.spawn(Command::new("/usr/bin/python3").arg(script).arg(kind).arg(&out).args(options));
        wait_until("the program is up", || out.exists().then_some(()));
        out
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn spawn(&mut self, command: &mut Command) {
        self.spawn_accessible(command.env("NO_AT_BRIDGE", "1"));
    }

    /// Starts a program that may tell of itself on the accessibility bus.
    pub fn spawn_accessible(&mut self, command: &mut Command) {
        let child = command
            .env("DISPLAY", &self.name)
            .env("LANG", "C.UTF-8")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.programs.push(child);
    }

    /// Stops the window manager in its tracks (`STOP`), or lets it go on (`CONT`).
    pub fn signal_manager(&self, signal: &str) {
        let pid = self.manager.unwrap().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
    }

    /// Stops the server in its tracks (`STOP`), or lets it go on (`CONT`).
    pub fn signal_server(&self, signal: &str) {
        let pid = self.server.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
    }

    /// Ends the program that was started last.
    pub fn end_last_program(&mut self) {
        if let Some(mut child) = self.programs.pop() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    pub fn move_window(&self, window: WindowId, x: i32, y: i32) {
        let client = self.other_client();
        let place = ConfigureWindowAux::new().x(x).y(y);
        client.configure_window(window.0 as u32, &place).unwrap().check().unwrap();
    }

    /// Asks the window manager to minimize a window.
    pub fn iconify(&self, window: WindowId) {
        let client = self.other_client();
        let root = x11rb::connection::Connection::setup(&client).roots[0].root;
        let state = client.intern_atom(false, b"WM_CHANGE_STATE").unwrap().reply().unwrap().atom;
        let message = ClientMessageEvent::new(32, window.0 as u32, state, [3, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        client.send_event(false, root, mask, message).unwrap().check().unwrap();
    }

    /// Keycodes that are down.
    pub fn keys_down(&self) -> Vec<u8> {
        let keys = self.other_client().query_keymap().unwrap().reply().unwrap().keys;
        (0..=255).filter(|code| keys[usize::from(code / 8)] & (1 << (code % 8)) != 0).collect()
    }

    /// The mask of buttons that are down.
    pub fn buttons_down(&self) -> u16 {
        let client = self.other_client();
        let root = x11rb::connection::Connection::setup(&client).roots[0].root;
        u16::from(client.query_pointer(root).unwrap().reply().unwrap().mask) & 0x1f00
    }
}

impl Drop for TestDisplay {
    fn drop(&mut self) {
        for child in self.programs.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Asks again and again until there is an answer.
pub fn wait_until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        sleep(Duration::from_millis(15));
    }
}

/// Waits until the file holds exactly this text; shows the difference when it never does.
pub fn expect_file(path: &PathBuf, wanted: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let found = fs::read_to_string(path).unwrap_or_default();
        if found == wanted {
            return;
        }
        assert!(Instant::now() < deadline, "wanted {wanted:?}\n found {found:?}");
        sleep(Duration::from_millis(15));
    }
}
