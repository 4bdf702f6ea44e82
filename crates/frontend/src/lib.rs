//! Source and bitcode in, [`osier_ir::Module`] out. The only room that sees LLVM.
//!
//! It knows nothing of execution: no states, no terms, no addresses. What it cannot lower becomes an
//! [`osier_ir::Op::Unsupported`] that names the construct, so that only the path which comes there ends.
//!
//! Start reading at [`load`] (load.rs), then `program.rs` (what names mean), `module.rs` (what is
//! lowered), then `lower/mod.rs` (how a function is). After
//! the plain lowering, `lower/tidy.rs` makes the code short without changing what it counts.

mod binary;
mod compile;
mod constants;
mod debuginfo;
mod error;
mod globals;
mod guard;
mod isolated;
mod llvm;
mod load;
mod lower;
mod module;
mod program;
mod read;
mod shim;
mod types;

pub use error::LoadError;
pub use load::{Loaded, Options, load};
