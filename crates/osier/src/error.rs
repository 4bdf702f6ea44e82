//! What can go wrong besides the program.

use osier_solver::SolverError;
use std::fmt;

#[derive(Debug)]
pub enum Error {
    Load(osier_frontend::LoadError),
    /// The public headers could not be written out for the compiler.
    Headers(std::io::Error),
    Engine(osier_exec::EngineError),
    Search(osier_search::UnknownStrategy),
    Check(osier_detect::UnknownCheck),
    Cache(osier_solver_store::OpenError),
    Solver(SolverError),
}

impl Error {
    /// The query that solvers disagree about, as an SMT-LIB script, if that is what went wrong.
    pub fn disputed_query(&self) -> Option<&str> {
        match self {
            Error::Engine(osier_exec::EngineError::Solver(SolverError::Disagreement { script, .. }))
            | Error::Solver(SolverError::Disagreement { script, .. }) => Some(script),
            Error::Load(_)
            | Error::Headers(_)
            | Error::Engine(_)
            | Error::Search(_)
            | Error::Check(_)
            | Error::Cache(_)
            | Error::Solver(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Load(error) => error.fmt(f),
            Error::Headers(cause) => write!(
                f,
                "cannot write the headers to a temporary folder: {cause}\n  help: TMPDIR says where temporary folders go"
            ),
            Error::Engine(error) => error.fmt(f),
            Error::Search(error) => error.fmt(f),
            Error::Check(error) => error.fmt(f),
            Error::Cache(error) => error.fmt(f),
            Error::Solver(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<osier_frontend::LoadError> for Error {
    fn from(error: osier_frontend::LoadError) -> Self {
        Error::Load(error)
    }
}

impl From<osier_exec::EngineError> for Error {
    fn from(error: osier_exec::EngineError) -> Self {
        Error::Engine(error)
    }
}
