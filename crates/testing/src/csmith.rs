//! Programs that csmith makes: large, free of undefined behaviour, and each prints a checksum of all its globals at its
//! end. Under Osier it must be the native one.

use crate::{Outcome, run_limited, run_within};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The compiler of the native side; the one that Osier uses, so that the two sides differ in Osier alone.
const COMPILER: &str = "clang-22";
const HEADERS: &str = "/usr/include/csmith";
/// The status of a native program that a signal ended; no path has it.
const KILLED: i64 = -1;
const BUILD_LIMIT: Duration = Duration::from_secs(120);

/// How one program fared at one level of optimisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// Another output or exit status, or an error reported; in words.
    Differs(String),
    /// Osier says that it cannot run something in it.
    Unsupported(String),
    /// The native program does not end within its limit: many of csmith's never do.
    Skipped,
    /// Osier did not come to the end within its limit.
    TooSlow,
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub native: Duration,
    pub osier: Duration,
}

/// A program of csmith's in a folder of its own.
#[derive(Debug)]
pub struct Sample {
    folder: TempDir,
    pub source: PathBuf,
}

impl Sample {
    /// The program that csmith makes from a seed and nothing else.
    pub fn generate(seed: u64) -> Result<Sample, String> {
        let folder = TempDir::new().map_err(|e| format!("no folder for the program: {e}"))?;
        let source = folder.path().join("program.c");
        let mut command = Command::new("csmith");
        // It leaves a file in the folder that it is started in.
        command.current_dir(folder.path()).args(["--no-argc", "--seed", &seed.to_string(), "-o"]).arg(&source);
        let ended = run_limited(command, BUILD_LIMIT)
            .map_err(|problem| format!("{problem} (csmith comes with Debian's packages csmith and libcsmith-dev)"))?;
        if ended.status == Some(0) {
            Ok(Sample { folder, source })
        } else {
            Err(format!("csmith, seed {seed}: {}", String::from_utf8_lossy(&ended.stderr)))
        }
    }

    /// Whether the program ends natively without optimisation. One that loops for ever has no meaning in C, and optimised
    /// code may do anything with it, so there is nothing to compare.
    pub fn ends(&self, limit: Duration) -> Result<bool, String> {
        Ok(self.native("-O0", limit)?.is_some())
    }

    /// Runs the program natively and under Osier, both at one level of optimisation such as `-O2`.
    pub fn compare(&self, osier: &Path, level: &str, limits: Limits) -> Result<Verdict, String> {
        let Some((status, output)) = self.native(level, limits.native)? else { return Ok(Verdict::Skipped) };
        let options =
            [format!("--cc-flags={level} -w -I{HEADERS}"), format!("--max-time={}", limits.osier.as_secs().max(1))];
        let outcome = run_within(osier, &options, &self.source, &[], limits.osier + BUILD_LIMIT)?;
        Ok(judge(&outcome, status, &output))
    }

    /// The exit status and what is printed; nothing if it takes too long.
    fn native(&self, level: &str, limit: Duration) -> Result<Option<(i64, Vec<u8>)>, String> {
        let binary = self.folder.path().join(format!("native{level}"));
        if !binary.exists() {
            self.build(level, &binary)?;
        }
        let mut bounded = Command::new("timeout");
        bounded.arg(limit.as_secs_f64().to_string()).arg(&binary);
        let ended = run_limited(bounded, limit + BUILD_LIMIT)?;
        match ended.status {
            Some(124) => Ok(None),
            status => Ok(Some((status.map_or(KILLED, i64::from), ended.stdout))),
        }
    }

    fn build(&self, level: &str, binary: &Path) -> Result<(), String> {
        let mut command = Command::new(COMPILER);
        command.args([level, "-w", "-I", HEADERS, "-o"]).arg(binary).arg(&self.source);
        let built = run_limited(command, BUILD_LIMIT)?;
        if built.status == Some(0) {
            return Ok(());
        }
        Err(format!("does not compile: {}", String::from_utf8_lossy(&built.stderr)))
    }
}

fn judge(outcome: &Outcome, status: i64, output: &[u8]) -> Verdict {
    let summary = &outcome.summary;
    if let Some(error) = summary.errors.first() {
        let text = format!("line {}: {}: {}", error.line, error.kind, error.message);
        return if error.kind == "unsupported" { Verdict::Unsupported(text) } else { Verdict::Differs(text) };
    }
    if summary.stopped == "max-time" {
        return Verdict::TooSlow;
    }
    if summary.stopped != "finished" {
        return Verdict::Differs(format!("the run stopped: {}", summary.stopped));
    }
    match outcome.outputs.as_slice() {
        [found] if found != output => {
            Verdict::Differs(format!("prints `{}`, natively `{}`", found.escape_ascii(), output.escape_ascii()))
        }
        [_] if summary.exits != [(status, 1)].into() => {
            Verdict::Differs(format!("exit statuses {:?}, natively {status}", summary.exits))
        }
        [_] => Verdict::Same,
        several => Verdict::Differs(format!("{} paths without any symbolic input", several.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KTest, Summary};

    fn outcome(summary: &str, output: &[u8]) -> Outcome {
        let summary: Summary = serde_json::from_str(summary).unwrap();
        let test = KTest { args: Vec::new(), objects: Vec::new() };
        Outcome {
            folder: TempDir::new().unwrap(),
            status: Some(0),
            stderr: String::new(),
            summary,
            tests: vec![(PathBuf::new(), test)],
            outputs: vec![output.to_vec()],
        }
    }

    fn ended(stopped: &str, errors: &str) -> String {
        format!(
            "{{\"stopped\":\"{stopped}\",\"paths\":{{\"completed\":1,\"partial\":0}},\"tests\":1,\"errors\":[{errors}],
            \"coverage\":{{\"lines\":{{\"covered\":1,\"total\":1}},\"instructions\":{{\"covered\":1,\"total\":1}},\
            \"branches\":{{\"covered\":1,\"total\":1}}}},\"exits\":{{\"0\":1}}}}"
        )
    }

    #[test]
    fn what_a_run_left_is_held_against_the_native_one() {
        let fine = outcome(&ended("finished", ""), b"checksum = 1\n");
        assert_eq!(judge(&fine, 0, b"checksum = 1\n"), Verdict::Same);
        assert!(matches!(judge(&fine, 0, b"checksum = 2\n"), Verdict::Differs(text) if text.contains("checksum = 2")));
        assert!(matches!(judge(&fine, 3, b"checksum = 1\n"), Verdict::Differs(text) if text.contains("natively 3")));
        assert_eq!(judge(&outcome(&ended("max-time", ""), b""), 0, b"checksum = 1\n"), Verdict::TooSlow);
    }

    #[test]
    fn limits_of_osier_are_told_from_errors() {
        let error = |kind: &str| {
            format!("{{\"kind\":\"{kind}\",\"file\":\"p.c\",\"line\":7,\"message\":\"because\",\"count\":1}}")
        };
        let limit = judge(&outcome(&ended("finished", &error("unsupported")), b""), 0, b"");
        assert_eq!(limit, Verdict::Unsupported("line 7: unsupported: because".into()));
        let bug = judge(&outcome(&ended("finished", &error("overshift")), b""), 0, b"");
        assert_eq!(bug, Verdict::Differs("line 7: overshift: because".into()));
    }
}
