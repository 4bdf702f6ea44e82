//! What can go wrong while a run's results are written, read or replayed. One error, one clear sentence.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum ReportError {
    /// A file or folder could not be read or written.
    File { action: &'static str, path: PathBuf, cause: io::Error },
    /// The folder given by `--out` has something in it.
    FolderInUse(PathBuf),
    /// A file's content is not what it should be.
    Content { path: PathBuf, problem: String },
    /// A native build failed; `output` is what the tool said.
    Build { command: String, output: String },
    /// A program that cannot be replayed natively.
    NotReplayable { path: PathBuf, reason: String },
}

pub type Result<T> = std::result::Result<T, ReportError>;

impl ReportError {
    pub(crate) fn file(action: &'static str, path: &Path, cause: io::Error) -> ReportError {
        ReportError::File { action, path: path.to_owned(), cause }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::File { action, path, cause } => {
                write!(f, "cannot {action} {}: ", path.display())?;
                match cause.kind() {
                    io::ErrorKind::StorageFull => f.write_str("the disk is full"),
                    io::ErrorKind::QuotaExceeded => f.write_str("the disk quota is used up"),
                    _ => write!(f, "{cause}"),
                }
            }
            ReportError::FolderInUse(path) => {
                write!(f, "{} is not an empty folder: name one that does not exist", path.display())
            }
            ReportError::Content { path, problem } => write!(f, "{}: {problem}", path.display()),
            ReportError::Build { command, output } => {
                write!(f, "the native build failed: {command}\n{}", output.trim_end())
            }
            ReportError::NotReplayable { path, reason } => {
                write!(f, "cannot replay {} natively: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReportError::File { cause, .. } => Some(cause),
            ReportError::FolderInUse(_)
            | ReportError::Content { .. }
            | ReportError::Build { .. }
            | ReportError::NotReplayable { .. } => None,
        }
    }
}
