//! What the program's surroundings answer.

use crate::builtins::Builtin;

/// The surroundings of the program: functions that are not its own and that no room below knows of.
pub trait Environment {
    /// Rows for the table of built-in functions, in addition to the engine's own.
    fn builtins(&self) -> &'static [Builtin];
}

/// Surroundings that answer nothing.
pub struct NoEnvironment;

impl Environment for NoEnvironment {
    fn builtins(&self) -> &'static [Builtin] {
        &[]
    }
}
