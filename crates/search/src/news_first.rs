//! A state that begins with something new goes before others.

use osier_base::Random;
use osier_exec::{Searcher, StateId, StateView, States};

/// A new state that came to where none had been is followed until it is gone or has shown nothing new for a while; all
/// other selections are the inner strategy's. Since there is only so much to cover, no state waits for ever.
pub(crate) struct NewsFirst {
    inner: Box<dyn Searcher>,
    /// The state that is followed, and what it had done when something new was last seen.
    followed: Option<(StateId, u64)>,
    /// The version of the coverage when somebody last looked.
    version: u64,
}

/// So far a state is followed behind the last new thing that was seen, in what [`done`] counts.
const FAR: u64 = 100_000;
/// What a fork counts, in instructions: a loop that forks at each turn is not followed as long as others.
const FORK: u64 = 200;
/// What a question counts that came to a backend. (Without, make of 20 open bytes looked for a string in a hash table for
/// most of an hour.)
const HARD: u64 = 5000;

impl NewsFirst {
    pub fn new(inner: Box<dyn Searcher>) -> Self {
        NewsFirst { inner, followed: None, version: 0 }
    }
}

/// What the path of a state has done.
fn done(view: StateView) -> u64 {
    view.instructions + FORK * u64::from(view.depth) + HARD * view.hard_questions
}

impl Searcher for NewsFirst {
    fn select(&mut self, states: &dyn States, random: &mut Random) -> StateId {
        if let Some((state, since)) = self.followed
            && done(states.view(state)).saturating_sub(since) < FAR
        {
            return state;
        }
        self.followed = None;
        self.inner.select(states, random)
    }

    fn update(&mut self, states: &dyn States, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        self.followed = self.followed.filter(|(state, _)| !removed.contains(state));
        let version = states.coverage().version;
        if version != self.version {
            self.version = version;
            let fresh = || added.iter().copied().find(|state| states.view(*state).covered_new);
            let followed = self.followed.map(|(state, _)| state).or_else(fresh);
            self.followed = followed.map(|state| (state, done(states.view(state))));
        }
        self.inner.update(states, current, added, removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfs;
    use crate::testing::Fake;

    /// The first state has forked twice, and the newest state came to a block that nobody had been in.
    fn with_news() -> (Fake, NewsFirst, StateId) {
        let mut fake = Fake::new();
        let mut searcher = NewsFirst::new(bfs::make());
        searcher.update(&fake, None, &[fake.first()], &[]);
        let (other, fresh) = (fake.fork(fake.first()), fake.fork(fake.first()));
        fake.enter(fresh, 1);
        fake.view_mut(fresh).covered_new = true;
        searcher.update(&fake, Some(fake.first()), &[other, fresh], &[]);
        (fake, searcher, fresh)
    }

    fn select(searcher: &mut NewsFirst, fake: &Fake) -> StateId {
        searcher.select(fake, &mut Random::new(0))
    }

    #[test]
    fn a_new_state_with_news_is_followed_for_a_while() {
        let (mut fake, mut searcher, fresh) = with_news();
        fake.view_mut(fresh).instructions += FAR - 1;
        searcher.update(&fake, Some(fresh), &[], &[]);
        assert_eq!(select(&mut searcher, &fake), fresh);
        fake.view_mut(fresh).instructions += 1;
        assert_ne!(select(&mut searcher, &fake), fresh);
    }

    #[test]
    fn it_is_followed_for_as_long_as_there_is_more_news() {
        let (mut fake, mut searcher, fresh) = with_news();
        fake.view_mut(fresh).instructions += FAR - 1;
        fake.enter(fresh, 2);
        searcher.update(&fake, Some(fresh), &[], &[]);
        fake.view_mut(fresh).instructions += FAR - 1;
        assert_eq!(select(&mut searcher, &fake), fresh);
    }

    #[test]
    fn forks_count_too() {
        let (mut fake, mut searcher, fresh) = with_news();
        fake.view_mut(fresh).depth += (FAR / FORK) as u32;
        assert_ne!(select(&mut searcher, &fake), fresh);
    }

    #[test]
    fn hard_questions_count_too() {
        let (mut fake, mut searcher, fresh) = with_news();
        fake.view_mut(fresh).hard_questions += FAR / HARD - 1;
        assert_eq!(select(&mut searcher, &fake), fresh);
        fake.view_mut(fresh).hard_questions += 1;
        assert_ne!(select(&mut searcher, &fake), fresh);
    }

    #[test]
    fn one_that_is_gone_is_not_followed() {
        let (mut fake, mut searcher, fresh) = with_news();
        fake.end(fresh);
        searcher.update(&fake, None, &[], &[fresh]);
        assert_eq!(select(&mut searcher, &fake), fake.first());
    }

    #[test]
    fn a_new_state_without_news_waits_its_turn() {
        let mut fake = Fake::new();
        let mut searcher = NewsFirst::new(bfs::make());
        searcher.update(&fake, None, &[fake.first()], &[]);
        let child = fake.fork(fake.first());
        fake.cover_everything();
        searcher.update(&fake, Some(fake.first()), &[child], &[]);
        assert!(searcher.followed.is_none());
    }
}
