//! nurs:covnew: how near a state is to code that no path has covered, and how lately its path covered something new.

use super::md2u::inverse_distance;
use super::uncovered::Uncovered;
use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};

/// For so many instructions, a path that covered something counts as if it just had.
const FRESH: u64 = 1000;

#[derive(Default)]
struct CoveringNew {
    uncovered: Uncovered,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(CoveringNew::default())
}

impl Weight for CoveringNew {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        let near = inverse_distance(&mut self.uncovered, states, state);
        let lately = 1.0 / states.view(state).since_new.saturating_sub(FRESH).max(1) as f64;
        near * near + lately * lately
    }

    fn all_changed(&mut self, states: &dyn States, count: usize) -> bool {
        self.uncovered.refresh(states, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn a_path_that_lately_covered_something_weighs_one_more() {
        let mut fake = Fake::new();
        fake.cover_everything();
        let mut weight = CoveringNew::default();
        fake.view_mut(fake.first()).since_new = 1001;
        assert_eq!(weight.weight(&fake, fake.first()), 1.0 + 1e-8);
        fake.view_mut(fake.first()).since_new = 1004;
        assert_eq!(weight.weight(&fake, fake.first()), 0.0625 + 1e-8);
    }
}
