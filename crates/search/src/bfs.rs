//! Breadth first: level by level of the execution tree.

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A queue from whose middle states can leave. Both sides of a fork are one level deeper, so both go to its end.
#[derive(Default)]
struct BreadthFirst {
    queue: BTreeMap<u64, StateId>,
    tickets: FxHashMap<StateId, u64>,
    next_ticket: u64,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    Box::<BreadthFirst>::default()
}

impl BreadthFirst {
    fn enqueue(&mut self, state: StateId) {
        self.leave(state);
        self.queue.insert(self.next_ticket, state);
        self.tickets.insert(state, self.next_ticket);
        self.next_ticket += 1;
    }

    fn leave(&mut self, state: StateId) {
        if let Some(ticket) = self.tickets.remove(&state) {
            self.queue.remove(&ticket);
        }
    }
}

impl Searcher for BreadthFirst {
    fn select(&mut self, _states: &dyn States, _random: &mut Random) -> StateId {
        *self.queue.values().next().expect("a searcher is asked only while there are states")
    }

    fn update(&mut self, _states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        if let Some(current) = current.filter(|_| !added.is_empty()) {
            self.enqueue(current);
        }
        for &state in added {
            self.enqueue(state);
        }
        for &state in removed {
            self.leave(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn a_level_is_done_before_the_next() {
        let fake = Fake::new();
        let mut searcher = make();
        let mut random = Random::new(0);
        searcher.update(&fake, None, &[StateId(0)], &[]);
        searcher.update(&fake, Some(StateId(0)), &[StateId(1)], &[]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(0));
        // s0 forks again: s1, one level above, comes before both sides.
        searcher.update(&fake, Some(StateId(0)), &[StateId(2)], &[]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(1));
        searcher.update(&fake, Some(StateId(1)), &[], &[]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(1));
        searcher.update(&fake, Some(StateId(1)), &[], &[StateId(1)]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(0));
        searcher.update(&fake, Some(StateId(0)), &[], &[StateId(0)]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(2));
    }
}
