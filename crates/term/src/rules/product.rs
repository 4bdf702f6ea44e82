//! Products.

use super::sum::{Sum, plus_constant, sum_with_constant};
use super::{Pair, PairRule};
use crate::bits::{apply, mask};
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

pub(super) const MUL: &[PairRule] =
    &[mul_by_zero_or_one, mul_by_minus_one, mul_by_power_of_two, mul_constants, mul_of_sum_with_constant];

/// x * 0  →  0;  x * 1  →  x
fn mul_by_zero_or_one(_: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pair.b),
        1 => Some(pair.a),
        _ => None,
    }
}

/// x * -1  →  0 - x
fn mul_by_minus_one(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.right_const()? == mask(pair.width)).then(|| pool.neg(pair.a))
}

/// x * 2^k  →  x << k
fn mul_by_power_of_two(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    c.is_power_of_two().then(|| {
        let by = pool.constant(pair.width, u128::from(c.trailing_zeros()));
        pool.shl(pair.a, by)
    })
}

/// (x * c) * d  →  x * (c * d);  (x << k) * d  →  x * (d << k)
fn mul_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let d = pair.right_const()?;
    let Node::Bin { op, a: x, b: c } = pair.left else { return None };
    let c = pool.as_const(c)?;
    let factor = match op {
        BvOp::Mul => c.wrapping_mul(d),
        BvOp::Shl => apply(BvOp::Shl, pair.width, d, c),
        _ => return None,
    };
    let factor = pool.constant(pair.width, factor);
    Some(pool.mul(x, factor))
}

/// (x + c) * d  →  x * d + c * d;  (c - x) * d  →  x * -d + c * d
fn mul_of_sum_with_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let d = pair.right_const()?;
    let (rest, c, factor) = match sum_with_constant(pool, pair.left)? {
        Sum::Plus { rest, c } => (rest, c, d),
        Sum::Minus { c, rest } => (rest, c, d.wrapping_neg()),
    };
    let factor = pool.constant(pair.width, factor);
    let product = pool.mul(rest, factor);
    Some(plus_constant(pool, product, c.wrapping_mul(d)))
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn mul_by_zero_or_one() {
        fires("(* x 0)", "0");
        fires("(* x 1)", "x");
        keeps("(* x 3)");
    }

    #[test]
    fn mul_by_minus_one() {
        fires("(* x 255)", "(- 0 x)");
        keeps("(* x 253)");
    }

    #[test]
    fn mul_by_power_of_two() {
        fires("(* x 16)", "(<< x 4)");
        fires("(* x 128)", "(<< x 7)");
        keeps("(* x 24)");
    }

    #[test]
    fn mul_constants() {
        fires("(* (* x 3) 5)", "(* x 15)");
        fires("(* (<< x 2) 3)", "(* x 12)");
        fires("(* (* x 16) 16)", "0");
        keeps("(* (* x y) 3)");
    }

    #[test]
    fn mul_of_sum_with_constant() {
        fires("(* (+ x 2) 3)", "(+ (* x 3) 6)");
        fires("(* (- 2 x) 3)", "(+ (* x 253) 6)");
        keeps("(* (+ x y) 3)");
        keeps("(* (+ x 2) y)");
    }
}
