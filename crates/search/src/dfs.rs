//! Depth first: the newest state.

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};
use std::collections::BTreeSet;

/// States are numbered as they come into being, so the newest has the greatest number.
#[derive(Default)]
struct DepthFirst {
    states: BTreeSet<StateId>,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    Box::<DepthFirst>::default()
}

impl Searcher for DepthFirst {
    fn select(&mut self, _states: &dyn States, _random: &mut Random) -> StateId {
        *self.states.last().expect("a searcher is asked only while there are states")
    }

    fn update(&mut self, _states: &dyn States, _current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        self.states.extend(added);
        for state in removed {
            self.states.remove(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn the_newest_state_runs_until_it_ends() {
        let fake = Fake::new();
        let mut searcher = make();
        let mut random = Random::new(0);
        searcher.update(&fake, None, &[StateId(0)], &[]);
        searcher.update(&fake, Some(StateId(0)), &[StateId(1)], &[]);
        searcher.update(&fake, Some(StateId(1)), &[StateId(2)], &[]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(2));
        searcher.update(&fake, Some(StateId(2)), &[], &[StateId(2)]);
        assert_eq!(searcher.select(&fake, &mut random), StateId(1));
    }
}
