//! What the engine asks: can this condition hold on this path, and how large can this value be?

use osier_term::{Assignment, Pool, Term, eval};

use crate::chain::{ChainConfig, chain_with_store};
use crate::models::overlay;
use crate::nearby::Nearby;
use crate::path::Path;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::simplify::for_each_conjunct;
use crate::store::Store;

/// Whether a condition can hold together with a path.
#[derive(Clone, Debug)]
pub enum May {
    /// It can; a witness for path and condition. It differs from the old witness only in bytes that the condition's
    /// part of the path speaks of, so tests of one path stay alike.
    Yes(Assignment),
    No,
    Unknown(Reason),
}

/// The largest or smallest value of a term on a path.
#[derive(Clone, Debug)]
pub struct Extreme {
    pub value: u128,
    /// Satisfies the path and gives the term this value.
    pub witness: Assignment,
    /// If not, the solver gave up at some point and there may be a more extreme value.
    pub exact: bool,
}

/// Owns the chain. One for each worker, as terms belong to one worker's pool.
pub struct Oracle {
    chain: Box<dyn Solver>,
    nearby: Nearby,
    /// Whether a look at one byte may decide.
    looks: bool,
    by_witness: u64,
    /// Answered because the path says the opposite, word for word.
    denied: u64,
    /// Of what a look at one byte decided, how often it was no.
    unsat_nearby: u64,
}

impl Oracle {
    pub fn new(config: ChainConfig, backend: Box<dyn Solver>) -> Self {
        Self::with_store(config, backend, None)
    }

    /// Answers are looked up in the store and put there, for other runs.
    pub fn with_store(config: ChainConfig, backend: Box<dyn Solver>, store: Option<Box<dyn Store>>) -> Self {
        let (nearby, looks) = (Nearby::new(config.kept_answers), !config.caches_only);
        Oracle {
            chain: chain_with_store(&config, backend, store),
            nearby,
            looks,
            by_witness: 0,
            denied: 0,
            unsat_nearby: 0,
        }
    }

    /// Evaluates a width-1 term.
    pub fn holds_in(&self, pool: &Pool, witness: &Assignment, condition: Term) -> bool {
        eval(pool, condition, witness) != 0
    }

    /// Whether `condition` can hold on `path`, which `witness` must satisfy. If the witness satisfies the condition
    /// too, no query is asked.
    pub fn may_be(
        &mut self,
        pool: &mut Pool,
        path: &Path,
        witness: &Assignment,
        condition: Term,
    ) -> Result<May, SolverError> {
        if pool.is_false(condition) {
            return Ok(May::No);
        }
        if self.holds_in(pool, witness, condition) {
            self.by_witness += 1;
            return Ok(May::Yes(witness.clone()));
        }
        let support = pool.support(condition);
        let mut constraints = path.relevant(&support);
        if denies(pool, &constraints, condition) {
            self.denied += 1;
            return Ok(May::No);
        }
        if self.looks
            && let Some(answer) = self.nearby.look(pool, &constraints, witness, condition)
        {
            self.unsat_nearby += u64::from(matches!(answer, May::No));
            return Ok(answer);
        }
        constraints.push(condition);
        match self.chain.check(pool, &Query { constraints: &constraints, near: Some(witness) })? {
            Answer::Sat(model) => {
                let mut merged = witness.clone();
                overlay(pool, &mut merged, &model, &path.reach(&support));
                Ok(May::Yes(merged))
            }
            Answer::Unsat => Ok(May::No),
            Answer::Unknown(reason) => Ok(May::Unknown(reason)),
        }
    }

    /// The largest value of `term`, unsigned.
    pub fn max(
        &mut self,
        pool: &mut Pool,
        path: &Path,
        witness: &Assignment,
        term: Term,
    ) -> Result<Extreme, SolverError> {
        let ceiling = u128::MAX >> (128 - pool.width(term));
        self.climb(pool, path, witness, ceiling, Direction::Up, term)
    }

    /// The smallest value of `term`, unsigned.
    pub fn min(
        &mut self,
        pool: &mut Pool,
        path: &Path,
        witness: &Assignment,
        term: Term,
    ) -> Result<Extreme, SolverError> {
        self.climb(pool, path, witness, 0, Direction::Down, term)
    }

    /// The smallest and the largest value of `term`, unsigned.
    pub fn value_range(
        &mut self,
        pool: &mut Pool,
        path: &Path,
        witness: &Assignment,
        term: Term,
    ) -> Result<(Extreme, Extreme), SolverError> {
        Ok((self.min(pool, path, witness, term)?, self.max(pool, path, witness, term)?))
    }

    /// Moves from the witness's value towards `limit`: first in doubling steps, as values are mostly near, then by
    /// halving what is left. Every model found moves the value at once to where the model is.
    fn climb(
        &mut self,
        pool: &mut Pool,
        path: &Path,
        witness: &Assignment,
        mut limit: u128,
        direction: Direction,
        term: Term,
    ) -> Result<Extreme, SolverError> {
        let mut best = Extreme { value: eval(pool, term, witness), witness: witness.clone(), exact: true };
        let mut step: Option<u128> = Some(1);
        while best.value != limit {
            let gap = best.value.abs_diff(limit);
            let half = gap - gap / 2;
            let stride = step.map_or(half, |s| s.min(half));
            let target = direction.moved(best.value, stride);
            let bound = pool.constant(pool.width(term), target);
            let condition = match direction {
                Direction::Up => pool.ule(bound, term),
                Direction::Down => pool.ule(term, bound),
            };
            match self.may_be(pool, path, &best.witness, condition)? {
                May::Yes(found) => {
                    best.value = eval(pool, term, &found);
                    best.witness = found;
                    step = step.and_then(|s| s.checked_mul(2));
                }
                May::No => {
                    limit = direction.moved(best.value, stride - 1);
                    step = None;
                }
                May::Unknown(_) => {
                    best.exact = false;
                    break;
                }
            }
        }
        Ok(best)
    }

    pub fn statistics(&self) -> Statistics {
        let mut out = Statistics {
            asked: self.by_witness + self.denied + self.nearby.decided,
            by_witness: self.by_witness,
            by_bytes: self.nearby.decided,
            cached: self.denied,
            sat: self.by_witness + self.nearby.decided - self.unsat_nearby,
            unsat: self.denied + self.unsat_nearby,
            ..Default::default()
        };
        self.chain.statistics(&mut out);
        out
    }
}

/// Whether the sorted constraints contain the negation of `condition`. A program asks the same thing again and again,
/// and then no solver is needed.
fn denies(pool: &mut Pool, constraints: &[Term], condition: Term) -> bool {
    let negation = pool.not(condition);
    let mut all_there = true;
    for_each_conjunct(pool, negation, &mut |t| all_there &= constraints.binary_search(&t).is_ok());
    all_there
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    /// Never leaves the range between value and limit, so it cannot overflow.
    fn moved(self, value: u128, by: u128) -> u128 {
        match self {
            Direction::Up => value + by,
            Direction::Down => value - by,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Gives up on everything, and so shows what is decided before a backend.
    struct GivesUp;
    impl Solver for GivesUp {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(Answer::Unknown(Reason::Timeout))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    fn oracle() -> Oracle {
        let config = ChainConfig { check_models: true, kept_models: 4, kept_answers: 100, ..ChainConfig::default() };
        Oracle::new(config, Box::new(GivesUp))
    }

    #[test]
    fn what_the_path_says_word_for_word_needs_no_solver() {
        let mut pool = Pool::new();
        let input = pool.input("x", 3);
        let (a, b, c) = (pool.select_at(input, 0), pool.select_at(input, 1), pool.select_at(input, 2));
        let (below, equal) = (pool.ult(a, b), pool.eq(b, c));
        let either = pool.or(below, equal);
        let neither = pool.not(either);
        let mut witness = Assignment::new();
        witness.set(input, vec![5, 5, 6].into());
        let mut path = Path::new();
        path.add(&mut pool, neither);
        let mut oracle = oracle();
        for condition in [below, equal, either] {
            assert!(matches!(oracle.may_be(&mut pool, &path, &witness, condition), Ok(May::No)));
        }
        let statistics = oracle.statistics();
        assert_eq!((statistics.asked, statistics.cached, statistics.unsat), (3, 3, 3));
        // Two bytes would have to change together, which the search by sets of values does not try.
        let (wide_a, wide_c) = (pool.zext(a, 16), pool.zext(c, 16));
        let (product, number) = (pool.mul(wide_a, wide_c), pool.constant(16, 251 * 241));
        let other = pool.eq(product, number);
        assert!(matches!(oracle.may_be(&mut pool, &Path::new(), &Assignment::new(), other), Ok(May::Unknown(_))));
    }

    #[test]
    fn a_witness_that_fits_is_kept_as_it_is() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let below = pool.ult(a, b);
        let mut witness = Assignment::new();
        witness.set(input, vec![1, 2].into());
        let mut oracle = oracle();
        let Ok(May::Yes(kept)) = oracle.may_be(&mut pool, &Path::new(), &witness, below) else { panic!("it holds") };
        assert_eq!(kept, witness);
        assert_eq!(oracle.statistics().by_witness, 1);
    }

    #[test]
    fn an_extreme_that_cannot_be_proved_is_not_called_exact() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        // Two bytes would have to change together, which the search by sets of values does not try.
        let (a, b) = (pool.zext(a, 16), pool.zext(b, 16));
        let product = pool.mul(a, b);
        let (number, zero) = (pool.constant(16, 251 * 241), pool.constant(16, 0));
        let (one, hit) = (pool.constant(16, 7), pool.eq(product, number));
        let sum = pool.ite(hit, one, zero);
        let mut witness = Assignment::new();
        witness.set(input, vec![3, 4].into());
        let max = oracle().max(&mut pool, &Path::new(), &witness, sum).unwrap();
        assert_eq!((max.value, max.exact), (0, false));
    }
}
