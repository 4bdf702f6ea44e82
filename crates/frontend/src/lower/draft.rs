//! A function's body while it is being built: block by block, before it is laid flat.

use osier_base::{EntityVec, Id};
use osier_ir::{
    Block, BlockId, Body, CallId, CallSite, Edge, EdgeId, LocId, Move, Op, Operand, PhiMoves, Reg, SwitchTable, TableId,
};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub op: Op,
    pub location: LocId,
    pub weight: u16,
}

#[derive(Default, Debug)]
pub struct DraftBlock {
    pub items: Vec<Item>,
    /// Places of items that were dropped, each with the index of the item that stands for it now.
    pub vanished: Vec<(u32, LocId)>,
    pub phis: u32,
}

#[derive(Debug)]
pub struct DraftEdge {
    pub target: BlockId,
    pub moves: Vec<Move>,
}

#[derive(Default, Debug)]
pub struct Draft {
    pub blocks: Vec<DraftBlock>,
    pub registers: EntityVec<Reg, u8>,
    pub edges: Vec<DraftEdge>,
    pub calls: Vec<CallSite>,
    pub tables: Vec<SwitchTable>,
    pub operands: Vec<Operand>,
    /// The registers of promoted locals. All others, but those of phis, are written in one place only.
    pub locals: FxHashSet<Reg>,
}

/// How far the side tables were filled.
#[derive(Clone, Copy)]
pub struct Mark {
    edges: usize,
    calls: usize,
    tables: usize,
    operands: usize,
}

impl Draft {
    pub fn reg(&mut self, width: u8) -> Reg {
        self.registers.push(width)
    }

    pub fn is_local(&self, reg: Reg) -> bool {
        self.locals.contains(&reg)
    }

    pub fn edge(&mut self, target: BlockId, moves: Vec<Move>) -> EdgeId {
        self.edges.push(DraftEdge { target, moves });
        EdgeId::new(self.edges.len() - 1)
    }

    pub fn call(&mut self, site: CallSite) -> CallId {
        self.calls.push(site);
        CallId::new(self.calls.len() - 1)
    }

    pub fn table(&mut self, table: SwitchTable) -> TableId {
        self.tables.push(table);
        TableId::new(self.tables.len() - 1)
    }

    pub fn mark(&self) -> Mark {
        Mark {
            edges: self.edges.len(),
            calls: self.calls.len(),
            tables: self.tables.len(),
            operands: self.operands.len(),
        }
    }

    /// Forgets what was added to the side tables since the mark.
    pub fn rewind(&mut self, mark: Mark) {
        self.edges.truncate(mark.edges);
        self.calls.truncate(mark.calls);
        self.tables.truncate(mark.tables);
        self.operands.truncate(mark.operands);
    }

    pub fn prepend_to_entry(&mut self, ops: Vec<Op>) {
        let items = ops.into_iter().map(|op| Item { op, location: LocId(0), weight: 0 });
        for (index, _) in &mut self.blocks[0].vanished {
            *index += items.len() as u32;
        }
        self.blocks[0].items.splice(0..0, items);
    }

    /// Lays the blocks out flat.
    pub fn finish(self) -> Body {
        let mut body = Body { registers: self.registers, operands: self.operands, ..Body::default() };
        for block in self.blocks {
            let start = body.ops.len() as u32;
            let mut weight = block.phis;
            body.vanished.extend(block.vanished.iter().map(|(index, location)| (start + index, *location)));
            for item in block.items {
                weight += u32::from(item.weight);
                body.ops.push(item.op);
                body.op_locations.push(item.location);
                body.op_weights.push(item.weight);
            }
            body.blocks.push(Block { start, end: body.ops.len() as u32, weight });
        }
        for edge in self.edges {
            let moves = PhiMoves { start: body.moves.len() as u32, len: edge.moves.len() as u32 };
            body.moves.extend(edge.moves);
            body.edges.push(Edge { target: edge.target, moves });
        }
        body.calls = self.calls.into();
        body.tables = self.tables.into();
        body
    }
}
