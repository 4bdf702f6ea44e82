//! Which input bytes a term depends on.

use std::rc::Rc;

use osier_base::Id;

use crate::arrays::ArrayData;
use crate::node::{Array, Node, Term};
use crate::pool::Pool;

/// A set of input bytes: sorted, disjoint, non-adjacent half-open intervals of the global byte numbering.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Support {
    intervals: Vec<(u32, u32)>,
}

impl Support {
    pub fn new() -> Self {
        Support::default()
    }

    /// The bytes from `start` up to, not with, `end`.
    pub fn range(start: u32, end: u32) -> Self {
        Support { intervals: if start < end { vec![(start, end)] } else { Vec::new() } }
    }

    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    pub fn intervals(&self) -> &[(u32, u32)] {
        &self.intervals
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.intervals.iter().map(|&(start, end)| (end - start) as usize).sum()
    }

    pub fn contains_byte(&self, byte: u32) -> bool {
        let after = self.intervals.partition_point(|&(start, _)| start <= byte);
        after > 0 && byte < self.intervals[after - 1].1
    }

    pub fn intersects(&self, other: &Support) -> bool {
        let (mut mine, mut theirs) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        while let (Some(&&(a_start, a_end)), Some(&&(b_start, b_end))) = (mine.peek(), theirs.peek()) {
            if a_end <= b_start {
                mine.next();
            } else if b_end <= a_start {
                theirs.next();
            } else {
                return true;
            }
        }
        false
    }

    /// Whether every byte of `other` is in here.
    pub fn contains(&self, other: &Support) -> bool {
        other.intervals.iter().all(|&(start, end)| {
            let after = self.intervals.partition_point(|&(s, _)| s <= start);
            after > 0 && end <= self.intervals[after - 1].1
        })
    }

    /// Takes in the bytes of another. Costs little where they are in here already.
    pub fn join(&mut self, other: &Support) {
        if !self.contains(other) {
            *self = self.union(other);
        }
    }

    pub fn union(&self, other: &Support) -> Support {
        let mut intervals: Vec<(u32, u32)> = Vec::with_capacity(self.intervals.len() + other.intervals.len());
        let (mut mine, mut theirs) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        loop {
            let next = match (mine.peek(), theirs.peek()) {
                (Some(a), Some(b)) if a.0 <= b.0 => mine.next(),
                (_, Some(_)) => theirs.next(),
                (Some(_), None) => mine.next(),
                (None, None) => return Support { intervals },
            };
            let &(start, end) = next.expect("peeked");
            match intervals.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => intervals.push((start, end)),
            }
        }
    }
}

/// Supports already computed. Indexed by id, grown when asked: most terms are never asked about.
#[derive(Default)]
pub(crate) struct SupportCache {
    terms: Vec<Option<Rc<Support>>>,
    /// For an array, what its stores depend on; its input's own bytes are not in here.
    stores: Vec<Option<Rc<Support>>>,
    empty: Rc<Support>,
}

impl SupportCache {
    pub fn bytes(&self) -> usize {
        (self.terms.capacity() + self.stores.capacity()) * size_of::<Option<Rc<Support>>>()
    }

    fn known(&self, item: Item) -> Option<&Rc<Support>> {
        let (memo, at) = match item {
            Item::Term(t) => (&self.terms, t.index()),
            Item::Stores(array) => (&self.stores, array.index()),
        };
        memo.get(at).and_then(Option::as_ref)
    }

    fn remember(&mut self, item: Item, support: Rc<Support>) {
        let (memo, at) = match item {
            Item::Term(t) => (&mut self.terms, t.index()),
            Item::Stores(array) => (&mut self.stores, array.index()),
        };
        if memo.len() <= at {
            memo.resize(at + 1, None);
        }
        memo[at] = Some(support);
    }
}

#[derive(Clone, Copy)]
enum Item {
    Term(Term),
    Stores(Array),
}

/// The union, sharing one of the two where it is the larger already: sums over one buffer keep one allocation.
fn join(a: &Rc<Support>, b: &Rc<Support>) -> Rc<Support> {
    if Rc::ptr_eq(a, b) || a.contains(b) {
        a.clone()
    } else if b.contains(a) {
        b.clone()
    } else {
        Rc::new(a.union(b))
    }
}

impl Pool {
    /// The input bytes that the term's value can depend on, memoised. Bytes that do not matter may be among them, but
    /// none that matters is missing.
    pub fn support(&mut self, t: Term) -> Rc<Support> {
        match self.supports.known(Item::Term(t)) {
            Some(known) => known.clone(),
            None => self.compute_support(t),
        }
    }

    fn compute_support(&mut self, t: Term) -> Rc<Support> {
        let mut pending = vec![Item::Term(t)];
        while let Some(&item) = pending.last() {
            if self.supports.known(item).is_some() {
                pending.pop();
                continue;
            }
            let waiting = pending.len();
            let (parts, count) = self.support_parts(item);
            let parts = &parts[..count];
            pending.extend(parts.iter().copied().filter(|&part| self.supports.known(part).is_none()));
            if pending.len() > waiting {
                continue;
            }
            pending.pop();
            let mut support = self.own_bytes(item);
            for &part in parts {
                support = join(&support, self.supports.known(part).expect("just computed"));
            }
            self.supports.remember(item, support);
        }
        self.supports.known(Item::Term(t)).expect("computed").clone()
    }

    /// Up to three items of whose supports an item's support consists, besides its own bytes.
    fn support_parts(&self, item: Item) -> ([Item; 3], usize) {
        let fill = Item::Term(Pool::FALSE);
        let one = |a| ([Item::Term(a), fill, fill], 1);
        let two = |a, b| ([Item::Term(a), Item::Term(b), fill], 2);
        match item {
            Item::Term(t) => match self.node(t) {
                Node::Const { .. } => ([fill; 3], 0),
                Node::Select { array, index } => ([Item::Stores(array), Item::Term(index), fill], 2),
                Node::Not(a) => one(a),
                Node::Extract { term, .. } | Node::ZExt { term, .. } | Node::SExt { term, .. } => one(term),
                Node::Bin { a, b, .. } | Node::Cmp { a, b, .. } => two(a, b),
                Node::Concat { high, low } => two(high, low),
                Node::Ite { cond, then, other } => ([Item::Term(cond), Item::Term(then), Item::Term(other)], 3),
            },
            Item::Stores(array) => match &self.arrays[array] {
                ArrayData::Input { .. } | ArrayData::Table { .. } => ([fill; 3], 0),
                ArrayData::Store(s) => ([Item::Stores(s.array), Item::Term(s.index), Item::Term(s.value)], 3),
            },
        }
    }

    /// The bytes that a read takes from the input below its stores.
    fn own_bytes(&self, item: Item) -> Rc<Support> {
        let Item::Term(t) = item else { return self.supports.empty.clone() };
        let Node::Select { array, index } = self.node(t) else { return self.supports.empty.clone() };
        let Some((first_byte, size)) = self.input_below(array) else { return self.supports.empty.clone() };
        let (from, to) = match self.as_const(index) {
            Some(at) => (at, at + 1),
            None => (0, self.max_value(index) + 1),
        };
        let cut = |index: u128| first_byte + index.min(u128::from(size)) as u32;
        Rc::new(Support::range(cut(from), cut(to)))
    }

    /// The first byte and size of the input under an array's stores, if it is an input.
    fn input_below(&self, array: Array) -> Option<(u32, u32)> {
        match &self.arrays[self.bottom(array)] {
            ArrayData::Input { size, first_byte, .. } => Some((*first_byte, *size)),
            ArrayData::Table { .. } | ArrayData::Store(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(intervals: &[(u32, u32)]) -> Support {
        intervals.iter().fold(Support::new(), |all, &(start, end)| all.union(&Support::range(start, end)))
    }

    #[test]
    fn unions_join_what_touches() {
        assert_eq!(set(&[(4, 6), (0, 2), (2, 4)]).intervals(), &[(0, 6)]);
        assert_eq!(set(&[(8, 9), (0, 2), (1, 3)]).intervals(), &[(0, 3), (8, 9)]);
        assert!(set(&[(3, 3)]).is_empty());
    }

    #[test]
    fn membership_and_intersection_respect_the_open_end() {
        let s = set(&[(2, 4), (8, 9)]);
        let inside: Vec<u32> = (0..12).filter(|&byte| s.contains_byte(byte)).collect();
        assert_eq!(inside, [2, 3, 8]);
        assert!(!s.intersects(&set(&[(0, 2), (4, 8), (9, 20)])));
        assert!(s.intersects(&set(&[(0, 1), (8, 9)])));
        assert!(s.contains(&set(&[(3, 4), (8, 9)])));
        assert!(!s.contains(&set(&[(3, 5)])));
    }

    #[test]
    fn a_read_at_a_constant_depends_on_one_byte_and_another_on_its_range() {
        let mut pool = Pool::new();
        pool.input("before", 3);
        let x = pool.input("x", 10);
        let second = pool.select_at(x, 2);
        assert_eq!(pool.support(second).intervals(), &[(5, 6)]);
        let four = pool.constant(8, 4);
        let small = pool.bin(crate::BvOp::URem, second, four);
        let index = pool.zext(small, 64);
        let read = pool.select(x, index);
        assert_eq!(pool.support(read).intervals(), &[(3, 7)]);
        let anywhere = pool.zext(second, 64);
        let read = pool.select(x, anywhere);
        assert_eq!(pool.support(read).intervals(), &[(3, 13)]);
    }

    #[test]
    fn what_stores_wrote_counts() {
        let mut pool = Pool::new();
        let (x, y) = (pool.input("x", 4), pool.input("y", 4));
        let (value, place, other) = (pool.select_at(y, 1), pool.select_at(y, 3), pool.select_at(x, 0));
        let (place, other) = (pool.zext(place, 64), pool.zext(other, 64));
        let table = pool.table(&[1, 2, 3]);
        let stored = pool.store(table, place, value);
        let read = pool.select(stored, other);
        assert_eq!(pool.support(read).intervals(), &[(0, 1), (5, 6), (7, 8)]);
    }

    #[test]
    fn a_term_of_great_depth_has_a_support() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (first, second) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let deep = (0..200_000).fold(first, |t, _| pool.bin(crate::BvOp::UDiv, second, t));
        assert_eq!(pool.support(deep).intervals(), &[(0, 2)]);
    }
}
