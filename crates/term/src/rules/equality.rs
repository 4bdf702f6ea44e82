//! Equality. A constant on the right goes through what is invertible on the left.

use super::{Pair, PairRule};
use crate::bits::{mask, sign_extend};
use crate::node::{ArrayNode, BvOp, Node, Term};
use crate::pool::Pool;

/// Rules for two operands of which none is constant.
pub(super) const GENERAL: &[PairRule] = &[
    eq_complement,
    eq_extended,
    eq_common_summand,
    eq_common_part,
    eq_sums_with_constants,
    eq_concat_common,
    eq_concat_aligned,
    eq_zext_concat,
    eq_nots,
];

/// A rule for `x = c`.
type ConstantRule = fn(&mut Pool, &Pair, u128) -> Option<Term>;

/// Rules for a constant on the right.
const WITH_CONSTANT: &[ConstantRule] = &[
    eq_zext_constant,
    eq_sext_constant,
    eq_concat_constant,
    eq_sum_constant,
    eq_difference_zero,
    eq_xor_constant,
    eq_not_constant,
    eq_or_constant,
    eq_and_constant,
    eq_product_constant,
    eq_shl_constant,
    eq_choice_constant,
    eq_out_of_range,
    super::tables::eq_table_constant,
];

pub(super) fn with_constant(pool: &mut Pool, pair: &Pair, value: u128) -> Option<Term> {
    WITH_CONSTANT.iter().find_map(|rule| rule(pool, pair, value))
}

fn equals(pool: &mut Pool, t: Term, value: u128) -> Term {
    let value = pool.constant(pool.width(t), value);
    pool.eq(t, value)
}

/// The operands of an application of `wanted`.
fn operands(node: Node, wanted: BvOp) -> Option<(Term, Term)> {
    match node {
        Node::Bin { op, a, b } if op == wanted => Some((a, b)),
        _ => None,
    }
}

/// zext(x) = c  →  x = c;  →  false, if c does not fit in x's width
fn eq_zext_constant(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let Node::ZExt { term, .. } = pair.left else { return None };
    let fits = c <= mask(pool.width(term));
    Some(if fits { equals(pool, term, c) } else { pool.truth(false) })
}

/// sext(x) = c  →  x = c;  →  false, if c is no sign extension from x's width
fn eq_sext_constant(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let Node::SExt { term, width } = pair.left else { return None };
    let fits = sign_extend(pool.width(term), c) == sign_extend(width, c);
    Some(if fits { equals(pool, term, c) } else { pool.truth(false) })
}

/// concat(x, y) = c  →  x = high part of c & y = low part of c
fn eq_concat_constant(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let Node::Concat { high, low } = pair.left else { return None };
    let (high, low) = (equals(pool, high, c >> pool.width(low)), equals(pool, low, c));
    Some(pool.and(high, low))
}

/// x + c = d  →  x = d - c;  c - x = d  →  x = c - d
fn eq_sum_constant(pool: &mut Pool, pair: &Pair, d: u128) -> Option<Term> {
    if let Some((x, c)) = operands(pair.left, BvOp::Add) {
        let c = pool.as_const(c)?;
        return Some(equals(pool, x, d.wrapping_sub(c)));
    }
    let (c, x) = operands(pair.left, BvOp::Sub)?;
    let c = pool.as_const(c)?;
    Some(equals(pool, x, c.wrapping_sub(d)))
}

/// x - y = 0  →  x = y;  x ^ y = 0  →  x = y
fn eq_difference_zero(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let (x, y) = operands(pair.left, BvOp::Sub).or_else(|| operands(pair.left, BvOp::Xor))?;
    (c == 0).then(|| pool.eq(x, y))
}

/// x ^ c = d  →  x = c ^ d
fn eq_xor_constant(pool: &mut Pool, pair: &Pair, d: u128) -> Option<Term> {
    let (x, c) = operands(pair.left, BvOp::Xor)?;
    let c = pool.as_const(c)?;
    Some(equals(pool, x, c ^ d))
}

/// ~x = c  →  x = ~c
fn eq_not_constant(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let Node::Not(x) = pair.left else { return None };
    Some(equals(pool, x, !c))
}

/// x | y = 0  →  x = 0 & y = 0;  x | c = d  →  false, if d lacks a bit of c
fn eq_or_constant(pool: &mut Pool, pair: &Pair, d: u128) -> Option<Term> {
    let (x, y) = operands(pair.left, BvOp::Or)?;
    match pool.as_const(y) {
        Some(c) => (c & !d != 0).then(|| pool.truth(false)),
        None if d == 0 => {
            let (x, y) = (equals(pool, x, 0), equals(pool, y, 0));
            Some(pool.and(x, y))
        }
        None => None,
    }
}

/// x & c = d  →  false, if d has a bit that c lacks;  x & -2^k = d  →  high part of x = high part of d
fn eq_and_constant(pool: &mut Pool, pair: &Pair, d: u128) -> Option<Term> {
    let (x, c) = operands(pair.left, BvOp::And)?;
    let c = pool.as_const(c)?;
    if d & !c != 0 {
        return Some(pool.truth(false));
    }
    let zeros = c.trailing_zeros();
    let is_high_mask = zeros < pair.width && c == mask(pair.width) >> zeros << zeros;
    is_high_mask.then(|| {
        let high = pool.extract(x, zeros, pair.width - zeros);
        equals(pool, high, d >> zeros)
    })
}

/// x * c = d  →  x = d / c, for odd c, in the ring of the width
fn eq_product_constant(pool: &mut Pool, pair: &Pair, d: u128) -> Option<Term> {
    let (x, c) = operands(pair.left, BvOp::Mul)?;
    let c = pool.as_const(c).filter(|c| c & 1 == 1)?;
    // Newton's iteration doubles the number of correct low bits; an odd number is its own inverse in the lowest three.
    let mut inverse = c;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(inverse)));
    }
    Some(equals(pool, x, d.wrapping_mul(inverse)))
}

/// x << k = c  →  low part of x = c >> k;  →  false, if one of the low k bits of c is set
fn eq_shl_constant(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let (x, by) = operands(pair.left, BvOp::Shl)?;
    let by = pool.as_const(by).filter(|&by| 0 < by && by < u128::from(pair.width))? as u32;
    if c & mask(by) != 0 {
        return Some(pool.truth(false));
    }
    let kept = pool.extract(x, 0, pair.width - by);
    Some(equals(pool, kept, c >> by))
}

/// (if p then c else x) = c  →  p | x = c;  (if p then c else x) = d  →  ~p & x = d, and with the sides exchanged
fn eq_choice_constant(pool: &mut Pool, pair: &Pair, d: u128) -> Option<Term> {
    let Node::Ite { cond, then, other } = pair.left else { return None };
    let (guard, c, x) = match (pool.as_const(then), pool.as_const(other)) {
        (Some(c), _) => (cond, c, other),
        (None, Some(c)) => (pool.not(cond), c, then),
        (None, None) => return None,
    };
    let rest = equals(pool, x, d);
    if c == d {
        return Some(pool.or(guard, rest));
    }
    let not = pool.not(guard);
    Some(pool.and(not, rest))
}

/// x = c  →  false, if c is above every value of x or has a bit that in x is always zero
fn eq_out_of_range(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let odd = c != 0 && c.trailing_zeros() < pool.trailing_zeros(pair.a);
    (odd || c > pool.max_value(pair.a)).then(|| pool.truth(false))
}

/// x = ~x  →  false
fn eq_complement(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    super::bitwise::complementary(pool, pair.a, pair.b).then(|| pool.truth(false))
}

/// zext(x) = zext(y)  →  x = y, the narrower one widened to the other;  the same for sext
fn eq_extended(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match (pair.left, pair.right) {
        (Node::ZExt { term: x, .. }, Node::ZExt { term: y, .. }) => {
            let width = pool.width(x).max(pool.width(y));
            let (x, y) = (pool.zext(x, width), pool.zext(y, width));
            Some(pool.eq(x, y))
        }
        (Node::SExt { term: x, .. }, Node::SExt { term: y, .. }) => {
            let width = pool.width(x).max(pool.width(y));
            let (x, y) = (pool.sext(x, width), pool.sext(y, width));
            Some(pool.eq(x, y))
        }
        _ => None,
    }
}

/// x + y = x + z  →  y = z, and x ^ y = x ^ z  →  y = z, in whatever order;  x - y = x - z  →  y = z;
/// y - x = z - x  →  y = z
fn eq_common_summand(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    for op in [BvOp::Add, BvOp::Xor, BvOp::Sub] {
        let (Some((x, y)), Some((u, v))) = (operands(pair.left, op), operands(pair.right, op)) else { continue };
        let crossed = op != BvOp::Sub;
        return match () {
            () if x == u => Some(pool.eq(y, v)),
            () if y == v => Some(pool.eq(x, u)),
            () if crossed && x == v => Some(pool.eq(y, u)),
            () if crossed && y == u => Some(pool.eq(x, v)),
            () => None,
        };
    }
    None
}

/// x + y = x  →  y = 0;  x ^ y = x  →  y = 0;  x - y = x  →  y = 0
fn eq_common_part(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    for (node, x) in [(pair.left, pair.b), (pair.right, pair.a)] {
        let Node::Bin { op, a, b } = node else { continue };
        let rest = match op {
            BvOp::Add | BvOp::Xor if a == x => b,
            BvOp::Add | BvOp::Xor if b == x => a,
            BvOp::Sub if a == x => b,
            _ => continue,
        };
        return Some(equals(pool, rest, 0));
    }
    None
}

/// x + c = y + d  →  x + (c - d) = y
fn eq_sums_with_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let ((x, c), (y, d)) = (operands(pair.left, BvOp::Add)?, operands(pair.right, BvOp::Add)?);
    let difference = pool.as_const(c)?.wrapping_sub(pool.as_const(d)?);
    let difference = pool.constant(pair.width, difference);
    let x = pool.add(x, difference);
    Some(pool.eq(x, y))
}

/// concat(x, y) = concat(x, z)  →  y = z;  concat(x, z) = concat(y, z)  →  x = y
fn eq_concat_common(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (Node::Concat { high: x, low: y }, Node::Concat { high: u, low: v }) = (pair.left, pair.right) else {
        return None;
    };
    match () {
        () if x == u => Some(pool.eq(y, v)),
        () if y == v => Some(pool.eq(x, u)),
        () => None,
    }
}

/// concat(x, y) = concat(u, v)  →  x = u & y = v, if the cuts are at one place and y or v is an input byte. What is
/// computed as a whole, as an entry of a table is, says more when it is compared as a whole.
fn eq_concat_aligned(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (Node::Concat { high: x, low: y }, Node::Concat { high: u, low: v }) = (pair.left, pair.right) else {
        return None;
    };
    if pool.width(y) != pool.width(v) || !(is_input_byte(pool, y) || is_input_byte(pool, v)) {
        return None;
    }
    let (high, low) = (pool.eq(x, u), pool.eq(y, v));
    Some(pool.and(high, low))
}

fn is_input_byte(pool: &Pool, t: Term) -> bool {
    let Node::Select { array, index } = pool.node(t) else { return false };
    matches!(pool.array_node(array), ArrayNode::Input { .. }) && pool.as_const(index).is_some()
}

/// zext(x) = concat(u, v)  →  u = 0 & zext(x) = v, if x is not wider than v, which is an input byte; and with the
/// sides exchanged
fn eq_zext_concat(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, high, low) = match (pair.left, pair.right) {
        (Node::ZExt { term, .. }, Node::Concat { high, low })
        | (Node::Concat { high, low }, Node::ZExt { term, .. }) => (term, high, low),
        _ => return None,
    };
    let width = pool.width(low);
    if pool.width(x) > width || !is_input_byte(pool, low) {
        return None;
    }
    let x = pool.zext(x, width);
    let (high, low) = (equals(pool, high, 0), pool.eq(x, low));
    Some(pool.and(high, low))
}

/// ~x = ~y  →  x = y
fn eq_nots(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (Node::Not(x), Node::Not(y)) = (pair.left, pair.right) else { return None };
    Some(pool.eq(x, y))
}

#[cfg(test)]
#[path = "equality_tests.rs"]
mod tests;
