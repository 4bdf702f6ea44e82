//! The one table of options: names, help, choices, defaults and parsing.

use crate::cache_flags::CacheFlags;
use crate::export::ExportFlags;
use crate::log_flags::LogFlags;
use crate::make::MakeFlags;
use crate::memory_flags::MemoryFlags;
use crate::pending_flags::PendingFlags;
use crate::points_to::PointsToFlags;
use crate::seed_flags::SeedFlags;
use crate::solve::SolveFlags;
use crate::solver_flags::{SolverFlags, WorkerFlags};
use crate::world::WorldFlags;
use clap::{Args, Parser, Subcommand};
use osier::outcome::Kind;
use osier::report::world_file::{GivenDir, GivenFile};
use std::path::PathBuf;
use std::time::Duration;

/// Symbolic execution of C programs: all paths, a test for each, every bug with an input that shows it.
#[derive(Parser)]
#[command(name = "osier", version, max_term_width = 100)]
pub struct Flags {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Explore a program.
    Run(Box<RunFlags>),
    /// Run tests on the native program and say whether each ends as the run said.
    Replay(ReplayFlags),
    /// Compile as clang does; objects and binaries carry their bitcode, so that `osier run` takes them. For CC="osier cc".
    #[command(disable_help_flag = true)]
    Cc(CcFlags),
    /// Print the compact IR of a program.
    Ir(IrFlags),
    /// Show what pointers may point to, and the segments of memory that follow from it.
    PointsTo(PointsToFlags),
    /// Answer files of queries: KQuery and SMT-LIB 2.
    Solve(SolveFlags),
    /// Look at tests, make them, and give them to other tools.
    Test {
        #[command(subcommand)]
        command: TestCommand,
    },
    /// Answer another Osier's queries, from a pipe.
    #[command(name = crate::solver_flags::WORKER, hide = true)]
    SolverWorker(WorkerFlags),
}

#[derive(Subcommand)]
pub enum TestCommand {
    /// Show the contents of .ktest files.
    Show {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Make a .ktest file from files and a command line, to replay or to start from.
    Make(MakeFlags),
    /// Write the inputs of .ktest files as plain files.
    Export(ExportFlags),
}

/// How to make bitcode or a native program from the files.
#[derive(Args, Clone)]
pub struct BuildFlags {
    /// Flags for the compiler, split as a shell would.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cc_flags: Vec<String>,
    /// Link the libc from this bitcode file; `none` for no libc. [default: what `make libc` built, if it is there]
    #[arg(long, value_name = "FILE")]
    pub libc: Option<PathBuf>,
    /// Start at this function.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub entry: String,
}

#[derive(Args)]
pub struct CcFlags {
    /// `--glibc` to compile against the system's libc instead of musl, then what clang takes.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "[--glibc] ARGS")]
    pub words: Vec<std::ffi::OsString>,
}

#[derive(Args)]
pub struct IrFlags {
    #[command(flatten)]
    pub build: BuildFlags,
    /// C sources, .bc or .ll; several are linked.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct ReplayFlags {
    #[command(flatten)]
    pub build: BuildFlags,
    /// Build without AddressSanitizer and UndefinedBehaviorSanitizer.
    #[arg(long)]
    pub no_sanitizers: bool,
    /// The checks that the run had: signed-overflow and leak need support in the native program.
    #[arg(long, value_delimiter = ',', value_name = "CHECK", value_parser = check)]
    pub check: Vec<String>,
    /// Stop a native run after this time.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub limit: Duration,
    /// Replay so many tests at a time. [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Show what the native program writes to standard output and error.
    #[arg(long)]
    pub echo: bool,

    /// The program finds this file of the host, besides those that the run had.
    #[arg(long, value_name = "HOST[=GUEST]", value_parser = GivenFile::parse, help_heading = "The program's world")]
    pub file: Vec<GivenFile>,
    /// The program finds this folder of the host with all in it, besides those that the run had.
    #[arg(long, value_name = "HOST[=GUEST]", value_parser = GivenDir::parse, help_heading = "The program's world")]
    pub dir: Vec<GivenDir>,
    /// Standard input is this file of the host, where the test has none.
    #[arg(long, value_name = "FILE", help_heading = "The program's world")]
    pub stdin: Option<PathBuf>,
    /// An environment variable, besides those that the run had.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, help_heading = "The program's world")]
    pub env: Vec<String>,
    /// Pass this variable of our own environment on, such as GCOV_PREFIX or LLVM_PROFILE_FILE.
    #[arg(long, value_name = "NAME", help_heading = "The program's world")]
    pub pass_env: Vec<String>,
    /// A binary finds this folder of the host in its place, and what it writes there stays: for coverage data.
    #[arg(long, value_name = "DIR", help_heading = "The program's world")]
    pub keep: Vec<PathBuf>,
    /// Run a binary in a folder of its own, but with the machine's root.
    #[arg(long, conflicts_with = "keep", help_heading = "The program's world")]
    pub no_root: bool,

    /// The program's files or its binary, then .ktest files or run folders.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct RunFlags {
    #[command(flatten)]
    pub build: BuildFlags,

    /// Put the results here; the folder must be empty or not exist. Default: osier-out-N, linked from osier-last.
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,
    /// Go on with the run in this folder, which ended at a limit or was interrupted or killed. Limits may be set anew.
    #[arg(long, value_name = "RUN", help_heading = "Results")]
    pub resume: Option<PathBuf>,
    /// Print the summary as JSON and nothing else.
    #[arg(long, help_heading = "Results")]
    pub json: bool,
    /// Print to standard error how many queries each stage answered.
    #[arg(long, help_heading = "Results")]
    pub stats: bool,
    /// Replay every error on the native program.
    #[arg(long, help_heading = "Results")]
    pub confirm: bool,
    /// Explore without writing tests.
    #[arg(long, help_heading = "Results")]
    pub no_tests: bool,
    /// Write tests only for errors and for paths that cover new code.
    #[arg(long, help_heading = "Results")]
    pub only_new_tests: bool,
    /// Write a test for every path that the end of the run cuts short, not only for those that cover new code.
    #[arg(long, help_heading = "Results")]
    pub partial_tests: bool,
    /// Show what paths write to standard output and error.
    #[arg(long, help_heading = "Results")]
    pub echo: bool,
    /// Write each path's condition as KQuery.
    #[arg(long, help_heading = "Results")]
    pub write_kqueries: bool,
    /// Write each path's condition as SMT-LIB 2.
    #[arg(long, help_heading = "Results")]
    pub write_smt2: bool,
    /// Write which instructions were covered, so that runs of one program can be added up.
    #[arg(long, help_heading = "Results")]
    pub write_covered: bool,
    #[command(flatten)]
    pub log: LogFlags,

    /// Strategy: which state runs next. Several take turns. [default: random-path, nurs:covnew, by-place]
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Exploration", value_parser = strategy)]
    pub search: Vec<String>,
    /// Keep the chosen state for so many instructions.
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub batch_instructions: Option<u64>,
    /// Random numbers start from this; the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Exploration")]
    pub seed: u64,
    /// Merge states between klee_open_merge and klee_close_merge.
    #[arg(long, help_heading = "Exploration")]
    pub use_merge: bool,
    #[command(flatten)]
    pub pending: PendingFlags,
    #[command(flatten)]
    pub seeds: SeedFlags,
    /// Follow this test alone, and write a test for the other side of every branch on its path.
    #[arg(long, value_name = "TEST", help_heading = "Exploration", conflicts_with_all = ["seed_file", "seed_dir"])]
    pub otherside: Option<PathBuf>,

    /// Also look for: signed-overflow, leak, uninitialised, or all.
    #[arg(long, value_name = "CHECK", value_delimiter = ',', help_heading = "Errors", value_parser = check)]
    pub check: Vec<String>,
    /// Report every error, not one for each kind and source line.
    #[arg(long, help_heading = "Errors")]
    pub all_errors: bool,
    /// Stop at the first error, or the first of a kind.
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, help_heading = "Errors", value_parser = kind)]
    pub exit_on_error: Option<Option<Kind>>,

    /// Stop after this time: 90, 90s, 10m, 2h.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Limits")]
    pub max_time: Option<Duration>,
    /// Stop after so many LLVM instructions.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_instructions: Option<u64>,
    /// Fork so often; later branches follow one side.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_forks: Option<u64>,
    /// End paths that have forked more often than this.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u32>,
    /// Drop states to stay under this: 800M, 4G, a plain number is MiB. 0 is no limit.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size, help_heading = "Limits")]
    pub max_memory: u64,
    /// Stop after so many tests.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_tests: Option<u64>,
    /// More open calls than this are a stack overflow; so are 8 MiB of local variables.
    #[arg(long, value_name = "N", default_value_t = 1 << 18, help_heading = "Limits")]
    pub max_stack_frames: u32,
    /// The largest object of symbolic size, in bytes.
    #[arg(long, value_name = "N", default_value_t = 4096, help_heading = "Limits")]
    pub max_symbolic_size: u64,

    #[command(flatten)]
    pub memory: MemoryFlags,

    #[command(flatten)]
    pub solver: SolverFlags,
    #[command(flatten)]
    pub cache: CacheFlags,

    #[command(flatten)]
    pub world: WorldFlags,

    /// A binary built by `osier cc`, or C sources, .bc or .ll, which are linked; then the program's arguments, among
    /// which the --sym-... options may stand.
    #[arg(required_unless_present = "resume", trailing_var_arg = true, value_name = "PROGRAM [ARGS]")]
    pub program: Vec<String>,
}

fn variable(text: &str) -> Result<String, String> {
    if text.contains('=') { Ok(text.into()) } else { Err("write NAME=VALUE".into()) }
}

fn strategy(name: &str) -> Result<String, String> {
    let known: Vec<&str> = osier::STRATEGIES.iter().map(|row| row.name).collect();
    if known.contains(&name) {
        Ok(name.into())
    } else {
        Err(format!("there is no such strategy; there are {}", known.join(", ")))
    }
}

fn check(name: &str) -> Result<String, String> {
    let known: Vec<&str> = osier::MONITORS.iter().map(|row| row.name).collect();
    if name == "all" || known.contains(&name) {
        return Ok(name.into());
    }
    Err(format!("there is no such check; there are all, {}", known.join(", ")))
}

fn kind(name: &str) -> Result<Kind, String> {
    let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    Kind::from_name(name).ok_or_else(|| format!("there is no such kind of error; there are {}", known.join(", ")))
}

pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len()));
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("give seconds, or a number with ms, s, m or h".into()),
    };
    let seconds =
        number.parse::<f64>().map_err(|_| "give seconds, or a number with ms, s, m or h".to_string())? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|_| "the time is negative or too long".into())
}

pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len()));
    let shift = match unit.to_ascii_uppercase().as_str() {
        "K" | "KB" | "KIB" => 10,
        "" | "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err("give MiB, or a number with K, M or G".into()),
    };
    let number: u64 = number.parse().map_err(|_| "give MiB, or a number with K, M or G".to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size is too large".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert!(duration("-1").is_err());
        assert!(duration("soon").is_err());
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("100"), Ok(100 << 20));
        assert!(size("99999999999G").is_err());
    }
}
