//! Bitwuzla as a backend: translation of terms into its own, and all of the unsafe code that takes.
//!
//! It knows terms and the [`Solver`](osier_solver::Solver) trait, and nothing of paths, caches or programs. Start
//! reading at `backend.rs`; `translate.rs` maps operators one to one, `arrays.rs` says how memory is encoded, and
//! `session.rs` calls the C interface for both. `script.rs` is Bitwuzla's own parser, for scripts that terms cannot express.

mod arrays;
mod backend;
mod known_bits;
#[cfg(test)]
mod printed_tests;
mod reachable;
mod script;
mod session;
mod translate;

pub use backend::{Bitwuzla, BitwuzlaConfig};
pub use script::answer_script;
