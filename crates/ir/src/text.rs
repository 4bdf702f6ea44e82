//! The text form of a module: `Module` prints itself, and [`parse`] reads back the very same module.
//!
//! ```text
//! function &main(r0:i32, r1:i64) -> i32 { ; hello.c:3:1
//!   registers i32, i64, i1
//! block0:
//!   r2 = cmp.sgt.i32 r0, 1:i32 ; hello.c:4:9
//!   branch r2, e0->block1, e1->block2[r0 = -1:i32]
//! block1 +1:
//!   r0 = call0 &puts(@.str+4)
//!   jump e2->block2
//! block2:
//!   return r0
//! }
//! ```
//!
//! - Constants stand where they are used. A table at the end gives their numbers; a constant that is not in it is added.
//! - Names are those of the program, in quotes if odd, and `#12` where a name is taken already.
//! - `; file:line:column` is the place of an operation. An operation without one has that of the operation before it.
//! - `*2` after an operation is the number of LLVM instructions that it stands for, if not one; `+1` after a block's
//!   number is what it weighs more than its operations: its phi nodes.
//! - `also loc3 loc7` after it names the places of instructions that left no operation of their own.
//! - An edge is spelled out, with its moves, where it is first named.
//! - `//` begins a comment.
//!
//! Printing loses nothing of a module that the verifier accepts.

mod lex;
mod names;
mod parse;
mod parse_body;
mod parse_op;
mod parse_tables;
mod print;
mod print_op;

pub use parse::parse;
pub use print::Printer;

/// Why and where a text is not a module. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl ParseError {
    fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line_start = before.iter().rposition(|&c| c == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|&&c| c == b'\n').count();
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        ParseError { line: line as u32, column: column as u32, message: message.into() }
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
