//! Puts what is equal in place of what it equals, through all constraints of a query.
//!
//! A byte of which one value is left is that value. A byte that equals another byte is that one. A term that a
//! constraint sets equal to a constant is the constant in all other constraints, and a condition that is a constraint
//! is true in all others. What then folds away makes the query smaller, or decides it.

use osier_term::{Array, ArrayNode, Assignment, CmpOp, Node, Pool, Substitution, Term};
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

/// What is put in place of terms.
struct StandIns<'a> {
    equalities: Equalities,
    assumed: &'a Assumed,
    settled: &'a Settled,
    /// The bytes that were replaced, and by what.
    bytes: FxHashMap<Term, Term>,
}

impl StandIns<'_> {
    /// What stands for a term in a constraint, which is `wide` if it is over more than one byte. What the constraint that is
    /// `own` says of the term does not count.
    fn of(&mut self, pool: &mut Pool, t: Term, wide: bool, own: Option<Term>) -> Option<Term> {
        if let Some(byte) = byte_read(pool, t) {
            let stand_in = match self.assumed.fixed_byte(byte) {
                Some(value) => pool.constant(8, value.into()),
                None => self.equalities.representative(t),
            };
            if stand_in == t {
                return None;
            }
            self.bytes.insert(t, stand_in);
            return Some(stand_in);
        }
        if wide && let Some(value) = self.settled.value(t) {
            let width = pool.width(t);
            return Some(pool.constant(width, value));
        }
        let &(value, because) = self.equalities.values.get(&t)?;
        (Some(because) != own).then_some(value)
    }

    /// A constraint rewritten by all others. What it says itself it says of a term at its top.
    fn in_constraint(&mut self, pool: &mut Pool, done: &mut Substitution, constraint: Term, wide: bool) -> Term {
        if let Some(new) = self.of(pool, constraint, wide, Some(constraint)) {
            return new;
        }
        let subject = match pool.node(constraint) {
            Node::Not(denied) => denied,
            Node::Cmp { op: CmpOp::Eq, a, b } if pool.as_const(b).is_some() => a,
            _ => return done.of_parts(pool, constraint, &mut |pool, t| self.of(pool, t, wide, None)),
        };
        let new = match self.of(pool, subject, wide, Some(constraint)) {
            Some(new) => new,
            None => done.of_parts(pool, subject, &mut |pool, t| self.of(pool, t, wide, None)),
        };
        match pool.node(constraint) {
            _ if new == subject => constraint,
            Node::Cmp { b, .. } => pool.eq(new, b),
            _ => pool.not(new),
        }
    }
}

/// Rewrites the constraints by what they say is equal; `assumed` must follow from them, and `settled` from those among
/// them that are over one byte.
pub(crate) fn reduce(pool: &mut Pool, constraints: &[Term], assumed: &Assumed, settled: &Settled) -> Reduced {
    let equalities = Equalities::of(pool, constraints);
    let mut stand_ins = StandIns { equalities, assumed, settled, bytes: FxHashMap::default() };
    // Constraints have much in common.
    let (mut in_narrow, mut in_wide) = (Substitution::default(), Substitution::default());
    let mut rebuilt = Vec::with_capacity(constraints.len());
    for &constraint in constraints {
        let wide = one_byte(&pool.support(constraint)).is_none();
        let done = if wide { &mut in_wide } else { &mut in_narrow };
        rebuilt.push(stand_ins.in_constraint(pool, done, constraint, wide));
    }
    if rebuilt == constraints {
        return Reduced::Same;
    }
    let Some(constraints) = simplified(pool, &rebuilt) else { return Reduced::False };
    finish(pool, constraints, &stand_ins.bytes)
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
