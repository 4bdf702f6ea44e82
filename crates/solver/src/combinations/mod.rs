//! Decides queries over few bytes with few values each by trying all combinations, 256 side by side.
//!
//! What programs compute with digits is hard for a backend, which sees multiplications and divisions, and there are few
//! digits: three of them have a thousand values.

mod domain;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_term::{Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::bytesets::ByteSet;
use crate::domains::one_byte;
use crate::interrupt::Interrupt;
use crate::lanes::Program;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::set_table::SetTable;

pub(crate) use domain::Domains;
use domain::{Domain, Left, Wheel};

/// More combinations are not tried.
const MOST_COMBINATIONS: usize = 1 << 22;
/// Terms that are computed at most, each for 256 combinations: a quarter of a second, if there is so much time.
const MOST_WORK: usize = 1 << 20;
/// The same after a backend has found it hard.
const MOST_WORK_IF_HARD: usize = 1 << 22;
/// Terms that are computed in a microsecond, each for 256 combinations.
const WORK_IN_A_MICROSECOND: usize = 4;
/// A sample is taken if it costs no more than one in so many parts of the work.
const SAMPLED: usize = 4;
/// Conditions over one byte that are remembered, before the second tier.
const KEPT_SETS: usize = 1 << 14;
/// Conditions that leave at most one combination in so many are computed before the others.
const SIFTED: u32 = 4;
/// Work that is not worth a sample.
const ONCE: u64 = 1 << 10;
/// Combinations that are tried side by side.
const LANES: usize = 256;

/// A stage before a backend.
pub struct Combinations {
    inner: Box<dyn Solver>,
    table: SetTable,
    domains: Domains,
    interrupt: Interrupt,
    timeout: Option<Duration>,
    /// Terms that are computed at most.
    most_work: usize,
    decided: u64,
}

/// Conditions that are computed together, and the combinations that wait for them.
struct Sieve {
    program: Program,
    waiting: Vec<u32>,
}

/// What is left to do when some combinations have been tried.
enum Outcome {
    Found(Vec<u32>),
    GoOn,
    GiveUp(Option<Reason>),
}

impl Combinations {
    pub(crate) fn wrap(
        inner: Box<dyn Solver>,
        table: SetTable,
        interrupt: Interrupt,
        timeout: Option<Duration>,
    ) -> Box<dyn Solver> {
        let most_work = MOST_WORK;
        Box::new(Combinations { inner, table, domains: Domains::default(), interrupt, timeout, most_work, decided: 0 })
    }

    /// Tries for longer, for `inner` is asked about what is hard.
    pub fn if_hard(inner: Box<dyn Solver>, interrupt: Option<Arc<AtomicBool>>) -> Box<dyn Solver> {
        let (table, interrupt) = (SetTable::new(KEPT_SETS), Interrupt::new(interrupt));
        let (domains, most_work) = (Domains::default(), MOST_WORK_IF_HARD);
        Box::new(Combinations { inner, table, domains, interrupt, timeout: None, most_work, decided: 0 })
    }
}

/// What is tried at most.
pub(crate) struct Limits<'a> {
    /// Terms that are computed, each for 256 combinations.
    pub(crate) work: usize,
    /// Whether that counts each condition for each combination.
    pub(crate) at_once: bool,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) deadline: Option<Instant>,
}

/// What is asked, taken apart.
pub(crate) struct Question<'a> {
    query: &'a Query<'a>,
    /// The conditions that are not sets of values of one byte.
    conditions: Vec<Term>,
    /// In order.
    bytes: Vec<u32>,
    /// What the others leave of each byte.
    sets: FxHashMap<u32, ByteSet>,
}

impl<'a> Question<'a> {
    /// None if it has no bytes, or a condition is false whatever they are.
    pub(crate) fn new(pool: &mut Pool, table: &SetTable, query: &'a Query) -> Option<Self> {
        let (mut conditions, mut support, mut sets) = (Vec::new(), Support::new(), FxHashMap::default());
        for &constraint in query.constraints {
            match pool.as_const(constraint) {
                Some(0) => return None,
                Some(_) => continue,
                None => {}
            }
            let own = pool.support(constraint);
            support.join(&own);
            match one_byte(&own).and_then(|byte| Some((byte, table.set_of(pool, constraint, byte)?))) {
                Some((byte, set)) => {
                    let left = sets.entry(byte).or_insert(ByteSet::ALL);
                    *left = left.zip(set, |a, b| a & b);
                }
                None => conditions.push(constraint),
            }
        }
        let bytes: Vec<u32> = bytes_of(&support).collect();
        if bytes.is_empty() { None } else { Some(Question { query, conditions, bytes, sets }) }
    }

    fn set(&self, byte: u32) -> ByteSet {
        self.sets.get(&byte).copied().unwrap_or(ByteSet::ALL)
    }

    /// Tries all combinations of values, where each byte may be known to be in a smaller set. None if that is too much.
    pub(crate) fn decide(
        &self,
        pool: &mut Pool,
        (table, domains): (&SetTable, &mut Domains),
        smaller: &dyn Fn(u32) -> ByteSet,
        limits: &Limits,
    ) -> Option<Answer> {
        let sets = |byte: u32| self.set(byte).zip(smaller(byte), |a, b| a & b);
        let domain = match domains.take(&self.bytes, &sets) {
            Some(domain) => domain,
            None => self.new_domain(pool, table, &sets, limits.work)?,
        };
        let (left, open) = domain.left(&self.conditions, &sets);
        self.decide_left(pool, (domain, domains), (left, &open), limits)
    }

    /// As [`Question::decide`], where nearly all was known before.
    pub(crate) fn recall(&self, pool: &Pool, domains: &mut Domains, limits: &Limits) -> Option<Answer> {
        let sets = |byte: u32| self.set(byte);
        let domain = domains.take(&self.bytes, &sets)?;
        let (left, open) = domain.left(&self.conditions, &sets);
        self.decide_left(pool, (domain, domains), (left, &open), limits)
    }

    /// With all that the conditions over single bytes leave, so that it serves for other questions, if that is not too
    /// much.
    fn new_domain(
        &self,
        pool: &mut Pool,
        table: &SetTable,
        sets: &dyn Fn(u32) -> ByteSet,
        most_work: usize,
    ) -> Option<Domain> {
        if self.combinations(sets)?.div_ceil(LANES).saturating_mul(self.conditions.len()) > most_work {
            return None;
        }
        let own = |byte: u32| self.set(byte);
        let sets = if self.combinations(&own).is_some_and(Domain::remembers) { &own } else { sets };
        Some(Domain::new(wheels(pool, table, self.query, &self.bytes, sets)?))
    }

    /// None if there are too many.
    fn combinations(&self, sets: &dyn Fn(u32) -> ByteSet) -> Option<usize> {
        self.bytes.iter().try_fold(1, |product: usize, &byte| {
            product.checked_mul(sets(byte).len() as usize).filter(|product| *product <= MOST_COMBINATIONS)
        })
    }

    fn decide_left(
        &self,
        pool: &Pool,
        (mut domain, domains): (Domain, &mut Domains),
        (left, open): (Left, &[Term]),
        limits: &Limits,
    ) -> Option<Answer> {
        let outcome = match (left.len(), open) {
            (0, _) => Some(Outcome::GoOn),
            (_, []) => Some(Outcome::Found(left.combinations().take(LANES).collect())),
            _ => {
                let mut trial = Trial { pool, domain: &mut domain, limits, sieves: Vec::new() };
                trial.plan(open, &left).map(|()| trial.run(&left))
            }
        };
        let answer = match outcome {
            Some(Outcome::Found(found)) => domain.nearest(&found, self.query.near).map(Answer::Sat),
            Some(Outcome::GoOn) => Some(Answer::Unsat),
            Some(Outcome::GiveUp(reason)) => reason.map(Answer::Unknown),
            None => None,
        };
        domains.put(domain);
        answer
    }
}

/// The bytes with their values, the value nearby first.
fn wheels(
    pool: &mut Pool,
    table: &SetTable,
    query: &Query,
    bytes: &[u32],
    sets: &dyn Fn(u32) -> ByteSet,
) -> Option<Vec<Wheel>> {
    let mut wheels = Vec::new();
    for &byte in bytes {
        let speaker = *query.constraints.iter().find(|&&c| pool.support(c).contains_byte(byte))?;
        let home = table.home_of(pool, speaker, byte)?;
        let set = sets(byte);
        let mut values: Vec<u8> = (0..=255).filter(|&value| set.contains(value)).collect();
        if let Some(near) = query.near {
            let nearest = near.get(home.array, home.index.into());
            values.sort_by_key(|&value| value != nearest);
        }
        wheels.push(Wheel { byte, home, values, set });
    }
    Some(wheels)
}

fn bytes_of(support: &Support) -> impl Iterator<Item = u32> {
    support.intervals().iter().flat_map(|&(start, end)| start..end)
}

struct Trial<'a> {
    pool: &'a Pool,
    domain: &'a mut Domain,
    limits: &'a Limits<'a>,
    sieves: Vec<Sieve>,
}

impl Trial<'_> {
    /// Puts the conditions into sieves, so that what costs much is computed for what is left by the others: which
    /// leave little is seen on a sample. None if all together costs too much.
    fn plan(&mut self, conditions: &[Term], combinations: &Left) -> Option<()> {
        let turns = combinations.len().div_ceil(LANES) as u64;
        if turns.saturating_mul(conditions.len() as u64) > self.limits.work as u64 {
            return None;
        }
        let share = if self.limits.at_once { turns as usize } else { SAMPLED.min(turns as usize) };
        let mut whole = Program::new(self.pool, conditions, self.limits.work / share)?;
        if self.limits.at_once || whole.price() as u64 * turns <= ONCE {
            self.sieves.push(Sieve { program: whole, waiting: Vec::new() });
            return Some(());
        }
        let truths = whole.truths(self.pool, &self.domain.lanes(&sample(combinations)))?;
        let (mut group, mut left, mut before) = (Vec::new(), ByteSet::ALL, LANES as u32);
        let (mut work, mut turns) = (0, turns);
        for (i, condition) in conditions.iter().enumerate() {
            group.push(*condition);
            left = left.zip(truths[condition], |a, b| a & b);
            let is_last = i + 1 == conditions.len();
            if !is_last && left.len() * SIFTED > before {
                continue;
            }
            let program = Program::new(self.pool, &std::mem::take(&mut group), self.limits.work)?;
            work += u64::try_from(program.price()).ok()?.checked_mul(turns)?;
            if work > self.limits.work as u64 {
                return None;
            }
            // What the sample leaves none of may be left all the same.
            let share = left.len().max(1);
            turns = turns.saturating_mul(share.into()).div_ceil(before.into());
            before = share;
            self.sieves.push(Sieve { program, waiting: Vec::new() });
        }
        Some(())
    }

    /// Tries the combinations until one is found.
    fn run(&mut self, combinations: &Left) -> Outcome {
        let mut combinations = combinations.combinations();
        loop {
            let waiting = &mut self.sieves[0].waiting;
            waiting.extend(combinations.by_ref().take(LANES));
            if waiting.is_empty() {
                break;
            }
            match self.sift(0) {
                Outcome::GoOn => {}
                end @ (Outcome::Found(_) | Outcome::GiveUp(_)) => return end,
            }
        }
        (1..self.sieves.len()).map(|i| self.sift(i)).find(|end| !matches!(end, Outcome::GoOn)).unwrap_or(Outcome::GoOn)
    }

    /// Tries what waits before a sieve, and goes on behind it where there is enough.
    fn sift(&mut self, at: usize) -> Outcome {
        if self.limits.interrupt.is_set() {
            return Outcome::GiveUp(Some(Reason::Interrupted));
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Outcome::GiveUp(Some(Reason::Timeout));
        }
        let waiting = std::mem::take(&mut self.sieves[at].waiting);
        for combinations in waiting.chunks(LANES) {
            let lanes = self.domain.lanes(combinations);
            let (sieve, domain) = (&mut self.sieves[at], &mut *self.domain);
            let learn = |condition, holds| domain.learn(condition, combinations, holds);
            let Some(truth) = sieve.program.truth(self.pool, &lanes, combinations.len(), learn) else {
                return Outcome::GiveUp(None);
            };
            let passed = (0..=u8::MAX).zip(combinations).filter(|&(lane, _)| truth.contains(lane)).map(|(_, &c)| c);
            let Some(next) = self.sieves.get_mut(at + 1) else {
                let passed: Vec<u32> = passed.collect();
                if passed.is_empty() {
                    continue;
                }
                return Outcome::Found(passed);
            };
            next.waiting.extend(passed);
            if next.waiting.len() >= LANES {
                match self.sift(at + 1) {
                    Outcome::GoOn => {}
                    end @ (Outcome::Found(_) | Outcome::GiveUp(_)) => return end,
                }
            }
        }
        Outcome::GoOn
    }
}

/// Combinations from everywhere, as many as are tried side by side.
fn sample(combinations: &Left) -> Vec<u32> {
    let combinations: Vec<u32> = combinations.combinations().collect();
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut pick = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        combinations[(random % combinations.len() as u64) as usize]
    };
    std::iter::repeat_with(&mut pick).take(LANES).collect()
}

impl Solver for Combinations {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        if query.constraints.iter().any(|&constraint| pool.as_const(constraint) == Some(0)) {
            return Ok(Answer::Unsat);
        }
        let question = Question::new(pool, &self.table, query);
        let deadline = self.timeout.map(|timeout| Instant::now() + timeout);
        let in_time = |timeout: Duration| {
            usize::try_from(timeout.as_micros()).unwrap_or(usize::MAX).saturating_mul(WORK_IN_A_MICROSECOND)
        };
        let work = self.most_work.min(self.timeout.map_or(usize::MAX, in_time));
        let limits = Limits { work, at_once: false, interrupt: &self.interrupt, deadline };
        let tools = (&self.table, &mut self.domains);
        match question.and_then(|question| question.decide(pool, tools, &|_| ByteSet::ALL, &limits)) {
            Some(answer) => {
                self.decided += u64::from(!matches!(answer, Answer::Unknown(_)));
                Ok(answer)
            }
            None => self.inner.check(pool, query),
        }
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        self.inner.recall(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.by_combinations += self.decided;
        self.inner.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::Assignment;

    /// Stands for a backend that is asked about what is too much.
    struct Asked;
    impl Solver for Asked {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(Answer::Unknown(Reason::Incomplete("asked".to_owned())))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    /// Two numbers of three digits with a product, and that the first is below the second.
    fn factors(pool: &mut Pool, product: u128) -> Vec<Term> {
        let input = pool.input("x", 6);
        let [zero, nine] = [b'0', b'9'].map(|digit| pool.constant(8, digit.into()));
        let mut constraints = Vec::new();
        let [a, b] = [0, 3].map(|start| {
            let mut number = pool.constant(32, 0);
            for at in start..start + 3 {
                let digit = pool.select_at(input, at);
                constraints.extend([pool.ule(zero, digit), pool.ule(digit, nine)]);
                let (digit, ten) = (pool.sub(digit, zero), pool.constant(32, 10));
                let (digit, tenfold) = (pool.zext(digit, 32), pool.mul(number, ten));
                number = pool.add(tenfold, digit);
            }
            number
        });
        let (product, times, below) = (pool.constant(32, product), pool.mul(a, b), pool.ult(a, b));
        constraints.extend([pool.eq(times, product), below]);
        constraints
    }

    fn stage(interrupted: bool, timeout: Option<Duration>) -> Box<dyn Solver> {
        Combinations::wrap(
            Box::new(Asked),
            SetTable::new(1000),
            Interrupt::new(Some(Arc::new(interrupted.into()))),
            timeout,
        )
    }

    #[test]
    fn factors_of_three_digits_are_found_or_there_are_none() {
        let mut pool = Pool::new();
        let mut stage = stage(false, None);
        for (product, factors_exist) in [(127 * 787, true), (7 * 11, true), (1009 * 7, false), (983 * 983, false)] {
            let constraints = factors(&mut pool, product);
            let near = Assignment::new();
            match stage.check(&mut pool, &Query { constraints: &constraints, near: Some(&near) }).unwrap() {
                Answer::Sat(model) => {
                    assert!(factors_exist, "{product}");
                    assert!(
                        constraints.iter().all(|&c| osier_term::eval(&pool, c, &model) != 0),
                        "{product}: {model:?}"
                    );
                }
                Answer::Unsat => assert!(!factors_exist, "{product}"),
                Answer::Unknown(reason) => panic!("{product}: {reason:?}"),
            }
        }
        let mut counted = Statistics::default();
        stage.statistics(&mut counted);
        assert_eq!(counted.by_combinations, 4);
    }

    #[test]
    fn it_ends_when_it_is_to_end_and_leaves_what_is_too_much() {
        let mut pool = Pool::new();
        let constraints = factors(&mut pool, 1009 * 7);
        let mut ask = |interrupted, timeout, constraints: &[Term]| {
            stage(interrupted, timeout).check(&mut pool, &Query::of(constraints)).unwrap()
        };
        assert!(matches!(ask(true, None, &constraints), Answer::Unknown(Reason::Interrupted)));
        // Without what is said of the digits; and with no time at all.
        assert!(matches!(ask(false, None, &constraints[12..]), Answer::Unknown(Reason::Incomplete(_))));
        assert!(matches!(ask(false, Some(Duration::ZERO), &constraints), Answer::Unknown(Reason::Incomplete(_))));
    }

    #[test]
    fn what_takes_longer_than_thought_ends_in_time() {
        let mut pool = Pool::new();
        let (table, mut domains, interrupt) = (SetTable::new(1000), Domains::default(), Interrupt::default());
        let constraints = factors(&mut pool, 1009 * 7);
        let query = Query::of(&constraints);
        let question = Question::new(&mut pool, &table, &query).unwrap();
        let mut ask = |deadline| {
            let limits = Limits { work: MOST_WORK, at_once: false, interrupt: &interrupt, deadline };
            question.decide(&mut pool, (&table, &mut domains), &|_| ByteSet::ALL, &limits)
        };
        assert!(matches!(ask(Some(Instant::now())), Some(Answer::Unknown(Reason::Timeout))));
        assert!(matches!(ask(None), Some(Answer::Unsat)));
    }
}
