//! The supervisor against workers that die, say nothing, or leave children behind; each a real process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::*;
use crate::desktop::StopSignal;
use crate::policy::{ApproveMode, Origin, Risk, Target};
use crate::tools::Schema;

/// A task whose body is never reached here: the workers are shell scripts.
struct Nothing(TaskSpec);

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is wanted")]
struct NothingParameters {
    colour: Option<Colour>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
}

impl Nothing {
    fn boxed(name: &'static str, risk: Risk, exposure: Exposure) -> Box<dyn Task> {
        Box::new(Nothing(TaskSpec {
            name,
            title: "Nothing.",
            parameters: Schema::of::<NothingParameters>(name).unwrap(),
            needs: Needs::Nothing,
            pace: Pace::Background,
            risk,
            exposure,
        }))
    }
}

impl Task for Nothing {
    fn spec(&self) -> &TaskSpec {
        &self.0
    }

    fn ready(&self, _parameters: &mut Map<String, Value>) -> anyhow::Result<()> {
        Ok(())
    }

    fn target(&self, _parameters: &Map<String, Value>) -> anyhow::Result<Target> {
        Ok(Target::Nothing)
    }

    fn run(&self, _work: &mut Work) -> anyhow::Result<Ended> {
        anyhow::bail!("not here")
    }
}

fn registry() -> TaskRegistry {
    TaskRegistry::new(vec![
        Nothing::boxed("nothing", Risk::Observe, Exposure::Offered),
        Nothing::boxed("erase", Risk::Destructive, Exposure::Offered),
        Nothing::boxed("secret", Risk::Observe, Exposure::Internal),
    ])
}

fn classify(error: &anyhow::Error) -> Ended {
    let state = if error.is::<WrongParameters>() { State::Rejected } else { State::Failed };
    Ended { state, message: error.to_string(), data: Value::Null }
}

/// A place for one test: state folder, run folder, and a worker that is this shell script (`$1` is `worker`, `$2` the
/// execution's folder).
struct Stage {
    dir: tempfile::TempDir,
    registry: TaskRegistry,
}

impl Stage {
    fn new() -> Self {
        Stage { dir: tempfile::tempdir().unwrap(), registry: registry() }
    }

    fn state(&self) -> PathBuf {
        self.dir.path().join("状态")
    }

    fn supervisor(&self, script: &str) -> Supervisor<'_> {
        let path = self.dir.path().join("worker script.sh");
        std::fs::write(&path, script).unwrap();
        let launcher = Launcher::with(move || {
            let mut command = Command::new("sh");
            command.arg(&path);
            Ok(command)
        });
        Supervisor::open(&self.registry, self.state(), launcher, "test", classify).unwrap()
    }

    fn wish(&self, task: &str, parameters: Value) -> Wish {
        static COUNT: Mutex<u32> = Mutex::new(0);
        let mut count = COUNT.lock().unwrap();
        *count += 1;
        let Value::Object(parameters) = parameters else { panic!("an object") };
        Wish {
            task: task.into(),
            parameters,
            door: Door::Listed,
            origin: Origin::User,
            approve: ApproveMode::Ask,
            run_dir: Some(self.dir.path().join(format!("run {count}"))),
        }
    }

    fn run(&self, script: &str) -> (TaskResult, Vec<Event>) {
        let mut supervisor = self.supervisor(script);
        let mut events = Vec::new();
        let wish = self.wish("nothing", json!({}));
        let result = supervisor.run(wish, None, &StopSignal::new(), &mut |event| events.push(event.clone())).unwrap();
        assert_eq!(supervisor.status(&result.execution).unwrap(), result, "the index and the folder agree");
        (result, events)
    }
}

/// Lines that a worker prints; `PID` and `BORN` stand for its own.
fn says(event: &str) -> String {
    format!(r#"echo '{{"protocol":1,"at":"x",{event}}}'"#)
}

fn hello() -> String {
    let version = env!("CARGO_PKG_VERSION");
    says(&format!(r#""event":"handshake","version":"{version}","worker":{{"pid":1,"born":1}}"#))
}

/// How many living processes carry the execution's mark.
fn marked(execution: &str) -> usize {
    let mark = format!("{EXECUTION_VARIABLE}={execution}");
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let carries = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        ProcessId::of(*pid).is_some() && environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
    };
    pids.filter(carries).count()
}

#[test]
fn a_worker_that_dies_before_during_or_after_the_handshake_is_failed_and_its_children_are_gone() {
    let child = "setsid sleep 1000 & sleep 1000 &";
    for (script, words) in [
        (format!("{child}\nkill -9 $$"), "before it had said anything"),
        (format!("{child}\nexit 0"), "before it had said anything"),
        (format!("{child}\n{}\nkill -9 $$", hello()), "before it had begun"),
        (format!("{child}\n{}\nread begin\n{}\nkill -9 $$", hello(), says(r#""event":"running""#)), "in the middle"),
    ] {
        let (result, events) = Stage::new().run(&script);
        assert_eq!(result.state, State::Failed, "{result:?}");
        assert!(result.message.contains(words), "{script}: {}", result.message);
        assert_eq!(marked(&result.execution), 0, "{script}");
        assert!(matches!(events.last(), Some(Event::Ended { result: told }) if *told == result), "{events:?}");
    }
}

#[test]
fn a_worker_that_says_it_is_done_without_a_result_is_not_believed() {
    let ended = r#""event":"ended","result":{"protocol":1,"task":"nothing","execution":"x","state":"completed","message":"","seconds":0}"#;
    let (result, _) = Stage::new().run(&format!("{}\nread begin\n{}", hello(), says(ended)));
    assert_eq!(result.state, State::Failed, "{result:?}");
}

#[test]
fn noise_and_other_protocols_are_no_events() {
    let noise = "echo hello; echo '{\"protocol\":2,\"at\":\"x\",\"event\":\"running\"}'; printf '\\377\\n'";
    let (result, events) = Stage::new().run(&format!("{noise}\nkill -9 $$"));
    assert!(result.message.contains("before it had said anything"), "{result:?}");
    assert!(!events.contains(&Event::Running));
}

#[test]
fn a_worker_of_another_version_is_not_begun() {
    let other = says(r#""event":"handshake","version":"9.9.9","worker":{"pid":1,"born":1}"#);
    let (result, _) = Stage::new().run(&format!("{other}\nread begin\ntouch \"$2/began\"\nsleep 1000"));
    assert_eq!(result.state, State::Failed);
    assert!(result.message.contains("replaced by version 9.9.9"), "{}", result.message);
}

#[test]
fn a_stop_becomes_firmer_until_a_deaf_worker_is_gone() {
    let stage = Stage::new();
    let running = says(r#""event":"running""#);
    let script = format!("trap '' TERM INT\n{}\nread begin\n{running}\nsleep 1000 & wait; wait; wait", hello());
    let mut supervisor = stage.supervisor(&script);
    let stop = StopSignal::new();
    let mut events = Vec::new();
    let wish = stage.wish("nothing", json!({}));
    let result = supervisor.run(wish, None, &stop.clone(), &mut |event| {
        if *event == Event::Running {
            stop.set();
        }
        events.push(event.clone());
    });
    let result = result.unwrap();
    assert_eq!(result.state, State::Stopped, "{result:?}");
    let hows: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            Event::Stopping { how } => Some(how.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(hows, ["asked", "signal", "killed"]);
    assert_eq!(marked(&result.execution), 0);
}

#[test]
fn what_is_wrong_is_rejected_with_what_would_be_allowed_and_leaves_nothing_behind() {
    let stage = Stage::new();
    let mut supervisor = stage.supervisor("exit 1");
    let mut run = |task: &str, parameters: Value| {
        let wish = stage.wish(task, parameters);
        let folder = wish.run_dir.clone().unwrap();
        let result = supervisor.run(wish, None, &StopSignal::new(), &mut |_| {}).unwrap();
        assert!(!folder.exists(), "{result:?}");
        result
    };
    let wrong = run("nothing", json!({"colour": "blue"}));
    assert_eq!(wrong.state, State::Rejected);
    assert!(wrong.message.contains("red") && wrong.message.contains("green"), "{}", wrong.message);
    let unknown = run("nothing", json!({"color": "red"}));
    assert!(unknown.message.contains("allowed are: colour"), "{}", unknown.message);
    for spelling in ["secret", "Secret", " secret", "secret ", "nothing/../secret", "secret\0", "ｓｅｃｒｅｔ", ""]
    {
        let result = run(spelling, json!({}));
        assert_eq!(result.state, State::NotFound, "{spelling:?}");
        assert!(result.message.contains("the tasks are: nothing, erase"), "{}", result.message);
    }
    for confirmed in [json!({}), json!({"confirmed": false}), json!({"confirmed": "true"}), json!({"confirmed": 1})] {
        let result = run("erase", confirmed.clone());
        assert_eq!(result.state, State::Rejected, "{confirmed}");
        assert!(result.message.contains("confirmed=true"), "{}", result.message);
    }
    let alone = run("erase", json!({"confirmed": true}));
    assert_eq!(alone.state, State::Rejected);
    assert!(alone.message.contains("nobody was there"), "{}", alone.message);
}

#[test]
fn what_a_killed_supervisor_left_behind_is_failed_by_the_next_one() {
    let stage = Stage::new();
    let mut store = Store::open(&stage.state()).unwrap();
    let session = store.begin_session("test").unwrap();
    let dead = ProcessId { pid: u32::MAX - 1, born: 1 };
    let folder = stage.dir.path().join("run");
    std::fs::create_dir(&folder).unwrap();
    let job = Job {
        id: "left".into(),
        task: "nothing".into(),
        folder: folder.clone(),
        background: true,
        state: State::Running,
        message: String::new(),
        keeper: dead,
        worker: Some(dead),
        created: "2026-11-30".into(),
        ended: None,
    };
    store.enter(&job, session).unwrap();
    // One whose worker had time to publish its result, and one whose folder is gone.
    let finished = Job { id: "finished".into(), background: false, folder: stage.dir.path().join("b"), ..job.clone() };
    std::fs::create_dir(&finished.folder).unwrap();
    store.enter(&finished, session).unwrap();
    let result = TaskResult::new("nothing", "finished", State::Completed, "done");
    crate::record::ExecutionFolder::at(&finished.folder).publish_result(&result).unwrap();
    let gone = Job { id: "gone".into(), background: false, folder: stage.dir.path().join("c"), ..job };
    store.enter(&gone, session).unwrap();

    let supervisor = stage.supervisor("exit 1");
    assert_eq!(supervisor.status("left").unwrap().state, State::Failed);
    assert_eq!(supervisor.status("finished").unwrap(), result);
    assert_eq!(supervisor.status("gone").unwrap().state, State::Failed);
    assert_eq!(supervisor.status("never").unwrap().state, State::NotFound);
    assert_eq!(supervisor.stop("finished").unwrap(), result, "a late stop changes nothing");
    assert!(!Path::new(&folder).join("stop.requested").exists());
}

#[test]
fn a_policy_file_that_cannot_be_understood_lets_nothing_start() {
    let stage = Stage::new();
    let mut supervisor = stage.supervisor("exit 1");
    std::fs::write(stage.state().join("policy.toml"), "[[rule]]\nanwser = \"allow\"\n").unwrap();
    let error = supervisor.run(stage.wish("nothing", json!({})), None, &StopSignal::new(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, SupervisorError::Rules(_)), "{error}");
    assert!(error.to_string().contains("line 2"), "{error}");
    let refusing = "[[rule]]\ntool = [\"nothing\"]\nanswer = \"refuse\"\nreason = \"not here\"\n";
    std::fs::write(stage.state().join("policy.toml"), refusing).unwrap();
    let result = supervisor.run(stage.wish("nothing", json!({})), None, &StopSignal::new(), &mut |_| {}).unwrap();
    assert_eq!(result.state, State::Rejected);
    assert!(result.message.contains("not here"), "{}", result.message);
}

#[test]
fn a_start_in_the_background_is_reported_only_when_the_worker_runs() {
    let stage = Stage::new();
    // The keeper dies before its worker has said a word.
    let mut supervisor = stage.supervisor("exit 3");
    let started = Instant::now();
    let result = supervisor.start(stage.wish("nothing", json!({})), None, &StopSignal::new()).unwrap();
    assert_eq!(result.state, State::Failed, "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(30));
    // The dead one is no hindrance for the next.
    let again = supervisor.start(stage.wish("nothing", json!({})), None, &StopSignal::new()).unwrap();
    assert_eq!(again.state, State::Failed, "{again:?}");
}
