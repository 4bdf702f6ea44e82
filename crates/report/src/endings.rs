//! The list of endings in a run folder: what Osier says each test does, for replay to compare with.
//!
//! One line a test: `test000001 exit 0`, `test000002 error out-of-bounds`, `test000003 cut depth`. What an error is, in
//! full, stands in the test's `.err` file.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use osier_exec::outcome::{Cut, Ending, Kind};

use crate::error::{ReportError, Result};
use crate::error_text::parse_error_text;

pub(crate) const ENDINGS_FILE: &str = "endings.txt";

fn cut_name(cut: Cut) -> &'static str {
    match cut {
        Cut::RunEnded => "run-ended",
        Cut::Depth => "depth",
        Cut::Memory => "memory",
        Cut::SolverUnknown => "solver-unknown",
        Cut::Silent => "silent",
    }
}

const CUTS: &[Cut] = &[Cut::RunEnded, Cut::Depth, Cut::Memory, Cut::SolverUnknown, Cut::Silent];

pub(crate) fn ending_line(out: &mut String, test: &str, ending: &Ending) {
    let _ = match ending {
        Ending::Exit(status) => writeln!(out, "{test} exit {status}"),
        Ending::Fault(fault) => writeln!(out, "{test} error {}", fault.kind),
        Ending::Cut(cut) => writeln!(out, "{test} cut {}", cut_name(*cut)),
    };
}

/// What a run said about its tests.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    folder: PathBuf,
    by_test: HashMap<String, Listed>,
}

#[derive(Clone, Copy, Debug)]
enum Listed {
    Exit(i32),
    Error(Kind),
    Cut(Cut),
}

impl Endings {
    /// Reads the list of a run folder. A folder without one, KLEE's for example, says nothing about any test.
    pub fn read(folder: &Path) -> Result<Endings> {
        let path = folder.join(ENDINGS_FILE);
        let mut endings = Endings { folder: folder.to_owned(), by_test: HashMap::new() };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(endings),
            Err(cause) => return Err(ReportError::file("read", &path, cause)),
        };
        for (index, line) in text.lines().enumerate() {
            let (test, listed) = parse_line(line).ok_or_else(|| ReportError::Content {
                path: path.clone(),
                problem: format!("line {} is not an ending: {line}", index + 1),
            })?;
            endings.by_test.insert(test.to_owned(), listed);
        }
        Ok(endings)
    }

    /// The ending of the test in this file, if the run said one.
    pub fn of(&self, test: &Path) -> Option<Ending> {
        let name = test.file_stem()?.to_str()?;
        Some(match *self.by_test.get(name)? {
            Listed::Exit(status) => Ending::Exit(status),
            Listed::Cut(cut) => Ending::Cut(cut),
            Listed::Error(kind) => {
                let text = std::fs::read_to_string(self.folder.join(format!("{name}.{kind}.err"))).ok()?;
                Ending::Fault(parse_error_text(&text)?)
            }
        })
    }
}

fn parse_line(line: &str) -> Option<(&str, Listed)> {
    let mut words = line.split(' ');
    let (test, what, which) = (words.next()?, words.next()?, words.next()?);
    let listed = match what {
        "exit" => Listed::Exit(which.parse().ok()?),
        "error" => Listed::Error(Kind::from_name(which)?),
        "cut" => Listed::Cut(CUTS.iter().copied().find(|&cut| cut_name(cut) == which)?),
        _ => return None,
    };
    words.next().is_none().then_some((test, listed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_reads_back() {
        for &cut in CUTS {
            let mut line = String::new();
            ending_line(&mut line, "test000001", &Ending::Cut(cut));
            assert!(matches!(parse_line(line.trim_end()), Some(("test000001", Listed::Cut(read))) if read == cut));
        }
    }

    #[test]
    fn a_damaged_list_is_named_and_a_missing_one_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let none = Endings::read(folder.path()).unwrap();
        assert_eq!(none.of(&folder.path().join("test000001.ktest")), None);
        std::fs::write(folder.path().join(ENDINGS_FILE), "test000001 exit 0\ntest000002 exit zero\n").unwrap();
        let error = Endings::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
