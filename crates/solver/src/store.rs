//! Answers that outlive a run: what a persistent store has to offer, and how a model is written down without names.

use osier_term::{Array, ArrayNode, Assignment, Pool, Support};

use crate::canonical::{Canonical, Key, Place};

/// The answer to a slice, without the names of its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoredAnswer {
    /// For each place of the slice in turn: one value for a byte; for an array its length without trailing zeros, as
    /// four bytes, and so many values.
    Sat(Box<[u8]>),
    Unsat,
    /// What is known of slices that differ only in the values that their single bytes may have.
    Cases(Box<[u8]>),
}

/// Keeps answers by the keys of their slices, longer than a run and for other programs too.
///
/// A store may forget, and what it gives back for sat is tested before use. It must never give an answer under a key
/// under which it was not put. It keeps its failures to itself until it is asked by other means: a store that breaks
/// down makes a run slower, not wrong.
pub trait Store {
    fn get(&mut self, key: &Key) -> Option<StoredAnswer>;

    /// What is there under the key is replaced.
    fn put(&mut self, key: Key, answer: &StoredAnswer);
}

/// A model by the numbers of the slice's bytes. Only the bytes in `support` have a meaning, and only they are kept.
pub(crate) fn encode(slice: &Canonical, model: &Assignment, support: &Support, pool: &Pool) -> Box<[u8]> {
    let mut out = Vec::with_capacity(slice.places.len());
    for &Place { array, at } in &slice.places {
        if at != Place::WHOLE {
            out.push(model.get(array, u64::from(at)));
            continue;
        }
        let Some((_, first_byte)) = extent(pool, array) else { continue };
        let bytes = model.bytes(array).unwrap_or(&[]);
        let mut kept: Vec<u8> = bytes
            .iter()
            .zip(first_byte..)
            .map(|(&value, number)| if support.contains_byte(number) { value } else { 0 })
            .collect();
        kept.truncate(kept.iter().rposition(|&value| value != 0).map_or(0, |last| last + 1));
        out.extend_from_slice(&(kept.len() as u32).to_le_bytes());
        out.extend_from_slice(&kept);
    }
    out.into()
}

/// The way back; `None` if the bytes are no model of such a slice.
pub(crate) fn decode(slice: &Canonical, mut bytes: &[u8], pool: &Pool) -> Option<Assignment> {
    let mut model = Assignment::new();
    for &Place { array, at } in &slice.places {
        let (size, _) = extent(pool, array)?;
        if at != Place::WHOLE {
            let (&value, rest) = bytes.split_first()?;
            model.set_byte(array, size, at, value);
            bytes = rest;
            continue;
        }
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length);
        if length > size || length as usize > rest.len() {
            return None;
        }
        let (values, rest) = rest.split_at(length as usize);
        let mut whole = values.to_vec();
        whole.resize(size as usize, 0);
        model.set(array, whole.into());
        bytes = rest;
    }
    bytes.is_empty().then_some(model)
}

/// The value that a stored model has at each place; nothing where the place is an array, or if it is no such model.
pub(crate) fn values_of(slice: &Canonical, mut bytes: &[u8]) -> Option<Vec<Option<u8>>> {
    let mut values = Vec::with_capacity(slice.places.len());
    for place in &slice.places {
        if place.at != Place::WHOLE {
            let (&value, rest) = bytes.split_first()?;
            values.push(Some(value));
            bytes = rest;
            continue;
        }
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        bytes = rest.get(u32::from_le_bytes(*length) as usize..)?;
        values.push(None);
    }
    Some(values)
}

/// The size and the first byte of an input.
fn extent(pool: &Pool, array: Array) -> Option<(u32, u32)> {
    match pool.array_node(array) {
        ArrayNode::Input { size, first_byte, .. } => Some((size, first_byte)),
        ArrayNode::Table { .. } | ArrayNode::Store { .. } => None,
    }
}
