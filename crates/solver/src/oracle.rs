//! What the engine asks: can this condition hold on this path, and how large can this value be?

use std::rc::Rc;
use std::time::Instant;

use osier_term::{Assignment, Pool, Support, Term, eval};

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
    /// How long such looks took, and those that said no.
    seconds_nearby: f64,
    unsat_seconds_nearby: f64,
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
            seconds_nearby: 0.0,
            unsat_seconds_nearby: 0.0,
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
        let open = match self.at_sight(pool, path, witness, condition) {
            Sight::Decided(answer) => return Ok(answer),
            Sight::Open(open) => open,
        };
        if let Some(answer) = self.look_nearby(pool, &open, witness, condition) {
            return Ok(answer);
        }
        let constraints = open.with(condition);
        let answer = self.chain.check(pool, &Query { constraints: &constraints, near: Some(witness) })?;
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
        let took = start.elapsed().as_secs_f64();
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

    pub fn statistics(&self) -> Statistics {
        let mut out = Statistics {
            asked: self.by_witness + self.denied + self.nearby.decided,
            by_witness: self.by_witness,
            by_bytes: self.nearby.decided,
            cached: self.denied,
            sat: self.by_witness + self.nearby.decided - self.unsat_nearby,
            unsat: self.denied + self.unsat_nearby,
            seconds: self.seconds_nearby,
            unsat_seconds: self.unsat_seconds_nearby,
            ..Default::default()
        };
        self.chain.statistics(&mut out);
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

    /// Answers once, with the model or with no, and must not be asked again.
    struct Once(Option<Answer>);
    impl Solver for Once {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(self.0.take().expect("asked once"))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    /// `x[at] * x[at + 1] == number`, which takes a backend.
    fn product(pool: &mut Pool, input: osier_term::Array, at: u64, number: u128) -> Term {
        let (a, b) = (pool.select_at(input, at), pool.select_at(input, at + 1));
        let (wide_a, wide_b) = (pool.zext(a, 16), pool.zext(b, 16));
        let (product, number) = (pool.mul(wide_a, wide_b), pool.constant(16, number));
        pool.eq(product, number)
    }

    #[test]
    fn what_was_answered_is_recalled_and_nothing_else() {
        let mut pool = Pool::new();
        let input = pool.input("x", 6);
        let [here, there, other] =
            [(0, 251 * 241), (2, 251 * 241), (4, 251 * 239)].map(|(at, number)| product(&mut pool, input, at, number));
        let mut model = Assignment::new();
        model.set(input, vec![251, 241, 9, 9, 9, 9].into());
        let mut oracle = Oracle::new(ChainConfig::default(), Box::new(Once(Some(Answer::Sat(model)))));
        let (path, mut witness) = (Path::new(), Assignment::new());
        witness.set(input, vec![1, 2, 3, 4, 5, 6].into());
        let bytes_of = |oracle: &mut Oracle, pool: &mut Pool, condition| match oracle
            .recall(pool, &path, &witness, condition)
            .unwrap()
        {
            Some(May::Yes(found)) => found.bytes(input).map(<[u8]>::to_vec),
            Some(May::No | May::Unknown(_)) | None => None,
        };
        assert_eq!(bytes_of(&mut oracle, &mut pool, here), None, "nobody was asked yet");
        assert_eq!(oracle.statistics().asked, 0, "what is not recalled is not counted");
        assert!(matches!(oracle.may_be(&mut pool, &path, &witness, here), Ok(May::Yes(_))));
        assert_eq!(bytes_of(&mut oracle, &mut pool, here), Some(vec![251, 241, 3, 4, 5, 6]));
        // Under other names, and in parts, of which one is not known.
        assert_eq!(bytes_of(&mut oracle, &mut pool, there), Some(vec![1, 2, 251, 241, 5, 6]));
        let both = pool.and(here, there);
        assert_eq!(bytes_of(&mut oracle, &mut pool, both), Some(vec![251, 241, 251, 241, 5, 6]));
        let more = pool.and(both, other);
        assert_eq!(bytes_of(&mut oracle, &mut pool, more), None);
        // A part that the witness satisfies needs no answer.
        let fits = product(&mut pool, input, 4, 5 * 6);
        let with_fitting = pool.and(here, fits);
        assert_eq!(bytes_of(&mut oracle, &mut pool, with_fitting), Some(vec![251, 241, 3, 4, 5, 6]));
        let statistics = oracle.statistics();
        assert_eq!((statistics.asked, statistics.sat, statistics.recalled), (5, 5, 4));
        assert_eq!((statistics.cached, statistics.stored, statistics.missed, statistics.unsat), (0, 0, 1, 0));
    }

    #[test]
    fn what_has_no_solution_is_recalled_for_more_constraints_too() {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        // Two primes, of which one is no byte: no stage but a backend finds that out.
        let hopeless = product(&mut pool, input, 0, 251 * 257);
        let path = Path::new();
        let witness = Assignment::new();
        let mut oracle = Oracle::new(ChainConfig::default(), Box::new(Once(Some(Answer::Unsat))));
        assert!(matches!(oracle.recall(&mut pool, &path, &witness, hopeless), Ok(None)));
        assert!(matches!(oracle.may_be(&mut pool, &path, &witness, hopeless), Ok(May::No)));
        assert!(matches!(oracle.recall(&mut pool, &path, &witness, hopeless), Ok(Some(May::No))));
        let (first, third) = (pool.select_at(input, 0), pool.select_at(input, 2));
        let (below, elsewhere) = (pool.ult(third, first), product(&mut pool, input, 2, 251 * 241));
        for more in [below, elsewhere] {
            let condition = pool.and(hopeless, more);
            assert!(matches!(oracle.recall(&mut pool, &path, &witness, condition), Ok(Some(May::No))));
        }
        let falsity = pool.truth(false);
        assert!(matches!(oracle.recall(&mut pool, &path, &witness, falsity), Ok(Some(May::No))));
        let statistics = oracle.statistics();
        assert_eq!((statistics.asked, statistics.unsat, statistics.recalled), (4, 4, 3));
    }

    #[test]
    fn a_glance_sees_one_byte_and_a_look_up_does_not() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, nine) = (pool.select_at(input, 0), pool.constant(8, 9));
        let (below, hard) = (pool.ult(a, nine), product(&mut pool, input, 0, 251 * 241));
        let above = pool.not(below);
        let mut path = Path::new();
        path.add(&mut pool, below);
        let (seven, eight) = (pool.constant(8, 7), pool.constant(8, 8));
        let (is_eight, beyond) = (pool.eq(a, eight), pool.ult(eight, a));
        let mut oracle = oracle();
        let witness = Assignment::new();
        let Some(May::Yes(found)) = oracle.glance(&mut pool, &path, &witness, is_eight) else { panic!("8 is below 9") };
        assert_eq!(found.get(input, 0), 8);
        assert!(matches!(oracle.recall(&mut pool, &path, &witness, is_eight), Ok(None)));
        for impossible in [above, beyond] {
            assert!(matches!(oracle.glance(&mut pool, &path, &witness, impossible), Some(May::No)));
        }
        assert!(oracle.glance(&mut pool, &path, &witness, hard).is_none(), "two bytes take more than a glance");
        let is_seven = pool.eq(a, seven);
        let config = ChainConfig { caches_only: true, ..ChainConfig::default() };
        let mut caches = Oracle::new(config, Box::new(GivesUp));
        assert!(caches.glance(&mut pool, &path, &witness, is_seven).is_none(), "only caches are wanted");
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
