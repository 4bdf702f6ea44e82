//! What the engine asks: can this condition hold on this path, and how large can this value be?

use osier_term::{Assignment, Pool, Term, eval};

use crate::chain::{ChainConfig, chain};
use crate::models::overlay;
use crate::path::Path;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::slices::support_of;

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
    by_witness: u64,
}

impl Oracle {
    pub fn new(config: ChainConfig, backend: Box<dyn Solver>) -> Self {
        Oracle { chain: chain(&config, backend), by_witness: 0 }
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
        let mut constraints = path.relevant(&pool.support(condition));
        constraints.push(condition);
        match self.chain.check(pool, &Query { constraints: &constraints })? {
            Answer::Sat(model) => {
                let support = support_of(pool, &constraints);
                let mut merged = witness.clone();
                overlay(pool, &mut merged, &model, &support);
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
            asked: self.by_witness,
            by_witness: self.by_witness,
            sat: self.by_witness,
            ..Default::default()
        };
        self.chain.statistics(&mut out);
        out
    }
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
