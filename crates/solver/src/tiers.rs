//! Two backends, one after the other: the first is quick and gives up early, the second takes what is left.

use std::time::{Duration, Instant};

use osier_term::Pool;

use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};

/// Both count into `solved`; what the second solved counts into `second_tier` as well.
pub struct Tiers {
    first: Box<dyn Solver>,
    second: Box<dyn Solver>,
    timeout: Option<Duration>,
}

impl Tiers {
    pub fn new(first: Box<dyn Solver>, second: Box<dyn Solver>) -> Self {
        Tiers { first, second, timeout: None }
    }
}

impl Solver for Tiers {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let start = Instant::now();
        match self.first.check(pool, query)? {
            Answer::Unknown(Reason::Incomplete(_) | Reason::Memory) => {}
            answer @ (Answer::Sat(_) | Answer::Unsat | Answer::Unknown(Reason::Timeout | Reason::Interrupted)) => {
                return Ok(answer);
            }
        }
        if let Some(timeout) = self.timeout {
            self.second.set_timeout(Some(timeout.saturating_sub(start.elapsed())));
        }
        self.second.check(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
        self.first.set_timeout(timeout);
        self.second.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        self.first.statistics(out);
        let before = out.solved;
        self.second.statistics(out);
        out.second_tier += out.solved - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::Assignment;

    /// Says always the same, and remembers what it may take and whether it was asked.
    struct Always(Answer, std::rc::Rc<std::cell::Cell<Option<Duration>>>, bool);
    impl Solver for Always {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            self.2 = true;
            Ok(self.0.clone())
        }
        fn set_timeout(&mut self, timeout: Option<Duration>) {
            self.1.set(timeout);
        }
        fn statistics(&self, out: &mut Statistics) {
            out.solved += u64::from(self.2 && !matches!(self.0, Answer::Unknown(_)));
        }
    }

    fn asked(first: Answer) -> (Answer, u64) {
        let second = Always(Answer::Unsat, Default::default(), false);
        let mut tiers = Tiers::new(Box::new(Always(first, Default::default(), false)), Box::new(second));
        let answer = tiers.check(&mut Pool::new(), &Query::of(&[])).unwrap();
        let mut counted = Statistics::default();
        tiers.statistics(&mut counted);
        (answer, counted.second_tier)
    }

    #[test]
    fn the_second_is_asked_only_if_the_first_gives_up() {
        assert!(matches!(asked(Answer::Sat(Assignment::new())), (Answer::Sat(_), 0)));
        assert!(matches!(asked(Answer::Unknown(Reason::Timeout)), (Answer::Unknown(Reason::Timeout), 0)));
        let gave_up = Answer::Unknown(Reason::Incomplete("too hard".to_owned()));
        assert!(matches!(asked(gave_up), (Answer::Unsat, 1)));
    }

    #[test]
    fn the_second_has_the_time_that_is_left() {
        let limit = std::rc::Rc::new(std::cell::Cell::new(None));
        let gave_up = Answer::Unknown(Reason::Incomplete(String::new()));
        let first = Always(gave_up, Default::default(), false);
        let mut tiers = Tiers::new(Box::new(first), Box::new(Always(Answer::Unsat, limit.clone(), false)));
        let most = Duration::from_secs(100);
        tiers.set_timeout(Some(most));
        tiers.check(&mut Pool::new(), &Query::of(&[])).unwrap();
        assert!(limit.get().is_some_and(|left| left < most && left > most / 2), "{:?}", limit.get());
    }
}
