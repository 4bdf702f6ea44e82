//! One object: where it lies, where it came from, whether it is alive, and its bytes.

use crate::{Contents, WINDOW_BITS};
use osier_base::entity;
use osier_ir::{FuncId, GlobalId, LocId, SiteId};
use osier_term::Term;

entity!(
    /// An object of one state, named by the number of its first window.
    pub struct ObjectId = "o";
);

entity!(
    /// Objects that belong together, by what is known before a pointer says so.
    pub struct Family = "family";
);

/// Where an object comes from, which decides how reports name it and who may free it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Global(GlobalId),
    Stack {
        function: FuncId,
        site: SiteId,
    },
    /// The argument area of a variadic call or a byval copy, which belongs to a frame.
    Arguments {
        function: FuncId,
    },
    /// By the allocation function of that name.
    Heap {
        allocator: &'static str,
    },
    /// `klee_define_fixed_object`.
    Fixed,
    /// Made by the environment: argv, environment strings, errno.
    Environment {
        name: &'static str,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Live,
    Freed {
        at: LocId,
    },
    /// Its function has returned, or its block has ended.
    Returned,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub id: ObjectId,
    pub base: u64,
    pub size: u64,
    pub origin: Origin,
    pub life: Life,
    pub read_only: bool,
    /// Kept out of leak reports: `klee_mark_global`.
    pub pinned: bool,
    /// For an object of symbolic size: how many of its `size` bytes it has, 64 bits wide.
    pub limit: Option<Term>,
    pub allocated_at: LocId,
    /// What `exec` thinks it belongs to; it means nothing here.
    pub family: Option<Family>,
    /// The first of the objects that the program wants to be seen together with this one.
    pub bundle: Option<ObjectId>,
    /// The program wants it to be seen in chunks of so many bytes.
    pub chunk: Option<u64>,
    pub contents: Contents,
    /// How many windows are its own, from the one that names it; none for a fixed object.
    pub(crate) windows: u32,
}

impl Object {
    #[inline]
    pub fn is_live(&self) -> bool {
        matches!(self.life, Life::Live)
    }

    pub fn is_heap(&self) -> bool {
        matches!(self.origin, Origin::Heap { .. })
    }

    /// Whether an access inside the bounds needs no further thought.
    #[inline]
    pub fn is_plain(&self) -> bool {
        matches!(self.life, Life::Live) && self.limit.is_none()
    }

    /// The first and the last address that name this object: its windows, or just its bytes if it is fixed.
    pub(crate) fn territory(&self) -> (u64, u64) {
        if self.windows == 0 {
            return (self.base, self.base + self.size.max(1) - 1);
        }
        let first = u64::from(self.id.0) << WINDOW_BITS;
        (first, first + (u64::from(self.windows) << WINDOW_BITS) - 1)
    }

    /// Whether `len` bytes at `offset` lie inside. `offset` may be a wrapped negative.
    #[inline]
    pub fn holds(&self, offset: u64, len: u64) -> bool {
        offset <= self.size && len <= self.size - offset
    }
}
