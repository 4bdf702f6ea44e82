//! The exact cache: a set of constraints that was decided before has the same answer now.

use std::time::Duration;

use osier_term::{Pool, Term};

use crate::generations::Generations;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};

/// Keyed by the sorted constraints. That there is no answer is kept too: a query that ran into its time limit would do
/// so again.
pub(crate) struct AnswerCache {
    inner: Box<dyn Solver>,
    known: Generations<Box<[Term]>, Answer>,
    hits: u64,
}

impl AnswerCache {
    pub(crate) fn wrap(inner: Box<dyn Solver>, limit: usize) -> Box<dyn Solver> {
        Box::new(AnswerCache { inner, known: Generations::new(limit), hits: 0 })
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
        if let Some(answer) = self.known.get(&key) {
            self.hits += 1;
            return Ok(answer.clone());
        }
        let answer = self.inner.check(pool, query)?;
        match &answer {
            Answer::Sat(_)
            | Answer::Unsat
            | Answer::Unknown(Reason::Timeout | Reason::Memory | Reason::Incomplete(_)) => {
                self.known.insert(key, answer.clone());
            }
            // Says nothing about the query.
            Answer::Unknown(Reason::Interrupted) => {}
        }
        Ok(answer)
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let key = key_of(query.constraints);
        match self.known.get(&key) {
            Some(answer @ (Answer::Sat(_) | Answer::Unsat)) => return Ok(Some(answer.clone())),
            Some(Answer::Unknown(_)) => return Ok(None),
            None => {}
        }
        let answer = self.inner.recall(pool, query)?;
        if let Some(answer @ (Answer::Sat(_) | Answer::Unsat)) = &answer {
            self.known.insert(key, answer.clone());
        }
        Ok(answer)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.cached += self.hits;
        self.inner.statistics(out);
    }
}
