//! What a symbolic pointer may refer to.
//!
//! The targets are read off the pointer's shape first: the constants at the roots of its sums and choices name
//! objects, and an access belongs to the object of its root wherever its offset leads. Only a pointer without such a
//! shape has to be enumerated by asking a solver for the values of its high bits, which is up to the caller.

use crate::{Memory, NULL_REGION, ObjectId};
use osier_term::{BvOp, Node, Pool, Term};
use rustc_hash::FxHashMap;

/// Where one case of an access leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// An object, alive or not, and the offset into it: 64 bits, perhaps out of bounds.
    Object { id: ObjectId, offset: Term },
    /// A null pointer, or a small offset from one.
    Null { address: Term },
    /// An address in no object.
    Nowhere { address: Term },
}

/// Under `guard`, the access goes to `target`. The guards of an access are disjoint and together cover everything.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub guard: Term,
    pub target: Target,
}

/// What the shape of a pointer told.
#[derive(Debug)]
pub enum Shape {
    Cases(Vec<Case>),
    /// No constants at its roots: the caller has to enumerate.
    Unknown,
}

/// A pointer with more choices than this at its roots is treated as one without a shape.
const MOST_CHOICES: usize = 4096;

/// The cases of a pointer (64 bits wide), by its shape.
pub fn resolve(pool: &mut Pool, memory: &Memory, pointer: Term) -> Shape {
    let Some(found) = roots(pool, memory, pointer) else { return Shape::Unknown };
    let cases = found.into_iter().map(|(guard, root, address)| case(pool, memory, guard, root, address)).collect();
    Shape::Cases(merged(pool, cases))
}

/// One part of a pointer that is still to be taken apart: under `guard`, the address is `term + plus`.
struct Part {
    guard: Term,
    term: Term,
    plus: Option<Term>,
}

/// Finds (guard, root constant, whole address) for each choice. Nothing if some part of the pointer has no root.
fn roots(pool: &mut Pool, memory: &Memory, pointer: Term) -> Option<Vec<(Term, u64, Term)>> {
    let always = pool.truth(true);
    let mut open = vec![Part { guard: always, term: pointer, plus: None }];
    let mut found = Vec::new();
    while let Some(Part { guard, term, plus }) = open.pop() {
        if found.len() + open.len() > MOST_CHOICES {
            return None;
        }
        match pool.node(term) {
            Node::Const { value, .. } => {
                let address = plus.map_or(term, |rest| pool.add(term, rest));
                found.push((guard, value as u64, address));
            }
            Node::Ite { cond, then, other } => {
                let yes = pool.and(guard, cond);
                let negated = pool.not(cond);
                let no = pool.and(guard, negated);
                open.push(Part { guard: no, term: other, plus });
                open.push(Part { guard: yes, term: then, plus });
            }
            Node::Bin { op: BvOp::Add, a, b } => {
                let (root, rest) = match (names_object(pool, memory, a), names_object(pool, memory, b)) {
                    (true, _) => (a, b),
                    (false, true) => (b, a),
                    (false, false) => return None,
                };
                let rest = plus.map_or(rest, |more| pool.add(rest, more));
                open.push(Part { guard, term: root, plus: Some(rest) });
            }
            Node::Bin { op: BvOp::Sub, a, b } if names_object(pool, memory, a) => {
                let rest = pool.neg(b);
                let rest = plus.map_or(rest, |more| pool.add(rest, more));
                open.push(Part { guard, term: a, plus: Some(rest) });
            }
            Node::Select { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. } => return None,
        }
    }
    Some(found)
}

/// The pointer with every address at its roots moved to where `place` has it: of a pointer into several objects, the
/// index into a view of them. Only for pointers that [`resolve`] gives cases for; where no place is known, the index
/// means nothing.
pub fn translate(pool: &mut Pool, memory: &Memory, pointer: Term, place: &impl Fn(u64) -> Option<u64>) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut open = vec![(pointer, false)];
    while let Some((term, parts_done)) = open.pop() {
        if done.contains_key(&term) {
            continue;
        }
        let moved = match (pool.node(term), parts_done) {
            (Node::Const { value, .. }, _) => pool.constant(64, u128::from(place(value as u64).unwrap_or(0))),
            (Node::Ite { then, other, .. }, false) => {
                open.extend([(term, true), (then, false), (other, false)]);
                continue;
            }
            (Node::Ite { cond, then, other }, true) => pool.ite(cond, done[&then], done[&other]),
            (Node::Bin { op: op @ (BvOp::Add | BvOp::Sub), a, b }, parts_done) => {
                let (root, rest) = if names_object(pool, memory, a) { (a, b) } else { (b, a) };
                if !parts_done {
                    open.extend([(term, true), (root, false)]);
                    continue;
                }
                if op == BvOp::Add { pool.add(done[&root], rest) } else { pool.sub(done[&root], rest) }
            }
            (
                Node::Select { .. }
                | Node::Bin { .. }
                | Node::Cmp { .. }
                | Node::Not(_)
                | Node::Concat { .. }
                | Node::Extract { .. }
                | Node::ZExt { .. }
                | Node::SExt { .. },
                _,
            ) => unreachable!("a pointer with cases has constants, choices, sums and differences at its roots"),
        };
        done.insert(term, moved);
    }
    done[&pointer]
}

/// Whether some constant at the roots of a term is the address of an object.
fn names_object(pool: &Pool, memory: &Memory, term: Term) -> bool {
    let mut open = vec![term];
    let mut seen = 0;
    while let Some(term) = open.pop() {
        seen += 1;
        if seen > MOST_CHOICES {
            return false;
        }
        match pool.node(term) {
            Node::Const { value, .. } => {
                if memory.find(value as u64).is_some() {
                    return true;
                }
            }
            Node::Ite { then, other, .. } => open.extend([then, other]),
            Node::Bin { op: BvOp::Add, a, b } => open.extend([a, b]),
            Node::Bin { op: BvOp::Sub, a, .. } => open.push(a),
            Node::Select { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. } => {}
        }
    }
    false
}

fn case(pool: &mut Pool, memory: &Memory, guard: Term, root: u64, address: Term) -> Case {
    let target = match memory.find(root) {
        Some(object) => {
            let base = pool.constant(64, u128::from(object.base));
            Target::Object { id: object.id, offset: pool.sub(address, base) }
        }
        None if root < NULL_REGION => Target::Null { address },
        None => Target::Nowhere { address },
    };
    Case { guard, target }
}

/// Joins cases with the same target, so that a null pointer at many places of a table is one case.
fn merged(pool: &mut Pool, cases: Vec<Case>) -> Vec<Case> {
    let mut out: Vec<Case> = Vec::with_capacity(cases.len());
    for case in cases {
        if pool.is_false(case.guard) {
            continue;
        }
        match out.iter_mut().find(|other| other.target == case.target) {
            Some(other) => other.guard = pool.or(other.guard, case.guard),
            None => out.push(case),
        }
    }
    out
}

/// The condition that a pointer without a shape lies in the windows of the object that `example` lies in, and the case
/// it makes. For enumeration: ask for a value, make its case, exclude its guard, ask again. The cases of two examples
/// are the same or disjoint.
pub fn window_guard(pool: &mut Pool, memory: &Memory, pointer: Term, example: u64) -> Case {
    match memory.find(example) {
        Some(object) => {
            let guard = within(pool, pointer, object.territory());
            let (id, base) = (object.id, pool.constant(64, u128::from(object.base)));
            Case { guard, target: Target::Object { id, offset: pool.sub(pointer, base) } }
        }
        None if example < NULL_REGION => {
            let null = within(pool, pointer, (0, NULL_REGION - 1));
            let guard = outside(pool, pointer, null, &memory.fixed_ranges());
            Case { guard, target: Target::Null { address: pointer } }
        }
        None => {
            // All of what lies outside the windows at once: a wild pointer has too many values to list.
            let mut taken = memory.fixed_ranges();
            taken.push((0, NULL_REGION - 1));
            taken.extend(memory.span());
            let always = pool.truth(true);
            let guard = outside(pool, pointer, always, &taken);
            Case { guard, target: Target::Nowhere { address: pointer } }
        }
    }
}

/// first <= pointer <= last
fn within(pool: &mut Pool, pointer: Term, (first, last): (u64, u64)) -> Term {
    let first = pool.constant(64, u128::from(first));
    let last = pool.constant(64, u128::from(last));
    let above = pool.ule(first, pointer);
    let below = pool.ule(pointer, last);
    pool.and(above, below)
}

/// `guard`, and in none of the ranges.
fn outside(pool: &mut Pool, pointer: Term, guard: Term, ranges: &[(u64, u64)]) -> Term {
    ranges.iter().fold(guard, |guard, range| {
        let inside = within(pool, pointer, *range);
        let not_there = pool.not(inside);
        pool.and(guard, not_there)
    })
}
