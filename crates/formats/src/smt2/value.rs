//! What expressions of a script stand for, and of which sort they are.

use std::fmt;

use osier_term::{Pool, Term};

use super::arrays::{ArrayId, Arrays};
use super::sexpr::{Node, Sexpr, Trees};
use crate::position::{ParseError, Position, fail};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Bool,
    BitVec(u32),
    /// From bit-vectors of this width to bytes.
    Array {
        index_width: u32,
    },
}

/// Truth values and bit-vectors of width one are the same terms, but not the same values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Bool(Term),
    BitVec(Term),
    Array(ArrayId),
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array { index_width } => write!(f, "(Array (_ BitVec {index_width}) (_ BitVec 8))"),
        }
    }
}

impl Value {
    pub(super) fn sort(self, pool: &Pool, arrays: &Arrays) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(t) => Sort::BitVec(pool.width(t)),
            Value::Array(id) => Sort::Array { index_width: arrays.index_width(id) },
        }
    }
}

/// The widest bit-vector.
const WIDEST: u32 = 128;

pub(super) fn check_width(at: Position, width: u128) -> Result<u32, ParseError> {
    match u32::try_from(width) {
        Ok(width @ 1..=WIDEST) => Ok(width),
        Ok(_) | Err(_) => fail(at, format!("a bit-vector of {width} bits is not supported: 1 to {WIDEST} are")),
    }
}

/// Reads a sort; `known` are those that the script has defined.
pub(super) fn sort(trees: &Trees, node: Node, known: &dyn Fn(&str) -> Option<Sort>) -> Result<Sort, ParseError> {
    let at = trees.at(node);
    if let Some(name) = trees.symbol(node) {
        return match (name, known(name)) {
            ("Bool", _) => Ok(Sort::Bool),
            (_, Some(sort)) => Ok(sort),
            (_, None) => fail(at, format!("the sort `{name}` is not supported: Bool, BitVec and Array are")),
        };
    }
    if let [underscore, name, width] = *trees.parts(node)
        && trees.symbol(underscore) == Some("_")
        && trees.symbol(name) == Some("BitVec")
        && let Sexpr::Numeral(width) = trees.get(width)
    {
        return check_width(at, width).map(Sort::BitVec);
    }
    if let [name, index, element] = *trees.parts(node)
        && trees.symbol(name) == Some("Array")
        && trees.parts(index).first().and_then(|&head| trees.symbol(head)) != Some("Array")
        && trees.parts(element).first().and_then(|&head| trees.symbol(head)) != Some("Array")
    {
        return match (sort(trees, index, known)?, sort(trees, element, known)?) {
            (Sort::BitVec(index_width @ 1..=64), Sort::BitVec(8)) => Ok(Sort::Array { index_width }),
            (index, element) => fail(
                at,
                format!("arrays from {index} to {element} are not supported: from at most 64 bits to 8 bits are"),
            ),
        };
    }
    fail(at, "this sort is not supported: Bool, (_ BitVec n) and (Array (_ BitVec n) (_ BitVec 8)) are")
}
