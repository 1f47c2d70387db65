//! Where a run's folder lies, and writing into it.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use image::RgbImage;
use serde::Serialize;

use super::Step;

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("the run folder {path} cannot be written: {reason}. Choose another with --run-dir")]
    Write { path: PathBuf, reason: String },
    #[error("no place for the run folder was found (HOME is not set); name one with --run-dir")]
    NoPlace,
}

/// An open run folder.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    log: File,
    steps: usize,
}

impl RunFolder {
    /// Creates the run's folder: `chosen` itself when given (it must be empty or new), else a new one named after
    /// the time and `kind` under [`default_runs_dir`].
    pub fn create(chosen: Option<&Path>, kind: &str, request: &impl Serialize) -> Result<Self, RecordError> {
        let path = match chosen {
            Some(path) => {
                let used = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
                if used {
                    return Err(RecordError::Write { path: path.into(), reason: "it is not empty".into() });
                }
                fs::create_dir_all(path).map_err(|e| cannot(path, e))?;
                path.to_path_buf()
            }
            None => new_folder(&default_runs_dir().ok_or(RecordError::NoPlace)?, kind)?,
        };
        let pictures = path.join("pictures");
        fs::create_dir_all(&pictures).map_err(|e| cannot(&pictures, e))?;
        let log_path = path.join("log.jsonl");
        let log = OpenOptions::new().create(true).append(true).open(&log_path).map_err(|e| cannot(&log_path, e))?;
        let folder = RunFolder { path, log, steps: 0 };
        folder.replace("request.json", request)?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number that the next step will get.
    pub fn next_step(&self) -> usize {
        self.steps + 1
    }

    /// Appends a step to the log; gives it its number and time.
    pub fn log(&mut self, mut step: Step) -> Result<(), RecordError> {
        self.steps += 1;
        step.step = self.steps;
        step.at = now();
        let path = self.path.join("log.jsonl");
        let mut line = serde_json::to_vec(&step).map_err(|e| cannot(&path, e))?;
        line.push(b'\n');
        self.log.write_all(&line).and_then(|()| self.log.flush()).map_err(|e| cannot(&path, e))
    }

    /// Saves a picture of the step that comes next; returns its path relative to the folder.
    pub fn picture(&self, moment: &str, image: &RgbImage) -> Result<String, RecordError> {
        let name = format!("pictures/{:04}-{moment}.png", self.next_step());
        let path = self.path.join(&name);
        image.save(&path).map_err(|e| cannot(&path, e))?;
        Ok(name)
    }

    /// Writes the run's result; readers see the whole file or none.
    pub fn finish(&self, result: &impl Serialize) -> Result<(), RecordError> {
        self.replace("result.json", result)
    }

    /// Writes a report file into the folder; returns its path.
    pub fn report(&self, name: &str, content: &[u8]) -> Result<PathBuf, RecordError> {
        let path = self.path.join(name);
        self.replace_bytes(name, content)?;
        Ok(path)
    }

    fn replace(&self, name: &str, content: &impl Serialize) -> Result<(), RecordError> {
        let text = serde_json::to_vec_pretty(content).map_err(|e| cannot(&self.path.join(name), e))?;
        self.replace_bytes(name, &text)
    }

    fn replace_bytes(&self, name: &str, content: &[u8]) -> Result<(), RecordError> {
        let path = self.path.join(name);
        let partial = self.path.join(format!(".{name}.partial"));
        File::create(&partial)
            .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&partial, &path))
            .map_err(|e| cannot(&path, e))
    }
}

/// Where run folders go when none is chosen: the portable folder `deskhand-data` beside the executable when it is
/// there and writable, else `Deskhand/runs` in the user's documents, else in the user's state folder.
pub fn default_runs_dir() -> Option<PathBuf> {
    if let Some(portable) = portable_folder() {
        return Some(portable.join("runs"));
    }
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    if let Some(documents) = home.as_ref().map(|home| home.join("Documents")).filter(|d| d.is_dir()) {
        return Some(documents.join("Deskhand").join("runs"));
    }
    let state = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|state| state.is_absolute())
        .or_else(|| home.map(|home| home.join(".local").join("state")))?;
    Some(state.join("Deskhand").join("runs"))
}

fn portable_folder() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.join("deskhand-data");
    let writable = fs::metadata(&folder).is_ok_and(|m| m.is_dir() && !m.permissions().readonly());
    writable.then_some(folder)
}

/// Makes a folder of its own for one run; two runs within a second get different ones.
fn new_folder(runs: &Path, kind: &str) -> Result<PathBuf, RecordError> {
    fs::create_dir_all(runs).map_err(|e| cannot(runs, e))?;
    let base = format!("{}-{kind}", jiff::Zoned::now().strftime("%Y%m%d-%H%M%S"));
    for n in 1..1000 {
        let name = if n == 1 { base.clone() } else { format!("{base}-{n}") };
        let path = runs.join(name);
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(cannot(&path, e)),
        }
    }
    Err(RecordError::Write { path: runs.join(base), reason: "too many runs in one second".into() })
}

fn now() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
}

fn cannot(path: &Path, reason: impl std::fmt::Display) -> RecordError {
    RecordError::Write { path: path.into(), reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_run_folder_holds_request_log_pictures_and_result() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("运行 1");
        let mut folder = RunFolder::create(Some(&path), "run", &json!({"sentence": "保存"})).unwrap();
        let picture = folder.picture("before", &RgbImage::new(4, 3)).unwrap();
        assert_eq!(picture, "pictures/0001-before.png");
        folder.log(Step { tool: "click".into(), before: Some(picture), ..Step::default() }).unwrap();
        folder.log(Step { tool: "done".into(), ..Step::default() }).unwrap();
        folder.finish(&json!({"state": "completed"})).unwrap();

        let log = fs::read_to_string(path.join("log.jsonl")).unwrap();
        let steps: Vec<serde_json::Value> = log.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[1]["step"], 2);
        assert!(path.join("pictures/0001-before.png").is_file());
        let names: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(names.iter().all(|n| !n.to_string_lossy().ends_with(".partial")), "{names:?}");
    }

    #[test]
    fn a_used_folder_is_refused_so_that_no_older_run_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        RunFolder::create(Some(dir.path()), "run", &json!({})).unwrap();
        let error = RunFolder::create(Some(dir.path()), "run", &json!({})).unwrap_err();
        assert!(error.to_string().contains("not empty"), "{error}");
    }

    #[test]
    fn two_runs_in_one_second_get_two_folders() {
        let dir = tempfile::tempdir().unwrap();
        let a = new_folder(dir.path(), "run").unwrap();
        let b = new_folder(dir.path(), "run").unwrap();
        assert_ne!(a, b);
    }
}
