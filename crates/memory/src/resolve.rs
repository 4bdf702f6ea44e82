//! What a symbolic pointer may refer to.
//!
//! The targets are read off the pointer's shape first: the constants at the roots of its sums and choices name
//! objects, and an access belongs to the object of its root wherever its offset leads. Only a pointer without such a
//! shape has to be enumerated by asking a solver for the values of its high bits, which is up to the caller.

use crate::{Memory, NULL_REGION, ObjectId, WINDOW_BITS};
use osier_term::{BvOp, Node, Pool, Term};

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
    let always = pool.truth(true);
    let mut found = Vec::new();
    if !roots(pool, memory, pointer, always, None, &mut found) {
        return Shape::Unknown;
    }
    let cases = found.into_iter().map(|(guard, root, address)| case(pool, memory, guard, root, address)).collect();
    Shape::Cases(merged(pool, cases))
}

/// Finds (guard, root constant, whole address) for each choice. False if some part of the pointer has no root.
fn roots(
    pool: &mut Pool,
    memory: &Memory,
    pointer: Term,
    guard: Term,
    plus: Option<Term>,
    found: &mut Vec<(Term, u64, Term)>,
) -> bool {
    if found.len() > MOST_CHOICES {
        return false;
    }
    match pool.node(pointer) {
        Node::Const { value, .. } => {
            let address = match plus {
                Some(rest) => pool.add(pointer, rest),
                None => pointer,
            };
            found.push((guard, value as u64, address));
            true
        }
        Node::Ite { cond, then, other } => {
            let yes = pool.and(guard, cond);
            let negated = pool.not(cond);
            let no = pool.and(guard, negated);
            roots(pool, memory, then, yes, plus, found) && roots(pool, memory, other, no, plus, found)
        }
        Node::Bin { op: BvOp::Add, a, b } => {
            let (root, rest) = match (names_object(pool, memory, a), names_object(pool, memory, b)) {
                (true, _) => (a, b),
                (false, true) => (b, a),
                (false, false) => return false,
            };
            let rest = match plus {
                Some(more) => pool.add(rest, more),
                None => rest,
            };
            roots(pool, memory, root, guard, Some(rest), found)
        }
        Node::Select { .. }
        | Node::Bin { .. }
        | Node::Cmp { .. }
        | Node::Not(_)
        | Node::Concat { .. }
        | Node::Extract { .. }
        | Node::ZExt { .. }
        | Node::SExt { .. } => false,
    }
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
/// it makes. For enumeration: ask for a value, make its case, exclude its guard, ask again.
pub fn window_guard(pool: &mut Pool, memory: &Memory, pointer: Term, example: u64) -> Case {
    let within = |pool: &mut Pool, low: u64, high: u64| {
        let low_term = pool.constant(64, u128::from(low));
        let high_term = pool.constant(64, u128::from(high));
        let above = pool.ule(low_term, pointer);
        let below = pool.ule(pointer, high_term);
        pool.and(above, below)
    };
    let window_start = |address: u64| (address >> WINDOW_BITS) << WINDOW_BITS;
    let window_last = |address: u64| address | ((1 << WINDOW_BITS) - 1);
    match memory.find(example) {
        Some(object) => {
            let (base, last) = (object.base, object.base + object.size.max(1) - 1);
            let id = object.id;
            let fixed = window_start(example) == 0 || base < NULL_REGION;
            let guard = if fixed { within(pool, base, last) } else { within(pool, window_start(base), window_last(last)) };
            let base = pool.constant(64, u128::from(base));
            Case { guard, target: Target::Object { id, offset: pool.sub(pointer, base) } }
        }
        None if example < NULL_REGION => {
            Case { guard: within(pool, 0, NULL_REGION - 1), target: Target::Null { address: pointer } }
        }
        None => {
            let (first, end) = memory.span();
            let guard = if (first..end).contains(&example) {
                within(pool, window_start(example), window_last(example))
            } else {
                // All of what lies outside the windows at once: a wild pointer has too many values to list.
                let mut inside = within(pool, first, end - 1);
                let null = within(pool, 0, NULL_REGION - 1);
                inside = pool.or(inside, null);
                for (low, last) in memory.fixed_ranges() {
                    let fixed = within(pool, low, last);
                    inside = pool.or(inside, fixed);
                }
                pool.not(inside)
            };
            Case { guard, target: Target::Nowhere { address: pointer } }
        }
    }
}
