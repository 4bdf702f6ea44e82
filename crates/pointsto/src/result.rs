//! What the analysis found, as plain data.

use crate::bits::Bits;
use crate::{AnalysisOptions, ObjectId};
use osier_base::EntityVec;
use osier_ir::{FuncId, GlobalId, SiteId};
use rustc_hash::FxHashMap;

/// An operation of a function: by its index in the body.
pub type Place = (FuncId, u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// Allocated by a call.
    Heap {
        place: Place,
        allocator: FuncId,
    },
    /// A local variable.
    Local {
        place: Place,
        site: SiteId,
    },
    Global {
        global: GlobalId,
        constant: bool,
    },
    /// All constant globals without addresses in them: string literals, mostly. They are one object, at one offset.
    Constants,
    Function(FuncId),
    /// The variadic arguments of a function.
    Variadic(FuncId),
    /// A callee's copy of an argument.
    ByValue {
        function: FuncId,
        param: u32,
    },
    /// Memory that exists before the program starts: arguments, the environment, errno.
    Environment(&'static str),
    /// What is on its way in a copy from one place to another. In no set.
    InTransit,
}

impl ObjectKind {
    pub fn may_hold_pointers(self) -> bool {
        match self {
            ObjectKind::Function(_) | ObjectKind::Constants => false,
            ObjectKind::Global { .. }
            | ObjectKind::Heap { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::Variadic(_)
            | ObjectKind::ByValue { .. }
            | ObjectKind::Environment(_)
            | ObjectKind::InTransit => true,
        }
    }
}

/// An abstract object: all that one place of the program makes, in one context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    /// In bytes, where it is the same for all that the place makes.
    pub size: Option<u64>,
    /// The calls that led to the place, innermost first, as far as they tell objects apart.
    pub context: Vec<Place>,
}

/// A read or write through a pointer. The same operation occurs once per context that was told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerAccess {
    pub place: Place,
    pub write: bool,
    /// Which of the sets.
    pub set: u32,
}

/// A set of objects that a pointer in use may point to in one context, and how often such a pointer is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    pub objects: Vec<ObjectId>,
    pub uses: usize,
}

/// How much work it was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    pub seconds: f64,
    pub functions: usize,
    pub instances: usize,
    pub nodes: usize,
    pub locations: usize,
    pub waves: usize,
    /// What [`AnalysisOptions::most_work`] counts.
    pub work: u64,
    /// Whether nothing new was left to find when the analysis ended.
    pub complete: bool,
}

pub struct PointsTo {
    pub objects: EntityVec<ObjectId, Object>,
    /// All distinct sets of objects; accesses and meetings share them.
    pub sets: Vec<Vec<ObjectId>>,
    pub accesses: Vec<PointerAccess>,
    pub meetings: Vec<Meeting>,
    pub effort: Effort,
    pub(crate) options: AnalysisOptions,
    pub(crate) cloned: EntityVec<FuncId, bool>,
    pub(crate) by_place: FxHashMap<Place, Vec<ObjectId>>,
}

impl PointsTo {
    /// What an operation may read or write, in any context, by number.
    pub fn targets(&self, place: Place) -> Vec<ObjectId> {
        let sets = self.accesses.iter().filter(|access| access.place == place);
        let all: Bits = sets.flat_map(|access| &self.sets[access.set as usize]).map(|object| object.0).collect();
        all.iter().map(ObjectId).collect()
    }

    /// The abstract object of what is allocated at a place, by a heap function or as a local variable. `callers` are the
    /// calls that led there, innermost first: the function that calls, and the operation of the call. Where the very
    /// context was never told apart, the one that agrees longest answers.
    pub fn object_of_allocation(&self, place: Place, callers: &[Place]) -> Option<ObjectId> {
        let candidates = self.by_place.get(&place)?;
        let agreement = |id: ObjectId| {
            let context = &self.objects[id].context;
            let same = context.iter().zip(callers).take_while(|(a, b)| a == b).count();
            (same == context.len(), same)
        };
        candidates.iter().copied().max_by_key(|&id| (agreement(id), std::cmp::Reverse(id)))
    }

    pub fn object_of_global(&self, global: GlobalId) -> Option<ObjectId> {
        let is_it =
            |object: &Object| matches!(object.kind, ObjectKind::Global { global: other, .. } if other == global);
        self.objects.iter().find(|(_, object)| is_it(object)).map(|(id, _)| id)
    }

    /// Whether the callers of a function tell apart what it allocates, so that an engine must hand them over.
    pub fn is_told_apart(&self, function: FuncId) -> bool {
        self.cloned[function]
    }

    /// How many callers can matter at most.
    pub fn context(&self) -> usize {
        self.options.context
    }
}
