//! Rewrite rules, tried when a term is built. One file a family; each rule is a function that states its equation, and
//! the tables here and in the families give the order in which they are tried.
//!
//! What rules agree on, so that equal terms meet:
//! - A constant operand of a commutative operator is the right one; other operands stand in order of their ids.
//!
//! Operands were simplified when they were built, constants were folded before a rule is asked, and a rule builds its
//! result through the pool, so that the result is simplified in turn. A rule must not increase a term without bound:
//! [`Pool::simplify`] cuts off what nests too deeply, but that is a net, not a plan.

mod arrays;

pub(crate) use arrays::{select, store};

use crate::node::{BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// Two operands of one width and what they are.
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
}

pub(crate) fn bin(_pool: &mut Pool, _op: BvOp, _pair: &Pair) -> Option<Term> {
    None
}
pub(crate) fn cmp(_pool: &mut Pool, _op: CmpOp, _pair: &Pair) -> Option<Term> {
    None
}
pub(crate) fn not(_pool: &mut Pool, _t: Term) -> Option<Term> {
    None
}
pub(crate) fn concat(_pool: &mut Pool, _pair: &Pair) -> Option<Term> {
    None
}
pub(crate) fn extract(_pool: &mut Pool, _t: Term, _low: u32, _width: u32) -> Option<Term> {
    None
}
pub(crate) fn zext(_pool: &mut Pool, _t: Term, _width: u32) -> Option<Term> {
    None
}
pub(crate) fn sext(_pool: &mut Pool, _t: Term, _width: u32) -> Option<Term> {
    None
}
pub(crate) fn ite(_pool: &mut Pool, _cond: Term, _then: Term, _other: Term) -> Option<Term> {
    None
}
