//! nurs:md2u: how near a state is to code that no path has covered.

use super::uncovered::Uncovered;
use super::{Weight, boxed};
use osier_exec::{Searcher, StateId, States};

/// The distance that a state counts as having if it cannot reach anything new.
const FAR: u64 = 10_000;

#[derive(Default)]
struct NearUncovered {
    uncovered: Uncovered,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    boxed(NearUncovered::default())
}

/// 1 / distance.
pub(super) fn inverse_distance(uncovered: &mut Uncovered, states: &dyn States, state: StateId) -> f64 {
    1.0 / uncovered.distance(states, state).unwrap_or(FAR).max(1) as f64
}

impl Weight for NearUncovered {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64 {
        let inverse = inverse_distance(&mut self.uncovered, states, state);
        inverse * inverse
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
    fn the_weight_is_the_inverse_square_of_the_distance() {
        let mut fake = Fake::new();
        let mut weight = NearUncovered::default();
        // Block0 leads to block1, from which nobody took the second way on.
        fake.cover_everything_but(Fake::edge(0, 2));
        assert_eq!(weight.uncovered.distance(&fake, fake.first()), Some(10));
        assert!((weight.weight(&fake, fake.first()) - 0.01).abs() < 1e-12);
        fake.cover_everything();
        let mut weight = NearUncovered::default();
        assert!((weight.weight(&fake, fake.first()) - 1e-8).abs() < 1e-12);
    }
}
