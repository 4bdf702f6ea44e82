//! Non-uniform random search: draws a state with a chance in proportion to its weight. The weights are KLEE's.

pub(crate) mod covnew;
pub(crate) mod cpicnt;
pub(crate) mod depth;
pub(crate) mod icnt;
pub(crate) mod md2u;
pub(crate) mod qc;
pub(crate) mod rp;
mod sum_tree;
mod uncovered;

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};
use rustc_hash::FxHashMap;
use sum_tree::SumTree;

/// How much a state counts.
pub(crate) trait Weight {
    fn weight(&mut self, states: &dyn States, state: StateId) -> f64;

    /// Told when a state has run and lives on, before its weight is asked for again.
    fn has_run(&mut self, _states: &dyn States, _state: StateId) {}

    /// Told when a state is gone.
    fn forget(&mut self, _state: StateId) {}

    /// Asked once per update, with the number of states: whether the weights of all of them have to be taken anew.
    fn all_changed(&mut self, _states: &dyn States, _count: usize) -> bool {
        false
    }
}

/// Weights are taken when a state comes and whenever it has run; what changes them from outside in between shows up
/// only then, or when [`Weight::all_changed`] says so.
struct Nurs<W> {
    weight: W,
    sums: SumTree,
    /// The state in each slot of `sums`; slots of states that are gone are used again.
    slots: Vec<Option<StateId>>,
    free: Vec<usize>,
    places: FxHashMap<StateId, usize>,
}

pub(crate) fn boxed<W: Weight + 'static>(weight: W) -> Box<dyn Searcher> {
    Box::new(Nurs {
        weight,
        sums: SumTree::default(),
        slots: Vec::new(),
        free: Vec::new(),
        places: FxHashMap::default(),
    })
}

impl<W: Weight> Nurs<W> {
    fn weigh(&mut self, states: &dyn States, state: StateId) {
        let Some(&slot) = self.places.get(&state) else { return };
        // No state may be out of reach, however deep or often seen: that would lose it for good.
        let weight = self.weight.weight(states, state).max(f64::MIN_POSITIVE);
        self.sums.set(slot, weight);
    }

    fn add(&mut self, states: &dyn States, state: StateId) {
        let slot = self.free.pop().unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[slot] = Some(state);
        self.places.insert(state, slot);
        self.weigh(states, state);
    }

    fn remove(&mut self, state: StateId) {
        let Some(slot) = self.places.remove(&state) else { return };
        self.slots[slot] = None;
        self.free.push(slot);
        self.sums.set(slot, 0.0);
        self.weight.forget(state);
    }
}

impl<W: Weight> Searcher for Nurs<W> {
    fn select(&mut self, _states: &dyn States, random: &mut Random) -> StateId {
        let slot = self.sums.draw(random.unit());
        self.slots[slot].expect("only slots with a state have weight")
    }

    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        for &state in removed {
            self.remove(state);
        }
        for &state in added {
            self.add(states, state);
        }
        if self.weight.all_changed(states, self.places.len()) {
            for slot in 0..self.slots.len() {
                if let Some(state) = self.slots[slot] {
                    self.weigh(states, state);
                }
            }
        }
        if let Some(current) = current.filter(|state| self.places.contains_key(state)) {
            self.weight.has_run(states, current);
            self.weigh(states, current);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, shares};

    /// A state's number is its weight.
    struct ByNumber;

    impl Weight for ByNumber {
        fn weight(&mut self, _states: &dyn States, state: StateId) -> f64 {
            f64::from(state.0)
        }
    }

    #[test]
    fn states_are_drawn_in_proportion_to_their_weights() {
        let mut fake = Fake::new();
        let added = fake.fork_all(3);
        let mut searcher = boxed(ByNumber);
        searcher.update(&fake, None, &[fake.first()], &[]);
        searcher.update(&fake, Some(fake.first()), &added, &[]);
        searcher.update(&fake, None, &[], &[StateId(6), StateId(3)]);
        let total = 1.0 + 2.0 + 4.0 + 5.0 + 7.0;
        let shares = shares(searcher.as_mut(), &fake, 40_000);
        // s0 has no weight to speak of.
        assert_eq!(shares.keys().map(|s| s.0).collect::<Vec<_>>(), [1, 2, 4, 5, 7]);
        for (state, share) in shares {
            assert!((share - f64::from(state.0) / total).abs() < 0.01, "{state} has {share}");
        }
    }

    #[test]
    fn a_state_without_weight_is_still_reached_when_it_is_alone() {
        let fake = Fake::new();
        let mut searcher = boxed(ByNumber);
        searcher.update(&fake, None, &[StateId(0)], &[]);
        assert_eq!(searcher.select(&fake, &mut Random::new(0)), StateId(0));
    }
}
