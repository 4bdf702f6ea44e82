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
mod bytesets;
pub mod chain;
mod checked;
mod domains;
#[cfg(test)]
mod domains_tests;
mod generations;
mod lanes;
mod models;
mod nearby;
mod oracle;
mod path;
mod query;
mod simplify;
mod slices;
mod tiers;

pub use chain::{ChainConfig, chain};
pub use models::overlay;
pub use oracle::{Extreme, May, Oracle};
pub use path::Path;
pub use query::{Answer, Query, Reason, Solver, SolverError, Statistics};
pub use tiers::Tiers;

/// Printers of queries, for those who reach terms only through this crate.
pub use osier_formats as formats;
