//! How far a state is from code that no path has covered.

use super::graph::{Graph, NEVER, Ways};
use osier_base::Id;
use osier_exec::{Program, StateId, States};
use osier_ir::FuncId;

/// Distances are not computed anew more often than each so many updates, however small the program.
const FEWEST_UPDATES: u64 = 64;

/// Distances to edges that nobody took and functions that nobody entered. They follow the coverage at a distance:
/// computing them costs about what the program has blocks, and taking all weights anew what there are states, so it
/// happens only after a number of updates in proportion to both. That number depends on nothing but the run, which
/// keeps runs repeatable.
#[derive(Default)]
pub(super) struct Uncovered {
    known: Option<Distances>,
    updates: u64,
}

struct Distances {
    graph: Graph,
    /// The coverage that `to_uncovered` belongs to.
    version: u64,
    /// For each block, the way to the nearest thing uncovered.
    to_uncovered: Vec<u64>,
    /// For each block, the same from its end on.
    after: Vec<u64>,
}

impl Uncovered {
    /// Computes the distances anew if it is time; true if it did.
    pub fn refresh(&mut self, states: &dyn States, count: usize) -> bool {
        self.updates += 1;
        let Some(known) = &mut self.known else { return false };
        let pause = (known.graph.blocks.len() / 16 + count / 4) as u64;
        if known.version == states.coverage().version || self.updates < pause.max(FEWEST_UPDATES) {
            return false;
        }
        self.updates = 0;
        known.compute(states);
        true
    }

    /// The instructions to the nearest thing uncovered, by what is known at present; none if there is no way to any.
    pub fn distance(&mut self, states: &dyn States, state: StateId) -> Option<u64> {
        let known = self.known.get_or_insert_with(|| Distances::new(states));
        let distance = known.of(states, state);
        (distance != NEVER).then_some(distance)
    }
}

impl Distances {
    fn new(states: &dyn States) -> Self {
        let graph = Graph::new(states.program());
        let mut distances = Distances { graph, version: 0, to_uncovered: Vec::new(), after: Vec::new() };
        distances.compute(states);
        distances
    }

    fn compute(&mut self, states: &dyn States) {
        let (program, coverage) = (states.program(), states.coverage());
        self.version = coverage.version;
        let blocks = &self.graph.blocks;
        let mut best = vec![NEVER; blocks.len()];
        let mut after = vec![NEVER; blocks.len()];
        let mut ways = Ways::default();
        for function in with_body(program) {
            let Some(body) = &program.module.functions[function].body else { continue };
            if !coverage.function_entered(program, function) {
                ways.offer(&mut best, self.graph.number(function, osier_ir::ENTRY), 0);
            }
            let taken = coverage.edges(program, function);
            for block in body.blocks.ids() {
                let number = self.graph.number(function, block);
                if body.terminator(block).edges(body).any(|edge| !taken[edge.index()]) {
                    after[number] = 0;
                    ways.offer(&mut best, number, blocks[number].through);
                }
            }
        }
        while let Some((block, distance)) = ways.next(&best) {
            for &predecessor in &blocks[block].predecessors {
                after[predecessor] = after[predecessor].min(distance);
                ways.offer(&mut best, predecessor, blocks[predecessor].through.saturating_add(distance));
            }
            if let Some(function) = blocks[block].entry_of {
                for &(caller, before) in &self.graph.callers[function.index()] {
                    ways.offer(&mut best, caller, before.saturating_add(distance));
                }
            }
        }
        self.to_uncovered = best;
        self.after = after;
    }

    /// From the innermost frame, or from a frame further out after returning to it.
    fn of(&self, states: &dyn States, state: StateId) -> u64 {
        let view = states.view(state);
        let here = self.graph.number(view.function, view.block);
        let mut nearest = self.to_uncovered[here];
        let mut returned = self.graph.blocks[here].to_return;
        if nearest <= returned {
            return nearest;
        }
        for (function, block) in states.stack(state).into_iter().skip(1) {
            if nearest <= returned {
                break;
            }
            let caller = self.graph.number(function, block);
            nearest = nearest.min(returned.saturating_add(self.after[caller]));
            returned = returned.saturating_add(self.graph.blocks[caller].to_return);
        }
        nearest
    }
}

fn with_body(program: &Program) -> impl Iterator<Item = FuncId> {
    program.module.functions.iter().filter(|(_, function)| function.body.is_some()).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use osier_ir::BlockId;

    #[test]
    fn the_nearest_uncovered_edge_counts() {
        let mut fake = Fake::new();
        let first = fake.first();
        fake.enter(first, 1);
        // Edges e0 (block0 to block1) is covered; block1 has two edges that nobody took.
        assert_eq!(Uncovered::default().distance(&fake, first), Some(10));
        fake.set_stack(first, vec![(FuncId(0), BlockId(0))]);
        assert_eq!(Uncovered::default().distance(&fake, first), Some(20));
        fake.set_stack(first, vec![(FuncId(0), BlockId(3))]);
        assert_eq!(Uncovered::default().distance(&fake, first), None);
    }

    #[test]
    fn a_call_leads_into_its_function_and_a_return_out_of_it() {
        let mut fake = Fake::new();
        let first = fake.first();
        // All edges of f0 but that from block2 to block3; f1 is not entered, and block2 calls it at once.
        fake.enter(first, 3);
        fake.set_stack(first, vec![(FuncId(0), BlockId(2))]);
        assert_eq!(Uncovered::default().distance(&fake, first), Some(1));
        fake.cover_everything_but(4);
        fake.set_stack(first, vec![(FuncId(1), BlockId(1)), (FuncId(0), BlockId(2))]);
        assert_eq!(Uncovered::default().distance(&fake, first), Some(10));
        fake.set_stack(first, vec![(FuncId(1), BlockId(1)), (FuncId(0), BlockId(3))]);
        assert_eq!(Uncovered::default().distance(&fake, first), None);
    }

    #[test]
    fn distances_follow_the_coverage_after_a_while() {
        let mut fake = Fake::new();
        let first = fake.first();
        let mut uncovered = Uncovered::default();
        fake.enter(first, 1);
        assert_eq!(uncovered.distance(&fake, first), Some(10));
        for _ in 0..FEWEST_UPDATES * 2 {
            assert!(!uncovered.refresh(&fake, 1), "nothing has changed");
        }
        fake.cover_everything();
        assert!(uncovered.refresh(&fake, 1));
        assert_eq!(uncovered.distance(&fake, first), None);
    }
}
