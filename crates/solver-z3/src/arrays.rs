//! How reads are encoded for Z3: tables are arrays whose entries are asserted, which it likes better than stores, trees
//! or chains of choices; an input is one unknown byte per byte that is read, and an array beside them, tied to the bytes
//! by equations, where a read has a symbolic index. A store is a choice between the stored value and an older read.

use std::collections::BTreeMap;

use osier_term::{Array, ArrayNode, Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::ffi as c;
use crate::session::{Handle, Session};

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
    tables: FxHashMap<Array, Handle>,
    /// Reads through stores, so that reads of later versions share them.
    reads: FxHashMap<(Array, Term), Handle>,
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
                ArrayNode::Table { .. } | ArrayNode::Input { .. } => {
                    break self.read_base(session, pool, handle_of, oldest, index);
                }
            }
        };
        for (version, stored_at, value) in stores.into_iter().rev() {
            result = match (pool.as_const(stored_at), pool.as_const(index)) {
                (Some(a), Some(b)) if a == b => handle_of(value),
                (Some(_), Some(_)) => result,
                (Some(_), None) | (None, Some(_)) | (None, None) => {
                    let hit = session.eq(handle_of(stored_at), handle_of(index));
                    session.ite(hit, handle_of(value), result)
                }
            };
            self.reads.insert((version, index), result);
        }
        result
    }

    fn read_base(
        &mut self,
        session: &mut Session,
        pool: &Pool,
        handle_of: &dyn Fn(Term) -> Handle,
        array: Array,
        index: Term,
    ) -> Handle {
        let (theory, size) = match pool.array_node(array) {
            ArrayNode::Table { bytes } => (self.table(session, array, bytes), bytes.len() as u128),
            ArrayNode::Input { size, first_byte, .. } => {
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
                (input.theory(session), u128::from(size))
            }
            ArrayNode::Store { .. } => unreachable!("below all stores"),
        };
        let read = session.select(theory, handle_of(index));
        if pool.max_value(index) < size {
            return read;
        }
        let (end, zero) = (session.value(64, size), session.value(8, 0));
        let inside = session.binary(c::Z3_mk_bvult, handle_of(index), end);
        session.ite(inside, read, zero)
    }

    fn table(&mut self, session: &mut Session, array: Array, bytes: &[u8]) -> Handle {
        *self.tables.entry(array).or_insert_with(|| {
            let theory = session.unknown_array();
            for (at, &byte) in bytes.iter().enumerate() {
                let byte = session.value(8, byte.into());
                tie(session, theory, at as u32, byte);
            }
            theory
        })
    }

    /// Calls `each` with array, size, index and the value of every byte in `support` that a read has mentioned.
    pub(crate) fn for_each_byte(
        &self,
        session: &mut Session,
        support: &Support,
        mut each: impl FnMut(Array, u32, u32, Handle),
    ) {
        for &(start, end) in support.intervals() {
            let first = self.inputs.range(..=start).next_back().map_or(start, |(&first, _)| first);
            for (&first_byte, input) in self.inputs.range(first..end) {
                for number in start.max(first_byte)..end.min(first_byte + input.size) {
                    let at = number - first_byte;
                    let term = match (input.bytes.get(&at), input.theory) {
                        (Some(&byte), _) => byte,
                        (None, Some(theory)) => {
                            let index = session.value(64, at.into());
                            session.select(theory, index)
                        }
                        (None, None) => continue,
                    };
                    each(input.array, input.size, at, term);
                }
            }
        }
    }
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
}

/// The byte and the array's entry are the same thing, in every query from now on.
fn tie(session: &mut Session, theory: Handle, at: u32, byte: Handle) {
    let index = session.value(64, at.into());
    let entry = session.select(theory, index);
    let same = session.eq(entry, byte);
    session.assert(same);
}
