//! `osier replay`: each test on the native program.

use crate::console::line;
use crate::failure::{Done, FOUND, Failure};
use crate::flags::ReplayFlags;
use crate::native::{build_native, is_program_file, report_failure};
use osier::outcome::Ending;
use osier::report::replay::{Agreement, Isolation, NativeProgram, NativeRun, RunOptions, describe, same};
use osier::report::test_writer::tests_in;
use osier::report::{Endings, KTest, World};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

pub fn replay(flags: &ReplayFlags) -> Done {
    let (program, named): (Vec<PathBuf>, Vec<PathBuf>) =
        flags.files.iter().cloned().partition(|file| is_program_file(file));
    if program.is_empty() {
        if let Some(missing) = named.first().filter(|file| !file.exists()) {
            return Err(Failure::usage(format!("cannot read {}: there is no such file", missing.display())));
        }
        return Err(Failure::usage("no program given: name its binary or its .c, .bc or .ll files before the tests"));
    }
    let tests = all_tests(named)?;
    if tests.is_empty() {
        return Err(Failure::usage("no test given: name .ktest files or run folders after the program"));
    }
    // What cannot be read is found before anything is compiled.
    for test in &tests {
        KTest::read(test).map_err(Failure::usage)?;
    }
    let mut runs = BTreeMap::new();
    for folder in tests.iter().map(|test| folder_of(test)) {
        if !runs.contains_key(folder) {
            runs.insert(folder.to_owned(), Said::read(folder, flags)?);
        }
    }
    let mut native = build_native(&program, &flags.build, !flags.no_sanitizers, &flags.check)?;
    if flags.no_root {
        native = native.without_root();
    }
    if !flags.keep.is_empty() && native.isolation() != Isolation::Namespace {
        return Err(Failure::usage("--keep needs a binary, and a machine that lets us make name spaces"));
    }
    let mut count = Count::default();
    let stop = stop_on_interrupt();
    let tell = |test: &Path, replayed| count.tell(flags, test, &replayed);
    run_all(flags.jobs, &tests, &stop, |test| one(&native, &runs, test), tell)?;
    if tests.len() > 1 {
        line(&count)?;
    }
    if count.tests < tests.len() as u64 {
        return Err(Failure { status: INTERRUPTED, message: "interrupted: not every test was replayed".into() });
    }
    Ok(if count.different > 0 { FOUND } else { 0 })
}

/// The tests named, and all that are in the folders named.
fn all_tests(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let mut tests = Vec::new();
    for path in named {
        if path.is_dir() {
            tests.extend(tests_in(&path).map_err(Failure::usage)?);
        } else {
            tests.push(path);
        }
    }
    Ok(tests)
}

/// What a shell would say of a command that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Set by the first Ctrl-C, or by a request to terminate: the tests under way are ended in order, for their folders would
/// stay behind. A second one ends the process at once.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without the handler Ctrl-C still works, only less tidily.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    flag
}

fn folder_of(test: &Path) -> &Path {
    test.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What the run folder says about its tests, and what they need.
struct Said {
    endings: Endings,
    options: RunOptions,
}

impl Said {
    fn read(folder: &Path, flags: &ReplayFlags) -> Result<Said, Failure> {
        let endings = Endings::read(folder).map_err(Failure::usage)?;
        let mut world = World::read(folder).map_err(Failure::usage)?;
        let absolute = |path: &PathBuf| {
            path.canonicalize().map_err(|cause| Failure::usage(format!("cannot read {}: {cause}", path.display())))
        };
        world.override_with(&World {
            env: flags.env.clone(),
            files: flags.file.clone(),
            dirs: flags.dir.clone(),
            stdin: flags.stdin.as_ref().map(absolute).transpose()?,
            ..World::default()
        });
        let passed = flags.pass_env.iter().filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
        let kept = flags.keep.iter().map(absolute).collect::<Result<_, _>>()?;
        let options = RunOptions { limit: flags.limit, world, variables: passed.collect(), kept };
        Ok(Said { endings, options })
    }
}

struct Replayed {
    run: NativeRun,
    /// None if the run folder says nothing about the test.
    agreement: Option<Agreement>,
    /// Whether the run left the path before its end: then there is nothing to agree with.
    was_left: bool,
}

fn one(native: &NativeProgram, runs: &BTreeMap<PathBuf, Said>, path: &Path) -> Result<Replayed, Failure> {
    let Said { endings, options } = &runs[folder_of(path)];
    let test = KTest::read(path).map_err(Failure::usage)?;
    let run = native.run(&test, options).map_err(report_failure)?;
    let expected = endings.expected(path);
    let agreement = expected.as_ref().map(|expected| same(expected, &run));
    let was_left = expected.is_some_and(|expected| matches!(expected.ending, Ending::Cut(_)));
    Ok(Replayed { run, agreement, was_left })
}

/// Does the work on each test, several at a time, and tells of them in their order. The first failure ends it.
fn run_all<T: Send>(
    jobs: Option<u32>,
    tests: &[PathBuf],
    stop: &AtomicBool,
    work: impl Fn(&Path) -> Result<T, Failure> + Sync,
    mut tell: impl FnMut(&Path, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let processors = || std::thread::available_parallelism().map_or(1, |count| count.get());
    let jobs = jobs.map_or_else(processors, |jobs| jobs as usize).min(tests.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(test) = tests.get(index) else { return };
                    // Nobody listens after a failure; then there is nothing more to do.
                    if sender.send((index, work(test))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let told = tell_in_order(receiver, tests, &mut tell);
        stop.store(true, Ordering::Relaxed);
        told
    })
}

fn tell_in_order<T>(
    done: mpsc::Receiver<(usize, Result<T, Failure>)>,
    tests: &[PathBuf],
    tell: &mut impl FnMut(&Path, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let mut told = 0;
    for (index, result) in done {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&told) {
            tell(&tests[told], result?)?;
            told += 1;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Count {
    tests: u64,
    same: u64,
    different: u64,
    cannot_tell: u64,
    left: u64,
}

impl Count {
    fn tell(&mut self, flags: &ReplayFlags, test: &Path, replayed: &Replayed) -> Result<(), Failure> {
        let Replayed { run, agreement, was_left } = replayed;
        let name = test.display();
        self.tests += 1;
        match agreement {
            None => line(format_args!("{name}: {}", describe(&run.ending)))?,
            Some(Agreement::Same) => {
                self.same += 1;
                line(format_args!("{name}: same: {}", describe(&run.ending)))?;
            }
            Some(Agreement::CannotTell(why)) => {
                self.left += u64::from(*was_left);
                self.cannot_tell += u64::from(!was_left);
                line(format_args!("{name}: cannot tell: {why}"))?;
            }
            Some(Agreement::Different(how)) => {
                self.different += 1;
                line(format_args!("{name}: different: {how}"))?;
            }
        }
        if flags.echo {
            for stream in [&run.stdout, &run.stderr] {
                let text = String::from_utf8_lossy(&stream.beginning);
                if !text.is_empty() {
                    line(text.trim_end_matches('\n'))?;
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Count { tests, same, different, cannot_tell, left } = self;
        write!(f, "{tests} tests: {same} same, {different} different, {cannot_tell} that a native run cannot tell")?;
        if *left > 0 {
            write!(f, ", {left} of paths that the run left before their end")?;
        }
        Ok(())
    }
}
