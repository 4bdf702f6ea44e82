//! Extracts and extensions.

use crate::bits::mask;
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

/// How deep sums are looked through for operands that are cheap to narrow.
const CHEAP_LEVELS: u32 = 4;

/// A part of a term: `width` bits from bit `low`.
struct Part {
    term: Term,
    low: u32,
    width: u32,
}

pub(crate) fn extract(pool: &mut Pool, t: Term, low: u32, width: u32) -> Option<Term> {
    let part = Part { term: t, low, width };
    match pool.node(t) {
        Node::Extract { term, low: inner, .. } => Some(pool.extract(term, inner + low, width)),
        Node::ZExt { term, .. } => Some(extract_zext(pool, &part, term)),
        Node::SExt { term, .. } => Some(extract_sext(pool, &part, term)),
        Node::Concat { high, low: below } => Some(extract_concat(pool, &part, high, below)),
        Node::Ite { cond, then, other } => extract_choice(pool, &part, cond, then, other),
        Node::Bin { op, a, b } => match op {
            BvOp::And | BvOp::Or | BvOp::Xor => extract_bitwise(pool, &part, op, a, b),
            BvOp::Add | BvOp::Sub | BvOp::Mul => extract_low(pool, &part, op, a, b),
            BvOp::Shl => extract_shl(pool, &part, a, b),
            BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem | BvOp::LShr | BvOp::AShr => None,
        },
        Node::Const { .. } | Node::Select { .. } | Node::Cmp { .. } | Node::Not(_) => None,
    }
}

/// A part of zext(x)  →  a part of x, zeros, or an extended part of x
fn extract_zext(pool: &mut Pool, part: &Part, x: Term) -> Term {
    let inner = pool.width(x);
    if part.low >= inner {
        return pool.constant(part.width, 0);
    }
    let x = pool.extract(x, part.low, part.width.min(inner - part.low));
    pool.zext(x, part.width)
}

/// A part of sext(x)  →  a part of x, or an extended part of x, at least its sign
fn extract_sext(pool: &mut Pool, part: &Part, x: Term) -> Term {
    let inner = pool.width(x);
    let low = part.low.min(inner - 1);
    let x = pool.extract(x, low, part.width.min(inner - low));
    pool.sext(x, part.width)
}

/// A part of concat(x, y)  →  a part of x, of y, or the concatenation of both
fn extract_concat(pool: &mut Pool, part: &Part, high: Term, below: Term) -> Term {
    let boundary = pool.width(below);
    let (low, end) = (part.low, part.low + part.width);
    if low >= boundary {
        return pool.extract(high, low - boundary, part.width);
    }
    if end <= boundary {
        return pool.extract(below, low, part.width);
    }
    let (high, below) = (pool.extract(high, 0, end - boundary), pool.extract(below, low, boundary - low));
    pool.concat(high, below)
}

/// A part of (if p then x else y)  →  if p then a part of x else a part of y, if both are made of parts, or the part is
/// the low one and cheap
fn extract_choice(pool: &mut Pool, part: &Part, cond: Term, then: Term, other: Term) -> Option<Term> {
    let made_of_parts = |t| matches!(pool.node(t), Node::Const { .. } | Node::Concat { .. });
    let both_cheap = || part.low == 0 && cheap(pool, then, 0) && cheap(pool, other, 0);
    let worthwhile = made_of_parts(then) && made_of_parts(other) || both_cheap();
    if !worthwhile {
        return None;
    }
    let (then, other) = (pool.extract(then, part.low, part.width), pool.extract(other, part.low, part.width));
    Some(pool.ite(cond, then, other))
}

/// The constant that a part of a term is, if its shape shows one.
fn constant_part(pool: &Pool, t: Term, low: u32, width: u32) -> Option<u128> {
    match pool.node(t) {
        Node::Const { value, .. } => Some(value >> low & mask(width)),
        Node::ZExt { term, .. } if low >= pool.width(term) => Some(0),
        Node::Bin { op: BvOp::Shl, b, .. } if pool.as_const(b)? >= u128::from(low + width) => Some(0),
        _ => None,
    }
}

/// A part of x & y, x | y or x ^ y  →  a constant or a part of x, if that part of y is all zeros or (not for ^) all ones
fn extract_bitwise(pool: &mut Pool, part: &Part, op: BvOp, a: Term, b: Term) -> Option<Term> {
    for (x, y) in [(a, b), (b, a)] {
        let Some(constant) = constant_part(pool, y, part.low, part.width) else { continue };
        let ones = mask(part.width);
        match (op, constant) {
            (BvOp::And, 0) => return Some(pool.constant(part.width, 0)),
            (BvOp::Or | BvOp::Xor, 0) => return Some(pool.extract(x, part.low, part.width)),
            (BvOp::And, c) if c == ones => return Some(pool.extract(x, part.low, part.width)),
            (BvOp::Or, c) if c == ones => return Some(pool.constant(part.width, ones)),
            _ => {}
        }
    }
    None
}

/// Whether narrowing the term gives no larger one: constants, extensions, concatenations, and sums of these.
fn cheap(pool: &Pool, t: Term, levels: u32) -> bool {
    match pool.node(t) {
        Node::Const { .. } | Node::ZExt { .. } | Node::SExt { .. } | Node::Concat { .. } => true,
        Node::Bin { op: BvOp::Add | BvOp::Sub | BvOp::Mul, a, b } => {
            levels > 0 && cheap(pool, a, levels - 1) && cheap(pool, b, levels - 1)
        }
        _ => false,
    }
}

/// The low bits of x + y  →  low bits of x + low bits of y, if these are cheap; the same for - and *
fn extract_low(pool: &mut Pool, part: &Part, op: BvOp, a: Term, b: Term) -> Option<Term> {
    if part.low != 0 || !cheap(pool, part.term, CHEAP_LEVELS) {
        return None;
    }
    let (a, b) = (pool.extract(a, 0, part.width), pool.extract(b, 0, part.width));
    Some(pool.bin(op, a, b))
}

/// A part of x << k  →  zeros, if it is below bit k;  →  a part of x, if it is above
fn extract_shl(pool: &mut Pool, part: &Part, x: Term, by: Term) -> Option<Term> {
    let by = pool.as_const(by)?;
    if by >= u128::from(part.low + part.width) {
        return Some(pool.constant(part.width, 0));
    }
    (by <= u128::from(part.low)).then(|| pool.extract(x, part.low - by as u32, part.width))
}

/// zext(zext(x))  →  zext(x);  zext(if p then c else d)  →  if p then zext(c) else zext(d)
pub(crate) fn zext(pool: &mut Pool, t: Term, width: u32) -> Option<Term> {
    match pool.node(t) {
        Node::ZExt { term, .. } => Some(pool.zext(term, width)),
        Node::Ite { cond, then, other } if pool.as_const(then).and(pool.as_const(other)).is_some() => {
            let (then, other) = (pool.zext(then, width), pool.zext(other, width));
            Some(pool.ite(cond, then, other))
        }
        Node::Ite { .. }
        | Node::Const { .. }
        | Node::Select { .. }
        | Node::Bin { .. }
        | Node::Cmp { .. }
        | Node::Not(_)
        | Node::Concat { .. }
        | Node::Extract { .. }
        | Node::SExt { .. } => None,
    }
}

/// sext(sext(x))  →  sext(x);  sext(x)  →  zext(x), if x is certainly not negative;
/// sext(if p then c else d)  →  if p then sext(c) else sext(d)
pub(crate) fn sext(pool: &mut Pool, t: Term, width: u32) -> Option<Term> {
    let node = pool.node(t);
    if let Node::SExt { term, .. } = node {
        return Some(pool.sext(term, width));
    }
    if let Node::Ite { cond, then, other } = node
        && pool.as_const(then).and(pool.as_const(other)).is_some()
    {
        let (then, other) = (pool.sext(then, width), pool.sext(other, width));
        return Some(pool.ite(cond, then, other));
    }
    (pool.max_value(t) <= mask(pool.width(t)) >> 1).then(|| pool.zext(t, width))
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn extract_extract() {
        fires("(extract 2 4 (extract 3 20 i))", "(extract 5 4 i)");
        keeps("(extract 2 4 i)");
    }

    #[test]
    fn extract_zext() {
        fires("(extract 0 8 (zext 32 x))", "x");
        fires("(extract 2 4 (zext 32 x))", "(extract 2 4 x)");
        fires("(extract 8 8 (zext 32 x))", "0");
        fires("(extract 4 8 (zext 32 x))", "(zext 8 (extract 4 4 x))");
        keeps("(extract 4 8 h)");
    }

    #[test]
    fn extract_sext() {
        fires("(extract 0 8 (sext 32 x))", "x");
        fires("(extract 2 4 (sext 32 x))", "(extract 2 4 x)");
        fires("(extract 8 8 (sext 32 x))", "(sext 8 (extract 7 1 x))");
        fires("(extract 4 8 (sext 32 x))", "(sext 8 (extract 4 4 x))");
        keeps("(extract 7 1 x)");
    }

    #[test]
    fn extract_concat() {
        fires("(extract 0 8 (++ x y))", "y");
        fires("(extract 8 8 (++ x y))", "x");
        fires("(extract 4 8 (++ x y))", "(++ (extract 0 4 x) (extract 4 4 y))");
        keeps("(extract 4 8 i)");
    }

    #[test]
    fn extract_choice() {
        fires("(extract 8 8 (if p 0x1234:16 0x5678:16))", "(if p 0x12 0x56)");
        fires("(extract 0 8 (if p (++ x y) (++ y z)))", "(if p y z)");
        fires("(extract 0 8 (if p (zext 32 x) (sext 32 y)))", "(if p x y)");
        keeps("(extract 8 8 (if p (zext 32 x) (sext 32 y)))");
        keeps("(extract 0 8 (if p i j))");
        keeps("(extract 0 8 (if p i (zext 32 x)))");
    }

    #[test]
    fn extract_bitwise() {
        fires("(extract 0 8 (& i -256:32))", "0");
        fires("(extract 8 8 (& i -256:32))", "(extract 8 8 i)");
        fires("(extract 8 8 (| i 255:32))", "(extract 8 8 i)");
        fires("(extract 0 8 (| i 255:32))", "255");
        fires("(extract 8 8 (^ i 255:32))", "(extract 8 8 i)");
        fires("(extract 8 8 (| i (zext 32 x)))", "(extract 8 8 i)");
        fires("(extract 0 8 (& j (<< i 8:32)))", "0");
        keeps("(extract 4 8 (| i 255:32))");
        keeps("(extract 0 8 (^ i 255:32))");
        keeps("(extract 0 8 (| i (zext 32 x)))");
    }

    #[test]
    fn extract_low() {
        fires("(extract 0 8 (+ (zext 32 x) (sext 32 y)))", "(+ x y)");
        fires("(extract 0 8 (* (+ (zext 32 x) (zext 32 y)) (zext 32 z)))", "(* (+ x y) z)");
        fires("(extract 0 8 (- 300:32 (zext 32 x)))", "(- 44 x)");
        keeps("(extract 1 8 (+ (zext 32 x) (zext 32 y)))");
        keeps("(extract 0 8 (+ i (zext 32 y)))");
    }

    #[test]
    fn extract_shl() {
        fires("(extract 0 4 (<< i 4:32))", "0:4");
        fires("(extract 5 8 (<< i 4:32))", "(extract 1 8 i)");
        keeps("(extract 0 8 (<< i 4:32))");
        keeps("(extract 0 8 (<< i j))");
    }

    #[test]
    fn zext() {
        fires("(zext 64 (zext 32 x))", "(zext 64 x)");
        fires("(zext 32 (if p 3 255))", "(if p 3:32 255:32)");
        keeps("(zext 64 (sext 32 x))");
        keeps("(zext 32 (if p 3 x))");
    }

    #[test]
    fn sext() {
        fires("(sext 64 (sext 32 x))", "(sext 64 x)");
        fires("(sext 64 (zext 32 x))", "(zext 64 x)");
        fires("(sext 64 (%u i 10:32))", "(zext 64 (%u i 10:32))");
        fires("(sext 32 (if p 3 255))", "(if p 3:32 -1:32)");
        keeps("(sext 64 (+ (zext 32 x) i))");
        keeps("(sext 32 x)");
    }
}
