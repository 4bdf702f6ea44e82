//! nurs:depth: the number of forks on the way to a state.

use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};

struct Depth;

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(Depth)
}

impl Weight for Depth {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        f64::from(states.view(state).depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn the_weight_is_the_depth() {
        let mut fake = Fake::new();
        fake.view_mut(fake.first()).depth = 7;
        assert_eq!(Depth.weight(&fake, fake.first()), 7.0);
    }
}
