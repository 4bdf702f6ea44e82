//! Replay: the native program on one test, and whether it ends where Osier said and writes the same.
//!
//! The program is built with sanitizers (`build`) or is a binary as it stands (`binary`). Read `run` for how one test
//! runs, `world` and `root` for what the program finds around it, `launch` for how it is shut in, `sanitizer` for how
//! reports become kinds, and `agreement` for the rules by which an ending is the same.

mod agreement;
pub(crate) mod arguments;
mod binary;
mod build;
mod launch;
mod process;
mod record;
mod root;
mod run;
mod sanitizer;
mod streams;
mod world;

use std::time::Duration;

use osier_exec::outcome::{Kind, Place};

use crate::stream::Stream;

pub use agreement::{Agreement, describe, same, same_ending};
pub use binary::is_elf;
pub use build::{BuildOptions, Entry, NativeProgram, RUNTIME, Toolchain};
pub use launch::Isolation;
pub use run::RunOptions;

/// What a native build looks for. Where it does not look, a normal exit disproves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// AddressSanitizer: bounds, lifetimes, frees.
    pub address: bool,
    /// UndefinedBehaviorSanitizer's division, shift exponent, unreachable code and missing return. It works on source
    /// only, so a build from bitcode does not have it.
    pub undefined: bool,
    /// Its signed overflow, wanted only where the run checked it, too.
    pub signed_overflow: bool,
    /// LeakSanitizer.
    pub leaks: bool,
}

/// How a native run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeEnding {
    Exit(i32),
    Fault(NativeFault),
    /// `klee_silent_exit`.
    SilentExit,
    /// The test does not satisfy an assumption or a range of the program.
    AssumptionViolated(String),
    /// The program asked for other objects than the test has: it is on another path.
    OtherInputs(String),
    /// Killed by a signal that is no sign of a fault.
    Signal(i32),
    TimedOut(Duration),
    /// The run says nothing about the program: the test is unreadable, a sanitizer could not work, or the program asked
    /// what only the engine knows.
    NoVerdict(String),
}

/// A fault that a sanitizer, the twin or the processor saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeFault {
    /// The kinds that this can be an instance of, the likeliest first. A wild write is a segmentation fault whatever
    /// pointer it came from, so there may be several.
    pub kinds: Vec<Kind>,
    pub message: String,
    /// Innermost first; only frames of source that the build compiled. May be empty.
    pub frames: Vec<Place>,
}

/// One native run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    pub ending: NativeEnding,
    pub checks: Checks,
    /// Objects of the test that the program never asked for, if it exited and is known.
    pub unread_inputs: usize,
    pub stdout: Stream,
    pub stderr: Stream,
    /// Why a difference from what Osier said would prove nothing, if so.
    pub doubt: Option<String>,
    pub elapsed: Duration,
}
