//! Shifts. Those to the right by a constant become extracts, which meet those of byte-wise loads and stores.

use super::{Pair, PairRule};
use crate::bits::mask;
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

pub(super) const SHL: &[PairRule] =
    &[shift_by_zero, shift_out, shift_of_zero, shl_constants, shl_of_sum_with_constant, shl_of_zext];

pub(super) const LSHR: &[PairRule] = &[shift_by_zero, shift_out, shift_of_zero, lshr_by_constant];

pub(super) const ASHR: &[PairRule] = &[shift_by_zero, shift_of_zero, ashr_of_ones, ashr_by_constant];

/// The amount, if it is a constant less than the width.
fn amount(pair: &Pair) -> Option<u32> {
    pair.right_const().filter(|&by| by < u128::from(pair.width)).map(|by| by as u32)
}

/// x << 0  →  x, and for the other shifts
fn shift_by_zero(_: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.right_const() == Some(0)).then_some(pair.a)
}

/// x << c  →  0, if c is at least the width; the same for >>u
fn shift_out(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.right_const()? >= u128::from(pair.width)).then(|| pool.constant(pair.width, 0))
}

/// 0 << x  →  0, and for the other shifts
fn shift_of_zero(_: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.left_const() == Some(0)).then_some(pair.a)
}

/// (x << c) << d  →  x << (c + d);  (x * c) << d  →  x * (c << d)
fn shl_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let d = amount(pair)?;
    let Node::Bin { op, a: x, b: c } = pair.left else { return None };
    let c = pool.as_const(c)?;
    match op {
        BvOp::Shl => match c.saturating_add(u128::from(d)) {
            by if by < u128::from(pair.width) => {
                let by = pool.constant(pair.width, by);
                Some(pool.shl(x, by))
            }
            _ => Some(pool.constant(pair.width, 0)),
        },
        BvOp::Mul => {
            let factor = pool.constant(pair.width, c << d);
            Some(pool.mul(x, factor))
        }
        _ => None,
    }
}

/// (x + c) << k  →  (x << k) + (c << k): neighbours in an array keep a common base
fn shl_of_sum_with_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let k = amount(pair)?;
    let Node::Bin { op: BvOp::Add, a: x, b: c } = pair.left else { return None };
    let c = pool.as_const(c)?;
    let (shifted, offset) = (pool.shl(x, pair.b), pool.constant(pair.width, c << k));
    Some(pool.add(shifted, offset))
}

/// zext(x) << k  →  zext(concat(x, 0)), with those bits of x that stay
fn shl_of_zext(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let k = amount(pair)?;
    let Node::ZExt { term, width } = pair.left else { return None };
    let kept = pool.width(term).min(width - k);
    let (kept, zeros) = (pool.extract(term, 0, kept), pool.constant(k, 0));
    let moved = pool.concat(kept, zeros);
    Some(pool.zext(moved, width))
}

/// x >>u k  →  zext(high part of x)
fn lshr_by_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let k = amount(pair)?;
    let high = pool.extract(pair.a, k, pair.width - k);
    Some(pool.zext(high, pair.width))
}

/// -1 >>s x  →  -1
fn ashr_of_ones(_: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.left_const()? == mask(pair.width)).then_some(pair.a)
}

/// x >>s k  →  sext(high part of x), at least its sign
fn ashr_by_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let k = pair.right_const()?.min(u128::from(pair.width - 1)) as u32;
    let high = pool.extract(pair.a, k, pair.width - k);
    Some(pool.sext(high, pair.width))
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn shift_by_zero() {
        fires("(<< x 0)", "x");
        fires("(>>u x 0)", "x");
        fires("(>>s x 0)", "x");
        keeps("(<< x 1)");
    }

    #[test]
    fn shift_out() {
        fires("(<< x 8)", "0");
        fires("(>>u x 200)", "0");
        keeps("(<< x 7)");
    }

    #[test]
    fn shift_of_zero() {
        fires("(<< 0 x)", "0");
        fires("(>>u 0 x)", "0");
        fires("(>>s 0 x)", "0");
        keeps("(<< 1 x)");
    }

    #[test]
    fn shl_constants() {
        fires("(<< (<< x 2) 3)", "(<< x 5)");
        fires("(<< (<< x 4) 4)", "0");
        fires("(<< (<< h 15:16) 15:16)", "0:16");
        fires("(<< (* x 3) 2)", "(* x 12)");
        keeps("(<< (<< x y) 2)");
    }

    #[test]
    fn shl_of_sum_with_constant() {
        fires("(<< (+ k 3:64) 2:64)", "(+ (<< k 2:64) 12:64)");
        keeps("(<< (+ x y) 2)");
        keeps("(<< (+ x 3) y)");
    }

    #[test]
    fn shl_of_zext() {
        fires("(<< (zext 32 x) 3:32)", "(zext 32 (++ x 0:3))");
        fires("(<< (zext 32 x) 24:32)", "(++ x 0:24)");
        fires("(<< (zext 32 x) 28:32)", "(++ (extract 0 4 x) 0:28)");
        keeps("(<< i 3:32)");
    }

    #[test]
    fn lshr_by_constant() {
        fires("(>>u i 3:32)", "(zext 32 (extract 3 29 i))");
        keeps("(>>u i j)");
    }

    #[test]
    fn ashr_of_ones() {
        fires("(>>s 255 x)", "255");
        keeps("(>>s 254 x)");
    }

    #[test]
    fn ashr_by_constant() {
        fires("(>>s i 3:32)", "(sext 32 (extract 3 29 i))");
        fires("(>>s i 31:32)", "(sext 32 (extract 31 1 i))");
        fires("(>>s i 77:32)", "(sext 32 (extract 31 1 i))");
        keeps("(>>s i j)");
    }
}
