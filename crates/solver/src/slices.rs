//! Cuts a query into parts that share no input byte: each is smaller, and is met again in other queries.

use std::rc::Rc;
use std::time::Duration;

use osier_term::{Assignment, Pool, Support, Term};

use crate::models::{overlay, satisfies};
use crate::query::{Answer, Query, Solver, SolverError, Statistics};

pub(crate) struct Slices {
    inner: Box<dyn Solver>,
    sliced: u64,
}

impl Slices {
    pub(crate) fn wrap(inner: Box<dyn Solver>) -> Box<dyn Solver> {
        Box::new(Slices { inner, sliced: 0 })
    }
}

impl Solver for Slices {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let mut parts = partition(pool, query.constraints);
        if parts.len() <= 1 {
            return self.inner.check(pool, query);
        }
        self.sliced += 1;
        // Small parts first: if one of them has no solution, the big ones need not be asked.
        parts.sort_by_key(Vec::len);
        let mut merged = Assignment::new();
        let mut unknown = None;
        for part in &parts {
            match self.inner.check(pool, &Query { constraints: part, near: query.near })? {
                Answer::Sat(model) => {
                    let support = support_of(pool, part);
                    overlay(pool, &mut merged, &model, &support);
                }
                Answer::Unsat => return Ok(Answer::Unsat),
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        Ok(match unknown {
            None => Answer::Sat(merged),
            Some(reason) => Answer::Unknown(reason),
        })
    }

    /// A part that holds nearby needs no look-up.
    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let mut parts = partition(pool, query.constraints);
        if parts.len() <= 1 {
            return self.inner.recall(pool, query);
        }
        parts.sort_by_key(Vec::len);
        let mut merged = Assignment::new();
        let mut all_known = true;
        for part in &parts {
            let model = match query.near {
                Some(near) if satisfies(pool, near, part) => near.clone(),
                Some(_) | None => match self.inner.recall(pool, &Query { constraints: part, near: query.near })? {
                    Some(Answer::Sat(model)) => model,
                    Some(Answer::Unsat) => return Ok(Some(Answer::Unsat)),
                    // Another part may still be known to have no solution.
                    Some(Answer::Unknown(_)) | None => {
                        all_known = false;
                        continue;
                    }
                },
            };
            let support = support_of(pool, part);
            overlay(pool, &mut merged, &model, &support);
        }
        Ok(all_known.then_some(Answer::Sat(merged)))
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.sliced += self.sliced;
        self.inner.statistics(out);
    }
}

/// The bytes that any of the terms speaks of.
pub(crate) fn support_of(pool: &mut Pool, terms: &[Term]) -> Support {
    let mut joined = Support::default();
    for &t in terms {
        joined.join(&pool.support(t));
    }
    joined
}

/// Constraints belong together if a chain of shared bytes joins them. Parts come in the order of their first
/// constraints. A constraint that speaks of no byte at all is a part of its own.
pub(crate) fn partition(pool: &mut Pool, constraints: &[Term]) -> Vec<Vec<Term>> {
    let supports: Vec<Rc<Support>> = constraints.iter().map(|&c| pool.support(c)).collect();
    let mut groups = UnionFind::new(constraints.len());
    // A sweep over all intervals by their starts: an interval joins the group whose bytes it still overlaps.
    let mut intervals: Vec<(u32, u32, usize)> = Vec::with_capacity(constraints.len());
    for (owner, support) in supports.iter().enumerate() {
        intervals.extend(support.intervals().iter().map(|&(start, end)| (start, end, owner)));
    }
    intervals.sort_unstable();
    let mut reach: Option<(u32, usize)> = None;
    for (start, end, owner) in intervals {
        reach = match reach {
            Some((furthest, other)) if start < furthest => {
                groups.join(other, owner);
                Some((furthest.max(end), owner))
            }
            Some(_) | None => Some((end, owner)),
        };
    }
    let mut parts: Vec<Vec<Term>> = Vec::new();
    let mut part_of_root = vec![usize::MAX; constraints.len()];
    for (i, &constraint) in constraints.iter().enumerate() {
        let slot = &mut part_of_root[groups.root(i)];
        if *slot == usize::MAX {
            *slot = parts.len();
            parts.push(vec![constraint]);
        } else {
            parts[*slot].push(constraint);
        }
    }
    parts
}

struct UnionFind(Vec<usize>);

impl UnionFind {
    fn new(count: usize) -> Self {
        UnionFind((0..count).collect())
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_by_chains_of_shared_bytes() {
        let mut pool = Pool::new();
        let input = pool.input("x", 5);
        let byte: Vec<Term> = (0..5).map(|i| pool.select_at(input, i)).collect();
        let a = pool.ult(byte[0], byte[3]);
        let b = pool.ult(byte[1], byte[4]);
        let c = pool.ult(byte[3], byte[2]);
        let parts = partition(&mut pool, &[a, b, c]);
        assert_eq!(parts, vec![vec![a, c], vec![b]]);
        assert_eq!(support_of(&mut pool, &parts[0]).intervals(), &[(0, 1), (2, 4)]);
    }

    #[test]
    fn neighbours_that_share_no_byte_stay_apart() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (low, high) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let nine = pool.constant(8, 9);
        let (a, b) = (pool.ult(low, nine), pool.ult(high, nine));
        assert_eq!(partition(&mut pool, &[a, b]).len(), 2);
    }
}
