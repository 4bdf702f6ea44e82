//! What all states of a run share.

use crate::builtins::Bound;
use crate::families::Families;
use crate::journal::Journal;
use crate::outcome::{Finished, Kind};
use crate::pending::Patience;
use crate::sensitive::Sensitive;
use crate::splitting::Splitting;
use crate::state::MergeScope;
use crate::stored_pointers::StoredPointers;
use crate::{Config, Coverage, Monitor, State, StateId, Tree};
use osier_ir::LocId;
use osier_solver::Oracle;
use osier_term::{Array, Pool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// Why a run ended before all paths did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    MaxTime,
    MaxInstructions,
    MaxTests,
    /// `--exit-on-error`.
    Error,
    Interrupted,
}

impl Stopped {
    pub fn name(self) -> &'static str {
        match self {
            Stopped::MaxTime => "max-time",
            Stopped::MaxInstructions => "max-instructions",
            Stopped::MaxTests => "max-tests",
            Stopped::Error => "error",
            Stopped::Interrupted => "interrupted",
        }
    }
}

/// What the summary counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    pub instructions: u64,
    pub forks: u64,
    pub completed: u64,
    pub partial: u64,
    pub states_peak: u64,
    pub states_dropped: u64,
    pub concrete_accesses: u64,
    pub single_accesses: u64,
    pub multiple_accesses: u64,
    pub access_forks: u64,
    pub access_queries: u64,
    /// Views of several pieces of memory as one array.
    pub segments: u64,
    pub max_segment_bytes: u64,
}

pub struct Context {
    pub pool: Pool,
    pub oracle: Oracle,
    pub config: Config,
    pub coverage: Coverage,
    pub monitors: Vec<Box<dyn Monitor>>,
    pub tree: Tree,
    pub counters: Counters,
    /// States that the current step made; the engine takes them over after it.
    pub forked: Vec<State>,
    /// Pending states that the current slice left behind.
    pub deferred: Vec<State>,
    /// Paths that ended and that nobody has taken yet.
    pub finished: VecDeque<Finished>,
    /// Messages for the user: warnings of Osier, and what the program says through intrinsics.
    pub messages: VecDeque<String>,
    pub stop: Option<Stopped>,
    /// `klee`'s kill_all_other: every state but this one ends.
    pub keep_only: Option<StateId>,
    /// The current state has closed this region and waits for the others.
    pub park: Option<MergeScope>,
    pub(crate) next_scope: u32,
    pub(crate) bound: Vec<Option<Bound>>,
    pub(crate) watch_overflow: bool,
    /// The arrays that fresh memory is filled with, by place and size.
    pub(crate) uninitialised: FxHashMap<(LocId, u64), Array>,
    pub(crate) reported: FxHashSet<(Kind, u32, u32)>,
    pub(crate) said: FxHashSet<String>,
    pub(crate) next_state: u32,
    pub(crate) spare_frames: Vec<Rc<crate::Frame>>,
    pub(crate) families: Families,
    pub(crate) splitting: Splitting,
    pub(crate) sensitive: Sensitive,
    pub(crate) stored_pointers: StoredPointers,
    pub(crate) patience: Patience,
    pub(crate) journal: Journal,
    pub(crate) environment: Rc<dyn crate::Environment>,
}

impl Context {
    pub fn new_state_id(&mut self) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        id
    }

    /// Marks a point that a state covers; true if it is new.
    pub(crate) fn cover(&mut self, state: &State, point: usize) -> bool {
        let new = self.coverage.hit(point);
        if new {
            // What the others of this slice cover is another state's, if this one has just forked off.
            self.coverage.fresh.pop();
            self.journal.covered(state.trail, &[point as u32]);
        }
        new
    }

    /// A message for the user.
    pub fn say(&mut self, message: String) {
        self.messages.push_back(message);
    }

    /// A message that is worth saying once.
    pub fn say_once(&mut self, message: String) {
        if self.said.insert(message.clone()) {
            self.messages.push_back(message);
        }
    }
}
