//! Arrays: inputs, tables, and chains of stores with the index that keeps reads of long chains quick.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::node::{Array, Term};
use crate::pool::Pool;

/// Chains shorter than this are walked store by store.
pub(crate) const SMALLEST_BLOCK: u32 = 32;

pub(crate) enum ArrayData {
    Input {
        name: Box<str>,
        size: u32,
        first_byte: u32,
    },
    Table {
        bytes: Rc<[u8]>,
        /// How many entries from the start equal the first one.
        uniform_prefix: usize,
        largest: u8,
    },
    Store(Store),
}

#[derive(Clone, Copy)]
pub(crate) struct Store {
    pub array: Array,
    pub index: Term,
    pub value: Term,
    /// The index is `base + offset`, with no base where it is constant.
    pub base: Option<Term>,
    pub offset: u64,
    /// How many stores with this base stand directly on each other, up to and with this one.
    pub run: u32,
    /// The input or table under all stores.
    pub bottom: Array,
    /// How many stores stand on the bottom, up to and with this one.
    pub depth: u32,
}

/// A store at position `p` of its run, with `2^k` the largest power of two that divides `p`, gets a map of the newest
/// value at each offset among the last `2^k` stores. A read jumps from block to block, at most `log p` of them, so
/// reads of a chain of n stores cost O(log n) instead of O(n). Blocks are made when a read first comes by.
pub(crate) struct Block {
    pub newest: FxHashMap<u64, Term>,
    pub below: Array,
}

/// What a read finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Read {
    /// The value of a store whose index is certainly the one that is read.
    Value(Term),
    /// No store above this array can have written the byte.
    Rest(Array),
}

impl ArrayData {
    pub fn bytes(&self) -> usize {
        let own = match self {
            ArrayData::Input { name, .. } => name.len(),
            ArrayData::Table { bytes, .. } => bytes.len(),
            ArrayData::Store(_) => 0,
        };
        size_of::<ArrayData>() + own
    }
}

impl Block {
    pub fn bytes(&self) -> usize {
        self.newest.capacity() * (size_of::<(u64, Term)>() + 1) + 64
    }
}

impl Pool {
    /// A fresh array of symbolic bytes; two inputs differ even if their names agree.
    pub fn input(&mut self, name: &str, size: u32) -> Array {
        let first_byte = self.input_bytes;
        self.input_bytes = first_byte.checked_add(size).expect("more than 2^32 symbolic bytes");
        self.arrays.push(ArrayData::Input { name: name.into(), size, first_byte })
    }

    /// The constant array with these bytes.
    pub fn table(&mut self, bytes: &[u8]) -> Array {
        if let Some(&known) = self.table_ids.get(bytes) {
            return known;
        }
        let shared: Rc<[u8]> = bytes.into();
        let uniform_prefix = bytes.iter().take_while(|&&byte| byte == bytes[0]).count();
        let largest = bytes.iter().copied().max().unwrap_or(0);
        let id = self.arrays.push(ArrayData::Table { bytes: shared.clone(), uniform_prefix, largest });
        self.table_ids.insert(shared, id);
        id
    }

    pub(crate) fn intern_store(&mut self, array: Array, index: Term, value: Term) -> Array {
        if let Some(&known) = self.store_ids.get(&(array, index, value)) {
            return known;
        }
        let (base, offset) = self.index_parts(index);
        let (bottom, depth, run) = match &self.arrays[array] {
            ArrayData::Store(below) => {
                let run = if below.base == base { below.run + 1 } else { 1 };
                (below.bottom, below.depth + 1, run)
            }
            ArrayData::Input { .. } | ArrayData::Table { .. } => (array, 1, 1),
        };
        let id = self.arrays.push(ArrayData::Store(Store { array, index, value, base, offset, run, bottom, depth }));
        self.store_ids.insert((array, index, value), id);
        id
    }

    pub(crate) fn bottom(&self, array: Array) -> Array {
        match &self.arrays[array] {
            ArrayData::Store(store) => store.bottom,
            ArrayData::Input { .. } | ArrayData::Table { .. } => array,
        }
    }

    /// Goes down a chain of stores as long as each is certainly at the index or certainly elsewhere.
    pub(crate) fn read(&mut self, mut array: Array, index: Term) -> Read {
        let (base, offset) = self.index_parts(index);
        loop {
            let ArrayData::Store(store) = &self.arrays[array] else { return Read::Rest(array) };
            let store = *store;
            if store.base == base {
                if store.run.is_multiple_of(SMALLEST_BLOCK) {
                    let block = self.block(array, store.run);
                    match block.newest.get(&offset) {
                        Some(&value) => return Read::Value(value),
                        None => array = block.below,
                    }
                } else if store.offset == offset {
                    return Read::Value(store.value);
                } else {
                    array = store.array;
                }
            } else if self.never_equal(store.index, index) {
                array = store.array;
            } else {
                return Read::Rest(array);
            }
        }
    }

    /// The block that ends with this store at position `run`, made if it is not there yet.
    fn block(&mut self, array: Array, run: u32) -> &Block {
        let Pool { arrays, blocks, .. } = self;
        blocks.entry(array).or_insert_with(|| {
            let mut newest = FxHashMap::default();
            let mut below = array;
            for _ in 0..1u32 << run.trailing_zeros() {
                let ArrayData::Store(store) = &arrays[below] else { unreachable!("a run consists of stores") };
                newest.entry(store.offset).or_insert(store.value);
                below = store.array;
            }
            Block { newest, below }
        })
    }
}
