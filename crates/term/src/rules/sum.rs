//! Sums and differences.

use super::{Pair, PairRule};
use crate::bits::mask;
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

pub(super) const ADD: &[PairRule] = &[
    add_zero,
    add_constants,
    add_constant_outwards,
    add_twice,
    add_what_was_subtracted,
    add_disjoint,
    add_minus_one_to_bool,
];

pub(super) const SUB: &[PairRule] = &[
    sub_same,
    sub_constant,
    sub_from_minus_one,
    sub_from_constant,
    sub_constant_outwards,
    sub_cancels,
    sub_common_summand,
];

/// A term as a constant plus or minus something that has no such constant.
pub(super) enum Sum {
    /// rest + c
    Plus { rest: Term, c: u128 },
    /// c - rest
    Minus { c: u128, rest: Term },
}

/// Reads `x + c`, `c - x` and `~x`, which is `-1 - x`.
pub(super) fn sum_with_constant(pool: &Pool, node: Node) -> Option<Sum> {
    match node {
        Node::Bin { op: BvOp::Add, a, b } => Some(Sum::Plus { rest: a, c: pool.as_const(b)? }),
        Node::Bin { op: BvOp::Sub, a, b } => Some(Sum::Minus { c: pool.as_const(a)?, rest: b }),
        Node::Not(x) if pool.width(x) > 1 => Some(Sum::Minus { c: mask(pool.width(x)), rest: x }),
        _ => None,
    }
}

pub(super) fn plus_constant(pool: &mut Pool, t: Term, c: u128) -> Term {
    let c = pool.constant(pool.width(t), c);
    pool.add(t, c)
}

fn constant_minus(pool: &mut Pool, c: u128, t: Term) -> Term {
    let c = pool.constant(pool.width(t), c);
    pool.sub(c, t)
}

/// The summands of a sum or, with `op` the subtraction, minuend and subtrahend.
fn operands(node: Node, wanted: BvOp) -> Option<(Term, Term)> {
    match node {
        Node::Bin { op, a, b } if op == wanted => Some((a, b)),
        _ => None,
    }
}

/// x + 0  →  x
fn add_zero(_: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.right_const() == Some(0)).then_some(pair.a)
}

/// (x + c) + d  →  x + (c + d);  (c - x) + d  →  (c + d) - x
fn add_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let d = pair.right_const()?;
    Some(match sum_with_constant(pool, pair.left)? {
        Sum::Plus { rest, c } => plus_constant(pool, rest, c.wrapping_add(d)),
        Sum::Minus { c, rest } => constant_minus(pool, c.wrapping_add(d), rest),
    })
}

/// (x + c) + y  →  (x + y) + c;  (c - x) + y  →  (y - x) + c
fn add_constant_outwards(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    if pair.right_const().is_some() {
        return None;
    }
    let (sum, other) = match sum_with_constant(pool, pair.left) {
        Some(sum) => (sum, pair.b),
        None => (sum_with_constant(pool, pair.right)?, pair.a),
    };
    let (rest, c) = match sum {
        Sum::Plus { rest, c } => (pool.add(rest, other), c),
        Sum::Minus { c, rest } => (pool.sub(other, rest), c),
    };
    Some(plus_constant(pool, rest, c))
}

/// x + x  →  x << 1
fn add_twice(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.a == pair.b).then(|| {
        let one = pool.constant(pair.width, 1);
        pool.shl(pair.a, one)
    })
}

/// (x - y) + y  →  x
fn add_what_was_subtracted(_: &mut Pool, pair: &Pair) -> Option<Term> {
    let undone = |difference, other| operands(difference, BvOp::Sub).filter(|d| d.1 == other).map(|d| d.0);
    undone(pair.left, pair.b).or_else(|| undone(pair.right, pair.a))
}

/// x + zext(y)  →  concat(high part of x, y), if x is zero where y is not; sums keep their constants in sight instead
fn add_disjoint(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    super::bitwise::join_disjoint(pool, pair)
}

/// zext(p) + -1  →  sext(~p), for one bit p
fn add_minus_one_to_bool(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let Node::ZExt { term, width } = pair.left else { return None };
    (pool.width(term) == 1 && pair.right_const() == Some(mask(width))).then(|| {
        let not = pool.not(term);
        pool.sext(not, width)
    })
}

/// x - x  →  0
fn sub_same(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.a == pair.b).then(|| pool.constant(pair.width, 0))
}

/// x - c  →  x + -c
fn sub_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    Some(plus_constant(pool, pair.a, c.wrapping_neg()))
}

/// -1 - x  →  ~x
fn sub_from_minus_one(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.left_const()? == mask(pair.width)).then(|| pool.not(pair.b))
}

/// c - (x + d)  →  (c - d) - x;  c - (d - x)  →  x + (c - d);  0 - zext(p)  →  sext(p), for one bit p
fn sub_from_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.left_const()?;
    if let Node::ZExt { term, width } = pair.right
        && c == 0
        && pool.width(term) == 1
    {
        return Some(pool.sext(term, width));
    }
    Some(match sum_with_constant(pool, pair.right)? {
        Sum::Plus { rest, c: d } => constant_minus(pool, c.wrapping_sub(d), rest),
        Sum::Minus { c: d, rest } => plus_constant(pool, rest, c.wrapping_sub(d)),
    })
}

/// (x + c) - y  →  (x - y) + c;  (c - x) - y  →  c - (x + y);  x - (y + c)  →  (x - y) + -c;
/// x - (c - y)  →  (x + y) + -c
fn sub_constant_outwards(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    if pair.left_const().is_some() {
        return None;
    }
    if let Some(sum) = sum_with_constant(pool, pair.left) {
        return Some(match sum {
            Sum::Plus { rest, c } => {
                let difference = pool.sub(rest, pair.b);
                plus_constant(pool, difference, c)
            }
            Sum::Minus { c, rest } => {
                let both = pool.add(rest, pair.b);
                constant_minus(pool, c, both)
            }
        });
    }
    let (rest, c) = match sum_with_constant(pool, pair.right)? {
        Sum::Plus { rest, c } => (pool.sub(pair.a, rest), c),
        Sum::Minus { c, rest } => (pool.add(pair.a, rest), c),
    };
    Some(plus_constant(pool, rest, c.wrapping_neg()))
}

/// (x + y) - x  →  y;  x - (x + y)  →  0 - y;  x - (x - y)  →  y;  (x - y) - x  →  0 - y
fn sub_cancels(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (a, b) = (pair.a, pair.b);
    let other_summand = |sum, x| match operands(sum, BvOp::Add)? {
        (y, z) if y == x => Some(z),
        (y, z) if z == x => Some(y),
        _ => None,
    };
    if let Some(y) = other_summand(pair.left, b) {
        return Some(y);
    }
    if let Some(y) = other_summand(pair.right, a) {
        return Some(pool.neg(y));
    }
    match (operands(pair.left, BvOp::Sub), operands(pair.right, BvOp::Sub)) {
        (_, Some((x, y))) if x == a => Some(y),
        (Some((x, y)), _) if x == b => Some(pool.neg(y)),
        _ => None,
    }
}

/// (x + y) - (x + z)  →  y - z
fn sub_common_summand(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let ((x, y), (u, v)) = (operands(pair.left, BvOp::Add)?, operands(pair.right, BvOp::Add)?);
    let (plus, minus) = match () {
        () if x == u => (y, v),
        () if x == v => (y, u),
        () if y == u => (x, v),
        () if y == v => (x, u),
        () => return None,
    };
    Some(pool.sub(plus, minus))
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn add_zero() {
        fires("(+ x 0)", "x");
        keeps("(+ x 1)");
    }

    #[test]
    fn add_constants() {
        fires("(+ (+ x 200) 100)", "(+ x 44)");
        fires("(+ (+ x 200) 56)", "x");
        fires("(+ (- 3 x) 4)", "(- 7 x)");
        fires("(+ (~ x) 1)", "(- 0 x)");
        keeps("(+ (+ x y) 4)");
    }

    #[test]
    fn add_constant_outwards() {
        fires("(+ (+ x 3) y)", "(+ (+ x y) 3)");
        fires("(+ (+ x 3) (+ y 4))", "(+ (+ x y) 7)");
        fires("(+ x (- 3 y))", "(+ (- x y) 3)");
        fires("(+ x (- 0 y))", "(- x y)");
        keeps("(+ (- x y) z)");
    }

    #[test]
    fn add_twice() {
        fires("(+ x x)", "(<< x 1)");
        keeps("(+ x y)");
    }

    #[test]
    fn add_what_was_subtracted() {
        fires("(+ (- x y) y)", "x");
        fires("(+ y (- x y))", "x");
        keeps("(+ (- x y) x)");
    }

    #[test]
    fn add_disjoint() {
        fires("(+ (<< (zext 16 x) 8:16) (zext 16 y))", "(++ x y)");
        fires("(+ (<< i 8:32) (zext 32 y))", "(++ (extract 0 24 i) y)");
        keeps("(+ (<< i 7:32) (zext 32 y))");
        // A sum keeps its constant: addresses are found by it.
        keeps("(+ (zext 32 x) 4096:32)");
    }

    #[test]
    fn add_minus_one_to_bool() {
        fires("(+ (zext 8 p) 255)", "(sext 8 (~ p))");
        keeps("(+ (zext 8 p) 254)");
        keeps("(+ (zext 32 x) -1:32)");
    }

    #[test]
    fn sub_same() {
        fires("(- x x)", "0");
        keeps("(- x y)");
    }

    #[test]
    fn sub_constant() {
        fires("(- x 1)", "(+ x 255)");
        keeps("(- 1 x)");
    }

    #[test]
    fn sub_from_minus_one() {
        fires("(- -1 x)", "(~ x)");
        keeps("(- 1 x)");
    }

    #[test]
    fn sub_from_constant() {
        fires("(- 3 (+ x 5))", "(- 254 x)");
        fires("(- 3 (- 5 x))", "(+ x 254)");
        fires("(- 3 (~ x))", "(+ x 4)");
        fires("(- 0 (zext 8 p))", "(sext 8 p)");
        keeps("(- 1 (zext 8 p))");
        keeps("(- 3 (+ x y))");
    }

    #[test]
    fn sub_constant_outwards() {
        fires("(- (+ x 3) y)", "(+ (- x y) 3)");
        fires("(- (- 3 x) y)", "(- 3 (+ x y))");
        fires("(- x (+ y 3))", "(+ (- x y) 253)");
        fires("(- x (- 3 y))", "(+ (+ x y) 253)");
        fires("(- (+ x 9) (+ x 2))", "7");
        keeps("(- (- x y) z)");
    }

    #[test]
    fn sub_cancels() {
        fires("(- (+ x y) x)", "y");
        fires("(- (+ x y) y)", "x");
        fires("(- x (+ x y))", "(- 0 y)");
        fires("(- x (- x y))", "y");
        fires("(- (- x y) x)", "(- 0 y)");
        keeps("(- (+ x y) z)");
        keeps("(- (- x y) y)");
    }

    #[test]
    fn sub_common_summand() {
        fires("(- (+ x y) (+ x z))", "(- y z)");
        fires("(- (+ x y) (+ z y))", "(- x z)");
        keeps("(- (+ x y) (* x z))");
    }
}
