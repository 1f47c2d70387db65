//! The worker: a process of its own that carries out one execution and ends with whoever started it.

use std::io::{BufRead, Write};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::desktop::StopSignal;
use crate::policy::{Answer, ApproveMode, Asker, Origin, Question, Risk};
use crate::record::{ExecutionFolder, RecordError};

use super::protocol::{Event, Line, Order, PROTOCOL, Request, Status};
use super::spawn::{self, Launcher};
use super::store::{Store, StoreError};
use super::{AutomationLock, Door, Ended, LockError, Needs, Owner, ProcessId, State, Task, TaskRegistry, TaskResult};

/// Why a worker could not even read what it shall do.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the request speaks version {found} of the protocol, this Deskhand speaks {PROTOCOL}")]
    Protocol { found: u32 },
    #[error("{execution} is not waiting for a worker: {why}")]
    NotExpected { execution: String, why: &'static str },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the process that started this worker is gone")]
    Orphaned,
    #[error("the stop signal could not be set up: {0}")]
    Signal(std::io::Error),
}

/// What belongs to a worker besides its request.
pub struct Workplace<'a> {
    pub registry: &'a TaskRegistry,
    /// The installation's state folder: the lock lies there.
    pub state: PathBuf,
    /// Starts the guard.
    pub launcher: Launcher,
    /// How a task's error is told: its state, its words, what a program should know.
    pub classify: fn(&anyhow::Error) -> Ended,
}

/// What a task works with.
pub struct Work {
    pub parameters: Map<String, Value>,
    pub origin: Origin,
    pub approve: ApproveMode,
    /// Set when the execution shall end.
    pub stop: StopSignal,
    /// The installation's state folder.
    pub state: PathBuf,
    pub folder: ExecutionFolder,
    guard: Option<ChildStdin>,
    voice: Voice,
    asker: Option<PipeAsker>,
}

impl Work {
    /// Tells whoever watches about a step, a row or whatever else the task reports.
    pub fn tell(&self, kind: &str, data: Value) {
        self.voice.tell(Event::Progress { kind: kind.into(), data });
    }

    /// Something that reports like [`Work::tell`] and can be kept.
    pub fn teller(&self) -> impl Fn(&str, Value) + use<> {
        let voice = self.voice.clone();
        move |kind, data| voice.tell(Event::Progress { kind: kind.into(), data })
    }

    /// Whoever can answer questions; given out once.
    pub fn take_asker(&mut self) -> Option<Box<dyn Asker>> {
        self.asker.take().map(|asker| Box::new(asker) as Box<dyn Asker>)
    }

    /// The pipe to the process that lets go of keys and buttons when this one dies; given out once.
    pub fn take_guard(&mut self) -> Option<Box<dyn Write + Send>> {
        self.guard.take().map(|pipe| Box::new(pipe) as Box<dyn Write + Send>)
    }
}

/// Carries out the execution in `folder` and publishes its result. Standard input and output belong to the supervisor.
///
/// # Errors
/// When the request cannot be read or the supervisor is gone before the work has begun.
pub fn serve(folder: &Path, place: &Workplace<'_>) -> Result<TaskResult, WorkerError> {
    let started = Instant::now();
    let folder = ExecutionFolder::at(folder);
    let request: Request = folder.request()?;
    if request.protocol != PROTOCOL {
        return Err(WorkerError::Protocol { found: request.protocol });
    }
    expected(&request, &folder, &place.state)?;
    let stop = StopSignal::install_ctrl_c().map_err(WorkerError::Signal)?;
    let orphaned = Arc::new(AtomicBool::new(false));
    let (answers, begun) = listen(&stop, &orphaned, &folder, &request);
    let voice = Voice::default();
    voice.tell(Event::Handshake { version: env!("CARGO_PKG_VERSION").into(), worker: ProcessId::own() });
    begun.recv().map_err(|_| WorkerError::Orphaned)?;
    watch_stop_file(&stop, &folder);

    let ended = attempt(&request, &folder, place, &stop, &voice, answers);
    let ended = if orphaned.load(Ordering::SeqCst) { orphan() } else { ended };
    let result = TaskResult {
        seconds: started.elapsed().as_secs_f64(),
        data: ended.data,
        ..TaskResult::new(&request.task, &request.execution, ended.state, ended.message)
    };
    let published = folder.publish_result(&result);
    // Somebody may have published before (a stop that lost patience); then that counts.
    let result = folder.result().unwrap_or(result);
    voice.tell(Event::Ended { result: result.clone() });
    if orphaned.load(Ordering::SeqCst) {
        super::clear_tree(ProcessId::own(), &request.execution, None);
    }
    published?;
    Ok(result)
}

/// A worker serves an execution that this installation has admitted, once. Nobody starts work by putting a request into
/// some folder, and nothing is done twice.
fn expected(request: &Request, folder: &ExecutionFolder, state: &Path) -> Result<(), WorkerError> {
    let refuse = |why| Err(WorkerError::NotExpected { execution: request.execution.clone(), why });
    let Some(job) = Store::open(state)?.job(&request.execution)? else {
        return refuse("this installation knows nothing of it");
    };
    if job.folder != folder.path() || job.task != request.task {
        return refuse("it was admitted with another folder or task");
    }
    if job.state.is_final() || folder.result::<Value>().is_some() {
        return refuse("it is over");
    }
    if folder.status::<Status>().is_some() {
        return refuse("it has a worker");
    }
    Ok(())
}

/// Checks once more, takes the lock, says that it runs, and works.
fn attempt(
    request: &Request,
    folder: &ExecutionFolder,
    place: &Workplace<'_>,
    stop: &StopSignal,
    voice: &Voice,
    answers: Receiver<Option<Answer>>,
) -> Ended {
    let (task, parameters) = match check(request, place) {
        Ok(checked) => checked,
        Err(ended) => return ended,
    };
    let own = ProcessId::own();
    let owner = Owner {
        execution: request.execution.clone(),
        task: request.task.clone(),
        process: own,
        since: crate::record::now(),
    };
    let needs_screen = task.spec().needs == Needs::Screen;
    let lock = needs_screen.then(|| AutomationLock::take(&place.state, &owner)).transpose();
    let lock = match lock {
        Ok(lock) => lock,
        Err(error) => return locked_out(&error),
    };
    let mut parameters = parameters;
    if let Err(error) = task.ready(&mut parameters) {
        return (place.classify)(&error);
    }
    let guard = if needs_screen { spawn::guard(&place.launcher).map(Some) } else { Ok(None) };
    let mut guard = match guard {
        Ok(guard) => guard,
        Err(error) => return failed(format!("the process that guards keys and buttons cannot be started: {error}")),
    };
    let status = Status {
        protocol: PROTOCOL,
        execution: request.execution.clone(),
        worker: own,
        guard: guard.as_ref().and_then(|guard| ProcessId::of(guard.id())),
        since: crate::record::now(),
    };
    if let Err(error) = folder.publish_status(&status) {
        return failed(error.to_string());
    }
    voice.tell(Event::Running);
    let mut work = Work {
        parameters,
        origin: request.origin.clone(),
        approve: request.approve,
        stop: stop.clone(),
        state: place.state.clone(),
        folder: folder.clone(),
        guard: guard.as_mut().and_then(|guard| guard.stdin.take()),
        voice: voice.clone(),
        asker: request.can_ask.then(|| PipeAsker { voice: voice.clone(), answers, stop: stop.clone() }),
    };
    let done = std::panic::catch_unwind(AssertUnwindSafe(|| task.run(&mut work)));
    // The guard ends when the pipe does; with nothing held it has nothing to do.
    drop(work);
    if let Some(guard) = guard {
        spawn::end(guard, GUARD_PATIENCE);
    }
    drop(lock);
    match done {
        Ok(Ok(ended)) => ended,
        Ok(Err(error)) => {
            let ended = (place.classify)(&error);
            if stop.is_set() { stopped(ended.message) } else { ended }
        }
        Err(_) => failed("an internal error; its text is on the standard error".into()),
    }
}

/// What the supervisor has checked already, seen with the worker's own eyes.
fn check<'a>(request: &Request, place: &Workplace<'a>) -> Result<(&'a dyn Task, Map<String, Value>), Ended> {
    let rejected = |message: String| Ended { state: State::Rejected, message, data: Value::Null };
    let task = place.registry.find(&request.task, Door::OwnCommand).map_err(rejected)?;
    let faults = task.spec().parameters.faults(&request.parameters);
    if !faults.is_empty() {
        return Err(rejected(faults.join("; ")));
    }
    if task.spec().risk >= Risk::Destructive && !request.confirmed {
        return Err(rejected(super::needs_confirmation(&request.task)));
    }
    Ok((task, request.parameters.clone()))
}

fn locked_out(error: &LockError) -> Ended {
    match error {
        LockError::Held(owner) => {
            Ended { state: State::Rejected, message: error.to_string(), data: serde_json::json!({"holder": owner}) }
        }
        LockError::HeldBySomebody => Ended { state: State::Rejected, message: error.to_string(), data: Value::Null },
        LockError::Io { .. } => failed(error.to_string()),
    }
}

fn failed(message: String) -> Ended {
    Ended { state: State::Failed, message, data: Value::Null }
}

fn stopped(message: String) -> Ended {
    Ended { state: State::Stopped, message, data: Value::Null }
}

fn orphan() -> Ended {
    failed("the process that started it ended in the middle".into())
}

/// Writes lines for the supervisor.
#[derive(Clone, Default)]
struct Voice(Arc<Mutex<()>>);

impl Voice {
    fn tell(&self, event: Event) {
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(mut line) = serde_json::to_vec(&Line::now(event)) else { return };
        line.push(b'\n');
        let mut out = std::io::stdout().lock();
        // A supervisor that is gone is noticed by the end of the input.
        let _ = out.write_all(&line).and_then(|()| out.flush());
    }
}

/// A guard whose worker ends well has nothing to do.
const GUARD_PATIENCE: Duration = Duration::from_secs(2);

/// How long a question waits for its answer; a little longer than the supervisor's user may take.
const PATIENCE: Duration = Duration::from_secs(130);

/// Asks the user through the supervisor.
struct PipeAsker {
    voice: Voice,
    answers: Receiver<Option<Answer>>,
    stop: StopSignal,
}

impl Asker for PipeAsker {
    fn ask(&mut self, question: &Question, wanted: &dyn Fn() -> bool) -> Option<Answer> {
        while self.answers.try_recv().is_ok() {}
        self.voice.tell(Event::Question { question: question.clone() });
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && !self.stop.is_set() && wanted() {
            match self.answers.recv_timeout(Duration::from_millis(50)) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

/// How long a worker may take to end by itself when its supervisor is gone; the promise is two seconds.
const LAST_WORDS: Duration = Duration::from_millis(1200);

/// Hears the supervisor: answers to questions, the word to begin, and its end.
fn listen(
    stop: &StopSignal,
    orphaned: &Arc<AtomicBool>,
    folder: &ExecutionFolder,
    request: &Request,
) -> (Receiver<Option<Answer>>, Receiver<()>) {
    let (send_answer, answers) = channel();
    let (send_begin, begun): (Sender<()>, _) = channel();
    let (stop, orphaned, folder, request) = (stop.clone(), orphaned.clone(), folder.clone(), request.clone());
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            match serde_json::from_str(&line) {
                Ok(Order::Begin) => drop(send_begin.send(())),
                Ok(Order::Answer { answer }) => drop(send_answer.send(answer)),
                // From a supervisor of the same version nothing else comes.
                Err(_) => {}
            }
        }
        drop((send_begin, send_answer));
        orphaned.store(true, Ordering::SeqCst);
        stop.set();
        std::thread::sleep(LAST_WORDS);
        // Still here: the work does not listen. The guard lets go of what is held.
        let ended = orphan();
        let result = TaskResult::new(&request.task, &request.execution, ended.state, ended.message);
        let _ = folder.publish_result(&result);
        super::clear_tree(ProcessId::own(), &request.execution, None);
        std::process::exit(1);
    });
    (answers, begun)
}

/// Between two looks for the stop file.
const STOP_POLL: Duration = Duration::from_millis(50);

fn watch_stop_file(stop: &StopSignal, folder: &ExecutionFolder) {
    let (stop, folder) = (stop.clone(), folder.clone());
    std::thread::spawn(move || {
        while !folder.stop_requested() {
            std::thread::sleep(STOP_POLL);
        }
        stop.set();
    });
}
