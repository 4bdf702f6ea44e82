//! From the values of a term's parts to the values of the term.

use rustc_hash::FxHashMap;

use super::{Ranges, ValueSet, Values};
use crate::node::{Array, ArrayNode, Node, Term};
use crate::pool::Pool;

/// Entries of a table, or bytes of an input, that are looked at one by one.
const MOST_ENTRIES: u128 = 4096;
/// Stores that are looked at for one read.
const MOST_STORES: usize = 64;
/// Facts kept at a time; all are forgotten when there are more, and computed again where they are asked for.
const MOST_KEPT: usize = 1 << 17;

/// What somebody knows of terms. What he says nothing of can have every value.
pub trait Knowledge {
    fn of(&self, pool: &Pool, t: Term) -> Values;

    /// The values of the input byte with this number in the global numbering.
    fn byte(&self, number: u32) -> ValueSet;
}

/// What holds of terms for every input, as far as it was asked for.
#[derive(Default)]
pub(crate) struct ValuesCache {
    known: FxHashMap<Term, Values>,
}

impl ValuesCache {
    pub fn bytes(&self) -> usize {
        self.known.capacity() * (size_of::<(Term, Values)>() + 1)
    }
}

impl Knowledge for ValuesCache {
    fn of(&self, pool: &Pool, t: Term) -> Values {
        self.known.get(&t).copied().unwrap_or_else(|| Values::all(pool.width(t)))
    }

    fn byte(&self, _: u32) -> ValueSet {
        ValueSet::ALL
    }
}

impl Pool {
    /// The values that `t` can have, whatever the inputs are; computed once for each term.
    pub fn values(&mut self, t: Term) -> Values {
        if let Some(known) = self.values.known.get(&t) {
            return *known;
        }
        if self.values.known.len() > MOST_KEPT {
            self.values = ValuesCache::default();
        }
        let mut cache = std::mem::take(&mut self.values);
        let mut pending = vec![(t, false)];
        while let Some((t, parts_done)) = pending.pop() {
            if cache.known.contains_key(&t) {
                continue;
            }
            if !parts_done {
                pending.push((t, true));
                self.for_each_child(t, |part| pending.push((part, false)));
                continue;
            }
            let mut values = self.values_from_parts(t, &cache);
            if let Some(entry) = self.values_of_entry(t, &cache) {
                values = values.meet(&entry);
            }
            cache.known.insert(t, values);
        }
        let values = cache.known[&t];
        self.values = cache;
        values
    }

    /// The values of a term by those of its parts. Values that are known of the term itself do not count.
    pub fn values_from_parts(&self, t: Term, known: &impl Knowledge) -> Values {
        let of = |part: Term| match self.as_const(part) {
            Some(value) => Values::constant(self.width(part), value),
            None => known.of(self, part),
        };
        match self.node(t) {
            Node::Const { width, value } => Values::constant(width, value),
            Node::Select { array, index } => Values::of_set(8, self.bytes_read(array, index, &of, known)),
            Node::Bin { op, a, b } => Values::bin(op, &of(a), &of(b)),
            Node::Cmp { op, a, b } => Values::compare(op, &of(a), &of(b)),
            Node::Not(a) => of(a).not(),
            Node::Concat { high, low } => of(high).concat(&of(low)),
            Node::Extract { term, low, width } => of(term).extract(low, width),
            Node::ZExt { term, width } => of(term).zext(width),
            Node::SExt { term, width } => of(term).sext(width),
            Node::Ite { cond, then, other } => match of(cond).as_truth() {
                Some(true) => of(then),
                Some(false) => of(other),
                None => of(then).join(&of(other)),
            },
        }
    }

    fn bytes_read(
        &self,
        mut array: Array,
        index: Term,
        of: &impl Fn(Term) -> Values,
        known: &impl Knowledge,
    ) -> ValueSet {
        let places = of(index).ranges();
        if places.is_empty() {
            return ValueSet::EMPTY;
        }
        let mut bytes = ValueSet::EMPTY;
        for _ in 0..MOST_STORES {
            let ArrayNode::Store { array: older, index: stored_at, value } = self.array_node(array) else {
                return bytes.union(self.bytes_at(array, &places, known));
            };
            let stored = of(stored_at).ranges();
            let surely = stored_at == index || (stored.as_const().is_some() && stored.as_const() == places.as_const());
            if surely || !stored.meet(&places).is_empty() {
                let Values::Small { set, .. } = of(value) else { return ValueSet::ALL };
                bytes = bytes.union(set);
            }
            if surely {
                return bytes;
            }
            array = older;
        }
        ValueSet::ALL
    }

    /// The bytes of a table or an input at these places.
    fn bytes_at(&self, array: Array, places: &Ranges, known: &impl Knowledge) -> ValueSet {
        match self.array_node(array) {
            ArrayNode::Table { bytes } => {
                let size = bytes.len() as u128;
                let mut found = if places.high >= size { ValueSet::single(0) } else { ValueSet::EMPTY };
                if places.low < size {
                    let end = places.high.min(size - 1);
                    if end - places.low > MOST_ENTRIES {
                        return ValueSet::ALL;
                    }
                    places.below(bytes.len()).for_each(|place| found.insert(bytes[place]));
                }
                found
            }
            ArrayNode::Input { size, first_byte, .. } => {
                let size = u128::from(size);
                let mut found = if places.high >= size { ValueSet::single(0) } else { ValueSet::EMPTY };
                for place in places.low..=places.high.min(size.wrapping_sub(1)) {
                    if found == ValueSet::ALL || place - places.low > MOST_ENTRIES {
                        return ValueSet::ALL;
                    }
                    if place < size && places.contains(place) {
                        found = found.union(known.byte(first_byte + place as u32));
                    }
                }
                found
            }
            ArrayNode::Store { .. } => ValueSet::ALL,
        }
    }
}
