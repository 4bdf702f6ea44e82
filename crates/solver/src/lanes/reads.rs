//! Reads of arrays, for all lanes at once: what the input has there, or a table, or the last of the writes before.

use std::rc::Rc;

use osier_term::{Array, ArrayNode, Assignment, Term};
use rustc_hash::FxHashMap;

use super::{Lanes, Value, Work};

/// What the input bytes are in each lane.
pub(super) enum Inputs<'a> {
    /// One byte is the lane's number. What the others are; without it there must not be others.
    One {
        byte: u32,
        others: Option<&'a Assignment>,
    },
    Many(&'a FxHashMap<u32, Rc<Lanes>>),
}

impl Inputs<'_> {
    /// The input byte at an index of each lane; zero beyond the input's end.
    fn read(&self, array: Array, (first_byte, size): (u32, u32), at: &Lanes) -> Option<Lanes> {
        let is_inside = |i: u64| i < u64::from(size);
        match self {
            Inputs::One { byte, others } => {
                let is_other = |i: u64| i + u64::from(first_byte) != u64::from(*byte);
                // Another byte of the input would be in the term's support, and this one is not alone then.
                if others.is_none() && at.iter().any(|&i| is_inside(i) && is_other(i)) {
                    return None;
                }
                Some(std::array::from_fn(|v| match (is_inside(at[v]), others) {
                    (false, _) => 0,
                    (true, Some(others)) if is_other(at[v]) => others.get(array, at[v]).into(),
                    (true, _) => v as u64,
                }))
            }
            Inputs::Many(bytes) => {
                if at.iter().all(|&i| i == at[0]) && is_inside(at[0]) {
                    return Some(**bytes.get(&(first_byte + at[0] as u32))?);
                }
                let mut read = [0; 256];
                for (v, &i) in at.iter().enumerate().filter(|(_, i)| is_inside(**i)) {
                    read[v] = bytes.get(&(first_byte + i as u32))?[v];
                }
                Some(read)
            }
        }
    }
}

/// An index or a value that is written to an array.
enum Written {
    Same(u64),
    Each(Rc<Lanes>),
}

/// What a read looks at, roughly: most writes to a long array are elsewhere, which is seen without a look at each lane.
struct Places([u64; Places::WORDS]);

impl Places {
    const WORDS: usize = 64;

    fn of(at: &Lanes) -> Places {
        let mut places = Places([0; Places::WORDS]);
        for &i in at {
            places.0[Self::word(i)] |= 1 << (i % 64);
        }
        places
    }

    fn word(index: u64) -> usize {
        (index / 64) as usize % Places::WORDS
    }

    fn may_have(&self, index: u64) -> bool {
        self.0[Self::word(index)] >> (index % 64) & 1 == 1
    }
}

fn put(read: &mut Lanes, here: impl Fn(usize) -> bool, new: impl Fn(usize) -> u64) {
    for (v, lane) in read.iter_mut().enumerate() {
        // Without a branch, so that it becomes vector code.
        let mask = u64::from(here(v)).wrapping_neg();
        *lane = new(v) & mask | *lane & !mask;
    }
}

impl Work<'_> {
    /// What is at an index of each lane after all writes.
    pub(super) fn read(&self, mut array: Array, index: Term) -> Option<Value> {
        let at = self.lanes(index);
        let read_at = Places::of(&at);
        let mut stores = Vec::new();
        while let ArrayNode::Store { array: older, index, value } = self.pool.array_node(array) {
            let stored_at = self.written(index);
            if !matches!(stored_at, Written::Same(i) if !read_at.may_have(i)) {
                stores.push((stored_at, self.written(value)));
            }
            array = older;
        }
        let mut read = self.read_below(array, &at)?;
        for (stored_at, stored) in stores.iter().rev() {
            match (stored_at, stored) {
                (Written::Same(i), Written::Same(x)) => put(&mut read, |v| at[v] == *i, |_| *x),
                (Written::Same(i), Written::Each(x)) => put(&mut read, |v| at[v] == *i, |v| x[v]),
                (Written::Each(i), Written::Same(x)) => put(&mut read, |v| at[v] == i[v], |_| *x),
                (Written::Each(i), Written::Each(x)) => put(&mut read, |v| at[v] == i[v], |v| x[v]),
            }
        }
        Some(Value::Lanes(Rc::new(read)))
    }

    /// Reads what was there before all writes.
    fn read_below(&self, array: Array, at: &Lanes) -> Option<Lanes> {
        Some(match self.pool.array_node(array) {
            ArrayNode::Input { size, first_byte, .. } => self.inputs.read(array, (first_byte, size), at)?,
            ArrayNode::Table { bytes } => {
                std::array::from_fn(|v| usize::try_from(at[v]).ok().and_then(|i| bytes.get(i)).map_or(0, |&b| b.into()))
            }
            ArrayNode::Store { .. } => unreachable!("below all writes there is none"),
        })
    }

    fn written(&self, t: Term) -> Written {
        match self.pool.as_const(t) {
            Some(value) => Written::Same(value as u64),
            None => Written::Each(self.lanes(t)),
        }
    }
}
