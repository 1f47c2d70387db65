//! A picture that lies is named and never acted on (C7): nothing is clicked and nothing typed.

use std::io::IoSlice;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{ChangeGCAux, ConnectionExt, CreateGCAux, Rectangle, SubwindowMode, Window};
use x11rb::rust_connection::RustConnection;

use crate::support::{Display, Program, root, text, told};

/// A display with a window that writes down what is done to it.
struct Liar {
    _window: Program,
    display: Display,
    folder: tempfile::TempDir,
}

impl Liar {
    fn start(kind: &str) -> Liar {
        let display = Display::start();
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("/usr/bin/python3");
        command.arg(root().join("tests/apps/liar.py")).arg(kind).arg(folder.path().join("deeds"));
        let window = display.open(command.args(["--title", "Target"]), "Target");
        let liar = Liar { _window: window, display, folder };
        liar.display.until("the window listens", || liar.deeds_file().exists());
        liar
    }

    fn deeds_file(&self) -> PathBuf {
        self.folder.path().join("deeds")
    }

    /// What was done to the window.
    fn deeds(&self) -> String {
        std::fs::read_to_string(self.deeds_file()).unwrap()
    }

    fn run(&self, script: &str) -> Output {
        let file = self.write("script.jsonl", script);
        let model = format!("script:{}", file.display());
        self.deskhand(&["run", "Enter Sample Ltd as Customer and save", "--window", "Target", "--model", &model])
    }

    fn fill(&self) -> Output {
        let sheet = self.write("orders.csv", "Customer,Quantity\nSample Ltd,3\n");
        self.deskhand(&["fill", path(&sheet), "--into", "Target"])
    }

    fn deskhand(&self, args: &[&str]) -> Output {
        let run_dir = self.folder.path().join(args[0]);
        let places = ["--approve", "always", "--run-dir", path(&run_dir)];
        self.display.deskhand(&[args, &places].concat())
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        file
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Types and clicks whatever the screen shows.
const EAGER: &str = r#"
{"call":{"tool":"type_text","arguments":{"element":"Customer","text":"Sample Ltd"}}}
{"call":{"tool":"click","arguments":{"element":"Save"}}}
{"call":{"tool":"done","arguments":{"answer":"entered"}}}
"#;

/// Nothing was done, and the one sentence on standard error says why.
fn refused(liar: &Liar, output: &Output, reason: &str) {
    assert_eq!(output.status.code(), Some(5), "{}", told(output));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("\"Target\"") && stderr.contains(reason) && stderr.contains("start again"), "{stderr}");
    assert_eq!(liar.deeds(), "", "nothing was done to the window");
}

#[test]
fn a_black_or_blank_window_is_refused_by_run_fill_and_see_and_nothing_is_done() {
    for (kind, reason) in [("black", "black all over"), ("white", "same colour")] {
        let liar = Liar::start(kind);
        refused(&liar, &liar.run(EAGER), reason);
        refused(&liar, &liar.fill(), reason);
        refused(&liar, &liar.display.deskhand(&["see", "--window", "Target"]), reason);
    }
}

/// From its start the server keeps what windows draw away from the screen, as for every compositor; this one paints
/// nothing by itself.
struct Compositor {
    client: RustConnection,
    root: Window,
}

impl Compositor {
    fn start(display: &Display) -> Compositor {
        let (client, screen) = RustConnection::connect(Some(&display.name)).unwrap();
        let root = client.setup().roots[screen].root;
        let opcode = client.extension_information("Composite").unwrap().unwrap().major_opcode;
        // CompositeRedirectSubwindows, Manual: three words, of which the last is the way of updating.
        let mut request = [opcode, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0];
        request[2..4].copy_from_slice(&3u16.to_ne_bytes());
        request[4..8].copy_from_slice(&root.to_ne_bytes());
        client.send_request_without_reply(&[IoSlice::new(&request)], Vec::new()).unwrap();
        let gc = client.generate_id().unwrap();
        let inferiors = CreateGCAux::new().subwindow_mode(SubwindowMode::INCLUDE_INFERIORS);
        client.create_gc(gc, root, &inferiors).unwrap();
        for y in 0..800i16 {
            let colour = 0x20_5030 + u32::from(y as u16 / 8) * 0x01_0001;
            client.change_gc(gc, &ChangeGCAux::new().foreground(colour)).unwrap();
            client.poly_fill_rectangle(root, gc, &[Rectangle { x: 0, y, width: 1280, height: 1 }]).unwrap();
        }
        client.get_input_focus().unwrap().reply().unwrap();
        Compositor { client, root }
    }

    /// Shows all windows once, as they are now.
    fn paint(&self) {
        let gc = self.client.generate_id().unwrap();
        let inferiors = CreateGCAux::new().subwindow_mode(SubwindowMode::INCLUDE_INFERIORS);
        self.client.create_gc(gc, self.root, &inferiors).unwrap();
        for window in self.client.query_tree(self.root).unwrap().reply().unwrap().children {
            let place = self.client.get_geometry(window).unwrap().reply().unwrap();
            let border = place.border_width.cast_signed();
            let (x, y) = (place.x + border, place.y + border);
            let copy = self.client.copy_area(window, self.root, gc, 0, 0, x, y, place.width, place.height).unwrap();
            // Windows that are not shown have nothing to copy.
            let _ = copy.check();
        }
    }
}

#[test]
fn a_picture_of_the_wallpaper_alone_is_refused_and_nothing_is_done() {
    let liar = Liar::start("form");
    let _compositor = Compositor::start(&liar.display);
    refused(&liar, &liar.run(EAGER), "behind the window");
    refused(&liar, &liar.fill(), "behind the window");
}

#[test]
fn a_screen_that_shows_an_old_frame_ends_the_run_before_anything_is_saved() {
    let liar = Liar::start("form");
    let compositor = Compositor::start(&liar.display);
    compositor.paint();
    let output = liar.run(EAGER);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let all = text(&output.stdout) + &text(&output.stderr);
    assert!(all.contains("same as before") && all.contains("start again"), "{all}");
    // One click went into the field; a second one would be on Save.
    let clicks = liar.deeds().lines().filter(|line| line.starts_with('4')).count();
    assert!(clicks <= 1, "{}", liar.deeds());
}
