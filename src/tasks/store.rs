//! Sessions, jobs and remembered approvals, in SQLite in the state folder.
//!
//! An execution's folder is the truth about it; this is the index by which it is found again after a restart.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::policy::Memory;

use super::{ProcessId, State};

/// Why the database could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "the database of jobs {path} cannot be used: {reason}. It lies in the user's state folder; a folder deskhand-data \
         beside the executable is used instead where there is one", path = path.display()
    )]
    Use { path: PathBuf, reason: String },
    #[error("the database of jobs {path} was made by a newer Deskhand (version {found}); use that one, or another state folder", path = path.display())]
    Newer { path: PathBuf, found: i64 },
}

/// The layout below; a file of a higher one is refused, one of a lower one will be migrated.
const LAYOUT: i64 = 1;

const TABLES: &str = "
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    caller TEXT NOT NULL,
    pid INTEGER NOT NULL,
    born INTEGER NOT NULL,
    started TEXT NOT NULL,
    ended TEXT
);
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    session INTEGER REFERENCES sessions(id),
    task TEXT NOT NULL,
    folder TEXT NOT NULL,
    background INTEGER NOT NULL,
    state TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    keeper_pid INTEGER NOT NULL,
    keeper_born INTEGER NOT NULL,
    worker_pid INTEGER,
    worker_born INTEGER,
    created TEXT NOT NULL,
    ended TEXT
);
CREATE INDEX jobs_by_state ON jobs(state);
CREATE TABLE approvals (
    workflow TEXT NOT NULL,
    deed TEXT NOT NULL,
    given TEXT NOT NULL,
    PRIMARY KEY (workflow, deed)
);";

/// One execution in the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: String,
    pub task: String,
    pub folder: PathBuf,
    pub background: bool,
    pub state: State,
    pub message: String,
    /// The process that started the worker, or is about to.
    pub keeper: ProcessId,
    pub worker: Option<ProcessId>,
    pub created: String,
    pub ended: Option<String>,
}

/// An approval that the user asked to be remembered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Approval {
    pub workflow: String,
    pub deed: String,
    pub given: String,
}

/// The open database. Several processes may have it open.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// How long one process waits for another one's write.
const PATIENCE: Duration = Duration::from_secs(10);

impl Store {
    /// Opens the database in the state folder and makes both when they are missing.
    ///
    /// # Errors
    /// When the folder cannot be written, or the file is damaged or too new.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("jobs.db");
        let fault = |reason: String| StoreError::Use { path: path.clone(), reason };
        std::fs::create_dir_all(folder).map_err(|e| fault(e.to_string()))?;
        let mut connection = Connection::open(&path).map_err(|e| fault(e.to_string()))?;
        let layout = prepare(&mut connection).map_err(|e| fault(e.to_string()))?;
        if layout > LAYOUT {
            return Err(StoreError::Newer { path, found: layout });
        }
        Ok(Store { connection, path })
    }

    /// Begins a session of this process; returns its number.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn begin_session(&self, caller: &str) -> Result<i64, StoreError> {
        let own = ProcessId::own();
        let done = self.connection.execute(
            "INSERT INTO sessions (caller, pid, born, started) VALUES (?1, ?2, ?3, ?4)",
            params![caller, own.pid, signed(own.born), crate::record::now()],
        );
        done.map_err(|e| self.fault(&e))?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn end_session(&self, id: i64) -> Result<(), StoreError> {
        self.change("UPDATE sessions SET ended = ?2 WHERE id = ?1", params![id, crate::record::now()])?;
        Ok(())
    }

    /// Enters a new job. A background job is entered only when no other one is there: the one that is comes back then.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn enter(&mut self, job: &Job, session: i64) -> Result<Option<Job>, StoreError> {
        let fault = |e: rusqlite::Error| StoreError::Use { path: self.path.clone(), reason: e.to_string() };
        // Whoever comes second waits here until the first one is entered.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fault)?;
        if job.background && !job.state.is_final() {
            let first = transaction
                .query_row(
                    &format!("SELECT {COLUMNS} FROM jobs WHERE state = 'running' AND background = 1 LIMIT 1"),
                    [],
                    job_of,
                )
                .optional()
                .map_err(fault)?;
            if first.is_some() {
                return Ok(first);
            }
        }
        transaction
            .execute(
                "INSERT INTO jobs
                 (id, session, task, folder, background, state, keeper_pid, keeper_born, created, message, ended)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                params![
                    job.id,
                    session,
                    job.task,
                    job.folder.to_string_lossy(),
                    job.background,
                    job.state.name(),
                    job.keeper.pid,
                    signed(job.keeper.born),
                    job.created,
                    job.message,
                    job.ended
                ],
            )
            .map_err(fault)?;
        transaction.commit().map_err(fault)?;
        Ok(None)
    }

    /// Says which process keeps a job now.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn set_keeper(&self, id: &str, keeper: ProcessId) -> Result<(), StoreError> {
        let values = params![id, keeper.pid, signed(keeper.born)];
        self.change("UPDATE jobs SET keeper_pid = ?2, keeper_born = ?3 WHERE id = ?1", values)?;
        Ok(())
    }

    /// Says which process works on a job.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn set_worker(&self, id: &str, worker: ProcessId) -> Result<(), StoreError> {
        let values = params![id, worker.pid, signed(worker.born)];
        self.change("UPDATE jobs SET worker_pid = ?2, worker_born = ?3 WHERE id = ?1", values)?;
        Ok(())
    }

    /// Enters a final state; one that is there already stays.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn finish(&self, id: &str, state: State, message: &str) -> Result<(), StoreError> {
        self.change(
            "UPDATE jobs SET state = ?2, message = ?3, ended = ?4 WHERE id = ?1 AND state = 'running'",
            params![id, state.name(), message, crate::record::now()],
        )?;
        Ok(())
    }

    /// Forgets the finished job whose folder that was.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn forget_job(&self, folder: &Path) -> Result<(), StoreError> {
        let values = params![folder.to_string_lossy()];
        self.change("DELETE FROM jobs WHERE folder = ?1 AND state <> 'running'", values)?;
        Ok(())
    }

    /// The job of that id.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn job(&self, id: &str) -> Result<Option<Job>, StoreError> {
        self.connection
            .query_row(&format!("SELECT {COLUMNS} FROM jobs WHERE id = ?1"), [id], job_of)
            .optional()
            .map_err(|e| self.fault(&e))
    }

    /// The newest jobs, newest first.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn jobs(&self, most: usize) -> Result<Vec<Job>, StoreError> {
        self.select(&format!("SELECT {COLUMNS} FROM jobs ORDER BY rowid DESC LIMIT {most}"))
    }

    /// The jobs that are not finished as far as the index knows.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn unfinished(&self) -> Result<Vec<Job>, StoreError> {
        self.select(&format!("SELECT {COLUMNS} FROM jobs WHERE state = 'running' ORDER BY created"))
    }

    /// What the user asked to be remembered.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn approvals(&self) -> Result<Vec<Approval>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Approval>> {
            let mut query = self.connection.prepare("SELECT workflow, deed, given FROM approvals ORDER BY 1, 2")?;
            let rows = query
                .query_map([], |row| Ok(Approval { workflow: row.get(0)?, deed: row.get(1)?, given: row.get(2)? }))?;
            rows.collect()
        };
        read().map_err(|e| self.fault(&e))
    }

    /// Forgets what was remembered for a workflow, or for all; returns how many approvals there were.
    ///
    /// # Errors
    /// When the database does not work.
    pub fn forget(&self, workflow: Option<&str>) -> Result<usize, StoreError> {
        match workflow {
            Some(workflow) => self.change("DELETE FROM approvals WHERE workflow = ?1", params![workflow]),
            None => self.change("DELETE FROM approvals", params![]),
        }
    }

    fn change(&self, statement: &str, values: &[&dyn rusqlite::ToSql]) -> Result<usize, StoreError> {
        self.connection.execute(statement, values).map_err(|e| self.fault(&e))
    }

    fn select(&self, query: &str) -> Result<Vec<Job>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Job>> {
            let mut query = self.connection.prepare(query)?;
            let rows = query.query_map([], job_of)?;
            rows.collect()
        };
        read().map_err(|e| self.fault(&e))
    }

    fn fault(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::Use { path: self.path.clone(), reason: error.to_string() }
    }
}

impl Memory for Store {
    fn recalls(&self, workflow: &str, deed: &str) -> bool {
        let found = self.connection.query_row(
            "SELECT 1 FROM approvals WHERE workflow = ?1 AND deed = ?2",
            [workflow, deed],
            |_| Ok(()),
        );
        // What cannot be read was not remembered: then the user is asked again.
        found.is_ok()
    }

    fn remember(&mut self, workflow: &str, deed: &str) -> std::io::Result<()> {
        let values = params![workflow, deed, crate::record::now()];
        self.change("INSERT OR IGNORE INTO approvals (workflow, deed, given) VALUES (?1, ?2, ?3)", values)
            .map(drop)
            .map_err(std::io::Error::other)
    }
}

/// Makes the tables where they are missing; returns the layout that the file has now.
fn prepare(connection: &mut Connection) -> rusqlite::Result<i64> {
    connection.busy_timeout(PATIENCE)?;
    let layout = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0));
    if layout(connection)? == 0 {
        // Another process may be making them at this very moment.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if layout(&transaction)? == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", LAYOUT)?;
        }
        transaction.commit()?;
    }
    layout(connection)
}

const COLUMNS: &str = "id, task, folder, background, state, message, keeper_pid, keeper_born, worker_pid, worker_born, \
                       created, ended";

fn job_of(row: &Row<'_>) -> rusqlite::Result<Job> {
    let folder: String = row.get(2)?;
    let state: String = row.get(4)?;
    let worker: (Option<u32>, Option<i64>) = (row.get(8)?, row.get(9)?);
    Ok(Job {
        id: row.get(0)?,
        task: row.get(1)?,
        folder: folder.into(),
        background: row.get(3)?,
        state: State::parse(&state).unwrap_or(State::Failed),
        message: row.get(5)?,
        keeper: ProcessId { pid: row.get(6)?, born: unsigned(row.get(7)?) },
        worker: worker.0.zip(worker.1).map(|(pid, born)| ProcessId { pid, born: unsigned(born) }),
        created: row.get(10)?,
        ended: row.get(11)?,
    })
}

/// SQLite has signed numbers only; the bits are kept.
fn signed(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

fn unsigned(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, background: bool) -> Job {
        Job {
            id: id.into(),
            task: "fill".into(),
            folder: "/tmp/运行".into(),
            background,
            state: State::Running,
            message: String::new(),
            keeper: ProcessId { pid: 7, born: u64::MAX },
            worker: None,
            created: "2026-11-30T10:00:00".into(),
            ended: None,
        }
    }

    #[test]
    fn a_final_state_never_changes_and_a_job_is_found_again_by_the_next_process() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(&dir.path().join("状态")).unwrap();
        let session = store.begin_session("user").unwrap();
        assert_eq!(store.enter(&job("a", false), session).unwrap(), None);
        store.set_worker("a", ProcessId { pid: 8, born: 9 }).unwrap();
        let again = Store::open(&dir.path().join("状态")).unwrap();
        let found = again.unfinished().unwrap();
        assert_eq!(found, [Job { worker: Some(ProcessId { pid: 8, born: 9 }), ..job("a", false) }]);
        store.finish("a", State::Completed, "done").unwrap();
        again.finish("a", State::Stopped, "too late").unwrap();
        let now = store.job("a").unwrap().unwrap();
        assert_eq!((now.state, now.message.as_str()), (State::Completed, "done"));
        assert_eq!(store.job("b").unwrap(), None);
        store.end_session(session).unwrap();
    }

    #[test]
    fn of_many_background_starts_at_once_one_gets_in_and_the_others_learn_which() {
        let dir = tempfile::tempdir().unwrap();
        let answers: Vec<Option<Job>> = std::thread::scope(|scope| {
            let start = |n: usize| {
                let folder = dir.path();
                scope.spawn(move || {
                    let mut store = Store::open(folder).unwrap();
                    let session = store.begin_session("user").unwrap();
                    store.enter(&job(&format!("job-{n}"), true), session).unwrap()
                })
            };
            let threads: Vec<_> = (0..8).map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(answers.iter().filter(|answer| answer.is_none()).count(), 1);
        let winner = &Store::open(dir.path()).unwrap().unfinished().unwrap()[0].id.clone();
        assert!(answers.iter().flatten().all(|first| first.id == *winner));
    }

    #[test]
    fn approvals_are_remembered_for_one_workflow_and_can_be_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        store.remember("订单", "click Save").unwrap();
        store.remember("订单", "click Save").unwrap();
        assert!(store.recalls("订单", "click Save"));
        assert!(!store.recalls("other", "click Save"));
        assert!(!store.recalls("订单", "click Delete"));
        assert_eq!(store.approvals().unwrap().len(), 1);
        assert_eq!(store.forget(Some("订单")).unwrap(), 1);
        assert!(!store.recalls("订单", "click Save"));
    }

    #[test]
    fn a_database_of_a_newer_version_or_a_damaged_one_is_refused_with_a_sentence() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
        let path = dir.path().join("jobs.db");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        let error = Store::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("newer Deskhand"), "{error}");
        std::fs::write(&path, "this is no database, but it is long enough to be taken for one".repeat(100)).unwrap();
        let error = Store::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("jobs.db"), "{error}");
    }
}
