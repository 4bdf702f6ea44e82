//! What is a bug: one monitor for each kind.
//!
//! A monitor looks at what is about to happen and returns an obligation, "this must hold, else that verdict". It never
//! edits the state, never asks the solver and never prints; the engine does what follows from the obligation.
//!
//! Start reading at [`MONITORS`]; `bounds.rs` is a typical monitor, `describe.rs` has the words that all share.
#![forbid(unsafe_code)]

mod bounds;
mod calls;
mod describe;
mod division;
mod double_free;
mod invalid_free;
mod leak;
mod lifetime;
mod null;
mod overshift;
mod readonly;
mod signed_overflow;
mod table;
#[cfg(test)]
mod testing;
mod uninitialised;

pub use table::{MONITORS, Row, UnknownCheck, monitors};
pub use uninitialised::UNINITIALISED;
