//! Several strategies that take turns.

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};

/// Each selection is the next strategy's; all of them see all states.
pub struct Interleaved {
    searchers: Vec<Box<dyn Searcher>>,
    turn: usize,
}

impl Interleaved {
    /// There must be at least one strategy.
    pub fn new(searchers: Vec<Box<dyn Searcher>>) -> Self {
        assert!(!searchers.is_empty(), "nobody to take turns");
        Interleaved { searchers, turn: 0 }
    }
}

impl Searcher for Interleaved {
    fn select(&mut self, states: &dyn States, random: &mut Random) -> StateId {
        let turn = self.turn;
        self.turn = (turn + 1) % self.searchers.len();
        self.searchers[turn].select(states, random)
    }

    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        for searcher in &mut self.searchers {
            searcher.update(states, current, added, removed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use crate::{bfs, dfs};

    #[test]
    fn turns_go_round() {
        let mut fake = Fake::new();
        let child = fake.fork(fake.first());
        let mut searcher = Interleaved::new(vec![dfs::make(), bfs::make(), dfs::make()]);
        let mut random = Random::new(0);
        searcher.update(&fake, None, &[fake.first()], &[]);
        searcher.update(&fake, Some(fake.first()), &[child], &[]);
        let selected: Vec<StateId> = (0..6).map(|_| searcher.select(&fake, &mut random)).collect();
        assert_eq!(selected, [1, 0, 1, 1, 0, 1].map(StateId));
    }
}
