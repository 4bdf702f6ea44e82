//! One test on the native program.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use super::launch::{Isolation, Launch};
use super::process::run_limited;
use super::record::parse_record;
use super::root::make_root;
use super::sanitizer::{Report, parse_report, signal_fault};
use super::streams::{Streams, written};
use super::world::{TestWorld, world};
use super::{NativeEnding, NativeFault, NativeProgram, NativeRun};
use crate::error::{ReportError, Result};
use crate::ktest::KTest;
use crate::stream::Stream;
use crate::world_file::World;

/// What a native run is given besides its test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunOptions {
    pub limit: Duration,
    pub world: World,
    /// Variables of the environment that are for the build and not for the program, such as a profiler's.
    pub variables: Vec<(OsString, OsString)>,
    /// Folders, absolute, that the program finds at the same place, and what it writes there stays.
    pub kept: Vec<PathBuf>,
}

impl RunOptions {
    pub fn new(limit: Duration) -> RunOptions {
        RunOptions { limit, world: World::default(), variables: Vec::new(), kept: Vec::new() }
    }
}

impl NativeProgram {
    /// Runs the test in a world of its own, which goes away with the run.
    pub fn run(&self, test: &KTest, options: &RunOptions) -> Result<NativeRun> {
        let folder = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(self.folder.path())
            .map_err(|cause| ReportError::file("make a folder in", self.folder.path(), cause))?;
        let (root, outside) = (folder.path().join("root"), folder.path());
        let world = world(test);
        let bindings = make_root(&root, self, &options.world, &world, &options.kept)?;
        let launch =
            Launch { launcher: &self.launcher, isolation: self.isolation, root: &root, outside, binary: &self.binary };
        let files = TwinFiles::new(outside);
        let mut variables: Vec<OsString> = options.world.env.iter().map(OsString::from).collect();
        variables.extend(options.variables.iter().map(|(name, value)| variable(name, value)));
        if self.has_twin {
            variables.extend(self.prepare_twin(test, &files, &options.world)?);
        }
        let owner = (options.world.user, options.world.group);
        let mut command = launch.command(owner, &bindings, &variables);
        match world.args.as_slice() {
            [] => command.arg(&self.binary),
            args => command.args(args),
        };
        let streams = Streams::open(&world, options.world.stdin.as_deref(), outside, &mut command)
            .map_err(|cause| ReportError::file("make standard input and output in", outside, cause))?;
        let ran = run_limited(command, streams.feed, streams.stdout, options.limit)
            .map_err(|cause| ReportError::file("run", &self.binary, cause))?;
        if let Ok(problem) = fs::read_to_string(outside.join("problem")) {
            let reason = format!("the launcher {}", problem.trim_end());
            return Err(ReportError::NotReplayable { path: self.binary.clone(), reason });
        }
        let stdout = match streams.stdout_file {
            Some(path) => written(&path).map_err(|cause| ReportError::file("read", &path, cause))?,
            None => ran.stdout,
        };

        let record = fs::read_to_string(&files.ending).ok().and_then(|text| parse_record(&text));
        let unread_inputs = record.as_ref().map_or(0, |record| record.unread_inputs);
        let told = record.and_then(|record| record.ending);
        // Only the program's own report: a child that it forked has another number.
        let report = fs::read(files.log.with_extension(ran.pid.to_string())).unwrap_or_default();
        let report = parse_report(&String::from_utf8_lossy(&report));
        let ending = match ran.status {
            None => NativeEnding::TimedOut(options.limit),
            Some(status) => ending(told, report, status, &String::from_utf8_lossy(&ran.stderr.beginning)),
        };
        let doubt = self.doubt(&world, &options.world);
        let stderr = if self.has_twin { without_twins_words(ran.stderr) } else { ran.stderr };
        Ok(NativeRun { ending, checks: self.checks, unread_inputs, stdout, stderr, doubt, elapsed: ran.elapsed })
    }

    /// Writes what the twin reads. Returns the variables that it and the sanitizers need.
    fn prepare_twin(&self, test: &KTest, files: &TwinFiles, world: &World) -> Result<Vec<OsString>> {
        let write = fs::write(&files.test, test.to_bytes());
        write.map_err(|cause| ReportError::file("write", &files.test, cause))?;
        if rustix::process::geteuid().is_root() && world.user != 0 {
            let outside = files.test.parent().unwrap_or(Path::new("."));
            std::os::unix::fs::chown(outside, Some(world.user), Some(world.group))
                .map_err(|cause| ReportError::file("set up", outside, cause))?;
        }
        let mut variables = self.sanitizer_options(&files.log);
        variables.push(variable("OSIER_TEST", &files.test));
        variables.push(variable("OSIER_ENDING", &files.ending));
        Ok(variables)
    }

    /// Why a difference from what Osier said would prove nothing.
    fn doubt(&self, test: &TestWorld, given: &World) -> Option<String> {
        if let Some(call) = &test.failing_call {
            return Some(format!("the test makes system calls fail ({call}), which a native run cannot"));
        }
        let outside = match self.isolation {
            Isolation::Folder => {
                test.names_the_root() || given.files.iter().map(|f| &f.guest).any(|g| Path::new(g).is_absolute())
            }
            Isolation::Chroot | Isolation::Namespace => false,
        };
        outside.then(|| "the test names absolute paths, and the native program had no root of its own".to_owned())
    }

    fn sanitizer_options(&self, log: &Path) -> Vec<OsString> {
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
        let mut variables = vec![
            variable("ASAN_OPTIONS", address.join(":")),
            variable("UBSAN_OPTIONS", format!("{log}:print_stacktrace=1")),
        ];
        if let Some(symbolizer) = &self.symbolizer {
            variables.push(variable("ASAN_SYMBOLIZER_PATH", symbolizer));
            variables.push(variable("UBSAN_SYMBOLIZER_PATH", symbolizer));
        }
        variables
    }
}

fn variable(name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> OsString {
    let mut variable = name.as_ref().to_owned();
    variable.push("=");
    variable.push(value);
    variable
}

/// What the twin and the sanitizers read and write, outside the test's world.
struct TwinFiles {
    test: PathBuf,
    ending: PathBuf,
    log: PathBuf,
}

impl TwinFiles {
    fn new(outside: &Path) -> TwinFiles {
        TwinFiles { test: outside.join("test.ktest"), ending: outside.join("ending"), log: outside.join("report") }
    }
}

/// Standard error without what the twin says there, which the program did not write.
fn without_twins_words(stderr: Stream) -> Stream {
    const MARK: &[u8] = b"osier replay: ";
    if !stderr.is_whole() || !stderr.beginning.windows(MARK.len()).any(|window| window == MARK) {
        return stderr;
    }
    let lines = stderr.beginning.split_inclusive(|&byte| byte == b'\n');
    Stream::of(&lines.filter(|line| !line.starts_with(MARK)).collect::<Vec<_>>().concat())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_twin_says_is_not_the_programs() {
        let stderr = Stream::of(b"mine\nosier replay: warning: x\nmy osier replay: y\n");
        assert_eq!(without_twins_words(stderr), Stream::of(b"mine\nmy osier replay: y\n"));
        assert_eq!(without_twins_words(Stream::of(b"plain")), Stream::of(b"plain"));
    }
}
