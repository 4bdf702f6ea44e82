//! The program's memory: objects, each in its own window of the address space, their contents, and what an access
//! through a pointer may reach.
//!
//! This room never forks and never reports. It answers an access with guarded cases; `exec` decides what to do with
//! them. Forking a [`Memory`] shares everything; a write then copies one object, or one page of
//! a large one, and the few nodes above it.
//!
//! Start reading at [`Memory`], then [`Object`] and [`resolve`].
#![forbid(unsafe_code)]

mod contents;
#[cfg(test)]
mod contents_tests;
mod copy;
mod findings;
mod memory;
#[cfg(test)]
mod memory_tests;
mod merge;
mod object;
mod overlay;
mod page;
mod pages;
mod quarantine;
mod resolve;
#[cfg(test)]
mod resolve_tests;
mod slices;
mod symbolic;
mod value;
mod view;
#[cfg(test)]
mod view_tests;
mod windows;

pub use contents::Contents;
pub use findings::{Finding, Findings, was_stored};
pub use memory::{Allocation, Memory};
pub use object::{Family, Life, Object, ObjectId, Origin};
pub use resolve::{Case, Shape, Target, resolve, translate, window_guard};
pub use value::{Value, mask, truncate};
pub use view::{Piece, View};

/// The low bits of an address that stay inside one window.
pub const WINDOW_BITS: u32 = 24;
/// Addresses below this are what a program gets by adding a small offset to a null pointer.
pub const NULL_REGION: u64 = 1 << 16;
/// Objects start so far into their window, so that an address before an object still names it. Far enough for tables
/// that are indexed from a large number on: in `table[code - 0xac00]` the address that is constant lies that far before.
pub const LEAD: u64 = 1 << 22;
