//! Puts what is equal in place of what it equals, through all constraints of a query.
//!
//! A byte of which one value is left is that value. A byte that equals another byte is that one. A term that a
//! constraint sets equal to a constant is the constant in all other constraints, and a condition that is a constraint
//! is true in all others. What then folds away makes the query smaller, or decides it.

use osier_term::{Array, ArrayNode, Assignment, CmpOp, Node, Pool, Term};
use rustc_hash::FxHashMap;

use crate::assume::{Assumed, Settled, byte_read};
use crate::domains::one_byte;
use crate::simplify::simplified;
use crate::slices::support_of;

/// What a query became.
pub(crate) enum Reduced {
    /// Nothing could be put in place of anything.
    Same,
    False,
    To(Reduction),
}

pub(crate) struct Reduction {
    /// Solvable exactly if the query is.
    pub(crate) constraints: Vec<Term>,
    definitions: Vec<(Place, Definition)>,
}

#[derive(Clone, Copy)]
struct Place {
    array: Array,
    size: u32,
    index: u32,
}

#[derive(Clone, Copy)]
enum Definition {
    Value(u8),
    Same(Place),
}

impl Reduction {
    /// Gives the bytes that were replaced their values.
    pub(crate) fn complete(&self, model: &mut Assignment) {
        for (place, definition) in &self.definitions {
            let value = match definition {
                Definition::Value(value) => *value,
                Definition::Same(other) => model.get(other.array, other.index.into()),
            };
            if model.get(place.array, place.index.into()) != value {
                model.set_byte(place.array, place.size, place.index, value);
            }
        }
    }
}

fn place_of(pool: &Pool, byte: Term) -> Option<Place> {
    let Node::Select { array, index } = pool.node(byte) else { return None };
    let ArrayNode::Input { size, .. } = pool.array_node(array) else { return None };
    Some(Place { array, size, index: pool.as_const(index)? as u32 })
}

/// What stands for what.
struct Equalities {
    /// Bytes that equal a byte with a smaller id.
    same: FxHashMap<Term, Term>,
    /// What a term is, and the constraint that says so.
    values: FxHashMap<Term, (Term, Term)>,
}

impl Equalities {
    fn representative(&self, mut byte: Term) -> Term {
        while let Some(&other) = self.same.get(&byte) {
            byte = other;
        }
        byte
    }

    fn of(pool: &mut Pool, constraints: &[Term]) -> Self {
        let mut found = Equalities { same: FxHashMap::default(), values: FxHashMap::default() };
        let (truth, falsity) = (pool.truth(true), pool.truth(false));
        for &constraint in constraints {
            found.values.insert(constraint, (truth, constraint));
            match pool.node(constraint) {
                Node::Not(denied) => {
                    found.values.insert(denied, (falsity, constraint));
                }
                Node::Cmp { op: CmpOp::Eq, a, b } => {
                    if pool.as_const(b).is_some() {
                        found.values.insert(a, (b, constraint));
                    } else if byte_read(pool, a).is_some() && byte_read(pool, b).is_some() {
                        let (a, b) = (found.representative(a), found.representative(b));
                        if a != b {
                            found.same.insert(a.max(b), a.min(b));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Rewrites the constraints by what they say is equal; `assumed` must follow from them, and `settled` from those among
/// them that are over one byte.
pub(crate) fn reduce(pool: &mut Pool, constraints: &[Term], assumed: &Assumed, settled: &Settled) -> Reduced {
    let equalities = Equalities::of(pool, constraints);
    let mut bytes: FxHashMap<Term, Term> = FxHashMap::default();
    let mut rebuilt = Vec::with_capacity(constraints.len());
    let mut any = false;
    for &constraint in constraints {
        let is_wide = one_byte(&pool.support(constraint)).is_none();
        let new = pool.substitute(constraint, &mut |pool, t| {
            if let Some(byte) = byte_read(pool, t) {
                let stand_in = match assumed.fixed_byte(byte) {
                    Some(value) => pool.constant(8, value.into()),
                    None => equalities.representative(t),
                };
                if stand_in != t {
                    bytes.insert(t, stand_in);
                    return Some(stand_in);
                }
                return None;
            }
            if is_wide && let Some(value) = settled.value(t) {
                let width = pool.width(t);
                return Some(pool.constant(width, value));
            }
            match equalities.values.get(&t) {
                Some(&(value, because)) if because != constraint => Some(value),
                Some(_) | None => None,
            }
        });
        any |= new != constraint;
        rebuilt.push(new);
    }
    if !any {
        return Reduced::Same;
    }
    let Some(constraints) = simplified(pool, &rebuilt) else { return Reduced::False };
    finish(pool, constraints, &bytes)
}

fn finish(pool: &mut Pool, mut constraints: Vec<Term>, bytes: &FxHashMap<Term, Term>) -> Reduced {
    let support = support_of(pool, &constraints);
    let mut replaced: Vec<(Term, Term)> = bytes.iter().map(|(&old, &new)| (old, new)).collect();
    replaced.sort_unstable();
    let mut definitions = Vec::with_capacity(replaced.len());
    for (old, new) in replaced {
        // A read at an open index still sees the byte.
        if byte_read(pool, old).is_some_and(|byte| support.contains_byte(byte)) {
            constraints.push(pool.eq(old, new));
            continue;
        }
        let Some(place) = place_of(pool, old) else { continue };
        let definition = match (pool.as_const(new), place_of(pool, new)) {
            (Some(value), _) => Definition::Value(value as u8),
            (None, Some(other)) => Definition::Same(other),
            (None, None) => continue,
        };
        definitions.push((place, definition));
    }
    Reduced::To(Reduction { constraints, definitions })
}
