//! Objects that one pointer may meet, joined until no two sets overlap: Algorithm 6 of "segmented memory".

use crate::result::{ObjectKind, Place, PointsTo};
use crate::{ObjectId, SegmentId};
use osier_base::{EntityVec, Id};
use osier_ir::GlobalId;
use rustc_hash::FxHashMap;

/// Which objects take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SegmentRules {
    /// Local variables, too. Few programs need it.
    pub locals: bool,
    /// Constant globals, too: string literals, mostly.
    pub constants: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// By number.
    pub objects: Vec<ObjectId>,
    /// How often a pointer into it is used.
    pub uses: usize,
}

/// A partition of the objects that take part and that pointers are used to reach.
pub struct Segments {
    pub segments: EntityVec<SegmentId, Segment>,
    of_object: FxHashMap<ObjectId, SegmentId>,
    globals: FxHashMap<GlobalId, SegmentId>,
}

pub fn segments(result: &PointsTo, rules: SegmentRules) -> Segments {
    let takes_part = |id: &ObjectId| match result.objects[*id].kind {
        ObjectKind::Heap { .. } => true,
        ObjectKind::Global { constant, .. } => !constant || rules.constants,
        ObjectKind::Constants => false,
        ObjectKind::Local { .. } | ObjectKind::ByValue { .. } => rules.locals,
        ObjectKind::Environment(_) | ObjectKind::Function(_) | ObjectKind::Variadic(_) | ObjectKind::InTransit => false,
    };
    let mut leader: Vec<u32> = (0..result.objects.len() as u32).collect();
    let mut met = vec![false; result.objects.len()];
    for meeting in &result.meetings {
        let mut objects = meeting.objects.iter().filter(|id| takes_part(id)).map(|id| id.0);
        let Some(first) = objects.next() else { continue };
        met[first as usize] = true;
        for other in objects {
            met[other as usize] = true;
            let (a, b) = (find(&mut leader, first), find(&mut leader, other));
            // The lower number leads, so that the order of meetings does not matter.
            leader[a.max(b) as usize] = a.min(b);
        }
    }
    let mut segments: EntityVec<SegmentId, Segment> = EntityVec::new();
    let mut of_leader: FxHashMap<u32, SegmentId> = FxHashMap::default();
    let mut of_object = FxHashMap::default();
    let mut globals = FxHashMap::default();
    for id in result.objects.ids().filter(|id| met[id.index()]) {
        let lead = find(&mut leader, id.0);
        let segment = *of_leader.entry(lead).or_insert_with(|| segments.push(Segment { objects: Vec::new(), uses: 0 }));
        segments[segment].objects.push(id);
        of_object.insert(id, segment);
        if let ObjectKind::Global { global, .. } = result.objects[id].kind {
            globals.insert(global, segment);
        }
    }
    for meeting in &result.meetings {
        if let Some(segment) = meeting.objects.iter().find_map(|id| of_object.get(id)) {
            segments[*segment].uses += meeting.uses;
        }
    }
    Segments { segments, of_object, globals }
}

fn find(leader: &mut [u32], item: u32) -> u32 {
    let mut end = item;
    while leader[end as usize] != end {
        end = leader[end as usize];
    }
    let mut at = item;
    while at != end {
        at = std::mem::replace(&mut leader[at as usize], end);
    }
    end
}

impl Segments {
    pub fn of_object(&self, object: ObjectId) -> Option<SegmentId> {
        self.of_object.get(&object).copied()
    }

    /// Where what is allocated at a place belongs; `callers` are the calls that led there, innermost first. None if no
    /// pointer into it is ever used, or if it does not take part.
    pub fn of_allocation(&self, result: &PointsTo, place: Place, callers: &[Place]) -> Option<SegmentId> {
        self.of_object(result.object_of_allocation(place, callers)?)
    }

    pub fn of_global(&self, global: GlobalId) -> Option<SegmentId> {
        self.globals.get(&global).copied()
    }
}
