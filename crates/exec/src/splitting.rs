//! Which large objects `auto` sees in chunks, though nobody asked for that: tables that are written to at symbolic places
//! while questions are many or hard.
//!
//! What is read from such a table depends on every such write before it, wherever in the object that may have been. Where
//! states part by chunk, it depends on the writes to its own chunk only, and a chunk has few enough places for a write to
//! be spelled out. But then there are more states, and if they have a long way to go, more paths. Which of both weighs
//! more is tried: states that come to such a table see it whole or in chunks by turns, and from what they and those that
//! part from them cost it is learnt what later ones do.

use std::time::{Duration, Instant};

use osier_ir::{FuncId, GlobalId, SiteId};
use osier_memory::{Family, Object, Origin};
use osier_solver::Statistics;
use rustc_hash::FxHashMap;

/// Objects that are alike: allocated by the same calls, or the same variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Family(Family),
    Global(GlobalId),
    Local(FuncId, SiteId),
}

fn kind_of(object: &Object) -> Option<Kind> {
    match object.origin {
        Origin::Global(global) => Some(Kind::Global(global)),
        Origin::Stack { function, site } => Some(Kind::Local(function, site)),
        Origin::Heap { .. } => object.family.map(Kind::Family),
        Origin::Arguments { .. } | Origin::Fixed | Origin::Environment { .. } => None,
    }
}

/// How a state, and all that part from it, see the objects of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    kind: Kind,
    in_chunks: bool,
}

/// What states have cost that see a kind of objects in one of both ways.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// States that came there, without those that parted from them.
    states: u32,
    time: Duration,
}

impl Cost {
    fn mean(&self) -> Duration {
        self.time / self.states.max(1)
    }
}

/// What is known of a kind of objects.
struct Record {
    /// What questions had cost when one of them was first seen as an array.
    since: u64,
    /// How often states have come to one since that was none.
    fresh: u32,
    whole: Cost,
    in_chunks: Cost,
}

/// From here on, chunks are tried. In questions.
const MUCH: u64 = 2000;
/// And if states came afresh so often: where they do not, all that follows would part.
const OFTEN: u32 = 16;
/// A question to a backend counts as so many.
const SOLVED: u64 = 100;
/// Each way is tried so often before it is asked what is better, and one state in so many tries the other one after that.
const TRIALS: u32 = 4;
const ONE_IN: u32 = 16;
/// But not if it has cost so many times as much.
const FAR_WORSE: u32 = 4;
/// So much it may cost in any case.
const FREE: Duration = Duration::from_millis(100);
/// A large object has so many chunks.
const CHUNKS: u64 = 8;
/// Chunks are multiples of this.
const SMALLEST: u64 = 64;

impl Record {
    fn new(since: u64) -> Self {
        Record { since, fresh: 0, whole: Cost::default(), in_chunks: Cost::default() }
    }

    /// Whether the next state is to see chunks.
    fn choose(&self) -> bool {
        let tried = self.whole.states + self.in_chunks.states;
        if tried < 2 * TRIALS {
            let far_worse = self.in_chunks.states > 1 && self.in_chunks.mean() > self.whole.mean() * FAR_WORSE;
            return !tried.is_multiple_of(2) && !far_worse;
        }
        let better = self.in_chunks.mean() * 4 < self.whole.mean() * 3;
        let (best, other) = if better { (self.in_chunks, self.whole) } else { (self.whole, self.in_chunks) };
        let tries_other = tried.is_multiple_of(ONE_IN) && other.mean() <= best.mean() * FAR_WORSE;
        better != tries_other
    }

    /// Chunks have cost so much that not even those states go on with them that see them.
    fn is_too_dear(&self) -> bool {
        self.in_chunks.time > FREE + self.whole.mean() * FAR_WORSE * self.in_chunks.states
    }

    fn cost(&mut self, in_chunks: bool) -> &mut Cost {
        if in_chunks { &mut self.in_chunks } else { &mut self.whole }
    }
}

#[derive(Default)]
pub(crate) struct Splitting {
    records: FxHashMap<Kind, Record>,
    /// The trial that the running state takes part in, and since when.
    running: Option<(Trial, Instant)>,
}

impl Splitting {
    /// A state begins to run.
    pub fn begin(&mut self, trial: Option<Trial>) {
        self.running = trial.map(|trial| (trial, Instant::now()));
    }

    /// It stops.
    pub fn end(&mut self) {
        if let Some((Trial { kind, in_chunks }, start)) = self.running.take()
            && let Some(record) = self.records.get_mut(&kind)
        {
            record.cost(in_chunks).time += start.elapsed();
        }
    }

    /// The bytes of a chunk, if the running state is to see an object in chunks that it accesses at a symbolic place.
    pub fn chunk_for(
        &mut self,
        object: &Object,
        trial: &mut Option<Trial>,
        questions: &dyn Fn() -> Statistics,
    ) -> Option<u64> {
        let is_array = object.contents.has_been_array();
        if !is_array && self.records.is_empty() {
            return None;
        }
        let kind = kind_of(object)?;
        let asked = || {
            let Statistics { asked, solved, .. } = questions();
            asked + solved * SOLVED
        };
        let Some(record) = self.records.get_mut(&kind) else {
            if is_array {
                self.records.insert(kind, Record::new(asked()));
            }
            return None;
        };
        record.fresh += u32::from(!is_array);
        let is_new = trial.is_none() && !is_array && record.fresh > OFTEN && asked() >= record.since + MUCH;
        if is_new {
            let in_chunks = record.choose();
            record.cost(in_chunks).states += 1;
            *trial = Some(Trial { kind, in_chunks });
        }
        let sees_chunks = *trial == Some(Trial { kind, in_chunks: true }) && !record.is_too_dear();
        if is_new {
            self.begin(*trial);
        }
        sees_chunks.then(|| object.size.div_ceil(CHUNKS).next_multiple_of(SMALLEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen after so many states of each kind, with what they cost in all.
    fn chosen(whole: (u32, u64), in_chunks: (u32, u64)) -> bool {
        let cost = |(states, seconds)| Cost { states, time: Duration::from_secs(seconds) };
        Record { whole: cost(whole), in_chunks: cost(in_chunks), ..Record::new(0) }.choose()
    }

    #[test]
    fn both_are_tried_by_turns() {
        assert!(!chosen((0, 0), (0, 0)) && chosen((1, 1), (0, 0)) && !chosen((1, 1), (1, 9)));
        assert!(chosen((3, 3), (2, 8)) && !chosen((3, 3), (2, 9)), "unless it is far worse");
    }

    #[test]
    fn what_costs_less_is_taken_but_only_if_that_is_clear() {
        assert!(chosen((5, 50), (5, 35)) && !chosen((5, 50), (5, 40)));
    }

    #[test]
    fn what_becomes_too_dear_is_left() {
        let cost = |states, millis| Cost { states, time: Duration::from_millis(millis) };
        let is_too_dear =
            |time| Record { whole: cost(2, 20), in_chunks: cost(3, time), ..Record::new(0) }.is_too_dear();
        assert!(!is_too_dear(220) && is_too_dear(221));
    }

    #[test]
    fn the_other_one_is_tried_again_unless_it_is_far_worse() {
        assert!(!chosen((8, 80), (8, 24)) && chosen((8, 10), (8, 40)), "the sixteenth");
        assert!(chosen((8, 801), (8, 200)) && !chosen((8, 10), (8, 41)));
    }
}
