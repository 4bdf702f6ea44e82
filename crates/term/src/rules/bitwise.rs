//! And, or and xor, for every width. What only one-bit terms have is in `boolean.rs`.

use super::{Pair, PairRule};
use crate::bits::{apply, bit_length, compare, mask};
use crate::node::{BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

pub(super) const AND: &[PairRule] = &[
    and_or_same,
    and_unit,
    and_complement,
    and_constants,
    and_of_or_with_constant,
    and_absorbs,
    extended_operands::<{ BvOp::And as u8 }>,
    and_concat,
    and_narrow,
];

pub(super) const OR: &[PairRule] = &[
    and_or_same,
    or_unit,
    or_complement,
    or_constants,
    or_absorbs,
    join_disjoint,
    extended_operands::<{ BvOp::Or as u8 }>,
    or_concat,
    or_concat_zext,
];

pub(super) const XOR: &[PairRule] = &[
    xor_same,
    xor_unit,
    xor_complement,
    xor_constants,
    xor_cancels,
    xor_not,
    join_disjoint,
    extended_operands::<{ BvOp::Xor as u8 }>,
    xor_concat_zext,
];

/// Operands of an application of `wanted`.
fn operands(node: Node, wanted: BvOp) -> Option<(Term, Term)> {
    match node {
        Node::Bin { op, a, b } if op == wanted => Some((a, b)),
        _ => None,
    }
}

/// Whether each is the other's complement, as far as the top nodes show: `x` and `~x`, `x < y` and `y <= x`,
/// `x < c` and `c - 1 < x`.
pub(super) fn complementary(pool: &Pool, a: Term, b: Term) -> bool {
    match (pool.node(a), pool.node(b)) {
        (Node::Not(x), _) if x == b => true,
        (_, Node::Not(y)) if y == a => true,
        (Node::Cmp { op: p, a: x, b: y }, Node::Cmp { op: q, a: u, b: v }) => match (p, q) {
            (CmpOp::Ult, CmpOp::Ule) | (CmpOp::Ule, CmpOp::Ult) => (x, y) == (v, u),
            (CmpOp::Slt, CmpOp::Sle) | (CmpOp::Sle, CmpOp::Slt) => (x, y) == (v, u),
            (CmpOp::Ult, CmpOp::Ult) | (CmpOp::Slt, CmpOp::Slt) => {
                let neighbours = |below: Term, bound: Term| match (pool.as_const(below), pool.as_const(bound)) {
                    (Some(c), Some(d)) => {
                        let next = c.wrapping_add(1) & mask(pool.width(below));
                        next == d && compare(p, pool.width(below), c, d)
                    }
                    _ => false,
                };
                x == v && neighbours(u, y) || y == u && neighbours(x, v)
            }
            _ => false,
        },
        _ => false,
    }
}

/// x & x  →  x;  x | x  →  x
fn and_or_same(_: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.a == pair.b).then_some(pair.a)
}

/// x & 0  →  0;  x & -1  →  x
fn and_unit(_: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pair.b),
        c if c == mask(pair.width) => Some(pair.a),
        _ => None,
    }
}

/// x | 0  →  x;  x | -1  →  -1
fn or_unit(_: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pair.a),
        c if c == mask(pair.width) => Some(pair.b),
        _ => None,
    }
}

/// x & ~x  →  0
fn and_complement(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    complementary(pool, pair.a, pair.b).then(|| pool.constant(pair.width, 0))
}

/// x | ~x  →  -1
fn or_complement(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    complementary(pool, pair.a, pair.b).then(|| pool.ones(pair.width))
}

/// The left operand as `x op c`, and the two constants joined.
fn joined_constants(pool: &mut Pool, pair: &Pair, op: BvOp) -> Option<(Term, Term)> {
    let d = pair.right_const()?;
    let (x, c) = operands(pair.left, op)?;
    let c = pool.as_const(c)?;
    Some((x, pool.constant(pair.width, apply(op, pair.width, c, d))))
}

/// (x & c) & d  →  x & (c & d)
fn and_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c) = joined_constants(pool, pair, BvOp::And)?;
    Some(pool.and(x, c))
}

/// (x | c) | d  →  x | (c | d)
fn or_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, c) = joined_constants(pool, pair, BvOp::Or)?;
    Some(pool.or(x, c))
}

/// (x ^ c) ^ d  →  x ^ (c ^ d);  ~x ^ d  →  x ^ ~d
fn xor_constants(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    if let (Node::Not(x), Some(d)) = (pair.left, pair.right_const()) {
        let flipped = pool.constant(pair.width, !d);
        return Some(pool.xor(x, flipped));
    }
    let (x, c) = joined_constants(pool, pair, BvOp::Xor)?;
    Some(pool.xor(x, c))
}

/// (x | c) & d  →  x & d, if c & d is 0;  →  d, if c has all bits of d
fn and_of_or_with_constant(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let d = pair.right_const()?;
    let (x, c) = operands(pair.left, BvOp::Or)?;
    match pool.as_const(c)? & d {
        0 => Some(pool.and(x, pair.b)),
        common if common == d => Some(pair.b),
        _ => None,
    }
}

/// Absorption, with `inner` the operator of the pair and `outer` its dual:
/// x op (x op y)  →  x op y;  x op (~x op y)  →  x op ~x;  x op (x dual y)  →  x;  x op (~x dual y)  →  x op y
fn absorbs(pool: &mut Pool, pair: &Pair, op: BvOp, dual: BvOp) -> Option<Term> {
    for (x, compound, node) in [(pair.a, pair.b, pair.right), (pair.b, pair.a, pair.left)] {
        if let Some((y, z)) = operands(node, op) {
            if y == x || z == x {
                return Some(compound);
            }
            if complementary(pool, x, y) || complementary(pool, x, z) {
                let nothing = if op == BvOp::And { 0 } else { mask(pair.width) };
                return Some(pool.constant(pair.width, nothing));
            }
        }
        if let Some((y, z)) = operands(node, dual) {
            if y == x || z == x {
                return Some(x);
            }
            if complementary(pool, x, y) {
                return Some(pool.bin(op, x, z));
            }
            if complementary(pool, x, z) {
                return Some(pool.bin(op, x, y));
            }
        }
    }
    None
}

/// x & (x & y)  →  x & y;  x & (~x & y)  →  0;  x & (x | y)  →  x;  x & (~x | y)  →  x & y
fn and_absorbs(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    absorbs(pool, pair, BvOp::And, BvOp::Or)
}

/// x | (x | y)  →  x | y;  x | (~x | y)  →  -1;  x | (x & y)  →  x;  x | (~x & y)  →  x | y
fn or_absorbs(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    absorbs(pool, pair, BvOp::Or, BvOp::And)
}

/// With op one of &, |, ^:
/// zext(x) op zext(y)  →  zext(x op y), the narrower one widened to the other;
/// zext(x) & c  →  zext(x & c);  zext(x) | c  →  concat(high part of c, x | low part), and for ^;
/// sext(x) op sext(y)  →  sext(x op y), if equally wide;  sext(x) op c  →  sext(x op c), if c is such an extension
fn extended_operands<const OP: u8>(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let op = BvOp::ALL[OP as usize];
    match (pair.left, pair.right) {
        (Node::ZExt { term: x, width }, Node::ZExt { term: y, .. }) => {
            let inner = pool.width(x).max(pool.width(y));
            let (x, y) = (pool.zext(x, inner), pool.zext(y, inner));
            let both = pool.bin(op, x, y);
            Some(pool.zext(both, width))
        }
        (Node::SExt { term: x, width }, Node::SExt { term: y, .. }) if pool.width(x) == pool.width(y) => {
            let both = pool.bin(op, x, y);
            Some(pool.sext(both, width))
        }
        (Node::ZExt { term: x, width }, Node::Const { value, .. }) => {
            let inner = pool.width(x);
            let low = pool.constant(inner, value);
            let low = pool.bin(op, x, low);
            if op == BvOp::And {
                return Some(pool.zext(low, width));
            }
            let high = pool.constant(width - inner, value >> inner);
            Some(pool.concat(high, low))
        }
        (Node::SExt { term: x, width }, Node::Const { value, .. }) => {
            let narrow = pool.constant(pool.width(x), value);
            if pool.sext(narrow, width) != pair.b {
                return None;
            }
            let both = pool.bin(op, x, narrow);
            Some(pool.sext(both, width))
        }
        _ => None,
    }
}

/// concat(x, y) op c, split where a part of c is all zeros or all ones, so that a part of the work is gone.
fn concat_with_constant(pool: &mut Pool, pair: &Pair, op: BvOp) -> Option<Term> {
    let c = pair.right_const()?;
    let Node::Concat { high, low } = pair.left else { return None };
    let (above, below) = (pool.width(high), pool.width(low));
    let (high_part, low_part) = (c >> below, c & mask(below));
    let trivial = |part, width| part == 0 || part == mask(width);
    if !trivial(high_part, above) && !trivial(low_part, below) {
        return None;
    }
    let (high_part, low_part) = (pool.constant(above, high_part), pool.constant(below, low_part));
    let (high, low) = (pool.bin(op, high, high_part), pool.bin(op, low, low_part));
    Some(pool.concat(high, low))
}

/// concat(x, y) & c  →  concat(x & c', y & c''), if c' or c'' is 0 or -1
fn and_concat(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    concat_with_constant(pool, pair, BvOp::And)
}

/// concat(x, y) | c  →  concat(x | c', y | c''), if c' or c'' is 0 or -1
fn or_concat(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    concat_with_constant(pool, pair, BvOp::Or)
}

/// concat(x, y) op zext(z)  →  concat(x, y op zext(z)), if z is no wider than y
fn concat_with_zext(pool: &mut Pool, pair: &Pair, op: BvOp) -> Option<Term> {
    let (high, low, z) = match (pair.left, pair.right) {
        (Node::Concat { high, low }, Node::ZExt { term, .. })
        | (Node::ZExt { term, .. }, Node::Concat { high, low }) => (high, low, term),
        _ => return None,
    };
    let below = pool.width(low);
    (pool.width(z) <= below).then(|| {
        let z = pool.zext(z, below);
        let low = pool.bin(op, low, z);
        pool.concat(high, low)
    })
}

/// concat(x, y) | zext(z)  →  concat(x, y | zext(z)), if z is no wider than y
fn or_concat_zext(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    concat_with_zext(pool, pair, BvOp::Or)
}

/// concat(x, y) ^ zext(z)  →  concat(x, y ^ zext(z)), if z is no wider than y
fn xor_concat_zext(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    concat_with_zext(pool, pair, BvOp::Xor)
}

/// x & c  →  zext(low k bits of x & c), if c has k bits
fn and_narrow(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let c = pair.right_const()?;
    let bits = bit_length(c);
    (bits < pair.width).then(|| {
        let (low, c) = (pool.extract(pair.a, 0, bits), pool.constant(bits, c));
        let kept = pool.and(low, c);
        pool.zext(kept, pair.width)
    })
}

/// x | zext(y)  →  concat(high part of x, y), if the shape of x shows zeros where y is; the same for ^ and +
pub(super) fn join_disjoint(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    for (x, shape, other) in [(pair.a, pair.left, pair.right), (pair.b, pair.right, pair.left)] {
        let Node::ZExt { term: y, .. } = other else { continue };
        let by_shape =
            matches!(shape, Node::Bin { op: BvOp::Shl | BvOp::And, .. } | Node::Concat { .. } | Node::ZExt { .. });
        let zeros = if by_shape { pool.trailing_zeros(x) } else { 0 };
        if pool.width(y) <= zeros && zeros < pair.width {
            let (high, low) = (pool.extract(x, zeros, pair.width - zeros), pool.zext(y, zeros));
            return Some(pool.concat(high, low));
        }
    }
    None
}

/// x ^ x  →  0
fn xor_same(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.a == pair.b).then(|| pool.constant(pair.width, 0))
}

/// x ^ 0  →  x;  x ^ -1  →  ~x
fn xor_unit(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right_const()? {
        0 => Some(pair.a),
        c if c == mask(pair.width) => Some(pool.not(pair.a)),
        _ => None,
    }
}

/// x ^ ~x  →  -1
fn xor_complement(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    complementary(pool, pair.a, pair.b).then(|| pool.ones(pair.width))
}

/// (x ^ y) ^ x  →  y
fn xor_cancels(_: &mut Pool, pair: &Pair) -> Option<Term> {
    let rest = |compound, x| match operands(compound, BvOp::Xor)? {
        (y, z) if y == x => Some(z),
        (y, z) if z == x => Some(y),
        _ => None,
    };
    rest(pair.left, pair.b).or_else(|| rest(pair.right, pair.a))
}

/// ~x ^ y  →  ~(x ^ y)
fn xor_not(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (x, y) = match (pair.left, pair.right) {
        (Node::Not(x), _) => (x, pair.b),
        (_, Node::Not(y)) => (pair.a, y),
        _ => return None,
    };
    let both = pool.xor(x, y);
    Some(pool.not(both))
}

#[cfg(test)]
#[path = "bitwise_tests.rs"]
mod tests;
