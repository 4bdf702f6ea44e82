//! Decides constraints over one single input byte without a backend: which of the 256 values satisfy each constraint
//! is computed once and remembered, and a query is an intersection of such sets. Most branches of string code are of
//! this kind.

use std::time::Duration;

use osier_term::{Assignment, Pool, Term};

use crate::lanes::Home;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};
use crate::set_table::SetTable;

/// A set of byte values: bit `v % 64` of word `v / 64` stands for `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSet(pub(crate) [u64; 4]);

impl ByteSet {
    pub(crate) const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    /// The first `count` values.
    pub(crate) fn below(count: usize) -> ByteSet {
        ByteSet(std::array::from_fn(|word| match count.saturating_sub(word * 64) {
            bits @ 0..64 => (1 << bits) - 1,
            _ => u64::MAX,
        }))
    }

    pub(crate) fn zip(self, other: ByteSet, op: impl Fn(u64, u64) -> u64) -> ByteSet {
        ByteSet(std::array::from_fn(|i| op(self.0[i], other.0[i])))
    }

    pub(crate) fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    pub(crate) fn contains(self, value: u8) -> bool {
        self.0[usize::from(value / 64)] >> (value % 64) & 1 == 1
    }

    pub(crate) fn is_within(self, other: ByteSet) -> bool {
        self.zip(other, |a, b| a & !b).is_empty()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn without(mut self, value: u8) -> ByteSet {
        self.0[usize::from(value / 64)] &= !(1 << (value % 64));
        self
    }

    pub(crate) fn first(self) -> Option<u8> {
        let word = self.0.iter().position(|&w| w != 0)?;
        Some((word * 64) as u8 + self.0[word].trailing_zeros() as u8)
    }
}

pub(crate) struct ByteSets {
    inner: Box<dyn Solver>,
    table: SetTable,
    decided: u64,
}

impl ByteSets {
    pub(crate) fn wrap(inner: Box<dyn Solver>, table: SetTable) -> Box<dyn Solver> {
        Box::new(ByteSets { inner, table, decided: 0 })
    }
}

/// The number of the one byte that every constraint speaks of.
fn single_byte(pool: &mut Pool, constraints: &[Term]) -> Option<u32> {
    let mut byte = None;
    for &c in constraints {
        match pool.support(c).intervals() {
            &[(start, end)] if end == start + 1 && byte.is_none_or(|b| b == start) => byte = Some(start),
            _ => return None,
        }
    }
    byte
}

impl Solver for ByteSets {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let Some(byte) = single_byte(pool, query.constraints) else { return self.inner.check(pool, query) };
        let mut left = ByteSet::ALL;
        for &c in query.constraints {
            let Some(set) = self.table.set_of(pool, c, byte) else { return self.inner.check(pool, query) };
            left = left.zip(set, |a, b| a & b);
        }
        let Some(value) = left.first() else {
            self.decided += 1;
            return Ok(Answer::Unsat);
        };
        let Some(Home { array, size, index }) = self.table.home_of(pool, query.constraints[0], byte) else {
            return self.inner.check(pool, query);
        };
        self.decided += 1;
        let mut model = Assignment::new();
        model.set_byte(array, size, index, value);
        Ok(Answer::Sat(model))
    }

    /// Parts over one byte are kept nowhere: what is not decided is not known.
    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        if single_byte(pool, query.constraints).is_some() { Ok(None) } else { self.inner.recall(pool, query) }
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.by_bytes += self.decided;
        self.inner.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Reason;

    /// Answers with something that the sets never answer.
    struct Below;
    impl Solver for Below {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(Answer::Unknown(Reason::Interrupted))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    #[test]
    fn one_byte_is_decided_here_and_two_are_passed_on() {
        let mut pool = Pool::new();
        let (x, y) = (pool.input("x", 3), pool.input("y", 1));
        let (x, y) = (pool.select_at(x, 2), pool.select_at(y, 0));
        let (low, high) = (pool.constant(8, 10), pool.constant(8, 12));
        let (above_low, below_high) = (pool.ult(low, x), pool.ult(x, high));
        let (y_below, apart) = (pool.ult(y, low), pool.ne(x, y));
        let below_low = pool.ult(x, low);
        let mut sets = ByteSets::wrap(Box::new(Below), SetTable::new(100));
        let mut ask = |constraints: &[Term]| sets.check(&mut pool, &Query::of(constraints)).unwrap();
        let Answer::Sat(model) = ask(&[above_low, below_high]) else { panic!("eleven fits") };
        assert!(model.iter().map(|(_, bytes)| &bytes[..]).eq([&[0, 0, 11][..]]));
        assert!(matches!(ask(&[above_low, below_low]), Answer::Unsat));
        assert!(matches!(ask(&[above_low, y_below]), Answer::Unknown(_)));
        assert!(matches!(ask(&[apart]), Answer::Unknown(_)));
    }
}
