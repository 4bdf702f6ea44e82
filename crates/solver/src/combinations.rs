//! Decides queries over few bytes with few values each by trying all combinations, 256 side by side.
//!
//! What programs compute with digits is hard for a backend, which sees multiplications and divisions, and there are few
//! digits: three of them have a thousand values.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_term::{Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::bytesets::{ByteSet, SetTable};
use crate::domains::one_byte;
use crate::interrupt::Interrupt;
use crate::lanes::{Home, Lanes, Program};
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};

/// More combinations are not tried.
const MOST_COMBINATIONS: u64 = 1 << 22;
/// Terms that are computed at most, each for 256 combinations: some tens of milliseconds, in which a backend decides what
/// is not hard.
const MOST_WORK: usize = 1 << 20;
/// The same after a backend has found it hard.
const MOST_WORK_IF_HARD: usize = 1 << 22;
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
    interrupt: Interrupt,
    timeout: Option<Duration>,
    /// Terms that are computed at most.
    most_work: usize,
    decided: u64,
}

/// A byte and the values that it can have.
struct Wheel {
    byte: u32,
    home: Home,
    values: Vec<u8>,
}

/// Conditions that are computed together, and what waits for them.
struct Sieve {
    program: Program,
    /// One combination after the other.
    waiting: Vec<u8>,
}

/// What is left to do when some combinations have been tried.
enum Outcome {
    Found(Vec<u8>),
    GoOn,
    GiveUp(Option<Reason>),
}

impl Combinations {
    pub(crate) fn wrap(
        inner: Box<dyn Solver>,
        limit: usize,
        interrupt: Interrupt,
        timeout: Option<Duration>,
    ) -> Box<dyn Solver> {
        let (table, most_work) = (SetTable::new(limit), MOST_WORK);
        Box::new(Combinations { inner, table, interrupt, timeout, most_work, decided: 0 })
    }

    /// Tries for longer, for `inner` is asked about what is hard.
    pub fn if_hard(inner: Box<dyn Solver>, interrupt: Option<Arc<AtomicBool>>) -> Box<dyn Solver> {
        let (table, interrupt) = (SetTable::new(KEPT_SETS), Interrupt::new(interrupt));
        Box::new(Combinations { inner, table, interrupt, timeout: None, most_work: MOST_WORK_IF_HARD, decided: 0 })
    }
}

/// What is tried at most.
pub(crate) struct Limits<'a> {
    /// Terms that are computed, each for 256 combinations.
    pub(crate) work: usize,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) deadline: Option<Instant>,
}

/// Tries all combinations of the values in `sets`. None if that is too much.
pub(crate) fn decide(
    pool: &mut Pool,
    table: &mut SetTable,
    query: &Query,
    sets: &dyn Fn(u32) -> ByteSet,
    limits: &Limits,
) -> Option<Answer> {
    let mut wide = Vec::new();
    let mut support = Support::new();
    for &constraint in query.constraints {
        match pool.as_const(constraint) {
            Some(0) => return Some(Answer::Unsat),
            Some(_) => continue,
            None => {}
        }
        let own = pool.support(constraint);
        support = support.union(&own);
        let decided = one_byte(&own)
            .is_some_and(|byte| table.set_of(pool, constraint, byte).is_some_and(|set| sets(byte).is_within(set)));
        if !decided {
            wide.push(constraint);
        }
    }
    if support.is_empty() {
        return None;
    }
    let combinations = bytes_of(&support).try_fold(1, |product: u64, byte| {
        product.checked_mul(sets(byte).len().into()).filter(|product| *product <= MOST_COMBINATIONS)
    })?;
    if combinations == 0 {
        return Some(Answer::Unsat);
    }
    let wheels = wheels(pool, table, query, &support, sets)?;
    let mut trial = Trial { pool, wheels: &wheels, limits, sieves: Vec::new() };
    trial.plan(&wide, combinations)?;
    let found = match trial.run() {
        Outcome::Found(values) => values,
        Outcome::GoOn => return Some(Answer::Unsat),
        Outcome::GiveUp(reason) => return reason.map(Answer::Unknown),
    };
    let mut model = query.near.cloned().unwrap_or_default();
    for (Wheel { home, .. }, value) in wheels.iter().zip(found) {
        if model.get(home.array, home.index.into()) != value {
            model.set_byte(home.array, home.size, home.index, value);
        }
    }
    Some(Answer::Sat(model))
}

/// The bytes with their values, the value nearby first.
fn wheels(
    pool: &mut Pool,
    table: &mut SetTable,
    query: &Query,
    support: &Support,
    sets: &dyn Fn(u32) -> ByteSet,
) -> Option<Vec<Wheel>> {
    let mut wheels = Vec::new();
    for byte in bytes_of(support) {
        let speaker = *query.constraints.iter().find(|&&c| pool.support(c).contains_byte(byte))?;
        let home = table.home_of(pool, speaker, byte)?;
        let set = sets(byte);
        let mut values: Vec<u8> = (0..=255).filter(|&value| set.contains(value)).collect();
        if let Some(near) = query.near {
            let nearest = near.get(home.array, home.index.into());
            values.sort_by_key(|&value| value != nearest);
        }
        wheels.push(Wheel { byte, home, values });
    }
    Some(wheels)
}

fn bytes_of(support: &Support) -> impl Iterator<Item = u32> {
    support.intervals().iter().flat_map(|&(start, end)| start..end)
}

struct Trial<'a> {
    pool: &'a Pool,
    wheels: &'a [Wheel],
    limits: &'a Limits<'a>,
    sieves: Vec<Sieve>,
}

impl Trial<'_> {
    /// Puts the conditions into sieves, so that what costs much is computed for what is left by the others: which
    /// leave little is seen on a sample. None if all together costs too much.
    fn plan(&mut self, conditions: &[Term], combinations: u64) -> Option<()> {
        let turns = combinations.div_ceil(LANES as u64);
        if turns.saturating_mul(conditions.len() as u64) > self.limits.work as u64 {
            return None;
        }
        let mut whole = Program::new(self.pool, conditions, self.limits.work)?;
        if whole.price() as u64 * turns <= ONCE {
            self.sieves.push(Sieve { program: whole, waiting: Vec::new() });
            return Some(());
        }
        let truths = whole.truths(self.pool, &self.lanes(&self.sample()))?;
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

    /// Combinations from everywhere.
    fn sample(&self) -> Vec<u8> {
        let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut sample = Vec::with_capacity(LANES * self.wheels.len());
        for _ in 0..LANES {
            for wheel in self.wheels {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                sample.push(wheel.values[(random % wheel.values.len() as u64) as usize]);
            }
        }
        sample
    }

    /// Combinations as lanes; those that are missing are zero.
    fn lanes(&self, combinations: &[u8]) -> FxHashMap<u32, Rc<Lanes>> {
        let lanes_of = |i: usize| -> Rc<Lanes> {
            let mut lanes = [0; LANES];
            for (lane, combination) in lanes.iter_mut().zip(combinations.chunks(self.wheels.len())) {
                *lane = combination[i].into();
            }
            Rc::new(lanes)
        };
        self.wheels.iter().enumerate().map(|(i, wheel)| (wheel.byte, lanes_of(i))).collect()
    }

    /// Counts through all combinations.
    fn run(&mut self) -> Outcome {
        let mut places = vec![0; self.wheels.len()];
        loop {
            let combination = self.wheels.iter().zip(&places).map(|(wheel, &place)| wheel.values[place]);
            self.sieves[0].waiting.extend(combination);
            let over = !next(&mut places, self.wheels);
            if over || self.is_full(0) {
                match self.sift(0) {
                    Outcome::GoOn => {}
                    end @ (Outcome::Found(_) | Outcome::GiveUp(_)) => return end,
                }
            }
            if over {
                return (1..self.sieves.len())
                    .map(|i| self.sift(i))
                    .find(|end| !matches!(end, Outcome::GoOn))
                    .unwrap_or(Outcome::GoOn);
            }
        }
    }

    fn is_full(&self, sieve: usize) -> bool {
        self.sieves[sieve].waiting.len() >= LANES * self.wheels.len()
    }

    /// Tries what waits before a sieve, and goes on behind it where there is enough.
    fn sift(&mut self, at: usize) -> Outcome {
        if self.limits.interrupt.is_set() {
            return Outcome::GiveUp(Some(Reason::Interrupted));
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Outcome::GiveUp(Some(Reason::Timeout));
        }
        let many = LANES * self.wheels.len();
        let waiting = std::mem::take(&mut self.sieves[at].waiting);
        for combinations in waiting.chunks(many) {
            let lanes = self.lanes(combinations);
            let Some(truth) = self.sieves[at].program.truth(self.pool, &lanes) else { return Outcome::GiveUp(None) };
            for (lane, combination) in combinations.chunks(self.wheels.len()).enumerate() {
                if !truth.contains(lane as u8) {
                    continue;
                }
                match self.sieves.get_mut(at + 1) {
                    Some(next) => next.waiting.extend_from_slice(combination),
                    None => return Outcome::Found(combination.to_vec()),
                }
            }
            if at + 1 < self.sieves.len() && self.is_full(at + 1) {
                match self.sift(at + 1) {
                    Outcome::GoOn => {}
                    end @ (Outcome::Found(_) | Outcome::GiveUp(_)) => return end,
                }
            }
        }
        Outcome::GoOn
    }
}

/// Goes on to the next combination, as an odometer counts. False after the last one.
fn next(places: &mut [usize], wheels: &[Wheel]) -> bool {
    for (place, wheel) in places.iter_mut().zip(wheels) {
        *place += 1;
        if *place < wheel.values.len() {
            return true;
        }
        *place = 0;
    }
    false
}

impl Solver for Combinations {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let mut sets: FxHashMap<u32, ByteSet> = FxHashMap::default();
        for &constraint in query.constraints {
            if let Some(byte) = one_byte(&pool.support(constraint))
                && let Some(set) = self.table.set_of(pool, constraint, byte)
            {
                let left = sets.entry(byte).or_insert(ByteSet::ALL);
                *left = left.zip(set, |a, b| a & b);
            }
        }
        let deadline = self.timeout.map(|timeout| Instant::now() + timeout);
        let limits = Limits { work: self.most_work, interrupt: &self.interrupt, deadline };
        let sets = |byte: u32| sets.get(&byte).copied().unwrap_or(ByteSet::ALL);
        match decide(pool, &mut self.table, query, &sets, &limits) {
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
        Combinations::wrap(Box::new(Asked), 1000, Interrupt::new(Some(Arc::new(interrupted.into()))), timeout)
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
        assert!(matches!(ask(false, Some(Duration::ZERO), &constraints), Answer::Unknown(Reason::Timeout)));
        // Without what is said of the digits.
        assert!(matches!(ask(false, None, &constraints[12..]), Answer::Unknown(Reason::Incomplete(_))));
    }
}
