//! Osier as a library: load a program, say what to explore, and iterate over its finished paths.
//!
//! ```no_run
//! use osier::{Exploration, LoadOptions, Options, load};
//!
//! let program = load(&["prog.c".into()], &LoadOptions::default())?;
//! let mut exploration = Exploration::new(program, Options::default())?;
//! while let Some(path) = exploration.next_path()? {
//!     println!("{:?} with {} symbolic objects", path.ending, path.inputs.len());
//! }
//! println!("{} instructions", exploration.totals().counters.instructions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This room wires the others together and adds little of its own: the headers that programs include, and the
//! translation of coverage from blocks to source lines. It neither prints nor exits.
#![forbid(unsafe_code)]

mod backends;
mod command_line;
mod coverage;
mod error;
mod exploration;
mod interrupt;
mod load;
mod options;
mod seeds;
mod segments;
mod set_up;

pub use backends::{
    BackendConfig, OneSolver, SolverChoice, backend, script_solver, second_opinion, serve_script, serve_worker,
};
pub use command_line::{Misfit, fit_arguments};
pub use coverage::{covered, covered_instructions};
pub use error::Error;
pub use exploration::Exploration;
pub use interrupt::Interrupter;
pub use load::{installed_libc, load};
pub use options::{CacheFile, Options};
pub use osier_exec::outcome;
pub use osier_exec::{
    Config, KnownSegments, Limits, MODELS, MemoryConfig, Model, PendingConfig, RevivalOrder, Seed, SeedObject, Stopped,
    Totals,
};
pub use osier_frontend::{LoadError, Loaded, Options as LoadOptions};
pub use osier_linux::{Argument, GivenFile, Input as StandardInput, SymbolicFile, World};
pub use osier_report as report;
/// The chain, terms and the formats of queries, for those who reach them only through this crate.
pub use osier_solver as solver;
/// A script answered as text by a program.
pub use osier_solver_smtlib::Dialogue;
pub use osier_solver_store::SharedStore;
pub use seeds::{LoadedSeeds, SeedError, load_seeds};
pub use segments::ideal_segments;
pub use set_up::{Fitted, SetUp, file_object, fitted};

/// Programs as they are executed, and what their pointers may point to.
pub use osier_ir as ir;
pub use osier_pointsto as pointsto;

/// What `--search` and `--check` may name.
pub use osier_detect::MONITORS;
pub use osier_search::{STRATEGIES, ZESTI};
