//! What a symbolic pointer may refer to.
//!
//! The targets are read off the pointer's shape first: the constants at the roots of its sums and choices name
//! objects, and an access belongs to the object of its root wherever its offset leads. A constant that is added is part
//! of the root: of `p + (q - r)`, with `p` and `r` in one object, the object is that of `q`. Only a pointer without such a
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

/// One part of a pointer that is still to be taken apart: under `guard`, the address is `term + shift + plus`.
struct Part {
    guard: Term,
    term: Term,
    shift: u64,
    plus: Option<Term>,
}

/// Finds (guard, root constant, whole address) for each choice. Nothing if some part of the pointer has no root.
fn roots(pool: &mut Pool, memory: &Memory, pointer: Term) -> Option<Vec<(Term, u64, Term)>> {
    let always = pool.truth(true);
    let mut open = vec![Part { guard: always, term: pointer, shift: 0, plus: None }];
    let mut found = Vec::new();
    while let Some(Part { guard, term, shift, plus }) = open.pop() {
        if found.len() + open.len() > MOST_CHOICES {
            return None;
        }
        match pool.node(term) {
            Node::Const { value, .. } => {
                let root = shift.wrapping_add(value as u64);
                // By how much it is moved says where it leads only if nothing else moves it.
                let object_at = |address| memory.find(address).map(|object| object.id);
                if plus.is_some() && object_at(root) != object_at(value as u64) {
                    return None;
                }
                let address = pool.constant(64, u128::from(root));
                let address = plus.map_or(address, |rest| pool.add(address, rest));
                found.push((guard, root, address));
            }
            Node::Ite { cond, then, other } => {
                let yes = pool.and(guard, cond);
                let negated = pool.not(cond);
                let no = pool.and(guard, negated);
                open.push(Part { guard: no, term: other, shift, plus });
                open.push(Part { guard: yes, term: then, shift, plus });
            }
            Node::Bin { op: BvOp::Add | BvOp::Sub, .. } => {
                let Sum { root, constant, rest } = sum(pool, memory, term)?;
                let plus = match (plus, rest) {
                    (Some(more), Some(rest)) => Some(pool.add(rest, more)),
                    (known, rest) => known.or(rest),
                };
                open.push(Part { guard, term: root, shift: shift.wrapping_add(constant), plus });
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

/// A sum, taken apart: the part that names an object, what it is moved by in any case, and what else is added.
struct Sum {
    root: Term,
    constant: u64,
    rest: Option<Term>,
}

/// Takes a sum or a difference apart. Nothing if no part of it names an object.
fn sum(pool: &mut Pool, memory: &Memory, term: Term) -> Option<Sum> {
    let (root, rest) = match pool.node(term) {
        Node::Bin { op: BvOp::Add, a, b } => {
            let named = (names_object(pool, memory, a), names_object(pool, memory, b));
            match named {
                // Of a difference of addresses it is chance whether it names an object, too.
                (true, true) if pool.as_const(a).is_some() => (b, a),
                (true, _) => (a, b),
                (false, true) => (b, a),
                (false, false) => return None,
            }
        }
        Node::Bin { op: BvOp::Sub, a, b } if names_object(pool, memory, a) => (a, pool.neg(b)),
        _ => return None,
    };
    let in_rest = match pool.node(rest) {
        Node::Bin { op: BvOp::Add, a, b } => {
            [(a, b), (b, a)].into_iter().find_map(|(a, b)| Some((pool.as_const(a)?, b)))
        }
        _ => None,
    };
    Some(match (pool.as_const(rest), in_rest) {
        (Some(constant), _) => Sum { root, constant: constant as u64, rest: None },
        (None, Some((constant, rest))) => Sum { root, constant: constant as u64, rest: Some(rest) },
        (None, None) => Sum { root, constant: 0, rest: Some(rest) },
    })
}

/// The pointer with every address at its roots moved to where `place` has it: of a pointer into several objects, the
/// index into a view of them. Only for pointers that [`resolve`] gives cases for; where no place is known, the index
/// means nothing.
pub fn translate(pool: &mut Pool, memory: &Memory, pointer: Term, place: &impl Fn(u64) -> Option<u64>) -> Term {
    let mut done: FxHashMap<(Term, u64), Term> = FxHashMap::default();
    let mut open = vec![(pointer, 0u64)];
    while let Some(&(term, shift)) = open.last() {
        let moved = match pool.node(term) {
            _ if done.contains_key(&(term, shift)) => None,
            Node::Const { value, .. } => {
                let place = place(shift.wrapping_add(value as u64)).unwrap_or(0);
                Some(pool.constant(64, u128::from(place)))
            }
            Node::Ite { cond, then, other } => {
                let parts = [(then, shift), (other, shift)];
                match parts.map(|part| done.get(&part).copied()) {
                    [Some(then), Some(other)] => Some(pool.ite(cond, then, other)),
                    _ => {
                        open.extend(parts);
                        continue;
                    }
                }
            }
            _ => {
                let parts = sum(pool, memory, term);
                let Sum { root, constant, rest } =
                    parts.expect("a pointer with cases has sums and choices at its roots");
                let part = (root, shift.wrapping_add(constant));
                match done.get(&part).copied() {
                    Some(moved) => Some(rest.map_or(moved, |rest| pool.add(moved, rest))),
                    None => {
                        open.push(part);
                        continue;
                    }
                }
            }
        };
        if let Some(moved) = moved {
            done.insert((term, shift), moved);
        }
        open.pop();
    }
    done[&(pointer, 0)]
}

/// Whether some constant at the roots of a term is the address of an object. The distance of two addresses is none.
fn names_object(pool: &Pool, memory: &Memory, term: Term) -> bool {
    some_root(pool, memory, term, |subtracted| !some_root(pool, memory, subtracted, |_| true))
}

/// Whether some constant at the roots of a term is an object's address; of a difference, if it is looked into for what is
/// subtracted.
fn some_root(pool: &Pool, memory: &Memory, term: Term, looks_into: impl Fn(Term) -> bool) -> bool {
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
            Node::Bin { op: BvOp::Sub, a, b } if looks_into(b) => open.push(a),
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
