//! The inference runtime: loaded once per process from a path that is handed in, without telemetry.

use std::path::Path;
use std::sync::Mutex;

use ort::environment::Environment;
use ort::session::builder::GraphOptimizationLevel;
use ort::session::{Session, SessionInputValue};
use ort::value::{TensorRef, ValueRef};

use super::{Result, VisionError};

/// The process-wide environment; the runtime allows one, so a later path is ignored once this is set.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// Loads the runtime library at `path` (on Linux it may be `/proc/self/fd/N`) or returns the one already loaded.
fn environment(path: &Path) -> Result<Environment> {
    let mut slot = ENVIRONMENT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(environment) = slot.as_ref() {
        return Ok(environment.clone());
    }
    let runtime = |e: String| VisionError::Runtime(e);
    let builder = ort::init_from(path).map_err(|e| runtime(format!("{e}{}", missing_libraries())))?;
    let environment = builder.with_telemetry(false).build().map_err(|e| runtime(e.to_string()))?;
    *slot = Some(environment.clone());
    Ok(environment)
}

/// What the runtime library needs of Microsoft's Visual C++ runtime and this PC does not have, as the end of a message.
#[cfg(windows)]
fn missing_libraries() -> String {
    const NEEDED: [&str; 4] = ["msvcp140.dll", "msvcp140_1.dll", "vcruntime140.dll", "vcruntime140_1.dll"];
    let system = std::env::var_os("SystemRoot").map(|root| Path::new(&root).join("System32")).unwrap_or_default();
    let missing: Vec<&str> = NEEDED.into_iter().filter(|name| !system.join(name).exists()).collect();
    if missing.is_empty() {
        return String::new();
    }
    let missing = missing.join(", ");
    format!(". This PC lacks {missing}: install Microsoft's Visual C++ runtime (vc_redist.x64.exe)")
}

#[cfg(not(windows))]
fn missing_libraries() -> String {
    String::new()
}

/// Forbids the runtime library to keep a telemetry database in the user's cache folder and to send it anywhere. The
/// library of version 1.31 does so on Linux whatever the environment's own switch says; this variable stops it.
///
/// To be called first thing in a process, before any thread is started.
pub fn forbid_telemetry() {
    // SAFETY: `set_var` races only with other threads that read the environment; the caller starts none before.
    unsafe { std::env::set_var("ORT_DISABLE_TELEMETRY", "1") };
}

/// A network that takes and gives tensors of floats.
pub(super) struct Network {
    name: &'static str,
    session: Session,
}

impl Network {
    /// Builds the network `name` from the bytes of its ONNX file; the bytes are not needed afterwards.
    pub(super) fn load(runtime: &Path, name: &'static str, onnx: &[u8]) -> Result<Network> {
        let environment = environment(runtime)?;
        let session =
            build(&environment, onnx).map_err(|e| VisionError::Network { name, reason: first_line(&e.to_string()) })?;
        Ok(Network { name, session })
    }

    /// The text stored under `key` in the network's metadata.
    pub(super) fn metadata(&self, key: &str) -> Result<String> {
        self.session
            .metadata()
            .ok()
            .and_then(|m| m.custom(key))
            .ok_or_else(|| VisionError::Network { name: self.name, reason: format!("its metadata has no `{key}`") })
    }

    /// Runs the network that takes and gives one tensor on `data` of `shape` and hands the output to `read`.
    pub(super) fn run<T>(
        &mut self,
        shape: [usize; 4],
        data: &[f32],
        read: impl FnOnce(&[i64], &[f32]) -> Result<T>,
    ) -> Result<T> {
        self.run_all(&[(shape, data)], |outputs| match outputs {
            [(shape, values), ..] => read(shape, values),
            [] => Err(VisionError::Run("the network gave no output".into())),
        })
    }

    /// Runs the network on all its inputs, in its order, and hands all outputs, shape and values of each, to `read`.
    pub(super) fn run_all<T>(
        &mut self,
        inputs: &[([usize; 4], &[f32])],
        read: impl FnOnce(&[(&[i64], &[f32])]) -> Result<T>,
    ) -> Result<T> {
        let failed = |e: ort::Error| VisionError::Run(first_line(&e.to_string()));
        let mut values: Vec<SessionInputValue> = Vec::new();
        for (shape, data) in inputs {
            values.push(TensorRef::from_array_view((*shape, *data)).map_err(failed)?.into());
        }
        let outputs = self.session.run(values.as_slice()).map_err(failed)?;
        let values: Vec<ValueRef> = outputs.values().collect();
        let mut tensors: Vec<(&[i64], &[f32])> = Vec::new();
        for value in &values {
            let (shape, values) = value.try_extract_tensor::<f32>().map_err(failed)?;
            tensors.push((shape, values));
        }
        read(&tensors)
    }
}

/// How many networks work side by side: a network computes for about a third less on one processor than on two, where
/// it waits for itself after each layer.
pub(super) fn at_once() -> usize {
    processors().min(2)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get()).min(8)
}

/// Threads without spinning: between two pictures the machine belongs to the program that is being operated.
fn build(environment: &Environment, onnx: &[u8]) -> ort::Result<Session> {
    let mut builder = Session::builder(environment)?
        .with_optimization_level(GraphOptimizationLevel::Level3)?
        .with_intra_threads(processors() / at_once())?
        .with_intra_op_spinning(false)?
        .with_inter_threads(1)?
        .with_memory_pattern(false)?;
    builder.commit_from_memory(onnx)
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
