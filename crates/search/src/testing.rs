//! A run without an engine: states that fork and end as a test says, over a small program.

use osier_base::Random;
use osier_exec::{Coverage, Leaves, NodeId, Program, Searcher, StateId, StateView, States, Tree};
use osier_ir::{
    Block, BlockId, Body, CallId, CallSite, Callee, ConstId, Edge, EdgeId, FuncId, Function, LocId, Location, Module,
    Op, Operand, PhiMoves, SwitchTable,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

struct FakeState {
    view: StateView,
    stack: Vec<(FuncId, BlockId)>,
    node: NodeId,
}

pub(crate) struct Fake {
    states: BTreeMap<StateId, FakeState>,
    born: u32,
    tree: Tree,
    program: Program,
    coverage: Coverage,
}

/// What one step of a run does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The state executes so many instructions and comes to a block of the entry.
    Run {
        instructions: u64,
        block: u32,
    },
    Fork {
        times: u8,
    },
    End,
    /// Another state is dropped, as at the memory limit.
    Drop {
        which: usize,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct History {
    pub events: Vec<Event>,
}

impl History {
    pub fn any() -> impl Strategy<Value = History> {
        let event = prop_oneof![
            4 => (0..5000u64, 0..4u32).prop_map(|(instructions, block)| Event::Run { instructions, block }),
            3 => (1..4u8).prop_map(|times| Event::Fork { times }),
            2 => Just(Event::End),
            1 => any::<usize>().prop_map(|which| Event::Drop { which }),
        ];
        prop::collection::vec(event, 1..150).prop_map(|events| History { events })
    }
}

impl Fake {
    /// One state at the start of [`program`], nothing covered.
    pub fn new() -> Self {
        let program = program();
        let coverage = Coverage::new(&program);
        let first = StateId(0);
        let (tree, node) = Tree::new(first);
        let (function, block) = (FuncId(0), BlockId(0));
        let view = StateView {
            id: first,
            depth: 0,
            instructions: 0,
            since_new: 0,
            covered_new: false,
            query_seconds: 0.0,
            hard_questions: 0,
            function,
            block,
            block_visits: 1,
        };
        let states = BTreeMap::from([(first, FakeState { view, stack: vec![(function, block)], node })]);
        Fake { states, born: 1, tree, program, coverage }
    }

    pub fn first(&self) -> StateId {
        StateId(0)
    }

    pub fn is_alive(&self, state: StateId) -> bool {
        self.states.contains_key(&state)
    }

    pub fn alive(&self) -> Vec<StateId> {
        self.states.keys().copied().collect()
    }

    pub fn view_mut(&mut self, state: StateId) -> &mut StateView {
        &mut self.states.get_mut(&state).expect("alive").view
    }

    pub fn set_stack(&mut self, state: StateId, stack: Vec<(FuncId, BlockId)>) {
        let (function, block) = stack[0];
        let fake = self.states.get_mut(&state).expect("alive");
        fake.view.function = function;
        fake.view.block = block;
        fake.stack = stack;
    }

    /// Puts a state into a block of the entry; the entry and its first `block` edges count as covered.
    pub fn enter(&mut self, state: StateId, block: u32) {
        self.set_stack(state, vec![(FuncId(0), BlockId(block))]);
        for point in 0..=block as usize {
            self.coverage.hit(point);
        }
    }

    pub fn cover_everything(&mut self) {
        self.cover_everything_but(usize::MAX);
    }

    /// The coverage point of an edge of a function of [`program`].
    pub fn edge(function: usize, edge: usize) -> usize {
        // Each function has a point for its entry, then one for each edge, then one for each call.
        let base = [0, 1 + 4 + 1, 1 + 4 + 1 + 1 + 1][function];
        base + 1 + edge
    }

    /// Starts the coverage anew and leaves out one point.
    pub fn cover_everything_but(&mut self, left_out: usize) {
        let version = self.coverage.version;
        self.coverage = Coverage::new(&self.program);
        self.coverage.version = version;
        for point in (0..self.program.coverage_points).filter(|&point| point != left_out) {
            self.coverage.hit(point);
        }
    }

    pub fn fork(&mut self, parent: StateId) -> StateId {
        let child = StateId(self.born);
        self.born += 1;
        let fake = self.states.get_mut(&parent).expect("alive");
        let (left, right) = self.tree.fork(fake.node, parent, child);
        fake.node = left;
        fake.view.depth += 1;
        let copy = FakeState { view: StateView { id: child, ..fake.view }, stack: fake.stack.clone(), node: right };
        self.states.insert(child, copy);
        child
    }

    /// Every state forks, so many times in turn; gives the new ones.
    pub fn fork_all(&mut self, times: usize) -> Vec<StateId> {
        let mut added = Vec::new();
        for _ in 0..times {
            for parent in self.alive() {
                added.push(self.fork(parent));
            }
        }
        added
    }

    pub fn end(&mut self, state: StateId) {
        let gone = self.states.remove(&state).expect("alive");
        self.tree.remove(gone.node);
    }

    /// Lets an event happen to the current state; gives the states added and removed.
    pub fn happen(&mut self, current: StateId, event: Event) -> (Vec<StateId>, Vec<StateId>) {
        match event {
            Event::Run { instructions, block } => {
                let view = self.view_mut(current);
                view.instructions += instructions;
                view.since_new += instructions;
                view.block_visits += instructions / 7;
                self.enter(current, block);
                (Vec::new(), Vec::new())
            }
            Event::Fork { times } => ((0..times).map(|_| self.fork(current)).collect(), Vec::new()),
            Event::End => {
                self.end(current);
                (Vec::new(), vec![current])
            }
            Event::Drop { which } => {
                let alive = self.alive();
                let gone = alive[which % alive.len()];
                self.end(gone);
                (Vec::new(), vec![gone])
            }
        }
    }
}

impl States for Fake {
    fn view(&self, id: StateId) -> StateView {
        self.states[&id].view
    }
    fn stack(&self, id: StateId) -> Vec<(FuncId, BlockId)> {
        self.states[&id].stack.clone()
    }
    fn tree(&self) -> (&Tree, Leaves) {
        (&self.tree, Leaves::Running)
    }
    fn program(&self) -> &Program {
        &self.program
    }
    fn coverage(&self) -> &Coverage {
        &self.coverage
    }
}

/// How often each state is selected, as a part of all draws.
pub(crate) fn shares(searcher: &mut dyn Searcher, states: &dyn States, draws: u32) -> BTreeMap<StateId, f64> {
    let mut random = Random::new(42);
    let mut counts: BTreeMap<StateId, u32> = BTreeMap::new();
    for _ in 0..draws {
        *counts.entry(searcher.select(states, &mut random)).or_default() += 1;
    }
    counts.into_iter().map(|(state, count)| (state, f64::from(count) / f64::from(draws))).collect()
}

/// Function f0: block0 to block1; block1 to block2 or block3; block2 calls f1 and goes to block3; block3 returns.
/// Function f1: block0 to block1, which returns. Function f2: block0 calls f0 and goes to block1, from there to block2,
/// which returns. Each block weighs 10.
fn program() -> Program {
    let mut module = Module::default();
    module.files.push(String::new());
    module.locations.push(Location::default());
    module.functions.push(function("main", &[&[1], &[2, 3], &[3], &[]], Some((2, FuncId(1)))));
    module.functions.push(function("called", &[&[1], &[]], None));
    module.functions.push(function("caller", &[&[1], &[2], &[]], Some((0, FuncId(0)))));
    Program::new(module, FuncId(0))
}

fn function(name: &str, shape: &[&[u32]], call: Option<(usize, FuncId)>) -> Function {
    let mut body = Body::default();
    for (block, targets) in shape.iter().enumerate() {
        let start = body.ops.len() as u32;
        if let Some((_, callee)) = call.filter(|&(caller, _)| caller == block) {
            let call = body.calls.push(CallSite {
                callee: Callee::Direct(callee),
                args: Vec::new(),
                arg_kinds: Vec::new(),
                arg_widths: Vec::new(),
                results: Vec::new(),
                result_widths: Vec::new(),
                variadic: false,
            });
            assert_eq!(call, CallId(0));
            push_op(&mut body, Op::Call { call });
        }
        let edges: Vec<EdgeId> = targets
            .iter()
            .map(|&target| body.edges.push(Edge { target: BlockId(target), moves: PhiMoves::default() }))
            .collect();
        let end = match edges[..] {
            [] => Op::Return,
            [edge] => Op::Jump { edge },
            [first, default, ..] => {
                let table = body.tables.push(SwitchTable { cases: vec![(ConstId(0), first)], default: Some(default) });
                Op::Switch { width: 32, value: Operand::constant(ConstId(0)), table }
            }
        };
        push_op(&mut body, end);
        body.blocks.push(Block { start, end: body.ops.len() as u32, weight: 10 });
    }
    Function {
        name: name.to_string(),
        params: Vec::new(),
        returns: Vec::new(),
        variadic: false,
        location: LocId(0),
        body: Some(body),
    }
}

fn push_op(body: &mut Body, op: Op) {
    body.ops.push(op);
    body.op_locations.push(LocId(0));
    body.op_weights.push(1);
}
