//! `osier solve`: answers files of queries, or writes them in the other language.
//!
//! Start reading here; `smt2.rs` and `kquery.rs` answer the two languages, `input.rs` reads files and pipes, `asker.rs`
//! holds the solver. `floats.rs` hands on what there are no terms for.

mod asker;
mod commands;
mod floats;
mod input;
mod kquery;
mod model;
mod smt2;

use crate::cache_flags::CacheFlags;
use crate::console::{line, print_statistics};
use crate::failure::{Done, FOUND, Failure, USAGE};
use crate::log_flags::{LogFlags, finish_log};
use crate::solver_flags::SolverFlags;
use asker::Asker;
use clap::{Args, ValueEnum};
use input::{Source, language_of};
use osier::BackendConfig;
use osier::report::RunFolder;
use osier::solver::ChainConfig;
use osier::solver::formats::{self, ParseError, Question};
use osier::solver::term::Pool;
use std::path::PathBuf;

#[derive(Args)]
pub struct SolveFlags {
    /// Files of queries; `-`, or none, for standard input, which is answered command by command if it is SMT-LIB.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The language of the files. [default: by their names, else by their beginnings]
    #[arg(long, value_name = "LANGUAGE")]
    pub format: Option<Language>,
    /// Write the queries in this language instead of answering them.
    #[arg(long, value_name = "LANGUAGE")]
    pub to: Option<Language>,
    /// Ask a new backend about each query as it stands, without slices, caches and all else that stands before one.
    #[arg(long, conflicts_with_all = ["cache", "log_queries"], help_heading = "Solver")]
    pub plain: bool,
    #[command(flatten)]
    pub solver: SolverFlags,
    #[command(flatten)]
    pub cache: CacheFlags,
    /// When all is answered, print to standard error how many queries each stage answered.
    #[arg(long, help_heading = "Results")]
    pub stats: bool,
    /// Put the log of queries here; the folder must be empty or not exist.
    #[arg(long, value_name = "DIR", requires = "log_queries", help_heading = "Results")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub log: LogFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Language {
    /// KLEE's KQuery: .kquery, .pc
    #[value(name = "kquery")]
    KQuery,
    /// SMT-LIB 2: .smt2, .smt
    #[value(name = "smt2")]
    Smt2,
}

/// Answering, and what came of it so far.
pub struct Run {
    pub asker: Asker,
    to: Option<Language>,
    /// How many there were.
    pub questions: u64,
    /// Whether each query had an answer.
    pub all_answered: bool,
    begun: bool,
    /// How many messages there were about what is wrong in this file.
    complaints: u64,
}

/// More messages about one file are not shown.
const MOST_COMPLAINTS: u64 = 20;

impl Run {
    /// Something in a text could not be read.
    pub fn complain(&mut self, name: &str, error: &ParseError) {
        self.all_answered = false;
        self.complaints += 1;
        if self.complaints <= MOST_COMPLAINTS {
            eprintln!("error: {name}:{error}");
        } else if self.complaints == MOST_COMPLAINTS + 1 {
            eprintln!("note: more errors in {name} are not shown");
        }
    }

    pub fn translates(&self) -> bool {
        self.to.is_some()
    }

    /// Writes a question in the language that was asked for.
    pub fn write(&mut self, pool: &Pool, question: &Question) -> Result<(), Failure> {
        let text = match self.to {
            Some(Language::KQuery) => formats::kquery::question(pool, question),
            Some(Language::Smt2) | None => {
                if !std::mem::replace(&mut self.begun, true) {
                    line(formats::smt2::HEADER.trim_end())?;
                }
                formats::smt2::question(pool, question)
            }
        };
        line(text.trim_end())
    }
}

pub fn solve(flags: &SolveFlags) -> Done {
    let (mut chain, mut backend) = (ChainConfig::default(), BackendConfig::default());
    flags.solver.apply(&mut chain, &mut backend);
    chain.log = flags.log.log();
    let log = chain.log.clone();
    let asker = Asker::new(chain, backend, flags.cache.file(), flags.plain)?;
    if let Some(log) = &log {
        let Some(out) = &flags.out else {
            return Err(Failure::usage("--log-queries needs a folder for its log\n  help: --out=DIR names one"));
        };
        let folder = RunFolder::create_at(out).map_err(crate::native::report_failure)?;
        flags.log.attach(log, &folder)?;
    }
    let mut run = Run { asker, to: flags.to, questions: 0, all_answered: true, begun: false, complaints: 0 };
    let status = answer_all(flags, &mut run);
    for problem in run.asker.finish_cache() {
        eprintln!("warning: {problem}");
    }
    finish_log(log.as_ref())?;
    if flags.stats {
        print_statistics(&run.asker.statistics());
    }
    status
}

fn answer_all(flags: &SolveFlags, run: &mut Run) -> Done {
    let standard_input = [PathBuf::from("-")];
    let files = if flags.files.is_empty() { &standard_input[..] } else { &flags.files };
    let mut readable = true;
    let mut pool = Pool::new();
    for file in files {
        if run.asker.interrupted() {
            break;
        }
        let before = run.questions;
        let source = match Source::open(file) {
            Ok(source) => source,
            Err(message) => {
                eprintln!("error: {message}");
                readable = false;
                continue;
            }
        };
        run.complaints = 0;
        pool = match source {
            Source::Pipe(pipe) => input::answer_pipe(run, flags.format, pipe, pool)?,
            Source::Text { name, text } => match flags.format.unwrap_or_else(|| language_of(file, &text)) {
                Language::KQuery => kquery::answer(run, &name, &text, pool)?,
                Language::Smt2 => smt2::answer(run, &name, &text, pool)?,
            },
        };
        if run.questions == before && run.complaints == 0 {
            eprintln!("warning: there is no query in {}", file.display());
        }
    }
    Ok(match (readable, run.all_answered && !run.asker.interrupted()) {
        (false, _) => USAGE,
        (true, false) => FOUND,
        (true, true) => 0,
    })
}
