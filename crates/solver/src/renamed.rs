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
    missed: u64,
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
            missed: 0,
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
        self.missed += 1;
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
        out.missed += self.missed;
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

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::Array;
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::rc::Rc;

    /// Knows one model, of the input that it is told.
    struct Below(Option<(Array, Vec<u8>)>);
    impl Solver for Below {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(match self.0.take() {
                Some((array, bytes)) => {
                    let mut model = Assignment::new();
                    model.set(array, bytes.into());
                    Answer::Sat(model)
                }
                None => Answer::Unsat,
            })
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    #[derive(Clone, Default)]
    struct Kept(Rc<RefCell<HashMap<Key, StoredAnswer>>>);
    impl Store for Kept {
        fn get(&mut self, key: &Key) -> Option<StoredAnswer> {
            self.0.borrow().get(key).cloned()
        }
        fn put(&mut self, key: Key, answer: &StoredAnswer) {
            self.0.borrow_mut().insert(key, answer.clone());
        }
    }

    /// `x[at] * x[at + 1] == 6`, and the two in order.
    fn product(pool: &mut Pool, input: Array, at: u64) -> [Term; 2] {
        let (a, b) = (pool.select_at(input, at), pool.select_at(input, at + 1));
        let (product, six) = (pool.mul(a, b), pool.constant(8, 6));
        [pool.eq(product, six), pool.ult(a, b)]
    }

    fn statistics(solver: &dyn Solver) -> Statistics {
        let mut statistics = Statistics::default();
        solver.statistics(&mut statistics);
        statistics
    }

    #[test]
    fn a_model_comes_back_under_other_names() {
        let mut pool = Pool::new();
        let (x, y) = (pool.input("x", 2), pool.input("y", 9));
        let mut solver = Renamed::wrap(Box::new(Below(Some((x, vec![2, 3])))), 100, None);
        let (here, there) = (product(&mut pool, x, 0), product(&mut pool, y, 5));
        assert!(matches!(solver.check(&mut pool, &Query::of(&here)), Ok(Answer::Sat(_))));
        let Ok(Answer::Sat(model)) = solver.check(&mut pool, &Query::of(&there)) else { panic!("two times three") };
        assert_eq!(model.bytes(y), Some(&[0, 0, 0, 0, 0, 2, 3, 0, 0][..]));
        // Another slice is another question.
        assert!(matches!(solver.check(&mut pool, &Query::of(&there[..1])), Ok(Answer::Unsat)));
        let counted = statistics(&*solver);
        assert_eq!((counted.cached, counted.lookups, counted.missed, counted.stored), (1, 3, 2, 0));
    }

    #[test]
    fn the_next_run_asks_nothing_and_is_told_the_same() {
        let store = Kept::default();
        let mut models = Vec::new();
        for below in [Some(vec![2, 3]), None] {
            let mut pool = Pool::new();
            let x = pool.input("x", 2);
            let inner = Box::new(Below(below.map(|bytes| (x, bytes))));
            let mut solver = Renamed::wrap(inner, 100, Some(Box::new(store.clone())));
            let terms = product(&mut pool, x, 0);
            let Ok(Answer::Sat(model)) = solver.check(&mut pool, &Query::of(&terms)) else { panic!("two times three") };
            models.push(model);
            assert_eq!(statistics(&*solver).stored, models.len() as u64 - 1);
        }
        assert_eq!(models[0], models[1]);
    }

    #[test]
    fn a_stored_model_that_does_not_fit_is_not_taken() {
        let store = Kept::default();
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let terms = product(&mut pool, x, 0);
        let key = Forms::new(100).canonical(&pool, &terms).key;
        for wrong in [&[2, 4][..], &[2, 3, 0], &[2], &[]] {
            store.clone().put(key, &StoredAnswer::Sat(wrong.into()));
            let inner = Box::new(Below(Some((x, vec![2, 3]))));
            let mut solver = Renamed::wrap(inner, 100, Some(Box::new(store.clone())));
            let Ok(Answer::Sat(model)) = solver.check(&mut pool, &Query::of(&terms)) else { panic!("two times three") };
            assert_eq!(model.bytes(x), Some(&[2, 3][..]));
            assert_eq!((statistics(&*solver).stored, statistics(&*solver).missed), (0, 1));
            assert_eq!(
                store.clone().get(&key),
                Some(StoredAnswer::Sat([2, 3].into())),
                "the right one takes its place"
            );
        }
    }
}
