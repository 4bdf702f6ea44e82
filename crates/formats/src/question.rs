//! What a written query asks.

use osier_term::{Array, Term};

/// Can the constraints hold together, and if so, what are these values and the bytes of these inputs then?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub constraints: &'a [Term],
    pub values: &'a [Term],
    pub inputs: &'a [Array],
}
