//! The record of a run's paths in its folder, `paths.journal`: how it is written while the run goes, and what of the folder
//! still counts when another run goes on from it. What the record says is `osier_exec`'s matter, but for the text in which
//! a finished path is described.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use osier_exec::outcome::{Asked, Ending, Finished};
use osier_exec::{History, path_event};

use crate::endings::{ENDINGS_FILE, Listed, ending_line, parse_line};
use crate::error::{ReportError, Result};
use crate::error_text::{error_text, parse_error_text};
use crate::run_folder::write_whole;
use crate::test_writer::test_name;

const JOURNAL_FILE: &str = "paths.journal";

/// The record while it is written.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Events that are not in the file yet.
    pub waiting: Vec<u8>,
}

impl Journal {
    /// Opens the record of a folder, or begins one.
    pub fn open(folder: &Path) -> Result<Journal> {
        let path = folder.join(JOURNAL_FILE);
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.map_err(|cause| ReportError::file("write", &path, cause))?;
        Ok(Journal { path, file, waiting: Vec::new() })
    }

    /// Brings what waits into the file.
    pub fn flush(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(&self.waiting);
        self.waiting.clear();
        written.map_err(|cause| ReportError::file("write", &self.path, cause))
    }
}

/// Notes that a path has ended and that its test, if it has one, is in its place.
pub(crate) fn add_path(events: &mut Vec<u8>, test: Option<u32>, finished: &Finished) {
    let Some(number) = finished.number else { return };
    path_event(events, number, describe(test, &finished.ending).as_bytes());
}

/// No test has this name.
const NO_TEST: &str = "-";

fn describe(test: Option<u32>, ending: &Ending) -> String {
    let mut text = String::with_capacity(24);
    match test {
        Some(number) => ending_line(&mut text, &test_name(number), ending, None, Asked::default()),
        None => ending_line(&mut text, NO_TEST, ending, None, Asked::default()),
    }
    match ending {
        Ending::Fault(fault) => text.push_str(&error_text(fault)),
        Ending::Exit(_) | Ending::Cut(_) => {}
    }
    text
}

/// A path that an earlier run has followed to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptPath {
    /// The number of its test.
    pub test: Option<u32>,
    pub ending: Ending,
}

fn parse(text: &[u8]) -> Option<KeptPath> {
    let text = std::str::from_utf8(text).ok()?;
    let (line, rest) = text.split_once('\n')?;
    let (name, listed, _) = parse_line(line)?;
    let ending = match listed {
        Listed::Exit(status, _) => Ending::Exit(status),
        Listed::Cut(cut) => Ending::Cut(cut),
        Listed::Error(_) => Ending::Fault(parse_error_text(rest)?),
    };
    Some(KeptPath { test: number_of(name), ending })
}

/// The number in a test's name.
fn number_of(name: &str) -> Option<u32> {
    name.strip_prefix("test")?.parse().ok()
}

/// What a run folder has for a run that goes on.
#[derive(Debug)]
pub struct Recorded {
    pub history: History,
    /// The paths that need not be followed again.
    pub paths: Vec<KeptPath>,
}

impl Recorded {
    /// Reads the record of a folder; nothing if it has none.
    pub fn read(folder: &Path) -> Result<Option<Recorded>> {
        let path = folder.join(JOURNAL_FILE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(ReportError::file("read", &path, cause)),
        };
        let history = History::read(&bytes);
        let paths = history.paths.iter().map(|text| parse(text)).collect::<Option<Vec<KeptPath>>>();
        let damaged = || ReportError::Content { path, problem: "a path in it cannot be read".into() };
        Ok(Some(Recorded { paths: paths.ok_or_else(damaged)?, history }))
    }

    /// The number that the next test gets.
    pub fn last_test(&self) -> u32 {
        self.paths.iter().filter_map(|path| path.test).max().unwrap_or(0)
    }

    /// Takes away what a run that was cut short has left half done: the end of the record, and tests of paths that the
    /// record does not know to have ended, which will be followed again.
    pub fn tidy(&self, folder: &Path) -> Result<()> {
        let journal = folder.join(JOURNAL_FILE);
        let cut = OpenOptions::new().write(true).open(&journal);
        cut.and_then(|file| file.set_len(self.history.whole as u64))
            .map_err(|cause| ReportError::file("write", &journal, cause))?;
        let kept: BTreeSet<u32> = self.paths.iter().filter_map(|path| path.test).collect();
        let is_kept = |name: &str| number_of(name).is_none_or(|number| kept.contains(&number));
        for entry in fs::read_dir(folder).map_err(|cause| ReportError::file("list", folder, cause))? {
            let path = entry.map_err(|cause| ReportError::file("list", folder, cause))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !is_kept(name.split('.').next().unwrap_or_default()) {
                fs::remove_file(&path).map_err(|cause| ReportError::file("remove", &path, cause))?;
            }
        }
        let endings = folder.join(ENDINGS_FILE);
        let text = fs::read_to_string(&endings).unwrap_or_default();
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let lines: String = whole.filter(|line| is_kept(line.split(' ').next().unwrap_or_default())).collect();
        write_whole(&endings, lines.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_exec::outcome::{Cut, Fault, Kind, Place};

    #[test]
    fn every_ending_reads_back() {
        let place = Place { file: "a.c".into(), line: 3, column: 1, function: "main".into() };
        let fault = Fault {
            kind: Kind::Abort,
            message: "abort called".into(),
            place: place.clone(),
            notes: vec![],
            stack: vec![place],
        };
        for ending in [Ending::Exit(-3), Ending::Cut(Cut::Depth), Ending::Fault(fault)] {
            for test in [None, Some(7), Some(1_234_567)] {
                let text = describe(test, &ending);
                assert_eq!(parse(text.as_bytes()), Some(KeptPath { test, ending: ending.clone() }));
            }
        }
        assert_eq!(parse(b"test000001 exit"), None);
    }
}
