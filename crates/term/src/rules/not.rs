//! Complements.

use crate::node::{BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// ~~x  →  x;  ~(x < y)  →  y <= x, and for the other orders;  ~(x ^ c)  →  x ^ ~c;  ~(x + c)  →  (-1 - c) - x;
/// ~(c - x)  →  x + (-1 - c);  ~sext(x)  →  sext(~x);  ~(if p then c else d)  →  if p then ~c else ~d;
/// ~(~x & ~y)  →  x | y;  ~(~x | ~y)  →  x & y
pub(crate) fn not(pool: &mut Pool, t: Term) -> Option<Term> {
    match pool.node(t) {
        Node::Not(x) => Some(x),
        Node::Cmp { op, a, b } => match op {
            CmpOp::Eq => None,
            CmpOp::Ult => Some(pool.ule(b, a)),
            CmpOp::Ule => Some(pool.ult(b, a)),
            CmpOp::Slt => Some(pool.sle(b, a)),
            CmpOp::Sle => Some(pool.slt(b, a)),
        },
        Node::Bin { op: BvOp::Xor, a, b } if pool.as_const(b).is_some() => {
            let flipped = pool.not(b);
            Some(pool.xor(a, flipped))
        }
        Node::Bin { op: BvOp::Add, a, b } if pool.as_const(b).is_some() => {
            let c = pool.not(b);
            Some(pool.sub(c, a))
        }
        Node::Bin { op: BvOp::Sub, a, b } if pool.as_const(a).is_some() => {
            let c = pool.not(a);
            Some(pool.add(b, c))
        }
        Node::Bin { op: BvOp::And, a, b } => {
            let (Node::Not(x), Node::Not(y)) = (pool.node(a), pool.node(b)) else { return None };
            Some(pool.or(x, y))
        }
        Node::Bin { op: BvOp::Or, a, b } => {
            let (Node::Not(x), Node::Not(y)) = (pool.node(a), pool.node(b)) else { return None };
            Some(pool.and(x, y))
        }
        Node::SExt { term, width } => {
            let flipped = pool.not(term);
            Some(pool.sext(flipped, width))
        }
        Node::Ite { cond, then, other } if pool.as_const(then).and(pool.as_const(other)).is_some() => {
            let (then, other) = (pool.not(then), pool.not(other));
            Some(pool.ite(cond, then, other))
        }
        Node::Bin { .. }
        | Node::Const { .. }
        | Node::Select { .. }
        | Node::Concat { .. }
        | Node::Extract { .. }
        | Node::ZExt { .. }
        | Node::Ite { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{fires, keeps};

    #[test]
    fn complements() {
        fires("(~ (~ x))", "x");
        fires("(~ (<u x y))", "(<=u y x)");
        fires("(~ (<=s x y))", "(<s y x)");
        fires("(~ (^ x 5))", "(^ x 250)");
        fires("(~ (+ x 5))", "(- 250 x)");
        fires("(~ (- 5 x))", "(+ x 250)");
        fires("(~ (& (~ x) (~ y)))", "(| x y)");
        fires("(~ (| (~ x) (~ y)))", "(& x y)");
        fires("(~ (sext 32 x))", "(sext 32 (~ x))");
        fires("(~ (if p 3 4))", "(if p 252 251)");
        keeps("(~ (= x y))");
        keeps("(~ (& (~ x) y))");
        keeps("(~ (zext 32 x))");
        keeps("(~ (if p x 4))");
        keeps("(~ (+ x y))");
    }
}
