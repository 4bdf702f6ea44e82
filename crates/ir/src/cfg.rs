//! The shape of a body: who follows whom, an order in which to visit blocks, and who dominates whom.

use crate::{BlockId, Body, EdgeId};
use osier_base::{EntityVec, Id};

/// The entry of every body.
pub const ENTRY: BlockId = BlockId(0);

/// The control flow of one body, computed once.
pub struct Cfg {
    successors: EntityVec<BlockId, Vec<BlockId>>,
    predecessors: EntityVec<BlockId, Vec<BlockId>>,
    reverse_postorder: Vec<BlockId>,
    /// The place in `reverse_postorder`; `None` for a block that the entry does not reach.
    order: EntityVec<BlockId, Option<u32>>,
}

impl Cfg {
    pub fn new(body: &Body) -> Self {
        let mut successors: EntityVec<BlockId, Vec<BlockId>> = body.blocks.ids().map(|_| Vec::new()).collect();
        let mut predecessors = successors.clone();
        for block in body.blocks.ids() {
            let followers = &mut successors[block];
            followers.extend(body.terminator(block).edges(body).map(|edge| body.edges[edge].target));
            followers.sort_unstable();
            followers.dedup();
            for &next in followers.iter() {
                predecessors[next].push(block);
            }
        }
        let reverse_postorder = reverse_postorder(&successors);
        let mut order: EntityVec<BlockId, Option<u32>> = body.blocks.ids().map(|_| None).collect();
        for (position, &block) in reverse_postorder.iter().enumerate() {
            order[block] = Some(position as u32);
        }
        Cfg { successors, predecessors, reverse_postorder, order }
    }

    /// The blocks that may come next, each once, by number.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block]
    }

    /// The blocks that may come before, each once, by number; unreachable ones too.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    /// The blocks that the entry reaches: each before its successors, but for the ends of back edges.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.order[block].is_some()
    }

    pub fn dominators(&self) -> Dominators {
        Dominators::new(self)
    }
}

/// Depth first without recursion: machine-made functions are deep.
fn reverse_postorder(successors: &EntityVec<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let mut postorder = Vec::with_capacity(successors.len());
    if successors.is_empty() {
        return postorder;
    }
    let mut seen = vec![false; successors.len()];
    seen[ENTRY.index()] = true;
    let mut stack = vec![(ENTRY, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor.index()], true) {
                    stack.push((successor, 0));
                }
            }
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

/// The dominator tree: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
pub struct Dominators {
    immediate: EntityVec<BlockId, Option<BlockId>>,
    order: EntityVec<BlockId, Option<u32>>,
}

impl Dominators {
    fn new(cfg: &Cfg) -> Self {
        let order = cfg.order.clone();
        let mut immediate: EntityVec<BlockId, Option<BlockId>> = order.ids().map(|_| None).collect();
        if immediate.is_empty() {
            return Dominators { immediate, order };
        }
        // While computing, the entry is its own dominator: it ends the walks of `common`.
        immediate[ENTRY] = Some(ENTRY);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder.iter().skip(1) {
                let known = cfg.predecessors(block).iter().copied().filter(|&p| immediate[p].is_some());
                let dominator = known.reduce(|a, b| common(&immediate, &order, a, b));
                if dominator != immediate[block] {
                    immediate[block] = dominator;
                    changed = true;
                }
            }
        }
        immediate[ENTRY] = None;
        Dominators { immediate, order }
    }

    /// The closest block on every way from the entry to `block`; `None` for the entry and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block]
    }

    /// Whether every way from the entry to `block` passes `dominator`. A block dominates itself; of what is
    /// unreachable nothing is said to dominate or be dominated.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        let (Some(high), Some(_)) = (self.order[dominator], self.order[block]) else { return false };
        let mut current = Some(block);
        while let Some(at) = current {
            if at == dominator {
                return true;
            }
            if self.order[at].is_none_or(|order| order < high) {
                return false;
            }
            current = self.immediate[at];
        }
        false
    }
}

fn common(
    immediate: &EntityVec<BlockId, Option<BlockId>>,
    order: &EntityVec<BlockId, Option<u32>>,
    mut a: BlockId,
    mut b: BlockId,
) -> BlockId {
    while a != b {
        let lower = if order[a] > order[b] { &mut a } else { &mut b };
        *lower = immediate[*lower].expect("both blocks have a dominator already");
    }
    a
}

/// The block whose terminator takes each edge; `None` for an edge that nothing takes.
pub fn edge_sources(body: &Body) -> EntityVec<EdgeId, Option<BlockId>> {
    let mut sources: EntityVec<EdgeId, Option<BlockId>> = body.edges.ids().map(|_| None).collect();
    for block in body.blocks.ids() {
        for edge in body.terminator(block).edges(body) {
            sources[edge] = Some(block);
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::body_of_shape;

    #[test]
    fn a_diamond_is_dominated_by_its_head() {
        let cfg = Cfg::new(&body_of_shape(&[&[1, 2], &[3], &[3], &[], &[3]]));
        assert_eq!(cfg.predecessors(BlockId(3)), [BlockId(1), BlockId(2), BlockId(4)]);
        assert_eq!(cfg.successors(ENTRY), [BlockId(1), BlockId(2)]);
        assert_eq!(cfg.reverse_postorder().len(), 4);
        assert_eq!((cfg.reverse_postorder()[0], cfg.reverse_postorder()[3]), (ENTRY, BlockId(3)));
        let dominators = cfg.dominators();
        assert_eq!(dominators.immediate(BlockId(3)), Some(ENTRY));
        assert!(dominators.dominates(ENTRY, BlockId(3)) && dominators.dominates(BlockId(1), BlockId(1)));
        assert!(!dominators.dominates(BlockId(1), BlockId(3)));
        assert!(!cfg.is_reachable(BlockId(4)) && !dominators.dominates(BlockId(4), BlockId(3)));
    }

    #[test]
    fn dominators_agree_with_removing_each_block() {
        // An irreducible shape: 1 and 2 enter each other.
        let shape: &[&[u32]] = &[&[1, 2], &[2, 3], &[1, 4], &[5, 1], &[5], &[6], &[5, 7], &[]];
        let cfg = Cfg::new(&body_of_shape(shape));
        let dominators = cfg.dominators();
        for removed in 0..shape.len() as u32 {
            let mut seen = vec![false; shape.len()];
            let mut stack = if removed == 0 { vec![] } else { vec![0] };
            while let Some(block) = stack.pop() {
                if !std::mem::replace(&mut seen[block as usize], true) {
                    stack.extend(shape[block as usize].iter().filter(|&&next| next != removed));
                }
            }
            for (block, reached) in seen.iter().enumerate() {
                let dominated = dominators.dominates(BlockId(removed), BlockId(block as u32));
                assert_eq!(dominated, !reached, "block{removed} over block{block}");
            }
        }
    }
}
