//! Whose turn it is: that of the running states, or of the pending ones.

use crate::StateId;

/// What asking about a pending state counts, in instructions.
const QUESTION: u64 = 20_000;
/// So far a state that was revived while others run is followed behind the last new thing that was seen.
const FAR: u64 = 100_000;

/// Were pending states revived only when no other runs, a crowd of states in one loop, or one that waits there for ever,
/// would be all that is seen of a program. So half of what is done is done with pending states while there are both. What
/// is done is counted in instructions; it may become a little less when a state ends, for those of a block that was begun
/// are counted before.
#[derive(Default)]
pub(crate) struct Turns {
    /// The version of the coverage when somebody last looked, and what had been done then.
    news: (u64, u64),
    /// A state that was revived while others run, and what had been done then: it goes before them.
    followed: Option<(StateId, u64)>,
    /// What has to be done before the next one is asked about.
    next: u64,
}

impl Turns {
    /// Whether a pending state should be asked about although others run.
    pub fn is_pending_next(&self, done: u64) -> bool {
        self.followed.is_none() && done >= self.next
    }

    /// A pending state is asked about.
    pub fn ask(&mut self, done: u64) {
        self.next = done + QUESTION;
    }

    /// It was feasible.
    pub fn follow(&mut self, state: StateId, done: u64) {
        self.followed = Some((state, done));
    }

    /// The state that goes before others, until it is gone or has shown nothing new for a while.
    pub fn followed(&mut self, version: u64, done: u64, lives: impl Fn(StateId) -> bool) -> Option<StateId> {
        if version != self.news.0 {
            self.news = (version, done);
        }
        let (state, since) = self.followed?;
        if lives(state) && done.saturating_sub(since.max(self.news.1)) < FAR {
            return Some(state);
        }
        self.followed = None;
        self.next = done + done.saturating_sub(since) + QUESTION;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: StateId = StateId(7);

    #[test]
    fn running_states_do_as_much_as_the_one_that_was_followed() {
        let mut turns = Turns::default();
        assert!(turns.is_pending_next(0));
        turns.ask(0);
        turns.follow(STATE, 0);
        assert_eq!(turns.followed(0, FAR - 1, |_| true), Some(STATE));
        assert!(!turns.is_pending_next(2 * QUESTION), "one is followed");
        assert_eq!(turns.followed(0, FAR, |_| true), None);
        assert!(!turns.is_pending_next(2 * FAR + QUESTION - 1));
        assert!(turns.is_pending_next(2 * FAR + QUESTION));
    }

    #[test]
    fn a_state_is_followed_as_long_as_there_is_news() {
        let mut turns = Turns::default();
        turns.follow(STATE, 0);
        assert_eq!(turns.followed(1, FAR - 1, |_| true), Some(STATE));
        assert_eq!(turns.followed(1, 2 * FAR - 2, |_| true), Some(STATE));
        assert_eq!(turns.followed(1, 2 * FAR - 1, |_| true), None);
    }

    #[test]
    fn what_was_counted_too_early_changes_nothing() {
        let mut turns = Turns::default();
        turns.follow(STATE, 100);
        assert_eq!(turns.followed(0, 90, |_| true), Some(STATE));
        assert_eq!(turns.followed(0, 90, |_| false), None);
        assert!(turns.is_pending_next(90 + QUESTION));
    }

    #[test]
    fn a_state_that_is_gone_is_not_followed() {
        let mut turns = Turns::default();
        turns.follow(STATE, 0);
        assert_eq!(turns.followed(0, 1, |_| false), None);
        assert!(!turns.is_pending_next(QUESTION + 1));
        assert!(turns.is_pending_next(QUESTION + 2));
    }
}
