//! Class-uniform: first a place in the program, then one of the states that are there. Where thousands of states stand
//! in one loop, they get no more turns than the one that stands elsewhere. (The idea is that of class-uniform path
//! analysis, CUPA.)

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};
use osier_ir::{BlockId, FuncId};
use rustc_hash::FxHashMap;

type Place = (FuncId, BlockId);

/// The states at one place.
#[derive(Default)]
struct Class {
    states: Vec<StateId>,
    /// How often a state from here was chosen.
    turns: u64,
}

#[derive(Default)]
struct ByPlace {
    classes: FxHashMap<Place, Class>,
    /// Places where states are, and where each of them stands in this list.
    places: Vec<Place>,
    positions: FxHashMap<Place, usize>,
    /// Where each state is, and where it stands among the states there.
    homes: FxHashMap<StateId, (Place, usize)>,
}

pub(crate) fn make() -> Box<dyn Searcher> {
    Box::<ByPlace>::default()
}

/// The innermost place in the program's own code: what a state does in the libc it does for that place.
fn place_of(states: &dyn States, state: StateId) -> Place {
    let module = &states.program().module;
    let has_lines = |function: FuncId| module.locations[module.functions[function].location].line != 0;
    let view = states.view(state);
    if has_lines(view.function) {
        return (view.function, view.block);
    }
    let own = states.stack(state).into_iter().find(|(function, _)| has_lines(*function));
    own.unwrap_or((view.function, view.block))
}

impl ByPlace {
    fn add(&mut self, state: StateId, place: Place) {
        let class = self.classes.entry(place).or_default();
        if class.states.is_empty() {
            self.positions.insert(place, self.places.len());
            self.places.push(place);
        }
        self.homes.insert(state, (place, class.states.len()));
        class.states.push(state);
    }

    fn remove(&mut self, state: StateId) {
        let Some((place, index)) = self.homes.remove(&state) else { return };
        let Some(class) = self.classes.get_mut(&place) else { return };
        class.states.swap_remove(index);
        if let Some(moved) = class.states.get(index) {
            self.homes.insert(*moved, (place, index));
        }
        if class.states.is_empty()
            && let Some(position) = self.positions.remove(&place)
        {
            self.places.swap_remove(position);
            if let Some(moved) = self.places.get(position) {
                self.positions.insert(*moved, position);
            }
        }
    }
}

impl Searcher for ByPlace {
    fn select(&mut self, _states: &dyn States, random: &mut Random) -> StateId {
        // Of two places, the one that has had fewer turns.
        let (a, b) = (self.places[random.below(self.places.len())], self.places[random.below(self.places.len())]);
        let chosen = if self.classes[&a].turns <= self.classes[&b].turns { a } else { b };
        let class = self.classes.get_mut(&chosen).expect("a listed place has states");
        class.turns += 1;
        class.states[random.below(class.states.len())]
    }

    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        removed.iter().for_each(|state| self.remove(*state));
        let alive = |state: &StateId| !removed.contains(state);
        if let Some(state) = current.filter(alive) {
            let place = place_of(states, state);
            if self.homes.get(&state).is_none_or(|(home, _)| *home != place) {
                self.remove(state);
                self.add(state, place);
            }
        }
        for state in added.iter().filter(|state| alive(state)) {
            self.add(*state, place_of(states, *state));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, shares};

    #[test]
    fn a_lonely_state_gets_as_many_turns_as_a_crowd() {
        let mut fake = Fake::new();
        let crowd = fake.fork_all(4);
        let lonely = crowd[0];
        fake.set_stack(lonely, vec![(FuncId(1), BlockId(1))]);
        let mut searcher = make();
        searcher.update(&fake, None, &[fake.first()], &[]);
        searcher.update(&fake, Some(fake.first()), &crowd, &[]);
        let shares: FxHashMap<StateId, f64> = shares(searcher.as_mut(), &fake, 10_000).into_iter().collect();
        assert!((shares[&lonely] - 0.5).abs() < 0.05, "{}", shares[&lonely]);
        assert_eq!(shares.len(), 16);
    }
}
