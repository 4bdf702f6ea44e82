//! What a strategy is shown of the states.

use crate::searcher::{StateView, States};
use crate::state::StateTable;
use crate::{Context, Coverage, Leaves, Program, StateId, Tree};
use osier_ir::{BlockId, FuncId};

/// Some of the states, of one kind.
pub(crate) struct View<'a> {
    pub states: &'a StateTable,
    pub leaves: Leaves,
    pub program: &'a Program,
    pub cx: &'a Context,
}

impl View<'_> {
    fn block(&self, frame: &crate::Frame) -> BlockId {
        let body = self.program.module.functions[frame.function].body.as_ref();
        body.map_or(BlockId(0), |body| body.block_of(frame.pc))
    }
}

impl States for View<'_> {
    fn view(&self, id: StateId) -> StateView {
        let state = &self.states[&id];
        let (function, block) = match state.frames.last() {
            Some(frame) => (frame.function, self.block(frame)),
            None => (self.program.entry, BlockId(0)),
        };
        StateView {
            id,
            depth: state.depth,
            instructions: state.instructions,
            since_new: state.instructions - state.covered_at,
            covered_new: state.covered_new,
            query_seconds: state.query_seconds,
            hard_questions: state.hard_questions,
            block_visits: self.cx.coverage.block_visits(self.program, function, block),
            function,
            block,
        }
    }

    fn stack(&self, id: StateId) -> Vec<(FuncId, BlockId)> {
        self.states[&id].frames.iter().rev().map(|frame| (frame.function, self.block(frame))).collect()
    }

    fn tree(&self) -> (&Tree, Leaves) {
        (&self.cx.tree, self.leaves)
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn coverage(&self) -> &Coverage {
        &self.cx.coverage
    }
}
