//! The same program run in two ways: under Osier and natively, which must agree.

use crate::generate::{Program, SYMBOLIC_INPUTS};
use crate::{KTest, Outcome, run, run_limited};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The compiler of the native side; the one that Osier uses, so that the two sides differ in Osier alone.
const COMPILER: &str = "clang-22";
const NATIVE_LIMIT: Duration = Duration::from_secs(20);

/// How a comparison ended, short of a difference, which is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// So many tests were compared.
    Same(usize),
    /// The run was cut short, so there is nothing to compare.
    Cut,
}

/// What a native run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    pub status: i64,
    pub output: Vec<u8>,
}

/// A program in a folder of its own.
#[derive(Debug)]
pub struct Bench {
    folder: TempDir,
    source: PathBuf,
    /// The optimisation level, the same on both sides.
    level: &'static str,
}

impl Bench {
    pub fn new(program: &Program) -> Result<Bench, String> {
        let folder = TempDir::new().map_err(|e| format!("no folder for the program: {e}"))?;
        let source = folder.path().join("program.c");
        std::fs::write(&source, &program.source).map_err(|e| format!("{}: {e}", source.display()))?;
        let level = ["-O0", "-O1", "-O2"][(program.seed % 3) as usize];
        Ok(Bench { folder, source, level })
    }

    /// No inputs: one path, whose output and status are the native ones.
    pub fn concrete(&self, osier: &Path) -> Result<Agreement, String> {
        let native = self.native_run(&self.compile(&[self.level])?, None)?;
        let outcome = self.explore(osier, "")?;
        no_errors(&outcome)?;
        if outcome.summary.stopped != "finished" {
            return Ok(Agreement::Cut);
        }
        if outcome.tests.len() != 1 {
            return Err(format!("{} paths without any symbolic input", outcome.tests.len()));
        }
        same_output("the only path", &outcome.outputs[0], &native)?;
        same_statuses(&outcome, &[native])
    }

    /// Some inputs symbolic: each test, run natively, has the output that Osier says, and the statuses agree.
    pub fn symbolic(&self, osier: &Path) -> Result<Agreement, String> {
        let binary = self.compile(&[self.level, "-DNATIVE"])?;
        let outcome = self.explore(osier, "-DSYMBOLIC")?;
        no_errors(&outcome)?;
        if outcome.summary.stopped != "finished" || outcome.summary.paths.partial > 0 {
            return Ok(Agreement::Cut);
        }
        let mut natives = Vec::new();
        for ((path, test), output) in outcome.tests.iter().zip(&outcome.outputs) {
            let native = self.native_run(&binary, Some(&inputs_of(test)?))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            same_output(&name, output, &native)?;
            natives.push(native);
        }
        same_statuses(&outcome, &natives)
    }

    /// That the program itself is beyond reproach: the sanitizers find nothing on several inputs, and every level of
    /// optimisation gives the same.
    pub fn sanitize(&self) -> Result<Agreement, String> {
        let sanitizers = ["-O1", "-DNATIVE", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"];
        let checked = self.compile(&sanitizers)?;
        let optimised = self.compile(&["-O2", "-DNATIVE"])?;
        let inputs = ["00000000", "01020304", "ffffffff", "7f80ff00", "c3a5103e"];
        for input in inputs {
            let (one, two) = (self.native_run(&checked, Some(input))?, self.native_run(&optimised, Some(input))?);
            if one != two {
                return Err(format!("input {input}: -O2 gives {two:?}, the checked build {one:?}"));
            }
        }
        Ok(Agreement::Same(inputs.len()))
    }

    fn explore(&self, osier: &Path, define: &str) -> Result<Outcome, String> {
        let options = [format!("--cc-flags={} {define}", self.level), "--max-time=30".to_string()];
        run(osier, &options, &self.source, &[])
    }

    fn compile(&self, flags: &[&str]) -> Result<PathBuf, String> {
        let binary = self.folder.path().join(flags.concat().replace(['=', ','], "_"));
        let mut command = Command::new(COMPILER);
        command.args(flags).arg("-w").arg("-o").arg(&binary).arg(&self.source);
        let ended = run_limited(command, NATIVE_LIMIT)?;
        if ended.status == Some(0) {
            Ok(binary)
        } else {
            Err(format!("does not compile: {}", String::from_utf8_lossy(&ended.stderr)))
        }
    }

    fn native_run(&self, binary: &Path, input: Option<&str>) -> Result<Native, String> {
        let mut command = Command::new(binary);
        command.args(input);
        let ended = run_limited(command, NATIVE_LIMIT)?;
        let complaint = String::from_utf8_lossy(&ended.stderr);
        match ended.status {
            Some(status) if complaint.is_empty() => Ok(Native { status: status.into(), output: ended.stdout }),
            status => Err(format!("native run: input {input:?}, status {status:?}: {complaint}")),
        }
    }
}

fn no_errors(outcome: &Outcome) -> Result<(), String> {
    match outcome.summary.errors.first() {
        None => Ok(()),
        Some(error) => Err(format!("reported at line {}: {}: {}", error.line, error.kind, error.message)),
    }
}

/// The symbolic input bytes of a test as the native program takes them.
fn inputs_of(test: &KTest) -> Result<String, String> {
    let object = test.objects.iter().find(|object| object.name == "in").ok_or("a test without `in`")?;
    if object.bytes.len() != SYMBOLIC_INPUTS {
        return Err(format!("`in` has {} bytes, not {SYMBOLIC_INPUTS}", object.bytes.len()));
    }
    Ok(object.bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn same_output(test: &str, found: &[u8], native: &Native) -> Result<(), String> {
    if found == native.output {
        return Ok(());
    }
    let (found, wanted) = (found.escape_ascii(), native.output.escape_ascii());
    Err(format!("{test}: osier says the output is `{found}`, natively it is `{wanted}`"))
}

fn same_statuses(outcome: &Outcome, natives: &[Native]) -> Result<Agreement, String> {
    let mut statuses = BTreeMap::new();
    for native in natives {
        *statuses.entry(native.status).or_insert(0) += 1;
    }
    if outcome.summary.exits == statuses {
        Ok(Agreement::Same(natives.len()))
    } else {
        Err(format!("exit statuses: osier says {:?}, natively {statuses:?}", outcome.summary.exits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::program;

    #[test]
    fn generated_programs_are_beyond_reproach() {
        for seed in 0..6 {
            let agreement = Bench::new(&program(seed)).and_then(|bench| bench.sanitize());
            assert_eq!(agreement, Ok(Agreement::Same(5)), "seed {seed}");
        }
    }

    #[test]
    fn undefined_behaviour_is_noticed() {
        let source = "int main(int argc, char **argv) { return 1 << (argc + 40); }".to_string();
        let bench = Bench::new(&Program { seed: 0, source }).unwrap();
        assert!(bench.sanitize().unwrap_err().contains("shift exponent"));
    }
}
