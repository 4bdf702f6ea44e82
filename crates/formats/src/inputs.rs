//! A text may declare more symbolic bytes than a pool can number; that is the text's fault and gets a message.

use osier_term::{Array, ArrayNode, Pool};
use rustc_hash::FxHashMap;

use crate::position::{ParseError, Position, fail};

/// Keeps count of a pool's symbolic bytes while a text declares some. A name that was declared before, and cannot be in
/// use any more, gets the same input again if its size is the same: queries that follow one another over the same
/// inputs then consist of the same terms.
pub(crate) struct Inputs {
    bytes: u32,
    /// By name, by number among the parts of what has that name, and by size.
    known: FxHashMap<(String, Option<u32>, u32), Array>,
}

impl Inputs {
    pub(crate) fn new(pool: &mut Pool) -> Self {
        // The numbering of bytes goes on where the newest input ends; an input without bytes shows where.
        let probe = pool.input("", 0);
        let bytes = match pool.array_node(probe) {
            ArrayNode::Input { first_byte, .. } => first_byte,
            ArrayNode::Table { .. } | ArrayNode::Store { .. } => unreachable!("a new input is an input"),
        };
        Inputs { bytes, known: FxHashMap::default() }
    }

    pub(crate) fn declare(
        &mut self,
        pool: &mut Pool,
        at: Position,
        name: &str,
        part: Option<u32>,
        size: u32,
    ) -> Result<Array, ParseError> {
        let key = (name.to_owned(), part, size);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        match self.bytes.checked_add(size) {
            Some(bytes) => self.bytes = bytes,
            None => return fail(at, "more than 2^32 symbolic bytes are declared in all"),
        }
        let input = match part {
            None => pool.input(name, size),
            Some(part) => pool.input(&format!("{name}@{part}"), size),
        };
        self.known.insert(key, input);
        Ok(input)
    }
}
