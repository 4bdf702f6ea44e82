//! `summary.json`: what a run found and what it cost, for other programs. Every key is present in every run.
//!
//! Plain structs: the command line fills them, `osier stats` and `osier report` read them back.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

use crate::error::{ReportError, Result};
use crate::run_folder::RunFolder;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Osier's version.
    pub osier: String,
    pub program: String,
    pub seconds: f64,
    /// Why the run ended: `finished`, `max-time`, `max-memory`, `interrupted`, ...
    pub stopped: String,
    pub instructions: u64,
    pub paths: Paths,
    pub tests: u64,
    /// How many paths ended with each exit status.
    pub exits: BTreeMap<i32, u64>,
    pub errors: Vec<ErrorEntry>,
    pub coverage: CoverageSummary,
    pub queries: Queries,
    pub resolution: Resolution,
    pub memory: Memory,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Paths {
    /// Reached an end of the program.
    pub completed: u64,
    /// Left before their end.
    pub partial: u64,
    /// Never followed: alive, or waiting for their feasibility, when the run ended.
    pub pending: u64,
}

/// One error, once: the same error on many paths has the first one's test.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ErrorEntry {
    /// A name of `osier_exec::outcome::Kind`.
    pub kind: String,
    pub file: String,
    /// 0 if the program has no debug information there.
    pub line: u32,
    pub function: String,
    pub message: String,
    /// On how many paths it was reported; more than 1 only with `--all-errors`.
    pub count: u64,
    /// The test's file name in the run folder; null if none was written.
    pub test: Option<String>,
    /// Whether a native run of the test ended the same way; null if none was tried or it could not tell.
    pub confirmed: Option<bool>,
}

/// How much of the program's own code was executed; the libc's does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoverageSummary {
    pub instructions: Share,
    pub branches: Share,
    pub lines: Share,
    pub functions: Share,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Share {
    pub covered: u64,
    pub total: u64,
}

impl Share {
    /// None if there is nothing to cover.
    pub fn percent(self) -> Option<f64> {
        (self.total != 0).then(|| self.covered as f64 * 100.0 / self.total as f64)
    }
}

/// By the solver's theory, by a tree over the bits of the index, by a choice over few entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ArrayReads {
    pub theory: u64,
    pub tree: u64,
    pub choice: u64,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Queries {
    pub asked: u64,
    /// Asked after slicing made them smaller.
    pub sliced: u64,
    pub cached: u64,
    /// Of these, answered by the file that `--cache` names.
    pub stored: u64,
    /// How often a part was looked up under a key without names, how often no cache knew it, and how long that took.
    pub lookups: u64,
    pub missed: u64,
    pub lookup_seconds: f64,
    pub by_witness: u64,
    /// Reached a backend.
    pub solved: u64,
    /// How backends were given array reads at symbolic indices.
    #[serde(default)]
    pub arrays: ArrayReads,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Given up soon, to be asked again later; not among the unknown ones.
    #[serde(default)]
    pub put_off: u64,
    pub seconds: f64,
    /// Of these, on questions without a solution.
    #[serde(default)]
    pub unsat_seconds: f64,
}

/// How pointers found their objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Resolution {
    pub concrete: u64,
    pub single: u64,
    pub multiple: u64,
    pub forks: u64,
    pub queries: u64,
    pub segments: u64,
    pub max_segment_bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    pub peak_bytes: u64,
    pub states_peak: u64,
    pub states_dropped: u64,
}

const FILE: &str = "summary.json";

impl Summary {
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain structs with string keys always serialise");
        text.push('\n');
        text
    }

    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write(FILE, self.to_json().as_bytes())
    }

    pub fn read(folder: &Path) -> Result<Summary> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|cause| ReportError::file("read", &path, cause))?;
        serde_json::from_str(&text).map_err(|problem| ReportError::Content { path, problem: problem.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that the design promises, written out here a second time: a renamed field must not pass unseen.
    const PROMISED: &[(&str, &str)] = &[
        ("", "osier program seconds stopped instructions paths tests exits errors coverage queries resolution memory"),
        ("/paths", "completed partial pending"),
        ("/errors/0", "kind file line function message count test confirmed"),
        ("/coverage", "instructions branches lines functions"),
        ("/coverage/instructions", "covered total"),
        ("/coverage/branches", "covered total"),
        ("/coverage/lines", "covered total"),
        ("/coverage/functions", "covered total"),
        (
            "/queries",
            "asked sliced cached stored lookups missed lookup_seconds by_witness solved arrays sat unsat unknown put_off seconds unsat_seconds",
        ),
        ("/resolution", "concrete single multiple forks queries segments max_segment_bytes"),
        ("/memory", "peak_bytes states_peak states_dropped"),
    ];

    #[test]
    fn every_promised_key_is_there() {
        let summary = Summary { errors: vec![ErrorEntry::default()], ..Summary::default() };
        let json: serde_json::Value = serde_json::from_str(&summary.to_json()).unwrap();
        for (place, keys) in PROMISED {
            let object = json.pointer(place).unwrap().as_object().unwrap();
            let mut found: Vec<_> = object.keys().map(String::as_str).collect();
            let mut promised: Vec<_> = keys.split(' ').collect();
            found.sort_unstable();
            promised.sort_unstable();
            assert_eq!(found, promised, "at {place}");
        }
    }

    #[test]
    fn it_reads_back() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_numbered(base.path()).unwrap();
        let summary = Summary { program: "a \"b\"\n.c".into(), seconds: 1.25, tests: 3, ..Summary::default() };
        summary.write(&folder).unwrap();
        assert_eq!(Summary::read(folder.path()).unwrap(), summary);
        folder.write(FILE, b"{\"osier\": 1}").unwrap();
        assert!(Summary::read(folder.path()).unwrap_err().to_string().contains("summary.json"));
    }

    #[test]
    fn a_share_of_nothing_has_no_percentage() {
        assert_eq!(Share::default().percent(), None);
        assert_eq!(Share { covered: 1, total: 4 }.percent(), Some(25.0));
    }
}
