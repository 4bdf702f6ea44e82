//! Who chooses the next state. Strategies live in `search` and see views, never states.

use crate::{Coverage, Leaves, Program, StateId, Tree};
use osier_base::Random;
use osier_ir::{BlockId, FuncId};

/// What a strategy may know of a state.
#[derive(Clone, Copy, Debug)]
pub struct StateView {
    pub id: StateId,
    pub depth: u32,
    pub instructions: u64,
    /// Instructions since this path last covered something new.
    pub since_new: u64,
    /// Whether it covered something that no path had before.
    pub covered_new: bool,
    /// Seconds of solving that it caused.
    pub query_seconds: f64,
    /// Questions that it asked and that came to a backend: a millisecond or a hundred each.
    pub hard_questions: u64,
    pub function: FuncId,
    pub block: BlockId,
    /// How often the paths of this run, all together, have entered `block`.
    pub block_visits: u64,
}

/// All running states, or all pending ones, and what belongs to them together.
pub trait States {
    fn view(&self, id: StateId) -> StateView;
    /// The functions and blocks that a state is in, innermost first.
    fn stack(&self, id: StateId) -> Vec<(FuncId, BlockId)>;
    /// The execution tree, and which of its leaves these states are.
    fn tree(&self) -> (&Tree, Leaves);
    fn program(&self) -> &Program;
    fn coverage(&self) -> &Coverage;
}

/// A strategy. `update` is called after every step that added or removed states and whenever `current` has run.
pub trait Searcher {
    /// One of the states that were added and not removed; there is at least one.
    fn select(&mut self, states: &dyn States, random: &mut Random) -> StateId;
    /// `added` states are alive and new; `removed` ones are gone and can no longer be viewed.
    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]);
}
