//! The entrance: flattens conjunctions, drops what is true or said twice, and sees plain contradictions.

use std::time::{Duration, Instant};

use osier_term::{Assignment, BvOp, Node, Pool, Term};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use crate::query::{Answer, Query, Solver, SolverError, Statistics};

pub(crate) struct Simplify {
    inner: Box<dyn Solver>,
    counted: Statistics,
}

impl Simplify {
    pub(crate) fn wrap(inner: Box<dyn Solver>) -> Box<dyn Solver> {
        Box::new(Simplify { inner, counted: Statistics::default() })
    }

    fn decide(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        match opened(pool, query.constraints) {
            Ok(constraints) => self.inner.check(pool, &Query { constraints: &constraints, near: query.near }),
            Err(answer) => Ok(answer),
        }
    }

    fn look_up(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        match opened(pool, query.constraints) {
            Ok(constraints) => self.inner.recall(pool, &Query { constraints: &constraints, near: query.near }),
            Err(answer) => Ok(Some(answer)),
        }
    }
}

/// What is left to decide, or the answer.
fn opened(pool: &mut Pool, constraints: &[Term]) -> Result<Vec<Term>, Answer> {
    let constraints = simplified(pool, constraints).ok_or(Answer::Unsat)?;
    if constraints.is_empty() { Err(Answer::Sat(Assignment::new())) } else { Ok(constraints) }
}

impl Solver for Simplify {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let answer = self.decide(pool, query);
        let took = start.elapsed().as_secs_f64();
        self.counted.seconds += took;
        self.counted.asked += 1;
        match &answer {
            Ok(Answer::Sat(_)) => self.counted.sat += 1,
            Ok(Answer::Unsat) => {
                self.counted.unsat += 1;
                self.counted.unsat_seconds += took;
            }
            Ok(Answer::Unknown(_)) | Err(_) => self.counted.unknown += 1,
        }
        answer
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let start = Instant::now();
        let answer = self.look_up(pool, query);
        self.counted.seconds += start.elapsed().as_secs_f64();
        let (sat, unsat) = match &answer {
            Ok(Some(Answer::Sat(_))) => (1, 0),
            Ok(Some(Answer::Unsat)) => (0, 1),
            Ok(Some(Answer::Unknown(_)) | None) | Err(_) => (0, 0),
        };
        self.counted.recalled += sat + unsat;
        self.counted.asked += sat + unsat;
        self.counted.sat += sat;
        self.counted.unsat += unsat;
        answer
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.asked += self.counted.asked;
        out.recalled += self.counted.recalled;
        out.sat += self.counted.sat;
        out.unsat += self.counted.unsat;
        out.unknown += self.counted.unknown;
        out.seconds += self.counted.seconds;
        out.unsat_seconds += self.counted.unsat_seconds;
        self.inner.statistics(out);
    }
}

/// Calls `each` for every conjunct of the width-1 `term` that is not itself a conjunction. A denied disjunction is one.
pub(crate) fn for_each_conjunct(pool: &mut Pool, term: Term, each: &mut impl FnMut(Term)) {
    let mut open: SmallVec<[Term; 8]> = smallvec![term];
    // Conjunctions share parts, so that there can be very many ways to one.
    let mut opened = FxHashSet::default();
    while let Some(t) = open.pop() {
        match pool.node(t) {
            Node::Bin { op: BvOp::And, a, b } => {
                if opened.insert(t) {
                    open.extend([b, a]);
                }
            }
            Node::Not(denied) => match pool.node(denied) {
                Node::Bin { op: BvOp::Or, a, b } => {
                    if opened.insert(t) {
                        open.extend([pool.not(b), pool.not(a)]);
                    }
                }
                Node::Bin { .. }
                | Node::Const { .. }
                | Node::Select { .. }
                | Node::Cmp { .. }
                | Node::Not(_)
                | Node::Concat { .. }
                | Node::Extract { .. }
                | Node::ZExt { .. }
                | Node::SExt { .. }
                | Node::Ite { .. } => each(t),
            },
            Node::Const { .. }
            | Node::Select { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. }
            | Node::Ite { .. } => each(t),
        }
    }
}

/// The conjuncts in sorted order, each once; `None` if one is false or the negation of another.
pub(crate) fn simplified(pool: &mut Pool, constraints: &[Term]) -> Option<Vec<Term>> {
    let mut flat = Vec::with_capacity(constraints.len());
    for &c in constraints {
        for_each_conjunct(pool, c, &mut |t| flat.push(t));
    }
    if flat.iter().any(|&t| pool.is_false(t)) {
        return None;
    }
    flat.retain(|&t| !pool.is_true(t));
    flat.sort_unstable();
    flat.dedup();
    let denied: FxHashSet<Term> =
        flat.iter().filter_map(|&t| if let Node::Not(inner) = pool.node(t) { Some(inner) } else { None }).collect();
    let contradiction = !denied.is_empty() && flat.iter().any(|t| denied.contains(t));
    (!contradiction).then_some(flat)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_conditions(pool: &mut Pool) -> (Term, Term) {
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let nine = pool.constant(8, 9);
        (pool.eq(a, nine), pool.eq(b, nine))
    }

    #[test]
    fn conjunctions_that_share_parts_are_opened_once() {
        let mut pool = Pool::new();
        let input = pool.input("x", 201);
        let bit = |pool: &mut Pool, at: u64| {
            let byte = pool.select_at(input, at);
            let zero = pool.constant(8, 0);
            pool.eq(byte, zero)
        };
        let mut all = bit(&mut pool, 0);
        // There are 2^100 ways down to the first one.
        for i in 0..100 {
            let (a, b) = (bit(&mut pool, 2 * i + 1), bit(&mut pool, 2 * i + 2));
            let (left, right) = (pool.and(all, a), pool.and(all, b));
            all = pool.and(left, right);
        }
        assert_eq!(simplified(&mut pool, &[all]).map(|conjuncts| conjuncts.len()), Some(201));
    }

    #[test]
    fn conjunctions_become_flat_and_lose_duplicates() {
        let mut pool = Pool::new();
        let (a, b) = two_conditions(&mut pool);
        let both = pool.and(a, b);
        let truth = pool.truth(true);
        let mut expected = vec![a, b];
        expected.sort_unstable();
        assert_eq!(simplified(&mut pool, &[b, both, truth, a]), Some(expected));
    }

    #[test]
    fn a_denied_disjunction_is_a_conjunction_and_an_asserted_one_is_not() {
        let mut pool = Pool::new();
        let (a, b) = two_conditions(&mut pool);
        let either = pool.or(a, b);
        let neither = pool.not(either);
        let mut expected = vec![pool.not(a), pool.not(b)];
        expected.sort_unstable();
        assert_eq!(simplified(&mut pool, &[neither]), Some(expected));
        assert_eq!(simplified(&mut pool, &[either]), Some(vec![either]));
    }

    #[test]
    fn a_term_and_its_negation_are_a_contradiction_but_two_terms_are_not() {
        let mut pool = Pool::new();
        let (a, b) = two_conditions(&mut pool);
        let not_a = pool.not(a);
        let falsity = pool.truth(false);
        assert_eq!(simplified(&mut pool, &[b, falsity]), None);
        assert!(simplified(&mut pool, &[not_a, b]).is_some());
        assert_eq!(simplified(&mut pool, &[a, b, not_a]), None);
    }
}
