//! Arrays of SMT-LIB, which have no end, over arrays of terms, which have one.
//!
//! A declared array is an input for its first bytes. A read that may lie beyond them is a choice between the input and
//! a byte of its own, made equal to the bytes of earlier such reads at the same place (the elimination of Bryant,
//! German and Velev, "Processor verification using efficient reductions of the logic of uninterpreted functions",
//! 2001). So the terms have a model exactly if the script has one.

use osier_term::{Array, Pool, Term};
use rustc_hash::FxHashMap;

use crate::inputs::Inputs;
use crate::position::{ParseError, Position, fail};

/// Comparisons between reads beyond the inputs, in one script; they grow with the square of the reads.
const MOST_COMPARISONS: usize = 2_000_000;

/// An array of a script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ArrayId(u32);

/// A declared array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicArray {
    pub name: String,
    pub index_width: u32,
    /// Its first `size` bytes: an input, or a table if the script says what they are right after the declaration.
    pub input: Array,
    pub size: u32,
    /// Index and value of each read that may lie beyond them. Where the index is below `size`, the value means nothing.
    pub beyond: Vec<(Term, Term)>,
}

#[derive(Clone, Copy)]
enum Kind {
    Declared(usize),
    /// One byte everywhere.
    Filled(Term),
    Store {
        array: ArrayId,
        index: Term,
        value: Term,
    },
    Choice {
        cond: Term,
        then: ArrayId,
        other: ArrayId,
    },
}

#[derive(Clone, Copy)]
struct Entry {
    kind: Kind,
    index_width: u32,
    /// The same bytes below this index as an array of terms.
    plain: Option<(Array, u128)>,
}

#[derive(Default)]
pub(super) struct Arrays {
    entries: Vec<Entry>,
    pub declared: Vec<SymbolicArray>,
    known_reads: FxHashMap<(ArrayId, Term), Term>,
    comparisons: usize,
}

impl Arrays {
    fn push(&mut self, kind: Kind, index_width: u32, plain: Option<(Array, u128)>) -> ArrayId {
        self.entries.push(Entry { kind, index_width, plain });
        ArrayId(self.entries.len() as u32 - 1)
    }

    pub(super) fn index_width(&self, id: ArrayId) -> u32 {
        self.entries[id.0 as usize].index_width
    }

    /// No array that was made so far is known by any name.
    pub(super) fn forget_all(&mut self) {
        self.entries.clear();
        self.known_reads.clear();
        self.comparisons = 0;
    }

    /// The declared array that this is, if it is one.
    pub(super) fn as_declared(&self, id: ArrayId) -> Option<usize> {
        match self.entries[id.0 as usize].kind {
            Kind::Declared(number) => Some(number),
            Kind::Filled(_) | Kind::Store { .. } | Kind::Choice { .. } => None,
        }
    }

    pub(super) fn declare(&mut self, name: &str, index_width: u32, input: Array, size: u32) -> ArrayId {
        self.declared.push(SymbolicArray { name: name.to_owned(), index_width, input, size, beyond: vec![] });
        self.push(Kind::Declared(self.declared.len() - 1), index_width, Some((input, u128::from(size))))
    }

    pub(super) fn filled(&mut self, pool: &mut Pool, index_width: u32, value: Term) -> ArrayId {
        // Reads beyond the end of a table give zero, so a table of nothing is zero everywhere.
        let plain = (pool.as_const(value) == Some(0)).then(|| (pool.table(&[]), u128::MAX));
        self.push(Kind::Filled(value), index_width, plain)
    }

    /// The index is as wide as the array's are.
    pub(super) fn store(&mut self, pool: &mut Pool, array: ArrayId, index: Term, value: Term) -> ArrayId {
        let Entry { index_width, plain, .. } = self.entries[array.0 as usize];
        let index = pool.zext(index, 64);
        let plain = plain.map(|(bytes, below)| (pool.store(bytes, index, value), below));
        self.push(Kind::Store { array, index, value }, index_width, plain)
    }

    pub(super) fn choice(&mut self, cond: Term, then: ArrayId, other: ArrayId) -> ArrayId {
        if then == other {
            return then;
        }
        self.push(Kind::Choice { cond, then, other }, self.index_width(then), None)
    }

    /// The index is as wide as the array's are.
    pub(super) fn select(
        &mut self,
        pool: &mut Pool,
        inputs: &mut Inputs,
        at: Position,
        array: ArrayId,
        index: Term,
    ) -> Result<Term, ParseError> {
        let index = pool.zext(index, 64);
        if let Some(&known) = self.known_reads.get(&(array, index)) {
            return Ok(known);
        }
        let largest = pool.max_value(index);
        let mut found: FxHashMap<ArrayId, Term> = FxHashMap::default();
        let mut open = vec![array];
        while let Some(&id) = open.last() {
            let entry = self.entries[id.0 as usize];
            let byte = match (entry.plain, entry.kind) {
                (Some((bytes, below)), _) if largest < below => pool.select(bytes, index),
                (_, Kind::Filled(value)) => value,
                (_, Kind::Declared(number)) => self.read_beyond(pool, inputs, at, number, index)?,
                (_, Kind::Store { index: stored_at, value, .. }) if stored_at == index => value,
                (_, Kind::Store { array: older, index: stored_at, value }) => match found.get(&older) {
                    None => {
                        open.push(older);
                        continue;
                    }
                    Some(&older) => {
                        let hit = pool.eq(stored_at, index);
                        pool.ite(hit, value, older)
                    }
                },
                (_, Kind::Choice { cond, then, other }) => match (found.get(&then), found.get(&other)) {
                    (Some(&then), Some(&other)) => pool.ite(cond, then, other),
                    (None, _) => {
                        open.push(then);
                        continue;
                    }
                    (Some(_), None) => {
                        open.push(other);
                        continue;
                    }
                },
            };
            found.insert(id, byte);
            open.pop();
        }
        let byte = found[&array];
        self.known_reads.insert((array, index), byte);
        Ok(byte)
    }

    fn read_beyond(
        &mut self,
        pool: &mut Pool,
        inputs: &mut Inputs,
        at: Position,
        number: usize,
        index: Term,
    ) -> Result<Term, ParseError> {
        let SymbolicArray { name, input, size, beyond, .. } = &mut self.declared[number];
        let known = beyond.iter().find(|&&(place, _)| place == index);
        let far = match known {
            Some(&(_, byte)) => byte,
            None => {
                self.comparisons += beyond.len();
                if self.comparisons > MOST_COMPARISONS {
                    return fail(at, format!("too many reads of `{name}` at places without a bound"));
                }
                let own = inputs.declare(pool, at, name, Some(beyond.len() as u32), 1)?;
                let mut byte = pool.select_at(own, 0);
                for &(place, earlier) in beyond.iter().rev() {
                    let same = pool.eq(place, index);
                    byte = pool.ite(same, earlier, byte);
                }
                beyond.push((index, byte));
                byte
            }
        };
        let bound = pool.constant(64, u128::from(*size));
        let within = pool.ult(index, bound);
        let near = pool.select(*input, index);
        Ok(pool.ite(within, near, far))
    }
}
