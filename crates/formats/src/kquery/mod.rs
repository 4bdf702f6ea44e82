//! KLEE's KQuery language: [`kquery`] writes a query, [`parse`] reads files of them.
//!
//! The parser follows KLEE's own, and is more lenient in two places: a type may be left out where operands tell it,
//! and an array may be declared again, as happens in logs of queries. Where KQuery leaves results open (division by
//! zero, shifts by the width or more, reads beyond the end) terms have the values of SMT-LIB, and reads give zero.

mod expression;
mod lexer;
mod operators;
mod parser;
mod print;

pub use parser::{Query, Session, Text, parse};
pub use print::{kquery, question};
