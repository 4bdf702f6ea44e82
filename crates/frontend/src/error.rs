//! Why a program could not be loaded: what, where, and what to do.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadError {
    /// No path was given.
    NoInput,
    /// The file cannot be read; the system's reason.
    Unreadable {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        reason: String,
    },
    /// Neither C source nor bitcode nor LLVM text.
    UnknownKind {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
    },
    /// The compiler cannot be started.
    NoCompiler {
        #[serde(serialize_with = "readable")]
        clang: PathBuf,
        reason: String,
    },
    /// The compiler refused the source; its own messages.
    Compile {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        messages: String,
    },
    /// LLVM cannot read the file; for text, its message has line and column.
    Parse {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        message: String,
    },
    /// LLVM itself crashed on the file.
    Crash {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        message: String,
    },
    /// LLVM reads the file but its verifier finds it broken.
    Invalid {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        message: String,
    },
    /// Compiled for a machine other than x86-64.
    Target {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
    },
    /// The files do not fit together.
    Link {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        message: String,
    },
    /// A program, object or archive that carries no bitcode.
    NoBitcode {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
    },
    /// A program, object or archive that cannot be read; how it is damaged.
    Damaged {
        #[serde(serialize_with = "readable")]
        path: PathBuf,
        message: String,
    },
    /// No function of this name is defined.
    NoEntry { entry: String },
    /// A process for reading the file could not be started.
    System { reason: String },
}

/// A path as it is printed: serde refuses names that are not text.
fn readable<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    path.to_string_lossy().serialize(serializer)
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NoInput => {
                write!(f, "no program given: name a binary built by `osier cc`, or .c, .bc or .ll files")
            }
            LoadError::Unreadable { path, reason } => write!(f, "cannot read {}: {reason}", path.display()),
            LoadError::UnknownKind { path } => write!(
                f,
                "{} is neither C source (.c, .i), bitcode (.bc) nor LLVM text (.ll)\n  \
                 help: compile it with `clang-22 -c -emit-llvm -g` first",
                path.display()
            ),
            LoadError::NoCompiler { clang, reason } => write!(
                f,
                "cannot run the compiler {}: {reason}\n  help: install clang-22, or give bitcode instead of source",
                clang.display()
            ),
            LoadError::Compile { path, messages } => {
                write!(f, "clang does not accept {}; it says:\n{}", path.display(), messages.trim_end())
            }
            LoadError::Parse { path, message } => write!(
                f,
                "cannot read {} as LLVM 22 code: {message}\n  \
                 help: make it with `clang-22 -c -emit-llvm` (bitcode of a newer LLVM is not readable)",
                path.display()
            ),
            LoadError::Crash { path, message } => {
                write!(f, "{} is malformed: LLVM crashed while reading it", path.display())?;
                if message.is_empty() { Ok(()) } else { write!(f, " ({message})") }
            }
            LoadError::Invalid { path, message } => {
                write!(f, "{} is readable but broken; LLVM's verifier says: {message}", path.display())
            }
            LoadError::Target { path } => write!(
                f,
                "{} is compiled for another machine than x86-64\n  help: compile it with --target=x86_64-linux-gnu",
                path.display()
            ),
            LoadError::Link { path, message } => {
                write!(f, "cannot link {} with the files before it: {message}", path.display())
            }
            LoadError::NoBitcode { path } => write!(
                f,
                "{} carries no bitcode\n  help: build it with CC=\"osier cc\" (./configure CC=\"osier cc\" && make)",
                path.display()
            ),
            LoadError::Damaged { path, message } => {
                write!(f, "{} is damaged: {message}\n  help: build it again with CC=\"osier cc\"", path.display())
            }
            LoadError::NoEntry { entry } => write!(
                f,
                "the program defines no function `{entry}`\n  help: name the function to start from as the entry"
            ),
            LoadError::System { reason } => write!(f, "cannot start a process to read the program: {reason}"),
        }
    }
}

impl std::error::Error for LoadError {}
