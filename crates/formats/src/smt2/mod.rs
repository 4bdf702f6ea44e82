//! SMT-LIB 2, logic QF_ABV: [`smt2`] writes a script, [`parse`] reads one.
//!
//! Bit-vectors have at most 128 bits, and arrays go from at most 64 bits to bytes; all else gets a message. Functions
//! and `let` are unfolded into terms, which share what is the same. Start reading at `script.rs`, which reads the
//! commands; `terms.rs` has the terms, and `arrays.rs` says how arrays without an end become arrays with one.

mod arrays;
mod command;
mod conversation;
mod cutter;
mod lexer;
mod names;
mod operators;
mod overflow;
mod print;
mod response;
mod script;
mod sexpr;
mod sizes;
mod terms;
mod text;
mod value;

pub use arrays::SymbolicArray;
pub use command::{Command, DeclaredValue, Script};
pub use conversation::{Conversation, Told};
pub use cutter::Cutter;
pub use print::{HEADER, question, smt2};
pub use response::{Response, response};
pub use script::{Session, parse};
pub use sexpr::symbol_text;
pub use text::Text;
pub use value::Sort;
