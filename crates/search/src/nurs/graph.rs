//! How far it is, in LLVM instructions, from each block of the program to others, through calls and returns. Calls
//! through pointers count one instruction and are not looked into: where they lead is not known before execution.

use osier_base::Id;
use osier_exec::Program;
use osier_ir::{BlockId, Body, Callee, FuncId, Module, Op};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No way leads there.
pub(super) const NEVER: u64 = u64::MAX;

/// The part of the distances that does not change while the program runs. Blocks of all functions are numbered
/// together.
pub(super) struct Graph {
    /// The number of each function's first block.
    base: Vec<usize>,
    pub blocks: Vec<BlockNode>,
    /// For each function, the blocks that call it and how far into them the call is.
    pub callers: Vec<Vec<(usize, u64)>>,
}

#[derive(Default)]
pub(super) struct BlockNode {
    pub predecessors: Vec<usize>,
    /// From its start to its end, through what it calls; [`NEVER`] if some callee does not return.
    pub through: u64,
    /// From its start to the end of the shortest way to its function's return.
    pub to_return: u64,
    /// The function that starts with this block.
    pub entry_of: Option<FuncId>,
}

/// A block's calls: how many instructions stand before each, and whom it calls if that is known.
struct Calls {
    weight: u64,
    calls: Vec<(u64, Option<FuncId>)>,
}

impl Graph {
    pub fn new(program: &Program) -> Self {
        let module = &program.module;
        let mut graph =
            Graph { base: Vec::new(), blocks: Vec::new(), callers: vec![Vec::new(); module.functions.len()] };
        for (id, function) in module.functions.iter() {
            graph.base.push(graph.blocks.len());
            if let Some(body) = &function.body {
                graph.add_blocks(id, body);
            }
        }
        let calls: Vec<Calls> =
            bodies(module).flat_map(|(_, body)| body.blocks.ids().map(|b| calls_of(body, b))).collect();
        let passes = graph.settle(module, &calls);
        for (number, block) in calls.iter().enumerate() {
            let mut before = 0;
            for &(instructions, callee) in &block.calls {
                if let Some(callee) = callee.filter(|_| before != NEVER) {
                    graph.callers[callee.index()].push((number, instructions.saturating_add(before)));
                }
                before = before.saturating_add(pass(&passes, callee));
            }
        }
        graph
    }

    pub fn number(&self, function: FuncId, block: BlockId) -> usize {
        self.base[function.index()] + block.index()
    }

    fn add_blocks(&mut self, id: FuncId, body: &Body) {
        let base = self.blocks.len();
        self.blocks.extend(body.blocks.values().map(|_| BlockNode::default()));
        if let Some(entry) = self.blocks.get_mut(base) {
            entry.entry_of = Some(id);
        }
        for block in body.blocks.ids() {
            for edge in body.terminator(block).edges(body) {
                let target = base + body.edges[edge].target.index();
                self.blocks[target].predecessors.push(base + block.index());
            }
        }
    }

    /// Finds the shortest ways through blocks and functions, which depend on each other where functions call. Gives the
    /// shortest way through each function.
    ///
    /// All functions start as never returning; each turn lets those return that can with what is known, so ways only
    /// get shorter and recursion comes out right.
    fn settle(&mut self, module: &Module, calls: &[Calls]) -> Vec<u64> {
        let mut called_by: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
        for (id, body) in bodies(module) {
            for call in body.calls.values() {
                if let Callee::Direct(callee) = call.callee {
                    called_by[callee.index()].push(id);
                }
            }
        }
        // What has no body is the engine's to answer, in no time.
        let mut passes: Vec<u64> =
            module.functions.values().map(|f| if f.body.is_some() { NEVER } else { 0 }).collect();
        let mut open: Vec<FuncId> = bodies(module).map(|(id, _)| id).rev().collect();
        let mut waiting: Vec<bool> = module.functions.values().map(|f| f.body.is_some()).collect();
        while let Some(id) = open.pop() {
            waiting[id.index()] = false;
            let Some(body) = &module.functions[id].body else { continue };
            self.settle_function(id, body, calls, &passes);
            let whole = self.blocks.get(self.base[id.index()]).map_or(NEVER, |entry| entry.to_return);
            if whole < passes[id.index()] {
                passes[id.index()] = whole;
                for &caller in &called_by[id.index()] {
                    if !std::mem::replace(&mut waiting[caller.index()], true) {
                        open.push(caller);
                    }
                }
            }
        }
        passes
    }

    fn settle_function(&mut self, id: FuncId, body: &Body, calls: &[Calls], passes: &[u64]) {
        let base = self.base[id.index()];
        let mut ways = Ways::default();
        let mut to_return = vec![NEVER; body.blocks.len()];
        for block in body.blocks.ids() {
            let number = base + block.index();
            let Calls { weight, calls } = &calls[number];
            let through = calls.iter().fold(*weight, |sum, &(_, callee)| sum.saturating_add(pass(passes, callee)));
            self.blocks[number].through = through;
            if matches!(body.terminator(block), Op::Return | Op::ReturnOne { .. } | Op::ReturnMany { .. }) {
                ways.offer(&mut to_return, block.index(), through);
            }
        }
        while let Some((block, distance)) = ways.next(&to_return) {
            for &predecessor in &self.blocks[base + block].predecessors {
                let distance = self.blocks[predecessor].through.saturating_add(distance);
                ways.offer(&mut to_return, predecessor - base, distance);
            }
        }
        for (block, distance) in to_return.into_iter().enumerate() {
            self.blocks[base + block].to_return = distance;
        }
    }
}

fn bodies(module: &Module) -> impl DoubleEndedIterator<Item = (FuncId, &Body)> {
    let functions: Vec<_> = module.functions.iter().filter_map(|(id, f)| Some((id, f.body.as_ref()?))).collect();
    functions.into_iter()
}

fn pass(passes: &[u64], callee: Option<FuncId>) -> u64 {
    callee.map_or(0, |callee| passes[callee.index()])
}

fn calls_of(body: &Body, block: BlockId) -> Calls {
    let range = body.blocks[block].start as usize..body.blocks[block].end as usize;
    let mut before = 0;
    let mut calls = Vec::new();
    for (op, &weight) in body.ops[range.clone()].iter().zip(&body.op_weights[range]) {
        before += u64::from(weight);
        if let Op::Call { call } = op {
            let callee = match body.calls[*call].callee {
                Callee::Direct(callee) => Some(callee),
                Callee::Indirect(_) => None,
            };
            calls.push((before, callee));
        }
    }
    Calls { weight: u64::from(body.blocks[block].weight).max(1), calls }
}

/// Dijkstra's queue: the nearest block first.
#[derive(Default)]
pub(super) struct Ways {
    open: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Ways {
    /// A way of this length leads to the block; of use if it is shorter than the best so far.
    pub fn offer(&mut self, best: &mut [u64], block: usize, distance: u64) {
        if distance < best[block] {
            best[block] = distance;
            self.open.push(Reverse((distance, block)));
        }
    }

    pub fn next(&mut self, best: &[u64]) -> Option<(usize, u64)> {
        while let Some(Reverse((distance, block))) = self.open.pop() {
            if best[block] == distance {
                return Some((block, distance));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use osier_exec::States;

    #[test]
    fn ways_lead_through_calls() {
        let fake = Fake::new();
        let graph = Graph::new(fake.program());
        let to_return: Vec<u64> = graph.blocks.iter().map(|block| block.to_return).collect();
        // Block 2 calls f1, which takes 20 to pass.
        assert_eq!(to_return, [30, 20, 40, 10, 20, 10]);
        assert_eq!(graph.blocks[2].through, 30);
        assert_eq!(graph.callers, [vec![], vec![(2, 1)]]);
        assert_eq!(graph.blocks[4].entry_of, Some(FuncId(1)));
        assert_eq!(graph.blocks[3].predecessors, [1, 2]);
    }
}
