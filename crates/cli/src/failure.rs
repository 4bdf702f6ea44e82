//! Failures of the command itself, with the exit status that each has.

use std::fmt::Display;

/// The program has errors, or a test does not do what the run said.
pub const FOUND: u8 = 1;
/// What was asked for cannot be: a wrong option, a file that is none of ours.
pub const USAGE: u8 = 2;
/// Osier or the machine failed.
pub const BROKEN: u8 = 3;

#[derive(Debug)]
pub struct Failure {
    pub status: u8,
    pub message: String,
}

impl Failure {
    pub fn usage(message: impl Display) -> Self {
        Failure { status: USAGE, message: message.to_string() }
    }

    pub fn broken(message: impl Display) -> Self {
        Failure { status: BROKEN, message: message.to_string() }
    }
}

/// The exit status, or why there is none.
pub type Done = Result<u8, Failure>;
