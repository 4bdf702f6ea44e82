//! Rebuilding terms with parts replaced.

use rustc_hash::FxHashMap;

use crate::node::{Array, ArrayNode, Node, Term};
use crate::pool::Pool;

#[derive(Clone, Copy)]
enum Item {
    Term(Term),
    Array(Array),
}

/// What became of every term and array so far, and what still waits.
#[derive(Default)]
struct Rebuild {
    terms: FxHashMap<Term, Term>,
    arrays: FxHashMap<Array, Array>,
    pending: Vec<Item>,
}

/// Terms that are rebuilt one after the other. What is in several of them is rebuilt once, so `map` must always say the
/// same.
#[derive(Default)]
pub struct Substitution {
    rebuild: Rebuild,
}

impl Substitution {
    /// As [`Pool::substitute`], without asking about `t` itself. Other terms of which it is a part do not learn of this.
    pub fn of_parts(&mut self, pool: &mut Pool, t: Term, map: &mut dyn FnMut(&mut Pool, Term) -> Option<Term>) -> Term {
        loop {
            if let Some(new) = self.rebuild.rebuilt(pool, t) {
                return new;
            }
            self.rebuild.run(pool, map);
        }
    }
}

impl Pool {
    /// Rebuilds `t` from its leaves. `map` is asked once about every subterm of the original, an outer one before its
    /// parts: where it gives a term, that stands in the subterm's place and its parts are not visited. The replacement
    /// must be as wide as what it replaces.
    pub fn substitute(&mut self, t: Term, map: &mut dyn FnMut(&mut Pool, Term) -> Option<Term>) -> Term {
        let mut rebuild = Rebuild { pending: vec![Item::Term(t)], ..Rebuild::default() };
        rebuild.run(self, map);
        rebuild.terms[&t]
    }

    /// Renames input arrays. An input and its replacement should have the same size: reads beyond an input's end give
    /// zero.
    pub fn replace_inputs(&mut self, t: Term, inputs: &FxHashMap<Array, Array>) -> Term {
        let mut rebuild = Rebuild { arrays: inputs.clone(), pending: vec![Item::Term(t)], ..Rebuild::default() };
        rebuild.run(self, &mut |_, _| None);
        rebuild.terms[&t]
    }
}

impl Rebuild {
    fn run(&mut self, pool: &mut Pool, map: &mut dyn FnMut(&mut Pool, Term) -> Option<Term>) {
        // A term whose parts were pushed already is not shown to `map` again.
        let mut opened = rustc_hash::FxHashSet::default();
        while let Some(&item) = self.pending.last() {
            let waiting = self.pending.len();
            match item {
                Item::Term(t) if self.terms.contains_key(&t) => {}
                Item::Term(t) => {
                    let replaced = if opened.insert(t) { map(pool, t) } else { None };
                    if let Some(new) = replaced {
                        assert_eq!(pool.width(new), pool.width(t), "{new} cannot stand in for {t}: widths differ");
                        self.terms.insert(t, new);
                    } else if let Some(new) = self.rebuilt(pool, t) {
                        self.terms.insert(t, new);
                    }
                }
                Item::Array(array) => {
                    if !self.arrays.contains_key(&array)
                        && let Some(new) = self.rebuilt_array(pool, array)
                    {
                        self.arrays.insert(array, new);
                    }
                }
            }
            if self.pending.len() == waiting {
                self.pending.pop();
            }
        }
    }

    fn term(&mut self, t: Term) -> Option<Term> {
        let new = self.terms.get(&t).copied();
        if new.is_none() {
            self.pending.push(Item::Term(t));
        }
        new
    }

    fn array(&mut self, array: Array) -> Option<Array> {
        let new = self.arrays.get(&array).copied();
        if new.is_none() {
            self.pending.push(Item::Array(array));
        }
        new
    }

    fn two(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let (a, b) = (self.term(a), self.term(b));
        a.zip(b)
    }

    /// The term over its new parts, or `None` after pushing the parts that are not there yet. What did not change is
    /// not built again.
    fn rebuilt(&mut self, pool: &mut Pool, t: Term) -> Option<Term> {
        Some(match pool.node(t) {
            Node::Const { .. } => t,
            Node::Select { array, index } => {
                let (new_array, new_index) = (self.array(array), self.term(index));
                let (new_array, new_index) = new_array.zip(new_index)?;
                if (new_array, new_index) == (array, index) { t } else { pool.select(new_array, new_index) }
            }
            Node::Bin { op, a, b } => {
                let (x, y) = self.two(a, b)?;
                if (x, y) == (a, b) { t } else { pool.bin(op, x, y) }
            }
            Node::Cmp { op, a, b } => {
                let (x, y) = self.two(a, b)?;
                if (x, y) == (a, b) { t } else { pool.cmp(op, x, y) }
            }
            Node::Concat { high, low } => {
                let (x, y) = self.two(high, low)?;
                if (x, y) == (high, low) { t } else { pool.concat(x, y) }
            }
            Node::Not(a) => {
                let x = self.term(a)?;
                if x == a { t } else { pool.not(x) }
            }
            Node::Extract { term, low, width } => {
                let x = self.term(term)?;
                if x == term { t } else { pool.extract(x, low, width) }
            }
            Node::ZExt { term, width } => {
                let x = self.term(term)?;
                if x == term { t } else { pool.zext(x, width) }
            }
            Node::SExt { term, width } => {
                let x = self.term(term)?;
                if x == term { t } else { pool.sext(x, width) }
            }
            Node::Ite { cond, then, other } => {
                let new_cond = self.term(cond);
                let sides = self.two(then, other);
                let (new_cond, (x, y)) = new_cond.zip(sides)?;
                if (new_cond, x, y) == (cond, then, other) { t } else { pool.ite(new_cond, x, y) }
            }
        })
    }

    fn rebuilt_array(&mut self, pool: &mut Pool, array: Array) -> Option<Array> {
        let ArrayNode::Store { array: below, index, value } = pool.array_node(array) else { return Some(array) };
        let new_below = self.array(below);
        let parts = self.two(index, value);
        let (new_below, (new_index, new_value)) = new_below.zip(parts)?;
        let same = (new_below, new_index, new_value) == (below, index, value);
        Some(if same { array } else { pool.store(new_below, new_index, new_value) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::BvOp;

    #[test]
    fn a_replaced_part_is_replaced_everywhere_and_folds() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (x, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let product = pool.bin(BvOp::Mul, x, y);
        let quotient = pool.bin(BvOp::UDiv, product, y);
        let (six, three) = (pool.constant(8, 6), pool.constant(8, 3));
        let half = pool.substitute(quotient, &mut |_, t| (t == y).then_some(three));
        let expected = pool.bin(BvOp::Mul, x, three);
        assert_eq!(half, pool.bin(BvOp::UDiv, expected, three));
        let whole = pool.substitute(half, &mut |_, t| (t == x).then_some(six));
        assert_eq!(pool.as_const(whole), Some(6));
    }

    #[test]
    fn parts_of_a_replaced_term_are_not_visited() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (x, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let quotient = pool.bin(BvOp::UDiv, x, y);
        let mut seen = Vec::new();
        let same = pool.substitute(quotient, &mut |_, t| {
            seen.push(t);
            (t == quotient).then_some(x)
        });
        assert_eq!((same, seen), (x, vec![quotient]));
    }

    #[test]
    fn a_term_that_is_not_asked_about_is_still_replaced_in_others() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (x, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let quotient = pool.bin(BvOp::UDiv, x, y);
        let square = pool.bin(BvOp::Mul, quotient, quotient);
        let mut asked = Vec::new();
        let mut map = |_: &mut Pool, t: Term| {
            asked.push(t);
            [(quotient, y), (x, y)].into_iter().find_map(|(old, new)| (t == old).then_some(new))
        };
        let mut substitution = Substitution::default();
        let parts = substitution.of_parts(&mut pool, quotient, &mut map);
        let whole = substitution.of_parts(&mut pool, square, &mut map);
        assert_eq!((parts, whole), (pool.bin(BvOp::UDiv, y, y), pool.bin(BvOp::Mul, y, y)));
        asked.sort_unstable();
        assert!(asked.is_sorted_by(|a, b| a < b), "each once: {asked:?}");
    }

    #[test]
    fn inputs_are_renamed_under_stores_too() {
        let mut pool = Pool::new();
        let (old, new) = (pool.input("old", 4), pool.input("new", 4));
        let build = |pool: &mut Pool, input| {
            let (value, index) = (pool.select_at(input, 0), pool.select_at(input, 1));
            let index = pool.zext(index, 64);
            let stored = pool.store(input, index, value);
            let place = pool.select_at(input, 2);
            let place = pool.zext(place, 64);
            pool.select(stored, place)
        };
        let (before, after) = (build(&mut pool, old), build(&mut pool, new));
        assert_ne!(before, after);
        let inputs = FxHashMap::from_iter([(old, new)]);
        assert_eq!(pool.replace_inputs(before, &inputs), after);
        assert_eq!(pool.replace_inputs(after, &inputs), after);
    }

    #[test]
    fn a_term_of_great_depth_is_rebuilt() {
        let mut pool = Pool::new();
        let x = pool.input("x", 3);
        let [a, b, c] = [0, 1, 2].map(|at| pool.select_at(x, at));
        let deep = |pool: &mut Pool, leaf| (0..100_000).fold(leaf, |t, _| pool.bin(BvOp::UDiv, a, t));
        let (old, new) = (deep(&mut pool, b), deep(&mut pool, c));
        assert_eq!(pool.substitute(old, &mut |_, t| (t == b).then_some(c)), new);
    }
}
