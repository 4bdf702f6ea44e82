//! The store that a run sees: answers wait in memory and go to the file many at a time.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use osier_solver::{Key, Store, StoredAnswer};

use crate::file::{OpenError, Table};
use crate::layout::{encode_record, records};

/// So many answers wait for the file at most, and for so long.
const BATCH: usize = 256;
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// While a run is under way nobody waits for another process: there is a next time. At the end it is worth waiting.
const PATIENCE: Duration = Duration::from_millis(5);
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// More than this is not kept in memory for a file that cannot be written to.
const MOST_WAITING: usize = 1 << 16;

/// After so many lookups it is time to see whether another process replaced the file by a larger one.
const LOOKUPS: u32 = 1024;

/// A store in a file. What was put is in the file at the latest when the store is dropped.
pub struct FileStore {
    table: Table,
    /// In the order in which they were put.
    waiting: Vec<(Key, StoredAnswer)>,
    written: Instant,
    lookups: u32,
    /// What went wrong, told at the end. After a failure nothing is written any more.
    problem: Option<String>,
}

impl FileStore {
    /// The file is made if it is not there; it never takes more than `bound` bytes.
    pub fn open(path: &Path, bound: u64) -> Result<FileStore, OpenError> {
        let table = Table::open(path, bound)?;
        Ok(FileStore { table, waiting: Vec::new(), written: Instant::now(), lookups: 0, problem: None })
    }

    /// Writes what waits, and says what went wrong since the store was opened.
    pub fn finish(&mut self) -> Vec<String> {
        self.write(LAST_PATIENCE);
        let mut told: Vec<String> = self.problem.take().into_iter().collect();
        if !self.waiting.is_empty() && told.is_empty() {
            told.push(format!(
                "{} answers are not in the cache {}, which another process holds",
                self.waiting.len(),
                self.table.path().display()
            ));
            self.waiting.clear();
        }
        if let Some(cause) = self.table.take_stuck() {
            told.push(format!("the cache {} cannot grow: {cause}", self.table.path().display()));
        }
        if self.table.damaged > 0 {
            told.push(format!(
                "the cache {} has damaged records, which are ignored\n  help: delete it, and it is made anew",
                self.table.path().display()
            ));
            self.table.damaged = 0;
        }
        told
    }

    fn write(&mut self, patience: Duration) {
        if self.waiting.is_empty() || self.problem.is_some() {
            return;
        }
        self.written = Instant::now();
        if let Err(cause) = self.try_write(patience) {
            self.fail(&cause);
        }
    }

    fn try_write(&mut self, patience: Duration) -> Result<(), String> {
        let text = |cause: std::io::Error| cause.to_string();
        loop {
            if !self.table.lock(patience).map_err(text)? {
                return Ok(());
            }
            // Only under the lock is it certain that the file is not replaced at this moment.
            if !self.table.is_outdated() {
                break;
            }
            self.table.reopen().map_err(|cause| cause.to_string())?;
        }
        let done = self.waiting.iter().try_for_each(|(key, answer)| match encode_record(key, answer) {
            Some(record) => self.table.append(key, &record),
            None => Ok(()),
        });
        self.table.unlock();
        self.waiting.clear();
        done.map_err(text)
    }

    fn fail(&mut self, cause: &str) {
        self.problem = Some(format!("answers are no longer kept in {}: {cause}", self.table.path().display()));
        self.waiting.clear();
    }
}

impl Store for FileStore {
    fn get(&mut self, key: &Key) -> Option<StoredAnswer> {
        if let Some((_, answer)) = self.waiting.iter().rev().find(|(known, _)| known == key) {
            return Some(answer.clone());
        }
        self.lookups += 1;
        if self.lookups.is_multiple_of(LOOKUPS)
            && self.problem.is_none()
            && self.table.is_outdated()
            && let Err(cause) = self.table.reopen()
        {
            self.fail(&cause.to_string());
        }
        // A page that cannot be read holds nothing that helps.
        let page = self.table.read(key).ok()?;
        records(&page).filter(|record| record.key() == *key).filter_map(|record| record.answer()).last()
    }

    fn put(&mut self, key: Key, answer: &StoredAnswer) {
        if self.problem.is_some() || self.waiting.len() >= MOST_WAITING {
            return;
        }
        if let Some((_, waiting)) = self.waiting.iter_mut().rev().find(|(known, _)| *known == key) {
            *waiting = answer.clone();
            return;
        }
        self.waiting.push((key, answer.clone()));
        if self.waiting.len().is_multiple_of(BATCH) || self.written.elapsed() >= LONGEST_WAIT {
            self.write(PATIENCE);
        }
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        self.write(LAST_PATIENCE);
    }
}

/// A handle to one store, for the chain that uses it and for whoever ends the run.
#[derive(Clone)]
pub struct SharedStore(Rc<RefCell<FileStore>>);

impl SharedStore {
    pub fn open(path: &Path, bound: u64) -> Result<SharedStore, OpenError> {
        Ok(SharedStore(Rc::new(RefCell::new(FileStore::open(path, bound)?))))
    }

    /// See [`FileStore::finish`].
    pub fn finish(&self) -> Vec<String> {
        self.0.borrow_mut().finish()
    }
}

impl Store for SharedStore {
    fn get(&mut self, key: &Key) -> Option<StoredAnswer> {
        self.0.borrow_mut().get(key)
    }

    fn put(&mut self, key: Key, answer: &StoredAnswer) {
        self.0.borrow_mut().put(key, answer);
    }
}
