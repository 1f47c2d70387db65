//! Puts the rooms together: eyes, mind and hands from what is inside the executable.
//!
//! The command line and the window both start here, so that neither can do what the other cannot.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::desktop::{Desktop, DesktopError, StopSignal};
use crate::model::ChatModel;
use crate::model::local::LocalModel;
use crate::model::scripted::ScriptedModel;
use crate::payload::{self, Payload, PayloadBytes, PayloadError, RuntimeLibrary};
use crate::policy::Policy;
use crate::record::Diary;
use crate::scene::WindowId;
use crate::tasks::{Executor, StepReport, Store, Work, user_rules};
use crate::tools::{Registry, Workbench};
use crate::vision::Eyes;

/// Eyes from the payload; the runtime library stays loaded as long as they live.
pub struct LoadedEyes {
    pub eyes: Eyes,
    pub runtime: RuntimeLibrary,
}

/// Loads OCR, the element detector and the inference runtime from the payload.
pub fn eyes(payload: &Payload) -> anyhow::Result<LoadedEyes> {
    let runtime = payload::runtime_library(payload)?;
    let det = payload.get(payload::names::OCR_DET)?;
    let rec = payload.get(payload::names::OCR_REC)?;
    // Parts of an older executable have none: it sees by shapes alone.
    let detector = match payload.get(payload::names::DETECTOR_NEAR) {
        Ok(near) => Some((near, payload.get(payload::names::DETECTOR_FAR)?)),
        Err(PayloadError::Unknown { .. }) => None,
        Err(damaged) => return Err(damaged.into()),
    };
    let mut eyes = Eyes::load(runtime.path(), &det, &rec)?;
    if let Some((near, far)) = detector {
        eyes.add_detector(runtime.path(), &near, &far)?;
    }
    Ok(LoadedEyes { eyes, runtime })
}

/// Which model shall decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelChoice {
    /// The one inside the executable.
    Embedded,
    /// A GGUF file.
    File(PathBuf),
    /// A script of replies, for tests.
    Script(PathBuf),
}

impl ModelChoice {
    /// What `--model` means: nothing is the embedded one, `script:FILE` a script, anything else a GGUF file.
    pub fn parse(argument: Option<&str>) -> Self {
        match argument {
            None => ModelChoice::Embedded,
            Some(text) => match text.strip_prefix("script:") {
                Some(path) => ModelChoice::Script(path.into()),
                None => ModelChoice::File(text.into()),
            },
        }
    }
}

/// The bytes of a language model, from the payload or a file of its own, with a name for messages.
pub fn model_bytes(choice: Option<&Path>) -> anyhow::Result<(String, PayloadBytes)> {
    match choice {
        Some(path) => {
            let bytes = PayloadBytes::map_file(path)
                .with_context(|| format!("the model file {} cannot be read", path.display()))?;
            Ok((path.display().to_string(), bytes))
        }
        None => {
            let payload = Payload::open_self()?;
            Ok(("embedded".into(), payload.get(payload::names::LLM)?))
        }
    }
}

/// Loads the chosen model.
pub fn model(choice: &ModelChoice) -> anyhow::Result<Box<dyn ChatModel>> {
    let path = match choice {
        ModelChoice::Script(path) => return Ok(Box::new(ScriptedModel::from_file(path)?)),
        ModelChoice::File(path) => Some(path.as_path()),
        ModelChoice::Embedded => None,
    };
    let (name, bytes) = model_bytes(path)?;
    Ok(Box::new(LocalModel::load(&name, std::sync::Arc::new(bytes))?))
}

/// A program that was just started shows its window within this time.
const WINDOW_PATIENCE: Duration = Duration::from_secs(3);

/// The window that a command works on: the named one, else the topmost that is neither ours nor our terminal's. It is
/// waited for a little, because the program may just have been started.
///
/// # Errors
/// When none fits in time; the open ones are listed.
pub fn target(desktop: &mut Desktop, title: Option<&str>) -> Result<WindowId, DesktopError> {
    let started = Instant::now();
    loop {
        let found = match title {
            Some(title) => desktop.find_window(title).map(|window| window.id),
            None => desktop.topmost_foreign(&[]).and_then(|window| {
                let none = DesktopError::NoWindow { wanted: "any program".into(), open: "none".into() };
                window.map(|window| window.id).ok_or(none)
            }),
        };
        match found {
            Err(DesktopError::NoWindow { .. }) if started.elapsed() < WINDOW_PATIENCE => {
                std::thread::sleep(Duration::from_millis(100));
            }
            decided => return decided,
        }
    }
}

/// Everything a task on the screen needs.
pub struct Workplace {
    pub executor: Executor,
    pub model: Box<dyn ChatModel>,
    pub stop: StopSignal,
    /// Title of the target window.
    pub title: String,
    _runtime: RuntimeLibrary,
}

/// Opens hands first (a missing display is told at once), then eyes and mind, then the log. Every finished step is told
/// to whoever watches the work.
pub fn workplace(work: &mut Work, window: Option<&str>, choice: &ModelChoice) -> anyhow::Result<Workplace> {
    let rules = user_rules(&work.state)?;
    let memory = Store::open(&work.state)?;
    let mut desktop = Desktop::open()?.with_stop(work.stop.clone());
    if let Some(pipe) = work.take_guard() {
        desktop = desktop.guarded_by(pipe);
    }
    let window = target(&mut desktop, window)?;
    let title = desktop.window(window)?.title;
    let loaded = eyes(&Payload::open_self()?)?;
    let model = model(choice)?;
    let record = Diary::open(work.folder.clone())?;
    let bench = Workbench::new(desktop, loaded.eyes, window);
    let policy = Policy::new(work.approve, rules, work.take_asker(), Some(Box::new(memory)));
    let tell = work.teller();
    let listener = Box::new(move |step: &StepReport| tell("step", serde_json::json!(step)));
    let executor = Executor::new(bench, Registry::built_in()?, policy, record, listener);
    Ok(Workplace { executor, model, stop: work.stop.clone(), title, _runtime: loaded.runtime })
}
