//! One name per value: registers are reused for values that have nothing to do with each other, and an analysis without
//! an order of operations must not mix them.
//!
//! Braun and others, "Simple and Efficient Construction of Static Single Assignment Form", with one change: the operands
//! of a phi are looked up after all blocks were visited, so that no block is ever unsealed and nothing recurses.

use crate::template::Val;
use osier_base::Id;
use osier_ir::{BlockId, Body, Cfg, EdgeId, Reg};
use rustc_hash::FxHashMap;

/// A value that may come from several places. `operands` are filled by [`Values::finish`].
pub struct Phi {
    pub local: u32,
    pub operands: Vec<Val>,
}

/// Where a definition stands: a block, or an edge with moves. Blocks come first.
type Place = u32;

/// Who defines what, as far as blocks were visited.
pub struct Values {
    predecessors: Vec<Vec<Place>>,
    blocks: usize,
    current: FxHashMap<(Place, Reg), Val>,
    phis: Vec<Phi>,
    /// The place and register of each phi.
    wanted: Vec<(Place, Reg)>,
    next_local: u32,
}

impl Values {
    pub fn new(body: &Body, cfg: &Cfg) -> Self {
        let blocks = body.blocks.len();
        let mut values = Values {
            predecessors: vec![Vec::new(); blocks + body.edges.len()],
            blocks,
            current: FxHashMap::default(),
            phis: Vec::new(),
            wanted: Vec::new(),
            next_local: 0,
        };
        for &block in cfg.reverse_postorder() {
            let mut edges: Vec<EdgeId> = body.terminator(block).edges(body).collect();
            edges.sort_unstable();
            edges.dedup();
            for edge in edges {
                let target = body.edges[edge].target.index();
                if body.edge_moves(edge).is_empty() {
                    values.predecessors[target].push(block.0);
                } else {
                    let place = values.edge(edge);
                    values.predecessors[place as usize].push(block.0);
                    values.predecessors[target].push(place);
                }
            }
        }
        values
    }

    pub fn block(block: BlockId) -> Place {
        block.0
    }

    pub fn edge(&self, edge: EdgeId) -> Place {
        (self.blocks + edge.index()) as u32
    }

    /// A value of its own.
    pub fn fresh(&mut self) -> u32 {
        self.next_local += 1;
        self.next_local - 1
    }

    pub fn define(&mut self, place: Place, reg: Reg, value: Val) {
        self.current.insert((place, reg), value);
    }

    /// What a register holds at the end of a place, as far as that place was visited.
    pub fn read(&mut self, place: Place, reg: Reg) -> Val {
        let mut at = place;
        let value = loop {
            if let Some(&value) = self.current.get(&(at, reg)) {
                break value;
            }
            match self.predecessors[at as usize][..] {
                [] => break Val::Nothing,
                [only] => at = only,
                [_, _, ..] => {
                    let local = self.fresh();
                    self.phis.push(Phi { local, operands: Vec::new() });
                    self.wanted.push((at, reg));
                    self.current.insert((at, reg), Val::Local(local));
                    break Val::Local(local);
                }
            }
        };
        self.current.insert((place, reg), value);
        value
    }

    /// After the last block: the phis, and the number of values.
    pub fn finish(mut self) -> (Vec<Phi>, u32) {
        let mut next = 0;
        while next < self.wanted.len() {
            let (place, reg) = self.wanted[next];
            for before in self.predecessors[place as usize].clone() {
                let value = self.read(before, reg);
                self.phis[next].operands.push(value);
            }
            next += 1;
        }
        (self.phis, self.next_local)
    }
}
