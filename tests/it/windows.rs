//! The Windows executable under Wine, driven as its user drives it. `make test-windows` runs these tests, which want
//! `dist/deskhand.exe` and a Wine prefix (`DESKHAND_WINE_PREFIX`) that `tests/wine/prefix` made for a user with a
//! Chinese name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::forms::{ORDER_KEYS, STOCK_KEYS, as_row};
use crate::support::{Display, Program, records, root, rows, text, told};

/// A display with Wine's desktop on it; all programs of the prefix end with it.
struct Wine {
    display: Display,
    folder: tempfile::TempDir,
    prefix: PathBuf,
    exe: PathBuf,
}

impl Wine {
    fn start() -> Wine {
        let prefix = std::env::var_os("DESKHAND_WINE_PREFIX").expect("make test-windows names the Wine prefix");
        let exe = root().join("dist/deskhand.exe");
        assert!(exe.is_file(), "{} is missing; `make windows` makes it", exe.display());
        let wine = Wine { display: Display::start(), folder: tempfile::tempdir().unwrap(), prefix: prefix.into(), exe };
        // Wine's server and services come up with the first program.
        wine.quietly(Path::new("cmd"), &["/c", "exit"]);
        wine
    }

    /// Runs something whose output is nobody's.
    fn quietly(&self, program: &Path, args: &[&str]) {
        let mut command = self.command(program, args);
        let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("Wine is installed");
        assert!(ended.success(), "{} ended with {ended}", program.display());
    }

    fn command(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = self.display.command(root().join("tests/wine/run"));
        command.arg(&self.prefix).arg(program).args(args).current_dir(self.folder.path());
        // The executable has its own.
        command.env_remove("DESKHAND_PAYLOAD").env_remove("DESKHAND_MODELS");
        command
    }

    /// Runs Deskhand to its end. Its output goes through files: whatever of Wine it happens to start (server, desktop,
    /// services) inherits its output and would keep a pipe open for ever.
    fn deskhand(&self, args: &[&str]) -> Output {
        let [out, err] = ["stdout", "stderr"].map(|name| self.prefix.with_extension(name));
        let mut command = self.command(&self.exe, args);
        command.stdout(std::fs::File::create(&out).unwrap()).stderr(std::fs::File::create(&err).unwrap());
        let mut child = Program(command.spawn().expect("Wine is installed by make test-windows"));
        let started = Instant::now();
        let status = loop {
            match child.0.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(started.elapsed() < Duration::from_secs(180), "{args:?} does not end"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        Output { status, stdout: std::fs::read(out).unwrap(), stderr: std::fs::read(err).unwrap() }
    }

    /// Starts a program and waits until Deskhand sees its window.
    fn open(&self, program: &Path, args: &[&str], title: &str) -> Program {
        let mut command = self.command(program, args);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let program = Program(command.spawn().expect("Wine is installed by make test-windows"));
        self.see(title);
        program
    }

    /// Waits until Deskhand sees a window of this title.
    fn see(&self, title: &str) {
        let mut said = String::new();
        for _ in 0..10 {
            let seen = self.deskhand(&["see", "--window", title, "--json"]);
            if seen.status.success() {
                return;
            }
            said = told(&seen);
        }
        panic!("{title} is not seen: {said}");
    }

    fn practice(&self, lang: &str, log: &Path) -> Program {
        let title = if lang == "zh" { "练习订单" } else { "Practice orders" };
        self.open(&self.exe, &["practice", "--lang", lang, "--log", &windows_path(log)], title)
    }

    /// Enters a sheet and returns what the program has noted in its own file.
    fn fill(&self, sheet: &Path, into: &str, log: &Path) -> (Output, Vec<Value>) {
        let run_dir = windows_path(&self.folder.path().join("运行 run"));
        let args = ["fill", &windows_path(sheet), "--into", into, "--approve", "always", "--run-dir", &run_dir];
        (self.deskhand(&args), records(log))
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        for argument in ["-k", "-w"] {
            // A server that has ended by itself refuses, which is as good.
            let _ = Command::new("wineserver").arg(argument).env("WINEPREFIX", &self.prefix).status();
        }
    }
}

/// How a Windows program calls a file of ours.
fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.to_str().unwrap().replace('/', "\\"))
}

fn orders_arrive(lang: &str, sheet: &str, yes_no: (&str, &str)) {
    let wine = Wine::start();
    let log = wine.folder.path().join("记录 saved.jsonl");
    let path = wine.folder.path().join("订单 orders.csv");
    std::fs::write(&path, sheet).unwrap();
    let _practice = wine.practice(lang, &log);
    let title = if lang == "zh" { "练习订单" } else { "Practice orders" };
    let (output, saved) = wine.fill(&path, title, &log);
    let saved: Vec<Vec<String>> = saved.iter().map(|r| as_row(r, &ORDER_KEYS, yes_no)).collect();
    assert_eq!(saved, rows(&path), "{}", told(&output));
    assert_eq!(saved.len(), 5);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(wine.folder.path().join("运行 run/result.json").is_file());
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn five_english_orders_arrive_in_the_practice_window() {
    let sheet = "Order No,Customer,Product Code,Qty,Price,Payment,Urgent,Remark\n\
         W-1001,Sample Ltd,00120,3,12.50,Cash,yes,Ring the back door\n\
         W-1002,上海样品有限公司,00345,12,8.00,Monthly,no,请尽快发货\n\
         W-1003,Müller & Söhne,01007,150,0.85,Prepaid,yes,\"two boxes, careful\"\n\
         W-1004,Example Trading,00077,1,1999.99,Cash,no,\n\
         W-1005,北京练习贸易公司,90210,48,3.25,Monthly,yes,№ 7: 100 % {x}\n";
    orders_arrive("en", sheet, ("yes", "no"));
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn five_chinese_orders_arrive_in_the_practice_window() {
    let sheet = "订单号,客户,产品编码,数量,单价,结算方式,加急,备注\n\
         W-2001,上海样品有限公司,00120,3,12.50,月结,是,请尽快发货\n\
         W-2002,北京练习贸易公司,00345,12,8.00,现金,否,\n\
         W-2003,Sample Ltd,01007,150,0.85,预付,是,两箱，轻放（易碎）\n\
         W-2004,龘靐商行,00077,1,1999.99,现金,否,后门卸货\n\
         W-2005,广州测试电子厂,90210,48,3.25,月结,是,发票另寄\n";
    orders_arrive("zh", sheet, ("是", "否"));
}

fn stock_arrives(lang: &str, title: &str, sheet: &str, yes_no: (&str, &str)) {
    let wine = Wine::start();
    let form = wine.folder.path().join("stock.exe");
    let built = Command::new(root().join("bench/apps/win32/build")).arg(&form).status().unwrap();
    assert!(built.success());
    let log = wine.folder.path().join("库存 stock.jsonl");
    let _form = wine.open(&form, &[&windows_path(&log), "--lang", lang], title);
    let sheet = root().join("bench/data").join(sheet);
    let (output, saved) = wine.fill(&sheet, title, &log);
    let saved: Vec<Vec<String>> = saved.iter().map(|r| as_row(r, &STOCK_KEYS, yes_no)).collect();
    assert_eq!(saved, rows(&sheet), "{}", told(&output));
    assert_eq!(saved.len(), 5);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn five_rows_arrive_in_an_english_win32_form_with_message_boxes() {
    stock_arrives("en", "Stock receipt", "stock.csv", ("yes", "no"));
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn five_rows_arrive_in_a_chinese_win32_form_with_message_boxes() {
    stock_arrives("zh", "入库登记", "stock_zh.csv", ("是", "否"));
}

/// Every file and folder below, by its path.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        }
        found.insert(entry.path());
    }
    found
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn it_runs_from_a_folder_and_for_a_user_with_chinese_names_and_leaves_nothing_but_the_runtime_library() {
    let mut wine = Wine::start();
    let home = wine.prefix.join("drive_c/users").join("王小明");
    assert!(home.is_dir(), "{} is missing", home.display());
    let toolbox = wine.folder.path().join("工具 箱");
    std::fs::create_dir(&toolbox).unwrap();
    let exe = toolbox.join("桌面 助手.exe");
    std::fs::copy(&wine.exe, &exe).unwrap();
    wine.exe = exe;
    let log = wine.folder.path().join("log.jsonl");
    let scene = wine.folder.path().join("scene.json");
    std::fs::write(&scene, r#"{"elements":[{"id":1,"role":"button","text":"保存"}]}"#).unwrap();
    let sheet = wine.folder.path().join("orders.csv");
    std::fs::write(&sheet, "订单号,客户\nA-1,上海样品有限公司\n").unwrap();

    assert_eq!(wine.deskhand(&["cleanup"]).status.code(), Some(0));
    let before = (files(&wine.prefix.join("drive_c")), files(&toolbox));
    let _practice = wine.practice("zh", &log);
    let run_dir = windows_path(&wine.folder.path().join("run"));
    for args in [
        &["see", "--json"][..],
        &["decide", "--scene", &windows_path(&scene), "点击保存按钮", "--json"],
        &["doctor", "--json"],
        &["fill", &windows_path(&sheet), "--dry-run", "--run-dir", &run_dir],
        &["bench", "--json", "--quick"],
    ] {
        let output = wine.deskhand(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", told(&output));
    }
    let after = (files(&wine.prefix.join("drive_c")), files(&toolbox));
    assert_eq!(after.1, before.1, "nothing lies beside the executable");
    let left: Vec<&PathBuf> = after.0.difference(&before.0).filter(|path| path.is_file()).collect();
    let local = home.join("AppData/Local/Deskhand");
    let (state, left): (Vec<&PathBuf>, Vec<&PathBuf>) =
        left.into_iter().partition(|p| p.starts_with(local.join("state")));
    assert_eq!(state, [&local.join("state/jobs.db")], "filling keeps an index of jobs");
    let [library] = left.as_slice() else { panic!("{left:?}") };
    assert_eq!(library.parent(), Some(local.join("runtime").as_path()));

    // A file that was changed is never loaded.
    let genuine = std::fs::read(library).unwrap();
    let mut changed = genuine.clone();
    changed[4096] ^= 1;
    std::fs::write(library, &changed).unwrap();
    let output = wine.deskhand(&["see", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(std::fs::read(library).unwrap() == genuine);

    let shown = wine.deskhand(&["cleanup", "--dry-run", "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["files"].as_array().map(Vec::len), Some(2), "{shown}");
    assert!(library.is_file());
    assert_eq!(wine.deskhand(&["cleanup"]).status.code(), Some(0));
    assert_eq!(files(&wine.prefix.join("drive_c")), before.0);
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn exit_codes_and_output_are_those_of_a_terminal_program() {
    let wine = Wine::start();
    let version = wine.deskhand(&["--version"]);
    assert_eq!((version.status.code(), text(&version.stdout).trim()), (Some(0), "deskhand 0.1.0"));
    assert_eq!(wine.deskhand(&["frobnicate"]).status.code(), Some(2));
    let missing = wine.deskhand(&["see", "--window", "没有这个窗口"]);
    assert_eq!(missing.status.code(), Some(1), "{}", told(&missing));
    assert!(missing.stdout.is_empty() && text(&missing.stderr).contains("没有这个窗口"), "{}", told(&missing));
    // Output that goes somewhere is read by somebody: no window opens.
    let help = wine.deskhand(&[]);
    assert_eq!(help.status.code(), Some(0));
    assert!(text(&help.stdout).contains("Usage"), "{}", told(&help));
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn the_scene_names_what_the_window_holds_and_a_decision_is_made_on_it() {
    let wine = Wine::start();
    let _practice = wine.practice("en", &wine.folder.path().join("log.jsonl"));
    let seen = wine.deskhand(&["see", "--window", "deskhand.exe", "--json"]);
    assert_eq!(seen.status.code(), Some(0), "the window is found by its executable: {}", told(&seen));
    let scene = wine.folder.path().join("scene.json");
    std::fs::write(&scene, &seen.stdout).unwrap();
    let decided = wine.deskhand(&["decide", "--scene", &windows_path(&scene), "Click the Save button", "--json"]);
    assert_eq!(decided.status.code(), Some(0), "{}", told(&decided));
    let document: Value = serde_json::from_slice(&decided.stdout).unwrap();
    let elements: Value = serde_json::from_slice(&seen.stdout).unwrap();
    let save = elements["elements"].as_array().unwrap().iter().find(|e| e["text"] == "Save").unwrap();
    assert_eq!((&document["tool"], &document["element"]), (&Value::from("click"), &save["id"]), "{document}");
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn a_double_click_shows_a_window_and_no_console() {
    let wine = Wine::start();
    // `start` hands the file to the system's shell, as a double click does.
    wine.quietly(Path::new("start"), &["/unix", wine.exe.to_str().unwrap()]);
    wine.see("Deskhand");
    let open = wine.deskhand(&["see", "--window", "没有这个窗口"]);
    let open = text(&open.stderr);
    assert!(open.contains("\"Deskhand\" (#32770)") && open.matches(" (").count() == 1, "one window only: {open}");
    let run_dir = windows_path(&wine.folder.path().join("run"));
    let click = ["run", "Click Yes", "--window", "Deskhand", "--approve", "always", "--run-dir", &run_dir];
    let clicked = wine.deskhand(&click);
    assert_eq!(clicked.status.code(), Some(0), "{}", told(&clicked));
    wine.see("Practice orders");
}

/// Whether a program with these words in its command line runs under this prefix.
fn runs(wine: &Wine, words: &[&str]) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let read = |pid: u32, name: &str| text(&std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default());
    pids.filter(|pid| read(*pid, "environ").contains(wine.prefix.to_str().unwrap()))
        .filter(|pid| {
            let line = read(*pid, "cmdline");
            let parts: Vec<&str> = line.split('\0').collect();
            parts.first().is_some_and(|name| name.ends_with(".exe")) && words.iter().all(|word| parts.contains(word))
        })
        .collect()
}

#[test]
#[ignore = "needs the Windows executable: make test-windows"]
fn tasks_run_in_workers_that_are_found_again_stopped_and_end_with_their_parent() {
    let wine = Wine::start();
    let started = ["tasks", "run", "wait_for_window", "title=没有这个窗口", "--background", "--json"];
    let document = |output: &Output| -> Value {
        serde_json::from_str(text(&output.stdout).lines().last().unwrap_or_default())
            .unwrap_or_else(|_| panic!("{}", told(output)))
    };
    let first = document(&wine.deskhand(&started));
    assert_eq!(first["state"], "running", "{first}");
    let id = first["execution"].as_str().unwrap();
    let second = wine.deskhand(&started);
    assert_eq!(second.status.code(), Some(3), "{}", told(&second));
    assert_eq!(document(&second)["data"]["running"], id);
    assert_eq!(document(&wine.deskhand(&["tasks", "status", id, "--json"]))["state"], "running");
    assert_eq!(runs(&wine, &["worker"]).len(), 1);
    assert_eq!(document(&wine.deskhand(&["tasks", "stop", id, "--json"]))["state"], "stopped");
    wine.display.until("worker and keeper are gone", || {
        runs(&wine, &["worker"]).is_empty() && runs(&wine, &["keep"]).is_empty()
    });

    // Killed from outside, as by the task manager.
    let mut parent = wine.command(&wine.exe, &["tasks", "run", "wait_for_window", "title=没有这个窗口", "--json"]);
    let mut parent = Program(parent.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    wine.display.until("a worker runs", || runs(&wine, &["worker"]).len() == 1);
    for pid in runs(&wine, &["run", "wait_for_window"]) {
        assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
    }
    parent.0.wait().unwrap();
    wine.display.until("the worker is gone", || runs(&wine, &["worker"]).is_empty());
    let all = document(&wine.deskhand(&["tasks", "status", "--json"]));
    assert_eq!(all["executions"][0]["state"], "failed", "{all}");
    assert_eq!(wine.deskhand(&["cleanup"]).status.code(), Some(0));
}
