//! The first tier of backends: our own bit-blaster over an incremental SAT solver, made for the many easy queries.
//!
//! It knows terms and the [`Solver`](osier_solver::Solver) trait, and nothing of paths, caches or programs. It refuses
//! to be clever about hard queries: what is too large or takes too many conflicts is unknown, for another to answer.
//!
//! Start reading at `backend.rs`. A term becomes gates once (`blast.rs`, with `words.rs` for arithmetic and `arrays.rs`
//! for memory); gates that are equal are one gate (`gates.rs`); and gates become clauses when a query needs them
//! (`clauses.rs`), in a SAT solver that lives for as long as most of what it holds is of use.
#![forbid(unsafe_code)]

mod arrays;
mod backend;
mod blast;
mod clauses;
mod gates;
mod limits;
mod words;

pub use backend::{Sat, SatConfig};
