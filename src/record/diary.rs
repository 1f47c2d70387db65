//! What an execution writes down while it works: the log of its steps and the pictures.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use image::RgbImage;

use super::{ExecutionFolder, RecordError, Step, now};

/// Pictures that may wait for being written; whoever brings more waits.
const WAITING: usize = 8;

/// The log and the pictures of one execution. Pictures are compressed beside the work, in order.
#[derive(Debug)]
pub struct Diary {
    folder: ExecutionFolder,
    log: File,
    steps: usize,
    pictures: Option<SyncSender<Job>>,
    writer: Option<JoinHandle<()>>,
}

enum Job {
    Picture(PathBuf, Arc<RgbImage>),
    /// Tell when everything before is written, and what went wrong since the last time.
    Flush(SyncSender<Option<RecordError>>),
}

impl Diary {
    /// Opens the log and makes room for pictures.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn open(folder: ExecutionFolder) -> Result<Self, RecordError> {
        let pictures = folder.path().join("pictures");
        fs::create_dir_all(&pictures).map_err(|e| RecordError::write(&pictures, e))?;
        let path = folder.path().join("log.jsonl");
        let log = OpenOptions::new().create(true).append(true).open(&path);
        let log = log.map_err(|e| RecordError::write(&path, e))?;
        let (send, receive) = sync_channel(WAITING);
        let writer = std::thread::Builder::new().name("pictures".into()).spawn(move || write_pictures(&receive));
        let writer = writer.map_err(|e| RecordError::write(folder.path(), e))?;
        Ok(Diary { folder, log, steps: 0, pictures: Some(send), writer: Some(writer) })
    }

    pub fn folder(&self) -> &ExecutionFolder {
        &self.folder
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The number that the next step will get.
    pub fn next_step(&self) -> usize {
        self.steps + 1
    }

    /// Appends a step to the log; gives it its number and time.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn log(&mut self, mut step: Step) -> Result<(), RecordError> {
        self.steps += 1;
        step.step = self.steps;
        step.at = now();
        let path = self.path().join("log.jsonl");
        let mut line = serde_json::to_vec(&step).map_err(|e| RecordError::write(&path, e))?;
        line.push(b'\n');
        self.log.write_all(&line).and_then(|()| self.log.flush()).map_err(|e| RecordError::write(&path, e))
    }

    /// Keeps a picture of the step that comes next; returns its path relative to the folder. [`Diary::flush`] says when
    /// it can be looked at.
    ///
    /// # Errors
    /// When pictures can no longer be written.
    pub fn picture(&self, moment: &str, image: &Arc<RgbImage>) -> Result<String, RecordError> {
        let name = format!("pictures/{:04}-{moment}.png", self.next_step());
        let path = self.path().join(&name);
        self.send(Job::Picture(path, image.clone()))?;
        Ok(name)
    }

    /// Waits until every picture is written.
    ///
    /// # Errors
    /// The first picture since the last flush that could not be written.
    pub fn flush(&self) -> Result<(), RecordError> {
        let (send, receive) = sync_channel(1);
        self.send(Job::Flush(send))?;
        match receive.recv() {
            Ok(None) => Ok(()),
            Ok(Some(error)) => Err(error),
            Err(_) => Err(self.gone()),
        }
    }

    fn send(&self, job: Job) -> Result<(), RecordError> {
        let sent = self.pictures.as_ref().map(|pictures| pictures.send(job));
        if matches!(sent, Some(Ok(()))) { Ok(()) } else { Err(self.gone()) }
    }

    fn gone(&self) -> RecordError {
        RecordError::write(&self.path().join("pictures"), "the thread that writes pictures has ended")
    }
}

impl Drop for Diary {
    fn drop(&mut self) {
        drop(self.pictures.take());
        if let Some(writer) = self.writer.take() {
            // Every picture that was kept is written before the execution ends.
            let _ = writer.join();
        }
    }
}

fn write_pictures(jobs: &Receiver<Job>) {
    let mut trouble = None;
    for job in jobs {
        match job {
            Job::Picture(path, image) => {
                if let Err(error) = image.save(&path) {
                    trouble.get_or_insert(RecordError::write(&path, error));
                }
            }
            Job::Flush(answer) => {
                // Nobody waits any more: then nobody wants to know.
                let _ = answer.send(trouble.take());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_folder_holds_log_and_pictures() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, _) = ExecutionFolder::create(Some(&dir.path().join("运行 1")), "run").unwrap();
        let path = folder.path().to_owned();
        let mut diary = Diary::open(folder).unwrap();
        let picture = diary.picture("before", &Arc::new(RgbImage::new(4, 3))).unwrap();
        assert_eq!(picture, "pictures/0001-before.png");
        diary.flush().unwrap();
        assert!(path.join(&picture).is_file());
        diary.log(Step { tool: "click".into(), before: Some(picture), ..Step::default() }).unwrap();
        diary.log(Step { tool: "done".into(), ..Step::default() }).unwrap();
        diary.picture("after", &Arc::new(RgbImage::new(4, 3))).unwrap();
        drop(diary);
        assert!(path.join("pictures/0003-after.png").is_file(), "nothing that was kept is lost at the end");
        let log = fs::read_to_string(path.join("log.jsonl")).unwrap();
        let steps: Vec<serde_json::Value> = log.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[1]["step"], 2);
    }

    #[test]
    fn a_picture_that_cannot_be_written_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, _) = ExecutionFolder::create(Some(&dir.path().join("run")), "run").unwrap();
        let diary = Diary::open(folder).unwrap();
        fs::remove_dir(diary.path().join("pictures")).unwrap();
        diary.picture("before", &Arc::new(RgbImage::new(4, 3))).unwrap();
        assert!(matches!(diary.flush(), Err(RecordError::Write { .. })));
        diary.flush().unwrap();
    }
}
