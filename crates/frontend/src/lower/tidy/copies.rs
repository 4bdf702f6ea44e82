//! Reading through copies, block by block, and dropping the moves that nobody reads afterwards.

use super::{each_def, each_use, edges_of};
use crate::lower::draft::Draft;
use osier_base::{EntityVec, Id};
use osier_ir::{Constant, Module, Op, Operand, Reg, Unpacked};

/// What is known at one point of a block: which registers hold the same as something else.
struct Copies {
    source: EntityVec<Reg, Option<Operand>>,
    /// For each register, those whose source it is (or was).
    copied_to: EntityVec<Reg, Vec<Reg>>,
    touched: Vec<Reg>,
}

impl Copies {
    fn new(registers: usize) -> Self {
        Copies {
            source: vec![None; registers].into(),
            copied_to: vec![Vec::new(); registers].into(),
            touched: Vec::new(),
        }
    }

    fn forget_all(&mut self) {
        for reg in self.touched.drain(..) {
            self.source[reg] = None;
            self.copied_to[reg].clear();
        }
    }

    fn record(&mut self, copy: Reg, source: Operand) {
        self.source[copy] = Some(source);
        self.touched.push(copy);
        if let Some(reg) = source.as_reg() {
            self.copied_to[reg].push(copy);
            self.touched.push(reg);
        }
    }

    /// A register gets a new value: it is no copy any more, and nothing is a copy of it.
    fn overwrite(&mut self, reg: Reg) {
        self.source[reg] = None;
        for copy in std::mem::take(&mut self.copied_to[reg]) {
            if self.source[copy] == Some(Operand::reg(reg)) {
                self.source[copy] = None;
            }
        }
    }

    fn read_through(&self, operand: &mut Operand) {
        if let Some(source) = operand.as_reg().and_then(|reg| self.source[reg]) {
            *operand = source;
        }
    }
}

pub fn propagate(draft: &mut Draft, module: &Module) {
    let mut copies = Copies::new(draft.registers.len());
    for index in 0..draft.blocks.len() {
        copies.forget_all();
        let mut items = std::mem::take(&mut draft.blocks[index].items);
        for item in &mut items {
            each_use(draft, &mut item.op, |operand| copies.read_through(operand));
            each_def(draft, &mut item.op, |reg| copies.overwrite(*reg));
            if let Op::Move { dst, src } = item.op {
                learn(&mut copies, draft, module, dst, src);
            }
        }
        if let Some(last) = items.last() {
            for edge in edges_of(draft, &last.op) {
                propagate_to_edge(&copies, draft, edge.index());
            }
        }
        draft.blocks[index].items = items;
    }
}

fn learn(copies: &mut Copies, draft: &Draft, module: &Module, dst: Reg, src: Operand) {
    match src.unpack() {
        Unpacked::Const(constant) => match module.constants[constant] {
            // One read of an undefined local must agree with the next.
            Constant::Undef { .. } | Constant::Poison { .. } => {}
            Constant::Int { .. } | Constant::Global { .. } | Constant::Function(_) | Constant::Block { .. } => {
                copies.record(dst, src);
            }
        },
        Unpacked::Reg(reg) if reg == dst => {}
        // After a store the local stands for the value, so that the value may be computed right into it.
        Unpacked::Reg(reg) if draft.is_local(dst) && !draft.is_local(reg) => copies.record(reg, Operand::reg(dst)),
        Unpacked::Reg(_) => copies.record(dst, src),
    }
}

/// The moves are in order already: a new source must not be what an earlier move overwrites.
fn propagate_to_edge(copies: &Copies, draft: &mut Draft, edge: usize) {
    let moves = &mut draft.edges[edge].moves;
    for index in 0..moves.len() {
        let mut source = moves[index].src;
        // A source that an earlier move writes is a value saved on the edge itself.
        if moves[..index].iter().any(|step| Operand::reg(step.dst) == source) {
            continue;
        }
        copies.read_through(&mut source);
        if moves[..index].iter().all(|step| Operand::reg(step.dst) != source) {
            moves[index].src = source;
        }
    }
}

/// Marks moves whose result is read nowhere. Backwards, so that chains of moves go at once.
pub fn remove_unread_moves(draft: &Draft, block: usize, uses: &mut EntityVec<Reg, u32>, dead: &mut [bool]) {
    for (index, item) in draft.blocks[block].items.iter().enumerate().rev() {
        let Op::Move { dst, src } = item.op else { continue };
        if src != Operand::reg(dst) && uses[dst] != 0 {
            continue;
        }
        dead[index] = true;
        if let Some(reg) = src.as_reg() {
            uses[reg] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::draft::{DraftBlock, DraftEdge, Item};
    use osier_ir::{BlockId, EdgeId, LocId, Move};

    fn reg(number: u32) -> Operand {
        Operand::reg(Reg(number))
    }

    fn copy(dst: u32, src: u32) -> Op {
        Op::Move { dst: Reg(dst), src: reg(src) }
    }

    /// Registers 0 and 1 are locals.
    fn propagated(ops: &[Op], moves: Vec<Move>) -> Draft {
        let items = ops.iter().map(|&op| Item { op, location: LocId(0), weight: 1 }).collect();
        let mut draft = Draft { registers: vec![32; 6].into(), ..Draft::default() };
        draft.locals.extend([Reg(0), Reg(1)]);
        draft.blocks.push(DraftBlock { items, ..DraftBlock::default() });
        draft.edges.push(DraftEdge { target: BlockId(0), moves });
        propagate(&mut draft, &Module::default());
        draft
    }

    #[test]
    fn a_use_reads_through_a_copy_until_the_source_changes() {
        let end = |value| Op::ReturnOne { value };
        let read = propagated(&[copy(2, 0), end(reg(2))], Vec::new());
        assert_eq!(read.blocks[0].items[1].op, end(reg(0)));
        let changed = propagated(&[copy(2, 0), copy(0, 1), end(reg(2))], Vec::new());
        assert_eq!(changed.blocks[0].items[2].op, end(reg(2)));
    }

    #[test]
    fn after_a_store_the_local_stands_for_the_value() {
        let end = |value| Op::ReturnOne { value };
        let stored = propagated(&[copy(0, 3), end(reg(3))], Vec::new());
        assert_eq!(stored.blocks[0].items[1].op, end(reg(0)));
    }

    /// r4 and r5 are phis; r2 is a copy of r4. Reading through it after r4 is overwritten would give the new value.
    #[test]
    fn an_edge_does_not_read_what_an_earlier_move_of_it_wrote() {
        let jump = Op::Jump { edge: EdgeId(0) };
        let moves = vec![Move { dst: Reg(4), src: reg(3) }, Move { dst: Reg(5), src: reg(2) }];
        let kept = propagated(&[copy(2, 4), jump], moves.clone());
        assert_eq!(kept.edges[0].moves, moves);
        let turned = vec![Move { dst: Reg(5), src: reg(2) }, Move { dst: Reg(4), src: reg(3) }];
        let read = propagated(&[copy(2, 4), jump], turned);
        assert_eq!(read.edges[0].moves[0].src, reg(4));
    }
}
