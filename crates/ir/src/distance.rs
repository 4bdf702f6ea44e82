//! How far it is, in LLVM instructions, from a place in the program to the nearest block of some kind: what a searcher
//! that makes for uncovered code asks. As in KLEE's minimum distance to uncovered, a way may lead into callees, past
//! calls (at the price of the callee's shortest way to a return), and, given a call stack, out of functions.
//!
//! Indirect calls and calls of functions without a body are passed at the price of the call alone.

use crate::{BlockId, CallGraph, ENTRY, FuncId, Module, Op};
use osier_base::Id;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Farther than anything: no way.
const NONE: u32 = u32::MAX;

/// A block of the program, numbered through all functions.
type Node = u32;

struct NodeData {
    function: FuncId,
    block: BlockId,
    weight: u32,
    /// It ends in a return.
    returns: bool,
    successors: Vec<Node>,
    /// The weight up to each direct call, the call included, and the entry of the function that is called.
    calls: Vec<(u32, Node)>,
}

/// The blocks of a program as one graph, with the ways to returns worked out. Made once; asked often.
pub struct DistanceGraph {
    nodes: Vec<NodeData>,
    /// The node of each function's entry; that of the next function follows its last block.
    first_node: Vec<Node>,
    to_return: Vec<u32>,
    /// Ways backwards: for each node, from where it is reached and at what price.
    reached_from: Vec<Vec<(Node, u32)>>,
}

/// The distances from every block to the nearest target, without leaving the function by a return.
pub struct Distances(Vec<u32>);

fn known(distance: u32) -> Option<u32> {
    (distance != NONE).then_some(distance)
}

impl DistanceGraph {
    pub fn new(module: &Module) -> Self {
        let mut first_node: Vec<Node> = vec![0];
        for function in module.functions.values() {
            let blocks = function.body.as_ref().map_or(0, |body| body.blocks.len());
            first_node.push(first_node[first_node.len() - 1] + blocks as u32);
        }
        let mut nodes = Vec::with_capacity(first_node[first_node.len() - 1] as usize);
        for (function, data) in module.functions.iter() {
            let Some(body) = &data.body else { continue };
            let node = |block: BlockId| first_node[function.index()] + block.0;
            for (block, range) in body.blocks.iter() {
                let ops = range.start as usize..range.end as usize;
                let sum: u32 = body.op_weights[ops.clone()].iter().copied().map(u32::from).sum();
                let mut passed = range.weight.saturating_sub(sum);
                let mut calls = Vec::new();
                for index in ops {
                    passed += u32::from(body.op_weights[index]);
                    let callee = CallGraph::direct_callee(body, &body.ops[index]);
                    let defined = callee.filter(|&callee| module.functions[callee].body.is_some());
                    calls.extend(defined.map(|callee| (passed, first_node[callee.index()])));
                }
                let last = body.terminator(block);
                let returns = matches!(last, Op::Return | Op::ReturnOne { .. } | Op::ReturnMany { .. });
                let successors = last.edges(body).map(|edge| node(body.edges[edge].target)).collect();
                nodes.push(NodeData { function, block, weight: range.weight, returns, successors, calls });
            }
        }
        let to_return = distances_to_return(&nodes);
        let reached_from = reached_from(&nodes, &to_return);
        DistanceGraph { nodes, first_node, to_return, reached_from }
    }

    fn node(&self, function: FuncId, block: BlockId) -> usize {
        (self.first_node[function.index()] + block.0) as usize
    }

    /// The instructions from the start of a block to the end of a return of its function; `None` if it never returns.
    pub fn to_return(&self, function: FuncId, block: BlockId) -> Option<u32> {
        known(self.to_return[self.node(function, block)])
    }

    /// The distances to the blocks that are targets. A target is at distance 0 from its own start.
    pub fn distances_to(&self, target: impl Fn(FuncId, BlockId) -> bool) -> Distances {
        let mut distances = vec![NONE; self.nodes.len()];
        let mut heap = BinaryHeap::new();
        for (node, data) in self.nodes.iter().enumerate() {
            if target(data.function, data.block) {
                distances[node] = 0;
                heap.push(Reverse((0, node as Node)));
            }
        }
        while let Some(Reverse((distance, node))) = heap.pop() {
            if distance > distances[node as usize] {
                continue;
            }
            for &(from, price) in &self.reached_from[node as usize] {
                let candidate = distance.saturating_add(price);
                if candidate < distances[from as usize] {
                    distances[from as usize] = candidate;
                    heap.push(Reverse((candidate, from)));
                }
            }
        }
        Distances(distances)
    }

    /// The distance from the start of a block, if there is a way that does not leave the function by a return.
    pub fn block_distance(&self, distances: &Distances, function: FuncId, block: BlockId) -> Option<u32> {
        known(distances.0[self.node(function, block)])
    }

    /// The distance of a state from the nearest target. `frames` are the functions on its stack and the operations
    /// that each will execute next, the outermost first.
    pub fn stack_distance(
        &self,
        module: &Module,
        distances: &Distances,
        frames: impl IntoIterator<Item = (FuncId, u32)>,
    ) -> Option<u32> {
        let mut after_return = NONE;
        for (function, op) in frames {
            let (within, leave) = self.op_distances(module, distances, function, op);
            after_return = within.min(leave.saturating_add(after_return));
        }
        known(after_return)
    }

    /// From an operation: how far to a target within the function, and how far to its return.
    fn op_distances(&self, module: &Module, distances: &Distances, function: FuncId, op: u32) -> (u32, u32) {
        let Some(body) = &module.functions[function].body else { return (NONE, 0) };
        let block = body.block_of(op);
        let data = &self.nodes[self.node(function, block)];
        let (mut passed, mut nearest) = (0u32, NONE);
        for index in op as usize..body.blocks[block].end as usize {
            passed = passed.saturating_add(u32::from(body.op_weights[index]));
            let callee = CallGraph::direct_callee(body, &body.ops[index]);
            if let Some(callee) = callee.filter(|&callee| module.functions[callee].body.is_some()) {
                let entry = self.node(callee, ENTRY);
                nearest = nearest.min(passed.saturating_add(distances.0[entry]));
                passed = passed.saturating_add(self.to_return[entry]);
            }
        }
        let least = |of: &[u32]| data.successors.iter().map(|&next| of[next as usize]).min().unwrap_or(NONE);
        let onward = if data.returns { 0 } else { least(&self.to_return) };
        (nearest.min(passed.saturating_add(least(&distances.0))), passed.saturating_add(onward))
    }
}

/// Dijkstra's algorithm as Knuth generalised it: the way through a block costs its weight plus the ways through its
/// callees, so a block is settled when its callees' entries and one successor are.
fn distances_to_return(nodes: &[NodeData]) -> Vec<u32> {
    let mut dependents: Vec<Vec<Node>> = vec![Vec::new(); nodes.len()];
    for (node, data) in nodes.iter().enumerate() {
        for &other in data.successors.iter().chain(data.calls.iter().map(|(_, entry)| entry)) {
            dependents[other as usize].push(node as Node);
        }
    }
    let mut settled = vec![NONE; nodes.len()];
    let value = |settled: &[u32], node: usize| {
        let data = &nodes[node];
        let onward = data.successors.iter().map(|&next| settled[next as usize]).min().unwrap_or(NONE);
        let onward = if data.returns { 0 } else { onward };
        let callees = data.calls.iter().map(|&(_, entry)| settled[entry as usize]);
        callees.fold(onward.saturating_add(data.weight), u32::saturating_add)
    };
    let mut heap: BinaryHeap<Reverse<(u32, Node)>> = BinaryHeap::new();
    let offer = |heap: &mut BinaryHeap<_>, distance: u32, node: Node| {
        if distance != NONE {
            heap.push(Reverse((distance, node)));
        }
    };
    for node in 0..nodes.len() {
        offer(&mut heap, value(&settled, node), node as Node);
    }
    while let Some(Reverse((distance, node))) = heap.pop() {
        if settled[node as usize] != NONE {
            continue;
        }
        settled[node as usize] = distance;
        for &dependent in &dependents[node as usize] {
            if settled[dependent as usize] == NONE {
                offer(&mut heap, value(&settled, dependent as usize), dependent);
            }
        }
    }
    settled
}

fn reached_from(nodes: &[NodeData], to_return: &[u32]) -> Vec<Vec<(Node, u32)>> {
    let mut ways: Vec<Vec<(Node, u32)>> = vec![Vec::new(); nodes.len()];
    for (node, data) in nodes.iter().enumerate() {
        // What the callees before this point cost; no way leads past one that never returns.
        let mut callees = 0u32;
        for &(passed, entry) in &data.calls {
            let price = passed.saturating_add(callees);
            if callees != NONE {
                ways[entry as usize].push((node as Node, price));
            }
            callees = callees.saturating_add(to_return[entry as usize]);
        }
        if callees != NONE {
            for &next in &data.successors {
                ways[next as usize].push((node as Node, data.weight.saturating_add(callees)));
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    const PROGRAM: &str = "
declare &outside()
function &main() {
block0:
  call0 &outside()
  call1 &helper() *3
  branch undef:i1, e0->block1, e1->block2
block1:
  call2 &stop()
  jump e2->block3
block2 +4:
  jump e3->block3
block3:
  return
}
function &helper() {
block0:
  branch undef:i1, e0->block1, e1->block2
block1:
  return *7
block2:
  call0 &helper()
  jump e2->block1
}
function &stop() {
block0:
  jump e0->block1
block1:
  jump e1->block1
}
";

    fn at(function: u32, block: u32) -> (FuncId, BlockId) {
        (FuncId(function), BlockId(block))
    }

    #[test]
    fn a_way_to_a_return_pays_for_callees_and_avoids_those_that_never_return() {
        let module = text::parse(PROGRAM).unwrap();
        let graph = DistanceGraph::new(&module);
        let to_return = |(function, block)| graph.to_return(function, block);
        assert_eq!(to_return(at(2, 0)), Some(1 + 7));
        assert_eq!(to_return(at(2, 2)), Some(2 + 8 + 7));
        assert_eq!(to_return(at(3, 0)), None);
        assert_eq!(to_return(at(1, 1)), None);
        assert_eq!(to_return(at(1, 0)), Some(5 + 8 + 5 + 1));
    }

    #[test]
    fn a_way_to_a_target_leads_into_callees_and_past_them() {
        let module = text::parse(PROGRAM).unwrap();
        let graph = DistanceGraph::new(&module);
        let distance = |target, (function, block)| {
            let distances = graph.distances_to(|function, block| (function, block) == target);
            graph.block_distance(&distances, function, block)
        };
        assert_eq!(distance(at(1, 0), at(1, 0)), Some(0));
        assert_eq!(distance(at(2, 2), at(1, 0)), Some(4 + 1));
        assert_eq!(distance(at(3, 1), at(1, 0)), Some(5 + 8 + 1 + 1));
        // Not by way of block1, whose callee never returns.
        assert_eq!(distance(at(1, 3), at(1, 0)), Some(5 + 8 + 5));
        assert_eq!(distance(at(1, 3), at(1, 1)), None);
        assert_eq!(distance(at(1, 3), at(2, 0)), None);
    }

    #[test]
    fn a_stack_reaches_what_lies_after_its_returns() {
        let module = text::parse(PROGRAM).unwrap();
        let graph = DistanceGraph::new(&module);
        let distances = graph.distances_to(|function, block| (function, block) == at(1, 3));
        // In helper's block1, called by itself from block2 (next is its jump), called by main (next is its branch).
        let frames = [(FuncId(1), 2), (FuncId(2), 3), (FuncId(2), 1)];
        assert_eq!(graph.stack_distance(&module, &distances, frames), Some(7 + (1 + 7) + (1 + 5)));
        assert_eq!(graph.stack_distance(&module, &distances, [(FuncId(2), 1)]), None);
        assert_eq!(graph.stack_distance(&module, &distances, [(FuncId(1), 0)]), Some(1 + 3 + 8 + 1 + 5));
    }
}
