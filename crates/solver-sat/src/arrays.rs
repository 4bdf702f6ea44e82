//! How reads become gates.
//!
//! * A byte of an input is eight free bits, made when it is first read.
//! * A read at a symbolic index is a tree of choices over the bits of the index, for tables and inputs alike. Constant
//!   bits of the index take no choice, and equal halves are one by the sharing of gates.
//! * A store is a choice between the stored value and a read of what was there before.

use std::collections::BTreeMap;

use osier_term::{Array, ArrayNode, Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::blast::{Bits, TooLarge};
use crate::gates::{Bit, Gates};
use crate::words;

/// Leaves of the largest tree. Twice as many take twice as long to build, and the cost comes with every new index.
const LARGEST_TREE: usize = 4096;

/// Stores that one read may go through: each takes up to 140 gates.
const MOST_STORES: usize = 1000;

pub(crate) type Byte = [Bit; 8];

const ZERO: Byte = [Bit::FALSE; 8];

struct Input {
    array: Array,
    size: u32,
    bytes: FxHashMap<u32, Byte>,
}

impl Input {
    fn byte(&mut self, gates: &mut Gates, at: u32) -> Byte {
        *self.bytes.entry(at).or_insert_with(|| std::array::from_fn(|_| gates.free()))
    }
}

#[derive(Default)]
pub(crate) struct Arrays {
    /// By the global number of the input's first byte.
    inputs: BTreeMap<u32, Input>,
    /// Reads through stores, so that reads of later versions share them.
    reads: FxHashMap<(Array, Term), Byte>,
    /// How many reads became trees.
    pub(crate) trees: u64,
}

impl Arrays {
    /// The byte of `array` at `index`. The index and all indices and values of stores below are blasted.
    pub(crate) fn read(
        &mut self,
        gates: &mut Gates,
        bits: &Bits,
        pool: &Pool,
        array: Array,
        index: Term,
    ) -> Result<Byte, TooLarge> {
        let mut stores = Vec::new();
        let mut oldest = array;
        let mut result = loop {
            if let Some(&known) = self.reads.get(&(oldest, index)) {
                break known;
            }
            match pool.array_node(oldest) {
                ArrayNode::Store { array: older, index: stored_at, value } => {
                    stores.push((oldest, stored_at, value));
                    if stores.len() > MOST_STORES {
                        return Err(TooLarge("a chain of stores"));
                    }
                    oldest = older;
                }
                ArrayNode::Table { bytes } => {
                    self.trees += u64::from(pool.as_const(index).is_none());
                    let leaf = |_: &mut Gates, at: usize| constant_byte(bytes[at]);
                    break read_leaves(gates, bits, pool, index, bytes.len(), leaf)?;
                }
                ArrayNode::Input { size, first_byte, .. } => {
                    self.trees += u64::from(pool.as_const(index).is_none());
                    let fresh = || Input { array: oldest, size, bytes: FxHashMap::default() };
                    let input = self.inputs.entry(first_byte).or_insert_with(fresh);
                    let leaf = |gates: &mut Gates, at: usize| input.byte(gates, at as u32);
                    break read_leaves(gates, bits, pool, index, size as usize, leaf)?;
                }
            }
        };
        for (version, stored_at, value) in stores.into_iter().rev() {
            let hit = words::equal(gates, bits.of(pool, stored_at), bits.of(pool, index));
            let value = bits.of(pool, value);
            result = std::array::from_fn(|i| gates.mux(hit, value[i], result[i]));
            self.reads.insert((version, index), result);
        }
        Ok(result)
    }

    pub(crate) fn for_each_byte(&self, support: &Support, mut each: impl FnMut(Array, u32, u32, Byte)) {
        for &(start, end) in support.intervals() {
            let first = self.inputs.range(..=start).next_back().map_or(start, |(&first, _)| first);
            for (&first_byte, input) in self.inputs.range(first..end) {
                for number in start.max(first_byte)..end.min(first_byte + input.size) {
                    let at = number - first_byte;
                    if let Some(&byte) = input.bytes.get(&at) {
                        each(input.array, input.size, at, byte);
                    }
                }
            }
        }
    }
}

fn constant_byte(value: u8) -> Byte {
    std::array::from_fn(|i| Bit::constant(value >> i & 1 == 1))
}

/// Chooses among `count` leaves by the bits of the index; beyond them there are zeros. Leaves that the index cannot reach
/// are not asked for.
fn read_leaves(
    gates: &mut Gates,
    bits: &Bits,
    pool: &Pool,
    index: Term,
    count: usize,
    mut leaf: impl FnMut(&mut Gates, usize) -> Byte,
) -> Result<Byte, TooLarge> {
    let digits = bits.of(pool, index);
    let highest = usize::try_from(pool.max_value(index)).unwrap_or(usize::MAX);
    let count = count.min(highest.saturating_add(1));
    if count == 0 {
        return Ok(ZERO);
    }
    let depth = count.next_power_of_two().trailing_zeros() as usize;
    let (inner, outer) = digits.split_at(depth);
    let (mut known, mut ones) = (0, 0);
    for (i, digit) in inner.iter().enumerate() {
        if let Some(value) = digit.as_constant() {
            known |= 1 << i;
            ones |= usize::from(value) << i;
        }
    }
    let reachable = (0..1usize << depth).filter(|at| at & known == ones);
    if (1usize << depth >> known.count_ones()) > LARGEST_TREE {
        return Err(TooLarge("an array read at a symbolic index"));
    }
    let mut level: Vec<Byte> = reachable.map(|at| if at < count { leaf(gates, at) } else { ZERO }).collect();
    for &digit in inner.iter().filter(|digit| digit.as_constant().is_none()) {
        level = level
            .chunks_exact(2)
            .map(|pair| std::array::from_fn(|i| gates.mux(digit, pair[1][i], pair[0][i])))
            .collect();
    }
    if highest >> depth == 0 {
        return Ok(level[0]);
    }
    let outside = outer.iter().fold(Bit::FALSE, |any, &digit| gates.or(any, digit));
    Ok(level[0].map(|bit| gates.and(bit, !outside)))
}
