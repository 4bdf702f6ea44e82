//! Terms into Bitwuzla's terms, each once. Both follow SMT-LIB, so operators map one to one.
//!
//! Bitwuzla tells booleans from bit-vectors of one bit, and we do not: a width-1 term becomes a boolean, and gets a
//! second form as a bit-vector only where an operator needs one.

use bitwuzla_sys as c;
use osier_solver::term_weight;
use osier_term::{BvOp, CmpOp, Node, Pool, Term};
use rustc_hash::FxHashMap;

use crate::arrays::Arrays;
use crate::session::{Handle, Session, Verdict};

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

    /// Translates a term and all below it. Not recursive: terms can be deeper than the stack. If the session has to stop,
    /// what was translated so far stays.
    pub(crate) fn translate(&mut self, session: &mut Session, pool: &Pool, root: Term) -> Result<Handle, Verdict> {
        if let Some(&handle) = self.done.get(&root) {
            return Ok(handle);
        }
        let mut open = vec![(root, false)];
        while let Some((t, children_done)) = open.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            if children_done {
                if let Some(stopped) = session.stopped() {
                    return Err(stopped);
                }
                let handle = self.build(session, pool, t);
                self.done.insert(t, handle);
                self.weight += term_weight(pool, t);
            } else {
                open.push((t, true));
                pool.for_each_child(t, |child| open.push((child, false)));
            }
        }
        Ok(self.done[&root])
    }

    /// The handle of a term that is translated.
    pub(crate) fn get(&self, t: Term) -> Handle {
        self.done[&t]
    }

    /// As a bit-vector whatever its width.
    fn vector(&mut self, session: &mut Session, pool: &Pool, t: Term) -> Handle {
        let handle = self.done[&t];
        if pool.width(t) != 1 {
            return handle;
        }
        if let Some(&vector) = self.as_vector.get(&t) {
            return vector;
        }
        let (one, zero) = (session.value(1, 1), session.value(1, 0));
        let vector = session.ite(handle, one, zero);
        self.as_vector.insert(t, vector);
        vector
    }

    /// Turns a vector of one bit into a boolean, and leaves wider ones.
    fn settle(session: &mut Session, width: u32, vector: Handle) -> Handle {
        if width != 1 {
            return vector;
        }
        let one = session.value(1, 1);
        session.mk2(c::BITWUZLA_KIND_EQUAL, vector, one)
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
            Node::Bin { op, a, b } => {
                if let (1, Some(kind)) = (width, boolean_kind(op)) {
                    return session.mk2(kind, self.get(a), self.get(b));
                }
                let (a, b) = (self.vector(session, pool, a), self.vector(session, pool, b));
                let vector = session.mk2(vector_kind(op), a, b);
                Self::settle(session, width, vector)
            }
            Node::Cmp { op: CmpOp::Eq, a, b } => session.mk2(c::BITWUZLA_KIND_EQUAL, self.get(a), self.get(b)),
            Node::Cmp { op, a, b } => {
                let (a, b) = (self.vector(session, pool, a), self.vector(session, pool, b));
                session.mk2(compare_kind(op), a, b)
            }
            Node::Not(a) if width == 1 => session.mk1(c::BITWUZLA_KIND_NOT, self.get(a)),
            Node::Not(a) => session.mk1(c::BITWUZLA_KIND_BV_NOT, self.get(a)),
            Node::Concat { high, low } => {
                let (high, low) = (self.vector(session, pool, high), self.vector(session, pool, low));
                session.mk2(c::BITWUZLA_KIND_BV_CONCAT, high, low)
            }
            Node::Extract { term, low, width } => {
                let a = self.vector(session, pool, term);
                let vector = session.extract(a, low + width - 1, low);
                Self::settle(session, width, vector)
            }
            Node::ZExt { term, width } => {
                let a = self.vector(session, pool, term);
                session.mk1_indexed(c::BITWUZLA_KIND_BV_ZERO_EXTEND, a, width - pool.width(term))
            }
            Node::SExt { term, width } => {
                let a = self.vector(session, pool, term);
                session.mk1_indexed(c::BITWUZLA_KIND_BV_SIGN_EXTEND, a, width - pool.width(term))
            }
            Node::Ite { cond, then, other } => session.ite(self.get(cond), self.get(then), self.get(other)),
        }
    }
}

/// The operators that booleans have too.
fn boolean_kind(op: BvOp) -> Option<c::BitwuzlaKind> {
    match op {
        BvOp::And | BvOp::Mul => Some(c::BITWUZLA_KIND_AND),
        BvOp::Or => Some(c::BITWUZLA_KIND_OR),
        BvOp::Xor | BvOp::Add | BvOp::Sub => Some(c::BITWUZLA_KIND_XOR),
        BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem | BvOp::Shl | BvOp::LShr | BvOp::AShr => None,
    }
}

fn vector_kind(op: BvOp) -> c::BitwuzlaKind {
    match op {
        BvOp::Add => c::BITWUZLA_KIND_BV_ADD,
        BvOp::Sub => c::BITWUZLA_KIND_BV_SUB,
        BvOp::Mul => c::BITWUZLA_KIND_BV_MUL,
        BvOp::UDiv => c::BITWUZLA_KIND_BV_UDIV,
        BvOp::SDiv => c::BITWUZLA_KIND_BV_SDIV,
        BvOp::URem => c::BITWUZLA_KIND_BV_UREM,
        BvOp::SRem => c::BITWUZLA_KIND_BV_SREM,
        BvOp::Shl => c::BITWUZLA_KIND_BV_SHL,
        BvOp::LShr => c::BITWUZLA_KIND_BV_SHR,
        BvOp::AShr => c::BITWUZLA_KIND_BV_ASHR,
        BvOp::And => c::BITWUZLA_KIND_BV_AND,
        BvOp::Or => c::BITWUZLA_KIND_BV_OR,
        BvOp::Xor => c::BITWUZLA_KIND_BV_XOR,
    }
}

fn compare_kind(op: CmpOp) -> c::BitwuzlaKind {
    match op {
        CmpOp::Eq => c::BITWUZLA_KIND_EQUAL,
        CmpOp::Ult => c::BITWUZLA_KIND_BV_ULT,
        CmpOp::Ule => c::BITWUZLA_KIND_BV_ULE,
        CmpOp::Slt => c::BITWUZLA_KIND_BV_SLT,
        CmpOp::Sle => c::BITWUZLA_KIND_BV_SLE,
    }
}
