//! What to do with a pointer that may lead to several objects, or to many places of a big one: what can be chosen.

use crate::Segmenter;
use std::fmt;
use std::rc::Rc;

/// One row of the table of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Decides at each access between the others.
    #[default]
    Auto,
    /// A state for each object.
    Fork,
    /// One state: reads are a choice over the objects, writes update each under its condition.
    Merge,
    /// One state: all objects lie side by side in one array.
    Flat,
    /// One state, and only the object that its witness leads to. Leaves paths out.
    Single,
    /// One state for each segment that somebody has found.
    Segmented,
    /// One state: exactly the objects that the pointer may lead to lie side by side in an array.
    Dynamic,
}

/// The names, and what they mean in a line.
pub const MODELS: [(&str, Model, &str); 7] = [
    ("auto", Model::Auto, "decides at each access"),
    ("fork", Model::Fork, "a state for each object"),
    ("merge", Model::Merge, "one state, a choice over the objects"),
    ("flat", Model::Flat, "one state, all of memory as one array"),
    ("single", Model::Single, "one object only; leaves paths out"),
    ("segmented", Model::Segmented, "a state for each segment that is known before"),
    ("dynamic", Model::Dynamic, "one state, the objects in question as one array"),
];

#[derive(Clone, Debug)]
pub struct MemoryConfig {
    pub model: Model,
    /// Objects that are accessed at a symbolic offset are seen in chunks of so many bytes; a multiple of 8.
    pub split: Option<u64>,
    /// Only objects of more bytes than this are split.
    pub split_threshold: u64,
    /// A segment of more bytes than this takes no further object.
    pub segment_limit: u64,
    /// So many calls tell allocations apart, when what a pointer led to before is tried first; 0: it is not tried.
    pub context: usize,
    /// For [`Model::Segmented`]; without it, that is [`Model::Fork`].
    pub segments: Option<KnownSegments>,
    /// Note which objects met in one access; see [`crate::Engine::learnt_segments`]. Under any other model than
    /// [`Model::Segmented`].
    pub learn: bool,
}

impl MemoryConfig {
    /// So many sites, the allocation and its callers, tell objects apart whose segments are learnt.
    pub fn learnt_context(&self) -> usize {
        self.context.max(1)
    }
}

/// Segments that somebody has found in the program.
#[derive(Clone)]
pub struct KnownSegments(pub Rc<dyn Segmenter>);

impl fmt::Debug for KnownSegments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("known segments")
    }
}

impl Default for MemoryConfig {
    fn default() -> Self {
        MemoryConfig {
            model: Model::default(),
            split: None,
            split_threshold: 300,
            segment_limit: 10 << 10,
            context: 4,
            segments: None,
            learn: false,
        }
    }
}
