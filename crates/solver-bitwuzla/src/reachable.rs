//! Which values an index can have whatever the input is, where these are few. A pointer that was read from a table is one
//! of those that stand there, so a read through it needs no tree over all of the memory that it could lead to.

use std::rc::Rc;

use osier_term::{Array, ArrayNode, BvOp, Node, Pool, Term, apply, mask, sign_extend};
use rustc_hash::{FxHashMap, FxHashSet};

/// More values are as good as any.
const MOST: usize = 512;
/// Pairs of values that are tried for an operator.
const MOST_PAIRS: usize = 4096;
/// Tables of more bytes are not gone through.
const LARGEST_TABLE: usize = 1 << 16;
/// Stores upon a table that are looked at.
const MOST_STORES: usize = 16;

/// Ascending.
type Set = Rc<[u128]>;

/// Values of all terms together that are remembered before all are forgotten; only memory is at stake, 16 bytes each.
const REMEMBERED: usize = 1 << 20;

/// What has been found out in a session.
#[derive(Default)]
pub(crate) struct Reachable {
    known: FxHashMap<Term, Option<Set>>,
    /// How many values are remembered.
    size: usize,
}

impl Reachable {
    /// All values that a term can have, and perhaps some more. Nothing if they may be many. Not recursive: terms can be
    /// deeper than the stack.
    pub(crate) fn values(&mut self, pool: &Pool, root: Term) -> Option<Set> {
        if self.size > REMEMBERED {
            *self = Reachable::default();
        }
        let mut open = vec![(root, false)];
        while let Some((t, parts_done)) = open.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            let wide = WideRead::of(pool, t);
            if parts_done {
                let found = match wide {
                    Some(wide) => wide.values(self.of(wide.first)),
                    None => self.combined(pool, t),
                };
                self.size += 1 + found.as_ref().map_or(0, |values| values.len());
                self.known.insert(t, found);
                continue;
            }
            open.push((t, true));
            match wide {
                Some(wide) => open.push((wide.first, false)),
                None => pool.for_each_child(t, |child| open.push((child, false))),
            }
        }
        self.known[&root].clone()
    }

    fn of(&self, t: Term) -> Option<&[u128]> {
        self.known[&t].as_deref()
    }

    fn combined(&self, pool: &Pool, t: Term) -> Option<Set> {
        let width = pool.width(t);
        let found = match pool.node(t) {
            Node::Const { value, .. } => collect([value]),
            Node::Select { array, index } => self.read(pool, array, index),
            Node::Concat { high, low } => {
                let below = pool.width(low);
                self.both(high, low, |high, low| high << below | low)
            }
            Node::Bin { op, a, b } => self.both(a, b, |a, b| apply(op, width, a, b)),
            Node::Cmp { .. } => None,
            Node::Not(a) => self.each(a, |a| !a & mask(width)),
            Node::Extract { term, low, .. } => self.each(term, |a| a >> low & mask(width)),
            Node::ZExt { term, .. } => self.each(term, |a| a),
            Node::SExt { term, .. } => self.each(term, |a| sign_extend(pool.width(term), a) as u128 & mask(width)),
            Node::Ite { then, other, .. } => self.either(then, other),
        };
        found.or_else(|| (width <= 8).then(|| (0..=mask(width)).collect()))
    }

    fn each(&self, a: Term, to: impl Fn(u128) -> u128) -> Option<Set> {
        collect(self.of(a)?.iter().map(|&a| to(a)))
    }

    fn both(&self, a: Term, b: Term, to: impl Fn(u128, u128) -> u128) -> Option<Set> {
        pairs(self.of(a)?, self.of(b)?, to)
    }

    fn either(&self, a: Term, b: Term) -> Option<Set> {
        collect(self.of(a)?.iter().chain(self.of(b)?).copied())
    }

    /// A byte of a table, or of what was stored upon it.
    fn read(&self, pool: &Pool, mut array: Array, index: Term) -> Option<Set> {
        let mut found: Vec<u128> = Vec::new();
        for _ in 0..=MOST_STORES {
            match pool.array_node(array) {
                ArrayNode::Store { array: older, value, .. } => {
                    found.extend(self.of(value)?);
                    array = older;
                }
                ArrayNode::Table { bytes } => {
                    match self.of(index) {
                        Some(places) => found.extend(places.iter().map(|&at| u128::from(byte_at(bytes, at)))),
                        None => found.extend(bytes.iter().map(|&byte| u128::from(byte)).chain([0])),
                    }
                    return collect(found);
                }
                ArrayNode::Input { .. } => return None,
            }
        }
        None
    }
}

/// Bytes of one table, at distances from each other that are known.
struct WideRead<'a> {
    bytes: &'a [u8],
    /// Where the most significant byte is.
    first: Term,
    /// From there to each byte, the most significant first.
    distances: Vec<u128>,
    /// All ones in an index.
    mask: u128,
}

impl<'a> WideRead<'a> {
    fn of(pool: &'a Pool, t: Term) -> Option<Self> {
        let Node::Concat { .. } = pool.node(t) else { return None };
        let mut parts = Vec::new();
        let mut open = vec![t];
        while let Some(part) = open.pop() {
            match pool.node(part) {
                Node::Concat { high, low } => open.extend([low, high]),
                Node::Select { array, index } => parts.push((array, index)),
                _ => return None,
            }
        }
        let (array, first) = parts[0];
        let ArrayNode::Table { bytes } = pool.array_node(array) else { return None };
        let (base, start) = split(pool, first);
        let mask = mask(pool.width(first));
        let mut distances = Vec::with_capacity(parts.len());
        for &(other, index) in &parts {
            let (other_base, at) = split(pool, index);
            if other != array || other_base != base || pool.width(index) != pool.width(first) {
                return None;
            }
            distances.push(at.wrapping_sub(start) & mask);
        }
        Some(WideRead { bytes, first, distances, mask })
    }

    /// What stands together where the first byte is at one of the places; anywhere, if they may be many.
    fn values(&self, places: Option<&[u128]>) -> Option<Set> {
        if let Some(places) = places {
            return collect(places.iter().map(|&place| self.at(place)));
        }
        if self.bytes.len() > LARGEST_TABLE {
            return None;
        }
        let touching = self.distances.iter().flat_map(|distance| {
            (0..self.bytes.len() as u128).map(move |place| place.wrapping_sub(*distance) & self.mask)
        });
        // Beside the table there are zeros.
        collect(touching.map(|place| self.at(place)).chain([0]))
    }

    fn at(&self, place: u128) -> u128 {
        let places = self.distances.iter().map(|distance| place.wrapping_add(*distance) & self.mask);
        places.fold(0, |whole, place| whole << 8 | u128::from(byte_at(self.bytes, place)))
    }
}

/// The byte of a table; beyond its end there are zeros.
pub(crate) fn byte_at(bytes: &[u8], at: u128) -> u8 {
    usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0)
}

/// A term as a sum of another and a number.
fn split(pool: &Pool, t: Term) -> (Option<Term>, u128) {
    if let Some(value) = pool.as_const(t) {
        return (None, value);
    }
    if let Node::Bin { op: BvOp::Add, a, b } = pool.node(t) {
        match (pool.as_const(a), pool.as_const(b)) {
            (Some(value), None) => return (Some(b), value),
            (None, Some(value)) => return (Some(a), value),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
    (Some(t), 0)
}

fn pairs(a: &[u128], b: &[u128], to: impl Fn(u128, u128) -> u128) -> Option<Set> {
    if a.len() * b.len() > MOST_PAIRS {
        return None;
    }
    collect(a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b))).map(|(a, b)| to(a, b)))
}

/// The different ones of these, if they are few.
fn collect(values: impl IntoIterator<Item = u128>) -> Option<Set> {
    let mut found = FxHashSet::default();
    for value in values {
        if found.insert(value) && found.len() > MOST {
            return None;
        }
    }
    let mut found: Vec<u128> = found.into_iter().collect();
    found.sort_unstable();
    Some(found.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_solver_testing::recipes::{cook, step};
    use osier_term::{Assignment, Evaluator};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_value_is_among_them(steps in prop::collection::vec(step(), 1..40), bytes: [u8; 3]) {
            let mut pool = Pool::new();
            let input = pool.input("x", 3);
            let mut model = Assignment::new();
            for (at, byte) in (0u32..).zip(bytes) {
                model.set_byte(input, 3, at, byte);
            }
            let mut reachable = Reachable::default();
            for condition in cook(&mut pool, input, 3, &steps) {
                reachable.values(&pool, condition);
            }
            for (t, values) in &reachable.known {
                let value = Evaluator::new(&pool, &model).eval(*t);
                prop_assert!(values.as_ref().is_none_or(|values| values.contains(&value)), "{:?}", pool.node(*t));
            }
        }

        #[test]
        fn what_is_read_together_is_among_them(
            bytes in prop::collection::vec(any::<u8>(), 1..40),
            (scale, start) in (0u128..5, prop_oneof![0u128..50, (u128::from(u64::MAX) - 50)..=u128::from(u64::MAX)]),
            (distances, open) in (prop::collection::vec(0u128..12, 1..5), any::<bool>()),
            at: [u8; 2],
        ) {
            let mut pool = Pool::new();
            let (table, input) = (pool.table(&bytes), pool.input("x", 2));
            let mut model = Assignment::new();
            (0u32..).zip(at).for_each(|(place, byte)| model.set_byte(input, 2, place, byte));
            // Of an index over two bytes nothing is known.
            let (low, high) = (pool.select_at(input, 0), pool.select_at(input, 1));
            let narrow = if open { pool.concat(high, low) } else { low };
            let wide = pool.zext(narrow, 64);
            let (scale, start) = (pool.constant(64, scale), pool.constant(64, start));
            let product = pool.mul(wide, scale);
            let first = pool.add(product, start);
            let parts: Vec<Term> = distances
                .into_iter()
                .map(|distance| {
                    let distance = pool.constant(64, distance);
                    let place = pool.add(first, distance);
                    pool.select(table, place)
                })
                .collect();
            let read = parts.into_iter().reduce(|high, low| pool.concat(high, low)).unwrap();
            let values = Reachable::default().values(&pool, read).expect("a small table has few values");
            prop_assert!(values.contains(&Evaluator::new(&pool, &model).eval(read)));
        }
    }

    /// A read of `count` bytes at a wide index of which nothing is known.
    fn read_somewhere(pool: &mut Pool, bytes: &[u8], count: u128) -> (Term, Term) {
        let (table, input) = (pool.table(bytes), pool.input("at", 8));
        let at = (0..8).map(|n| pool.select_at(input, n)).collect::<Vec<_>>();
        let index = at.into_iter().reduce(|whole, byte| pool.concat(whole, byte)).unwrap();
        let parts: Vec<Term> = (0..count)
            .map(|n| {
                let distance = pool.constant(64, n);
                let place = pool.add(index, distance);
                pool.select(table, place)
            })
            .collect();
        (index, parts.into_iter().reduce(|low, high| pool.concat(high, low)).unwrap())
    }

    #[test]
    fn a_pointer_read_anywhere_in_a_table_is_one_of_those_that_stand_there() {
        let mut pool = Pool::new();
        let (index, read) = read_somewhere(&mut pool, &[1, 2, 3], 2);
        let mut reachable = Reachable::default();
        assert_eq!(reachable.values(&pool, read).as_deref(), Some(&[0, 0x0003, 0x0100, 0x0201, 0x0302][..]));
        assert_eq!(reachable.values(&pool, index), None);
    }

    #[test]
    fn many_are_as_good_as_any() {
        let mut pool = Pool::new();
        let bytes: Vec<u8> = (0..2000u32).flat_map(|n| (n * 40503).to_le_bytes()).collect();
        let (_, read) = read_somewhere(&mut pool, &bytes, 4);
        assert_eq!(Reachable::default().values(&pool, read), None);
    }
}
