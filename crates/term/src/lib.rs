//! Terms over bit-vectors (1 to 128 bits) and arrays of bytes: hash-consed, simplified when built, named by small ids.
//! Two ids of one pool are equal exactly when the terms are the same term.
//!
//! This crate knows no solver and no program state. It refuses undefined behaviour: every operator is total, with the
//! semantics of SMT-LIB (division by zero gives all ones, a shift by the width or more gives zero or the sign), and
//! every read of an array gives a byte: reads beyond the end of a table or of an input give zero.
//!
//! No function recurses over the depth of a term, which can be hundreds of thousands: traversals keep their own stack,
//! and rules that look into operands do so to a fixed depth.
//!
//! Start reading at [`Pool`], then [`Node`]; the rewrite rules stand in `rules/`, one file a family.
#![forbid(unsafe_code)]

mod arrays;
mod assignment;
mod bits;
mod bounds;
mod build;
mod display;
mod eval;
mod node;
mod patch;
mod pool;
#[cfg(test)]
mod properties;
mod recent_values;
mod rewrite;
mod rules;
mod support;
#[cfg(test)]
mod testing;
mod values;

pub use assignment::Assignment;
pub use bits::{apply, compare, mask, sign_extend};
pub use eval::{Evaluator, eval, eval_within};
pub use node::{Array, ArrayNode, BvOp, CmpOp, Node, Term};
pub use patch::Patch;
pub use pool::Pool;
pub use rewrite::Substitution;
pub use support::Support;
pub use values::{Knowledge, Narrow, Ranges, ValueSet, Values};
