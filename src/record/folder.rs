//! Where a run's folder lies, and the files in it that processes tell each other things with.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::RecordError;
use super::atomic::{self, Published};
use super::places::default_runs_dir;

const REQUEST: &str = "request.json";
const STATUS: &str = "status.json";
const EVENTS: &str = "events.jsonl";
const RESULT: &str = "result.json";
const STOP: &str = "stop.requested";

/// The folder of one execution. Several processes may have it open: every file in it is replaced as a whole, appended
/// to by whole lines, or written once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionFolder {
    path: PathBuf,
}

impl ExecutionFolder {
    /// Creates the folder and gives the execution its id: time, `kind` and six random hexadecimal digits. `chosen` is
    /// the folder itself when given (it must be empty or new), else a new one named like the id is made under
    /// [`default_runs_dir`].
    ///
    /// # Errors
    /// When there is no place for it or it cannot be written.
    pub fn create(chosen: Option<&Path>, kind: &str) -> Result<(Self, String), RecordError> {
        let id = format!("{}-{kind}-{}", jiff::Zoned::now().strftime("%Y%m%d-%H%M%S"), random_digits());
        let path = match chosen {
            Some(path) => {
                // Other processes have other working directories.
                let path = &std::path::absolute(path).map_err(|e| RecordError::write(path, e))?;
                named_in_words(path)?;
                let used = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
                if used {
                    return Err(RecordError::Write { path: path.into(), reason: "it is not empty".into() });
                }
                fs::create_dir_all(path).map_err(|e| RecordError::write(path, e))?;
                path.clone()
            }
            None => {
                let runs = default_runs_dir().ok_or(RecordError::NoPlace)?;
                named_in_words(&runs)?;
                fs::create_dir_all(&runs).map_err(|e| RecordError::write(&runs, e))?;
                let path = runs.join(&id);
                fs::create_dir(&path).map_err(|e| RecordError::write(&path, e))?;
                path
            }
        };
        Ok((ExecutionFolder { path }, id))
    }

    /// A folder that another process has created.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        ExecutionFolder { path: path.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what is asked for.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_request(&self, request: &impl Serialize) -> Result<(), RecordError> {
        atomic::replace(&self.path.join(REQUEST), &self.pretty(REQUEST, request)?)
    }

    /// Reads what is asked for.
    ///
    /// # Errors
    /// When it is missing or not understood.
    pub fn request<T: DeserializeOwned>(&self) -> Result<T, RecordError> {
        self.read(REQUEST)
    }

    /// Says how far the execution is. Readers see the whole file or the one before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn publish_status(&self, status: &impl Serialize) -> Result<(), RecordError> {
        atomic::replace(&self.path.join(STATUS), &self.pretty(STATUS, status)?)
    }

    /// How far the execution says it is; `None` when it has not said anything yet.
    pub fn status<T: DeserializeOwned>(&self) -> Option<T> {
        self.read(STATUS).ok()
    }

    /// Publishes the result, once for all: the first one stays, whoever comes later.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn publish_result(&self, result: &impl Serialize) -> Result<Published, RecordError> {
        atomic::publish(&self.path.join(RESULT), &self.pretty(RESULT, result)?)
    }

    /// The published result; `None` before.
    pub fn result<T: DeserializeOwned>(&self) -> Option<T> {
        self.read(RESULT).ok()
    }

    /// Asks the execution to stop.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn request_stop(&self) -> Result<(), RecordError> {
        atomic::replace(&self.path.join(STOP), super::now().as_bytes())
    }

    pub fn stop_requested(&self) -> bool {
        self.path.join(STOP).exists()
    }

    /// Appends one event. Several processes may do so: a line is one write to the end of the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append_event(&self, event: &impl Serialize) -> Result<(), RecordError> {
        let path = self.path.join(EVENTS);
        let mut line = serde_json::to_vec(event).map_err(|e| RecordError::write(&path, e))?;
        line.push(b'\n');
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(&line)).map_err(|e| RecordError::write(&path, e))
    }

    /// The whole lines of the event file from byte `offset` on, and where to go on reading.
    ///
    /// # Errors
    /// When it cannot be read; a file that is not there yet is empty.
    pub fn events_from(&self, offset: u64) -> Result<(Vec<String>, u64), RecordError> {
        let path = self.path.join(EVENTS);
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|mut file| {
            file.seek(SeekFrom::Start(offset))?;
            file.read_to_end(&mut bytes)
        });
        match read {
            Ok(_) => {}
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok((Vec::new(), offset)),
            Err(e) => return Err(RecordError::read(&path, e)),
        }
        // A line that is being written has no end yet; it is read the next time.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let text = String::from_utf8_lossy(bytes.get(..whole).unwrap_or_default()).into_owned();
        Ok((text.lines().map(str::to_owned).collect(), offset + whole as u64))
    }

    /// A file for what a process says on its standard error while nobody watches.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn error_output(&self) -> Result<File, RecordError> {
        let path = self.path.join("stderr.txt");
        File::create(&path).map_err(|e| RecordError::write(&path, e))
    }

    /// Writes a report file into the folder; returns its path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn report(&self, name: &str, content: &[u8]) -> Result<PathBuf, RecordError> {
        let path = self.path.join(name);
        atomic::replace(&path, content)?;
        Ok(path)
    }

    fn pretty(&self, name: &str, content: &impl Serialize) -> Result<Vec<u8>, RecordError> {
        serde_json::to_vec_pretty(content).map_err(|e| RecordError::write(&self.path.join(name), e))
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, RecordError> {
        let path = self.path.join(name);
        let bytes = fs::read(&path).map_err(|e| RecordError::read(&path, e))?;
        serde_json::from_slice(&bytes).map_err(|e| RecordError::read(&path, e))
    }
}

/// The name of a run's folder stands in the index and in files of text.
fn named_in_words(path: &Path) -> Result<(), RecordError> {
    match path.to_str() {
        Some(_) => Ok(()),
        None => Err(RecordError::write(path, "its name is not valid UTF-8")),
    }
}

/// The folders of finished runs under `runs` whose result is at least so old. Links are not followed.
///
/// # Errors
/// When `runs` cannot be read; a folder that is not there has no runs.
pub fn finished_runs(runs: &Path, age: Duration) -> Result<Vec<PathBuf>, RecordError> {
    let entries = match fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(RecordError::read(runs, e)),
    };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut found: Vec<PathBuf> = folders.map(|entry| entry.path()).filter(|path| is_finished(path, age)).collect();
    found.sort();
    Ok(found)
}

/// Deletes the folder of a finished run, and nothing that is not one.
///
/// # Errors
/// When it is not one, or cannot be deleted.
pub fn delete_run(path: &Path) -> Result<(), RecordError> {
    if !is_finished(path, Duration::ZERO) {
        return Err(RecordError::write(path, "it is not the folder of a finished run"));
    }
    fs::remove_dir_all(path).map_err(|e| RecordError::write(path, e))
}

fn is_finished(path: &Path, age: Duration) -> bool {
    let ended = fs::metadata(path.join(RESULT)).and_then(|result| result.modified());
    // A clock that was set back makes results of the future; those are not old.
    let old = ended.is_ok_and(|ended| age.is_zero() || ended.elapsed().is_ok_and(|since| since >= age));
    old && ours(path)
}

/// Whether both files speak of the execution that the folder is named after. Folders that only look like a run's, and
/// those that the user has renamed, are the user's.
fn ours(path: &Path) -> bool {
    let id_in = |name: &str| {
        let file: Value = serde_json::from_slice(&fs::read(path.join(name)).ok()?).ok()?;
        file["protocol"].as_u64()?;
        file["execution"].as_str().map(str::to_owned)
    };
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some() && id_in(REQUEST).as_deref() == name && id_in(RESULT).as_deref() == name
}

/// Six hexadecimal digits that no other execution of this second has.
fn random_digits() -> String {
    let mut bytes = [0u8; 3];
    // Without the system's random numbers the process and the time tell executions apart well enough.
    if getrandom::fill(&mut bytes).is_err() {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mixed = since.subsec_nanos() ^ std::process::id().rotate_left(8);
        bytes.copy_from_slice(mixed.to_le_bytes().get(..3).unwrap_or(&[0; 3]));
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folder() -> (tempfile::TempDir, ExecutionFolder) {
        let dir = tempfile::tempdir().unwrap();
        let (folder, _) = ExecutionFolder::create(Some(&dir.path().join("运行 1")), "run").unwrap();
        (dir, folder)
    }

    #[test]
    fn a_used_folder_is_refused_so_that_no_older_run_is_overwritten() {
        let (_dir, folder) = folder();
        folder.write_request(&json!({})).unwrap();
        let error = ExecutionFolder::create(Some(folder.path()), "run").unwrap_err();
        assert!(error.to_string().contains("not empty"), "{error}");
    }

    #[test]
    fn a_final_result_never_changes_whatever_arrives_late() {
        let (_dir, folder) = folder();
        assert_eq!(folder.publish_result(&json!({"state": "completed"})).unwrap(), Published::First);
        assert_eq!(folder.publish_result(&json!({"state": "stopped"})).unwrap(), Published::TooLate);
        assert_eq!(folder.result::<Value>().unwrap()["state"], "completed");
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(names.iter().all(|n| !n.to_string_lossy().contains("partial")), "{names:?}");
    }

    #[test]
    fn of_many_that_publish_at_once_exactly_one_is_first() {
        let (_dir, folder) = folder();
        let wins: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16)
                .map(|n| {
                    let folder = folder.clone();
                    scope.spawn(move || folder.publish_result(&json!({"by": n})).unwrap() == Published::First)
                })
                .collect();
            threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
        });
        assert_eq!(wins, 1);
    }

    #[test]
    fn a_reader_that_polls_hard_never_sees_half_a_result() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        use std::time::Instant;
        let dir = tempfile::tempdir().unwrap();
        let folders: Vec<ExecutionFolder> =
            (0..40).map(|n| ExecutionFolder::create(Some(&dir.path().join(n.to_string())), "run").unwrap().0).collect();
        let long = "长".repeat(200_000);
        let (current, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for (n, folder) in folders.iter().enumerate() {
                    current.store(n, Ordering::SeqCst);
                    folder.publish_result(&json!({"text": long})).unwrap();
                    // The reader has it before the next one is written.
                    let (before, until) = (seen.load(Ordering::SeqCst), Instant::now() + Duration::from_secs(60));
                    while seen.load(Ordering::SeqCst) < before + 2 {
                        assert!(Instant::now() < until, "nobody reads any more");
                        std::thread::yield_now();
                    }
                }
            });
            while !writer.is_finished() {
                match folders[current.load(Ordering::SeqCst)].read::<Value>(RESULT) {
                    Ok(value) => {
                        assert_eq!(value["text"].as_str().unwrap().len(), long.len());
                        seen.fetch_add(1, Ordering::SeqCst);
                    }
                    Err(RecordError::Read { reason, .. }) => assert!(reason.contains("os error"), "half: {reason}"),
                    Err(other) => panic!("{other}"),
                }
            }
        });
        assert!(seen.load(Ordering::SeqCst) >= 80);
    }

    #[test]
    fn only_folders_of_finished_runs_are_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let make = |name: &str| ExecutionFolder::create(Some(&dir.path().join(name)), "run").unwrap().0;
        let (finished, running) = (make("完成"), make("running"));
        fs::create_dir(dir.path().join("the user's own")).unwrap();
        let file = |name: &str| json!({"protocol": 1, "execution": name});
        finished.write_request(&file("完成")).unwrap();
        running.write_request(&file("running")).unwrap();
        finished.publish_result(&file("完成")).unwrap();
        // These only look like runs: files of something else, and a run that the user gave another name.
        for (name, request) in [("thesis", json!({})), ("kept", file("other"))] {
            let folder = make(name);
            folder.write_request(&request).unwrap();
            folder.publish_result(&request).unwrap();
            assert!(delete_run(folder.path()).is_err(), "{name}");
        }
        assert_eq!(finished_runs(dir.path(), Duration::from_secs(3600)).unwrap(), Vec::<PathBuf>::new());
        assert_eq!(finished_runs(dir.path(), Duration::ZERO).unwrap(), [finished.path()]);
        assert!(delete_run(running.path()).is_err());
        assert!(delete_run(&dir.path().join("the user's own")).is_err());
        delete_run(finished.path()).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4);
    }

    #[test]
    fn events_are_read_by_whole_lines_from_where_one_left_off() {
        let (_dir, folder) = folder();
        assert_eq!(folder.events_from(0).unwrap(), (vec![], 0));
        folder.append_event(&json!({"n": 1})).unwrap();
        let (lines, offset) = folder.events_from(0).unwrap();
        assert_eq!(lines, [r#"{"n":1}"#]);
        let mut file = OpenOptions::new().append(true).open(folder.path().join(EVENTS)).unwrap();
        file.write_all(b"{\"n\":2").unwrap();
        assert_eq!(folder.events_from(offset).unwrap(), (vec![], offset));
        file.write_all(b"}\n").unwrap();
        assert_eq!(folder.events_from(offset).unwrap().0, [r#"{"n":2}"#]);
    }
}
