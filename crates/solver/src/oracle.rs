//! What the engine asks: can this condition hold on this path, and how large can this value be?

use std::rc::Rc;
use std::time::{Duration, Instant};

use osier_term::{Assignment, Pool, Support, Term, eval};

use crate::chain::{ChainConfig, chain_with_store};
use crate::interrupt::Interrupt;
use crate::log::{LogPoint, QueryLog, Verdict};
use crate::models::overlay;
use crate::nearby::Nearby;
use crate::path::Path;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::second_opinion::disagreement;
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
    /// The time that a query may take, and what it may take at present.
    timeout: Option<Duration>,
    patience: Option<Duration>,
    nearby: Nearby,
    /// Whether a look at one byte, or at the values that a condition can have at all, may decide.
    looks: bool,
    /// Whether every answer is tested: then the chain is asked, and what values tell must not contradict it.
    tested: bool,
    by_witness: u64,
    interrupt: Interrupt,
    /// Questions that came after the interrupt.
    interrupted: u64,
    /// Questions that were given up before their time.
    put_off: u64,
    /// What [`Oracle::hard_questions`] tells.
    hard: u64,
    /// How many parts of questions a backend has had.
    parts: u64,
    /// Where what a look decides is written down.
    log: Option<QueryLog>,
    /// Answered because the path says the opposite, word for word.
    denied: u64,
    /// Answered because no values of the inputs at all satisfy the condition, as the values of its parts tell.
    impossible: u64,
    /// Of what a look at one byte decided, how often it was no.
    unsat_nearby: u64,
    /// How long such looks took, and those that said no.
    seconds_nearby: f64,
    unsat_seconds_nearby: f64,
}

/// A question that takes longer counts as another hard one for each time that it takes so long.
pub(crate) const LONG: Duration = Duration::from_millis(10);

impl Oracle {
    pub fn new(config: ChainConfig, backend: Box<dyn Solver>) -> Self {
        Self::with_store(config, backend, None)
    }

    /// Answers are looked up in the store and put there, for other runs.
    pub fn with_store(config: ChainConfig, backend: Box<dyn Solver>, store: Option<Box<dyn Store>>) -> Self {
        Oracle {
            chain: chain_with_store(&config, backend, store),
            timeout: config.timeout,
            patience: config.timeout,
            nearby: Nearby::new(config.kept_answers),
            looks: !config.caches_only,
            tested: config.second_opinion.is_some(),
            interrupt: Interrupt::new(config.interrupt),
            interrupted: 0,
            put_off: 0,
            hard: 0,
            parts: 0,
            log: config.log.filter(|log| log.is_at(LogPoint::Entrance)),
            by_witness: 0,
            denied: 0,
            impossible: 0,
            unsat_nearby: 0,
            seconds_nearby: 0.0,
            unsat_seconds_nearby: 0.0,
        }
    }

    /// Lets queries take no longer than this from now on, nor longer than they may anyway; `None`: as long as they may.
    /// Says whether that is shorter than they may.
    pub fn set_patience(&mut self, patience: Option<Duration>) -> bool {
        let patience = match (patience, self.timeout) {
            (Some(patience), Some(timeout)) => Some(patience.min(timeout)),
            (patience, timeout) => patience.or(timeout),
        };
        if patience != self.patience {
            self.chain.set_timeout(patience);
            self.patience = patience;
        }
        patience != self.timeout
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
        let open = match self.at_sight(pool, path, witness, condition) {
            Sight::Decided(answer) => return Ok(answer),
            Sight::Open(open) => open,
        };
        if self.interrupt.is_set() {
            self.interrupted += 1;
            return Ok(May::Unknown(Reason::Interrupted));
        }
        if let Some(answer) = self.look_nearby(pool, &open, witness, condition) {
            return Ok(answer);
        }
        let constraints = open.with(condition);
        let started = Instant::now();
        let answer = self.chain.check(pool, &Query { constraints: &constraints, near: Some(witness) })?;
        self.count_hard(started.elapsed());
        if self.tested && matches!(answer, Answer::Sat(_)) && is_impossible(pool, condition) {
            let query = Query { constraints: &constraints, near: None };
            return Err(disagreement(pool, &query, "there is a solution, where values tell that there is none"));
        }
        if self.patience != self.timeout && matches!(answer, Answer::Unknown(Reason::Timeout)) {
            self.put_off += 1;
        }
        Ok(may(pool, path, witness, &open.support, answer))
    }

    /// What is known of `condition` on `path` without working for it: from the witness, from what the path says, and
    /// from answers to earlier questions. No backend is asked.
    pub fn recall(
        &mut self,
        pool: &mut Pool,
        path: &Path,
        witness: &Assignment,
        condition: Term,
    ) -> Result<Option<May>, SolverError> {
        let open = match self.at_sight(pool, path, witness, condition) {
            Sight::Decided(answer) => return Ok(Some(answer)),
            Sight::Open(open) => open,
        };
        let constraints = open.with(condition);
        let answer = self.chain.recall(pool, &Query { constraints: &constraints, near: Some(witness) })?;
        Ok(answer.map(|answer| may(pool, path, witness, &open.support, answer)))
    }

    /// What can be seen of `condition` on `path` by looking at its one byte, if it speaks of one only: takes about a
    /// microsecond, looks nothing up, and is exact where there is an answer.
    pub fn glance(&mut self, pool: &mut Pool, path: &Path, witness: &Assignment, condition: Term) -> Option<May> {
        match self.at_sight(pool, path, witness, condition) {
            Sight::Decided(answer) => Some(answer),
            Sight::Open(open) => self.look_nearby(pool, &open, witness, condition),
        }
    }

    fn at_sight(&mut self, pool: &mut Pool, path: &Path, witness: &Assignment, condition: Term) -> Sight {
        if pool.is_false(condition) {
            return Sight::Decided(May::No);
        }
        if self.holds_in(pool, witness, condition) {
            self.by_witness += 1;
            return Sight::Decided(May::Yes(witness.clone()));
        }
        if self.looks && !self.tested && is_impossible(pool, condition) {
            self.impossible += 1;
            if let Some(log) = &self.log {
                log.write(pool, &[condition], Verdict::Unsat, Duration::ZERO);
            }
            return Sight::Decided(May::No);
        }
        let support = pool.support(condition);
        let relevant = path.relevant(&support);
        if denies(pool, &relevant, condition) {
            self.denied += 1;
            return Sight::Decided(May::No);
        }
        Sight::Open(Open { support, relevant })
    }

    fn look_nearby(&mut self, pool: &mut Pool, open: &Open, witness: &Assignment, condition: Term) -> Option<May> {
        if !self.looks {
            return None;
        }
        let start = Instant::now();
        let answer = self.nearby.look(pool, &open.relevant, witness, condition);
        let elapsed = start.elapsed();
        if let (Some(log), Some(answer)) = (&self.log, &answer) {
            let verdict = if matches!(answer, May::No) { Verdict::Unsat } else { Verdict::Sat };
            log.write(pool, &open.with(condition), verdict, elapsed);
        }
        let took = elapsed.as_secs_f64();
        self.seconds_nearby += took;
        if let Some(May::No) = answer {
            self.unsat_nearby += 1;
            self.unsat_seconds_nearby += took;
        }
        answer
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

    /// How many parts of questions a backend has decided, and how many questions it could not. A question that takes long
    /// counts as several.
    pub fn hard_questions(&self) -> u64 {
        self.hard
    }

    fn count_hard(&mut self, took: Duration) {
        let mut counted = Statistics::default();
        self.chain.statistics(&mut counted);
        let parts = counted.solved + counted.unknown;
        self.hard += parts - self.parts + (took.as_millis() / LONG.as_millis()) as u64;
        self.parts = parts;
    }

    pub fn statistics(&self) -> Statistics {
        let mut out = Statistics {
            asked: self.by_witness + self.denied + self.impossible + self.nearby.decided + self.interrupted,
            by_witness: self.by_witness,
            by_bytes: self.nearby.decided,
            by_reasoning: self.impossible,
            cached: self.denied,
            sat: self.by_witness + self.nearby.decided - self.unsat_nearby,
            unsat: self.denied + self.impossible + self.unsat_nearby,
            unknown: self.interrupted,
            seconds: self.seconds_nearby,
            unsat_seconds: self.unsat_seconds_nearby,
            ..Default::default()
        };
        self.chain.statistics(&mut out);
        out.unknown -= self.put_off;
        out.put_off = self.put_off;
        out
    }
}

/// What is seen of a condition before anything is looked up.
enum Sight {
    Decided(May),
    Open(Open),
}

/// A condition that is not decided yet.
struct Open {
    support: Rc<Support>,
    /// The constraints of the path on which it depends, sorted.
    relevant: Vec<Term>,
}

impl Open {
    fn with(&self, condition: Term) -> Vec<Term> {
        [&self.relevant[..], &[condition]].concat()
    }
}

/// The answer about a condition over the bytes in `support`; a model is written over the witness.
fn may(pool: &Pool, path: &Path, witness: &Assignment, support: &Support, answer: Answer) -> May {
    match answer {
        Answer::Sat(model) => {
            let mut merged = witness.clone();
            overlay(pool, &mut merged, &model, &path.reach(support));
            May::Yes(merged)
        }
        Answer::Unsat => May::No,
        Answer::Unknown(reason) => May::Unknown(reason),
    }
}

/// Whether a condition cannot hold whatever the inputs are, as the values of its parts tell.
fn is_impossible(pool: &mut Pool, condition: Term) -> bool {
    pool.values(condition).as_truth() == Some(false)
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
