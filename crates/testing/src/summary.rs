//! The part of `summary.json` that tests look at. A missing key is an error: all are promised in every run.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize)]
pub struct Summary {
    pub stopped: String,
    pub paths: Paths,
    pub tests: u64,
    pub errors: Vec<ReportedError>,
    pub coverage: Coverage,
    /// How many paths ended with each exit status.
    pub exits: BTreeMap<i64, u64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Paths {
    pub completed: u64,
    pub partial: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct ReportedError {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub message: String,
    pub count: u64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Coverage {
    pub lines: Covered,
    pub instructions: Covered,
    pub branches: Covered,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Covered {
    pub covered: u64,
    pub total: u64,
}
