//! The cache in which names do not count: a slice that was decided before under other names has the same answer now.
//! What was decided for one that differs from it in single bytes only may decide it too (`cases.rs`). Before it is asked
//! of anything slower, the store is looked at, where answers of other runs are.

use std::time::{Duration, Instant};

use osier_term::{Pool, Term};

use crate::canonical::{Canonical, Forms, Key};
use crate::cases::{Cases, Verdict};
use crate::generations::Generations;
use crate::held::Held;
use crate::models::satisfies;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};
use crate::set_table::SetTable;
use crate::slices::support_of;
use crate::store::{Store, StoredAnswer, decode, encode, values_of};

/// So many terms for each answer that is kept.
const FORMS_PER_ANSWER: usize = 4;

/// Every answer leaves through the numbers of its slice and back, also the first time, and every slice is remembered by
/// its own key, also one that another decided: what a run is told does not depend on whether its questions had been
/// asked before, so a second run repeats the first.
pub(crate) struct Renamed {
    inner: Box<dyn Solver>,
    forms: Forms,
    known: Generations<Key, StoredAnswer>,
    /// By the keys of cores.
    cases: Generations<Key, Cases>,
    store: Option<Box<dyn Store>>,
    counted: Counted,
}

/// Who left an answer: this run, or another.
enum Source {
    Here,
    Store,
}

#[derive(Default)]
struct Counted {
    hits: u64,
    stored_hits: u64,
    missed: u64,
    lookups: u64,
    looking: Duration,
}

impl Renamed {
    pub(crate) fn wrap(
        inner: Box<dyn Solver>,
        limit: usize,
        table: SetTable,
        store: Option<Box<dyn Store>>,
    ) -> Box<dyn Solver> {
        Box::new(Renamed {
            inner,
            forms: Forms::new(limit.saturating_mul(FORMS_PER_ANSWER), table),
            known: Generations::new(limit),
            cases: Generations::new(limit),
            store,
            counted: Counted::default(),
        })
    }

    fn look_up(&mut self, pool: &Pool, slice: &Canonical, constraints: &[Term]) -> Option<(Answer, Source)> {
        if slice.allowed.iter().any(|set| set.is_empty()) {
            return Some((Answer::Unsat, Source::Here));
        }
        if let Some(known) = self.known.get(&slice.key)
            && let Some(answer) = renamed_back(pool, slice, constraints, known)
        {
            return Some((answer, Source::Here));
        }
        if let Some(stored) = self.store.as_mut().and_then(|store| store.get(&slice.key))
            && let Some(answer) = renamed_back(pool, slice, constraints, &stored)
        {
            self.known.insert(slice.key, stored);
            return Some((answer, Source::Store));
        }
        self.look_among_cases(pool, slice, constraints)
    }

    fn look_among_cases(&mut self, pool: &Pool, slice: &Canonical, constraints: &[Term]) -> Option<(Answer, Source)> {
        if self.cases.get(&slice.core).is_none() {
            let stored = self.store.as_mut().and_then(|store| store.get(&slice.core));
            let left = match stored {
                Some(StoredAnswer::Cases(bytes)) => Cases::decode(&bytes).unwrap_or_default(),
                Some(StoredAnswer::Sat(_) | StoredAnswer::Unsat) | None => Cases::default(),
            };
            self.cases.insert(slice.core, left);
        }
        let cases = self.cases.get(&slice.core)?;
        let found = cases.deciding(&slice.allowed, |model| values_of(slice, model)).find_map(|case| {
            let nameless = match case.verdict {
                Verdict::Sat(bytes) => StoredAnswer::Sat(bytes.clone()),
                Verdict::Unsat(_) => StoredAnswer::Unsat,
            };
            let answer = renamed_back(pool, slice, constraints, &nameless)?;
            Some((nameless, answer, if case.stored { Source::Store } else { Source::Here }))
        });
        let (nameless, answer, source) = found?;
        self.remember(slice.key, nameless);
        Some((answer, source))
    }

    fn remember(&mut self, key: Key, answer: StoredAnswer) {
        if let Some(store) = &mut self.store {
            store.put(key, &answer);
        }
        self.known.insert(key, answer);
    }

    /// Remembers an answer of the stages below; as it comes back under the names of this slice.
    fn learned(&mut self, pool: &mut Pool, slice: &Canonical, constraints: &[Term], answer: Answer) -> Answer {
        let nameless = match answer {
            Answer::Sat(model) => {
                let support = support_of(pool, constraints);
                StoredAnswer::Sat(encode(slice, &model, &support, pool))
            }
            Answer::Unsat => StoredAnswer::Unsat,
            Answer::Unknown(reason) => return Answer::Unknown(reason),
        };
        let answer = named(pool, slice, &nameless).expect("what was written by these places can be read by them");
        self.learn_case(slice, &nameless);
        self.remember(slice.key, nameless);
        answer
    }

    fn learn_case(&mut self, slice: &Canonical, answer: &StoredAnswer) {
        let verdict = match answer {
            StoredAnswer::Sat(bytes) => Verdict::Sat(bytes.clone()),
            StoredAnswer::Unsat => Verdict::Unsat(slice.allowed.clone().into()),
            StoredAnswer::Cases(_) => return,
        };
        let Some(cases) = self.cases.get(&slice.core) else { return };
        let before = cases.held();
        cases.learn(verdict);
        let grown = cases.held().saturating_sub(before);
        if let Some(store) = &mut self.store {
            store.put(slice.core, &StoredAnswer::Cases(cases.encode()));
        }
        self.cases.grew(grown);
    }
}

impl Solver for Renamed {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let slice = self.forms.canonical(pool, query.constraints);
        let found = self.look_up(pool, &slice, query.constraints);
        self.counted.looking += start.elapsed();
        self.counted.lookups += 1;
        if let Some((answer, source)) = found {
            match source {
                Source::Here => self.counted.hits += 1,
                Source::Store => self.counted.stored_hits += 1,
            }
            return Ok(answer);
        }
        self.counted.missed += 1;
        let answer = self.inner.check(pool, query)?;
        Ok(self.learned(pool, &slice, query.constraints, answer))
    }

    /// The form without names costs more than a look-up may.
    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        self.inner.recall(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        let Counted { hits, stored_hits, missed, lookups, looking } = self.counted;
        out.cached += hits;
        out.stored += stored_hits;
        out.missed += missed;
        out.lookups += lookups;
        out.lookup_seconds += looking.as_secs_f64();
        self.inner.statistics(out);
    }
}

/// The answer under the names of this slice.
fn named(pool: &Pool, slice: &Canonical, answer: &StoredAnswer) -> Option<Answer> {
    match answer {
        StoredAnswer::Unsat => Some(Answer::Unsat),
        StoredAnswer::Sat(bytes) => decode(slice, bytes, pool).map(Answer::Sat),
        StoredAnswer::Cases(_) => None,
    }
}

/// The answer under the names of this slice. A model is taken only if it satisfies the constraints: it may come from a
/// file that others write to.
fn renamed_back(pool: &Pool, slice: &Canonical, constraints: &[Term], answer: &StoredAnswer) -> Option<Answer> {
    let answer = named(pool, slice, answer)?;
    match &answer {
        Answer::Sat(model) if !satisfies(pool, model, constraints) => None,
        Answer::Sat(_) | Answer::Unsat | Answer::Unknown(_) => Some(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::{Array, Assignment};
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
        let mut solver = Renamed::wrap(Box::new(Below(Some((x, vec![2, 3])))), 100, SetTable::new(100), None);
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
            let mut solver = Renamed::wrap(inner, 100, SetTable::new(100), Some(Box::new(store.clone())));
            let terms = product(&mut pool, x, 0);
            let Ok(Answer::Sat(model)) = solver.check(&mut pool, &Query::of(&terms)) else { panic!("two times three") };
            models.push(model);
            assert_eq!(statistics(&*solver).stored, models.len() as u64 - 1);
        }
        assert_eq!(models[0], models[1]);
    }

    #[test]
    fn a_stored_model_that_does_not_fit_is_not_taken() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let terms = product(&mut pool, x, 0);
        let Canonical { key, core, .. } = Forms::new(100, SetTable::new(100)).canonical(&mut pool, &terms);
        for wrong in [&[2, 4][..], &[2, 3, 0], &[2], &[]] {
            let store = Kept::default();
            store.clone().put(key, &StoredAnswer::Sat(wrong.into()));
            let mut cases = Cases::default();
            cases.learn(Verdict::Sat(wrong.into()));
            store.clone().put(core, &StoredAnswer::Cases(cases.encode()));
            let inner = Box::new(Below(Some((x, vec![2, 3]))));
            let mut solver = Renamed::wrap(inner, 100, SetTable::new(100), Some(Box::new(store.clone())));
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

    #[test]
    fn what_single_bytes_may_be_is_told_apart_from_what_they_are_together() {
        let store = Kept::default();
        for run in 0..2 {
            let mut pool = Pool::new();
            let x = pool.input("x", 2);
            let terms = product(&mut pool, x, 0);
            let first = pool.select_at(x, 0);
            let numbers = [1, 2, 3].map(|value| pool.constant(8, value));
            let [is_one, is_two, is_three] = numbers.map(|number| pool.eq(first, number));
            let not_one = pool.not(is_one);
            let below_three = pool.ult(first, numbers[2]);
            let inner = Box::new(Below((run == 0).then(|| (x, vec![2, 3]))));
            let mut solver = Renamed::wrap(inner, 100, SetTable::new(100), Some(Box::new(store.clone())));
            let mut ask = |more: &[Term]| {
                let query = [&terms[..], more].concat();
                solver.check(&mut pool, &Query::of(&query)).unwrap()
            };
            // The only model below; then said in other words; then with a byte that may be less, and more.
            for more in [&[not_one, below_three][..], &[is_two], &[below_three], &[not_one]] {
                let Answer::Sat(model) = ask(more) else { panic!("two times three") };
                assert_eq!(model.bytes(x), Some(&[2, 3][..]));
            }
            assert!(matches!(ask(&[is_one, is_two]), Answer::Unsat), "no value is left");
            // Not in any model that is known, so it is asked; the stage below says no to all but the first.
            assert!(matches!(ask(&[is_three]), Answer::Unsat));
            let counted = statistics(&*solver);
            let expected = if run == 0 { (5 - 1, 0, 2) } else { (1, 5, 0) };
            assert_eq!((counted.cached, counted.stored, counted.missed), expected, "run {run}");
        }
    }
}
