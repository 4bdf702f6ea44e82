//! Answers by logic over old answers: an unsolvable subset makes a query unsolvable, a solved superset solves it, and
//! a recent model may happen to satisfy it. (KLEE calls this the counterexample cache.)

use std::collections::VecDeque;
use std::time::Duration;

use osier_term::{ArrayNode, Assignment, Evaluator, Pool, Support, Term, eval_within};
use smallvec::SmallVec;

use crate::answers::key_of;
use crate::known_sets::KnownSets;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};

/// So many terms are evaluated for one query at most, all models together.
const EVALUATIONS: usize = 200;
/// And of large ones no more than have so many parts: a millisecond.
const PARTS: usize = 20_000;
/// Fewer for what nobody has asked yet. (Of 18,500 such questions in 20 s of tr, 77 were met by a model, and 3 s went there.)
const UNASKED_PARTS: usize = 1000;

pub(crate) struct ModelReuse {
    inner: Box<dyn Solver>,
    sets: KnownSets,
    /// Newest first.
    recent: VecDeque<Assignment>,
    kept_models: usize,
    by_sets: u64,
    by_models: u64,
}

enum Found {
    InSets,
    AmongModels,
}

impl ModelReuse {
    pub(crate) fn wrap(inner: Box<dyn Solver>, kept_models: usize, kept_sets: usize) -> Box<dyn Solver> {
        Box::new(Self::new(inner, kept_models, kept_sets))
    }

    fn new(inner: Box<dyn Solver>, kept_models: usize, kept_sets: usize) -> Self {
        let (sets, recent) = (KnownSets::new(kept_sets), VecDeque::with_capacity(kept_models));
        ModelReuse { inner, sets, recent, kept_models, by_sets: 0, by_models: 0 }
    }

    fn by_known_sets(&mut self, key: &[Term]) -> Option<Answer> {
        if self.sets.has_unsolvable_part(key) {
            return Some(Answer::Unsat);
        }
        self.sets.model_of_superset(key).map(Answer::Sat)
    }

    fn by_recent_models(&mut self, pool: &Pool, key: &[Term], mut parts: usize) -> Option<Assignment> {
        let mut left = EVALUATIONS;
        // The newest term is what distinguishes this query from those whose models are kept: it fails first.
        let fits = |model: &Assignment| {
            key.iter().rev().all(|&term| {
                left = left.saturating_sub(1);
                left > 0 && eval_within(pool, term, model, &mut parts).is_some_and(|value| value != 0)
            })
        };
        let at = self.recent.iter().position(fits)?;
        let model = self.recent.remove(at)?;
        self.recent.push_front(model.clone());
        Some(model)
    }

    fn keep(&mut self, model: &Assignment) {
        if self.kept_models == 0 || self.recent.contains(model) {
            return;
        }
        self.recent.truncate(self.kept_models - 1);
        self.recent.push_front(model.clone());
    }

    fn known(&mut self, pool: &Pool, key: &[Term], parts: usize) -> Option<(Answer, Found)> {
        if let Some(answer) = self.by_known_sets(key) {
            return Some((answer, Found::InSets));
        }
        let model = self.by_recent_models(pool, key, parts)?;
        Some((Answer::Sat(model), Found::AmongModels))
    }

    fn learn(&mut self, key: &[Term], answer: &Answer) {
        match answer {
            Answer::Unsat => self.sets.learn_unsolvable(key),
            Answer::Sat(model) => {
                self.sets.learn_solved(key, model);
                self.keep(model);
            }
            Answer::Unknown(_) => {}
        }
    }
}

impl Solver for ModelReuse {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let key = key_of(query.constraints);
        if let Some((answer, found)) = self.known(pool, &key, PARTS) {
            match found {
                Found::InSets => self.by_sets += 1,
                Found::AmongModels => self.by_models += 1,
            }
            return Ok(answer);
        }
        let answer = self.inner.check(pool, query)?;
        self.learn(&key, &answer);
        Ok(answer)
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        Ok(self.known(pool, &key_of(query.constraints), UNASKED_PARTS).map(|(answer, _)| answer))
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.cached += self.by_sets;
        out.by_witness += self.by_models;
        self.inner.statistics(out);
    }
}

pub(crate) fn satisfies(pool: &Pool, model: &Assignment, constraints: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(pool, model);
    constraints.iter().all(|&c| evaluator.holds(c))
}

/// Writes a model over an older assignment, but only the bytes in `support`: of others the model says nothing.
pub fn overlay(pool: &Pool, base: &mut Assignment, model: &Assignment, support: &Support) {
    let mut arrays: SmallVec<[_; 4]> = model.iter().map(|(array, _)| array).collect();
    // A model leaves out arrays that are all zero, and there the old bytes must go.
    arrays.extend(base.iter().map(|(array, _)| array).filter(|&array| model.bytes(array).is_none()));
    for array in arrays {
        let ArrayNode::Input { size, first_byte, .. } = pool.array_node(array) else { continue };
        let mut bytes: Option<Vec<u8>> = None;
        for &(start, end) in support.intervals() {
            for number in start.max(first_byte)..end.min(first_byte + size) {
                let index = u64::from(number - first_byte);
                let value = model.get(array, index);
                if value != base.get(array, index) {
                    let bytes = bytes.get_or_insert_with(|| {
                        let mut old = base.bytes(array).unwrap_or(&[]).to_vec();
                        old.resize(size as usize, 0);
                        old
                    });
                    bytes[index as usize] = value;
                }
            }
        }
        if let Some(bytes) = bytes {
            base.set(array, bytes.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says nothing, and is asked all the same.
    struct Silent;
    impl Solver for Silent {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(Answer::Unknown(crate::query::Reason::Timeout))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    #[test]
    fn large_terms_are_tried_with_few_models() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let (mut large, b) = (pool.zext(a, 64), pool.zext(b, 64));
        for i in 0..PARTS as u128 {
            let odd = pool.constant(64, 2 * i + 1);
            let times = pool.mul(large, odd);
            large = pool.add(times, b);
        }
        let zero = pool.constant(64, 0);
        let is_zero = pool.eq(large, zero);
        let fits = |kept: &[[u8; 2]]| {
            let models = kept.iter().map(|bytes| {
                let mut model = Assignment::new();
                model.set(input, bytes.to_vec().into());
                model
            });
            let mut reuse = ModelReuse { recent: models.collect(), ..ModelReuse::new(Box::new(Silent), 64, 1000) };
            reuse.by_recent_models(&pool, &[is_zero], PARTS).is_some()
        };
        assert!(fits(&[[0, 0]]));
        assert!(!fits(&[[1, 0], [0, 0]]), "one was enough");
    }

    #[test]
    fn overlay_changes_only_the_support_and_clears_what_the_model_leaves_out() {
        let mut pool = Pool::new();
        let (x, y) = (pool.input("x", 4), pool.input("y", 2));
        let (x1, y0) = (pool.select_at(x, 1), pool.select_at(y, 0));
        let differ = pool.ne(x1, y0);
        let support = pool.support(differ);
        let mut base = Assignment::new();
        base.set(x, vec![1, 2, 3, 4].into());
        base.set(y, vec![5, 6].into());
        let mut model = Assignment::new();
        model.set(x, vec![9, 9, 9, 9].into());
        overlay(&pool, &mut base, &model, &support);
        assert_eq!(base.bytes(x), Some(&[1, 9, 3, 4][..]));
        assert_eq!(base.bytes(y), Some(&[0, 6][..]));
    }
}
