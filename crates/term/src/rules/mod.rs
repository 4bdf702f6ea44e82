//! Rewrite rules, tried when a term is built. One file a family; each rule is a function that states its equation, and
//! the table at the head of its family gives the order in which rules are tried. A new rule is one function and one
//! row.
//!
//! What the rules agree on, so that equal terms meet:
//! - The constant operand of a commutative operator or an equality is the right one; other operands stand in order of
//!   their ids. In a sum the constant is outermost, and `x - c` is `x + -c`.
//! - `x * 2^k` is `x << k`; logical and arithmetic shifts right by a constant, low masks, and division and remainder by
//!   powers of two are extracts, extended.
//! - `concat(0, x)` is `zext(x)`; concatenations lean to the right.
//! - A comparison with a constant is strict; the sign bit stands for `x <s 0`.
//! - A choice on a negated condition, or on `<=`, is turned round.
//! - What is stored byte by byte and loaded again is the term that was stored: an extract goes into its operand only
//!   where [`concat`] finds the way back.
//!
//! Operands were simplified when they were built, constants were folded before a rule is asked, and a rule builds its
//! result through the pool, so that the result is simplified in turn. A rule must not enlarge a term without bound:
//! [`Pool::simplify`] cuts off what nests too deeply, but that is a net, not a plan.

mod arrays;
mod bitwise;
mod boolean;
mod concat;
mod division;
mod equality;
mod extract;
mod ite;
mod not;
mod order;
mod product;
mod shift;
mod sum;
mod tables;

pub(crate) use arrays::{select, store};
pub(crate) use concat::concat;
pub(crate) use extract::{extract, sext, zext};
pub(crate) use ite::ite;
pub(crate) use not::not;

use crate::node::{BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// Two operands and what they are. `width` is the left one's.
pub(crate) struct Pair {
    pub width: u32,
    pub a: Term,
    pub b: Term,
    pub left: Node,
    pub right: Node,
}

impl Pair {
    #[inline]
    pub fn new(pool: &Pool, a: Term, b: Term) -> Self {
        Pair { width: pool.width(a), a, b, left: pool.node(a), right: pool.node(b) }
    }

    /// The left operand's value, if constant.
    #[inline]
    fn left_const(&self) -> Option<u128> {
        match self.left {
            Node::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The right operand's value, if constant.
    #[inline]
    fn right_const(&self) -> Option<u128> {
        match self.right {
            Node::Const { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// A rule for an operator with two operands.
type PairRule = fn(&mut Pool, &Pair) -> Option<Term>;

#[inline]
fn first(rules: &[PairRule], pool: &mut Pool, pair: &Pair) -> Option<Term> {
    rules.iter().find_map(|rule| rule(pool, pair))
}

pub(crate) fn bin(pool: &mut Pool, op: BvOp, pair: &Pair) -> Option<Term> {
    if pair.width == 1
        && let Some(term) = boolean::bin(pool, op, pair)
    {
        return Some(term);
    }
    if let Some(term) = ite::bin_of_constant_choice(pool, op, pair) {
        return Some(term);
    }
    let rules = match op {
        BvOp::Add => sum::ADD,
        BvOp::Sub => sum::SUB,
        BvOp::Mul => product::MUL,
        BvOp::UDiv => division::UDIV,
        BvOp::SDiv => division::SDIV,
        BvOp::URem => division::UREM,
        BvOp::SRem => division::SREM,
        BvOp::Shl => shift::SHL,
        BvOp::LShr => shift::LSHR,
        BvOp::AShr => shift::ASHR,
        BvOp::And => bitwise::AND,
        BvOp::Or => bitwise::OR,
        BvOp::Xor => bitwise::XOR,
    };
    first(rules, pool, pair)
}

pub(crate) fn cmp(pool: &mut Pool, op: CmpOp, pair: &Pair) -> Option<Term> {
    if pair.a == pair.b {
        return Some(pool.truth(matches!(op, CmpOp::Eq | CmpOp::Ule | CmpOp::Sle)));
    }
    if pair.width == 1 {
        return boolean::cmp(pool, op, pair);
    }
    if let Some(term) = ite::cmp_of_constant_choice(pool, op, pair) {
        return Some(term);
    }
    match op {
        CmpOp::Eq => match pair.right_const() {
            Some(value) => equality::with_constant(pool, pair, value),
            None => first(equality::GENERAL, pool, pair),
        },
        CmpOp::Ult => first(order::ULT, pool, pair),
        CmpOp::Ule => first(order::ULE, pool, pair),
        CmpOp::Slt => first(order::SLT, pool, pair),
        CmpOp::Sle => first(order::SLE, pool, pair),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules that look into their operands must not follow them to the end.
    #[test]
    fn rules_do_not_recurse_over_the_depth_of_a_term() {
        const DEPTH: u128 = 100_000;
        let mut pool = Pool::new();
        let input = pool.input("x", 16);
        let bytes: Vec<Term> = (0..16).map(|at| pool.select_at(input, at)).collect();
        let wide: Vec<Term> = bytes.iter().map(|&byte| pool.zext(byte, 32)).collect();
        let conditions: Vec<Term> = (0..DEPTH)
            .map(|n| {
                let number = pool.constant(32, n * 7 + 3);
                let product = pool.mul(wide[n as usize % 16], wide[n as usize % 15]);
                pool.ult(product, number)
            })
            .collect();
        let (mut choice, mut sum, mut either, mut any) = (wide[0], wide[1], wide[2], conditions[0]);
        for n in 0..DEPTH {
            let number = pool.constant(32, n + 1000);
            choice = pool.ite(conditions[n as usize], number, choice);
            sum = pool.add(sum, wide[n as usize % 16]);
            let factor = pool.mul(sum, wide[3]);
            either = pool.or(either, factor);
            any = pool.or(any, conditions[n as usize]);
        }
        let zero = pool.constant(32, 0);
        for t in [choice, sum, either] {
            for op in CmpOp::ALL {
                pool.cmp(op, t, zero);
                pool.cmp(op, zero, t);
            }
            for op in BvOp::ALL {
                pool.bin(op, t, wide[5]);
            }
            pool.extract(t, 0, 8);
            pool.not(t);
            pool.sext(t, 64);
        }
        let none = pool.not(any);
        pool.and(none, any);
    }
}
