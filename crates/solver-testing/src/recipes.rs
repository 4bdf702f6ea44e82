//! Random queries: a recipe is plain data that proptest can shrink, and `cook` makes terms of it.

use osier_term::{Array, BvOp, CmpOp, Pool, Term};
use proptest::prelude::*;

/// One step of a recipe: what to make of earlier results, which are picked by number modulo their count.
#[derive(Clone, Debug)]
pub enum Step {
    Byte(u8),
    Constant(u8),
    Bin(usize, u8, u8),
    Compare(usize, u8, u8),
    Not(u8),
    Concat(u8, u8),
    Extract(u8, u8, u8),
    Extend(u8, u8, bool),
    Choose(u8, u8, u8),
    ReadTable(u8),
    ReadInput(u8),
    ReadStored(u8, u8, u8),
}

pub fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => any::<u8>().prop_map(Step::Byte),
        2 => any::<u8>().prop_map(Step::Constant),
        6 => (0..BvOp::ALL.len(), any::<u8>(), any::<u8>()).prop_map(|(op, a, b)| Step::Bin(op, a, b)),
        6 => (0..CmpOp::ALL.len(), any::<u8>(), any::<u8>()).prop_map(|(op, a, b)| Step::Compare(op, a, b)),
        1 => any::<u8>().prop_map(Step::Not),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| Step::Concat(a, b)),
        2 => (any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(a, low, width)| Step::Extract(a, low, width)),
        2 => (any::<u8>(), any::<u8>(), any::<bool>()).prop_map(|(a, by, sign)| Step::Extend(a, by, sign)),
        2 => (any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(c, a, b)| Step::Choose(c, a, b)),
        1 => any::<u8>().prop_map(Step::ReadTable),
        1 => any::<u8>().prop_map(Step::ReadInput),
        1 => (any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(i, v, at)| Step::ReadStored(i, v, at)),
    ]
}

/// Follows a recipe over an input and gives the conditions among its results.
pub fn cook(pool: &mut Pool, input: Array, size: u8, steps: &[Step]) -> Vec<Term> {
    let table = pool.table(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]);
    let mut made: Vec<Term> = vec![pool.select_at(input, 0)];
    for step in steps {
        let pick = |n: u8| made[n as usize % made.len()];
        let term = match *step {
            Step::Byte(at) => pool.select_at(input, u64::from(at % size)),
            Step::Constant(value) => pool.constant(8, value.into()),
            Step::Bin(op, a, b) => {
                let (a, b) = same_width(pool, pick(a), pick(b));
                pool.bin(BvOp::ALL[op], a, b)
            }
            Step::Compare(op, a, b) => {
                let (a, b) = same_width(pool, pick(a), pick(b));
                pool.cmp(CmpOp::ALL[op], a, b)
            }
            Step::Not(a) => pool.not(pick(a)),
            Step::Concat(a, b) if pool.width(pick(a)) + pool.width(pick(b)) <= 32 => pool.concat(pick(a), pick(b)),
            Step::Concat(a, _) => pick(a),
            Step::Extract(a, low, width) => {
                let a = pick(a);
                let whole = pool.width(a);
                let low = u32::from(low) % whole;
                pool.extract(a, low, u32::from(width) % (whole - low) + 1)
            }
            Step::Extend(a, by, sign) => {
                let a = pick(a);
                let width = (pool.width(a) + u32::from(by % 9)).min(32);
                if sign { pool.sext(a, width) } else { pool.zext(a, width) }
            }
            Step::Choose(cond, a, b) => {
                let cond = truth_of(pool, pick(cond));
                let (a, b) = same_width(pool, pick(a), pick(b));
                pool.ite(cond, a, b)
            }
            Step::ReadTable(at) => {
                let index = index_of(pool, pick(at));
                pool.select(table, index)
            }
            Step::ReadInput(at) => {
                let index = index_of(pool, pick(at));
                pool.select(input, index)
            }
            Step::ReadStored(at, value, read) => {
                let (at, read) = (index_of(pool, pick(at)), index_of(pool, pick(read)));
                let value = byte_of(pool, pick(value));
                let stored = pool.store(table, at, value);
                pool.select(stored, read)
            }
        };
        made.push(term);
    }
    made.into_iter().filter(|&t| pool.width(t) == 1).collect()
}

fn same_width(pool: &mut Pool, a: Term, b: Term) -> (Term, Term) {
    let width = pool.width(a).max(pool.width(b));
    (pool.zext(a, width), pool.zext(b, width))
}

fn truth_of(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.constant(pool.width(a), 0);
    pool.ne(a, zero)
}

fn byte_of(pool: &mut Pool, a: Term) -> Term {
    if pool.width(a) >= 8 { pool.extract(a, 0, 8) } else { pool.zext(a, 8) }
}

/// Small indices, now and then beyond the end.
fn index_of(pool: &mut Pool, a: Term) -> Term {
    let byte = byte_of(pool, a);
    let fifteen = pool.constant(8, 15);
    let small = pool.bin(BvOp::And, byte, fifteen);
    pool.zext(small, 64)
}
