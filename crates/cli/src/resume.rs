//! `osier run --resume RUN`: the command of an earlier run again, in its folder, without the paths that it has followed.

use crate::failure::Failure;
use crate::flags::{Command, Flags, RunFlags};
use crate::native::report_failure;
use crate::summary::{Before, Findings};
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches};
use osier::ir::Module;
use osier::outcome::Ending;
use osier::report::test_writer::test_name;
use osier::report::{CommandFile, KeptPath, Recorded, RunFolder};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What may be said anew when a run goes on: how long, and what is shown.
const CHANGEABLE: &[&str] = &[
    "resume",
    "max_time",
    "max_instructions",
    "max_memory",
    "max_tests",
    "check_budget",
    "solver_timeout",
    "solver_memory",
    "json",
    "stats",
    "echo",
    "confirm",
];

/// An earlier run to go on from.
pub struct Resumed {
    pub folder: PathBuf,
    fingerprint: String,
    pub recorded: Recorded,
}

/// The options to run with: those that were given, or those of the run that is to go on, and that run.
pub fn restore(flags: RunFlags) -> Result<(RunFlags, Option<Resumed>), Failure> {
    let Some(folder) = &flags.resume else { return Ok((flags, None)) };
    let none = || {
        Failure::usage(format!(
            "{} has no record of a run that could go on\n  help: name the folder of a run; one with --use-merge, \
             --otherside or --learn-segments leaves no record",
            folder.display()
        ))
    };
    let command = CommandFile::read(folder).map_err(Failure::usage)?.ok_or_else(none)?;
    let recorded = Recorded::read(folder).map_err(Failure::usage)?.ok_or_else(none)?;
    let folder = std::path::absolute(folder).map_err(Failure::usage)?;
    if !flags.program.is_empty() {
        return Err(Failure::usage(format!("{} goes on as it began: name no program", folder.display())));
    }
    let said = said_anew()?;
    std::env::set_current_dir(&command.folder)
        .map_err(|cause| Failure::usage(format!("cannot go to {}: {cause}", command.folder.display())))?;
    let CommandFile { options, program, fingerprint, .. } = command;
    let start = ["osier".to_owned(), "run".to_owned()];
    let words = start.into_iter().chain(options).chain(said).chain(["--".to_owned()]).chain(program);
    let table = Flags::command().mut_subcommand("run", |run| run.args_override_self(true));
    let parsed = table.try_get_matches_from(words).and_then(|matches| Flags::from_arg_matches(&matches));
    match parsed.map_err(|error| Failure::usage(error.to_string().trim_start_matches("error: ").trim_end()))?.command {
        Command::Run(flags) => Ok((*flags, Some(Resumed { folder, fingerprint, recorded }))),
        _ => Err(none_of_ours(&folder)),
    }
}

fn none_of_ours(folder: &Path) -> Failure {
    Failure::usage(format!("{} has a command that is no run", folder.display()))
}

/// The words of this command besides `--resume RUN`.
fn said_anew() -> Result<Vec<String>, Failure> {
    let words: Vec<String> = std::env::args().collect();
    let matches = Flags::command().try_get_matches_from(&words).map_err(Failure::usage)?;
    let run = matches.subcommand_matches("run").expect("the command is a run");
    let fixed = run.ids().find(|id| {
        // Groups have the names of the structs that the options stand in.
        let is_option = Flags::command()
            .find_subcommand("run")
            .is_some_and(|run| run.get_arguments().any(|argument| argument.get_id() == *id));
        is_option
            && run.value_source(id.as_str()) == Some(ValueSource::CommandLine)
            && !CHANGEABLE.contains(&id.as_str())
    });
    if let Some(id) = fixed {
        let name = id.as_str().replace('_', "-");
        return Err(Failure::usage(format!(
            "--{name} cannot be changed when a run goes on\n  help: limits of time, memory, instructions and tests can"
        )));
    }
    let mut said = Vec::new();
    let mut rest = words.into_iter().skip(2);
    while let Some(word) = rest.next() {
        if word == "--resume" {
            rest.next();
        } else if !word.starts_with("--resume=") {
            said.push(word);
        }
    }
    Ok(said)
}

/// Leaves in the folder what `--resume` needs.
pub fn leave_command(folder: &RunFolder, flags: &RunFlags, fingerprint: String) -> Result<(), Failure> {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let end = words.len() - flags.program.len();
    let mut options = words[2..end].to_vec();
    options.pop_if(|word| word == "--");
    let here = std::env::current_dir().map_err(Failure::broken)?;
    let osier = env!("CARGO_PKG_VERSION").to_owned();
    let command = CommandFile { osier, folder: here, options, program: flags.program.clone(), fingerprint };
    command.write(folder).map_err(report_failure)
}

/// A number for the whole program, as text.
pub fn fingerprint(module: &Module) -> String {
    /// FNV-1a.
    struct Hash(u64);
    impl Write for Hash {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    write!(hash, "{module}").expect("hashing does not fail");
    format!("{:016x}", hash.0)
}

impl Resumed {
    /// Fails if the program is another one than it was.
    pub fn check(&self, fingerprint: &str) -> Result<(), Failure> {
        if self.fingerprint == fingerprint {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "the program has changed since the run in {}\n  help: start a new run; --seed-dir={} follows the tests that \
             there are first",
            self.folder.display(),
            self.folder.display()
        )))
    }

    /// What the earlier runs have found.
    pub fn findings(&self) -> Findings {
        let mut findings = Findings { last_test: self.recorded.last_test(), ..Findings::default() };
        let history = &self.recorded.history;
        let mut before = Before {
            completed: history.unreported,
            partial: 0,
            instructions: history.instructions,
            seconds: history.milliseconds as f64 / 1000.0,
        };
        for KeptPath { test, ending } in &self.recorded.paths {
            match ending {
                Ending::Exit(_) | Ending::Fault(_) => before.completed += 1,
                Ending::Cut(_) => before.partial += 1,
            }
            findings.tests += u64::from(test.is_some());
            let name = test.map(|number| format!("{}.ktest", test_name(number)));
            findings.count(ending, name.as_deref());
        }
        findings.before = before;
        findings
    }
}
