//! What can go wrong besides the program.

use std::fmt;

#[derive(Debug)]
pub enum Error {
    Engine(osier_exec::EngineError),
    Search(osier_search::UnknownStrategy),
    Check(osier_detect::UnknownCheck),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Engine(error) => error.fmt(f),
            Error::Search(error) => error.fmt(f),
            Error::Check(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<osier_exec::EngineError> for Error {
    fn from(error: osier_exec::EngineError) -> Self {
        Error::Engine(error)
    }
}
