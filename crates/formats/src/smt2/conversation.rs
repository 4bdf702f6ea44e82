//! Questions to a solver that keeps running: what it was told once is not told again.

use std::fmt::Write;
use std::mem;

use osier_term::{Array, Pool, Term};
use rustc_hash::FxHashMap;

use super::print::Script;
use crate::names::Names;
use crate::shape::Shape;

/// What the solver was told since it was started or reset.
#[derive(Default)]
pub struct Conversation {
    names: Names,
    text: FxHashMap<Term, (String, u32)>,
    versions: FxHashMap<Array, String>,
}

/// Two pieces of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Declarations and definitions, to be made for good; later questions use them.
    pub for_good: String,
    /// Assertions of this question, to be made in a level of their own.
    pub assertions: String,
    /// The arrays that this question reads, without stores: inputs and tables.
    pub arrays: Vec<Array>,
}

impl Conversation {
    /// What is to be said for the constraints to be asserted.
    pub fn tell(&mut self, pool: &Pool, constraints: &[Term]) -> Told {
        let shape = Shape::of(pool, constraints);
        let mut for_good = String::new();
        let Conversation { names, text, versions } = mem::take(self);
        let mut script = Script { pool, names, text, versions };
        let arrays = shape.arrays(pool, &[]);
        for &array in &arrays {
            if script.names.add(pool, array) {
                script.declare(&mut for_good, array);
            }
        }
        script.define(&mut for_good, &shape);
        let mut assertions = String::new();
        for c in constraints {
            let _ = writeln!(assertions, "(assert {})", script.text[c].0);
        }
        *self = Conversation { names: script.names, text: script.text, versions: script.versions };
        Told { for_good, assertions, arrays }
    }

    /// A byte of an array that the solver was told of, as a term of the script.
    pub fn byte(&self, array: Array, at: u32) -> String {
        format!("(select {} #x{at:016x})", self.names.get(array))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_once_is_not_told_again() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let product = pool.mul(a, b);
        let (low, high) = (pool.ult(product, a), pool.ult(product, b));
        let mut conversation = Conversation::default();
        let first = conversation.tell(&pool, &[low, high]);
        assert_eq!(first.for_good.matches("declare-fun x ").count(), 1, "{first:?}");
        assert_eq!(first.for_good.matches("bvmul").count(), 1, "{first:?}");
        assert_eq!(first.assertions.lines().count(), 2, "{first:?}");
        assert_eq!(first.arrays, [input]);
        assert_eq!(conversation.byte(input, 1), "(select x #x0000000000000001)");
        let second = conversation.tell(&pool, &[high]);
        assert_eq!((second.for_good.as_str(), second.assertions.lines().count()), ("", 1), "{second:?}");
        let other = pool.input("x", 1);
        let c = pool.select_at(other, 0);
        let equal = pool.eq(c, product);
        let third = conversation.tell(&pool, &[equal]);
        assert_eq!(third.for_good, "(declare-fun x_1 () (Array (_ BitVec 64) (_ BitVec 8)))\n");
        assert!(third.assertions.contains(&product.to_string()), "{third:?}");
    }
}
