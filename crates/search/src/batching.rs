//! Keeps a state for a while: changing it for every few instructions costs locality and selections.

use osier_base::Random;
use osier_exec::{Searcher, StateId, States};

/// Stays with the inner strategy's choice until it has executed so many instructions or is gone. Instructions, not
/// seconds: a run must come out the same on a slower machine.
pub struct Batching {
    inner: Box<dyn Searcher>,
    instructions: u64,
    /// The state in hand, and the number of instructions at which its batch is over.
    batch: Option<(StateId, u64)>,
}

impl Batching {
    pub fn new(inner: Box<dyn Searcher>, instructions: u64) -> Self {
        Batching { inner, instructions, batch: None }
    }
}

impl Searcher for Batching {
    fn select(&mut self, states: &dyn States, random: &mut Random) -> StateId {
        if let Some((state, end)) = self.batch
            && states.view(state).instructions < end
        {
            return state;
        }
        let state = self.inner.select(states, random);
        self.batch = Some((state, states.view(state).instructions.saturating_add(self.instructions)));
        state
    }

    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        self.batch = self.batch.filter(|(state, _)| !removed.contains(state));
        self.inner.update(states, current, added, removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use crate::{bfs, interleaved::Interleaved, random_path};

    #[test]
    fn a_state_is_kept_until_its_instructions_have_passed() {
        let mut fake = Fake::new();
        let child = fake.fork(fake.first());
        let mut searcher = Batching::new(bfs::make(), 100);
        let mut random = Random::new(0);
        searcher.update(&fake, None, &[fake.first()], &[]);
        assert_eq!(searcher.select(&fake, &mut random), fake.first());
        // The fork sends s0 to the end of the inner queue, but the batch goes on.
        searcher.update(&fake, None, &[child], &[]);
        searcher.update(&fake, Some(child), &[], &[]);
        fake.view_mut(fake.first()).instructions += 99;
        assert_eq!(searcher.select(&fake, &mut random), fake.first());
        searcher.update(&fake, Some(fake.first()), &[StateId(9)], &[]);
        fake.view_mut(fake.first()).instructions += 1;
        assert_eq!(searcher.select(&fake, &mut random), child);
    }

    #[test]
    fn a_batch_ends_with_its_state() {
        let mut fake = Fake::new();
        let child = fake.fork(fake.first());
        let mut searcher = Batching::new(Box::new(Interleaved::new(vec![random_path::make()])), u64::MAX);
        let mut random = Random::new(3);
        let selected = searcher.select(&fake, &mut random);
        let other = if selected == child { fake.first() } else { child };
        fake.end(selected);
        searcher.update(&fake, Some(selected), &[], &[selected]);
        assert_eq!(searcher.select(&fake, &mut random), other);
    }
}
