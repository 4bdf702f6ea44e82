//! A text may declare more symbolic bytes than a pool can number; that is the text's fault and gets a message.

use osier_term::{Array, ArrayNode, Pool};

use crate::position::{ParseError, Position, fail};

/// Keeps count of a pool's symbolic bytes while a text declares some.
pub(crate) struct Inputs {
    bytes: u32,
}

impl Inputs {
    pub(crate) fn new(pool: &mut Pool) -> Self {
        // The numbering of bytes goes on where the newest input ends; an input without bytes shows where.
        let probe = pool.input("", 0);
        let bytes = match pool.array_node(probe) {
            ArrayNode::Input { first_byte, .. } => first_byte,
            ArrayNode::Table { .. } | ArrayNode::Store { .. } => unreachable!("a new input is an input"),
        };
        Inputs { bytes }
    }

    pub(crate) fn declare(
        &mut self,
        pool: &mut Pool,
        at: Position,
        name: &str,
        size: u32,
    ) -> Result<Array, ParseError> {
        match self.bytes.checked_add(size) {
            Some(bytes) => self.bytes = bytes,
            None => return fail(at, "more than 2^32 symbolic bytes are declared in all"),
        }
        Ok(pool.input(name, size))
    }
}
