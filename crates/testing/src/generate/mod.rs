//! A seeded generator of C programs without undefined behaviour, for running the same program in two ways.
//!
//! A program works on integers of all widths, local, global and heap memory, structs, unions, bit-fields, pointers,
//! function pointers, varargs and bounded loops; it ends by writing a checksum of its whole state and returns a part of
//! it. Its first [`SYMBOLIC_INPUTS`] input bytes may be symbolic.
//!
//! Three kinds of value keep a symbolic run small, see [`Class`]: what decides where control goes is concrete, but for a
//! few branches; what may be deep and symbolic is computed and written, never asked about.
//!
//! The same seed gives the same text. Start reading at [`program`].

mod expr;
mod functions;
mod places;
mod program;
mod stmt;
mod types;

pub use places::Class;
pub use program::{Program, SYMBOLIC_INPUTS, program};
pub use types::Int;
