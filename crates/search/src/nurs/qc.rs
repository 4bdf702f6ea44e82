//! nurs:qc: how little solving a state has caused. It goes by the clock, so runs with it cannot be repeated.

use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};

/// Below this, times are noise.
const LEAST_SECONDS: f64 = 1e-6;

struct CheapQueries;

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(CheapQueries)
}

impl Weight for CheapQueries {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        1.0 / states.view(state).query_seconds.max(LEAST_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn the_weight_is_the_inverse_of_the_cost() {
        let mut fake = Fake::new();
        fake.view_mut(fake.first()).query_seconds = 4.0;
        assert_eq!(CheapQueries.weight(&fake, fake.first()), 0.25);
        fake.view_mut(fake.first()).query_seconds = 0.0;
        assert_eq!(CheapQueries.weight(&fake, fake.first()), 1.0 / LEAST_SECONDS);
    }
}
