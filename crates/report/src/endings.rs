//! The list of endings in a run folder: what Osier says each test does, for replay to compare with.
//!
//! One line a test: `test000001 exit 0`, `test000002 error out-of-bounds`, `test000003 cut depth`. After an exit there may
//! be two more words, what the path wrote to standard output and to standard error: `test000001 exit 0 "hello\n" ""`. What
//! an error is, in full, stands in the test's `.err` file. A line ends with `asked random` (or `time`, `process`, or
//! several with commas) if the path asked for what another run is answered otherwise.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use osier_exec::outcome::{Asked, Cut, Ending, Kind};

use crate::error::{ReportError, Result};
use crate::error_text::parse_error_text;
use crate::stream::{Output, Stream};

pub(crate) const ENDINGS_FILE: &str = "endings.txt";

fn cut_name(cut: Cut) -> &'static str {
    match cut {
        Cut::RunEnded => "run-ended",
        Cut::Depth => "depth",
        Cut::Memory => "memory",
        Cut::SolverUnknown => "solver-unknown",
        Cut::OtherSide => "other-side",
        Cut::Silent => "silent",
    }
}

const CUTS: &[Cut] = &[Cut::RunEnded, Cut::Depth, Cut::Memory, Cut::SolverUnknown, Cut::OtherSide, Cut::Silent];

/// `output` is None where it is not known which stream got what.
pub(crate) fn ending_line(out: &mut String, test: &str, ending: &Ending, output: Option<&Output>, asked: Asked) {
    let _ = match ending {
        Ending::Exit(status) => match output {
            Some(Output { stdout, stderr }) => {
                write!(out, "{test} exit {status} {} {}", stdout.to_word(), stderr.to_word())
            }
            None => write!(out, "{test} exit {status}"),
        },
        Ending::Fault(fault) => write!(out, "{test} error {}", fault.kind),
        Ending::Cut(cut) => write!(out, "{test} cut {}", cut_name(*cut)),
    };
    let mut before = ASKED;
    for (name, is_asked) in asked_names(asked) {
        if is_asked {
            out.push_str(before);
            out.push_str(name);
            before = ",";
        }
    }
    out.push('\n');
}

const ASKED: &str = " asked ";

fn asked_names(Asked { random, time, process }: Asked) -> [(&'static str, bool); 3] {
    [("random", random), ("time", time), ("process", process)]
}

fn parse_asked(names: &str) -> Option<Asked> {
    let mut asked = Asked::default();
    for name in names.split(',') {
        let flag = match name {
            "random" => &mut asked.random,
            "time" => &mut asked.time,
            "process" => &mut asked.process,
            _ => return None,
        };
        *flag = true;
    }
    Some(asked)
}

/// Why another run of such a path may end otherwise.
fn doubt(asked: Asked) -> Option<&'static str> {
    match asked {
        Asked { random: true, .. } => Some("the path asks for random bytes"),
        Asked { time: true, .. } => Some("the path asks for the time"),
        Asked { process: true, .. } => Some("the path asks for the number of its process"),
        Asked { random: false, time: false, process: false } => None,
    }
}

/// What a run said about its tests.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    folder: PathBuf,
    by_test: HashMap<String, (Listed, Asked)>,
}

/// What a run said about one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    pub ending: Ending,
    /// What the path wrote, if it exited and the run kept it.
    pub output: Option<Output>,
    /// Why another run may differ from what was said, and prove nothing by it.
    pub doubt: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) enum Listed {
    Exit(i32, Option<Output>),
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
            let (test, listed, asked) = parse_line(line).ok_or_else(|| ReportError::Content {
                path: path.clone(),
                problem: format!("line {} is not an ending: {line}", index + 1),
            })?;
            endings.by_test.insert(test.to_owned(), (listed, asked));
        }
        Ok(endings)
    }

    /// The ending of the test in this file, if the run said one.
    pub fn of(&self, test: &Path) -> Option<Ending> {
        self.expected(test).map(|expected| expected.ending)
    }

    /// The ending and the output of the test in this file, if the run said them.
    pub fn expected(&self, test: &Path) -> Option<Expected> {
        let name = test.file_stem()?.to_str()?;
        let (listed, asked) = self.by_test.get(name)?;
        let output = match listed {
            Listed::Exit(_, output) => output.clone(),
            Listed::Error(_) | Listed::Cut(_) => None,
        };
        let ending = match *listed {
            Listed::Exit(status, _) => Ending::Exit(status),
            Listed::Cut(cut) => Ending::Cut(cut),
            Listed::Error(kind) => {
                let text = std::fs::read_to_string(self.folder.join(format!("{name}.{kind}.err"))).ok()?;
                Ending::Fault(parse_error_text(&text)?)
            }
        };
        Some(Expected { ending, output, doubt: doubt(*asked) })
    }
}

pub(crate) fn parse_line(line: &str) -> Option<(&str, Listed, Asked)> {
    let suffix = line.rsplit_once(ASKED).and_then(|(line, names)| Some((line, parse_asked(names)?)));
    let (line, asked) = suffix.unwrap_or((line, Asked::default()));
    let mut words = line.splitn(4, ' ');
    let (test, what, which, rest) = (words.next()?, words.next()?, words.next()?, words.next());
    let listed = match (what, rest) {
        ("exit", None) => Listed::Exit(which.parse().ok()?, None),
        ("exit", Some(words)) => Listed::Exit(which.parse().ok()?, Some(parse_output(words)?)),
        ("error", None) => Listed::Error(Kind::from_name(which)?),
        ("cut", None) => Listed::Cut(CUTS.iter().copied().find(|&cut| cut_name(cut) == which)?),
        _ => return None,
    };
    Some((test, listed, asked))
}

fn parse_output(words: &str) -> Option<Output> {
    let (stdout, rest) = Stream::from_word(words)?;
    let (stderr, rest) = Stream::from_word(rest.strip_prefix(' ')?)?;
    rest.is_empty().then_some(Output { stdout, stderr })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_reads_back() {
        for &cut in CUTS {
            let mut line = String::new();
            ending_line(&mut line, "test000001", &Ending::Cut(cut), None, Asked::default());
            assert!(matches!(parse_line(line.trim_end()), Some(("test000001", Listed::Cut(read), _)) if read == cut));
        }
    }

    #[test]
    fn output_reads_back_and_may_be_missing() {
        let random = Asked { random: true, process: true, ..Asked::default() };
        let folder = tempfile::tempdir().unwrap();
        let output = Output { stdout: Stream::of(b"a \"b\"\n\0"), stderr: Stream::of(b"") };
        let mut text = String::new();
        ending_line(&mut text, "test000001", &Ending::Exit(3), Some(&output), random);
        ending_line(&mut text, "test000002", &Ending::Exit(-1), None, Asked::default());
        std::fs::write(folder.path().join(ENDINGS_FILE), text).unwrap();
        let endings = Endings::read(folder.path()).unwrap();
        let expected = |name: &str| endings.expected(Path::new(name)).unwrap();
        let said = |status, output, doubt| Expected { ending: Ending::Exit(status), output, doubt };
        let by_chance = Some("the path asks for random bytes");
        assert_eq!(expected("test000001.ktest"), said(3, Some(output), by_chance));
        assert_eq!(expected("test000002.ktest"), said(-1, None, None));
        for damaged in
            ["t exit 0 \"a", "t exit 0 \"a\"", "t exit 0 \"a\" \"b\" c", "t exit 0 asked luck", "t cut depth \"\" \"\""]
        {
            assert!(parse_line(damaged).is_none(), "{damaged}");
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
