//! A strategy that is relieved by another where it finds nothing new.

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};

/// The first strategy selects as long as something new is covered from time to time; otherwise the second has every other
/// turn.
pub(crate) struct Relieved {
    first: Box<dyn Searcher>,
    second: Box<dyn Searcher>,
    /// The version of the coverage at the last selection, and how many there were since it changed.
    version: u64,
    in_vain: u64,
}

/// So many selections without anything new are nothing unusual.
const PATIENCE: u64 = 16;

impl Relieved {
    pub fn new(first: Box<dyn Searcher>, second: Box<dyn Searcher>) -> Self {
        Relieved { first, second, version: 0, in_vain: 0 }
    }
}

impl Searcher for Relieved {
    fn select(&mut self, states: &dyn States, random: &mut Random) -> StateId {
        let version = states.coverage().version;
        self.in_vain = if version == self.version { self.in_vain + 1 } else { 0 };
        self.version = version;
        let relieved = self.in_vain > PATIENCE && self.in_vain % 2 == 1;
        if relieved { &mut self.second } else { &mut self.first }.select(states, random)
    }

    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        self.first.update(states, current, added, removed);
        self.second.update(states, current, added, removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use crate::{bfs, dfs};

    #[test]
    fn the_second_has_every_other_turn_until_there_is_news() {
        let mut fake = Fake::new();
        let (first, newest) = (fake.first(), fake.fork(fake.first()));
        let mut searcher = Relieved::new(dfs::make(), bfs::make());
        let mut random = Random::new(0);
        searcher.update(&fake, None, &[first, newest], &[]);
        let mut select = |fake: &Fake, times: u64| -> Vec<StateId> {
            (0..times).map(|_| searcher.select(fake, &mut random)).collect()
        };
        assert_eq!(select(&fake, PATIENCE), vec![newest; PATIENCE as usize]);
        assert_eq!(select(&fake, 4), [first, newest, first, newest]);
        fake.cover_everything();
        assert_eq!(select(&fake, PATIENCE + 1), vec![newest; PATIENCE as usize + 1]);
        assert_eq!(select(&fake, 2), [first, newest]);
    }
}
