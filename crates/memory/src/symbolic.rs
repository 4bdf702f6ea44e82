//! Reads and writes at symbolic offsets inside one object.
//!
//! Three encodings, chosen by what they cost the solver: a read of a concrete table with few distinct entries is a
//! choice over those entries; a write to an object with few possible positions is a choice in each of its bytes;
//! everything else goes through array terms.

use crate::memory::ADDRESSES;
use crate::page::Byte;
use crate::slices::Slice;
use crate::{Contents, Value, truncate};
use osier_term::{Array, ArrayNode, BvOp, Node, Pool, Term};
use std::collections::BTreeMap;

/// A table read names at most so many entries besides the most frequent one before it becomes an array read.
const FEW_ENTRIES: usize = 96;
/// The same for a table of addresses: a choice names the objects that they lead to, which after an array read have to be
/// asked for one by one.
const FEW_ADDRESSES: usize = 1024;
/// Tables with more positions than this are not looked through at each read.
const MOST_LOOKED_AT: usize = 1 << 16;
/// A write with at most so many possible positions is spelled out.
const FEW_POSITIONS: u64 = 32;

impl Contents {
    /// The value of `width` bits at a symbolic `offset` (64 bits wide) that the path keeps in bounds.
    pub fn read_at(&self, pool: &mut Pool, offset: Term, width: u32) -> Term {
        if let Some(chosen) = self.read_by_choice(pool, offset, width) {
            return chosen;
        }
        let array = self.to_array(pool);
        let len = width.div_ceil(8);
        let mut whole = None;
        for i in (0..len).rev() {
            let at = add_constant(pool, offset, u64::from(i));
            let byte = pool.select(array, at);
            whole = Some(match whole {
                Some(high) => pool.concat(high, byte),
                None => byte,
            });
        }
        pool.extract(whole.expect("a read has at least one byte"), 0, width)
    }

    /// ite(offset = p1 or offset = p2, v1, ite(offset = p3, v2, ... default)), where all bytes are concrete and all
    /// but the most frequent value stand at few places.
    fn read_by_choice(&self, pool: &mut Pool, offset: Term, width: u32) -> Option<Term> {
        let len = u64::from(width.div_ceil(8));
        if len > 8 {
            return None;
        }
        let size = self.len() as u64;
        if self.has_symbolic() {
            return self.read_by_choice_of_terms(pool, offset, width);
        }
        if positions(pool, offset, size, len).len() > MOST_LOOKED_AT {
            return None;
        }
        let mut places: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        let mut few = if width == 64 { FEW_ADDRESSES } else { FEW_ENTRIES };
        for position in positions(pool, offset, size, len) {
            let bits = self.read_concrete(position as usize, len as usize)?;
            if bits != 0 && !ADDRESSES.contains(&bits) {
                few = FEW_ENTRIES;
            }
            places.entry(truncate(bits, width)).or_default().push(position);
            if places.len() > few + 1 {
                return None;
            }
        }
        let (&default, frequent) = places.iter().max_by_key(|(_, at)| at.len())?;
        let total: usize = places.values().map(Vec::len).sum();
        if total - frequent.len() > few {
            return None;
        }
        let mut chosen = pool.constant(width, u128::from(default));
        for (&bits, at) in places.iter().rev().filter(|(bits, _)| **bits != default) {
            let mut here = pool.truth(false);
            for &position in at {
                let place = pool.constant(64, u128::from(position));
                let equal = pool.eq(offset, place);
                here = pool.or(here, equal);
            }
            let value = pool.constant(width, u128::from(bits));
            chosen = pool.ite(here, value, chosen);
        }
        Some(chosen)
    }

    /// As [`Self::read_by_choice`], where some bytes are symbolic, but each value that can be read is a choice over
    /// constants: a table of pointers that one was written to at a symbolic place. The constants stay at the roots of
    /// what is read, and so name its targets.
    fn read_by_choice_of_terms(&self, pool: &mut Pool, offset: Term, width: u32) -> Option<Term> {
        let possible = positions(pool, offset, self.len() as u64, u64::from(width.div_ceil(8)));
        if possible.len() as u64 > FEW_POSITIONS {
            return None;
        }
        let mut values: Vec<(Term, Vec<u64>)> = Vec::new();
        let mut constants = 0;
        for position in possible {
            let value = self.read(pool, position as usize, width).term(pool, width);
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, places)) => places.push(position),
                None => {
                    constants += constants_of(pool, value)?;
                    values.push((value, vec![position]));
                }
            }
            if constants > FEW_ENTRIES {
                return None;
            }
        }
        let most = values.iter().map(|(_, places)| places.len()).max()?;
        let default = values.iter().position(|(_, places)| places.len() == most)?;
        let (mut chosen, _) = values.swap_remove(default);
        for (value, places) in values.into_iter().rev() {
            let mut here = pool.truth(false);
            for position in places {
                let place = pool.constant(64, u128::from(position));
                let equal = pool.eq(offset, place);
                here = pool.or(here, equal);
            }
            chosen = pool.ite(here, value, chosen);
        }
        Some(chosen)
    }

    /// Writes a value of `width` bits at a symbolic `offset` that the path keeps in bounds.
    pub fn write_at(&mut self, pool: &mut Pool, offset: Term, width: u32, value: Value) {
        let len = width.div_ceil(8);
        let term = value.term(pool, width);
        let whole = pool.zext(term, len * 8);
        let possible: Vec<u64> =
            positions(pool, offset, self.len() as u64, u64::from(len)).take(FEW_POSITIONS as usize + 1).collect();
        if possible.len() as u64 <= FEW_POSITIONS {
            self.write_by_choice(pool, offset, whole, len, &possible);
        } else {
            self.write_to_array(pool, offset, whole, len);
        }
    }

    /// In each byte that the write may touch: ite(offset = p, new byte, old byte).
    fn write_by_choice(&mut self, pool: &mut Pool, offset: Term, whole: Term, len: u32, possible: &[u64]) {
        for &position in possible {
            let place = pool.constant(64, u128::from(position));
            let here = pool.eq(offset, place);
            for i in 0..len {
                let at = position as usize + i as usize;
                let new = pool.extract(whole, i * 8, 8);
                let old = self.byte(pool, at);
                let byte = pool.ite(here, new, old);
                self.write_byte(pool, at, byte);
            }
        }
    }

    fn write_to_array(&mut self, pool: &mut Pool, offset: Term, whole: Term, len: u32) {
        let mut array = self.to_array(pool);
        for i in 0..len {
            let at = add_constant(pool, offset, u64::from(i));
            let byte = pool.extract(whole, i * 8, 8);
            array = pool.store(array, at, byte);
        }
        self.become_array(array);
    }

    /// The whole contents as an array term.
    pub fn to_array(&self, pool: &mut Pool) -> Array {
        if let Some(array) = self.known_array() {
            return array;
        }
        let array = if self.has_symbolic() { self.overlaid_array(pool) } else { pool.table(&self.plain_bytes()) };
        self.remember_array(array);
        array
    }

    fn overlaid_array(&self, pool: &mut Pool) -> Array {
        if let Some(input) = self.whole_input(pool) {
            return input;
        }
        // A stretch of an array that stands where it does in the array; others are spelled out.
        let in_place = |slice: &&Slice| slice.from == slice.here.start && slice.size >= self.len();
        let base = self.only_base().filter(in_place).map(|slice| slice.array);
        let mut array = base.unwrap_or_else(|| pool.table(&self.plain_bytes()));
        let mut start = 0;
        while start < self.len() {
            let (page, end) = self.page(start);
            // Whether the array that we begin with is right for all of the page.
            let there = match page {
                Some(page) => base.is_none() && !page.has_symbolic(),
                None => self.is_blank_base() == base.is_some(),
            };
            for i in if there { start..start } else { start..end } {
                let written = match self.get(i) {
                    Byte::Base if base.is_some() => continue,
                    Byte::Base => self.byte(pool, i),
                    Byte::Concrete(_) if base.is_none() => continue,
                    Byte::Concrete(byte) => pool.constant(8, u128::from(byte)),
                    Byte::Term(term) => term,
                };
                let at = pool.constant(64, i as u128);
                array = pool.store(array, at, written);
            }
            start = end;
        }
        array
    }

    /// The input array whose bytes these are, one by one and in order.
    fn whole_input(&self, pool: &Pool) -> Option<Array> {
        let input_of = |i: usize| match self.get(i) {
            Byte::Term(term) => match pool.node(term) {
                Node::Select { array, index } if pool.as_const(index) == Some(i as u128) => Some(array),
                _ => None,
            },
            Byte::Concrete(_) | Byte::Base => None,
        };
        let first = input_of(0)?;
        let whole = matches!(pool.array_node(first), ArrayNode::Input { size, .. } if size as usize == self.len());
        (whole && (1..self.len()).all(|i| input_of(i) == Some(first))).then_some(first)
    }
}

/// How many constants a term chooses from; nothing if it is no such choice, or one of too many.
fn constants_of(pool: &Pool, term: Term) -> Option<usize> {
    let mut open = vec![term];
    let mut found = 0;
    while let Some(term) = open.pop() {
        match pool.node(term) {
            Node::Const { .. } => found += 1,
            Node::Ite { then, other, .. } => open.extend([then, other]),
            Node::Select { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. } => return None,
        }
        if found + open.len() > FEW_ENTRIES {
            return None;
        }
    }
    Some(found)
}

/// The offsets at which an access of `len` bytes can lie in an object of `size` bytes, by what the shape of the offset
/// tells about its alignment and its greatest value.
fn positions(pool: &Pool, offset: Term, size: u64, len: u64) -> impl ExactSizeIterator<Item = u64> + use<> {
    let (varying, constant) = match pool.node(offset) {
        Node::Bin { op: BvOp::Add, a, b } => match (pool.as_const(a), pool.as_const(b)) {
            (Some(constant), _) => (b, constant as u64),
            (None, Some(constant)) => (a, constant as u64),
            (None, None) => (offset, 0),
        },
        _ => (offset, 0),
    };
    // A power of two, so that the remainder is right also where the sum wraps around.
    let stride = 1u64 << pool.trailing_zeros(varying).min(16);
    let first = constant % stride;
    let last = size.saturating_sub(len).min(u64::try_from(pool.max_value(offset)).unwrap_or(u64::MAX));
    let count = last.checked_sub(first).map_or(0, |room| room / stride + 1);
    (0..count as usize).map(move |i| first + i as u64 * stride)
}

pub(crate) fn add_constant(pool: &mut Pool, term: Term, constant: u64) -> Term {
    let constant = pool.constant(64, u128::from(constant));
    pool.add(term, constant)
}
