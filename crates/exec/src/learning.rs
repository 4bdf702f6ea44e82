//! Segments learnt from a run: what met in one access belongs together, and nothing else does.

use crate::families::Site;
use osier_ir::GlobalId;
use osier_memory::Family;
use rustc_hash::{FxHashMap, FxHashSet};

/// What tells objects apart that nobody has named: where they were made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Maker {
    /// The allocation, then the calls that led to it, innermost first.
    Allocation(Vec<Site>),
    Global(GlobalId),
}

/// Makers whose objects met in accesses, directly or by way of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearntSegment {
    /// Each with the bytes of the largest object that met others; in order.
    pub makers: Vec<(Maker, u64)>,
    /// So many operations had a pointer that led to several of the objects.
    pub uses: usize,
}

/// Families joined by the accesses that they met in.
#[derive(Default)]
pub(crate) struct Learning {
    /// Of each family that met others, one that it was joined with, and in the end the one that leads.
    leaders: FxHashMap<Family, Family>,
    largest: FxHashMap<Family, u64>,
    uses: FxHashSet<(Site, Family)>,
}

impl Learning {
    /// Notes that a pointer of this operation led to objects of these families and sizes at once. It takes several
    /// objects; they may be of one family.
    pub fn meet(&mut self, at: Site, objects: impl Iterator<Item = (Family, u64)>) {
        let mut first = None;
        for (family, size) in objects {
            let largest = self.largest.entry(family).or_default();
            *largest = size.max(*largest);
            let leader = self.leader(family);
            let with = *first.get_or_insert(leader);
            self.leaders.insert(leader, with);
        }
        self.uses.extend(first.map(|family| (at, family)));
    }

    fn leader(&mut self, family: Family) -> Family {
        let mut at = family;
        loop {
            let above = *self.leaders.entry(at).or_insert(at);
            if above == at {
                break;
            }
            at = above;
        }
        self.leaders.insert(family, at);
        at
    }

    /// What was learnt, in an order that does not depend on that of the paths.
    pub fn segments<'a>(&mut self, made: impl Iterator<Item = (&'a Maker, Family)>) -> Vec<LearntSegment> {
        let mut groups: FxHashMap<Family, LearntSegment> = FxHashMap::default();
        for (maker, family) in made {
            let Some(&size) = self.largest.get(&family) else { continue };
            let none = || LearntSegment { makers: Vec::new(), uses: 0 };
            groups.entry(self.leader(family)).or_insert_with(none).makers.push((maker.clone(), size));
        }
        let met: Vec<(Site, Family)> = self.uses.iter().copied().collect();
        let uses: FxHashSet<(Site, Family)> =
            met.into_iter().map(|(site, family)| (site, self.leader(family))).collect();
        for (_, leader) in uses {
            groups.entry(leader).and_modify(|group| group.uses += 1);
        }
        let mut segments: Vec<LearntSegment> = groups.into_values().collect();
        segments.iter_mut().for_each(|segment| segment.makers.sort());
        segments.sort_by(|a, b| a.makers.cmp(&b.makers));
        segments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_ir::FuncId;

    const ACCESS: Site = (FuncId(0), 90);
    const OTHER_ACCESS: Site = (FuncId(0), 91);

    fn maker(at: u32) -> Maker {
        Maker::Allocation(vec![(FuncId(0), at), (FuncId(1), 0)])
    }

    /// After meetings of families, by number, at an operation: the makers of each segment and its uses.
    fn learnt(meetings: &[(Site, &[u32])]) -> Vec<(Vec<Maker>, usize)> {
        let mut learning = Learning::default();
        for (at, met) in meetings {
            learning.meet(*at, met.iter().map(|&family| (Family(family), 8)));
        }
        let made: Vec<Maker> = (0..9).map(maker).collect();
        let segments = learning.segments(made.iter().zip(0..).map(|(maker, family)| (maker, Family(family))));
        let makers = |segment: LearntSegment| segment.makers.into_iter().map(|(maker, _)| maker).collect();
        segments.into_iter().map(|segment| (makers(segment.clone()), segment.uses)).collect()
    }

    #[test]
    fn only_what_met_is_together() {
        assert_eq!(learnt(&[(ACCESS, &[1, 2])]), [(vec![maker(1), maker(2)], 1)]);
        let apart = [(vec![maker(1), maker(2)], 1), (vec![maker(3), maker(4)], 1)];
        assert_eq!(learnt(&[(ACCESS, &[4, 3]), (ACCESS, &[2, 1])]), apart);
        assert_eq!(learnt(&[]), []);
    }

    #[test]
    fn segments_with_something_in_common_are_one() {
        let joined = [(vec![maker(1), maker(2), maker(3), maker(4)], 2)];
        assert_eq!(learnt(&[(ACCESS, &[1, 2]), (OTHER_ACCESS, &[3, 4]), (ACCESS, &[4, 2])]), joined);
    }

    #[test]
    fn one_place_may_meet_itself() {
        assert_eq!(learnt(&[(ACCESS, &[5, 5]), (ACCESS, &[5, 5])]), [(vec![maker(5)], 1)]);
    }

    #[test]
    fn the_largest_object_of_a_maker_is_known() {
        let mut learning = Learning::default();
        learning.meet(ACCESS, [(Family(0), 8), (Family(0), 40), (Family(0), 16)].into_iter());
        let segments = learning.segments([(&maker(0), Family(0))].into_iter());
        assert_eq!(segments[0].makers, [(maker(0), 40)]);
    }
}
