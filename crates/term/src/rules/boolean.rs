//! Terms of one bit: the operators that are the same there, and conditions on one term that decide each other.

use super::Pair;
use crate::bits::compare;
use crate::node::{BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// p + q  →  p ^ q;  p - q  →  p ^ q;  p * q  →  p & q;  p << q  →  p & ~q;  p >>u q  →  p & ~q;  p >>s q  →  p;
/// p /u q  →  p | ~q;  p /s q  →  p | ~q;  p % q  →  p & ~q;  p ^ q  →  ~(p = q)
pub(super) fn bin(pool: &mut Pool, op: BvOp, pair: &Pair) -> Option<Term> {
    let (p, q) = (pair.a, pair.b);
    match op {
        BvOp::Add | BvOp::Sub => Some(pool.xor(p, q)),
        BvOp::Mul => Some(pool.and(p, q)),
        BvOp::Shl | BvOp::LShr | BvOp::URem | BvOp::SRem => {
            let not = pool.not(q);
            Some(pool.and(p, not))
        }
        BvOp::UDiv | BvOp::SDiv => {
            let not = pool.not(q);
            Some(pool.or(p, not))
        }
        BvOp::AShr => Some(p),
        BvOp::Xor => Some(pool.ne(p, q)),
        BvOp::And => and_decided(pool, pair).or_else(|| and_bounds(pool, pair)),
        BvOp::Or => or_decided(pool, pair),
    }
}

/// p = true  →  p;  p = false  →  ~p;  p = ~p  →  false;  ~p = ~q  →  p = q;  ~p = q  →  ~(p = q);
/// p <u q  →  ~p & q;  p <=u q  →  ~p | q;  p <s q  →  p & ~q;  p <=s q  →  p | ~q
pub(super) fn cmp(pool: &mut Pool, op: CmpOp, pair: &Pair) -> Option<Term> {
    let (p, q) = (pair.a, pair.b);
    match op {
        CmpOp::Eq => match (pair.left, pair.right) {
            (_, Node::Const { value: 1, .. }) => Some(p),
            (_, Node::Const { .. }) => Some(pool.not(p)),
            _ if super::bitwise::complementary(pool, p, q) => Some(pool.truth(false)),
            (Node::Not(x), Node::Not(y)) => Some(pool.eq(x, y)),
            (Node::Not(x), _) => Some(pool.ne(x, q)),
            (_, Node::Not(y)) => Some(pool.ne(p, y)),
            _ => None,
        },
        CmpOp::Ult => {
            let not = pool.not(p);
            Some(pool.and(not, q))
        }
        CmpOp::Ule => {
            let not = pool.not(p);
            Some(pool.or(not, q))
        }
        CmpOp::Slt => {
            let not = pool.not(q);
            Some(pool.and(p, not))
        }
        CmpOp::Sle => {
            let not = pool.not(q);
            Some(pool.or(p, not))
        }
    }
}

/// The term and the constant of `x = c`.
fn equation(pool: &Pool, node: Node) -> Option<(Term, u128)> {
    match node {
        Node::Cmp { op: CmpOp::Eq, a, b } => Some((a, pool.as_const(b)?)),
        _ => None,
    }
}

/// What a comparison of `x` with a constant, or its negation, says where `x` is `value`.
fn at(pool: &Pool, condition: Node, x: Term, value: u128) -> Option<bool> {
    match condition {
        Node::Not(inner) => match pool.node(inner) {
            Node::Cmp { .. } => at(pool, pool.node(inner), x, value).map(|holds| !holds),
            _ => None,
        },
        Node::Cmp { op, a, b } if a == x => Some(compare(op, pool.width(x), value, pool.as_const(b)?)),
        Node::Cmp { op, a, b } if b == x => Some(compare(op, pool.width(x), pool.as_const(a)?, value)),
        _ => None,
    }
}

/// x = c & q(x)  →  x = c or false, as q(c) says
fn and_decided(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    for (equal, node, condition) in [(pair.a, pair.left, pair.right), (pair.b, pair.right, pair.left)] {
        if let Some((x, c)) = equation(pool, node)
            && let Some(holds) = at(pool, condition, x, c)
        {
            return Some(if holds { equal } else { pool.truth(false) });
        }
    }
    None
}

/// ~(x = c) | q(x)  →  true or ~(x = c), as q(c) says
fn or_decided(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    for (unequal, node, condition) in [(pair.a, pair.left, pair.right), (pair.b, pair.right, pair.left)] {
        let Node::Not(inner) = node else { continue };
        if let Some((x, c)) = equation(pool, pool.node(inner))
            && let Some(holds) = at(pool, condition, x, c)
        {
            return Some(if holds { pool.truth(true) } else { unequal });
        }
    }
    None
}

/// x < c & x < d  →  x < min(c, d);  c < x & d < x  →  max(c, d) < x, both unsigned;
/// c < x & x < d  →  false, if no number lies between
fn and_bounds(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let (Node::Cmp { op: CmpOp::Ult, a: x, b: y }, Node::Cmp { op: CmpOp::Ult, a: u, b: v }) = (pair.left, pair.right)
    else {
        return None;
    };
    let constants = [x, y, u, v].map(|t| pool.as_const(t));
    match constants {
        [None, Some(c), None, Some(d)] if x == u => Some(if c <= d { pair.a } else { pair.b }),
        [Some(c), None, Some(d), None] if y == v => Some(if c >= d { pair.a } else { pair.b }),
        [Some(c), None, None, Some(d)] if y == u && d.saturating_sub(c) <= 1 => Some(pool.truth(false)),
        [None, Some(d), Some(c), None] if x == v && d.saturating_sub(c) <= 1 => Some(pool.truth(false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn arithmetic_on_one_bit() {
        fires("(+ p q)", "(~ (= p q))");
        fires("(- p q)", "(~ (= p q))");
        fires("(^ p q)", "(~ (= p q))");
        fires("(* p q)", "(& p q)");
        fires("(<< p q)", "(& p (~ q))");
        fires("(>>u p q)", "(& p (~ q))");
        fires("(>>s p q)", "p");
        fires("(/u p q)", "(| p (~ q))");
        fires("(/s p q)", "(| p (~ q))");
        fires("(%u p q)", "(& p (~ q))");
        fires("(%s p q)", "(& p (~ q))");
        keeps("(^ x y)");
        keeps("(* x y)");
    }

    #[test]
    fn comparison_of_bits() {
        fires("(= p true)", "p");
        fires("(= p false)", "(~ p)");
        fires("(= p (~ p))", "false");
        fires("(= (~ p) (~ q))", "(= p q)");
        fires("(= (~ p) q)", "(~ (= p q))");
        fires("(<u p q)", "(& (~ p) q)");
        fires("(<=u p q)", "(| (~ p) q)");
        fires("(<s p q)", "(& p (~ q))");
        fires("(<=s p q)", "(| p (~ q))");
        keeps("(= p q)");
        keeps("(<u x y)");
    }

    #[test]
    fn and_decided() {
        fires("(& (= x 3) (= x 4))", "false");
        fires("(& (= x 3) (~ (= x 4)))", "(= x 3)");
        fires("(& (<u x 4) (= x 3))", "(= x 3)");
        fires("(& (<u 3 x) (= x 3))", "false");
        fires("(& (<s x 100) (= x 200))", "(= x 200)");
        keeps("(& (= x 3) (= y 4))");
        keeps("(& (~ (= x 3)) (~ (= x 4)))");
    }

    #[test]
    fn or_decided() {
        fires("(| (~ (= x 3)) (<u x 4))", "true");
        fires("(| (~ (= x 3)) (= x 4))", "(~ (= x 3))");
        keeps("(| (= x 3) (= x 4))");
        keeps("(| (~ (= x 3)) (<u y 4))");
    }

    #[test]
    fn and_bounds() {
        fires("(& (<u x 9) (<u x 7))", "(<u x 7)");
        fires("(& (<u 9 x) (<u 7 x))", "(<u 9 x)");
        fires("(& (<u 9 x) (<u x 7))", "false");
        fires("(& (<u 7 x) (<u x 8))", "false");
        keeps("(& (<u 7 x) (<u x 9))");
        keeps("(& (<u x 9) (<u y 7))");
        keeps("(& (<s x 9) (<u x 7))");
    }
}
