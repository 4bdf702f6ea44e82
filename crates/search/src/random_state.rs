//! Any state, all alike.

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};
use rustc_hash::FxHashMap;

#[derive(Default)]
struct RandomState {
    states: Vec<StateId>,
    /// Where each state stands in `states`.
    places: FxHashMap<StateId, usize>,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    Box::<RandomState>::default()
}

impl Searcher for RandomState {
    fn select(&mut self, _states: &dyn States, random: &mut Random) -> StateId {
        self.states[random.below(self.states.len())]
    }

    fn update(&mut self, _states: &dyn States, _current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        for &state in added {
            self.places.insert(state, self.states.len());
            self.states.push(state);
        }
        for state in removed {
            let Some(place) = self.places.remove(state) else { continue };
            self.states.swap_remove(place);
            if let Some(&moved) = self.states.get(place) {
                self.places.insert(moved, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, shares};

    #[test]
    fn all_states_are_drawn_alike() {
        let mut fake = Fake::new();
        let added = fake.fork_all(4);
        let mut searcher = make();
        searcher.update(&fake, None, &[fake.first()], &[]);
        searcher.update(&fake, Some(fake.first()), &added, &[]);
        // Four leave, from the front, the middle and the back.
        let gone = [StateId(0), StateId(7), StateId(15), StateId(14)];
        searcher.update(&fake, None, &[], &gone);
        let shares = shares(searcher.as_mut(), &fake, 24_000);
        assert_eq!(shares.len(), 12);
        for (state, share) in shares {
            assert!(!gone.contains(&state));
            assert!((share * 12.0 - 1.0).abs() < 0.1, "{state} has {share}");
        }
    }
}
