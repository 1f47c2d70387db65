//! What a task is, and the registry of all of them: nothing that is not in it can be started, by any spelling.

use serde_json::{Map, Value};

use crate::policy::{Risk, Target};
use crate::tools::Schema;

use super::{State, Work};

/// Whether a task works on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Files and windows are looked at; nobody's mouse is moved.
    Nothing,
    /// A display and a window; it runs while it holds the automation lock.
    Screen,
}

/// Whether the caller must wait for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Waited,
    /// May be started in the background.
    Background,
}

/// Who may start a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// Whoever finds it in the list.
    Offered,
    /// Only the command of Deskhand that it belongs to. For everybody else it does not exist.
    Internal,
}

/// What the registry says about a task.
pub struct TaskSpec {
    pub name: &'static str,
    /// What it does, in one sentence.
    pub title: &'static str,
    pub parameters: Schema,
    pub needs: Needs,
    pub pace: Pace,
    /// A destructive one needs `confirmed=true` and the user's own word.
    pub risk: Risk,
    pub exposure: Exposure,
}

/// How a task ended, in its own words.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    pub state: State,
    pub message: String,
    pub data: Value,
}

/// A task: what it is, whether it can begin, and what it does.
pub trait Task: Sync {
    fn spec(&self) -> &TaskSpec;

    /// Whether it could begin now: the window is there, the file can be read. Asked by the supervisor before anything is
    /// written and again by the worker. May put what it found out into the parameters (the window's number in place of
    /// "the topmost one").
    ///
    /// # Errors
    /// What is missing, as a sentence.
    fn ready(&self, parameters: &mut Map<String, Value>) -> anyhow::Result<()>;

    /// What it goes to with these parameters, for policy and for the question to the user.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn target(&self, parameters: &Map<String, Value>) -> anyhow::Result<Target>;

    /// Does it, in the worker.
    ///
    /// # Errors
    /// What went wrong; the worker's caller turns it into a state.
    fn run(&self, work: &mut Work) -> anyhow::Result<Ended>;
}

/// All tasks that exist.
#[derive(Default)]
pub struct TaskRegistry {
    tasks: Vec<Box<dyn Task>>,
}

/// By which door a task is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The list of tasks: `deskhand tasks run`, a model, another agent.
    Listed,
    /// The command of Deskhand that the task belongs to.
    OwnCommand,
}

impl TaskRegistry {
    /// A registry of these tasks.
    pub fn new(tasks: Vec<Box<dyn Task>>) -> Self {
        TaskRegistry { tasks }
    }

    /// The tasks that can be started by everybody, in a fixed order.
    pub fn offered(&self) -> impl Iterator<Item = &TaskSpec> {
        self.tasks.iter().map(|task| task.spec()).filter(|spec| spec.exposure == Exposure::Offered)
    }

    /// The task of exactly that name, as far as it may be reached through that door.
    ///
    /// # Errors
    /// The sentence that lists what there is.
    pub fn find(&self, name: &str, door: Door) -> Result<&dyn Task, String> {
        let reachable = |spec: &TaskSpec| match door {
            Door::OwnCommand => true,
            Door::Listed => spec.exposure == Exposure::Offered,
        };
        let found = self.tasks.iter().find(|task| task.spec().name == name && reachable(task.spec()));
        found.map(AsRef::as_ref).ok_or_else(|| {
            let names: Vec<&str> = self.offered().map(|spec| spec.name).collect();
            format!("there is no task \"{name}\"; the tasks are: {}", names.join(", "))
        })
    }
}
