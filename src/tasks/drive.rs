//! One worker from its start to a final state: hearing it, answering it, stopping it, and judging its silence.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::desktop::StopSignal;
use crate::policy::Asker;
use crate::record::ExecutionFolder;

use super::protocol::{Event, Line, Order, PROTOCOL, Request};
use super::spawn::{self, TiedChild};
use super::store::StoreError;
use super::supervisor::{HANDSHAKE, SupervisorError, guard_of};
use super::{ProcessId, State, TaskResult, clear_tree};

/// What is said of an execution whose processes had to be ended.
pub(super) const STOPPED_BY_FORCE: &str = "stopped; its processes had to be ended";

/// What a worker is driven with.
pub(super) struct Drive<'a> {
    pub request: &'a Request,
    pub folder: &'a ExecutionFolder,
    pub asker: Option<Box<dyn Asker>>,
    pub stop: &'a StopSignal,
}

/// How far the worker has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Started,
    Handshake,
    Running,
    Ended,
}

const POLL: Duration = Duration::from_millis(50);
/// How long a stopped worker may take to end by itself, and how long after it was told by a signal.
pub(super) const POLITE: Duration = Duration::from_secs(5);
pub(super) const FIRM: Duration = Duration::from_secs(2);
/// A worker that has told its result ends within this time.
const GOODBYE: Duration = Duration::from_secs(5);
/// Lines of a worker are short; what is longer is not one of them.
const LONGEST_LINE: u64 = 64 << 20;

/// Starts the worker and hears it until it has ended; returns the published result.
pub(super) fn drive(
    command: Command,
    mut with: Drive<'_>,
    on_worker: &dyn Fn(ProcessId) -> Result<(), StoreError>,
    listen: &mut dyn FnMut(&Event),
) -> Result<TaskResult, SupervisorError> {
    let started = Instant::now();
    let mut worker = Worker::start(command, &with.request.execution)?;
    on_worker(worker.id)?;
    let mut phase = Phase::Started;
    let mut trouble: Option<String> = None;
    let mut stopping = Stopping::default();
    let mut dead = false;
    let mut said = None;
    loop {
        match worker.events.recv_timeout(POLL) {
            Ok(Event::Handshake { version, worker: id }) => {
                phase = phase.max(Phase::Handshake);
                if version == env!("CARGO_PKG_VERSION") {
                    listen(&Event::Handshake { version, worker: id });
                    worker.say(&Order::Begin);
                } else {
                    trouble = Some(format!("Deskhand was replaced by version {version} while it ran; start it again"));
                    break;
                }
            }
            Ok(Event::Question { question }) => {
                listen(&Event::Question { question: question.clone() });
                // Whoever thinks about it need not, when the worker is dead or told to stop.
                let (id, folder) = (worker.id, with.folder);
                let wanted = || id.is_alive() && !folder.stop_requested();
                let answer = with.asker.as_mut().and_then(|asker| asker.ask(&question, &wanted));
                // Whoever stops at a question has not answered it; the worker hears of the stop.
                if !with.stop.is_set() && !with.folder.stop_requested() {
                    worker.say(&Order::Answer { answer });
                    listen(&Event::Answered { answer });
                }
            }
            Ok(Event::Ended { result }) => {
                // What counts is the published result, which is told at the end by this process.
                said = Some(result);
                phase = Phase::Ended;
                break;
            }
            Ok(
                event @ (Event::Queued { .. }
                | Event::Progress { .. }
                | Event::Answered { .. }
                | Event::Stopping { .. }),
            ) => {
                listen(&event);
            }
            Ok(Event::Running) => {
                phase = Phase::Running;
                listen(&Event::Running);
            }
            // Its children may hold its output open: then there is no end to be heard, and it is dead all the same.
            Err(RecvTimeoutError::Timeout) if dead => break,
            Err(RecvTimeoutError::Timeout) => dead = !matches!(worker.child.child.try_wait(), Ok(None)),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if phase < Phase::Running && started.elapsed() > HANDSHAKE {
            trouble = Some(format!("the worker did not begin within {} s", HANDSHAKE.as_secs()));
            break;
        }
        if !stopping.go_on(&with, &worker, listen) {
            break;
        }
    }
    let ending = worker.end(phase, &with.request.execution, with.folder);
    let result = with.folder.result::<TaskResult>();
    let result = match result {
        Some(result) => result,
        None => {
            let stopped = stopping.asked.is_some() || with.folder.stop_requested();
            let (state, message) = if stopped {
                (State::Stopped, STOPPED_BY_FORCE.to_owned())
            } else {
                (State::Failed, trouble.unwrap_or_else(|| silence(phase, &ending)))
            };
            let result = TaskResult {
                seconds: started.elapsed().as_secs_f64(),
                ..TaskResult::new(&with.request.task, &with.request.execution, state, message)
            };
            match with.folder.publish_result(&result) {
                Ok(_) => with.folder.result().unwrap_or(result),
                // The folder is gone, or the disk is full: then the worker's word is all there is.
                Err(_) => said.unwrap_or(result),
            }
        }
    };
    listen(&Event::Ended { result: result.clone() });
    Ok(result)
}

/// A worker that ended without a result, in words.
fn silence(phase: Phase, ending: &str) -> String {
    let when = match phase {
        Phase::Started => "before it had said anything",
        Phase::Handshake => "before it had begun",
        Phase::Running => "in the middle of its work",
        Phase::Ended => "before it had published its result",
    };
    format!("the worker ended {when} ({ending})")
}

/// How far a stop has gone.
#[derive(Default)]
struct Stopping {
    asked: Option<Instant>,
    signalled: Option<Instant>,
}

impl Stopping {
    /// Begins a stop when one is wanted and makes it firmer with time. False when nothing but force is left.
    fn go_on(&mut self, with: &Drive<'_>, worker: &Worker, listen: &mut dyn FnMut(&Event)) -> bool {
        match (self.asked, self.signalled) {
            (None, _) => {
                if with.stop.is_set() {
                    self.asked = Some(Instant::now());
                    // When the file cannot be written, the signal and the force remain.
                    if with.folder.request_stop().is_err() {
                        worker.id.ask_to_end();
                    }
                    listen(&Event::Stopping { how: "asked".into() });
                }
                true
            }
            (Some(asked), None) => {
                if asked.elapsed() >= POLITE {
                    self.signalled = Some(Instant::now());
                    worker.id.ask_to_end();
                    listen(&Event::Stopping { how: "signal".into() });
                }
                true
            }
            (Some(_), Some(signalled)) => {
                let patient = signalled.elapsed() < FIRM;
                if !patient {
                    listen(&Event::Stopping { how: "killed".into() });
                }
                patient
            }
        }
    }
}

/// A running worker with its two pipes.
struct Worker {
    id: ProcessId,
    child: TiedChild,
    orders: Option<ChildStdin>,
    events: Receiver<Event>,
}

impl Worker {
    fn start(command: Command, execution: &str) -> std::io::Result<Worker> {
        let mut child = spawn::tied(command, execution)?;
        let id = ProcessId::started(child.child.id());
        let orders = child.child.stdin.take();
        let (send, events) = channel();
        if let Some(out) = child.child.stdout.take() {
            std::thread::spawn(move || {
                let mut out = BufReader::new(out);
                let mut line = Vec::new();
                while matches!((&mut out).take(LONGEST_LINE).read_until(b'\n', &mut line), Ok(length) if length > 0) {
                    // Libraries may print; what is not a line of the protocol is nobody's business.
                    let heard = serde_json::from_slice::<Line>(&line).ok().filter(|line| line.protocol == PROTOCOL);
                    line.clear();
                    if heard.is_some_and(|line| send.send(line.event).is_err()) {
                        break;
                    }
                }
            });
        }
        Ok(Worker { id, child, orders, events })
    }

    fn say(&mut self, order: &Order) {
        let Ok(mut line) = serde_json::to_vec(order) else { return };
        line.push(b'\n');
        if let Some(orders) = &mut self.orders {
            // A worker that is gone is noticed by the end of its output.
            let _ = orders.write_all(&line).and_then(|()| orders.flush());
        }
    }

    /// Sees to it that the worker and all that it started are gone; says how it ended.
    fn end(mut self, phase: Phase, execution: &str, folder: &ExecutionFolder) -> String {
        let patience = if phase == Phase::Ended { GOODBYE } else { Duration::from_millis(200) };
        let deadline = Instant::now() + patience;
        let mut ending = None;
        while ending.is_none() && Instant::now() < deadline {
            ending = self.child.child.try_wait().ok().flatten();
            if ending.is_none() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        let guard = guard_of(folder);
        clear_tree(self.id, execution, guard);
        drop(self.orders.take());
        // Killed or ended: either way it is waited for, so that no zombie stays.
        let _ = self.child.child.kill();
        let status = self.child.child.wait();
        // Whoever begins next must not have its keys released by the guard of the one before.
        let deadline = Instant::now() + Duration::from_secs(2);
        while guard.is_some_and(ProcessId::is_alive) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        match status {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }
}
