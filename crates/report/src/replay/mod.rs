//! Replay: the native program, built with sanitizers, on one test, and whether it ends where Osier said.
//!
//! Read `build` for what is linked and checked, `run` for how one test runs, `sanitizer` for how reports become kinds,
//! and `agreement` for the rules by which an ending is the same.

mod agreement;
mod build;
mod process;
mod record;
mod run;
mod sanitizer;
mod world;

use std::time::Duration;

use osier_exec::outcome::{Kind, Place};

pub use agreement::{Agreement, describe, same_ending};
pub use build::{BuildOptions, Entry, NativeProgram, RUNTIME, Toolchain};

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
    /// What it wrote, up to a limit.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
}
