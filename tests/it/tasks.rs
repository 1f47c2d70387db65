//! Tasks as a user and a script see them: started, found again, stopped, killed; never two at the screen, never a lie.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Display, Stage, exe, root, text, told};

/// A display and a user of its own.
struct User {
    display: Display,
    home: tempfile::TempDir,
}

impl User {
    fn new() -> Self {
        User { display: Display::start(), home: tempfile::tempdir().unwrap() }
    }

    fn command(&self, args: &[&str]) -> Command {
        command(&self.display, self.home.path(), &exe(), args)
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The last line of what `args` print, as JSON.
    fn json(&self, args: &[&str]) -> Value {
        let output = self.run(args);
        let all = text(&output.stdout);
        serde_json::from_str(all.lines().last().unwrap_or_default())
            .unwrap_or_else(|e| panic!("{e}: {}", told(&output)))
    }

    /// Starts waiting for a window that never comes, in the background; gives the execution's id.
    fn wait_in_the_background(&self) -> String {
        let started = self.json(&["tasks", "run", "wait_for_window", "title=Nonesuch", "--background", "--json"]);
        assert_eq!(started["state"], "running", "{started}");
        assert_eq!(started["data"]["phase"], "running", "{started}");
        started["execution"].as_str().unwrap().to_owned()
    }

    fn state(&self, id: &str) -> Value {
        self.json(&["tasks", "status", id, "--json"])
    }

    fn folder(&self, id: &str) -> PathBuf {
        let all = self.json(&["tasks", "status", "--json"]);
        let job = all["executions"].as_array().unwrap().iter().find(|job| job["execution"] == id).unwrap().clone();
        job["folder"].as_str().unwrap().into()
    }
}

fn command(display: &Display, home: &Path, exe: &Path, args: &[&str]) -> Command {
    let mut command = display.command(exe);
    command.args(args).env("HOME", home).env_remove("XDG_STATE_HOME");
    command
}

fn status_of(folder: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(folder.join("status.json")).ok()?).ok()
}

fn kill(pid: &Value) {
    let done = Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
    assert!(done.success());
}

/// Whether a process runs; one that nobody has waited for yet is dead.
fn runs(pid: &Value) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with('Z') && !rest.is_empty())
}

/// Living processes of this executable that carry the execution's mark, and its guard.
fn family(id: &str) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        text(&environment).contains(&format!("DESKHAND_EXECUTION={id}")) && runs(&Value::from(*pid))
    })
    .collect()
}

fn within(seconds: u64, what: &str, mut fact: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !fact() {
        assert!(Instant::now() < deadline, "{what}: not within {seconds} s");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs a command on a terminal and types `answer` when a question is there; gives the exit code and all that was shown.
fn on_a_terminal(display: &Display, home: &Path, line: &[String], answer: &str) -> (Option<i32>, String) {
    use std::io::{Read, Write};
    let line: Vec<String> = line.iter().map(|word| format!("'{word}'")).collect();
    // `exec`: a shell that stays (dash does) is interrupted too, and its exit code would hide the program's.
    let line = format!("exec {}", line.join(" "));
    let mut child = command(display, home, Path::new("script"), &["-qec", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut shown = Vec::new();
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0u8; 1];
    // The answer is typed when the question is there, not before.
    while !text(&shown).contains(" s] ") && out.read(&mut byte).unwrap_or(0) == 1 {
        shown.push(byte[0]);
    }
    // Where nothing was asked the program has ended already.
    let _ = child.stdin.as_mut().unwrap().write_all(answer.as_bytes());
    let _ = out.read_to_end(&mut shown);
    (child.wait().unwrap().code(), text(&shown))
}

/// Waits until a started command has told its execution; gives the id.
fn id_told(child: &mut Child) -> String {
    use std::io::BufRead;
    let mut lines = std::io::BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    serde_json::from_str::<Value>(&line).unwrap()["execution"].as_str().unwrap().to_owned()
}

#[test]
fn a_task_in_the_background_is_found_again_and_a_second_one_is_told_which_runs() {
    let user = User::new();
    let id = user.wait_in_the_background();
    // Every command is a process of its own: this is what a restart sees.
    let now = user.state(&id);
    assert_eq!((&now["state"], &now["data"]["phase"]), (&Value::from("running"), &Value::from("running")));
    let second = user.run(&["tasks", "run", "wait_for_window", "title=Other", "--background", "--json"]);
    assert_eq!(second.status.code(), Some(3), "{}", told(&second));
    let second: Value = serde_json::from_slice(&second.stdout).unwrap();
    assert_eq!(second["state"], "rejected");
    assert_eq!(second["data"]["running"], id.as_str());
    assert!(second["message"].as_str().unwrap().contains(&id));

    let stopped = user.run(&["tasks", "stop", &id, "--json"]);
    assert_eq!(stopped.status.code(), Some(0), "{}", told(&stopped));
    assert_eq!(user.state(&id)["state"], "stopped");
    assert!(family(&id).is_empty());
    let events = text(&user.run(&["tasks", "events", &id, "--json"]).stdout);
    let names: Vec<Value> =
        events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].clone()).collect();
    assert_eq!(names, ["queued", "handshake", "running", "stopping", "ended"], "{events}");
    // The place is free again.
    let third = user.wait_in_the_background();
    assert_eq!(user.json(&["tasks", "stop", &third, "--json"])["state"], "stopped");
}

#[test]
fn a_late_stop_leaves_what_is_completed_completed() {
    let user = User::new();
    let folder = tempfile::tempdir().unwrap();
    let _practice = user.display.practice("en", 0, &folder.path().join("log"));
    let done = user.json(&["tasks", "run", "wait_for_window", "title=Practice", "--json"]);
    assert_eq!(done["state"], "completed", "{done}");
    let id = done["execution"].as_str().unwrap();
    let late = user.run(&["tasks", "stop", id, "--json"]);
    assert_eq!(late.status.code(), Some(0), "{}", told(&late));
    assert_eq!(serde_json::from_slice::<Value>(&late.stdout).unwrap(), done);
    assert_eq!(user.state(id), done);
    assert!(!user.folder(id).join("stop.requested").exists());
    let unknown = user.run(&["tasks", "stop", "20200101-000000-fill-000000"]);
    assert_eq!(unknown.status.code(), Some(2), "{}", told(&unknown));
    assert!(text(&unknown.stdout).contains("not_found"));
}

#[test]
fn a_killed_worker_is_failed_never_completed_and_never_left_running() {
    let user = User::new();
    let id = user.wait_in_the_background();
    let folder = user.folder(&id);
    kill(&status_of(&folder).unwrap()["worker"]["pid"]);
    within(10, "failed", || user.state(&id)["state"] == "failed");
    assert!(user.state(&id)["message"].as_str().unwrap().contains("in the middle of its work"));
    assert!(family(&id).is_empty());

    // In the foreground too, at any moment after its start.
    for pause in [0, 3, 10, 30, 100, 300] {
        let mut child = user
            .command(&["tasks", "run", "wait_for_window", "title=Nonesuch", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let id = id_told(&mut child);
        within(10, "a worker", || !family(&id).is_empty());
        std::thread::sleep(Duration::from_millis(pause));
        for pid in family(&id) {
            kill(&pid.into());
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "after {pause} ms: {}", told(&output));
        assert_eq!(user.state(&id)["state"], "failed", "after {pause} ms");
        assert!(family(&id).is_empty());
    }
}

#[test]
fn when_the_parent_is_killed_the_worker_and_its_guard_are_gone_within_two_seconds() {
    let stage = Stage::practice("en", 0);
    let home = tempfile::tempdir().unwrap();
    let script = stage.folder.path().join("script.jsonl");
    // Works for a long time: the wait alone takes ten seconds.
    let wait = r#"{"call":{"tool":"type_text","arguments":{"element":"Remark","text":"一二三四五六七八九十"}}}"#;
    std::fs::write(&script, format!("{wait}\n").repeat(50)).unwrap();
    let run_dir = stage.folder.path().join("运行");
    let model = format!("script:{}", script.display());
    let args =
        ["run", "Fill in the form", "--model", &model, "--max-steps", "50", "--run-dir", run_dir.to_str().unwrap()];
    let mut parent = command(&stage.display, home.path(), &exe(), &args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    within(60, "the first step", || {
        std::fs::read_to_string(run_dir.join("log.jsonl")).is_ok_and(|log| !log.is_empty())
    });
    let status = status_of(&run_dir).unwrap();
    parent.kill().unwrap();
    parent.wait().unwrap();
    within(2, "worker and guard are gone", || {
        !runs(&status["worker"]["pid"])
            && !runs(&status["guard"]["pid"])
            && family(status["execution"].as_str().unwrap()).is_empty()
    });
    let id = status["execution"].as_str().unwrap();
    let output = command(&stage.display, home.path(), &exe(), &["tasks", "status", id, "--json"]).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["state"], "failed", "{result}");
}

#[test]
fn when_the_keeper_of_a_background_task_is_killed_the_task_is_failed() {
    let user = User::new();
    let id = user.wait_in_the_background();
    let worker = status_of(&user.folder(&id)).unwrap()["worker"]["pid"].clone();
    let stat = std::fs::read_to_string(format!("/proc/{worker}/stat")).unwrap();
    let keeper: u32 = stat.rsplit(')').next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    kill(&keeper.into());
    within(2, "the worker is gone", || family(&id).is_empty());
    assert_eq!(user.state(&id)["state"], "failed");
    user.wait_in_the_background();
}

#[test]
fn whoever_comes_second_to_the_screen_is_told_who_has_it_and_status_and_stop_work_meanwhile() {
    let stage = Stage::practice("en", 0);
    let home = tempfile::tempdir().unwrap();
    let deskhand = |args: &[&str]| command(&stage.display, home.path(), &exe(), args);
    let sheet = root().join("bench/data/orders.csv");
    let mut fill = vec!["tasks", "run", "fill"];
    let parameter = format!("sheet={}", sheet.display());
    fill.extend([parameter.as_str(), "into=Practice", "--approve", "always", "--background", "--json"]);
    let started: Value = serde_json::from_slice(&deskhand(&fill).output().unwrap().stdout).unwrap();
    assert_eq!(started["state"], "running", "{started}");
    let id = started["execution"].as_str().unwrap();

    let second = deskhand(&["run", "Click Clear", "--window", "Practice"]).output().unwrap();
    assert_eq!(second.status.code(), Some(3), "{}", told(&second));
    assert!(text(&second.stdout).contains(id), "{}", told(&second));

    let status = deskhand(&["tasks", "status", id, "--json"]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&status.stdout).unwrap()["state"], "running");
    let stopped = deskhand(&["tasks", "stop", id, "--json"]).output().unwrap();
    let stopped: Value = serde_json::from_slice(&stopped.stdout).unwrap();
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert!(family(id).is_empty());
    // Every row is accounted for.
    let data = &stopped["data"];
    let rows: u64 = ["saved", "failed", "skipped", "unknown"].iter().filter_map(|key| data[key].as_u64()).sum();
    assert!(data["rows"].is_null() || rows == 3, "{stopped}");
}

#[test]
fn a_task_that_destroys_something_needs_the_flag_and_the_users_own_word() {
    let user = User::new();
    let folder = tempfile::tempdir().unwrap();
    let _practice = user.display.practice("en", 0, &folder.path().join("log"));
    let done = user.json(&["tasks", "run", "wait_for_window", "title=Practice", "--json"]);
    let victim = user.folder(done["execution"].as_str().unwrap());
    let clear = ["tasks", "run", "clear_runs", "older_than_days=0"];
    let refused = |more: &[&str], words: &str| {
        let output = user.run(&[&clear[..], more].concat());
        assert_eq!(output.status.code(), Some(3), "{more:?}: {}", told(&output));
        assert!(text(&output.stdout).contains(words), "{more:?}: {}", told(&output));
        assert!(victim.is_dir(), "{more:?}");
    };
    refused(&[], "confirmed=true");
    refused(&["--approve", "always"], "confirmed=true");
    refused(&["confirmed=yes", "--approve", "always"], "confirmed=true");
    refused(&["confirmed=false", "--approve", "always"], "confirmed=true");
    // Confirmed by whoever wrote the command, but nobody is there to say yes.
    refused(&["confirmed=true"], "nobody was there");
    refused(&["confirmed=true", "--approve", "never"], "--approve never");

    // On a terminal the question shows the folder; "n" is no.
    let asked = |answer: &str| {
        let mut line = vec![exe().to_str().unwrap().to_owned()];
        line.extend(clear.map(str::to_owned));
        line.push("confirmed=true".into());
        let (code, shown) = on_a_terminal(&user.display, user.home.path(), &line, answer);
        assert!(shown.contains(victim.parent().unwrap().to_str().unwrap()), "{shown}");
        (code, shown)
    };
    let (code, shown) = asked("n\n");
    assert_eq!(code, Some(3), "{shown}");
    assert!(victim.is_dir());
    let (code, shown) = asked("y\n");
    assert_eq!(code, Some(0), "{shown}");
    assert!(!victim.exists(), "{shown}");
    assert_eq!(user.state(done["execution"].as_str().unwrap())["state"], "not_found");
}

#[test]
fn a_task_that_is_not_offered_cannot_be_reached_and_wrong_parameters_are_told_what_is_allowed() {
    let user = User::new();
    let list = text(&user.run(&["tasks", "list"]).stdout);
    assert!(list.contains("wait_for_window") && !list.lines().any(|line| line.starts_with("run:")), "{list}");
    for spelling in ["run", "RUN", "Run", " run", "run ", "./run", "fill/../run", "ｒｕｎ", "worker", "guard", "keep"]
    {
        let output = user.run(&["tasks", "run", spelling, "sentence=Click Save", "max_steps=1"]);
        assert_eq!(output.status.code(), Some(2), "{spelling}: {}", told(&output));
        assert!(text(&output.stdout).contains("the tasks are: fill"), "{spelling}: {}", told(&output));
    }
    for (parameters, words) in [
        (&["titel=x"][..], "allowed are: title (string), seconds (integer, optional)"),
        (&[], "\"title\" is a required property"),
        (&["title=x", "seconds=soon"], "is not of type"),
        (&["title=x", "seconds=0"], "minimum of 1"),
        (&["title=x", "seconds=1e9"], "/seconds"),
    ] {
        let output = user.run(&[&["tasks", "run", "wait_for_window"], parameters].concat());
        assert_eq!(output.status.code(), Some(2), "{parameters:?}: {}", told(&output));
        assert!(text(&output.stdout).contains(words), "{parameters:?}: {}", told(&output));
    }
    let output = user.run(&["tasks", "run", "wait_for_window", "title"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(text(&user.run(&["tasks", "status"]).stdout).contains("nothing has been run yet"));
}

#[test]
fn it_starts_itself_again_under_another_name_in_a_chinese_folder_and_while_the_file_is_replaced() {
    let user = User::new();
    let folder = tempfile::tempdir().unwrap();
    let _practice = user.display.practice("en", 0, &folder.path().join("log"));
    let place = folder.path().join("工具 箱");
    std::fs::create_dir(&place).unwrap();
    let copy = place.join("desk hand 副本");
    std::fs::copy(exe(), &copy).unwrap();
    let run = |args: &[&str]| {
        let output = command(&user.display, user.home.path(), &copy, args).output().unwrap();
        serde_json::from_slice::<Value>(text(&output.stdout).lines().last().unwrap().as_bytes())
            .unwrap_or_else(|e| panic!("{e}: {}", told(&output)))
    };
    let found = run(&["tasks", "run", "wait_for_window", "title=Practice", "--json"]);
    assert_eq!(found["state"], "completed", "{found}");

    // The file is deleted and another program put in its place as soon as the first one is under way.
    let mut child = command(&user.display, user.home.path(), &copy, &["fill", "orders.csv", "--dry-run", "--json"])
        .current_dir(root().join("bench/data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let other = place.join("other");
    std::fs::write(&other, "#!/bin/sh\necho replaced\n").unwrap();
    std::fs::rename(&other, &copy).unwrap();
    child.stdin.take();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(text(&output.stdout).contains("\"columns\""), "{}", told(&output));
}

#[test]
fn a_policy_file_that_nobody_understands_lets_nothing_happen() {
    let stage = Stage::practice("en", 0);
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join(".local/state/Deskhand/state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("policy.toml"), "[[rule]]\nwho = [\"everybody\"]\nanswer = \"allow\"\n").unwrap();
    let run = || command(&stage.display, home.path(), &exe(), &["run", "Click the Save button"]).output().unwrap();
    let output = run();
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    let said = text(&output.stderr);
    assert!(said.contains("policy.toml, line 2") && said.contains("workflow"), "{said}");
    // One that is understood is obeyed.
    let rule = "[[rule]]\ntool = [\"click\"]\nanswer = \"refuse\"\nreason = \"no clicks on this machine\"\n";
    std::fs::write(state.join("policy.toml"), rule).unwrap();
    let output = run();
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert!(text(&output.stdout).contains("no clicks on this machine"), "{}", told(&output));
}

#[test]
fn a_yes_can_be_remembered_for_this_form_and_these_columns_and_for_nothing_else() {
    let stage = Stage::practice("en", 0);
    let home = tempfile::tempdir().unwrap();
    let sheet = |name: &str, text: &str| {
        let path = stage.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let fill = |sheet: &str, answer: &str| {
        let line = [exe().to_str().unwrap(), "fill", sheet, "--into", "Practice"].map(str::to_owned);
        on_a_terminal(&stage.display, home.path(), &line, answer)
    };
    let (columns, row) =
        ("Order No,Customer,Product Code,Qty,Price,Payment,Urgent", "Sample Ltd,00120,3,12.50,Cash,yes");
    let first = sheet("first.csv", &format!("{columns}\nA-1,{row}\n"));
    let (code, shown) = fill(&first, "a\n");
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("a = always for this workflow"), "{shown}");
    let second = sheet("second.csv", &format!("{columns}\nA-2,{row}\nA-3,{row}\n"));
    let (code, shown) = fill(&second, "");
    assert_eq!(code, Some(0), "{shown}");
    assert!(!shown.contains("Allow?"), "{shown}");
    // Other columns are other work: silence is no answer, and "n" is no.
    let other = sheet("other.csv", &format!("{columns},Remark\nA-4,{row},hello\n"));
    let (code, shown) = fill(&other, "n\n");
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.contains("Allow?"), "{shown}");
    assert_eq!(crate::support::records(&stage.log).len(), 3);

    let deskhand = |args: &[&str]| command(&stage.display, home.path(), &exe(), args).output().unwrap();
    let listed = text(&deskhand(&["tasks", "approvals"]).stdout);
    assert!(listed.contains("Qty -> Quantity") && listed.contains("Save"), "{listed}");
    assert!(text(&deskhand(&["tasks", "approvals", "--forget", "all"]).stdout).contains("forgotten"));
    let (code, shown) = fill(&second, "n\n");
    assert_eq!(code, Some(3), "{shown}");
}

#[test]
fn a_stop_works_when_the_run_folder_or_the_index_is_gone() {
    let user = User::new();
    let id = user.wait_in_the_background();
    std::fs::remove_dir_all(user.folder(&id)).unwrap();
    let stopped = user.json(&["tasks", "stop", &id, "--json"]);
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert!(family(&id).is_empty());
    assert_eq!(user.state(&id)["state"], "stopped");

    let id = user.wait_in_the_background();
    std::fs::remove_file(user.home.path().join(".local/state/Deskhand/state/jobs.db")).unwrap();
    let stopped = user.json(&["tasks", "stop", &id, "--json"]);
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert!(family(&id).is_empty());
}

#[test]
fn a_worker_started_by_hand_does_nothing_and_what_is_over_is_not_done_again() {
    let user = User::new();
    let folder = tempfile::tempdir().unwrap();
    let _practice = user.display.practice("en", 0, &folder.path().join("log"));
    let done = user.json(&["tasks", "run", "wait_for_window", "title=Practice", "--json"]);
    let run = user.folder(done["execution"].as_str().unwrap());
    let state = user.home.path().join(".local/state/Deskhand/state");
    let events = std::fs::read(run.join("events.jsonl")).unwrap();
    // A request that nobody has admitted, and one that is over.
    let forged = folder.path().join("forged");
    std::fs::create_dir(&forged).unwrap();
    let request = std::fs::read_to_string(run.join("request.json")).unwrap();
    let request = request.replace(done["execution"].as_str().unwrap(), "20260101-000000-wait_for_window-ffffff");
    std::fs::write(forged.join("request.json"), request).unwrap();
    for place in [&run, &forged] {
        for process in ["worker", "keep"] {
            let output = user.run(&[process, place.to_str().unwrap(), state.to_str().unwrap()]);
            assert_eq!(output.status.code(), Some(1), "{process}: {}", told(&output));
        }
    }
    assert_eq!(std::fs::read(run.join("events.jsonl")).unwrap(), events);
    assert!(!forged.join("result.json").exists() && !forged.join("status.json").exists());
}

#[test]
fn what_is_approved_is_what_is_cleared_and_folders_that_only_look_like_runs_stay() {
    let user = User::new();
    let folder = tempfile::tempdir().unwrap();
    let _practice = user.display.practice("en", 0, &folder.path().join("log"));
    let done = user.json(&["tasks", "run", "wait_for_window", "title=Practice", "--json"]);
    let run = user.folder(done["execution"].as_str().unwrap());
    let runs = run.parent().unwrap().to_owned();
    let thesis = runs.join("my thesis");
    std::fs::create_dir(&thesis).unwrap();
    for name in ["request.json", "result.json"] {
        std::fs::write(thesis.join(name), "{}").unwrap();
    }
    let clear = ["tasks", "run", "clear_runs", "older_than_days=0", "confirmed=true", "--approve", "always"];
    let elsewhere = user.run(&[&clear[..], &["folder=/"]].concat());
    assert_eq!(elsewhere.status.code(), Some(2), "{}", told(&elsewhere));
    assert!(run.is_dir());
    let cleared = user.run(&clear);
    assert_eq!(cleared.status.code(), Some(0), "{}", told(&cleared));
    assert!(!run.exists() && thesis.is_dir());
}

#[test]
fn a_stop_at_a_question_or_while_models_load_is_a_stop_and_no_refusal() {
    let stage = Stage::practice("en", 0);
    let home = tempfile::tempdir().unwrap();
    let sheet = root().join("bench/data/orders.csv");
    let fill = [exe().to_str().unwrap(), "fill", sheet.to_str().unwrap(), "--into", "Practice"].map(str::to_owned);
    // Ctrl-C at the question.
    let (code, shown) = on_a_terminal(&stage.display, home.path(), &fill, "\u{3}");
    assert_eq!(code, Some(4), "{shown}");
    // Another process stops it while the question is open: nobody has to answer any more.
    let deskhand = |args: &[&str]| {
        let output = command(&stage.display, home.path(), &exe(), args).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", told(&output)))
    };
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| on_a_terminal(&stage.display, home.path(), &fill, ""));
        let id = loop {
            let all = deskhand(&["tasks", "status", "--json"]);
            let job = &all["executions"][0];
            let events = job["folder"].as_str().map(|f| std::fs::read_to_string(Path::new(f).join("events.jsonl")));
            if job["state"] == "running" && events.is_some_and(|e| e.is_ok_and(|e| e.contains("\"question\""))) {
                break job["execution"].as_str().unwrap().to_owned();
            }
        };
        assert_eq!(deskhand(&["tasks", "stop", &id, "--json"])["state"], "stopped");
        let (code, shown) = asked.join().unwrap();
        assert_eq!(code, Some(4), "{shown}");
    });
    // Ctrl-C right after the beginning.
    let mut child =
        command(&stage.display, home.path(), &exe(), &["fill", sheet.to_str().unwrap(), "--approve", "always"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    within(20, "a worker", || deskhand(&["tasks", "status", "--json"])["executions"][0]["state"] == "running");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(crate::support::records(&stage.log).is_empty());
}

#[test]
fn a_task_that_would_ask_in_vain_is_not_started_in_the_background() {
    let stage = Stage::practice("en", 0);
    let home = tempfile::tempdir().unwrap();
    let sheet = format!("sheet={}", root().join("bench/data/orders.csv").display());
    let args = ["tasks", "run", "fill", &sheet, "into=Practice", "--background"];
    let output = command(&stage.display, home.path(), &exe(), &args).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert!(text(&output.stdout).contains("--approve always"), "{}", told(&output));
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_refused_with_a_sentence_and_never_a_crash() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let user = User::new();
    let folder = tempfile::tempdir().unwrap();
    let _practice = user.display.practice("en", 0, &folder.path().join("log"));
    let odd = folder.path().join(OsStr::from_bytes(b"odd\xff"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::copy(root().join("bench/data/orders.csv"), odd.join("orders.csv")).unwrap();
    let sheet = odd.join("orders.csv");
    for (args, from) in [
        (vec![OsStr::new("fill"), sheet.as_os_str(), OsStr::new("--dry-run")], folder.path()),
        (vec![OsStr::new("fill"), OsStr::new("orders.csv"), OsStr::new("--dry-run")], odd.as_path()),
        (vec![OsStr::new("run"), OsStr::new("Click Save"), OsStr::new("--run-dir"), OsStr::new("run")], odd.as_path()),
    ] {
        let output = user.command(&[]).args(&args).current_dir(from).output().unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}: {}", told(&output));
        assert!(text(&output.stderr).contains("not valid UTF-8"), "{args:?}: {}", told(&output));
    }
}
