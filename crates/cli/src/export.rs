//! `osier test export`: each test's input as a plain file, for fuzzers and other tools.

use crate::console::line;
use crate::failure::{Done, Failure};
use crate::native::report_failure;
use clap::Args;
use osier::report::run_folder::write_whole;
use osier::report::test_writer::tests_in;
use osier::report::{KTest, raw_input};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct ExportFlags {
    /// Put the files into this folder, one for each input that it does not have yet; it is made if it is not there.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Export the object NAME: arg00, A-data, or what the program calls it. [default: standard input, or the first
    /// symbolic file, or the only object of the program's]
    #[arg(long, value_name = "NAME")]
    pub object: Option<String>,
    /// .ktest files or run folders.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

pub fn export(flags: &ExportFlags) -> Done {
    let mut tests = Vec::new();
    for path in &flags.files {
        if path.is_dir() {
            tests.extend(tests_in(path).map_err(Failure::usage)?);
        } else {
            tests.push(path.clone());
        }
    }
    let (mut taken, mut known) = there_already(&flags.out)?;
    let (mut inputs, mut problems) = (Vec::new(), Vec::new());
    for path in &tests {
        let test = KTest::read(path).map_err(Failure::usage)?;
        match raw_input(&test, flags.object.as_deref()) {
            Ok(bytes) => {
                if known.insert(bytes.to_vec()) {
                    inputs.push((path, bytes.to_vec()));
                }
            }
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
        }
    }
    if tests.len() == problems.len() {
        let why = problems.first().map_or("there is no test in what was named", String::as_str);
        return Err(Failure::usage(format!("nothing to export: {why}")));
    }
    let fail = |cause| Failure::broken(format!("cannot make {}: {cause}", flags.out.display()));
    fs::create_dir_all(&flags.out).map_err(fail)?;
    for (path, bytes) in &inputs {
        let name = free_name(path, &mut taken);
        write_whole(&flags.out.join(name), bytes).map_err(report_failure)?;
    }
    for problem in &problems {
        eprintln!("warning: skipped {problem}");
    }
    let same = tests.len() - problems.len() - inputs.len();
    line(format_args!("{} new inputs in {}, {same} were known", inputs.len(), flags.out.display()))?;
    Ok(0)
}

/// The names and the contents of the folder's files, none if there is no such folder.
fn there_already(folder: &Path) -> Result<(HashSet<String>, HashSet<Vec<u8>>), Failure> {
    let (mut names, mut contents) = (HashSet::new(), HashSet::new());
    if !folder.is_dir() {
        return Ok((names, contents));
    }
    let fail = |cause| Failure::usage(format!("cannot read {}: {cause}", folder.display()));
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        names.insert(entry.file_name().to_string_lossy().into_owned());
        if entry.path().is_file() {
            contents.insert(fs::read(entry.path()).map_err(fail)?);
        }
    }
    Ok((names, contents))
}

/// The test's own name without its ending, and with a number where the name is taken.
fn free_name(test: &Path, taken: &mut HashSet<String>) -> String {
    let stem = test.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let name = std::iter::once(stem.clone()).chain(numbered).find(|name| !taken.contains(name));
    let name = name.expect("there are more numbers than tests");
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_several_runs_do_not_overwrite_each_other() {
        let mut taken = HashSet::new();
        let mut name = |path: &str| free_name(Path::new(path), &mut taken);
        assert_eq!(name("a/test000001.ktest"), "test000001");
        assert_eq!(name("b/test000001.ktest"), "test000001-2");
        assert_eq!(name("c/test000001.ktest"), "test000001-3");
    }
}
