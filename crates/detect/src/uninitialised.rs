//! uninitialised: nothing of consequence may depend on memory that nobody wrote. Off by default: the engine has to make
//! fresh memory symbolic for it.
//!
//! Fresh bytes are inputs of their own. A value depends on them if changing only them can change it, so the obligation
//! is that the value stays the same when each such input is exchanged for a twin that nothing constrains. A copy of
//! uninitialised bytes, or a mask that drops them, is no error.

use osier_exec::outcome::Kind;
use osier_exec::{Checking, Monitor, Obligation, UninitialisedUse};
use osier_term::{Array, ArrayNode, Node, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of input arrays that stand for fresh memory begin so.
pub const UNINITIALISED: &str = "uninitialised!";

/// The names of their twins begin so; they are not fresh memory themselves.
const TWIN: &str = "twin!";

#[derive(Default)]
struct Uninitialised {
    twins: FxHashMap<Array, Array>,
    /// Terms and arrays in which no fresh memory occurs.
    clean_terms: FxHashSet<Term>,
    clean_arrays: FxHashSet<Array>,
}

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::<Uninitialised>::default()
}

impl Monitor for Uninitialised {
    fn name(&self) -> &'static str {
        "uninitialised"
    }

    fn before_use(&mut self, cx: &mut Checking<'_>, term: Term, usage: UninitialisedUse) -> Option<Obligation> {
        let fresh = self.fresh_arrays(cx.pool, term);
        if fresh.is_empty() {
            return None;
        }
        for &array in &fresh {
            self.twins.entry(array).or_insert_with(|| twin(cx.pool, array));
        }
        let other = cx.pool.replace_inputs(term, &self.twins);
        let message = match usage {
            UninitialisedUse::Branch => "branch on an uninitialised value",
            UninitialisedUse::Address => "address from an uninitialised value",
        };
        Some(Obligation {
            holds: cx.pool.eq(term, other),
            kind: Kind::Uninitialised,
            explain: Box::new(move |_| (message.to_string(), Vec::new())),
        })
    }
}

fn twin(pool: &mut Pool, array: Array) -> Array {
    match pool.array_node(array) {
        ArrayNode::Input { name, size, .. } => {
            let name = format!("{TWIN}{name}");
            pool.input(&name, size)
        }
        ArrayNode::Table { .. } | ArrayNode::Store { .. } => unreachable!("{array} is no input"),
    }
}

impl Uninitialised {
    /// The arrays of fresh memory that occur in a term.
    fn fresh_arrays(&mut self, pool: &Pool, term: Term) -> Vec<Array> {
        let mut found = Vec::new();
        let mut walk = Walk { terms: vec![term], arrays: Vec::new() };
        let (mut seen_terms, mut seen_arrays) = (FxHashSet::default(), FxHashSet::default());
        loop {
            if let Some(term) = walk.terms.pop() {
                if !self.clean_terms.contains(&term) && seen_terms.insert(term) {
                    walk.enter_term(pool.node(term));
                }
            } else if let Some(array) = walk.arrays.pop() {
                if !self.clean_arrays.contains(&array) && seen_arrays.insert(array) && walk.enter_array(pool, array) {
                    found.push(array);
                }
            } else {
                break;
            }
        }
        if found.is_empty() {
            self.clean_terms.extend(seen_terms);
            self.clean_arrays.extend(seen_arrays);
        }
        found
    }
}

/// What is still to be looked at. Terms can be very deep, so nothing here recurses.
struct Walk {
    terms: Vec<Term>,
    arrays: Vec<Array>,
}

impl Walk {
    fn enter_term(&mut self, node: Node) {
        match node {
            Node::Const { .. } => {}
            Node::Select { array, index } => {
                self.arrays.push(array);
                self.terms.push(index);
            }
            Node::Bin { a, b, .. } | Node::Cmp { a, b, .. } => self.terms.extend([a, b]),
            Node::Not(term) | Node::Extract { term, .. } | Node::ZExt { term, .. } | Node::SExt { term, .. } => {
                self.terms.push(term);
            }
            Node::Concat { high, low } => self.terms.extend([high, low]),
            Node::Ite { cond, then, other } => self.terms.extend([cond, then, other]),
        }
    }

    /// True if the array is fresh memory.
    fn enter_array(&mut self, pool: &Pool, array: Array) -> bool {
        match pool.array_node(array) {
            ArrayNode::Input { name, .. } => name.starts_with(UNINITIALISED),
            ArrayNode::Table { .. } => false,
            ArrayNode::Store { array, index, value } => {
                self.arrays.push(array);
                self.terms.extend([index, value]);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    fn holds(world: &mut World, monitor: &mut Uninitialised, term: Term) -> Option<Term> {
        monitor.before_use(&mut world.checking(), term, UninitialisedUse::Branch).map(|obligation| obligation.holds)
    }

    #[test]
    fn initialised_values_have_no_obligation() {
        let mut world = World::new();
        let input = world.symbolic("input", 32);
        let mut monitor = Uninitialised::default();
        assert!(holds(&mut world, &mut monitor, input).is_none());
        assert!(monitor.clean_terms.contains(&input));
        assert!(holds(&mut world, &mut monitor, input).is_none());
    }

    #[test]
    fn a_value_that_fresh_memory_can_change_can_fail() {
        let mut world = World::new();
        let mut monitor = Uninitialised::default();
        let array = world.pool.input("uninitialised!x", 4);
        let byte = world.pool.select_at(array, 2);
        let limit = world.pool.constant(8, 7);
        let condition = world.pool.ult(byte, limit);
        let obligation = holds(&mut world, &mut monitor, condition).expect("there is fresh memory in it");
        let twin = monitor.twins[&array];
        assert!(world.holds(obligation));
        world.state.witness.set(twin, [0, 0, 9, 0].into());
        assert!(!world.holds(obligation));
        // Both on one side of the limit: the branch goes the same way.
        world.state.witness.set(array, [0, 0, 8, 0].into());
        assert!(world.holds(obligation));
        // The twin serves again, so what the path has learnt about it stays of use.
        holds(&mut world, &mut monitor, byte);
        assert_eq!(monitor.twins[&array], twin);
    }

    #[test]
    fn fresh_memory_under_stores_is_found() {
        let mut world = World::new();
        let mut monitor = Uninitialised::default();
        let array = world.pool.input("uninitialised!x", 4);
        let index = world.symbolic("index", 64);
        let at = world.symbolic("at", 64);
        let value = world.pool.constant(8, 1);
        let stored = world.pool.store(array, index, value);
        let read = world.pool.select(stored, at);
        assert!(holds(&mut world, &mut monitor, read).is_some());
    }

    #[test]
    fn the_message_tells_the_use() {
        let mut world = World::new();
        let array = world.pool.input("uninitialised!x", 1);
        let byte = world.pool.select_at(array, 0);
        let mut monitor = Uninitialised::default();
        for (usage, expected) in [
            (UninitialisedUse::Branch, "branch on an uninitialised value"),
            (UninitialisedUse::Address, "address from an uninitialised value"),
        ] {
            monitor.before_use(&mut world.checking(), byte, usage);
            world.state.witness.set(array, [1].into());
            let verdict = world.verdict(|cx| monitor.before_use(cx, byte, usage));
            assert_eq!(verdict, Some((Kind::Uninitialised, expected.to_string())));
        }
    }
}
