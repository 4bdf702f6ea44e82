//! The value of a term under an assignment.

use rustc_hash::FxHashMap;

use crate::arrays::{ArrayData, Block, SMALLEST_BLOCK};
use crate::assignment::Assignment;
use crate::bits::{apply, compare, mask, sign_extend};
use crate::node::{Array, Node, Term};
use crate::pool::Pool;

/// How many nodes, and how deep, the quick path looks before it leaves a term to the memoising one.
const QUICK_NODES: u32 = 64;
const QUICK_DEPTH: u32 = 24;

/// The value of one term. Small terms are evaluated on the spot, without a memo; of others the pool remembers the parts, as
/// long as the same few assignments are asked about.
pub fn eval(pool: &Pool, t: Term, assignment: &Assignment) -> u128 {
    let mut fuel = QUICK_NODES;
    match quick(pool, assignment, t, QUICK_DEPTH, &mut fuel) {
        Some(value) => value,
        None => pool.recent.with(assignment, |memo| {
            let mut evaluator = Evaluator { pool, assignment, memo: std::mem::take(memo) };
            let value = evaluator.eval(t);
            *memo = evaluator.memo;
            value
        }),
    }
}

/// As [`eval`]; `None` once `work` is used up. It is a number of subterms, looked at before the term and not on the way, and
/// small terms are free.
pub fn eval_within(pool: &Pool, t: Term, assignment: &Assignment, work: &mut usize) -> Option<u128> {
    let mut fuel = QUICK_NODES;
    if let Some(value) = quick(pool, assignment, t, QUICK_DEPTH, &mut fuel) {
        return Some(value);
    }
    if *work == 0 {
        return None;
    }
    let mut evaluator = Evaluator::new(pool, assignment);
    let value = evaluator.eval(t);
    *work = work.saturating_sub(evaluator.memo.known.len());
    Some(value)
}

/// Plain recursion as far as fuel and depth allow; `None` beyond.
fn quick(pool: &Pool, assignment: &Assignment, t: Term, depth: u32, fuel: &mut u32) -> Option<u128> {
    *fuel = fuel.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    let mut sub = |t| quick(pool, assignment, t, depth, fuel);
    Some(match pool.node(t) {
        Node::Const { value, .. } => value,
        Node::Select { array, index } => {
            let index = sub(index)? as u64;
            let mut array = array;
            loop {
                match &pool.arrays[array] {
                    ArrayData::Store(store) if sub(store.index)? as u64 == index => break sub(store.value)?,
                    ArrayData::Store(store) => array = store.array,
                    ArrayData::Input { .. } | ArrayData::Table { .. } => {
                        break bottom_byte(pool, assignment, array, index);
                    }
                }
            }
        }
        Node::Ite { cond, then, other } => {
            let chosen = if sub(cond)? == 1 { then } else { other };
            sub(chosen)?
        }
        Node::Bin { op, a, b } => apply(op, pool.width(a), sub(a)?, sub(b)?),
        Node::Cmp { op, a, b } => u128::from(compare(op, pool.width(a), sub(a)?, sub(b)?)),
        Node::Concat { high, low } => sub(high)? << pool.width(low) | sub(low)?,
        Node::Not(a) => !sub(a)? & mask(pool.width(a)),
        Node::Extract { term, low, width } => sub(term)? >> low & mask(width),
        Node::ZExt { term, .. } => sub(term)?,
        Node::SExt { term, width } => sign_extend(pool.width(term), sub(term)?) as u128 & mask(width),
    })
}

/// A byte of an input or a table.
fn bottom_byte(pool: &Pool, assignment: &Assignment, array: Array, index: u64) -> u128 {
    let byte = match &pool.arrays[array] {
        ArrayData::Input { size, .. } if index >= u64::from(*size) => 0,
        ArrayData::Input { .. } => assignment.get(array, index),
        ArrayData::Table { bytes, .. } => {
            usize::try_from(index).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0)
        }
        ArrayData::Store(_) => unreachable!("the caller went through the stores"),
    };
    u128::from(byte)
}

/// Evaluates many terms under one assignment and remembers every subterm's value.
pub struct Evaluator<'a> {
    pool: &'a Pool,
    assignment: &'a Assignment,
    memo: Memo,
}

/// What is known under one assignment.
#[derive(Default)]
pub(crate) struct Memo {
    known: FxHashMap<Term, u128>,
    /// Stretches of long chains of stores.
    blocks: FxHashMap<Array, Block>,
    /// The entries of all blocks.
    in_blocks: usize,
    pending: Vec<Term>,
}

impl Memo {
    pub fn len(&self) -> usize {
        self.known.len() + self.in_blocks
    }

    pub fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<(Term, u128)>() + self.blocks.values().map(Block::bytes).sum::<usize>()
    }

    /// One that knows nothing; the memory of this one is used again if it is little.
    pub fn emptied(mut self, most: usize) -> Self {
        if self.known.capacity() + self.in_blocks > most {
            return Memo::default();
        }
        self.known.clear();
        self.blocks.clear();
        self.in_blocks = 0;
        self
    }
}

impl<'a> Evaluator<'a> {
    pub fn new(pool: &'a Pool, assignment: &'a Assignment) -> Self {
        Evaluator { pool, assignment, memo: Memo::default() }
    }

    pub fn eval(&mut self, t: Term) -> u128 {
        self.memo.pending.clear();
        self.memo.pending.push(t);
        while let Some(&next) = self.memo.pending.last() {
            if self.value(next).is_some() {
                self.memo.pending.pop();
                continue;
            }
            let waiting = self.memo.pending.len();
            match self.step(next) {
                Some(value) => {
                    self.memo.known.insert(next, value);
                    self.memo.pending.pop();
                }
                None => debug_assert!(self.memo.pending.len() > waiting, "{next} waits for nothing"),
            }
        }
        self.value(t).expect("evaluated")
    }

    pub fn holds(&mut self, t: Term) -> bool {
        self.eval(t) == 1
    }

    #[inline]
    fn value(&self, t: Term) -> Option<u128> {
        self.pool.as_const(t).or_else(|| self.memo.known.get(&t).copied())
    }

    /// The value if it is known; else the term is put before those that wait for it.
    #[inline]
    fn need(&mut self, t: Term) -> Option<u128> {
        let value = self.value(t);
        if value.is_none() {
            self.memo.pending.push(t);
        }
        value
    }

    fn need_both(&mut self, a: Term, b: Term) -> Option<(u128, u128)> {
        let (a, b) = (self.need(a), self.need(b));
        a.zip(b)
    }

    fn step(&mut self, t: Term) -> Option<u128> {
        let pool = self.pool;
        Some(match pool.node(t) {
            Node::Const { value, .. } => value,
            Node::Select { array, index } => {
                let index = self.need(index)?;
                self.read(array, index as u64)?
            }
            // Only the chosen side is evaluated.
            Node::Ite { cond, then, other } => {
                let cond = self.need(cond)?;
                self.need(if cond == 1 { then } else { other })?
            }
            Node::Bin { op, a, b } => {
                let (x, y) = self.need_both(a, b)?;
                apply(op, pool.width(a), x, y)
            }
            Node::Cmp { op, a, b } => {
                let (x, y) = self.need_both(a, b)?;
                u128::from(compare(op, pool.width(a), x, y))
            }
            Node::Concat { high, low } => {
                let (x, y) = self.need_both(high, low)?;
                x << pool.width(low) | y
            }
            Node::Not(a) => !self.need(a)? & mask(pool.width(a)),
            Node::Extract { term, low, width } => self.need(term)? >> low & mask(width),
            Node::ZExt { term, .. } => self.need(term)?,
            Node::SExt { term, width } => sign_extend(pool.width(term), self.need(term)?) as u128 & mask(width),
        })
    }

    /// Walks a chain from block to block. When it comes back because an index was missing, what it did is remembered
    /// in the blocks, so that a long chain is not walked again for each of its indices.
    fn read(&mut self, array: Array, index: u64) -> Option<u128> {
        let mut at = array;
        while let ArrayData::Store(store) = &self.pool.arrays[at] {
            if store.depth.is_multiple_of(SMALLEST_BLOCK) {
                if !self.memo.blocks.contains_key(&at) {
                    let block = self.block(at, store.depth)?;
                    self.memo.in_blocks += block.newest.len();
                    self.memo.blocks.insert(at, block);
                }
                let block = &self.memo.blocks[&at];
                match block.newest.get(&index) {
                    Some(&value) => return self.need(value),
                    None => at = block.below,
                }
            } else if self.need(store.index)? as u64 == index {
                return self.need(store.value);
            } else {
                at = store.array;
            }
        }
        Some(bottom_byte(self.pool, self.assignment, at, index))
    }

    /// What the last stores up to this one, the `depth`-th, wrote where under the assignment. How many they are is the
    /// largest power of two that divides the depth.
    fn block(&mut self, array: Array, depth: u32) -> Option<Block> {
        let waiting = self.memo.pending.len();
        let mut newest = FxHashMap::default();
        let mut below = array;
        for _ in 0..1u32 << depth.trailing_zeros() {
            let ArrayData::Store(store) = &self.pool.arrays[below] else { unreachable!("a store for every depth") };
            if let Some(index) = self.need(store.index) {
                newest.entry(index as u64).or_insert(store.value);
            }
            below = store.array;
        }
        (self.memo.pending.len() == waiting).then_some(Block { newest, below })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::BvOp;

    #[test]
    fn values_follow_the_assignment() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (first, second) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let wide = pool.concat(second, first);
        let signed = pool.sext(wide, 32);
        let mut assignment = Assignment::new();
        assert_eq!(eval(&pool, signed, &assignment), 0);
        assignment.set(x, vec![0x34, 0x92].into());
        assert_eq!(eval(&pool, signed, &assignment), 0xffff_9234);
        assert_eq!(Evaluator::new(&pool, &assignment).eval(signed), 0xffff_9234);
    }

    #[test]
    fn a_read_sees_the_newest_store() {
        let mut pool = Pool::new();
        let x = pool.input("x", 3);
        let [i, j, k] = [0, 1, 2].map(|at| {
            let byte = pool.select_at(x, at);
            pool.zext(byte, 64)
        });
        let (seven, eight) = (pool.constant(8, 7), pool.constant(8, 8));
        let table = pool.table(&[40, 41, 42]);
        let once = pool.store(table, i, seven);
        let twice = pool.store(once, j, eight);
        let read = pool.select(twice, k);
        for (bytes, expected) in [([1, 1, 1], 8), ([1, 2, 1], 7), ([0, 2, 1], 41), ([0, 1, 9], 0)] {
            let mut assignment = Assignment::new();
            assignment.set(x, bytes.to_vec().into());
            assert_eq!(eval(&pool, read, &assignment), expected);
            assert_eq!(Evaluator::new(&pool, &assignment).eval(read), expected);
        }
    }

    #[test]
    fn reads_of_a_long_chain_see_the_newest_store() {
        let mut pool = Pool::new();
        let x = pool.input("x", 256);
        let bytes: Vec<Term> = (0..256).map(|at| pool.select_at(x, at)).collect();
        let indices: Vec<Term> = bytes.iter().map(|&byte| pool.zext(byte, 64)).collect();
        // Store number n goes to the index in byte n % 256, and its value is 7 * n.
        let array = (0..1000u32).fold(x, |array, n| {
            let value = pool.constant(8, u128::from(7 * n));
            pool.store(array, indices[n as usize % 256], value)
        });
        let unrelated = pool.input("y", 1);
        let index = pool.select_at(unrelated, 0);
        let index = pool.zext(index, 64);
        let read = pool.select(array, index);
        let mut assignment = Assignment::new();
        // Byte n is n / 2, so that two bytes give the same index and the half above 127 is never written.
        assignment.set(x, (0..=255u8).map(|n| n / 2).collect());
        for (at, expected) in [(0, 7), (115, 81), (116, 95), (127, 249), (128, 64), (255, 127)] {
            assignment.set_byte(unrelated, 1, 0, at);
            assert_eq!(Evaluator::new(&pool, &assignment).eval(read), expected, "at {at}");
            assert_eq!(eval(&pool, read, &assignment), expected, "at {at}");
        }
    }

    #[test]
    fn a_term_of_great_depth_has_a_value() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (first, second) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let deep = (0..200_000).fold(first, |t, _| pool.bin(BvOp::UDiv, second, t));
        let mut assignment = Assignment::new();
        assignment.set(x, vec![3, 3].into());
        // 3/3 = 1, 3/1 = 3, and so on: an even number of divisions gives 3 again.
        assert_eq!(eval(&pool, deep, &assignment), 3);
    }

    #[test]
    fn shared_subterms_are_evaluated_once() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (first, second) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let doubled = (0..200).fold(first, |t, _| {
            let more = pool.bin(BvOp::UDiv, t, second);
            pool.bin(BvOp::URem, more, t)
        });
        let mut assignment = Assignment::new();
        assignment.set(x, vec![200, 1].into());
        assert_eq!(eval(&pool, doubled, &assignment), 0);
    }
}
