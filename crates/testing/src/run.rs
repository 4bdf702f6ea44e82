//! Starting `osier` and reading what it leaves.

use crate::{KTest, Summary};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// One `osier run`, finished.
#[derive(Debug)]
pub struct Outcome {
    /// The run folder; gone when this is dropped.
    pub folder: TempDir,
    pub status: Option<i32>,
    pub stderr: String,
    pub summary: Summary,
    /// Sorted by file name.
    pub tests: Vec<(PathBuf, KTest)>,
    /// What each path wrote, in the order of `tests`.
    pub outputs: Vec<Vec<u8>>,
}

/// A finished process; `status` is absent if a signal ended it.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs a command to its end, or kills it at the time limit and says so.
pub fn run_limited(mut command: Command, limit: Duration) -> Result<Ended, String> {
    let shown = format!("{command:?}");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("cannot start {shown}: {e}"))?;
    // The pipes are drained while waiting: a full pipe would stop the child for ever.
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let drain = |pipe: Option<&mut dyn Read>| {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before a failure is all that can be shown.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    };
    std::thread::scope(|scope| {
        let stdout = scope.spawn(|| drain(out.as_mut().map(|p| p as &mut dyn Read)));
        let stderr = scope.spawn(|| drain(err.as_mut().map(|p| p as &mut dyn Read)));
        let waited = child.wait_timeout(limit).map_err(|e| format!("cannot wait for {shown}: {e}"))?;
        let status = match waited {
            Some(status) => status,
            None => {
                child.kill().and_then(|()| child.wait()).map_err(|e| format!("cannot kill {shown}: {e}"))?;
                return Err(format!("killed after {} s: {shown}", limit.as_secs()));
            }
        };
        let joined = |handle: std::thread::ScopedJoinHandle<'_, Vec<u8>>| handle.join().unwrap_or_default();
        Ok(Ended { status: status.code(), stdout: joined(stdout), stderr: joined(stderr) })
    })
}

/// `osier run --out FOLDER OPTIONS PROGRAM ARGS`, and everything that it left.
pub fn run(osier: &Path, options: &[String], program: &Path, args: &[String]) -> Result<Outcome, String> {
    run_within(osier, options, program, args, time_limit())
}

/// [`run`] with a time limit of its own, at which the command is killed.
pub fn run_within(
    osier: &Path,
    options: &[String],
    program: &Path,
    args: &[String],
    limit: Duration,
) -> Result<Outcome, String> {
    let folder = TempDir::new().map_err(|e| format!("no folder for the run: {e}"))?;
    let out = folder.path().join("out");
    let mut command = Command::new(osier);
    command.arg("run").arg("--out").arg(&out).args(options).arg(program).args(args);
    let shown = format!("{command:?}");
    let ended = run_limited(command, limit)?;
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    let fail = |what: String| format!("{what}\n  command: {shown}\n  status: {:?}\n{}", ended.status, indent(&stderr));
    let text = std::fs::read_to_string(out.join("summary.json")).map_err(|e| fail(format!("no summary.json: {e}")))?;
    let summary = serde_json::from_str(&text).map_err(|e| fail(format!("summary.json: {e}")))?;
    let mut tests = Vec::new();
    let mut outputs = Vec::new();
    for path in ktest_files(&out).map_err(fail)? {
        let bytes = std::fs::read(&path).map_err(|e| fail(format!("{}: {e}", path.display())))?;
        let test = KTest::parse(&bytes).map_err(|e| fail(format!("{}: {e}", path.display())))?;
        outputs.push(std::fs::read(path.with_extension("out")).unwrap_or_default());
        tests.push((path, test));
    }
    Ok(Outcome { status: ended.status, stderr, summary, tests, outputs, folder })
}

/// `osier replay OPTIONS PROGRAM TEST...`, with the [`build_options`] of a run; the error is what the command says where a test goes elsewhere natively.
pub fn replay(osier: &Path, options: &[String], program: &Path, tests: &[PathBuf]) -> Result<(), String> {
    let mut command = Command::new(osier);
    command.arg("replay").args(options).arg(program).args(tests);
    let shown = format!("{command:?}");
    let ended = run_limited(command, time_limit())?;
    if ended.status == Some(0) {
        return Ok(());
    }
    let stdout = String::from_utf8_lossy(&ended.stdout);
    let telling: Vec<&str> = stdout.lines().filter(|line| !line.ends_with(": same")).collect();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    Err(format!("status {:?} of {shown}\n{}\n{}", ended.status, indent(&telling.join("\n")), indent(&stderr)))
}

/// The options of a run that decide what the native program is.
pub fn build_options(options: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let name = option.split('=').next().unwrap_or_default();
        if name != "--cc-flags" && name != "--entry" {
            continue;
        }
        kept.push(option.clone());
        if name == option {
            kept.extend(rest.next().cloned());
        }
    }
    kept
}

fn ktest_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot list the run folder: {e}"))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "ktest"));
    files.sort();
    Ok(files)
}

/// `OSIER_TEST_SECONDS` for slow machines; a minute else.
fn time_limit() -> Duration {
    let asked = std::env::var("OSIER_TEST_SECONDS").ok().and_then(|s| s.parse().ok());
    Duration::from_secs(asked.unwrap_or(60))
}

pub(crate) fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_larger_than_a_pipe_does_not_block() {
        let ended = run_limited(sh("head -c 300000 /dev/zero; exit 7"), Duration::from_secs(20)).unwrap();
        assert_eq!((ended.status, ended.stdout.len()), (Some(7), 300_000));
    }

    #[test]
    fn what_hangs_is_killed_and_named() {
        let error = run_limited(sh("exec sleep 30"), Duration::from_millis(100)).unwrap_err();
        assert!(error.contains("killed") && error.contains("sleep 30"), "{error}");
    }

    /// A stand-in for the command: a script that gets the same words.
    fn stand_in(script: &str) -> (TempDir, PathBuf) {
        use std::os::unix::fs::PermissionsExt;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("osier");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        (folder, path)
    }

    #[test]
    fn a_run_folder_is_read_whole() {
        let script = r#"
            mkdir "$3"
            printf '%s' '{"stopped":"finished","paths":{"completed":1,"partial":0,"pending":0},"tests":1,
                "errors":[{"kind":"abort","file":"p.c","line":3,"function":"main","message":"abort called",
                           "test":"test000001","confirmed":true,"count":2}],
                "coverage":{"lines":{"covered":1,"total":2},
                "instructions":{"covered":1,"total":2},"branches":{"covered":0,"total":0}},"exits":{"7":1},"more":[]}' > "$3/summary.json"
            printf 'KTEST\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' > "$3/test000001.ktest"
            echo "$1 $4 $5" > "$3/test000001.out"
            echo noted >&2
            exit 1"#;
        let (_folder, osier) = stand_in(script);
        let outcome = run(&osier, &["--json".into()], Path::new("p.c"), &[]).unwrap();
        assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), "noted\n"));
        assert_eq!(outcome.outputs, [b"run --json p.c\n"]);
        assert_eq!((outcome.tests.len(), outcome.summary.errors[0].count), (1, 2));
        assert_eq!(outcome.summary.exits, [(7, 1)].into());
    }

    #[test]
    fn a_run_without_a_summary_shows_what_the_command_said() {
        let (_folder, osier) = stand_in("echo 'no such option' >&2; exit 2");
        let error = run(&osier, &[], Path::new("p.c"), &[]).unwrap_err();
        assert!(error.contains("no summary.json") && error.contains("no such option"), "{error}");
    }

    #[test]
    fn a_replay_fails_with_the_lines_that_differ() {
        let (_folder, osier) = stand_in("echo 'a.ktest: same'; echo 'b.ktest: different: exit 3'; exit 1");
        let error = replay(&osier, &[], Path::new("p.c"), &["a.ktest".into()]).unwrap_err();
        assert!(error.contains("b.ktest: different") && !error.contains("a.ktest: same"), "{error}");
    }

    #[test]
    fn replay_gets_the_options_that_shape_the_program() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let kept = build_options(&words("--search=dfs --cc-flags=-O2 --max-depth 3 --entry check"));
        assert_eq!(kept, words("--cc-flags=-O2 --entry check"));
    }
}
