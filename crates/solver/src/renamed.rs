//! The cache in which names do not count: a slice that was decided before under other names has the same answer now.
//! Before it is asked of anything slower, the store is looked at, where answers of other runs are.

use std::time::{Duration, Instant};

use osier_term::{Assignment, Evaluator, Pool, Term};

use crate::canonical::{Canonical, Forms, Key};
use crate::generations::Generations;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};
use crate::slices::support_of;
use crate::store::{Store, StoredAnswer, decode, encode};

/// So many terms for each answer that is kept.
const FORMS_PER_ANSWER: usize = 4;

/// Every answer leaves through the numbers of its slice and back, also the first time: what a run is told does not
/// depend on whether its questions had been asked before, so a second run repeats the first.
pub(crate) struct Renamed {
    inner: Box<dyn Solver>,
    forms: Forms,
    known: Generations<Key, StoredAnswer>,
    store: Option<Box<dyn Store>>,
    hits: u64,
    stored_hits: u64,
    lookups: u64,
    looking: Duration,
}

impl Renamed {
    pub(crate) fn wrap(inner: Box<dyn Solver>, limit: usize, store: Option<Box<dyn Store>>) -> Box<dyn Solver> {
        Box::new(Renamed {
            inner,
            forms: Forms::new(limit.saturating_mul(FORMS_PER_ANSWER)),
            known: Generations::new(limit),
            store,
            hits: 0,
            stored_hits: 0,
            lookups: 0,
            looking: Duration::ZERO,
        })
    }

    fn look_up(&mut self, pool: &Pool, slice: &Canonical, constraints: &[Term]) -> Option<Answer> {
        if let Some(known) = self.known.get(&slice.key)
            && let Some(answer) = renamed_back(pool, slice, constraints, known)
        {
            self.hits += 1;
            return Some(answer);
        }
        let stored = self.store.as_mut()?.get(&slice.key)?;
        let answer = renamed_back(pool, slice, constraints, &stored)?;
        self.known.insert(slice.key, stored);
        self.stored_hits += 1;
        Some(answer)
    }
}

impl Solver for Renamed {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let slice = self.forms.canonical(pool, query.constraints);
        let found = self.look_up(pool, &slice, query.constraints);
        self.looking += start.elapsed();
        self.lookups += 1;
        if let Some(answer) = found {
            return Ok(answer);
        }
        let nameless = match self.inner.check(pool, query)? {
            Answer::Sat(model) => {
                let support = support_of(pool, query.constraints);
                StoredAnswer::Sat(encode(&slice, &model, &support, pool))
            }
            Answer::Unsat => StoredAnswer::Unsat,
            Answer::Unknown(reason) => return Ok(Answer::Unknown(reason)),
        };
        let answer = match &nameless {
            StoredAnswer::Sat(bytes) => {
                Answer::Sat(decode(&slice, bytes, pool).expect("what was written by these places can be read by them"))
            }
            StoredAnswer::Unsat => Answer::Unsat,
        };
        if let Some(store) = &mut self.store {
            store.put(slice.key, &nameless);
        }
        self.known.insert(slice.key, nameless);
        Ok(answer)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.cached += self.hits;
        out.stored += self.stored_hits;
        out.lookups += self.lookups;
        out.lookup_seconds += self.looking.as_secs_f64();
        self.inner.statistics(out);
    }
}

/// The answer under the names of this slice. A model is taken only if it satisfies the constraints: it may come from a
/// file that others write to.
fn renamed_back(pool: &Pool, slice: &Canonical, constraints: &[Term], answer: &StoredAnswer) -> Option<Answer> {
    match answer {
        StoredAnswer::Unsat => Some(Answer::Unsat),
        StoredAnswer::Sat(bytes) => {
            let model = decode(slice, bytes, pool)?;
            satisfies(pool, &model, constraints).then_some(Answer::Sat(model))
        }
    }
}

fn satisfies(pool: &Pool, model: &Assignment, constraints: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(pool, model);
    constraints.iter().all(|&c| evaluator.holds(c))
}
