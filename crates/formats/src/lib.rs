//! Constraints as text that other tools read and write: KLEE's KQuery and SMT-LIB 2.
//!
//! Knows terms only: it solves nothing and opens no file. Printers and parsers work with stacks of their own, so that
//! what is shared stays shared and no depth is too deep. Bad text is answered with messages that have line and column,
//! and what follows a bad command is still read. Start reading at [`kquery`] or [`smt2`]; what both need of names, of
//! the shape of terms and of positions is in `names.rs`, `shape.rs` and `position.rs`.
#![forbid(unsafe_code)]

mod inputs;
pub mod kquery;
mod names;
mod position;
mod question;
mod shape;
pub mod smt2;

pub use kquery::kquery;
pub use position::{ParseError, Position};
pub use question::Question;
pub use smt2::smt2;
