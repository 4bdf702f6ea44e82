//! A compiler for `./configure && make`: clang, with the bitcode of every source kept in what it makes.
//!
//! The native objects are those that clang makes of the same command, with a few headers in front of the libc's; a second
//! compilation gives the bitcode, with debug information and before any optimisation, which becomes a section of the
//! object. The linker joins the sections of the objects that it takes, so a binary carries the bitcode of what is in it,
//! archives and all.
//!
//! It knows nothing of LLVM's data structures and nothing of what is done with the bitcode. It prints what clang prints,
//! and a line where a source got no bitcode.
//!
//! Start reading at [`compile`] (compile.rs); `arguments.rs` says what a command line means, `target.rs` what the libc
//! adds to it, `root.rs` which headers and functions come with it, `section.rs` how bitcode lies in a file.
#![forbid(unsafe_code)]

mod arguments;
mod bitcode;
mod compile;
mod elf;
mod response;
mod root;
mod section;
mod target;

pub use compile::{Compiled, Failure, compile};
pub use elf::{Binary, BinaryError, binary, is_binary};
pub use section::{Part, SECTION};
