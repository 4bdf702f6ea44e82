//! Which memory a pointer may point to: an inclusion-based (Andersen) points-to analysis of the compact IR, and the
//! segments that follow from it.
//!
//! It knows nothing of terms, states or execution; its result is plain data. Start reading at [`analyse`], then
//! `template.rs`, the little language of constraints that functions become; `solve.rs` is the fixpoint; [`segments`]
//! joins what may be met by one pointer.
//!
//! **Fields.** Offsets are bytes: the IR has no types. A pointer points to an offset of an object, or to a start and a
//! stride, which is what indexing makes of it (`shift.rs`). An array inside a struct has no end, only a beginning.
//!
//! **Contexts.** Functions that hand out what they allocate, such as `xmalloc`, and small ones that return what they are
//! given, get an instance per call, up to a number of callers (`wrappers.rs`).
//!
//! **What is too much.** Pointers to very many locations are not told apart, and point to whole objects (`solve/wide.rs`).
//! That makes the analysis of a program such as SQLite end, and quickly.
//!
//! **What is not seen.** Pointers that are copied byte by byte or in halves, that are differences or products of
//! numbers, that are xored with each other, or that are copied by a length that is no multiple of their size; variadic
//! arguments handed on in a list; blocks that an allocator of the program's own hands out again; negative indices of
//! arrays that begin inside an object. What meets through
//! such a pointer must be found by who executes the program.
#![forbid(unsafe_code)]

mod bits;
mod cycles;
mod graph;
mod lower;
mod meetings;
mod models;
mod objects;
mod recycling;
mod result;
mod segments;
mod shift;
mod solve;
mod ssa;
mod template;
mod tidy;
mod wrappers;

pub use result::{Effort, Meeting, Object, ObjectKind, Place, PointerAccess, PointsTo};
pub use segments::{Segment, SegmentRules, Segments, segments};
pub use solve::analyse;

use osier_base::entity;

entity!(
    /// An abstract object.
    pub struct ObjectId = "o";
);
entity!(
    /// Abstract objects whose memory should lie together.
    pub struct SegmentId = "segment";
);

/// How precise the analysis is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisOptions {
    /// So many callers tell instances of allocating functions apart; 0 for one instance of each function. Chains of
    /// wrappers are long: six calls lie between sqlite's code and `malloc`.
    pub context: usize,
    /// The instances of all functions may have so many times the operations of the program.
    pub growth: usize,
    /// Pointers to more locations than this are not told apart: each points to the whole of all that any of them does.
    pub most_locations: usize,
    /// Ends an analysis that does more than this, counted in words of sets: a second is about 50 million of them. Its
    /// sets lack what was not found until then, so who relies on them must be ready to see a pointer elsewhere.
    pub most_work: u64,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        AnalysisOptions { context: 2, growth: 4, most_locations: 500, most_work: 200_000_000 }
    }
}
