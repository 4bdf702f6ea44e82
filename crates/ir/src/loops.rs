//! Natural loops: a header that dominates the ends of the back edges to it.

use crate::cfg::edge_sources;
use crate::{BlockId, Body, Cfg, EdgeId};
use fixedbitset::FixedBitSet;
use osier_base::{EntityVec, Id, entity};

entity!(
    /// A natural loop of a body.
    pub struct LoopId = "loop";
);

/// All back edges to one header make one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The only block by which the loop is entered.
    pub header: BlockId,
    /// The blocks of the loop and of the loops in it, by number; the header is one of them.
    pub blocks: Vec<BlockId>,
    /// The blocks that jump back to the header.
    pub latches: Vec<BlockId>,
    /// The edges that leave, by number.
    pub exits: Vec<EdgeId>,
    /// The smallest loop around it.
    pub parent: Option<LoopId>,
    /// 1 for a loop that lies in no other.
    pub depth: u32,
}

/// The loops of a body. A cycle that can be entered in two places (gotos into a loop) has no header and is not listed.
pub struct Loops {
    loops: EntityVec<LoopId, Loop>,
    innermost: EntityVec<BlockId, Option<LoopId>>,
}

impl Loops {
    pub fn new(body: &Body, cfg: &Cfg) -> Self {
        let mut loops = find(body, cfg);
        // A loop that holds another has more blocks, so each loop comes after those around it.
        loops.sort_by_key(|l| (std::cmp::Reverse(l.blocks.len()), l.header));
        let mut loops: EntityVec<LoopId, Loop> = loops.into();
        let mut innermost: EntityVec<BlockId, Option<LoopId>> = body.blocks.ids().map(|_| None).collect();
        for id in loops.ids() {
            let parent = innermost[loops[id].header];
            loops[id].parent = parent;
            loops[id].depth = 1 + parent.map_or(0, |around| loops[around].depth);
            for &block in &loops[id].blocks {
                innermost[block] = Some(id);
            }
        }
        Loops { loops, innermost }
    }

    /// All loops, each after the loops around it.
    pub fn all(&self) -> &EntityVec<LoopId, Loop> {
        &self.loops
    }

    /// The smallest loop that a block lies in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }

    /// The loop that a block is the header of.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block].filter(|&id| self.loops[id].header == block)
    }
}

fn find(body: &Body, cfg: &Cfg) -> Vec<Loop> {
    let dominators = cfg.dominators();
    let sources = edge_sources(body);
    let mut loops = Vec::new();
    for &header in cfg.reverse_postorder() {
        let latches: Vec<BlockId> =
            cfg.predecessors(header).iter().copied().filter(|&from| dominators.dominates(header, from)).collect();
        if latches.is_empty() {
            continue;
        }
        let mut inside = FixedBitSet::with_capacity(body.blocks.len());
        inside.insert(header.index());
        let mut stack = latches.clone();
        while let Some(block) = stack.pop() {
            if !inside.put(block.index()) {
                stack.extend(cfg.predecessors(block).iter().filter(|&&from| cfg.is_reachable(from)));
            }
        }
        let leaves = |(edge, source): (EdgeId, &Option<BlockId>)| {
            let from_inside = source.is_some_and(|block| inside.contains(block.index()));
            (from_inside && !inside.contains(body.edges[edge].target.index())).then_some(edge)
        };
        let exits = sources.iter().filter_map(leaves).collect();
        let blocks = inside.ones().map(BlockId::new).collect();
        loops.push(Loop { header, blocks, latches, exits, parent: None, depth: 0 });
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::body_of_shape;

    fn ids(blocks: &[u32]) -> Vec<BlockId> {
        blocks.iter().copied().map(BlockId).collect()
    }

    #[test]
    fn an_inner_loop_knows_the_loop_around_it() {
        // 1 heads the outer loop, 2 the inner one (2 3), 4 ends the outer one.
        let body = body_of_shape(&[&[1], &[2], &[3, 4], &[2, 5], &[1, 5], &[]]);
        let loops = Loops::new(&body, &Cfg::new(&body));
        assert_eq!(loops.all().len(), 2);
        let (outer, inner) = (&loops.all()[LoopId(0)], &loops.all()[LoopId(1)]);
        assert_eq!((outer.header, inner.header), (BlockId(1), BlockId(2)));
        assert_eq!((&outer.blocks, &inner.blocks), (&ids(&[1, 2, 3, 4]), &ids(&[2, 3])));
        assert_eq!((&outer.latches, &inner.latches), (&ids(&[4]), &ids(&[3])));
        assert_eq!((inner.parent, inner.depth, outer.parent, outer.depth), (Some(LoopId(0)), 2, None, 1));
        let exits = |of: &Loop| of.exits.iter().map(|&e| body.edges[e].target).collect::<Vec<_>>();
        assert_eq!(exits(outer), ids(&[5, 5]));
        assert_eq!(exits(inner), ids(&[4, 5]));
        assert_eq!(loops.innermost(BlockId(4)), Some(LoopId(0)));
        assert_eq!(loops.innermost(BlockId(5)), None);
        assert_eq!((loops.headed_by(BlockId(2)), loops.headed_by(BlockId(3))), (Some(LoopId(1)), None));
    }

    #[test]
    fn two_back_edges_to_one_header_are_one_loop_and_a_block_may_loop_on_itself() {
        let body = body_of_shape(&[&[1], &[1, 2], &[1, 3], &[3, 4], &[]]);
        let loops = Loops::new(&body, &Cfg::new(&body));
        let found: Vec<_> = loops.all().values().map(|l| (l.header, l.blocks.clone(), l.latches.clone())).collect();
        assert_eq!(found, [(BlockId(1), ids(&[1, 2]), ids(&[1, 2])), (BlockId(3), ids(&[3]), ids(&[3]))]);
    }

    #[test]
    fn a_cycle_with_two_entries_is_not_natural() {
        let body = body_of_shape(&[&[1, 2], &[2], &[1, 3], &[]]);
        assert!(Loops::new(&body, &Cfg::new(&body)).all().is_empty());
    }
}
