//! Execution: the state of a path, one step of it, and the tree of all paths.
//!
//! This room has no strategy (a [`Searcher`] chooses the next state), no system call (an [`Environment`] answers what
//! the program asks of its surroundings) and no bug rule (a [`Monitor`] says what must hold). A bug in the program is
//! a result; `Err` means that Osier failed.
//!
//! Start reading at [`Engine`], then [`State`], then `step/mod.rs`.
#![forbid(unsafe_code)]

pub mod builtins;
pub mod outcome;
pub mod step;

mod config;
mod context;
mod coverage;
mod engine;
mod environment;
mod error;
mod families;
mod fault;
mod fingerprint;
mod fork;
mod globals;
mod history;
mod journal;
mod learning;
mod memory_model;
mod merge;
mod monitor;
mod names;
mod other_sides;
mod pending;
mod program;
mod revival;
mod searcher;
mod seeds;
mod sensitive;
mod splitting;
mod state;
mod stored_pointers;
mod tree;
mod turns;
mod view;

pub use config::{Config, Limits};
pub use context::{Context, Counters, Stopped};
pub use coverage::Coverage;
pub use engine::{Engine, Strategies, Totals};
pub use environment::{Environment, NoEnvironment};
pub use error::EngineError;
pub use families::{Segmenter, Site};
pub use fork::{Alive, Branch, branch, decide, require, settle};
pub use history::{History, Past};
pub use journal::{Trail, path_event};
pub use learning::{LearntSegment, Maker};
pub use memory_model::{KnownSegments, MODELS, MemoryConfig, Model};
pub use monitor::{
    Access, Arithmetic, CallTarget, Checking, Division, Explaining, Explanation, Free, Monitor, Obligation, Shift,
    UninitialisedUse,
};
pub use names::{at_line, object_name, place_of};
pub use pending::{Pending, PendingConfig, RevivalOrder};
pub use program::Program;
pub use searcher::{Searcher, StateView, States};
pub use seeds::{ANY_OBJECT, Seed, SeedObject, oblige};
pub use state::{Frame, State, StateId};
pub use tree::{Leaves, NodeId, Standing, Tree};
