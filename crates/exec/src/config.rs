//! What a run is allowed and asked to do. Defaults live in the flag table of `cli`.

use crate::outcome::Kind;
use crate::{MemoryConfig, PendingConfig, Seed};
use std::time::Duration;

/// Where a run stops. `None` means no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    pub instructions: Option<u64>,
    /// So many forks; states go on without forking afterwards, on the side that their witness takes.
    pub forks: Option<u64>,
    /// A path that has forked so often ends as a partial one.
    pub depth: Option<u32>,
    /// Bytes that the process may use; states are dropped to stay under it.
    pub memory: Option<u64>,
    pub stack_frames: u32,
    /// The largest object of symbolic size.
    pub symbolic_size: u64,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub entry: String,
    pub limits: Limits,
    /// Report every error, not one for each kind and source line.
    pub all_errors: bool,
    /// Stop at the first error: of any kind (`Some(None)`), or of this one.
    pub exit_on_error: Option<Option<Kind>>,
    /// Fill fresh memory with marked symbolic bytes, so that a monitor can see uses of uninitialised values.
    pub track_uninitialised: bool,
    /// Report every path that the end of the run or the memory limit cuts short, not only those that covered
    /// something new.
    pub keep_all_partial: bool,
    pub write_kquery: bool,
    pub write_smt2: bool,
    /// How many instructions a state runs before the searcher chooses again.
    pub slice: u64,
    /// Merge states at `klee_close_merge`.
    pub merge: bool,
    pub seed: u64,
    pub memory: MemoryConfig,
    /// Fork first and check later.
    pub pending: Option<PendingConfig>,
    /// Inputs to follow before all others.
    pub seeds: Vec<Seed>,
    /// Keep a record of the paths, from which a later run can go on; see [`crate::Engine::take_record`].
    pub record: bool,
    /// Follow nothing but the seeds, and give a test for the other side of every branch on their way.
    pub other_sides: bool,
}
