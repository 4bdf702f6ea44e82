//! `osier run`: explore, write tests as paths finish, then errors, coverage and the summary.

use crate::confirm::confirm;
use crate::console::{Console, line, print_statistics};
use crate::failure::{Done, FOUND, Failure};
use crate::flags::RunFlags;
use crate::log_flags::finish_log;
use crate::memory_in_use::bytes_in_use;
use crate::native::{load_program, program_files, report_failure};
use crate::panics::Panics;
use crate::resume::{self, Resumed};
use crate::summary::{Before, Findings, summarise};
use crate::world::{self, Built};
use clap::CommandFactory;
use osier::outcome::{Cut, Ending, Fault, Finished, Input};
use osier::report::test_writer::test_name;
use osier::report::{Progress, ProgressFile, RunFolder, TestWriter, render_fault, summary_block};
use osier::{Exploration, Interrupter, Options, Stopped, World, covered, covered_instructions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub fn run(flags: RunFlags, panics: &Panics) -> Done {
    let (flags, resumed) = resume::restore(flags)?;
    let (files, arguments) = split_program(&flags.program);
    if files.is_empty() {
        let name = &flags.program[0];
        return Err(Failure::usage(format!(
            "{name} is no program: name a binary built by `osier cc`, or .c, .bc or .ll files, first"
        )));
    }
    let mut console = Console::new(flags.json);
    if let Some(option) = arguments.iter().find(|argument| is_our_option(argument) && !world::is_option(argument)) {
        console.message(&format!("warning: {option} goes to the program; options of osier stand before it"));
    }
    let loaded = load_program(&files, &flags.build, &flags.build.entry)?;
    for warning in &loaded.warnings {
        console.message(&format!("warning: {warning}"));
    }
    let fingerprint = resume::fingerprint(&loaded.module);
    if let Some(resumed) = &resumed {
        resumed.check(&fingerprint)?;
    }
    let Built { world, recorded, given } = world::build(&flags.world, &files[0].display().to_string(), &arguments)?;
    let seeds = flags.seeds.load(flags.otherside.as_ref(), &world, &console)?;
    let mut options = options(&flags, world);
    options.config.memory = flags.memory.config(&loaded.module, &fingerprint)?;
    options.config.pending = flags.pending.config(&flags.search, !seeds.is_empty());
    options.config.seeds = seeds;
    options.solver.log = flags.log.log();
    let log = options.solver.log.clone();
    let mut exploration = Exploration::new(loaded, options).map_err(Failure::usage)?;
    exploration.set_memory_probe(Box::new(bytes_in_use));
    let interrupted = watch_interrupts(exploration.interrupter());
    let folder = match (&resumed, &flags.out) {
        (Some(resumed), _) => RunFolder::reopen(&resumed.folder),
        (None, Some(path)) => RunFolder::create_at(path),
        (None, None) => RunFolder::create_numbered(Path::new(".")),
    };
    let folder = folder.map_err(report_failure)?;
    if let Some(problem) = folder.link_problem() {
        console.message(&format!("warning: {problem}"));
    }
    if let Some(log) = &log {
        flags.log.attach(log, &folder)?;
    }
    given.write(&folder).map_err(report_failure)?;
    let argv = recorded.into_iter().map(String::into_bytes).collect();
    let mut findings = resumed.as_ref().map_or_else(Findings::default, Resumed::findings);
    if let Some(resumed) = resumed {
        resumed.recorded.tidy(folder.path()).map_err(Failure::broken)?;
        exploration.resume(resumed.recorded.history);
    } else if is_recorded(&flags) {
        resume::leave_command(&folder, &flags, fingerprint.clone())?;
    }
    let writer = match is_recorded(&flags) {
        true => TestWriter::start_recording(&folder, argv, findings.last_test),
        false => TestWriter::start(&folder, argv),
    };
    let mut writer = writer.map_err(Failure::broken)?;
    // That another session begins has to stand before its first path.
    writer.record(exploration.take_record(1));
    let mut shown = Vec::new();
    let explored = panics.guard(|| {
        explore(&flags, &mut exploration, &mut writer, &folder, &mut console, &mut findings, &mut shown, &interrupted)
    });
    let written = writer.finish().map_err(Failure::broken);
    let strays = exploration.strays();
    if strays > 0 {
        let text = format!("{strays} forks were not as in the earlier run: what it did there may have been done again");
        folder.message(&text).map_err(Failure::broken)?;
    }
    let logged = finish_log(log.as_ref());
    for problem in exploration.finish_cache() {
        console.message(&format!("warning: {problem}"));
    }
    console.finish();
    let (mut summary, coverage) = summarise(files[0].display().to_string(), &exploration, findings);
    if explored.is_err() {
        summary.stopped = "failed".into();
    }
    // What can be saved is, whatever failed before; the first failure is the one to tell.
    let saved = coverage.write(&folder).and(summary.write(&folder)).map_err(Failure::broken);
    explored.and(written.map(drop)).and(saved).and(logged)?;
    if flags.memory.learn_segments {
        exploration.learnt_segments(fingerprint).write(&folder).map_err(Failure::broken)?;
    }
    if flags.write_covered {
        let covered = covered_instructions(exploration.program(), exploration.coverage());
        folder.write("covered.txt", covered.as_bytes()).map_err(Failure::broken)?;
    }
    let mut doubts = Vec::new();
    if flags.confirm {
        doubts = confirm(&flags, &files, &folder, &mut summary.errors, &interrupted)?;
        summary.write(&folder).map_err(Failure::broken)?;
    }
    if flags.stats {
        print_statistics(&exploration.totals().queries);
    }
    if flags.json {
        line(summary.to_json().trim_end())?;
    } else {
        for (fault, inputs, test) in &shown {
            show_fault(&flags, &console, &files, &folder, fault, inputs, test.as_deref())?;
            if summary.errors.iter().any(|error| error.test == *test && error.confirmed == Some(true)) {
                line("note: confirmed: the native program ends the same way")?;
            }
        }
        for doubt in doubts {
            console.message(&format!("warning: {doubt}"));
        }
        line(summary_block(&summary).trim_end())?;
        line(format_args!("results in {}", folder.path().display()))?;
    }
    exploration.leave();
    Ok(if summary.errors.is_empty() { 0 } else { FOUND })
}

/// A query that solvers disagree about goes into the run's folder, for whoever finds out which of them is wrong.
fn engine_failure(error: &osier::Error, folder: &RunFolder) -> Failure {
    let Some(script) = error.disputed_query() else { return Failure::broken(error) };
    let file = folder.path().join("disputed.smt2");
    match std::fs::write(&file, script) {
        Ok(()) => Failure::broken(format!("{error}\n  note: the query is in {}", file.display())),
        Err(cause) => Failure::broken(format!("{error}\n  note: the query could not be written to a file: {cause}")),
    }
}

/// The record of paths is written when so many bytes of it wait, and at least so often.
const RECORD_BYTES: usize = 1 << 14;
const RECORD_EVERY: Duration = Duration::from_secs(1);

/// Whether a later run can go on from this one. Merged states stand for several paths, of which a record knows nothing;
/// what the paths of a record have learnt is not in it.
fn is_recorded(flags: &RunFlags) -> bool {
    !flags.use_merge && flags.otherside.is_none() && !flags.memory.learn_segments
}

type Shown = (Fault, Vec<Input>, Option<String>);

#[allow(clippy::too_many_arguments, reason = "the run's parts, each used in its own way")]
fn explore(
    flags: &RunFlags,
    exploration: &mut Exploration,
    writer: &mut TestWriter,
    folder: &RunFolder,
    console: &mut Console,
    findings: &mut Findings,
    shown: &mut Vec<Shown>,
    interrupted: &AtomicBool,
) -> Result<(), Failure> {
    let began = Instant::now();
    let mut went = ProgressFile::open(folder).map_err(Failure::broken)?;
    let mut recorded = began;
    loop {
        let going = exploration.advance().map_err(|error| engine_failure(&error, folder))?;
        while let Some(text) = exploration.take_message() {
            folder.message(&text).map_err(Failure::broken)?;
            console.message(&text);
        }
        while let Some(finished) = exploration.take_finished() {
            take_path(flags, writer, console, findings, shown, finished)?;
        }
        let due = !going || recorded.elapsed() >= RECORD_EVERY;
        let record = exploration.take_record(if due { 1 } else { RECORD_BYTES });
        if !record.is_empty() {
            writer.record(record);
            recorded = Instant::now();
        }
        if flags.max_tests.is_some_and(|most| findings.tests >= most) {
            exploration.stop(Stopped::MaxTests);
        }
        if writer.has_failed() || interrupted.load(Ordering::Relaxed) {
            exploration.stop(Stopped::Interrupted);
        }
        if !going || went.is_due(findings.before.time() + began.elapsed()) {
            went.add(&with_before(progress(exploration, findings), &findings.before)).map_err(Failure::broken)?;
        }
        if !going {
            return Ok(());
        }
        if console.wants_progress() {
            console.progress(&progress(exploration, findings));
        }
    }
}

/// Whether a path becomes a test: one that was left because the program said so, or because nobody knows whether it
/// exists, does not; nor does one beyond the number that was asked for.
fn is_test(flags: &RunFlags, findings: &Findings, finished: &Finished) -> bool {
    let new = !flags.only_new_tests || finished.covered_new;
    let wanted = match finished.ending {
        Ending::Fault(_) | Ending::Cut(Cut::OtherSide) => true,
        Ending::Exit(_) => new,
        Ending::Cut(Cut::RunEnded | Cut::Depth | Cut::Memory) => new,
        Ending::Cut(Cut::SolverUnknown | Cut::Silent) => false,
    };
    wanted && !flags.no_tests && flags.max_tests.is_none_or(|most| findings.tests < most)
}

fn take_path(
    flags: &RunFlags,
    writer: &mut TestWriter,
    console: &Console,
    findings: &mut Findings,
    shown: &mut Vec<Shown>,
    finished: Finished,
) -> Result<(), Failure> {
    let test = is_test(flags, findings, &finished).then(|| {
        findings.tests += 1;
        findings.last_test += 1;
        format!("{}.ktest", test_name(findings.last_test))
    });
    let show = |text: &Vec<u8>| console.show(String::from_utf8_lossy(text).trim_end_matches('\n'));
    let written = [&finished.stdout, &finished.stderr];
    let echoed = written.into_iter().filter(|text| flags.echo && !text.is_empty()).try_for_each(show);
    let new = findings.count(&finished.ending, test.as_deref());
    if new && let Ending::Fault(fault) = &finished.ending {
        shown.push((fault.clone(), finished.inputs.clone(), test.clone()));
    }
    match test {
        Some(_) => drop(writer.submit(finished)),
        None => writer.submit_untested(&finished),
    }
    echoed
}

fn show_fault(
    flags: &RunFlags,
    console: &Console,
    files: &[PathBuf],
    folder: &RunFolder,
    fault: &Fault,
    inputs: &[Input],
    test: Option<&str>,
) -> Result<(), Failure> {
    let reproduce = test.map(|test| reproduce_command(flags, files, &folder.path().join(test)));
    let source = |file: &str| std::fs::read_to_string(file).ok();
    line(render_fault(fault, inputs, reproduce.as_deref(), console.colour(), &source))
}

fn reproduce_command(flags: &RunFlags, files: &[PathBuf], test: &Path) -> String {
    let mut words = vec!["osier".to_string(), "replay".to_string()];
    words.extend(flags.build.cc_flags.iter().map(|text| format!("--cc-flags={text}")));
    if flags.build.entry != "main" {
        words.push(format!("--entry={}", flags.build.entry));
    }
    if !flags.check.is_empty() {
        words.push(format!("--check={}", flags.check.join(",")));
    }
    words.extend(files.iter().map(|file| file.display().to_string()));
    words.push(test.display().to_string());
    let quoted = words.iter().map(|word| shlex::try_quote(word).map_or_else(|_| word.clone(), Into::into));
    quoted.collect::<Vec<_>>().join(" ")
}

fn progress(exploration: &Exploration, findings: &Findings) -> Progress {
    let totals = exploration.totals();
    let (_, coverage) = covered(exploration.program(), exploration.coverage());
    Progress {
        elapsed: Duration::from_secs_f64(totals.seconds),
        paths_completed: totals.counters.completed,
        states: totals.states as u64,
        pending: totals.pending as u64,
        errors: findings.errors.len() as u64,
        instructions: totals.counters.instructions,
        coverage: coverage.instructions,
        solving: Duration::from_secs_f64(totals.queries.seconds),
        memory_bytes: bytes_in_use(),
    }
}

/// The same with what earlier runs did that this one goes on from; the time in the solver is that of this one.
fn with_before(progress: Progress, before: &Before) -> Progress {
    Progress {
        elapsed: before.time() + progress.elapsed,
        paths_completed: before.completed + progress.paths_completed,
        instructions: before.instructions + progress.instructions,
        ..progress
    }
}

/// Whether a word is an option that `osier run` has: behind the program it means nothing to us.
fn is_our_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    let command = crate::flags::Flags::command();
    let run = command.find_subcommand("run");
    name.strip_prefix("--").is_some_and(|name| {
        run.is_some_and(|run| run.get_arguments().any(|argument| argument.get_long() == Some(name)))
    })
}

/// The program's files are the leading words that name such files; the rest are its arguments.
fn split_program(words: &[String]) -> (Vec<PathBuf>, Vec<String>) {
    let files = program_files(words);
    (words[..files].iter().map(PathBuf::from).collect(), words[files..].to_vec())
}

fn options(flags: &RunFlags, world: World) -> Options {
    let mut options = Options {
        search: flags.search.clone(),
        checks: flags.check.clone(),
        batch_instructions: flags.batch_instructions,
        cache: flags.cache.file(),
        world,
        ..Options::default()
    };
    let config = &mut options.config;
    config.entry.clone_from(&flags.build.entry);
    config.all_errors = flags.all_errors;
    config.exit_on_error = flags.exit_on_error;
    config.write_kquery = flags.write_kqueries;
    config.write_smt2 = flags.write_smt2;
    config.keep_all_partial = flags.partial_tests;
    config.merge = flags.use_merge;
    config.seed = flags.seed;
    config.record = is_recorded(flags);
    config.other_sides = flags.otherside.is_some();
    let limits = &mut config.limits;
    limits.time = flags.max_time;
    limits.instructions = flags.max_instructions;
    limits.forks = flags.max_forks;
    limits.depth = flags.max_depth;
    limits.memory = (flags.max_memory > 0).then_some(flags.max_memory);
    limits.stack_frames = flags.max_stack_frames;
    limits.symbolic_size = flags.max_symbolic_size;
    flags.solver.apply(&mut options.solver, &mut options.backend);
    options
}

/// Set by the first Ctrl-C, or by a request to terminate; a second one ends the process at once.
fn watch_interrupts(interrupter: Interrupter) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without the handler Ctrl-C still works, only less politely.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        interrupter.interrupt();
    });
    flag
}
