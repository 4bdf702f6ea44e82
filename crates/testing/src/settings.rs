//! One program under many settings: all must reach the same endings, cover the same code and report the same errors, and
//! every test must do natively what the run says.

use crate::differential::Agreement;
use crate::generate::Program;
use crate::{Outcome, replay, run_within};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A list of options that a program is run with.
pub type Setting = &'static [&'static str];

/// Every memory model. `single` leaves paths out by design.
pub const MODELS: &[Setting] = &[
    &["--memory=fork"],
    &["--memory=auto"],
    &["--memory=merge"],
    &["--memory=flat"],
    &["--memory=segmented"],
    &["--memory=dynamic"],
    &["--memory=fork", "--split=16", "--split-threshold=24"],
    &["--memory=auto", "--split=16", "--split-threshold=16"],
    &["--memory=merge", "--split=8", "--split-threshold=8"],
    &["--memory=dynamic", "--split=8", "--split-threshold=8"],
];

/// Every order in which paths can be taken and questions asked.
pub const ORDERS: &[Setting] = &[
    &["--no-pending"],
    &["--pending"],
    &["--relaxed-checks"],
    &["--pending", "--search=dfs"],
    &["--pending", "--search=bfs", "--memory=fork"],
    &["--relaxed-checks", "--search=random-path", "--memory=merge"],
    &["--pending", "--search=nurs:depth"],
    &["--pending", "--search=random-state", "--memory=dynamic"],
    &["--search=zesti"],
    &["--no-pending", "--search=nurs:covnew"],
];

/// All of memory as one array is slow by nature: it is compared where it comes to an end within this.
const SLOW: &str = "--memory=flat";
const SLOW_LIMIT: Duration = Duration::from_secs(4);
/// Forking may have very many paths: a run that takes longer than this is not compared.
const TIME: Duration = Duration::from_secs(30);
const LIMIT: Duration = Duration::from_secs(120);
/// So many tests of each setting are replayed.
const SAMPLE: usize = 20;

/// Which ways a program can end, whatever the number of paths to each, and how much of it was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Endings {
    statuses: BTreeSet<i64>,
    /// Kind and line.
    errors: BTreeSet<(String, u32)>,
    instructions: u64,
    branches: u64,
}

impl Endings {
    fn of(outcome: &Outcome) -> Endings {
        let summary = &outcome.summary;
        let statuses = summary.exits.iter().filter(|(_, count)| **count > 0).map(|(status, _)| *status).collect();
        let errors = summary.errors.iter().map(|error| (error.kind.clone(), error.line)).collect();
        let covered = &summary.coverage;
        Endings { statuses, errors, instructions: covered.instructions.covered, branches: covered.branches.covered }
    }
}

/// Runs a program under all of the settings. `Cut` if one of them took too long; the others have been compared.
pub fn compare_settings(program: &Program, osier: &Path, settings: &[Setting]) -> Result<Agreement, String> {
    let folder = TempDir::new().map_err(|e| format!("no folder for the program: {e}"))?;
    let source = folder.path().join("program.c");
    std::fs::write(&source, &program.source).map_err(|e| format!("{}: {e}", source.display()))?;
    let level = ["-O0", "-O1", "-O2"][(program.seed % 3) as usize];
    let flags = [format!("--cc-flags={level} -w")];
    let mut first: Option<(String, Endings)> = None;
    let mut outcomes = Vec::new();
    let mut cut = false;
    for setting in settings {
        let mut options: Vec<String> = setting.iter().map(|word| word.to_string()).collect();
        options.extend_from_slice(&flags);
        options.push(format!("--max-time={}", TIME.as_secs()));
        let slow = setting.contains(&SLOW);
        let limit = if slow { SLOW_LIMIT } else { LIMIT };
        let outcome = match run_within(osier, &options, &source, &[], limit) {
            Ok(outcome) => outcome,
            Err(_) if slow => continue,
            Err(problem) => return Err(format!("{}: {problem}", setting.join(" "))),
        };
        if !matches!(outcome.status, Some(0 | 1)) {
            return Err(format!("{}: status {:?}: {}", setting.join(" "), outcome.status, outcome.stderr));
        }
        if outcome.summary.stopped != "finished" || outcome.summary.paths.partial > 0 {
            cut = true;
            continue;
        }
        let endings = Endings::of(&outcome);
        match &first {
            None => first = Some((setting.join(" "), endings)),
            Some((_, first)) if *first == endings => {}
            Some((one, first)) => {
                return Err(format!("{one} ends in {first:?}, {} in {endings:?}", setting.join(" ")));
            }
        }
        outcomes.push(outcome);
    }
    let tests: Vec<PathBuf> = outcomes.iter().flat_map(sample).collect();
    if !tests.is_empty() {
        replay(osier, &flags, &source, &tests)?;
    }
    Ok(if cut { Agreement::Cut } else { Agreement::Same(tests.len()) })
}

/// Tests spread over all of a run. A memory error need not show natively where the compiler thinks that there is none; a
/// path that ended by itself must end so.
fn sample(outcome: &Outcome) -> Vec<PathBuf> {
    let listed = outcome.tests.first().and_then(|(path, _)| std::fs::read_dir(path.parent()?).ok());
    let names: Vec<String> =
        listed.into_iter().flatten().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let failed: BTreeSet<&str> =
        names.iter().filter(|name| name.ends_with(".err")).filter_map(|name| name.split('.').next()).collect();
    let ended =
        |path: &&PathBuf| path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| !failed.contains(stem));
    let ended: Vec<&PathBuf> = outcome.tests.iter().map(|(path, _)| path).filter(ended).collect();
    ended.iter().step_by(ended.len().div_ceil(SAMPLE).max(1)).map(|path| path.to_path_buf()).collect()
}
