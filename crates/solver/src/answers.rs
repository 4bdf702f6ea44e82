//! The exact cache: a set of constraints that was decided before has the same answer now.

use std::time::Duration;

use osier_term::{Pool, Term};

use crate::generations::Generations;
use crate::held::Held;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};

/// Keyed by the sorted constraints. That there is no answer is kept too: a query that ran into its time limit would do
/// so again, unless it is given more.
pub(crate) struct AnswerCache {
    inner: Box<dyn Solver>,
    known: Generations<Box<[Term]>, Kept>,
    timeout: Option<Duration>,
    hits: u64,
}

#[derive(Clone)]
struct Kept {
    answer: Answer,
    /// The time that it was allowed to take.
    timeout: Option<Duration>,
}

impl Kept {
    /// Whether the same would come out with this time limit.
    fn holds_with(&self, timeout: Option<Duration>) -> bool {
        match self.answer {
            Answer::Unknown(Reason::Timeout) => match (self.timeout, timeout) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(then), Some(now)) => now <= then,
            },
            Answer::Sat(_) | Answer::Unsat => true,
            Answer::Unknown(Reason::Memory | Reason::Incomplete(_) | Reason::Interrupted) => true,
        }
    }
}

impl Held for Kept {
    fn held(&self) -> usize {
        self.answer.held()
    }
}

impl AnswerCache {
    pub(crate) fn wrap(inner: Box<dyn Solver>, limit: usize) -> Box<dyn Solver> {
        Box::new(AnswerCache { inner, known: Generations::new(limit), timeout: None, hits: 0 })
    }
}

/// The constraints as a canonical key.
pub(crate) fn key_of(constraints: &[Term]) -> Box<[Term]> {
    let mut key: Box<[Term]> = constraints.into();
    if !key.is_sorted() {
        key.sort_unstable();
    }
    key
}

impl Solver for AnswerCache {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let key = key_of(query.constraints);
        if let Some(kept) = self.known.get(&key)
            && kept.holds_with(self.timeout)
        {
            self.hits += 1;
            return Ok(kept.answer.clone());
        }
        let answer = self.inner.check(pool, query)?;
        match &answer {
            Answer::Sat(_)
            | Answer::Unsat
            | Answer::Unknown(Reason::Timeout | Reason::Memory | Reason::Incomplete(_)) => {
                self.known.insert(key, Kept { answer: answer.clone(), timeout: self.timeout });
            }
            // Says nothing about the query.
            Answer::Unknown(Reason::Interrupted) => {}
        }
        Ok(answer)
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let key = key_of(query.constraints);
        match self.known.get(&key).map(|kept| &kept.answer) {
            Some(answer @ (Answer::Sat(_) | Answer::Unsat)) => return Ok(Some(answer.clone())),
            Some(Answer::Unknown(_)) => return Ok(None),
            None => {}
        }
        let answer = self.inner.recall(pool, query)?;
        if let Some(answer @ (Answer::Sat(_) | Answer::Unsat)) = &answer {
            self.known.insert(key, Kept { answer: answer.clone(), timeout: self.timeout });
        }
        Ok(answer)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.cached += self.hits;
        self.inner.statistics(out);
    }
}
