//! nurs:rp: one half to the power of the depth. What random-path gives while no state has ended; after that, the chance
//! of ended states goes to all others here and to their neighbours there.

use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};

struct HalvedByForks;

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(HalvedByForks)
}

impl Weight for HalvedByForks {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        (-f64::from(states.view(state).depth)).exp2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn each_fork_halves_the_weight() {
        let mut fake = Fake::new();
        assert_eq!(HalvedByForks.weight(&fake, fake.first()), 1.0);
        fake.view_mut(fake.first()).depth = 3;
        assert_eq!(HalvedByForks.weight(&fake, fake.first()), 0.125);
    }
}
