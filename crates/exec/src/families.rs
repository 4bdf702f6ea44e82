//! Which objects belong together, as far as that is known before a pointer says so: by the segments that somebody has
//! found in the program, or by the calls that led to their allocation.

use crate::State;
use crate::learning::{Learning, LearntSegment, Maker};
use crate::memory_model::{MemoryConfig, Model};
use osier_ir::{FuncId, GlobalId};
use osier_memory::{Family, Memory, ObjectId, Origin};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A call or an allocation: an operation of a function.
pub type Site = (FuncId, u32);

/// Who knows segments beforehand.
pub trait Segmenter {
    /// The segment of what is allocated by the first site, called by the others. None: nothing is known of it.
    fn of_allocation(&self, sites: &[Site]) -> Option<u32>;
    fn of_global(&self, global: GlobalId) -> Option<u32>;
}

/// Names of families, and which families an operation has met.
pub(crate) struct Families {
    segmenter: Option<Rc<dyn Segmenter>>,
    /// So many sites tell allocations apart.
    context: usize,
    makers: FxHashMap<Maker, Family>,
    met: FxHashMap<Site, FxHashSet<Family>>,
    /// The most objects that an operation's pointer has led to at once.
    most: FxHashMap<Site, usize>,
    pub learning: Option<Learning>,
}

/// Families that are too coarse are no help: more objects than so many times what a pointer has led to are not tried.
const MOST_TIMES: usize = 2;

fn of_maker(makers: &mut FxHashMap<Maker, Family>, maker: Maker) -> Family {
    let next = Family(makers.len() as u32 + 1);
    *makers.entry(maker).or_insert(next)
}

impl Families {
    pub fn new(config: &MemoryConfig) -> Self {
        let known = config.segments.as_ref().filter(|_| config.model == Model::Segmented && !config.learn);
        let segmenter = known.map(|known| known.0.clone());
        let context = match config.model {
            Model::Segmented if segmenter.is_some() => usize::MAX,
            Model::Auto | Model::Merge | Model::Dynamic => config.context,
            Model::Fork | Model::Flat | Model::Single | Model::Segmented => 0,
        };
        let context = if config.learn { config.learnt_context() } else { context };
        Families {
            segmenter,
            context,
            makers: FxHashMap::default(),
            met: FxHashMap::default(),
            most: FxHashMap::default(),
            learning: config.learn.then(Learning::default),
        }
    }

    /// Gives a new block of the heap its family. The innermost frame stands at the allocation.
    pub fn join(&mut self, state: &mut State, id: ObjectId) {
        if self.context == 0 {
            return;
        }
        let sites = state.frames.iter().rev().take(self.context).map(|frame| (frame.function, frame.pc));
        let family = match &self.segmenter {
            Some(segmenter) => segmenter.of_allocation(&sites.collect::<Vec<_>>()).map(Family),
            None => Some(of_maker(&mut self.makers, Maker::Allocation(sites.collect()))),
        };
        state.memory.object_mut(id).family = family;
    }

    /// As [`Self::join`], for a local variable: only segments know of these, and who learns them.
    pub fn join_local(&mut self, state: &mut State, id: ObjectId) {
        if self.segmenter.is_some() || self.learning.is_some() {
            self.join(state, id);
        }
    }

    /// Gives all globals their families.
    pub fn join_globals(&mut self, memory: &mut Memory) {
        if self.segmenter.is_none() && self.learning.is_none() {
            return;
        }
        let ids: Vec<(ObjectId, GlobalId)> = memory
            .objects()
            .filter_map(|object| match object.origin {
                Origin::Global(global) => Some((object.id, global)),
                Origin::Stack { .. }
                | Origin::Arguments { .. }
                | Origin::Heap { .. }
                | Origin::Fixed
                | Origin::Environment { .. } => None,
            })
            .collect();
        for (id, global) in ids {
            memory.object_mut(id).family = match &self.segmenter {
                Some(segmenter) => segmenter.of_global(global).map(Family),
                None => Some(of_maker(&mut self.makers, Maker::Global(global))),
            };
        }
    }

    /// What the accesses so far say about which objects belong together.
    pub fn learnt(&mut self) -> Vec<LearntSegment> {
        let Families { learning, makers, .. } = self;
        let made = makers.iter().map(|(maker, family)| (maker, *family));
        learning.as_mut().map_or_else(Vec::new, |learning| learning.segments(made))
    }

    /// Notes that a pointer of this operation led to an object of a family.
    pub fn meet(&mut self, at: Site, family: Option<Family>) {
        if let Some(family) = family {
            self.met.entry(at).or_default().insert(family);
        }
    }

    /// Notes to how many objects a pointer of this operation led.
    pub fn meet_all(&mut self, at: Site, objects: usize) {
        let most = self.most.entry(at).or_default();
        *most = objects.max(*most);
    }

    /// The live objects of the families that this operation's pointer has led to before; none if they are many more than
    /// it has led to.
    pub fn met_before(&self, at: Site, memory: &Memory) -> Vec<ObjectId> {
        let Some(met) = self.met.get(&at) else { return Vec::new() };
        let known = memory.objects().filter(|object| object.is_live());
        let most = MOST_TIMES * self.most.get(&at).copied().unwrap_or(0);
        let known: Vec<ObjectId> = known
            .filter(|object| object.family.is_some_and(|family| met.contains(&family)))
            .map(|object| object.id)
            .take(most + 1)
            .collect();
        if known.len() > most { Vec::new() } else { known }
    }
}
