//! Any solver that speaks SMT-LIB 2 as a backend: a program at the other end of two pipes.
//!
//! It knows the text that goes through the pipes (`osier-formats` writes and reads it) and nothing of the solver itself.
//! It refuses to trust the program: one that hangs, prints rubbish, dies or answers too late costs the query that it was
//! asked, is ended and started again. What it says about satisfiable queries is tested by others, see `--check-answers`.
//!
//! Start reading at `backend.rs`; `session.rs` is one running program and what it was told.
//! `dialogue.rs` is for scripts that go to a program as they are.
#![forbid(unsafe_code)]

mod backend;
mod dialogue;
mod session;

pub use backend::{SmtLib, SmtLibConfig};
pub use dialogue::{Dialogue, DialogueConfig};
