//! How far a state is from code that no path has covered.

use osier_base::Id;
use osier_exec::{StateId, States};
use osier_ir::{BlockId, DistanceGraph, Distances, FuncId};

/// Distances are not computed anew more often than each so many updates, however small the program.
const FEWEST_UPDATES: u64 = 64;

/// Distances, in LLVM instructions, to blocks that nobody entered or that nobody left by some of their edges.
///
/// They follow the coverage with a delay: computing them costs about what the program has blocks, and taking all weights
/// anew what there are states, so it happens only after a number of updates in proportion to both. That number depends
/// on nothing but the run, which keeps runs repeatable.
#[derive(Default)]
pub(super) struct Uncovered {
    known: Option<Known>,
    updates: u64,
}

struct Known {
    graph: DistanceGraph,
    /// How many blocks the program has.
    blocks: usize,
    /// The coverage that `distances` belong to.
    version: u64,
    distances: Distances,
}

impl Uncovered {
    /// Computes the distances anew if it is time; true if it did.
    pub fn refresh(&mut self, states: &dyn States, count: usize) -> bool {
        self.updates += 1;
        let Some(known) = &mut self.known else { return false };
        let pause = (known.blocks / 16 + count / 4) as u64;
        if known.version == states.coverage().version || self.updates < pause.max(FEWEST_UPDATES) {
            return false;
        }
        self.updates = 0;
        known.version = states.coverage().version;
        known.distances = distances(&known.graph, states);
        true
    }

    /// The instructions to the nearest thing uncovered, by what is known at present; none if there is no way to any.
    pub fn distance(&mut self, states: &dyn States, state: StateId) -> Option<u64> {
        self.known.get_or_insert_with(|| Known::new(states)).distance(states, state)
    }
}

fn distances(graph: &DistanceGraph, states: &dyn States) -> Distances {
    let (program, coverage) = (states.program(), states.coverage());
    let mut uncovered: Vec<Vec<bool>> = Vec::with_capacity(program.module.functions.len());
    // The libc has no debug information, and nobody wants its code covered.
    let has_lines = program.module.functions.values().any(|data| program.module.locations[data.location].line != 0);
    for (function, data) in program.module.functions.iter() {
        let wanted = !has_lines || program.module.locations[data.location].line != 0;
        let visits = coverage.blocks(program, function);
        let mut blocks: Vec<bool> = visits.into_iter().map(|count| wanted && count == 0).collect();
        if let Some(body) = data.body.as_ref().filter(|_| wanted) {
            let taken = coverage.edges(program, function);
            for block in body.blocks.ids() {
                blocks[block.index()] |= body.terminator(block).edges(body).any(|edge| taken[edge.index()] == 0);
            }
        }
        uncovered.push(blocks);
    }
    graph.distances_to(|function, block| uncovered[function.index()][block.index()])
}

impl Known {
    fn new(states: &dyn States) -> Self {
        let module = &states.program().module;
        let graph = DistanceGraph::new(module);
        let distances = distances(&graph, states);
        let blocks = module.functions.values().map(|f| f.body.as_ref().map_or(0, |body| body.blocks.len())).sum();
        Known { graph, blocks, version: states.coverage().version, distances }
    }

    /// From the start of the block that a state is in, or from a function further out after returning to it.
    fn distance(&self, states: &dyn States, state: StateId) -> Option<u64> {
        let view = states.view(state);
        let mut nearest = self.graph.block_distance(&self.distances, view.function, view.block).map(u64::from);
        let mut to_return = self.graph.to_return(view.function, view.block).map(u64::from);
        let is_nearer = |nearest: Option<u64>, returned: u64| nearest.is_none_or(|nearest| returned < nearest);
        // Nothing is known of outer functions until they are needed: the stack may be deep.
        if !to_return.is_some_and(|returned| is_nearer(nearest, returned)) {
            return nearest;
        }
        for (function, block) in states.stack(state).into_iter().skip(1) {
            let Some(returned) = to_return.filter(|&returned| is_nearer(nearest, returned)) else { break };
            if let Some(onward) = self.distance_after(states, function, block) {
                nearest = Some(nearest.map_or(returned + onward, |nearest| nearest.min(returned + onward)));
            }
            to_return = self.graph.to_return(function, block).map(|further| returned + u64::from(further));
        }
        nearest
    }

    /// From the end of a block, whose call is in progress.
    fn distance_after(&self, states: &dyn States, function: FuncId, block: BlockId) -> Option<u64> {
        let body = states.program().module.functions[function].body.as_ref()?;
        let targets = body.terminator(block).edges(body).map(|edge| body.edges[edge].target);
        targets.filter_map(|target| self.graph.block_distance(&self.distances, function, target)).min().map(u64::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    fn distance(fake: &mut Fake, stack: &[(u32, u32)]) -> Option<u64> {
        let stack = stack.iter().map(|&(function, block)| (FuncId(function), BlockId(block))).collect();
        fake.set_stack(fake.first(), stack);
        Uncovered::default().distance(fake, fake.first())
    }

    #[test]
    fn the_nearest_block_with_an_edge_that_nobody_took_counts() {
        let mut fake = Fake::new();
        // Only the way from block1 to block3 is left.
        fake.cover_everything_but(Fake::edge(0, 2));
        assert_eq!(distance(&mut fake, &[(0, 1)]), Some(0));
        assert_eq!(distance(&mut fake, &[(0, 0)]), Some(10));
        assert_eq!(distance(&mut fake, &[(0, 3)]), None);
    }

    #[test]
    fn a_way_leads_into_what_a_block_calls() {
        let mut fake = Fake::new();
        fake.cover_everything_but(Fake::edge(1, 0));
        assert_eq!(distance(&mut fake, &[(1, 0), (0, 2)]), Some(0));
        // Block2 weighs 10, of which its call and its jump are one each.
        assert_eq!(distance(&mut fake, &[(0, 2)]), Some(9));
        assert_eq!(distance(&mut fake, &[(0, 1)]), Some(19));
    }

    #[test]
    fn a_way_leads_out_of_functions() {
        let mut fake = Fake::new();
        // Of f2, which calls f0 in its first block and goes on to its second, only the last way is left.
        fake.cover_everything_but(Fake::edge(2, 1));
        assert_eq!(distance(&mut fake, &[(2, 1)]), Some(0));
        assert_eq!(distance(&mut fake, &[(0, 3), (2, 0)]), Some(10));
        // Out of f1 and out of f0, which has 30 more from block2 on.
        assert_eq!(distance(&mut fake, &[(1, 1), (0, 2), (2, 0)]), Some(10 + 40));
        assert_eq!(distance(&mut fake, &[(1, 1), (0, 2)]), None);
    }

    #[test]
    fn distances_follow_the_coverage_after_a_while() {
        let mut fake = Fake::new();
        let first = fake.first();
        let mut uncovered = Uncovered::default();
        assert_eq!(uncovered.distance(&fake, first), Some(0));
        fake.cover_everything();
        for _ in 1..FEWEST_UPDATES {
            assert!(!uncovered.refresh(&fake, 1), "it is too early");
        }
        assert!(uncovered.refresh(&fake, 1));
        assert_eq!(uncovered.distance(&fake, first), None);
        for _ in 0..FEWEST_UPDATES * 2 {
            assert!(!uncovered.refresh(&fake, 1), "nothing has changed");
        }
    }
}
