//! Choices.

use super::Pair;
use crate::bits::{apply, compare, mask};
use crate::node::{BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

type IteRule = fn(&mut Pool, Term, Term, Term) -> Option<Term>;

/// Tried in this order: the condition is brought in order first, so that later rules see one form of it.
const ITE: &[IteRule] = &[
    ite_turned_condition,
    ite_of_bits,
    ite_as_extension,
    ite_same_condition,
    ite_same_choice,
    ite_of_equal_value,
    ite_extended,
];

pub(crate) fn ite(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    ITE.iter().find_map(|rule| rule(pool, cond, then, other))
}

/// if ~p then x else y  →  if p then y else x;  if a <= b then x else y  →  if b < a then y else x
fn ite_turned_condition(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    let turned = match pool.node(cond) {
        Node::Not(p) => p,
        Node::Cmp { op: CmpOp::Ule, a, b } => pool.ult(b, a),
        Node::Cmp { op: CmpOp::Sle, a, b } => pool.slt(b, a),
        _ => return None,
    };
    Some(pool.ite(turned, other, then))
}

/// For one bit: if p then true else x  →  p | x;  if p then false else x  →  ~p & x;
/// if p then x else true  →  ~p | x;  if p then x else false  →  p & x;  if p then p else x  →  p | x;
/// if p then x else p  →  p & x;  if p then x else ~x  →  p = x
fn ite_of_bits(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    if pool.width(then) != 1 {
        return None;
    }
    if then == Pool::TRUE || then == cond {
        return Some(pool.or(cond, other));
    }
    if other == Pool::FALSE || other == cond {
        return Some(pool.and(cond, then));
    }
    if then == Pool::FALSE {
        let not = pool.not(cond);
        return Some(pool.and(not, other));
    }
    if other == Pool::TRUE {
        let not = pool.not(cond);
        return Some(pool.or(not, then));
    }
    super::bitwise::complementary(pool, then, other).then(|| pool.eq(cond, then))
}

/// if p then 1 else 0  →  zext(p);  if p then 0 else 1  →  zext(~p);  if p then -1 else 0  →  sext(p);
/// if p then 0 else -1  →  sext(~p)
fn ite_as_extension(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    let (width, ones) = (pool.width(then), mask(pool.width(then)));
    let (positive, signed) = match (pool.as_const(then)?, pool.as_const(other)?) {
        (1, 0) => (true, false),
        (0, 1) => (false, false),
        (c, 0) if c == ones => (true, true),
        (0, c) if c == ones => (false, true),
        _ => return None,
    };
    let bit = if positive { cond } else { pool.not(cond) };
    Some(if signed { pool.sext(bit, width) } else { pool.zext(bit, width) })
}

/// if p then (if p then x else y) else z  →  if p then x else z;  the same on the other side
fn ite_same_condition(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    if let Node::Ite { cond: inner, then: x, .. } = pool.node(then)
        && inner == cond
    {
        return Some(pool.ite(cond, x, other));
    }
    if let Node::Ite { cond: inner, other: y, .. } = pool.node(other)
        && inner == cond
    {
        return Some(pool.ite(cond, then, y));
    }
    None
}

/// if p then x else (if q then x else y)  →  if p | q then x else y;
/// if p then x else (if q then y else x)  →  if ~p & q then y else x, and with the inner choice first
fn ite_same_choice(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    if let Node::Ite { cond: inner, then: x, other: y } = pool.node(other) {
        if x == then {
            let either = pool.or(cond, inner);
            return Some(pool.ite(either, then, y));
        }
        if y == then {
            let not = pool.not(cond);
            let only_inner = pool.and(not, inner);
            return Some(pool.ite(only_inner, x, then));
        }
    }
    if let Node::Ite { cond: inner, then: x, other: y } = pool.node(then) {
        if y == other {
            let both = pool.and(cond, inner);
            return Some(pool.ite(both, x, other));
        }
        if x == other {
            let not = pool.not(inner);
            let only_outer = pool.and(cond, not);
            return Some(pool.ite(only_outer, y, other));
        }
    }
    None
}

/// if x = y then x else y  →  y;  if x = y then y else x  →  x
fn ite_of_equal_value(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    let Node::Cmp { op: CmpOp::Eq, a, b } = pool.node(cond) else { return None };
    ((a, b) == (then, other) || (b, a) == (then, other)).then_some(other)
}

/// if p then zext(x) else zext(y)  →  zext(if p then x else y), also for sext, and for a constant that is such an
/// extension
fn ite_extended(pool: &mut Pool, cond: Term, then: Term, other: Term) -> Option<Term> {
    let width = pool.width(then);
    let (narrow, signed) = match (pool.node(then), pool.node(other)) {
        (Node::ZExt { term, .. }, _) | (Node::Const { .. }, Node::ZExt { term, .. }) => (pool.width(term), false),
        (Node::SExt { term, .. }, _) | (Node::Const { .. }, Node::SExt { term, .. }) => (pool.width(term), true),
        _ => return None,
    };
    let (then, other) = (narrowed(pool, then, narrow, signed)?, narrowed(pool, other, narrow, signed)?);
    let chosen = pool.ite(cond, then, other);
    Some(if signed { pool.sext(chosen, width) } else { pool.zext(chosen, width) })
}

/// The term of `narrow` bits whose extension `t` is, if it shows.
fn narrowed(pool: &mut Pool, t: Term, narrow: u32, signed: bool) -> Option<Term> {
    match pool.node(t) {
        Node::ZExt { term, .. } => (!signed && pool.width(term) == narrow).then_some(term),
        Node::SExt { term, .. } => (signed && pool.width(term) == narrow).then_some(term),
        Node::Const { width, value } => {
            let low = pool.constant(narrow, value);
            let back = if signed { pool.sext(low, width) } else { pool.zext(low, width) };
            (back == t).then_some(low)
        }
        _ => None,
    }
}

/// The condition and both values of a choice between constants.
fn constant_choice(pool: &Pool, node: Node) -> Option<(Term, u128, u128)> {
    match node {
        Node::Ite { cond, then, other } => Some((cond, pool.as_const(then)?, pool.as_const(other)?)),
        _ => None,
    }
}

/// For an operand pair that a single condition makes constant: that condition and both operands on either side.
fn decided_by_condition(pool: &Pool, pair: &Pair) -> Option<(Term, [(u128, u128); 2])> {
    match (pair.left, pair.right) {
        (Node::Ite { .. }, Node::Const { value, .. }) => {
            let (cond, then, other) = constant_choice(pool, pair.left)?;
            Some((cond, [(then, value), (other, value)]))
        }
        (Node::Const { value, .. }, Node::Ite { .. }) => {
            let (cond, then, other) = constant_choice(pool, pair.right)?;
            Some((cond, [(value, then), (value, other)]))
        }
        (Node::Ite { cond: p, .. }, Node::Ite { cond: q, .. }) if p == q => {
            let ((_, x, y), (_, u, v)) = (constant_choice(pool, pair.left)?, constant_choice(pool, pair.right)?);
            Some((p, [(x, u), (y, v)]))
        }
        _ => None,
    }
}

/// (if p then c else d) op e  →  if p then c op e else d op e, for constants c, d, e and every op
pub(super) fn bin_of_constant_choice(pool: &mut Pool, op: BvOp, pair: &Pair) -> Option<Term> {
    let (cond, sides) = decided_by_condition(pool, pair)?;
    let [then, other] = sides.map(|(x, y)| pool.constant(pair.width, apply(op, pair.width, x, y)));
    Some(pool.ite(cond, then, other))
}

/// (if p then c else d) = e  →  p, ~p, true or false, for constants c, d, e and every comparison
pub(super) fn cmp_of_constant_choice(pool: &mut Pool, op: CmpOp, pair: &Pair) -> Option<Term> {
    let (cond, sides) = decided_by_condition(pool, pair)?;
    let [then, other] = sides.map(|(x, y)| pool.truth(compare(op, pair.width, x, y)));
    Some(pool.ite(cond, then, other))
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn ite_turned_condition() {
        fires("(if (~ p) x y)", "(if p y x)");
        fires("(if (<=u x y) x y)", "(if (<u y x) y x)");
        fires("(if (<=s x y) x y)", "(if (<s y x) y x)");
        keeps("(if p x y)");
        keeps("(if (<u x y) x y)");
    }

    #[test]
    fn ite_of_bits() {
        fires("(if p true q)", "(| p q)");
        fires("(if p false q)", "(& (~ p) q)");
        fires("(if p q true)", "(| (~ p) q)");
        fires("(if p q false)", "(& p q)");
        fires("(if p p q)", "(| p q)");
        fires("(if p q p)", "(& p q)");
        fires("(if p q (~ q))", "(= p q)");
        keeps("(if p q r)");
        keeps("(if p 255 x)");
    }

    #[test]
    fn ite_as_extension() {
        fires("(if p 1 0)", "(zext 8 p)");
        fires("(if p 0 1)", "(zext 8 (~ p))");
        fires("(if p -1 0)", "(sext 8 p)");
        fires("(if p 0 -1)", "(sext 8 (~ p))");
        keeps("(if p 2 0)");
        keeps("(if p 1 -1)");
    }

    #[test]
    fn ite_same_condition() {
        fires("(if p (if p x y) z)", "(if p x z)");
        fires("(if p x (if p y z))", "(if p x z)");
        keeps("(if p (if q x y) z)");
    }

    #[test]
    fn ite_same_choice() {
        fires("(if p x (if q x y))", "(if (| p q) x y)");
        fires("(if p x (if q y x))", "(if (& (~ p) q) y x)");
        fires("(if p (if q x y) y)", "(if (& p q) x y)");
        fires("(if p (if q y x) y)", "(if (& p (~ q)) x y)");
        keeps("(if p x (if q y z))");
    }

    #[test]
    fn ite_of_equal_value() {
        fires("(if (= x y) x y)", "y");
        fires("(if (= x y) y x)", "x");
        fires("(if (= x 5) 5 x)", "x");
        keeps("(if (= x 5) 6 x)");
        keeps("(if (<u x y) x y)");
    }

    #[test]
    fn ite_extended() {
        fires("(if p (zext 32 x) (zext 32 y))", "(zext 32 (if p x y))");
        fires("(if p (sext 32 x) -3:32)", "(sext 32 (if p x -3))");
        fires("(if p 3:32 (zext 32 x))", "(zext 32 (if p 3 x))");
        fires("(if p (zext 32 q) 0:32)", "(zext 32 (& p q))");
        keeps("(if p (zext 32 x) 300:32)");
        keeps("(if p (zext 32 x) (sext 32 y))");
        keeps("(if p (zext 32 x) (zext 32 h))");
    }

    #[test]
    fn bin_of_constant_choice() {
        fires("(+ (if p 3 5) 4)", "(if p 7 9)");
        fires("(/u 100 (if p 3 5))", "(if p 33 20)");
        fires("(& (if p 3 5) (if p 6 12))", "(if p 2 4)");
        keeps("(+ (if p 3 5) x)");
        keeps("(& (if p 3 5) (if q 6 12))");
        keeps("(+ (if p x 5) 4)");
    }

    #[test]
    fn cmp_of_constant_choice() {
        fires("(= (if p 3 5) 3)", "p");
        fires("(= (if p 3 5) 5)", "(~ p)");
        fires("(= (if p 3 5) 4)", "false");
        fires("(<u (if p 3 5) 7)", "true");
        fires("(<s 4 (if p 3 5))", "(~ p)");
        keeps("(<u (if p 3 5) x)");
        keeps("(<u (if p x 5) 4)");
    }
}
