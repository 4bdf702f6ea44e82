//! Terms into Z3's terms, each once. Both follow SMT-LIB, so operators map one to one.
//!
//! Z3 tells booleans from bit-vectors of one bit, and we do not: a width-1 term becomes a boolean, and gets a second
//! form as a bit-vector only where an operator needs one.

use osier_solver::term_weight;
use osier_term::{BvOp, CmpOp, Node, Pool, Term};
use rustc_hash::FxHashMap;

use crate::arrays::Arrays;
use crate::ffi as c;
use crate::session::{Handle, Session};

/// Everything that was translated in one session.
#[derive(Default)]
pub(crate) struct Translator {
    done: FxHashMap<Term, Handle>,
    /// Width-1 terms in their second form.
    as_vector: FxHashMap<Term, Handle>,
    pub(crate) arrays: Arrays,
    weight: usize,
}

impl Translator {
    /// About how many terms the session holds.
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    /// Translates a term and all below it. Not recursive: terms can be deeper than the stack.
    pub(crate) fn translate(&mut self, session: &mut Session, pool: &Pool, root: Term) -> Handle {
        if let Some(&handle) = self.done.get(&root) {
            return handle;
        }
        let mut open = vec![(root, false)];
        while let Some((t, children_done)) = open.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            if children_done {
                let handle = self.build(session, pool, t);
                self.done.insert(t, handle);
                self.weight += term_weight(pool, t);
            } else {
                open.push((t, true));
                pool.for_each_child(t, |child| open.push((child, false)));
            }
        }
        self.done[&root]
    }

    fn get(&self, t: Term) -> Handle {
        self.done[&t]
    }

    /// As a bit-vector whatever its width.
    fn vector(&mut self, session: &mut Session, pool: &Pool, t: Term) -> Handle {
        let handle = self.done[&t];
        if pool.width(t) != 1 {
            return handle;
        }
        *self.as_vector.entry(t).or_insert_with(|| {
            let (one, zero) = (session.value(1, 1), session.value(1, 0));
            session.ite(handle, one, zero)
        })
    }

    /// Turns a vector of one bit into a boolean, and leaves wider ones.
    fn settle(session: &mut Session, width: u32, vector: Handle) -> Handle {
        if width != 1 {
            return vector;
        }
        let one = session.value(1, 1);
        session.eq(vector, one)
    }

    fn build(&mut self, session: &mut Session, pool: &Pool, t: Term) -> Handle {
        let width = pool.width(t);
        match pool.node(t) {
            Node::Const { value, .. } if width == 1 => session.truth(value == 1),
            Node::Const { value, .. } => session.value(width, value),
            Node::Select { array, index } => {
                let done = &self.done;
                self.arrays.read(session, pool, &|t| done[&t], array, index)
            }
            Node::Bin { op: BvOp::And | BvOp::Mul, a, b } if width == 1 => session.and(self.get(a), self.get(b)),
            Node::Bin { op: BvOp::Or, a, b } if width == 1 => session.or(self.get(a), self.get(b)),
            Node::Bin { op: BvOp::Xor | BvOp::Add | BvOp::Sub, a, b } if width == 1 => {
                session.binary(c::Z3_mk_xor, self.get(a), self.get(b))
            }
            Node::Bin { op, a, b } => {
                let (a, b) = (self.vector(session, pool, a), self.vector(session, pool, b));
                let vector = session.binary(vector_function(op), a, b);
                Self::settle(session, width, vector)
            }
            Node::Cmp { op: CmpOp::Eq, a, b } => session.eq(self.get(a), self.get(b)),
            Node::Cmp { op, a, b } => {
                let (a, b) = (self.vector(session, pool, a), self.vector(session, pool, b));
                session.binary(compare_function(op), a, b)
            }
            Node::Not(a) if width == 1 => session.unary(c::Z3_mk_not, self.get(a)),
            Node::Not(a) => session.unary(c::Z3_mk_bvnot, self.get(a)),
            Node::Concat { high, low } => {
                let (high, low) = (self.vector(session, pool, high), self.vector(session, pool, low));
                session.binary(c::Z3_mk_concat, high, low)
            }
            Node::Extract { term, low, width } => {
                let a = self.vector(session, pool, term);
                let vector = session.extract(a, low + width - 1, low);
                Self::settle(session, width, vector)
            }
            Node::ZExt { term, width } => {
                let a = self.vector(session, pool, term);
                session.zero_extend(width - pool.width(term), a)
            }
            Node::SExt { term, width } => {
                let a = self.vector(session, pool, term);
                session.sign_extend(width - pool.width(term), a)
            }
            Node::Ite { cond, then, other } => session.ite(self.get(cond), self.get(then), self.get(other)),
        }
    }
}

fn vector_function(op: BvOp) -> c::Binary {
    match op {
        BvOp::Add => c::Z3_mk_bvadd,
        BvOp::Sub => c::Z3_mk_bvsub,
        BvOp::Mul => c::Z3_mk_bvmul,
        BvOp::UDiv => c::Z3_mk_bvudiv,
        BvOp::SDiv => c::Z3_mk_bvsdiv,
        BvOp::URem => c::Z3_mk_bvurem,
        BvOp::SRem => c::Z3_mk_bvsrem,
        BvOp::Shl => c::Z3_mk_bvshl,
        BvOp::LShr => c::Z3_mk_bvlshr,
        BvOp::AShr => c::Z3_mk_bvashr,
        BvOp::And => c::Z3_mk_bvand,
        BvOp::Or => c::Z3_mk_bvor,
        BvOp::Xor => c::Z3_mk_bvxor,
    }
}

fn compare_function(op: CmpOp) -> c::Binary {
    match op {
        CmpOp::Eq => c::Z3_mk_eq,
        CmpOp::Ult => c::Z3_mk_bvult,
        CmpOp::Ule => c::Z3_mk_bvule,
        CmpOp::Slt => c::Z3_mk_bvslt,
        CmpOp::Sle => c::Z3_mk_bvsle,
    }
}
