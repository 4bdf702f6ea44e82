//! Z3 as a backend: translation of terms into its own, and all of the unsafe code that takes.
//!
//! It knows terms and the [`Solver`](osier_solver::Solver) trait, and nothing of paths, caches or programs. Start
//! reading at `backend.rs`; `translate.rs` maps operators one to one, `arrays.rs` says how memory is encoded,
//! `watchdog.rs` keeps the time limit, and `session.rs` is the only file that calls the C interface in `ffi.rs`.

mod arrays;
mod backend;
mod ffi;
mod session;
mod translate;
mod watchdog;

pub use backend::{Z3, Z3Config};
