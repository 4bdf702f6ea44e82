//! Where the tests are and which `osier` they run.

use std::path::{Path, PathBuf};

/// A program under `tests/`.
#[derive(Clone, Debug)]
pub struct TestFile {
    pub path: PathBuf,
    /// Its path below the tests folder: the test's name.
    pub name: String,
    /// The folder that says what it promises.
    pub folder: String,
    /// What starts a comment in its language.
    pub marker: &'static str,
}

/// The folder `tests/` at the top of the project.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// All test programs below `root`, sorted by name.
pub fn find_tests(root: &Path) -> Result<Vec<TestFile>, String> {
    let mut found = Vec::new();
    collect(root, root, &mut found)?;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<TestFile>) -> Result<(), String> {
    let problem = |e: std::io::Error| format!("cannot list {}: {e}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
            continue;
        }
        let marker = match path.extension().and_then(|e| e.to_str()) {
            Some("c") => "//",
            Some("ll") => ";",
            _ => continue,
        };
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let folder = name.split('/').next().unwrap_or_default().to_string();
        found.push(TestFile { path, name, folder, marker });
    }
    Ok(())
}

/// The command under test: `OSIER_BIN`, or the one beside the running test in the target folder.
pub fn osier_binary() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("OSIER_BIN") {
        let path = PathBuf::from(path);
        return if path.is_file() { Ok(path) } else { Err(format!("OSIER_BIN: no file {}", path.display())) };
    }
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let candidates = own.ancestors().skip(1).take(2).map(|folder| folder.join("osier"));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        "no `osier` beside this test: build it first (`cargo build --release -p osier-cli`) or set OSIER_BIN".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expectations;

    /// Needs no engine: a misspelt expectation is found before anything runs.
    #[test]
    fn every_program_says_what_it_promises() {
        let tests = find_tests(&tests_folder()).unwrap();
        assert!(tests.len() > 160, "only {} programs", tests.len());
        for test in tests {
            let source = std::fs::read_to_string(&test.path).unwrap();
            let expected = Expectations::parse(&source, test.marker).unwrap_or_else(|e| panic!("{}: {e}", test.name));
            let promises_errors = !expected.errors.is_empty();
            match test.folder.as_str() {
                "bugs" => assert!(promises_errors, "{} promises no error", test.name),
                "clean" => assert!(!promises_errors, "{} promises errors", test.name),
                "exec" | "ir" | "kernel" | "libc" | "memory" | "pending" | "solver" => {
                    let silent = Expectations { runs: expected.runs.clone(), ..Expectations::default() };
                    assert_ne!(expected, silent, "{} promises nothing", test.name);
                    let several = expected.runs.len() > 1;
                    assert!(several || test.folder != "memory", "{} tries one model only", test.name);
                }
                "fixme" => {}
                other => panic!("{}: no such folder as {other}", test.name),
            }
        }
    }
}
