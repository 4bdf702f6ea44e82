//! What every room may use and what knows nothing of programs or logic: numbered ids that print as traces show them,
//! vectors indexed by such ids, and the one seeded source of random numbers.
//!
//! Start reading at [`entity!`].
#![forbid(unsafe_code)]

mod entity;
mod random;

pub use entity::{EntityVec, Id};
pub use random::Random;
/// For what `entity!` expands to.
pub use serde;
