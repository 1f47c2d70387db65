//! The supervisor: checks what is asked for, starts the worker, hears it, and makes sure that it ends in a final state.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::desktop::StopSignal;
use crate::policy::{Action, ApproveMode, Asker, Origin, Policy, Refusal, Risk, RulesError, Target};
use crate::record::{ExecutionFolder, Published, RecordError, default_runs_dir};
use crate::scene::ToolCall;

use super::drive::{self, Drive, FIRM, POLITE};
use super::protocol::{Event, Line, PROTOCOL, Request, Status};
use super::spawn::{self, Launcher};
use super::store::{Job, Store, StoreError};
use super::{Door, Ended, Needs, Pace, ProcessId, State, TaskRegistry, TaskResult, TaskSpec, clear_tree};

/// Why an execution could not be supervised.
#[derive(Debug, thiserror::Error)]
pub enum SupervisorError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error("Deskhand could not start itself again as a worker: {0}")]
    Start(#[from] std::io::Error),
    #[error("{0} does not wait to be begun")]
    NotWaiting(String),
    #[error("no place for jobs and settings was found (the user has no home folder); set HOME or XDG_STATE_HOME")]
    NoPlace,
}

/// Parameters that a task does not take.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongParameters(String);

type Result<T> = std::result::Result<T, SupervisorError>;

/// What somebody wants to be done.
#[derive(Debug, Clone)]
pub struct Wish {
    pub task: String,
    /// With `confirmed` among them when the caller confirms a destructive task.
    pub parameters: Map<String, Value>,
    pub door: Door,
    pub origin: Origin,
    pub approve: ApproveMode,
    /// The execution's folder; `None` for a new one in the usual place.
    pub run_dir: Option<PathBuf>,
}

/// Starts executions of one installation and knows about all of them.
pub struct Supervisor<'a> {
    registry: &'a TaskRegistry,
    state: PathBuf,
    store: Store,
    launcher: Launcher,
    caller: String,
    /// Begun with the first execution; who only asks has none.
    session: Option<i64>,
    classify: fn(&anyhow::Error) -> Ended,
}

/// How long a worker may take from its start until it runs: from a slow stick, under a virus scanner.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(90);
const POLL: Duration = Duration::from_millis(20);

impl<'a> Supervisor<'a> {
    /// A supervisor of the installation whose state folder is given. What an earlier process left unfinished is put in
    /// order: living workers are found again, dead ones are failed.
    ///
    /// # Errors
    /// When the state folder does not work.
    pub fn open(
        registry: &'a TaskRegistry,
        state: PathBuf,
        launcher: Launcher,
        caller: &str,
        classify: fn(&anyhow::Error) -> Ended,
    ) -> Result<Self> {
        let store = Store::open(&state)?;
        let caller = caller.to_owned();
        let supervisor = Supervisor { registry, state, store, launcher, caller, session: None, classify };
        for job in supervisor.store.unfinished()? {
            supervisor.settle(job)?;
        }
        Ok(supervisor)
    }

    /// Remembered approvals and everything else that is asked of the index alone.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Runs a task and waits for its end. `listen` hears everything that happens.
    ///
    /// # Errors
    /// When it could not be supervised. What went wrong in the task is in the result.
    pub fn run(
        &mut self,
        wish: Wish,
        asker: Option<Box<dyn Asker>>,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&Event),
    ) -> Result<TaskResult> {
        let admitted = match self.admit(wish, asker, Pace::Waited, stop)? {
            Ok(admitted) => admitted,
            Err(result) => return Ok(*result),
        };
        let Admitted { request, folder, asker } = admitted;
        listen(&Event::Queued { task: request.task.clone(), execution: request.execution.clone() });
        self.drive(&request, &folder, asker, stop, Stdio::inherit(), listen)
    }

    /// Starts a task in the background. The result is `running` only after the worker itself has said so and is alive.
    ///
    /// # Errors
    /// When it could not be supervised. What went wrong in the task is in the result.
    pub fn start(&mut self, wish: Wish, asker: Option<Box<dyn Asker>>, stop: &StopSignal) -> Result<TaskResult> {
        let admitted = match self.admit(wish, asker, Pace::Background, stop)? {
            Ok(admitted) => admitted,
            Err(result) => return Ok(*result),
        };
        let Admitted { request, folder, .. } = admitted;
        let id = &request.execution;
        let mut command = self.launcher.command()?;
        command.arg("keep").arg(folder.path()).arg(&self.state).stderr(Stdio::from(folder.error_output()?));
        let mut keeper = spawn::detached(command)?;
        self.store.set_keeper(id, ProcessId::started(keeper.id()))?;
        let deadline = Instant::now() + HANDSHAKE + FIRM;
        loop {
            // A final result counts before all else: the work may be over already.
            if let Some(result) = folder.result::<TaskResult>() {
                self.store.finish(id, result.state, &result.message)?;
                return Ok(result);
            }
            if let Some(status) = folder.status::<Status>().filter(|status| status.worker.is_alive()) {
                return Ok(self.running(&request.task, id, &folder, Some(&status)));
            }
            if stop.is_set() {
                return self.stop(id);
            }
            let ended = !matches!(keeper.try_wait(), Ok(None));
            if ended || Instant::now() >= deadline {
                let _ = keeper.kill();
                let _ = keeper.wait();
                let job = self.store.job(id)?;
                return match job {
                    Some(job) => self.settle(job),
                    None => Ok(not_found(id)),
                };
            }
            std::thread::sleep(POLL);
        }
    }

    /// Runs what another process has admitted, as the parent of its worker (`deskhand keep`).
    ///
    /// # Errors
    /// When it could not be supervised.
    pub fn keep(&mut self, folder: &Path) -> Result<TaskResult> {
        let folder = ExecutionFolder::at(folder);
        let request: Request = folder.request()?;
        let waiting = self.store.job(&request.execution)?.is_some_and(|job| job.worker.is_none());
        if !waiting || folder.result::<Value>().is_some() {
            return Err(SupervisorError::NotWaiting(request.execution));
        }
        self.store.set_keeper(&request.execution, ProcessId::own())?;
        let stderr = folder.error_output()?;
        self.drive(&request, &folder, None, &StopSignal::new(), Stdio::from(stderr), &mut |_| {})
    }

    /// How an execution stands. Needs no lock.
    ///
    /// # Errors
    /// When the state folder does not work.
    pub fn status(&self, id: &str) -> Result<TaskResult> {
        match self.find(id)? {
            Some(job) => self.settle(job),
            None => Ok(not_found(id)),
        }
    }

    /// The newest executions.
    ///
    /// # Errors
    /// When the state folder does not work.
    pub fn recent(&self, most: usize) -> Result<Vec<Job>> {
        for job in self.store.unfinished()? {
            self.settle(job)?;
        }
        Ok(self.store.jobs(most)?)
    }

    /// The folder of an execution.
    ///
    /// # Errors
    /// When the state folder does not work.
    pub fn folder(&self, id: &str) -> Result<Option<ExecutionFolder>> {
        Ok(self.find(id)?.map(|job| ExecutionFolder::at(job.folder)))
    }

    /// Ends an execution: asks by a file, then by a signal, then ends its processes. One that has ended stays as it is.
    ///
    /// # Errors
    /// When the state folder does not work.
    pub fn stop(&self, id: &str) -> Result<TaskResult> {
        let Some(job) = self.find(id)? else { return Ok(not_found(id)) };
        let now = self.settle(job.clone())?;
        if now.state.is_final() {
            return Ok(now);
        }
        let folder = ExecutionFolder::at(&job.folder);
        // Where nothing can be written (a full disk, a folder that is gone), the signal and the force remain.
        let mut pressed = folder.request_stop().is_err();
        if let (true, Some(worker)) = (pressed, job.worker) {
            worker.ask_to_end();
        }
        let tell = |how: &str| drop(folder.append_event(&Line::now(Event::Stopping { how: how.into() })));
        tell("asked");
        let asked = Instant::now();
        loop {
            let job = self.find(id)?.unwrap_or_else(|| job.clone());
            let now = self.settle_as(job.clone(), State::Stopped)?;
            if now.state.is_final() {
                see_off(&job, &folder);
                return Ok(now);
            }
            if asked.elapsed() >= POLITE && !pressed {
                pressed = true;
                tell("signal");
                if let Some(worker) = job.worker {
                    worker.ask_to_end();
                }
            }
            if asked.elapsed() >= POLITE + FIRM {
                tell("killed");
                if let Some(worker) = job.worker {
                    clear_tree(worker, id, guard_of(&folder));
                }
                return Ok(self.conclude(&job, State::Stopped, drive::STOPPED_BY_FORCE));
            }
            std::thread::sleep(POLL);
        }
    }

    /// A job by the index or, when that has lost it, by its folder in the usual place.
    fn find(&self, id: &str) -> Result<Option<Job>> {
        if let Some(job) = self.store.job(id)? {
            return Ok(Some(job));
        }
        let known = default_runs_dir().map(|runs| ExecutionFolder::at(runs.join(id)));
        let Some(folder) = known.filter(|_| !id.is_empty() && !id.contains(['/', '\\'])) else { return Ok(None) };
        let Ok(request) = folder.request::<Request>() else { return Ok(None) };
        let worker = folder.status::<Status>().map(|status| status.worker);
        // Its keeper is unknown; the worker ends with it, and counts.
        let keeper = worker.unwrap_or(ProcessId { pid: 0, born: 0 });
        let job = Job {
            id: request.execution,
            task: request.task,
            folder: folder.path().to_owned(),
            background: request.background,
            state: State::Running,
            message: String::new(),
            keeper,
            worker,
            created: request.created,
            ended: None,
        };
        Ok((job.id == id).then_some(job))
    }

    /// Publishes the end of an execution that cannot do so itself, as far as anything can be written.
    fn conclude(&self, job: &Job, state: State, message: &str) -> TaskResult {
        let folder = ExecutionFolder::at(&job.folder);
        let result = TaskResult::new(&job.task, &job.id, state, message);
        if matches!(folder.publish_result(&result), Ok(Published::First)) {
            let _ = folder.append_event(&Line::now(Event::Ended { result: result.clone() }));
        }
        let result = folder.result().unwrap_or(result);
        // What the index does not know now, it learns the next time.
        let _ = self.store.finish(&job.id, result.state, &result.message);
        result
    }

    /// Everything that is checked before an execution gets its id and its folder.
    fn admit(
        &mut self,
        mut wish: Wish,
        asker: Option<Box<dyn Asker>>,
        pace: Pace,
        stop: &StopSignal,
    ) -> Result<std::result::Result<Admitted, Box<TaskResult>>> {
        let answer = |state, message: String| Ok(Err(Box::new(TaskResult::new(&wish.task, "", state, message))));
        let task = match self.registry.find(&wish.task, wish.door) {
            Ok(task) => task,
            Err(message) => return answer(State::NotFound, message),
        };
        let spec = task.spec();
        let confirmed = wish.parameters.shift_remove("confirmed");
        let confirmed = matches!(confirmed, Some(Value::Bool(true)));
        let faults = spec.parameters.faults(&wish.parameters);
        let told = |error: anyhow::Error| {
            let Ended { state, message, data } = (self.classify)(&error);
            Ok(Err(Box::new(TaskResult { data, ..TaskResult::new(spec.name, "", state, message) })))
        };
        if !faults.is_empty() {
            return told(WrongParameters(format!("{}: {}", spec.name, faults.join("; "))).into());
        }
        if pace == Pace::Background && spec.pace == Pace::Waited {
            return told(WrongParameters(format!("{} cannot be run in the background", spec.name)).into());
        }
        if pace == Pace::Background && spec.needs == Needs::Screen && self.would_ask_in_vain(wish.approve)? {
            let message = format!(
                "in the background nobody can be asked, and {} asks; add --approve always, or run it in the foreground",
                spec.name
            );
            return answer(State::Rejected, message);
        }
        if spec.risk >= Risk::Destructive && !confirmed {
            return answer(State::Rejected, super::needs_confirmation(spec.name));
        }
        let ready = task.ready(&mut wish.parameters).and_then(|()| task.target(&wish.parameters));
        let target = match ready {
            Ok(target) => target,
            Err(error) => return told(error),
        };
        // The asker answers this question and is needed again by the worker's.
        let (approved, asker_again) = self.approve(spec, target, &wish, asker)?;
        let approved = match approved {
            _ if stop.is_set() => return answer(State::Stopped, "stopped before it began".into()),
            Ok(approved) => approved,
            Err(refusal) => return answer(State::Rejected, refusal.to_string()),
        };
        let (folder, id) = ExecutionFolder::create(wish.run_dir.as_deref(), spec.name)?;
        let request = Request {
            protocol: PROTOCOL,
            execution: id.clone(),
            task: spec.name.into(),
            parameters: wish.parameters,
            confirmed,
            approved,
            origin: wish.origin,
            approve: wish.approve,
            can_ask: pace == Pace::Waited && asker_again.is_some(),
            background: pace == Pace::Background,
            created: crate::record::now(),
        };
        folder.write_request(&request)?;
        let job = Job {
            id: id.clone(),
            task: request.task.clone(),
            folder: folder.path().to_owned(),
            background: request.background,
            state: State::Running,
            message: String::new(),
            keeper: ProcessId::own(),
            worker: None,
            created: request.created.clone(),
            ended: None,
        };
        // An entry whose process is dead is no hindrance.
        for job in self.store.unfinished()? {
            self.settle(job)?;
        }
        let session = match self.session {
            Some(session) => session,
            None => *self.session.insert(self.store.begin_session(&self.caller)?),
        };
        if let Some(first) = self.store.enter(&job, session)? {
            let message = format!(
                "{} ({}) runs in the background already; wait for it, or end it with: deskhand tasks stop {}",
                first.id, first.task, first.id
            );
            let data = json!({"running": first.id});
            let result = TaskResult { data, ..TaskResult::new(spec.name, &id, State::Rejected, message) };
            folder.publish_result(&result)?;
            let ended = Some(crate::record::now());
            let refused = Job { state: State::Rejected, message: result.message.clone(), ended, ..job };
            self.store.enter(&refused, session)?;
            return Ok(Err(Box::new(result)));
        }
        folder.append_event(&Line::now(Event::Queued { task: request.task.clone(), execution: id }))?;
        Ok(Ok(Admitted { request, folder, asker: asker_again }))
    }

    /// Whether questions of a task in the background could only be answered with no: it asks, and no answer is remembered.
    fn would_ask_in_vain(&self, mode: ApproveMode) -> Result<bool> {
        Ok(match mode {
            ApproveMode::Always | ApproveMode::Never => false,
            ApproveMode::Each => true,
            ApproveMode::Ask => self.store.approvals()?.is_empty(),
        })
    }

    /// Whether the start may happen, by policy; gives the asker back.
    #[expect(clippy::type_complexity, reason = "an answer and what was lent for it")]
    fn approve(
        &self,
        spec: &TaskSpec,
        target: Target,
        wish: &Wish,
        asker: Option<Box<dyn Asker>>,
    ) -> Result<(std::result::Result<String, Refusal>, Option<Box<dyn Asker>>)> {
        let action = Action {
            call: ToolCall { tool: spec.name.into(), arguments: wish.parameters.clone() },
            target,
            origin: wish.origin.clone(),
            declared: Some(spec.risk),
        };
        let mut policy = Policy::new(wish.approve, super::user_rules(&self.state)?, asker, None);
        let answer = policy.review(action).map(|approved| approved.how().to_owned());
        Ok((answer, policy.into_asker()))
    }

    fn drive(
        &self,
        request: &Request,
        folder: &ExecutionFolder,
        asker: Option<Box<dyn Asker>>,
        stop: &StopSignal,
        stderr: Stdio,
        listen: &mut dyn FnMut(&Event),
    ) -> Result<TaskResult> {
        let mut command = self.launcher.command()?;
        command.arg("worker").arg(folder.path()).arg(&self.state).stderr(stderr);
        let on_worker = |worker| self.store.set_worker(&request.execution, worker);
        let mut hear = |event: &Event| {
            // Whoever watches by the file misses a line when the disk is full; the work goes on.
            let _ = folder.append_event(&Line::now(event.clone()));
            listen(event);
        };
        let drive = Drive { request, folder, asker, stop };
        let result = drive::drive(command, drive, &on_worker, &mut hear)?;
        self.store.finish(&request.execution, result.state, &result.message)?;
        Ok(result)
    }

    /// How a job really stands, whatever the index says: a result in its folder counts, then a living worker, then a
    /// keeper that is about to start one. What has none of them has failed.
    fn settle(&self, job: Job) -> Result<TaskResult> {
        let stopped = ExecutionFolder::at(&job.folder).stop_requested();
        self.settle_as(job, if stopped { State::Stopped } else { State::Failed })
    }

    /// As [`Supervisor::settle`]; what has died without a word ends as `died`.
    fn settle_as(&self, job: Job, died: State) -> Result<TaskResult> {
        let folder = ExecutionFolder::at(&job.folder);
        let published = folder.result::<TaskResult>();
        if job.state.is_final() {
            return Ok(published.unwrap_or_else(|| TaskResult::new(&job.task, &job.id, job.state, job.message)));
        }
        if let Some(result) = published {
            // What the index does not know now, it learns the next time.
            let _ = self.store.finish(&job.id, result.state, &result.message);
            return Ok(result);
        }
        if job.worker.is_some_and(ProcessId::is_alive) || job.keeper.is_alive() {
            return Ok(self.running(&job.task, &job.id, &folder, folder.status().as_ref()));
        }
        if let Some(worker) = job.worker {
            clear_tree(worker, &job.id, guard_of(&folder));
        }
        let message = match died {
            State::Stopped => drive::STOPPED_BY_FORCE,
            State::Running | State::Completed | State::Failed | State::Rejected | State::NotFound => {
                "its processes ended without a word: killed, crashed, or the power was cut"
            }
        };
        // The folder may be gone, with the stick or by the user's hand; then the index alone knows.
        Ok(self.conclude(&job, died, message))
    }

    fn running(&self, task: &str, id: &str, folder: &ExecutionFolder, status: Option<&Status>) -> TaskResult {
        let (phase, message) = match (folder.stop_requested(), status) {
            (true, _) => ("stopping", "is being stopped"),
            (false, Some(_)) => ("running", "runs"),
            (false, None) => ("handshake", "is being started"),
        };
        let data = json!({"phase": phase, "folder": folder.path().display().to_string(),
            "worker": status.map(|status| status.worker.pid), "since": status.map(|status| &status.since)});
        TaskResult { data, ..TaskResult::new(task, id, State::Running, message) }
    }
}

impl Drop for Supervisor<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session {
            // A session without an end is one that was killed, which is what then is true.
            let _ = self.store.end_session(session);
        }
    }
}

/// What passed every check.
struct Admitted {
    request: Request,
    folder: ExecutionFolder,
    asker: Option<Box<dyn Asker>>,
}

/// Waits until a worker that has published its result is gone, and ends it when it does not go.
fn see_off(job: &Job, folder: &ExecutionFolder) {
    let Some(worker) = job.worker else { return };
    let guard = guard_of(folder);
    let deadline = Instant::now() + FIRM;
    while Instant::now() < deadline && (worker.is_alive() || guard.is_some_and(ProcessId::is_alive)) {
        std::thread::sleep(POLL);
    }
    clear_tree(worker, &job.id, guard);
}

fn not_found(id: &str) -> TaskResult {
    let message = format!("there is no execution \"{id}\"; deskhand tasks status lists the last ones");
    TaskResult::new("", id, State::NotFound, message)
}

/// The guard of the execution in that folder.
pub(super) fn guard_of(folder: &ExecutionFolder) -> Option<ProcessId> {
    folder.status::<Status>().and_then(|status| status.guard)
}
