//! One test on the native program.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use super::process::run_limited;
use super::record::parse_record;
use super::sanitizer::{Report, parse_report, signal_fault};
use super::world::world;
use super::{NativeEnding, NativeFault, NativeProgram, NativeRun};
use crate::error::{ReportError, Result};
use crate::ktest::KTest;

impl NativeProgram {
    /// Runs the test in an empty folder of its own, with an empty environment, for at most `limit`.
    pub fn run(&self, test: &KTest, limit: Duration) -> Result<NativeRun> {
        let folder = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(self.folder.path())
            .map_err(|cause| ReportError::file("make a folder in", self.folder.path(), cause))?;
        let (inside, outside) = (folder.path().join("in"), folder.path());
        let test_file = outside.join("test.ktest");
        let ending_file = outside.join("ending");
        let log = outside.join("report");
        let world = world(test);
        let stdin = outside.join("stdin");
        make_folder(&inside)?;
        write(&test_file, &test.to_bytes())?;
        write(&stdin, &world.stdin)?;
        for (name, bytes) in &world.files {
            write(&inside.join(name), bytes)?;
        }
        let input = File::open(&stdin).map_err(|cause| ReportError::file("read", &stdin, cause))?;
        let mut command = Command::new(&self.binary);
        if let Some((name, rest)) = world.args.split_first() {
            command.arg0(name).args(rest);
        }
        command.current_dir(&inside).stdin(input).env_clear();
        command.env("OSIER_TEST", &test_file).env("OSIER_ENDING", &ending_file);
        self.set_sanitizer_options(&mut command, &log);
        let ran = run_limited(&mut command, limit).map_err(|cause| ReportError::file("run", &self.binary, cause))?;

        let record = fs::read_to_string(&ending_file).ok().and_then(|text| parse_record(&text));
        let unread_inputs = record.as_ref().map_or(0, |record| record.unread_inputs);
        let told = record.and_then(|record| record.ending);
        // Only the program's own report: a child that it forked has another number.
        let report = fs::read(log.with_extension(ran.pid.to_string())).unwrap_or_default();
        let report = parse_report(&String::from_utf8_lossy(&report));
        let stderr = String::from_utf8_lossy(&ran.stderr);
        let ending = match ran.status {
            None => NativeEnding::TimedOut(limit),
            Some(status) => ending(told, report, status, &stderr),
        };
        Ok(NativeRun {
            ending,
            checks: self.checks,
            unread_inputs,
            stdout: ran.stdout,
            stderr: ran.stderr,
            elapsed: ran.elapsed,
        })
    }

    fn set_sanitizer_options(&self, command: &mut Command, log: &Path) {
        // To a file: what the program itself writes must not be taken for a report.
        let log = format!("log_path={}", log.display());
        let leaks = u8::from(self.checks.leaks);
        let address = [
            log.as_str(),
            "detect_stack_use_after_return=1",
            // An abort gets a stack, too.
            "handle_abort=1",
            // A huge allocation fails as malloc does, and is no error.
            "allocator_may_return_null=1",
            &format!("detect_leaks={leaks}"),
        ];
        command.env("ASAN_OPTIONS", address.join(":"));
        command.env("UBSAN_OPTIONS", format!("{log}:print_stacktrace=1"));
        if let Some(symbolizer) = &self.symbolizer {
            command.env("ASAN_SYMBOLIZER_PATH", symbolizer).env("UBSAN_SYMBOLIZER_PATH", symbolizer);
        }
    }
}

/// The twin knows best why it ended the run; then the sanitizer; then the process's status.
fn ending(told: Option<NativeEnding>, report: Option<Report>, status: ExitStatus, stderr: &str) -> NativeEnding {
    match (told, report) {
        // The twin ends an abort by a signal, whose report has the stack that the twin does not.
        (Some(NativeEnding::Fault(fault)), Some(Report::Fault(seen))) if fault.frames.is_empty() => {
            NativeEnding::Fault(NativeFault { frames: seen.frames, ..fault })
        }
        (Some(told), _) => told,
        (None, Some(Report::Fault(fault))) => NativeEnding::Fault(fault),
        (None, Some(Report::Broken(reason))) => NativeEnding::NoVerdict(reason),
        (None, None) => match (status.code(), status.signal()) {
            (Some(code), _) => NativeEnding::Exit(code),
            (None, Some(signal)) => match signal_fault(signal, stderr) {
                Some(fault) => NativeEnding::Fault(fault),
                None => NativeEnding::Signal(signal),
            },
            (None, None) => NativeEnding::NoVerdict("the process ended in an unknown way".to_owned()),
        },
    }
}

fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir(path).map_err(|cause| ReportError::file("make", path, cause))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|cause| ReportError::file("write", path, cause))
}
