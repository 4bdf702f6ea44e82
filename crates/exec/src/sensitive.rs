//! ZESTI's order of revival (Marinescu, Cadar, "make test-zesti", ICSE 2012; built on pending constraints as in Kapus'
//! thesis, section 4.3.7): what a path left behind shortly before an operation that may fail comes first.

use crate::state::StateTable;
use crate::{Context, RevivalOrder, State, StateId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Where the paths met operations that may fail: accesses through symbolic pointers, symbolic divisors and sizes.
#[derive(Default)]
pub struct Sensitive {
    /// For each state, how many instructions its path had at each of them.
    positions: FxHashMap<StateId, Vec<u64>>,
}

impl Sensitive {
    /// From where a path was left to the next such operation on it.
    fn distance(&self, (state, left): (StateId, u64)) -> u64 {
        let Some(positions) = self.positions.get(&state) else { return u64::MAX };
        let next = positions.partition_point(|at| *at < left);
        positions.get(next).map_or(u64::MAX, |at| at - left)
    }
}

/// Takes down that a state stands before an operation that may fail.
pub fn note(cx: &mut Context, state: &State) {
    let Some(RevivalOrder::Sensitive { .. }) = cx.config.pending.as_ref().map(|pending| pending.order) else { return };
    cx.sensitive.positions.entry(state.id).or_default().push(state.instructions);
}

/// Pending states by distance. A distance is found out when somebody asks, for it lies in the future of the path.
#[derive(Default)]
pub struct ByDistance {
    known: BTreeSet<(u64, StateId)>,
    distances: FxHashMap<StateId, u64>,
    unknown: Vec<StateId>,
}

impl ByDistance {
    pub fn add(&mut self, id: StateId) {
        self.unknown.push(id);
    }

    pub fn remove(&mut self, id: StateId) {
        if let Some(distance) = self.distances.remove(&id) {
            self.known.remove(&(distance, id));
        }
    }

    /// The nearest one; `states` has those that are still there.
    pub fn nearest(&mut self, sensitive: &Sensitive, states: &StateTable) -> StateId {
        for id in self.unknown.drain(..) {
            let Some(pending) = states.get(&id).and_then(|state| state.pending.as_ref()) else { continue };
            let distance = sensitive.distance(pending.left);
            self.distances.insert(id, distance);
            self.known.insert((distance, id));
        }
        self.known.first().expect("there are pending states").1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_sensitive_operation_on_the_same_path_counts() {
        let mut sensitive = Sensitive::default();
        sensitive.positions.insert(StateId(1), vec![10, 30]);
        assert_eq!(sensitive.distance((StateId(1), 5)), 5);
        assert_eq!(sensitive.distance((StateId(1), 10)), 0);
        assert_eq!(sensitive.distance((StateId(1), 11)), 19);
        assert_eq!(sensitive.distance((StateId(1), 31)), u64::MAX);
        assert_eq!(sensitive.distance((StateId(2), 5)), u64::MAX);
    }
}
