//! Failures of Osier itself.

use osier_solver::SolverError;
use std::fmt;

#[derive(Debug)]
pub enum EngineError {
    Solver(SolverError),
    /// The entry function is not there or has no body.
    NoEntry {
        name: String,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Solver(error) => write!(f, "the solver failed: {error}"),
            EngineError::NoEntry { name } => {
                write!(f, "the program defines no function `{name}`; --entry NAME starts at another one")
            }
        }
    }
}

impl std::error::Error for EngineError {}

impl From<SolverError> for EngineError {
    fn from(error: SolverError) -> Self {
        EngineError::Solver(error)
    }
}
