//! Solvers in processes of their own: one that crashes, hangs or takes all memory costs one query and not the run.
//!
//! It knows processes, pipes and terms as messages; it refuses to know which solver runs at the other end. A
//! [`Subprocess`] is any program that we talk to through pipes without ever waiting for it longer than we want to. A
//! worker is our own program started once more, which answers queries in the form of `wire.rs` ([`serve`]); one of them
//! makes an [`Isolated`] solver, several a [`Race`].
//!
//! Start reading at `isolated.rs`, then `worker.rs` for this end of the pipe and `serve.rs` for the other one.
#![forbid(unsafe_code)]

mod isolated;
mod race;
mod serve;
mod subprocess;
mod wire;
mod worker;

pub use isolated::Isolated;
pub use race::Race;
pub use serve::{end_with_parent, limit_memory, serve};
pub use subprocess::{Subprocess, pump};
pub use worker::WorkerCommand;
