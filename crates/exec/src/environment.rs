//! What the program's surroundings answer.

use crate::builtins::Builtin;
use crate::fork::Alive;
use crate::{Context, EngineError, Program, State};

/// The surroundings of the program: functions that are not its own and that no room below knows of.
pub trait Environment {
    /// Rows for the table of built-in functions, in addition to the engine's own.
    fn builtins(&self) -> &'static [Builtin];

    /// Makes [`State::surroundings`] and [`State::arguments`] of a state that has not begun. States that fork off here
    /// are given to it again.
    fn begin(&self, program: &Program, cx: &mut Context, state: &mut State) -> Result<Alive, EngineError>;
}

/// Surroundings that answer nothing.
pub struct NoEnvironment;

impl Environment for NoEnvironment {
    fn builtins(&self) -> &'static [Builtin] {
        &[]
    }

    fn begin(&self, _program: &Program, _cx: &mut Context, _state: &mut State) -> Result<Alive, EngineError> {
        Ok(Alive::Yes)
    }
}
