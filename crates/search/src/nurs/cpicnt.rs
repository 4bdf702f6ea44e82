//! nurs:cpicnt: how few instructions have been executed in the chain of calls that a state is in, by all paths.

use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};
use osier_ir::{BlockId, FuncId};
use rustc_hash::FxHashMap;

/// The functions of a stack, innermost first, and the blocks that the outer ones are calling from.
type CallPath = (FuncId, Box<[(FuncId, BlockId)]>);

#[derive(Default)]
struct RareCallPath {
    /// Instructions executed in each call path. A state's instructions since it was last seen count for the path that
    /// it has come to.
    executed: FxHashMap<CallPath, u64>,
    /// How many instructions each state had when it was last seen.
    seen: FxHashMap<StateId, u64>,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(RareCallPath::default())
}

fn call_path(states: &dyn States, state: StateId) -> Option<CallPath> {
    let stack = states.stack(state);
    let (&(function, _), callers) = stack.split_first()?;
    Some((function, callers.into()))
}

impl Weight for RareCallPath {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        self.seen.entry(state).or_insert_with(|| states.view(state).instructions);
        let executed = call_path(states, state).and_then(|path| self.executed.get(&path).copied()).unwrap_or(0);
        1.0 / executed.max(1) as f64
    }

    fn has_run(&mut self, states: &dyn States, state: StateId) {
        let now = states.view(state).instructions;
        let before = self.seen.insert(state, now).unwrap_or(now);
        if let Some(path) = call_path(states, state) {
            *self.executed.entry(path).or_default() += now.saturating_sub(before);
        }
    }

    fn forget(&mut self, state: StateId) {
        self.seen.remove(&state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn states_in_one_call_path_share_their_count() {
        let mut fake = Fake::new();
        let (first, child) = (fake.first(), fake.fork(fake.first()));
        let caller = (FuncId(0), BlockId(2));
        fake.set_stack(first, vec![(FuncId(1), BlockId(0)), caller]);
        fake.set_stack(child, vec![(FuncId(1), BlockId(1)), caller]);
        let mut weight = RareCallPath::default();
        assert_eq!(weight.weight(&fake, first), 1.0);
        fake.view_mut(first).instructions += 50;
        weight.has_run(&fake, first);
        assert_eq!(weight.weight(&fake, first), 0.02);
        assert_eq!(weight.weight(&fake, child), 0.02);
        // Called from another block, it is another call path.
        fake.set_stack(child, vec![(FuncId(1), BlockId(1)), (FuncId(0), BlockId(3))]);
        assert_eq!(weight.weight(&fake, child), 1.0);
    }
}
