//! What every backend must be able to do, as tests that each backend's crate runs on its own (a dev-dependency).
//!
//! It knows the `Solver` trait and terms, and no backend: a crate hands in how its backend is made. [`cases`] are whole
//! tests, and [`backend_cases!`] makes them tests of a crate; [`recipes`] make random queries; [`families`] are the kinds
//! of query that programs ask, to be timed.
//!
//! Start reading at `cases.rs`.
#![forbid(unsafe_code)]

pub mod cases;
pub mod families;
pub mod recipes;
