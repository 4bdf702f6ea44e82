#![forbid(unsafe_code)]
pub mod outcome;
