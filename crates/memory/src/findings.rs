//! What was found out about pointers on the way of one path.
//!
//! A path only ever becomes narrower, so what it has ruled out once stays ruled out, and the values that a pointer may
//! have now are among those that it could have before. Programs follow the same pointer again and again (the fields of
//! a node, the bytes of a string), and without this each time would ask the same questions.

use osier_term::{BvOp, Node, Pool, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Beyond so many entries all are forgotten: they are copied where states part.
const MOST_FINDINGS: usize = 2048;

/// States that part share it until one of them finds out more.
#[derive(Clone, Default)]
pub struct Findings {
    conditions: Rc<FxHashMap<Term, Finding>>,
    values: Rc<FxHashMap<Term, Rc<[u64]>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The path does not allow the condition.
    RuledOut,
    /// The path allowed it when it was this long.
    Allowed { length: usize },
}

impl Findings {
    pub fn of(&self, condition: Term) -> Option<Finding> {
        self.conditions.get(&condition).copied()
    }

    pub fn note(&mut self, condition: Term, finding: Finding) {
        let conditions = Rc::make_mut(&mut self.conditions);
        if conditions.len() >= MOST_FINDINGS {
            conditions.clear();
        }
        conditions.insert(condition, finding);
    }

    /// The only values that a pointer may have, in the order in which they were found.
    pub fn values_of(&self, pool: &Pool, pointer: Term) -> Option<Vec<u64>> {
        let (root, plus) = apart(pool, pointer);
        Some(self.values.get(&root)?.iter().map(|value| value.wrapping_add(plus)).collect())
    }

    /// These are the only values that a pointer may have.
    pub fn note_values(&mut self, pool: &Pool, pointer: Term, found: &[u64]) {
        let (root, plus) = apart(pool, pointer);
        let values = Rc::make_mut(&mut self.values);
        if values.len() >= MOST_FINDINGS {
            values.clear();
        }
        values.insert(root, found.iter().map(|value| value.wrapping_sub(plus)).collect());
    }

    /// For a path that became wider.
    pub(crate) fn forget(&mut self) {
        *self = Findings::default();
    }
}

/// A pointer without the constant that is added to it, and the constant.
fn apart(pool: &Pool, pointer: Term) -> (Term, u64) {
    let Node::Bin { op: BvOp::Add, a, b } = pool.node(pointer) else { return (pointer, 0) };
    match (pool.as_const(a), pool.as_const(b)) {
        (Some(plus), _) => (b, plus as u64),
        (None, Some(plus)) => (a, plus as u64),
        (None, None) => (pointer, 0),
    }
}

/// Whether a pointer was read from memory as it is, or lies at a fixed distance from one that was: such a pointer has as
/// many values as there are objects, as a rule, where one that is computed may lead to each byte of an object.
pub fn was_stored(pool: &Pool, pointer: Term) -> bool {
    match pool.node(apart(pool, pointer).0) {
        Node::Select { .. } | Node::Concat { .. } | Node::Extract { .. } | Node::Ite { .. } => true,
        Node::Const { .. }
        | Node::Bin { .. }
        | Node::Cmp { .. }
        | Node::Not(_)
        | Node::ZExt { .. }
        | Node::SExt { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_a_pointer_are_those_of_every_field_behind_it() {
        let mut pool = Pool::new();
        let input = pool.input("p", 8);
        let bytes: Vec<Term> = (0..8).map(|i| pool.select_at(input, i)).collect();
        let pointer = bytes.iter().rev().copied().reduce(|high, low| pool.concat(high, low)).unwrap();
        let (eight, forty) = (pool.constant(64, 8), pool.constant(64, 40));
        let (field, other) = (pool.add(pointer, eight), pool.add(pointer, forty));
        let mut findings = Findings::default();
        assert_eq!(findings.values_of(&pool, other), None);
        findings.note_values(&pool, field, &[0x1008, 8]);
        assert_eq!(findings.values_of(&pool, other), Some(vec![0x1028, 40]));
        assert_eq!(findings.values_of(&pool, pointer), Some(vec![0x1000, 0]));
        let doubled = pool.add(pointer, pointer);
        assert_eq!(findings.values_of(&pool, doubled), None);
        assert!(was_stored(&pool, field) && !was_stored(&pool, doubled));
    }

    #[test]
    fn what_one_state_finds_out_another_does_not_know() {
        let mut pool = Pool::new();
        let input = pool.input("c", 1);
        let (byte, one) = (pool.select_at(input, 0), pool.constant(8, 1));
        let condition = pool.eq(byte, one);
        let mut findings = Findings::default();
        findings.note(condition, Finding::Allowed { length: 3 });
        let mut child = findings.clone();
        child.note(condition, Finding::RuledOut);
        assert_eq!(findings.of(condition), Some(Finding::Allowed { length: 3 }));
        assert_eq!(child.of(condition), Some(Finding::RuledOut));
        child.forget();
        assert_eq!(child.of(condition), None);
    }
}
