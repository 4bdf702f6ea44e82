//! Constraints as text that other tools read: KLEE's KQuery and SMT-LIB 2.
//!
//! Knows terms only: it solves nothing and opens no file. Both printers work on the graph of terms, so that what is
//! shared stays shared and no depth is too deep. Start reading at [`kquery`] or [`smt2`]; what both need of names and
//! of the shape of terms is in `names.rs` and `shape.rs`.
#![forbid(unsafe_code)]

mod kquery;
mod names;
mod shape;
mod smt2;

pub use kquery::kquery;
pub use smt2::smt2;
