//! Search strategies: which state runs next.
//!
//! A strategy sees views of states, the execution tree and what is covered; it never sees a state, never asks the
//! solver, and draws all its chance from the one seeded source, so a run can be repeated.
//!
//! Start reading at [`STRATEGIES`]; `nurs/mod.rs` holds what all weighted strategies share.
#![forbid(unsafe_code)]

mod batching;
mod bfs;
mod by_place;
mod dfs;
mod interleaved;
mod news_first;
mod nurs;
mod random_path;
mod random_state;
mod relieved;
mod table;
#[cfg(test)]
mod testing;

pub use batching::Batching;
pub use interleaved::Interleaved;
pub use table::{DEFAULT, STRATEGIES, Strategy, UnknownStrategy, ZESTI, make, make_reviving};
