//! Comparisons by order. With a constant they become strict, and narrow where the other side is extended.

use super::{Pair, PairRule};
use crate::bits::{mask, sign_extend};
use crate::node::{CmpOp, Node, Term};
use crate::pool::Pool;

pub(super) const ULT: &[PairRule] = &[
    ult_extreme,
    ult_out_of_range,
    extended::<{ CmpOp::Ult as u8 }>,
    common_high::<{ CmpOp::Ult as u8 }>,
    ult_zext_constant,
    ult_sext_constant,
    ult_concat_constant,
];

pub(super) const ULE: &[PairRule] =
    &[ule_constant, extended::<{ CmpOp::Ule as u8 }>, common_high::<{ CmpOp::Ule as u8 }>];

pub(super) const SLT: &[PairRule] = &[
    slt_zero,
    slt_extreme,
    slt_of_nonnegative,
    slt_mixed_signs,
    extended::<{ CmpOp::Slt as u8 }>,
    common_high::<{ CmpOp::Slt as u8 }>,
    slt_sext_constant,
];

pub(super) const SLE: &[PairRule] =
    &[sle_constant, sle_of_nonnegative, extended::<{ CmpOp::Sle as u8 }>, common_high::<{ CmpOp::Sle as u8 }>];

fn equals(pool: &mut Pool, t: Term, value: u128) -> Term {
    let value = pool.constant(pool.width(t), value);
    pool.eq(t, value)
}

fn differs(pool: &mut Pool, t: Term, value: u128) -> Term {
    let equal = equals(pool, t, value);
    pool.not(equal)
}

/// x <u 0  →  false;  x <u 1  →  x = 0;  x <u max  →  ~(x = max);
/// max <u x  →  false;  max-1 <u x  →  x = max;  0 <u x  →  ~(x = 0)
fn ult_extreme(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let max = mask(pair.width);
    if let Some(c) = pair.right_const() {
        return match c {
            0 => Some(pool.truth(false)),
            1 => Some(equals(pool, pair.a, 0)),
            _ if c == max => Some(differs(pool, pair.a, max)),
            _ => None,
        };
    }
    match pair.left_const()? {
        0 => Some(differs(pool, pair.b, 0)),
        c if c == max => Some(pool.truth(false)),
        c if c == max - 1 => Some(equals(pool, pair.b, max)),
        _ => None,
    }
}

/// x <u c  →  true, if x is always less;  →  ~(x = c), if c is x's greatest value;
/// c <u x  →  false, if x is never greater
fn ult_out_of_range(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    if let Some(c) = pair.right_const() {
        let max = pool.max_value(pair.a);
        return match max.cmp(&c) {
            std::cmp::Ordering::Less => Some(pool.truth(true)),
            std::cmp::Ordering::Equal => Some(differs(pool, pair.a, c)),
            std::cmp::Ordering::Greater => None,
        };
    }
    let c = pair.left_const()?;
    (pool.max_value(pair.b) <= c).then(|| pool.truth(false))
}

/// zext(x) < zext(y)  →  x <u y, the narrower one widened to the other;
/// sext(x) < sext(y)  →  x < y, the same, signed or not;  both also for <=
fn extended<const OP: u8>(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let op = CmpOp::ALL[OP as usize];
    match (pair.left, pair.right) {
        (Node::ZExt { term: x, .. }, Node::ZExt { term: y, .. }) => {
            let unsigned = match op {
                CmpOp::Slt => CmpOp::Ult,
                CmpOp::Sle => CmpOp::Ule,
                CmpOp::Eq | CmpOp::Ult | CmpOp::Ule => op,
            };
            let width = pool.width(x).max(pool.width(y));
            let (x, y) = (pool.zext(x, width), pool.zext(y, width));
            Some(pool.cmp(unsigned, x, y))
        }
        (Node::SExt { term: x, .. }, Node::SExt { term: y, .. }) => {
            let width = pool.width(x).max(pool.width(y));
            let (x, y) = (pool.sext(x, width), pool.sext(y, width));
            Some(pool.cmp(op, x, y))
        }
        _ => None,
    }
}

/// concat(x, y) < concat(x, z)  →  y <u z, signed or not;  also for <=
fn common_high<const OP: u8>(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (Node::Concat { high: x, low: y }, Node::Concat { high: u, low: z }) = (pair.left, pair.right) else {
        return None;
    };
    if x != u {
        return None;
    }
    Some(match CmpOp::ALL[OP as usize] {
        CmpOp::Ult | CmpOp::Slt => pool.ult(y, z),
        CmpOp::Ule | CmpOp::Sle => pool.ule(y, z),
        CmpOp::Eq => pool.eq(y, z),
    })
}

/// zext(x) <u c  →  x <u c;  c <u zext(x)  →  c <u x; where c fits, the rest is out of range
fn ult_zext_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let fitting = |pool: &mut Pool, x, c| {
        let narrow = pool.width(x);
        (c <= mask(narrow)).then(|| pool.constant(narrow, c))
    };
    match (pair.left, pair.right) {
        (Node::ZExt { term: x, .. }, Node::Const { value, .. }) => {
            let c = fitting(pool, x, value)?;
            Some(pool.ult(x, c))
        }
        (Node::Const { value, .. }, Node::ZExt { term: x, .. }) => {
            let c = fitting(pool, x, value)?;
            Some(pool.ult(c, x))
        }
        _ => None,
    }
}

/// sext(x) <u c  →  x <u c, if c is in the range of such extensions;  →  x is not negative, if c lies in the gap;
/// c <u sext(x)  →  c <u x  or  →  x is negative, likewise
fn ult_sext_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c, below) = match (pair.left, pair.right) {
        (Node::SExt { term, .. }, Node::Const { value, .. }) => (term, value, true),
        (Node::Const { value, .. }, Node::SExt { term, .. }) => (term, value, false),
        _ => return None,
    };
    let narrow = pool.width(x);
    if sign_extend(narrow, c) == sign_extend(pair.width, c) {
        let c = pool.constant(narrow, c);
        return Some(if below { pool.ult(x, c) } else { pool.ult(c, x) });
    }
    let sign = pool.extract(x, narrow - 1, 1);
    Some(if below { pool.not(sign) } else { sign })
}

/// concat(x, y) <u c  →  x <u high part of c, if the low part is 0;
/// c <u concat(x, y)  →  high part of c <u x, if the low part is all ones
fn ult_concat_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match (pair.left, pair.right) {
        (Node::Concat { high, low }, Node::Const { value, .. }) => {
            let below = pool.width(low);
            let bound = pool.constant(pool.width(high), value >> below);
            (value & mask(below) == 0).then(|| pool.ult(high, bound))
        }
        (Node::Const { value, .. }, Node::Concat { high, low }) => {
            let below = pool.width(low);
            let bound = pool.constant(pool.width(high), value >> below);
            (value & mask(below) == mask(below)).then(|| pool.ult(bound, high))
        }
        _ => None,
    }
}

/// x <=u c  →  x <u c+1, or true for the greatest c;  c <=u x  →  c-1 <u x, or true for 0
fn ule_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    if let Some(c) = pair.right_const() {
        if c == mask(pair.width) {
            return Some(pool.truth(true));
        }
        let next = pool.constant(pair.width, c + 1);
        return Some(pool.ult(pair.a, next));
    }
    let c = pair.left_const()?;
    if c == 0 {
        return Some(pool.truth(true));
    }
    let previous = pool.constant(pair.width, c - 1);
    Some(pool.ult(previous, pair.b))
}

/// The least and the greatest signed value.
fn signed_extremes(width: u32) -> (u128, u128) {
    let max = mask(width) >> 1;
    (max + 1, max)
}

/// x <s 0  →  sign of x;  -1 <s x  →  ~ sign of x
fn slt_zero(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    if pair.right_const() == Some(0) {
        return Some(pool.extract(pair.a, pair.width - 1, 1));
    }
    (pair.left_const()? == mask(pair.width)).then(|| {
        let sign = pool.extract(pair.b, pair.width - 1, 1);
        pool.not(sign)
    })
}

/// x <s min  →  false;  x <s min+1  →  x = min;  x <s max  →  ~(x = max);
/// max <s x  →  false;  max-1 <s x  →  x = max;  min <s x  →  ~(x = min)
fn slt_extreme(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (min, max) = signed_extremes(pair.width);
    if let Some(c) = pair.right_const() {
        return match c {
            _ if c == min => Some(pool.truth(false)),
            _ if c == min + 1 => Some(equals(pool, pair.a, min)),
            _ if c == max => Some(differs(pool, pair.a, max)),
            _ => None,
        };
    }
    match pair.left_const()? {
        c if c == max => Some(pool.truth(false)),
        c if c == max - 1 => Some(equals(pool, pair.b, max)),
        c if c == min => Some(differs(pool, pair.b, min)),
        _ => None,
    }
}

fn both_nonnegative(pool: &Pool, pair: &Pair) -> bool {
    let (_, max) = signed_extremes(pair.width);
    pool.max_value(pair.a) <= max && pool.max_value(pair.b) <= max
}

/// x <s y  →  x <u y, if neither can be negative
fn slt_of_nonnegative(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    both_nonnegative(pool, pair).then(|| pool.ult(pair.a, pair.b))
}

/// x <=s y  →  x <=u y, if neither can be negative
fn sle_of_nonnegative(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    both_nonnegative(pool, pair).then(|| pool.ule(pair.a, pair.b))
}

/// x <s c  →  false;  c <s x  →  true; if c is negative and x cannot be
fn slt_mixed_signs(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (_, max) = signed_extremes(pair.width);
    match (pair.left_const(), pair.right_const()) {
        (None, Some(c)) if c > max && pool.max_value(pair.a) <= max => Some(pool.truth(false)),
        (Some(c), None) if c > max && pool.max_value(pair.b) <= max => Some(pool.truth(true)),
        _ => None,
    }
}

/// sext(x) <s c  →  x <s c;  c <s sext(x)  →  c <s x;  →  true or false, if c is out of x's range
fn slt_sext_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c, below) = match (pair.left, pair.right) {
        (Node::SExt { term, .. }, Node::Const { value, .. }) => (term, value, true),
        (Node::Const { value, .. }, Node::SExt { term, .. }) => (term, value, false),
        _ => return None,
    };
    let narrow = pool.width(x);
    if sign_extend(narrow, c) == sign_extend(pair.width, c) {
        let c = pool.constant(narrow, c);
        return Some(if below { pool.slt(x, c) } else { pool.slt(c, x) });
    }
    let constant_is_negative = sign_extend(pair.width, c) < 0;
    Some(pool.truth(below != constant_is_negative))
}

/// x <=s c  →  x <s c+1, or true for the greatest c;  c <=s x  →  c-1 <s x, or true for the least c
fn sle_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (min, max) = signed_extremes(pair.width);
    if let Some(c) = pair.right_const() {
        if c == max {
            return Some(pool.truth(true));
        }
        let next = pool.constant(pair.width, c.wrapping_add(1));
        return Some(pool.slt(pair.a, next));
    }
    let c = pair.left_const()?;
    if c == min {
        return Some(pool.truth(true));
    }
    let previous = pool.constant(pair.width, c.wrapping_sub(1));
    Some(pool.slt(previous, pair.b))
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
