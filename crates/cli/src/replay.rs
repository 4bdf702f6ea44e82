//! `osier replay`: each test on the native program.

use crate::console::line;
use crate::failure::{Done, FOUND, Failure};
use crate::flags::ReplayFlags;
use crate::native::{build_native, is_program_file};
use osier::report::replay::{Agreement, describe, same_ending};
use osier::report::{Endings, KTest};
use std::path::{Path, PathBuf};

pub fn replay(flags: &ReplayFlags) -> Done {
    let (program, tests): (Vec<PathBuf>, Vec<PathBuf>) =
        flags.files.iter().cloned().partition(|file| is_program_file(file));
    if program.is_empty() {
        return Err(Failure::usage("no program given: name its .c, .bc or .ll files before the tests"));
    }
    if tests.is_empty() {
        return Err(Failure::usage("no test given: name .ktest files after those of the program"));
    }
    // A test that cannot be read is found before anything is compiled.
    let tests = tests
        .into_iter()
        .map(|path| KTest::read(&path).map(|test| (path, test)).map_err(Failure::usage))
        .collect::<Result<Vec<_>, _>>()?;
    let native = build_native(&program, &flags.build, !flags.no_sanitizers, &flags.check)?;
    let mut status = 0;
    for (path, test) in tests {
        let run = native.run(&test, flags.limit).map_err(Failure::broken)?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let expected = Endings::read(folder).map_err(Failure::usage)?.of(&path);
        let name = path.display();
        match expected {
            None => line(format_args!("{name}: {}", describe(&run.ending)))?,
            Some(expected) => match same_ending(&expected, &run) {
                Agreement::Same => line(format_args!("{name}: same: {}", describe(&run.ending)))?,
                Agreement::CannotTell(why) => line(format_args!("{name}: cannot tell: {why}"))?,
                Agreement::Different(how) => {
                    status = FOUND;
                    line(format_args!("{name}: different: {how}"))?;
                }
            },
        }
    }
    Ok(status)
}
