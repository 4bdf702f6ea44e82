//! How reads are encoded.
//!
//! * A table whose entries are all the same but for [`FEW_ENTRIES`] becomes a choice over these entries. Any other
//!   becomes a tree of choices over the bits of the index. Equal halves are shared, and bits of the index that are known
//!   take no choice; so a table of wide entries stays small. Of a large table the tree has only the entries that the index
//!   can reach, if these are few.
//! * An input becomes one unknown byte per byte that is read. A read at a symbolic index is a tree over all of its
//!   bytes, up to [`LARGEST_TREE`]; beyond that the input gets an SMT array, tied to the bytes by equations.
//! * A store becomes a choice between the stored value and a read of what was there before.

use std::collections::BTreeMap;

use bitwuzla_sys as c;
use osier_solver::ArrayReads;
use osier_term::{Array, ArrayNode, Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::known_bits::known_bits;
use crate::reachable::{Reachable, byte_at};
use crate::session::{Handle, Session};

/// Bytes of an input up to which a tree is built. The theory is up to three times faster where a solution is easily
/// found, the tree ten times where there is none (256 bytes, each checked, then read: 3 ms against 31).
const LARGEST_TREE: u32 = 256;

/// Entries besides the most frequent one up to which a table is a choice over them. (A hash table of 300 pointers, five of
/// them set: 2.3 ms on average and 0.9 at the median, where trees take 3.9 and 2.7.)
const FEW_ENTRIES: usize = 16;

/// From this many bytes on it is found out which of them an index can reach. (A pool of 48,008 bytes, read 117 times through
/// pointers that stand in another table: a query could not be put in 0.4 s.)
const LARGE_TABLE: usize = 512;

struct Input {
    array: Array,
    size: u32,
    bytes: FxHashMap<u32, Handle>,
    theory: Option<Handle>,
}

#[derive(Default)]
pub(crate) struct Arrays {
    /// By the global number of the input's first byte.
    inputs: BTreeMap<u32, Input>,
    /// Reads through stores, so that reads of later versions share them.
    reads: FxHashMap<(Array, Term), Handle>,
    reachable: Reachable,
    /// Since somebody took the count.
    pub(crate) counted: ArrayReads,
}

impl Arrays {
    /// The byte of `array` at `index`. `handle_of` knows the index and all indices and values of stores below.
    pub(crate) fn read(
        &mut self,
        session: &mut Session,
        pool: &Pool,
        handle_of: &dyn Fn(Term) -> Handle,
        array: Array,
        index: Term,
    ) -> Handle {
        let mut stores = Vec::new();
        let mut oldest = array;
        let mut result = loop {
            if let Some(&known) = self.reads.get(&(oldest, index)) {
                break known;
            }
            match pool.array_node(oldest) {
                ArrayNode::Store { array: older, index: stored_at, value } => {
                    stores.push((oldest, stored_at, value));
                    oldest = older;
                }
                ArrayNode::Table { bytes } => break self.read_table(session, pool, handle_of, bytes, index),
                ArrayNode::Input { size, first_byte, .. } => {
                    break self.read_input(session, pool, handle_of, oldest, size, first_byte, index);
                }
            }
        };
        for (version, stored_at, value) in stores.into_iter().rev() {
            result = match (pool.as_const(stored_at), pool.as_const(index)) {
                (Some(a), Some(b)) if a == b => handle_of(value),
                (Some(_), Some(_)) => result,
                (Some(_), None) | (None, Some(_)) | (None, None) => {
                    let hit = session.mk2(c::BITWUZLA_KIND_EQUAL, handle_of(stored_at), handle_of(index));
                    session.ite(hit, handle_of(value), result)
                }
            };
            self.reads.insert((version, index), result);
        }
        result
    }

    fn read_table(
        &mut self,
        session: &mut Session,
        pool: &Pool,
        handle_of: &dyn Fn(Term) -> Handle,
        bytes: &[u8],
        index: Term,
    ) -> Handle {
        let is_large = bytes.len() >= LARGE_TABLE && pool.as_const(index).is_none();
        let values = is_large.then(|| self.reachable.values(pool, index)).flatten();
        let few = match &values {
            Some(values) => {
                let entries = || values.iter().map(|&at| (at, byte_at(bytes, at)));
                few_entries(entries(), most_frequent(entries()))
            }
            None => few_entries_of_all(pool, bytes, index),
        };
        if let Some((rest, few)) = few {
            self.counted.choice += 1;
            let rest = session.value(8, rest.into());
            return few.into_iter().rev().fold(rest, |below, (at, byte)| {
                let (place, value) = (session.value(64, at), session.value(8, byte.into()));
                let here = session.mk2(c::BITWUZLA_KIND_EQUAL, handle_of(index), place);
                session.ite(here, value, below)
            });
        }
        self.counted.tree += u64::from(pool.as_const(index).is_none());
        let mut made = [None; 256];
        let mut value_of = |&byte: &u8| *made[usize::from(byte)].get_or_insert_with(|| session.value(8, byte.into()));
        if let Some(values) = values {
            let entries: Vec<_> = values.iter().map(|&at| (at, value_of(&byte_at(bytes, at)))).collect();
            return choose(session, handle_of(index), &entries);
        }
        let leaves = bytes.iter().map(&mut value_of).collect();
        Self::tree(session, pool, handle_of(index), index, leaves)
    }

    #[expect(clippy::too_many_arguments, reason = "the input's parts, and what it is read with")]
    fn read_input(
        &mut self,
        session: &mut Session,
        pool: &Pool,
        handle_of: &dyn Fn(Term) -> Handle,
        array: Array,
        size: u32,
        first_byte: u32,
        index: Term,
    ) -> Handle {
        let input = self.inputs.entry(first_byte).or_insert_with(|| Input {
            array,
            size,
            bytes: FxHashMap::default(),
            theory: None,
        });
        if let Some(at) = pool.as_const(index) {
            return match u32::try_from(at) {
                Ok(at) if at < size => input.byte(session, at),
                Ok(_) | Err(_) => session.value(8, 0),
            };
        }
        if size <= LARGEST_TREE {
            self.counted.tree += 1;
            let leaves = (0..size).map(|at| input.byte(session, at)).collect();
            return Self::tree(session, pool, handle_of(index), index, leaves);
        }
        self.counted.theory += 1;
        let theory = input.theory(session);
        let read = session.mk2(c::BITWUZLA_KIND_ARRAY_SELECT, theory, handle_of(index));
        let (end, zero) = (session.value(64, size.into()), session.value(8, 0));
        let inside = session.mk2(c::BITWUZLA_KIND_BV_ULT, handle_of(index), end);
        session.ite(inside, read, zero)
    }

    /// Chooses among the leaves by the bits of the index; beyond the leaves there are zeros. Leaves that the index cannot
    /// reach take no part.
    fn tree(session: &mut Session, pool: &Pool, index: Handle, index_term: Term, mut leaves: Vec<Handle>) -> Handle {
        let zero = session.value(8, 0);
        if leaves.is_empty() {
            return zero;
        }
        let known = known_bits(pool, index_term);
        let highest_index = pool.max_value(index_term);
        leaves.truncate(usize::try_from(highest_index).unwrap_or(usize::MAX).saturating_add(1));
        let mut level = leaves;
        let mut bit = 0;
        while level.len() > 1 {
            level = match known.bit(bit) {
                Some(value) => level.chunks(2).map(|pair| pick(pair, value, zero)).collect(),
                None => {
                    let one = session.value(1, 1);
                    let digit = session.extract(index, bit, bit);
                    let is_one = session.mk2(c::BITWUZLA_KIND_EQUAL, digit, one);
                    let mut made: FxHashMap<(Handle, Handle), Handle> = FxHashMap::default();
                    level
                        .chunks(2)
                        .map(|pair| {
                            let (low, high) = (pick(pair, false, zero), pick(pair, true, zero));
                            *made.entry((low, high)).or_insert_with(|| session.ite(is_one, high, low))
                        })
                        .collect()
                }
            };
            bit += 1;
        }
        if highest_index >> bit == 0 {
            return level[0];
        }
        let mut above = (bit..64).filter(|&b| known.bit(b) != Some(false));
        if above.clone().any(|b| known.bit(b) == Some(true)) {
            return zero;
        }
        let Some(highest) = above.next_back() else { return level[0] };
        let rest = session.extract(index, highest, bit);
        let none = session.value(highest - bit + 1, 0);
        let inside = session.mk2(c::BITWUZLA_KIND_EQUAL, rest, none);
        session.ite(inside, level[0], zero)
    }

    /// Calls `each` with array, size, index and the unknown of every byte in `support` that a read has mentioned.
    pub(crate) fn for_each_byte(
        &self,
        session: &Session,
        support: &Support,
        mut each: impl FnMut(Array, u32, u32, u8),
    ) {
        for &(start, end) in support.intervals() {
            let first = self.inputs.range(..=start).next_back().map_or(start, |(&first, _)| first);
            for (&first_byte, input) in self.inputs.range(first..end) {
                for number in start.max(first_byte)..end.min(first_byte + input.size) {
                    let at = number - first_byte;
                    if let Some(value) = input.value_at(session, at) {
                        each(input.array, input.size, at, value);
                    }
                }
            }
        }
    }
}

/// A choice among entries, of which one is at the index: by bits, from the highest one in which they differ. The places
/// ascend.
fn choose(session: &mut Session, index: Handle, entries: &[(u128, Handle)]) -> Handle {
    let ((first, found), (last, _)) = (entries[0], entries[entries.len() - 1]);
    if entries.iter().all(|&(_, other)| other == found) {
        return found;
    }
    let bit = 127 - (first ^ last).leading_zeros();
    let (low, high) = entries.split_at(entries.partition_point(|(place, _)| place >> bit & 1 == 0));
    let (low, high) = (choose(session, index, low), choose(session, index, high));
    let (one, digit) = (session.value(1, 1), session.extract(index, bit, bit));
    let is_one = session.mk2(c::BITWUZLA_KIND_EQUAL, digit, one);
    session.ite(is_one, high, low)
}

/// What a read finds nearly everywhere, and the few places where it finds something else; nothing if there are many, or if
/// the index is known.
fn few_entries_of_all(pool: &Pool, bytes: &[u8], index: Term) -> Option<(u8, Vec<(u128, u8)>)> {
    if pool.as_const(index).is_some() {
        return None;
    }
    let known = known_bits(pool, index);
    let highest = pool.max_value(index);
    let can_be = |at: u128| at <= highest && at & known.zeros == 0 && !at & known.ones == 0;
    // An index that may lie beyond the end finds zeros there.
    let beyond = highest >= bytes.len() as u128;
    let entries = || bytes.iter().enumerate().map(|(at, &byte)| (at as u128, byte)).filter(|&(at, _)| can_be(at));
    few_entries(entries(), if beyond { 0 } else { most_frequent(entries()) })
}

fn few_entries(entries: impl Iterator<Item = (u128, u8)>, rest: u8) -> Option<(u8, Vec<(u128, u8)>)> {
    let few: Vec<(u128, u8)> = entries.filter(|&(_, byte)| byte != rest).take(FEW_ENTRIES + 1).collect();
    (few.len() <= FEW_ENTRIES).then_some((rest, few))
}

fn most_frequent(entries: impl Iterator<Item = (u128, u8)>) -> u8 {
    let mut counts = [0usize; 256];
    entries.for_each(|(_, byte)| counts[usize::from(byte)] += 1);
    // Of equals the smallest, so that the choice is always the same.
    (0..=255u8).max_by_key(|&byte| (counts[usize::from(byte)], 255 - byte)).unwrap_or(0)
}

/// One of a pair of neighbours; the last may be alone.
fn pick(pair: &[Handle], high: bool, missing: Handle) -> Handle {
    pair.get(usize::from(high)).copied().unwrap_or(missing)
}

impl Input {
    fn byte(&mut self, session: &mut Session, at: u32) -> Handle {
        if let Some(&byte) = self.bytes.get(&at) {
            return byte;
        }
        let byte = session.unknown(8);
        self.bytes.insert(at, byte);
        if let Some(theory) = self.theory {
            tie(session, theory, at, byte);
        }
        byte
    }

    fn theory(&mut self, session: &mut Session) -> Handle {
        if let Some(theory) = self.theory {
            return theory;
        }
        let theory = session.unknown_array();
        self.theory = Some(theory);
        let mut bytes: Vec<(u32, Handle)> = self.bytes.iter().map(|(&at, &byte)| (at, byte)).collect();
        // The order of assertions must not depend on a hash.
        bytes.sort_unstable_by_key(|&(at, _)| at);
        for (at, byte) in bytes {
            tie(session, theory, at, byte);
        }
        theory
    }

    fn value_at(&self, session: &Session, at: u32) -> Option<u8> {
        let term = match (self.bytes.get(&at), self.theory) {
            (Some(&byte), _) => byte,
            (None, Some(theory)) => {
                let index = session.small_value(at);
                session.mk2(c::BITWUZLA_KIND_ARRAY_SELECT, theory, index)
            }
            (None, None) => return None,
        };
        Some(session.value_of(term) as u8)
    }
}

/// The byte and the array's entry are the same thing, in every query from now on.
fn tie(session: &mut Session, theory: Handle, at: u32, byte: Handle) {
    let index = session.value(64, at.into());
    let entry = session.mk2(c::BITWUZLA_KIND_ARRAY_SELECT, theory, index);
    let same = session.mk2(c::BITWUZLA_KIND_EQUAL, entry, byte);
    session.assert(same);
}
