//! Conditions over many bytes come last: that a checksum is right, for example, which ties everything in a file to
//! everything else.
//!
//! A question is put without such conditions first: it falls apart, and the part that it is about is small. If that has
//! no solution, nor has the whole. If it has one, the wide conditions are put right with other bytes, those that are
//! bound to few, while all the rest keep the values that the asker has.

use std::time::{Duration, Instant};

use osier_term::{Assignment, Evaluator, Pool, Substitution, Support, Term, eval};

use crate::answers::key_of;
use crate::generations::Generations;
use crate::models::{overlay, satisfies};
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::simplify::simplified;
use crate::slices::{partition, support_of};

/// A condition over more bytes is wide. The longest number in a tar header has twelve digits.
const WIDE: usize = 16;
/// Bytes that nothing but wide conditions binds to others: so many of them are free to change.
const LOOSE: usize = 8;
/// So many bytes are free, with those that are bound in small groups.
const FREE: usize = 64;

pub(crate) struct WideLast {
    inner: Box<dyn Solver>,
    /// What was decided here.
    known: Generations<Box<[Term]>, Answer>,
    timeout: Option<Duration>,
    decided: u64,
    recalled: u64,
}

/// The conditions of a question that has wide ones.
struct Split {
    wide: Vec<Term>,
    /// Independent of each other without the wide ones.
    parts: Vec<Vec<Term>>,
}

impl Split {
    fn of(pool: &mut Pool, constraints: &[Term]) -> Option<Self> {
        let (wide, narrow): (Vec<Term>, Vec<Term>) = constraints.iter().partition(|&&c| pool.support(c).len() > WIDE);
        if wide.is_empty() {
            return None;
        }
        Some(Split { wide, parts: partition(pool, &narrow) })
    }
}

impl WideLast {
    pub(crate) fn wrap(inner: Box<dyn Solver>, limit: usize) -> Box<dyn Solver> {
        Box::new(WideLast { inner, known: Generations::new(limit), timeout: None, decided: 0, recalled: 0 })
    }

    /// None if this does not decide it.
    fn decide(
        &mut self,
        pool: &mut Pool,
        near: &Assignment,
        split: &Split,
        start: Instant,
    ) -> Result<Option<Answer>, SolverError> {
        let mut model = near.clone();
        let mut moved = Support::new();
        for part in split.parts.iter().filter(|part| !satisfies(pool, near, part)).collect::<Vec<_>>() {
            match self.ask(pool, &Query { constraints: part, near: Some(near) }, start)? {
                Answer::Sat(found) => {
                    let support = support_of(pool, part);
                    overlay(pool, &mut model, &found, &support);
                    moved.join(&support);
                }
                answer @ (Answer::Unsat | Answer::Unknown(_)) => return Ok(Some(answer)),
            }
        }
        let failing = failing(pool, &model, &split.wide);
        if failing.is_empty() {
            return Ok(Some(Answer::Sat(model)));
        }
        let free = free_bytes(pool, split, &failing, &moved);
        let Some(rest) = with_others_fixed(pool, split, &model, &failing, &free) else { return Ok(None) };
        match self.ask(pool, &Query { constraints: &rest, near: Some(&model) }, start)? {
            Answer::Sat(found) => {
                let support = support_of(pool, &rest);
                overlay(pool, &mut model, &found, &support);
                Ok(Some(Answer::Sat(model)))
            }
            // With other bytes it may have one.
            Answer::Unsat | Answer::Unknown(_) => Ok(None),
        }
    }

    /// Asks in the time that is left.
    fn ask(&mut self, pool: &mut Pool, query: &Query, start: Instant) -> Result<Answer, SolverError> {
        if let Some(timeout) = self.timeout {
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(Answer::Unknown(Reason::Timeout));
            }
            self.inner.set_timeout(Some(left));
        }
        let answer = self.inner.check(pool, query);
        self.inner.set_timeout(self.timeout);
        answer
    }
}

fn failing(pool: &Pool, model: &Assignment, constraints: &[Term]) -> Vec<Term> {
    let mut evaluator = Evaluator::new(pool, model);
    constraints.iter().copied().filter(|&c| !evaluator.holds(c)).collect()
}

/// Bytes by which the failing conditions may be put right: the last ones that no other condition binds, for what is
/// computed of all bytes in turn is computed anew from the first that changes; and small groups that did not have to move.
fn free_bytes(pool: &mut Pool, split: &Split, failing: &[Term], moved: &Support) -> Support {
    let reach = support_of(pool, failing);
    let mut bound = moved.clone();
    let mut groups = Vec::new();
    for part in &split.parts {
        let support = support_of(pool, part);
        if support.len() > 1 && !support.intersects(moved) {
            bound.join(&support);
            if support.intersects(&reach) {
                groups.push(support);
            }
        }
    }
    let mut free = Support::new();
    let bytes = reach.intervals().iter().rev().flat_map(|&(start, end)| (start..end).rev());
    for byte in bytes.filter(|&byte| !bound.contains_byte(byte)).take(LOOSE) {
        free.join(&Support::range(byte, byte + 1));
    }
    groups.sort_by_key(Support::len);
    for group in groups {
        if free.len() + group.len() > FREE {
            break;
        }
        free.join(&group);
    }
    free
}

/// What is left of the conditions where all other bytes have the values of `model`. None if that cannot hold, if there is
/// nothing free, or if other bytes are read all the same: at a place that is free.
fn with_others_fixed(
    pool: &mut Pool,
    split: &Split,
    model: &Assignment,
    failing: &[Term],
    free: &Support,
) -> Option<Vec<Term>> {
    if failing.iter().any(|&c| !pool.support(c).intersects(free)) {
        return None;
    }
    // Conditions over all bytes of a file have much in common.
    let mut done = Substitution::default();
    let mut rest = Vec::new();
    for &constraint in split.parts.iter().flatten().chain(&split.wide) {
        if !pool.support(constraint).intersects(free) {
            continue;
        }
        rest.push(done.of_parts(pool, constraint, &mut |pool, t| {
            if pool.support(t).intersects(free) {
                return None;
            }
            let (width, value) = (pool.width(t), eval(pool, t, model));
            Some(pool.constant(width, value))
        }));
    }
    let rest = simplified(pool, &rest)?;
    free.contains(&support_of(pool, &rest)).then_some(rest)
}

impl Solver for WideLast {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let split = query.near.and_then(|near| Some((near, Split::of(pool, query.constraints)?)));
        let Some((near, split)) = split else { return self.inner.check(pool, query) };
        let key = key_of(query.constraints);
        if let Some(known) = self.known.get(&key) {
            self.recalled += 1;
            return Ok(known.clone());
        }
        match self.decide(pool, near, &split, start)? {
            Some(answer @ Answer::Unknown(_)) => Ok(answer),
            Some(answer @ (Answer::Sat(_) | Answer::Unsat)) => {
                self.decided += 1;
                self.known.insert(key, answer.clone());
                Ok(answer)
            }
            None => self.ask(pool, query, start),
        }
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let split = query.near.and_then(|near| Some((near, Split::of(pool, query.constraints)?)));
        let Some((near, split)) = split else { return self.inner.recall(pool, query) };
        if let Some(known) = self.known.get(&key_of(query.constraints)) {
            return Ok(Some(known.clone()));
        }
        for part in split.parts.iter().filter(|part| !satisfies(pool, near, part)).collect::<Vec<_>>() {
            if let Some(Answer::Unsat) = self.inner.recall(pool, &Query { constraints: part, near: Some(near) })? {
                return Ok(Some(Answer::Unsat));
            }
        }
        self.inner.recall(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.by_narrow += self.decided;
        out.cached += self.recalled;
        self.inner.statistics(out);
    }
}
