//! Every test that Osier writes for a program under `tests/` must end natively as Osier said.
//!
//! A sample by default: the first run of each program, all of those about memory models, and of its tests eight spread
//! over all of them.
//! `OSIER_REPLAY_ALL=1` takes every run and every test.

use libtest_mimic::{Arguments, Failed, Trial};
use osier_testing::{Expectations, Run, TestFile, build_options, find_tests, osier_binary, replay, run, tests_folder};
use std::collections::BTreeMap;
use std::path::PathBuf;

const SAMPLE: usize = 8;

fn main() {
    let arguments = Arguments::from_args();
    let tests = find_tests(&tests_folder()).unwrap_or_else(|problem| panic!("{problem}"));
    let replayed = tests.into_iter().filter_map(|test| {
        let source = std::fs::read_to_string(&test.path).unwrap_or_default();
        let expected = Expectations::parse(&source, test.marker);
        let exempt = expected.as_ref().is_ok_and(|e| e.no_replay.is_some()) || test.folder == "fixme";
        let name = format!("replay/{}", test.name);
        (!exempt).then(|| Trial::test(name, move || check(&test, expected).map_err(Failed::from)))
    });
    libtest_mimic::run(&arguments, replayed.collect()).exit();
}

fn check(test: &TestFile, expected: Result<Expectations, String>) -> Result<(), String> {
    let expected = expected?;
    let osier = osier_binary()?;
    let all = std::env::var_os("OSIER_REPLAY_ALL").is_some();
    let runs = if all || test.folder == "memory" { expected.runs.len() } else { 1 };
    // Tests of one native program are replayed at once: it is built once. The run folders last as long.
    let mut outcomes = Vec::new();
    let mut by_build: BTreeMap<Vec<String>, Vec<PathBuf>> = BTreeMap::new();
    for Run { options, .. } in &expected.runs[..runs] {
        let outcome = run(&osier, options, &test.path, &expected.args)?;
        let step = if all { 1 } else { outcome.tests.len().div_ceil(SAMPLE).max(1) };
        let chosen = outcome.tests.iter().step_by(step).map(|(path, _)| path.clone());
        by_build.entry(build_options(options)).or_default().extend(chosen);
        outcomes.push(outcome);
    }
    for (options, chosen) in by_build.iter().filter(|(_, chosen)| !chosen.is_empty()) {
        replay(&osier, options, &test.path, chosen)?;
    }
    Ok(())
}
