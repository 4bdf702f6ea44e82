//! How a path can end, and what is known about it afterwards. Plain data: reports and library users read only this.

use std::fmt;

/// The kinds of error, one row each: the name is what `summary.json`, file suffixes and `--exit-on-error` use.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What kind of error ended a path.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind {
            $($(#[$doc])* $variant,)*
        }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$variant,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$variant => $name,)*
                }
            }
        }
    };
}

kinds! {
    OutOfBounds = "out-of-bounds",
    UseAfterFree = "use-after-free",
    DoubleFree = "double-free",
    InvalidFree = "invalid-free",
    NullPointer = "null-pointer",
    ReadOnlyWrite = "read-only-write",
    DivisionByZero = "division-by-zero",
    Overshift = "overshift",
    SignedOverflow = "signed-overflow",
    Assertion = "assertion",
    Abort = "abort",
    Leak = "leak",
    Uninitialised = "uninitialised",
    Unreachable = "unreachable",
    InvalidCall = "invalid-call",
    StackOverflow = "stack-overflow",
    User = "user",
    /// A limit of Osier, not a bug in the program.
    Unsupported = "unsupported",
}

impl Kind {
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in the program's source. Line 0 means that it is not known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { f.write_str(&self.function) } else { write!(f, "{}:{}", self.file, self.line) }
    }
}

/// A further fact about an error, with the place it concerns if there is one: where the object was allocated, freed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    pub text: String,
    pub place: Option<Place>,
}

/// An error in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub kind: Kind,
    pub message: String,
    pub place: Place,
    pub notes: Vec<Note>,
    /// Innermost frame first; the first is `place`.
    pub stack: Vec<Place>,
}

/// Why a path was left before its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    /// A limit on the whole run (`--max-time`, `--max-instructions`, Ctrl-C) came while it was alive.
    RunEnded,
    /// `--max-depth`.
    Depth,
    /// Dropped at the memory limit.
    Memory,
    /// The solver did not answer in time, so the path could not be followed further.
    SolverUnknown,
    /// All that was wanted is an input that goes this way.
    OtherSide,
    /// The program asked for it: `klee_silent_exit`, a false `klee_assume`, `kill_all_other`.
    Silent,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// `exit`, or a return from the entry, with its status.
    Exit(i32),
    Fault(Fault),
    Cut(Cut),
}

/// One symbolic object and the bytes that it has on this path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What a path has asked the machine for. Another run is answered otherwise, so its output may be another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    pub random: bool,
    pub time: bool,
    /// The process's number.
    pub process: bool,
}

/// A finished path, all that a test and a report need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    pub ending: Ending,
    /// In the order in which the program made them symbolic.
    pub inputs: Vec<Input>,
    /// LLVM instructions that this path executed, from the program's start.
    pub instructions: u64,
    /// Forks on the way here.
    pub depth: u32,
    /// Whether it executed code that no earlier path had.
    pub covered_new: bool,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub asked: Asked,
    /// The number of its state in the run's record, if there is one and the path counts as followed to its end.
    pub number: Option<u64>,
    /// Its path condition as KQuery and SMT-LIB text, if asked for.
    pub kquery: Option<String>,
    pub smt2: Option<String>,
}
