//! nurs:icnt: how rarely the code that a state is in has been executed, by all paths together.

use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};

struct RareCode;

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(RareCode)
}

impl Weight for RareCode {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        let inverse = 1.0 / states.view(state).block_visits.max(1) as f64;
        inverse * inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    #[test]
    fn the_weight_is_the_inverse_square_of_the_visits() {
        let mut fake = Fake::new();
        fake.view_mut(fake.first()).block_visits = 0;
        assert_eq!(RareCode.weight(&fake, fake.first()), 1.0);
        fake.view_mut(fake.first()).block_visits = 4;
        assert_eq!(RareCode.weight(&fake, fake.first()), 0.0625);
    }
}
