//! Deciding whether a conjunction of width-1 terms has a solution, and remembering what was decided.
//!
//! This crate knows terms and nothing else: no FFI (each backend is a crate `solver-*` that implements [`Solver`]), no
//! network, no program state. The order of the stages that a query passes stands on one page in [`chain`](mod@chain);
//! the engine asks through [`Oracle`], which tries the state's witness first, and keeps each state's path condition in
//! a [`Path`].
//!
//! Start reading at `query.rs`, then `chain.rs`, then `oracle.rs`.
#![forbid(unsafe_code)]

mod answers;
mod assume;
mod bytesets;
mod canonical;
#[cfg(test)]
mod canonical_tests;
mod cases;
mod census;
pub mod chain;
mod checked;
mod combinations;
mod domains;
#[cfg(test)]
mod domains_tests;
mod generations;
mod held;
mod images;
mod interrupt;
mod known_sets;
mod lanes;
mod levels;
mod log;
#[cfg(test)]
mod lookup_cost;
mod models;
mod nearby;
mod oracle;
#[cfg(test)]
mod oracle_tests;
mod path;
mod query;
mod reasoning;
#[cfg(test)]
mod reasoning_tests;
mod renamed;
mod second_opinion;
mod set_table;
mod simplify;
mod slices;
mod speakers;
mod store;
mod substitute;
mod term_set;
mod tiers;
mod wide;
#[cfg(test)]
mod wide_tests;

pub use canonical::{KEY_VERSION, Key};
pub use census::{Census, Count, term_weight};
pub use chain::{ChainConfig, chain, chain_with_store, plain};
pub use combinations::Combinations;
pub use levels::{Change, Levels};
pub use log::{LogFormat, LogPoint, QueryLog};
pub use models::overlay;
pub use oracle::{Extreme, May, Oracle};
pub use path::Path;
pub use query::{Answer, ArrayReads, Query, Reason, Solver, SolverError, Statistics};
pub use second_opinion::SecondOpinion;
pub use store::{Store, StoredAnswer};
pub use tiers::Tiers;

/// Printers and parsers of queries, and terms, for those who reach them only through this crate.
pub use osier_formats as formats;
pub use osier_term as term;
