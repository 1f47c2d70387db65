//! `deskhand tasks`: what can be started, what runs, and how it ended.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::builtin::{self, Mapping};
use crate::desktop::StopSignal;
use crate::policy::{ApproveMode, Origin, Risk};
use crate::record::ExecutionFolder;
use crate::tasks::{Door, Event, Job, Line, Needs, Pace, State, Supervisor, TaskRegistry, TaskResult, TaskSpec, Wish};

use super::{Exit, fill, progress, work};

/// Start tasks, also in the background, and see or stop what runs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  deskhand tasks list
  deskhand tasks run fill sheet=orders.csv into=Orders --approve always --background
  deskhand tasks status                              the last executions
  deskhand tasks events 20261130-101500-fill-3fa2c1 --follow
  deskhand tasks stop 20261130-101500-fill-3fa2c1
  deskhand tasks run clear_runs older_than_days=90 confirmed=true

One execution at a time uses the screen; one task at a time runs in the background. Status and stop always work.
Exit codes: 0 done (or running), 1 failed, 2 wrong usage or no such task or execution, 3 rejected, 4 stopped,
5 the machine is not ready.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the tasks and their parameters.
    List(ListArgs),
    /// Run a task, and wait for it unless it goes to the background.
    Run(RunArgs),
    /// Say how an execution stands; without an id, list the last ones.
    Status(StatusArgs),
    /// End an execution.
    Stop(StopArgs),
    /// Show what has happened to an execution.
    Events(EventsArgs),
    /// List the approvals that are remembered for a workflow, or forget them.
    Approvals(ApprovalsArgs),
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// The task's name, as listed.
    task: String,
    /// Parameters as NAME=VALUE; confirmed=true confirms a task that destroys something.
    #[arg(value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Return as soon as the task runs.
    #[arg(long)]
    background: bool,
    /// Who approves what cannot be undone.
    #[arg(long, value_enum, default_value_t = ApproveMode::Ask)]
    approve: ApproveMode,
    /// Folder for the files of this execution; it must be new or empty.
    #[arg(long, value_name = "DIR")]
    run_dir: Option<PathBuf>,
    /// Print JSON lines: the events, the result last.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct StatusArgs {
    /// The execution's id.
    id: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct StopArgs {
    /// The execution's id.
    id: String,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct EventsArgs {
    /// The execution's id.
    id: String,
    /// Go on until the execution has ended.
    #[arg(long)]
    follow: bool,
    /// Print JSON lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct ApprovalsArgs {
    /// Forget what is remembered for this workflow, or for all of them.
    #[arg(long, value_name = "WORKFLOW|all")]
    forget: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// How many executions a list shows.
const RECENT: usize = 20;
/// Between two looks at the events of a running execution.
const FOLLOW: Duration = Duration::from_millis(100);

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let registry = builtin::tasks()?;
    match args.command {
        Command::List(args) => list(&registry, &args),
        Command::Run(args) => start(&registry, args),
        Command::Status(args) => status(&work::supervisor(&registry, "command line")?, &args),
        Command::Stop(args) => {
            let supervisor = work::supervisor(&registry, "command line")?;
            let before = supervisor.status(&args.id)?;
            let result = supervisor.stop(&args.id)?;
            show(&result, args.json)?;
            // Stopping what is over changes nothing and says what it became.
            let stopped = result.state == State::Stopped || before.state.is_final();
            let known = result.state != State::NotFound;
            Ok(if known && stopped { Exit::Done } else { work::exit_code(&result) })
        }
        Command::Events(args) => events(&work::supervisor(&registry, "command line")?, &args),
        Command::Approvals(args) => approvals(&work::supervisor(&registry, "command line")?, &args),
    }
}

fn list(registry: &TaskRegistry, args: &ListArgs) -> anyhow::Result<Exit> {
    if args.json {
        let tasks: Vec<Value> = registry.offered().map(as_value).collect();
        progress::json_line(&json!({"tasks": tasks}))?;
        return Ok(Exit::Done);
    }
    for spec in registry.offered() {
        progress::line(&format!("{}: {}", spec.name, spec.title))?;
        progress::line(&format!("    parameters: {}", spec.parameters.in_words()))?;
        let mut notes = vec![format!("risk: {}", spec.risk.name())];
        if spec.needs == Needs::Screen {
            notes.push("uses the screen".into());
        }
        if spec.pace == Pace::Background {
            notes.push("can run in the background".into());
        }
        if spec.risk >= Risk::Destructive {
            notes.push("needs confirmed=true and your yes".into());
        }
        progress::line(&format!("    {}", notes.join("; ")))?;
    }
    Ok(Exit::Done)
}

fn as_value(spec: &TaskSpec) -> Value {
    json!({"name": spec.name, "title": spec.title, "parameters": spec.parameters.value(), "risk": spec.risk,
        "needs_screen": spec.needs == Needs::Screen, "background": spec.pace == Pace::Background,
        "destructive": spec.risk >= Risk::Destructive})
}

fn start(registry: &TaskRegistry, args: RunArgs) -> anyhow::Result<Exit> {
    let spec = registry.find(&args.task, Door::Listed).ok().map(|task| task.spec());
    let mut parameters = Map::new();
    for given in &args.parameters {
        let Some((name, value)) = given.split_once('=') else {
            progress::complain(&format!("\"{given}\" is not a parameter; write NAME=VALUE, for example: seconds=60"));
            return Ok(Exit::Usage);
        };
        let (name, value) = (name.trim(), typed(spec, name.trim(), value));
        if parameters.insert(name.to_owned(), value).is_some() {
            progress::complain(&format!("the parameter \"{name}\" is given twice"));
            return Ok(Exit::Usage);
        }
    }
    let wish = Wish {
        task: args.task,
        parameters,
        door: Door::Listed,
        origin: Origin::User,
        approve: args.approve,
        run_dir: args.run_dir,
    };
    if args.background {
        let mut supervisor = work::supervisor(registry, "command line")?;
        let stop = StopSignal::install_ctrl_c().context("the stop signal could not be set up")?;
        let result = supervisor.start(wish, work::asker(&stop), &stop)?;
        show(&result, args.json)?;
        return Ok(work::exit_code(&result));
    }
    let as_json = args.json;
    let outcome = work::carry_out(wish, &mut |event| {
        // A closed pipe does not stop the work.
        let _ = if as_json { told_as_json(event) } else { told(event) };
    })?;
    show(&outcome.result, as_json)?;
    Ok(work::exit_code(&outcome.result))
}

/// A parameter as the task wants it: numbers, yes and no, and lists are written as in JSON, everything else as it is.
fn typed(spec: Option<&TaskSpec>, name: &str, value: &str) -> Value {
    let text = || Value::String(value.to_owned());
    if name == "confirmed" {
        return serde_json::from_str(value).unwrap_or_else(|_| text());
    }
    let Some(spec) = spec else { return text() };
    let wanted = spec.parameters.value()["properties"][name]["type"].to_string();
    if wanted.contains("string") || wanted == "null" {
        return text();
    }
    serde_json::from_str(value).unwrap_or_else(|_| text())
}

fn told_as_json(event: &Event) -> std::io::Result<()> {
    match event {
        // It comes as the result.
        Event::Ended { .. } => Ok(()),
        event => progress::json_line(&json!(Line::now(event.clone()))),
    }
}

fn told(event: &Event) -> std::io::Result<()> {
    match event {
        Event::Queued { execution, .. } => progress::line(&format!("execution {execution}")),
        Event::Progress { kind, .. } => match kind.as_str() {
            "step" => {
                progress::step(false, event);
                Ok(())
            }
            "mapping" | "row" => fill::show(event, false),
            _ => progress::line(&in_words(event)),
        },
        Event::Stopping { how } => progress::line(&format!("stopping ({how})")),
        Event::Handshake { .. }
        | Event::Running
        | Event::Question { .. }
        | Event::Answered { .. }
        | Event::Ended { .. } => Ok(()),
    }
}

fn status(supervisor: &Supervisor<'_>, args: &StatusArgs) -> anyhow::Result<Exit> {
    if let Some(id) = &args.id {
        let result = supervisor.status(id)?;
        show(&result, args.json)?;
        return Ok(if result.state == State::NotFound { Exit::Usage } else { Exit::Done });
    }
    let jobs = supervisor.recent(RECENT)?;
    if args.json {
        let jobs: Vec<Value> = jobs.iter().map(job_as_value).collect();
        progress::json_line(&json!({"executions": jobs}))?;
        return Ok(Exit::Done);
    }
    if jobs.is_empty() {
        progress::line("nothing has been run yet")?;
    }
    for job in &jobs {
        let message = job.message.lines().next().unwrap_or_default();
        let place = if job.background { " in the background" } else { "" };
        progress::line(&format!("{}  {}{place}  {message}", job.id, job.state.name()))?;
    }
    Ok(Exit::Done)
}

fn job_as_value(job: &Job) -> Value {
    json!({"execution": job.id, "task": job.task, "state": job.state, "message": job.message, "folder": job.folder,
        "background": job.background, "created": job.created, "ended": job.ended})
}

fn events(supervisor: &Supervisor<'_>, args: &EventsArgs) -> anyhow::Result<Exit> {
    let Some(folder) = supervisor.folder(&args.id)? else {
        show(&supervisor.status(&args.id)?, args.json)?;
        return Ok(Exit::Usage);
    };
    let mut offset = 0;
    loop {
        // The state is asked for before the events are read: what comes later belongs to the next round.
        let over = !args.follow || supervisor.status(&args.id)?.state.is_final();
        offset = print_events(&folder, offset, args.json)?;
        if over {
            return Ok(Exit::Done);
        }
        std::thread::sleep(FOLLOW);
    }
}

fn print_events(folder: &ExecutionFolder, offset: u64, as_json: bool) -> anyhow::Result<u64> {
    let (lines, offset) = folder.events_from(offset)?;
    for line in lines {
        match serde_json::from_str::<Line>(&line) {
            Ok(line) if !as_json => progress::line(&format!("{}  {}", line.at, in_words(&line.event)))?,
            _ => progress::line(&line)?,
        }
    }
    Ok(offset)
}

fn in_words(event: &Event) -> String {
    match event {
        Event::Queued { task, execution } => format!("queued: {task}, {execution}"),
        Event::Handshake { version, worker } => format!("handshake: process {}, version {version}", worker.pid),
        Event::Running => "running".into(),
        Event::Progress { kind, data } => {
            let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
            let words = match serde_json::from_value::<Mapping>(data.clone()) {
                Ok(mapping) => {
                    format!("{} columns of {} rows into \"{}\"", mapping.columns.len(), mapping.rows, mapping.window)
                }
                Err(_) => match (data["row"].as_u64(), data["state"].as_str(), data["reason"].as_str()) {
                    (Some(row), Some(state), Some(reason)) => format!("{row} {state} ({})", first(reason)),
                    _ => data["message"].as_str().map_or_else(|| data.to_string(), first),
                },
            };
            format!("{kind}: {words}")
        }
        Event::Question { question } => format!("question: {}", question.text),
        Event::Answered { answer: Some(answer) } => format!("answered: {}", json!(answer)),
        Event::Answered { answer: None } => "answered: nobody answered in time".into(),
        Event::Stopping { how } => format!("stopping: {how}"),
        Event::Ended { result } => format!("{}: {}", result.state.name(), result.message),
    }
}

fn approvals(supervisor: &Supervisor<'_>, args: &ApprovalsArgs) -> anyhow::Result<Exit> {
    let store = supervisor.store();
    if let Some(workflow) = &args.forget {
        let only = (workflow != "all").then_some(workflow.as_str());
        let forgotten = store.forget(only)?;
        if args.json {
            progress::json_line(&json!({"forgotten": forgotten}))?;
        } else {
            progress::line(&format!("{forgotten} remembered approvals forgotten"))?;
        }
        return Ok(Exit::Done);
    }
    let approvals = store.approvals()?;
    if args.json {
        progress::json_line(&json!({"approvals": approvals}))?;
        return Ok(Exit::Done);
    }
    if approvals.is_empty() {
        progress::line("no approval is remembered")?;
    }
    for approval in approvals {
        progress::line(&format!("{}: {} (since {})", approval.workflow, approval.deed, approval.given))?;
    }
    Ok(Exit::Done)
}

fn show(result: &TaskResult, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        progress::json_line(&json!(result))?;
        return Ok(());
    }
    let id = if result.execution.is_empty() { String::new() } else { format!("{}  ", result.execution) };
    progress::line(&format!("{id}{}: {}", result.state.name(), result.message))?;
    if let Some(folder) = result.data["folder"].as_str() {
        progress::line(&format!("folder: {folder}"))?;
    }
    std::io::stdout().flush()?;
    Ok(())
}
