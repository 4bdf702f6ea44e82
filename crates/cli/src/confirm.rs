//! `--confirm`: replays every error and records whether the native program ends the same way.

use crate::failure::Failure;
use crate::flags::RunFlags;
use crate::native::build_native;
use osier::report::replay::{Agreement, RunOptions, same_ending};
use osier::report::summary::ErrorEntry;
use osier::report::{Endings, KTest, RunFolder, World};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

/// Sets `confirmed` of each error; gives a line for each that the native program does not show.
pub fn confirm(
    flags: &RunFlags,
    files: &[PathBuf],
    folder: &RunFolder,
    errors: &mut [ErrorEntry],
    interrupted: &AtomicBool,
) -> Result<Vec<String>, Failure> {
    if errors.is_empty() {
        return Ok(Vec::new());
    }
    let native = build_native(files, &flags.build, true, &flags.check)?;
    let endings = Endings::read(folder.path()).map_err(Failure::broken)?;
    let world = World::read(folder.path()).map_err(Failure::broken)?;
    let options = RunOptions { world, ..RunOptions::new(LIMIT) };
    let mut doubts = Vec::new();
    for error in errors {
        if interrupted.load(Ordering::Relaxed) {
            doubts.push("interrupted: not every error was replayed".into());
            break;
        }
        let Some(name) = &error.test else { continue };
        let path = folder.path().join(name);
        let Some(expected) = endings.of(&path) else { continue };
        let test = KTest::read(&path).map_err(Failure::broken)?;
        let run = native.run(&test, &options).map_err(Failure::broken)?;
        error.confirmed = match same_ending(&expected, &run) {
            Agreement::Same => Some(true),
            Agreement::Different(how) => {
                doubts.push(format!("{name}: the native program differs: {how}"));
                Some(false)
            }
            Agreement::CannotTell(why) => {
                doubts.push(format!("{name}: a native run cannot confirm this: {why}"));
                None
            }
        };
    }
    Ok(doubts)
}
