//! Quotients and remainders. The interesting case is a constant divisor.

use super::{Pair, PairRule};
use crate::bits::{mask, sign_extend};
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

pub(super) const UDIV: &[PairRule] =
    &[udiv_by_zero_or_one, udiv_by_power_of_two, udiv_of_less, udiv_constants, udiv_narrow];

pub(super) const UREM: &[PairRule] = &[urem_by_zero_or_one, urem_same, urem_by_power_of_two, urem_of_less, urem_narrow];

pub(super) const SDIV: &[PairRule] = &[sdiv_by_unit, sdiv_by_zero, sdiv_of_nonnegative, sdiv_narrow];

pub(super) const SREM: &[PairRule] =
    &[srem_by_zero_or_unit, srem_same, srem_by_negative, srem_of_nonnegative, srem_narrow];

/// x / 0  →  all ones;  x / 1  →  x
fn udiv_by_zero_or_one(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pool.ones(pair.width)),
        1 => Some(pair.a),
        _ => None,
    }
}

/// x / 2^k  →  x >> k
fn udiv_by_power_of_two(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    c.is_power_of_two().then(|| {
        let by = pool.constant(pair.width, u128::from(c.trailing_zeros()));
        pool.lshr(pair.a, by)
    })
}

/// x / c  →  0, if x is certainly less than c
fn udiv_of_less(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    (pool.max_value(pair.a) < c).then(|| pool.constant(pair.width, 0))
}

/// (x / c) / d  →  x / (c * d), if the product fits
fn udiv_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let d = pair.right_const()?;
    let Node::Bin { op: BvOp::UDiv, a: x, b: c } = pair.left else { return None };
    let divisor = pool.as_const(c)?.checked_mul(d).filter(|&product| product <= mask(pair.width))?;
    let divisor = pool.constant(pair.width, divisor);
    Some(pool.udiv(x, divisor))
}

/// zext(x) / c  →  zext(x / c), if c fits in x's width
fn udiv_narrow(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c) = zext_and_fitting(pool, pair)?;
    let quotient = pool.udiv(x, c);
    Some(pool.zext(quotient, pair.width))
}

/// For `zext(x)` and a constant that fits in x's width: `x` and the narrow constant.
fn zext_and_fitting(pool: &mut Pool, pair: &Pair) -> Option<(Term, Term)> {
    let c = pair.right_const()?;
    let Node::ZExt { term, .. } = pair.left else { return None };
    let narrow = pool.width(term);
    (c <= mask(narrow)).then(|| (term, pool.constant(narrow, c)))
}

/// For `sext(x)` and a constant that as a signed number fits in x's width: `x` and the narrow constant.
fn sext_and_fitting(pool: &mut Pool, pair: &Pair) -> Option<(Term, Term)> {
    let c = pair.right_const()?;
    let Node::SExt { term, width } = pair.left else { return None };
    let narrow = pool.width(term);
    (sign_extend(narrow, c) == sign_extend(width, c)).then(|| (term, pool.constant(narrow, c)))
}

/// x % 0  →  x;  x % 1  →  0
fn urem_by_zero_or_one(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pair.a),
        1 => Some(pool.constant(pair.width, 0)),
        _ => None,
    }
}

/// x % x  →  0
fn urem_same(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.a == pair.b).then(|| pool.constant(pair.width, 0))
}

/// x % 2^k  →  zext(low k bits of x)
fn urem_by_power_of_two(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    (c > 1 && c.is_power_of_two()).then(|| {
        let low = pool.extract(pair.a, 0, c.trailing_zeros());
        pool.zext(low, pair.width)
    })
}

/// x % c  →  x, if x is certainly less than c
fn urem_of_less(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pool.max_value(pair.a) < pair.right_const()?).then_some(pair.a)
}

/// zext(x) % c  →  zext(x % c), if c fits in x's width
fn urem_narrow(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c) = zext_and_fitting(pool, pair)?;
    let rest = pool.urem(x, c);
    Some(pool.zext(rest, pair.width))
}

/// x /s 1  →  x;  x /s -1  →  0 - x
fn sdiv_by_unit(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        1 => Some(pair.a),
        c if c == mask(pair.width) => Some(pool.neg(pair.a)),
        _ => None,
    }
}

/// x /s 0  →  if x <s 0 then 1 else -1
fn sdiv_by_zero(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.right_const()? == 0).then(|| {
        let negative = pool.slt(pair.a, pair.b);
        let (one, ones) = (pool.constant(pair.width, 1), pool.ones(pair.width));
        pool.ite(negative, one, ones)
    })
}

/// Whether neither operand can be negative, with a constant on the right.
fn nonnegative_by_constant(pool: &Pool, pair: &Pair) -> bool {
    let largest = mask(pair.width) >> 1;
    pair.right_const().is_some_and(|c| c <= largest) && pool.max_value(pair.a) <= largest
}

/// x /s c  →  x /u c, if neither is negative
fn sdiv_of_nonnegative(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    nonnegative_by_constant(pool, pair).then(|| pool.udiv(pair.a, pair.b))
}

/// sext(x) /s c  →  sext(x /s c), if c fits in x's width and is not -1
fn sdiv_narrow(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c) = sext_and_fitting(pool, pair)?;
    let quotient = pool.sdiv(x, c);
    Some(pool.sext(quotient, pair.width))
}

/// x %s 0  →  x;  x %s 1  →  0;  x %s -1  →  0
fn srem_by_zero_or_unit(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pair.a),
        c if c == 1 || c == mask(pair.width) => Some(pool.constant(pair.width, 0)),
        _ => None,
    }
}

/// x %s x  →  0
fn srem_same(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.a == pair.b).then(|| pool.constant(pair.width, 0))
}

/// x %s -c  →  x %s c, if c has a positive counterpart
fn srem_by_negative(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    let positive = c.wrapping_neg() & mask(pair.width);
    (sign_extend(pair.width, c) < 0 && positive != c).then(|| {
        let positive = pool.constant(pair.width, positive);
        pool.srem(pair.a, positive)
    })
}

/// x %s c  →  x %u c, if neither is negative
fn srem_of_nonnegative(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    nonnegative_by_constant(pool, pair).then(|| pool.urem(pair.a, pair.b))
}

/// sext(x) %s c  →  sext(x %s c), if c fits in x's width
fn srem_narrow(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c) = sext_and_fitting(pool, pair)?;
    let rest = pool.srem(x, c);
    Some(pool.sext(rest, pair.width))
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn udiv_by_zero_or_one() {
        fires("(/u x 0)", "255");
        fires("(/u x 1)", "x");
        keeps("(/u x 3)");
        // Not 1: a zero divided by itself is all ones.
        keeps("(/u x x)");
        keeps("(/u 0 x)");
    }

    #[test]
    fn udiv_by_power_of_two() {
        fires("(/u x 8)", "(zext 8 (extract 3 5 x))");
        keeps("(/u x 6)");
    }

    #[test]
    fn udiv_of_less() {
        fires("(/u (zext 32 x) 256:32)", "0:32");
        fires("(/u (%u i 10:32) 11:32)", "0:32");
        keeps("(/u (%u i 12:32) 11:32)");
    }

    #[test]
    fn udiv_constants() {
        fires("(/u (/u x 3) 5)", "(/u x 15)");
        fires("(/u (/u h 257:16) 255:16)", "(/u h -1:16)");
        fires("(/u (/u h 257:16) 258:16)", "0:16");
        keeps("(/u (/u x y) 3)");
    }

    #[test]
    fn udiv_narrow() {
        fires("(/u (zext 32 x) 10:32)", "(zext 32 (/u x 10))");
        keeps("(/u (zext 32 x) (zext 32 y))");
    }

    #[test]
    fn urem_by_zero_or_one() {
        fires("(%u x 0)", "x");
        fires("(%u x 1)", "0");
        keeps("(%u x 3)");
    }

    #[test]
    fn urem_same() {
        fires("(%u x x)", "0");
        keeps("(%u x y)");
    }

    #[test]
    fn urem_by_power_of_two() {
        fires("(%u x 8)", "(zext 8 (extract 0 3 x))");
        keeps("(%u x 7)");
    }

    #[test]
    fn urem_of_less() {
        fires("(%u (zext 32 x) 256:32)", "(zext 32 x)");
        fires("(%u (zext 32 x) 257:32)", "(zext 32 x)");
        keeps("(%u i 257:32)");
    }

    #[test]
    fn urem_narrow() {
        fires("(%u (zext 32 x) 10:32)", "(zext 32 (%u x 10))");
        keeps("(%u (sext 32 x) 10:32)");
    }

    #[test]
    fn sdiv_by_unit() {
        fires("(/s x 1)", "x");
        fires("(/s x -1)", "(- 0 x)");
        keeps("(/s x 3)");
        keeps("(/s x x)");
    }

    #[test]
    fn sdiv_by_zero() {
        fires("(/s x 0)", "(if (<s x 0) 1 -1)");
        keeps("(/s 0 x)");
    }

    #[test]
    fn sdiv_of_nonnegative() {
        fires("(/s (zext 32 x) 10:32)", "(zext 32 (/u x 10))");
        keeps("(/s (zext 32 x) -10:32)");
        keeps("(/s x 10)");
    }

    #[test]
    fn sdiv_narrow() {
        fires("(/s (sext 32 x) 10:32)", "(sext 32 (/s x 10))");
        fires("(/s (sext 32 x) -10:32)", "(sext 32 (/s x -10))");
        keeps("(/s (sext 32 x) 200:32)");
        // 128 is no byte, so the narrow negation would be wrong: the general rule for -1 comes first.
        fires("(/s (sext 32 x) -1:32)", "(- 0:32 (sext 32 x))");
    }

    #[test]
    fn srem_by_zero_or_unit() {
        fires("(%s x 0)", "x");
        fires("(%s x 1)", "0");
        fires("(%s x -1)", "0");
        keeps("(%s x 2)");
    }

    #[test]
    fn srem_same() {
        fires("(%s x x)", "0");
        keeps("(%s x y)");
    }

    #[test]
    fn srem_by_negative() {
        fires("(%s x -3)", "(%s x 3)");
        keeps("(%s x -128)");
    }

    #[test]
    fn srem_of_nonnegative() {
        fires("(%s (zext 32 x) 10:32)", "(zext 32 (%u x 10))");
        keeps("(%s x 10)");
    }

    #[test]
    fn srem_narrow() {
        fires("(%s (sext 32 x) 10:32)", "(sext 32 (%s x 10))");
        keeps("(%s (sext 32 x) 200:32)");
    }
}
