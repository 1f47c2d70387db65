//! The tree of a real GTK window, on a display and on buses of the test's own.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::desktop::testing::{TestDisplay, wait_until};
use crate::desktop::{FrameGeometry, WindowInfo};
use crate::scene::{DesktopPoint, DesktopRect, Role, State};

use super::atspi::Tree as AtSpi;
use super::{Accessible, Limits, Reading, Tree, spoken};

/// For a machine that is busy with other things.
const PATIENT: Limits = Limits { nodes: 2_000, time: Duration::from_secs(20) };

/// A session bus with the accessibility service on it.
struct TestBus {
    address: String,
    folder: TempDir,
    launcher: Option<Child>,
    daemon: Child,
}

impl TestBus {
    fn start(display: &TestDisplay) -> TestBus {
        let launcher = ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"]
            .into_iter()
            .find(|path| Path::new(path).exists())
            .expect("at-spi2-core is installed by tools/setup test");
        let mut bus = TestBus::without_service();
        let launcher = bus.command(launcher).env("DISPLAY", &display.name).spawn().unwrap();
        bus.launcher = Some(launcher);
        bus
    }

    fn without_service() -> TestBus {
        let folder = TempDir::new().unwrap();
        let address = format!("unix:path={}", folder.path().join("bus").display());
        let mut daemon = Command::new("/usr/bin/dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .arg(format!("--address={address}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus is installed by tools/setup test");
        let mut line = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut line).unwrap();
        TestBus { address, folder, launcher: None, daemon }
    }

    /// A program that knows these buses and none of the user's.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .env("XDG_CACHE_HOME", self.folder.path())
            .env("GSETTINGS_BACKEND", "memory")
            .env("GTK_MODULES", "gail:atk-bridge")
            .env_remove("AT_SPI_BUS_ADDRESS")
            .env_remove("NO_AT_BRIDGE")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

impl Drop for TestBus {
    fn drop(&mut self) {
        if let Some(launcher) = &mut self.launcher {
            // Asked, not killed: it ends the bus that it has started.
            let _ = Command::new("kill").arg(launcher.id().to_string()).status();
            let _ = launcher.wait();
        }
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// The form, up and told of.
struct Stage {
    window: WindowInfo,
    tree: AtSpi,
    display: TestDisplay,
    _bus: TestBus,
}

impl Stage {
    fn start() -> Stage {
        let mut display = TestDisplay::with_manager();
        let bus = TestBus::start(&display);
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/apps/gtk_form.py");
        let mut tree = wait_until("the accessibility bus is there", || AtSpi::open_on(&bus.address));
        display.spawn_accessible(bus.command("/usr/bin/python3").arg(script));
        let mut desktop = display.open();
        wait_until("the window is there", || desktop.find_window("Order form").ok());
        // Once shown it is still moved to its place, which its program learns later.
        let window = wait_until("the window tells of itself", || {
            let window = desktop.find_window("Order form").ok()?;
            let reading = tree.read(&window, PATIENT).unwrap();
            let settled = desktop.find_window("Order form").ok()? == window;
            (settled && is_in_place(&reading, window.bounds)).then_some(window)
        });
        Stage { window, tree, display, _bus: bus }
    }

    fn read(&mut self, limits: Limits) -> Reading {
        self.tree.read(&self.window, limits).unwrap()
    }
}

/// Whether the form tells where it lies: `gtk_form.py` leaves 10 pixels free around its widgets.
fn is_in_place(reading: &Reading, window: DesktopRect) -> bool {
    let of = |role: Role, name: &str| reading.accessibles.iter().find(|a| a.role == role && a.name == name);
    let (first, last) = (of(Role::Textbox, "Customer"), of(Role::Button, "Save"));
    first.is_some_and(|a| a.bounds.min.y == window.min.y + 10)
        && last.is_some_and(|a| a.bounds.min.x == window.min.x + 10)
}

fn line(accessible: &Accessible) -> String {
    let value = accessible.value.as_ref().map(|value| format!(" = {value:?}")).unwrap_or_default();
    let states: String = accessible.states.iter().map(|state| format!(" {}", state.name())).collect();
    format!("{} {:?}{value}{states}", accessible.role.name(), accessible.name)
}

#[test]
fn a_form_tells_names_roles_values_states_and_places() {
    let mut stage = Stage::start();
    let started = Instant::now();
    let reading = stage.read(PATIENT);
    let _ = writeln!(std::io::stderr(), "read {} things in {:?}", reading.accessibles.len(), started.elapsed());
    assert!(!reading.partial);
    for accessible in &reading.accessibles {
        println!("{} {:?}", line(accessible), accessible.bounds);
    }
    let lines: Vec<String> = reading.accessibles.iter().map(line).collect();
    for wanted in [
        "text \"Customer\"",
        "textbox \"Customer\" = \"Sample Ltd\"",
        "textbox \"PIN\"",
        "combobox \"Terms\" = \"Monthly\"",
        "textbox \"Quantity\" = \"12\"",
        "checkbox \"Urgent\" checked",
        "radio \"Standard\" unchecked",
        "radio \"Express\" checked",
        "tab \"Articles\" selected",
        "tab \"Notes\"",
        "cell \"A-100\"",
        "cell \"B-200\" selected",
        "button \"Line 0\"",
        "button \"Save\"",
        "button \"Delete\" disabled",
    ] {
        let there = lines.iter().any(|line| line.strip_suffix(" focused").unwrap_or(line) == wanted);
        assert!(there, "{wanted} is missing in {lines:#?}");
    }
    for hidden in ["secret", "nobody sees this", "Line 20", "Cash"] {
        assert!(!lines.iter().any(|line| line.contains(hidden)), "{hidden} cannot be seen");
    }
    let bounds = stage.window.bounds;
    assert!(reading.accessibles.iter().all(|a| bounds.contains_box(&a.bounds) && !a.bounds.is_empty()));
    // The disabled button stands right of the other and in the window's lower part.
    let place = |name: &str| reading.accessibles.iter().find(|a| a.name == name).unwrap().bounds;
    assert!(place("Save").max.x <= place("Delete").min.x);
    assert!(place("Save").min.y > bounds.min.y + bounds.height() * 3 / 4);
}

#[test]
fn a_moved_window_tells_its_new_place() {
    let mut stage = Stage::start();
    let mut desktop = stage.display.open();
    let old = stage.window.bounds;
    stage.display.move_window(stage.window.id, 40, 60);
    wait_until("the program knows its new place", || {
        // The window manager may move it in two steps.
        stage.window = desktop.find_window("Order form").ok().filter(|window| window.bounds != old)?;
        is_in_place(&stage.read(PATIENT), stage.window.bounds).then_some(())
    });
}

#[test]
fn limits_cut_the_reading_short_and_it_says_so() {
    let mut stage = Stage::start();
    let few = stage.read(Limits { nodes: 12, ..PATIENT });
    assert!(few.partial);
    assert!(few.accessibles.len() <= 12);
    let late = stage.read(Limits { time: Duration::ZERO, ..PATIENT });
    assert_eq!(late, Reading { accessibles: vec![], partial: true });
    // What arrives late does not disturb the next reading.
    assert!(!stage.read(PATIENT).partial);
}

#[test]
fn a_program_that_stands_still_costs_the_time_limit_and_no_more() {
    let mut stage = Stage::start();
    let pid = stage.window.pid.unwrap().to_string();
    assert!(Command::new("kill").args(["-s", "STOP", &pid]).status().unwrap().success());
    let started = Instant::now();
    let reading = stage.read(Limits::default());
    let took = started.elapsed();
    assert!(Command::new("kill").args(["-s", "CONT", &pid]).status().unwrap().success());
    assert!(reading.partial);
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert!(!stage.read(PATIENT).partial);
}

#[test]
fn a_window_that_tells_nothing_is_empty_and_whole() {
    let mut stage = Stage::start();
    stage.window.title = "Another window".into();
    assert_eq!(stage.read(PATIENT), Reading::default());
}

#[test]
fn without_a_bus_or_its_service_there_is_no_tree_at_once() {
    let started = Instant::now();
    assert!(AtSpi::open_on("unix:path=/nonexistent/bus").is_none());
    assert!(started.elapsed() < Duration::from_secs(2));
    // The session knows how to start the service, but nobody asks it to.
    let bus = TestBus::without_service();
    assert!(AtSpi::open_on(&bus.address).is_none());
}

#[test]
fn a_thing_in_a_picture_has_its_words_where_the_eyes_have_them() {
    let rect = |x, y, w, h| DesktopRect::new(DesktopPoint::new(x, y), DesktopPoint::new(x + w, y + h));
    let frame = FrameGeometry { origin: DesktopPoint::new(100, 50), scale: 1.0, width: 200, height: 100 };
    let thing = |role, value: Option<&str>, bounds| Accessible {
        role,
        name: "Customer".into(),
        value: value.map(str::to_string),
        states: vec![State::Focused],
        bounds,
    };
    let field = thing(Role::Textbox, Some("Sample"), rect(110, 60, 50, 20)).in_picture(&frame).unwrap();
    assert_eq!(
        (field.text.as_str(), field.label.as_str(), field.value.as_deref()),
        ("Sample", "Customer", Some("Sample"))
    );
    assert_eq!((field.bbox.min.x, field.bbox.min.y, field.bbox.max.x, field.bbox.max.y), (10, 10, 60, 30));
    let button = thing(Role::Button, None, rect(280, 60, 30, 20)).in_picture(&frame).unwrap();
    assert_eq!((button.text.as_str(), button.label.as_str(), button.value), ("Customer", "", None));
    assert_eq!(button.bbox.max.x, 200);
    assert_eq!(thing(Role::Button, None, rect(290, 60, 30, 20)).in_picture(&frame), None);
    assert_eq!(thing(Role::Button, None, rect(-9000, 60, 30, 20)).in_picture(&frame), None);
}

#[test]
fn names_are_spoken_without_what_belongs_to_the_drawing() {
    assert_eq!(spoken(" Customer\n name: "), "Customer name");
    assert_eq!(spoken("客户："), "客户");
    assert_eq!(spoken(":"), "");
}
