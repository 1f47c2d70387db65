//! A virtual display, the programs on it, and the executable under test.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The executable under test, models included.
pub fn exe() -> PathBuf {
    let path = std::env::var_os("DESKHAND_EXE").map_or_else(|| root().join("dist/deskhand"), PathBuf::from);
    assert!(path.is_file(), "{} is missing; `make build` makes it", path.display());
    path
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A process that ends with the test.
pub struct Program(pub Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Xvfb with a window manager, on a number that it chose itself.
pub struct Display {
    pub name: String,
    /// What Deskhand keeps for itself: each display is an installation of its own.
    state: tempfile::TempDir,
    /// Where programs tell of themselves; without it they don't.
    bus: Option<Bus>,
    _manager: Option<Program>,
    _server: Program,
}

impl Display {
    pub fn start() -> Display {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed by make test");
        let mut out = server.stdout.take().expect("a pipe");
        let server = Program(server);
        let mut number = String::new();
        let mut byte = [0u8; 1];
        while out.read(&mut byte).expect("Xvfb tells its number") == 1 && byte[0] != b'\n' {
            number.push(byte[0] as char);
        }
        let name = format!(":{}", number.trim());
        let manager = Program(
            Command::new("openbox")
                .env("DISPLAY", &name)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("openbox is installed"),
        );
        let state = tempfile::tempdir().expect("a temporary folder");
        let display = Display { name, state, bus: None, _manager: Some(manager), _server: server };
        display.until("the window manager runs", || {
            display.output("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).contains("window id")
        });
        display
    }

    /// A display whose programs tell of themselves over AT-SPI.
    pub fn accessible() -> Display {
        let mut display = Display::start();
        display.bus = Some(Bus::start(&display));
        display
    }

    /// A command on this display.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name).env("XDG_STATE_HOME", self.state.path()).stdin(Stdio::null());
        self.tell_of_bus(&mut command);
        command
    }

    /// Lets the program know this display's buses, and never the user's.
    fn tell_of_bus(&self, command: &mut Command) {
        command.env_remove("AT_SPI_BUS_ADDRESS");
        match &self.bus {
            Some(bus) => bus.tell(command),
            None => {
                command.env("DBUS_SESSION_BUS_ADDRESS", "").env("NO_AT_BRIDGE", "1");
            }
        }
    }

    fn output(&self, program: &str, args: &[&str]) -> String {
        let output = self.command(program).args(args).output().expect("the tool is installed");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Starts a program and waits for its window.
    pub fn open(&self, command: &mut Command, title: &str) -> Program {
        self.tell_of_bus(command);
        let child = command.env("DISPLAY", &self.name).stdin(Stdio::null()).spawn().expect("the program starts");
        let program = Program(child);
        let quoted = format!("\"{title}\"");
        self.until(title, || self.output("xwininfo", &["-root", "-tree"]).contains(&quoted));
        program
    }

    /// Waits for a fact, at most half a minute.
    pub fn until(&self, what: &str, mut fact: impl FnMut() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !fact() {
            assert!(Instant::now() < deadline, "{what}: not within 30 s");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The executable under test on this display.
    pub fn deskhand(&self, args: &[&str]) -> Output {
        self.command(exe()).args(args).output().expect("deskhand starts")
    }

    /// Opens the practice window.
    pub fn practice(&self, lang: &str, seed: u32, log: &Path) -> Program {
        let title = if lang == "zh" { "练习订单" } else { "Practice orders" };
        let seed = seed.to_string();
        let mut command = Command::new(exe());
        command.args(["practice", "--lang", lang, "--seed", &seed, "--log"]).arg(log);
        self.open(&mut command, title)
    }
}

/// A session bus with the accessibility service on it.
struct Bus {
    address: String,
    folder: tempfile::TempDir,
    launcher: Option<Child>,
    _daemon: Program,
}

impl Bus {
    fn start(display: &Display) -> Bus {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let address = format!("unix:path={}", folder.path().join("bus").display());
        let daemon = Command::new("/usr/bin/dbus-daemon")
            .args(["--session", "--nofork", &format!("--address={address}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus is installed by make test");
        let mut bus = Bus { address, folder, launcher: None, _daemon: Program(daemon) };
        display.until("the session bus is there", || bus.folder.path().join("bus").exists());
        let launcher = ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"]
            .into_iter()
            .find(|path| Path::new(path).exists())
            .expect("at-spi2-core is installed by make test");
        let mut command = display.command(launcher);
        bus.tell(&mut command);
        bus.launcher = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the service starts"));
        bus
    }

    fn tell(&self, command: &mut Command) {
        command
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .env("XDG_CACHE_HOME", self.folder.path())
            .env("GSETTINGS_BACKEND", "memory")
            .env("GTK_MODULES", "gail:atk-bridge")
            .env_remove("NO_AT_BRIDGE");
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        if let Some(launcher) = &mut self.launcher {
            // Asked, not killed: it ends the bus that it has started.
            let _ = Command::new("kill").arg(launcher.id().to_string()).status();
            let _ = launcher.wait();
        }
    }
}

/// A display with a fresh practice window on it, and a folder for what the test writes. Ends in this order.
pub struct Stage {
    pub practice: Program,
    pub display: Display,
    pub folder: tempfile::TempDir,
    /// What the window saves.
    pub log: PathBuf,
}

impl Stage {
    pub fn practice(lang: &str, seed: u32) -> Stage {
        let display = Display::start();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("记录 saved.jsonl");
        let practice = display.practice(lang, seed, &log);
        Stage { practice, display, folder, log }
    }
}

/// The records that a program saved, one JSON line each.
pub fn records(log: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// The data rows of a CSV file.
pub fn rows(sheet: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(sheet).expect("the sheet is readable");
    reader.records().map(|row| row.expect("a row").iter().map(str::to_string).collect()).collect()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Everything a failed run said.
pub fn told(output: &Output) -> String {
    format!("exit {:?}\n{}\n{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}
