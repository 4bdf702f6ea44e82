//! What an operation reads, writes and leads to. Passes go through here, so that a new operation is described once.

use crate::{Body, Callee, EdgeId, Op, Operand, Reg};

/// A place in an operation that names a value, with the width that the operation itself demands there. `None` where
/// the width comes from elsewhere: a move takes that of its result, a return that of its function.
pub enum Slot<'a> {
    Use(&'a mut Operand, Option<u8>),
    Def(&'a mut Reg, Option<u8>),
}

const POINTER: Option<u8> = Some(64);
const BIT: Option<u8> = Some(1);

impl Op {
    /// Visits the operands and results that stand in the operation itself, uses before definitions. Those of calls and
    /// of `ReturnMany` stand in tables of the body: [`Op::for_each_use`] and [`Op::for_each_def`] see them too.
    pub fn for_each_slot(&mut self, mut visit: impl FnMut(Slot<'_>)) {
        use Slot::{Def, Use};
        match self {
            Op::Move { dst, src } => {
                visit(Use(src, None));
                visit(Def(dst, None));
            }
            Op::Bin { op: _, flags: _, width, dst, a, b } => {
                visit(Use(a, Some(*width)));
                visit(Use(b, Some(*width)));
                visit(Def(dst, Some(*width)));
            }
            Op::Un { op: _, width, dst, a } => {
                visit(Use(a, Some(*width)));
                visit(Def(dst, Some(*width)));
            }
            Op::Cmp { op: _, width, dst, a, b } => {
                visit(Use(a, Some(*width)));
                visit(Use(b, Some(*width)));
                visit(Def(dst, BIT));
            }
            Op::Cast { op: _, from, to, dst, src } => {
                visit(Use(src, Some(*from)));
                visit(Def(dst, Some(*to)));
            }
            Op::Select { width, dst, cond, then, other } => {
                visit(Use(cond, BIT));
                visit(Use(then, Some(*width)));
                visit(Use(other, Some(*width)));
                visit(Def(dst, Some(*width)));
            }
            Op::Overflow { op: _, width, dst, carry, a, b } => {
                visit(Use(a, Some(*width)));
                visit(Use(b, Some(*width)));
                visit(Def(dst, Some(*width)));
                visit(Def(carry, BIT));
            }
            Op::FunnelShift { left: _, width, dst, hi, lo, amount } => {
                visit(Use(hi, Some(*width)));
                visit(Use(lo, Some(*width)));
                visit(Use(amount, Some(*width)));
                visit(Def(dst, Some(*width)));
            }
            Op::FBin { op: _, kind, dst, a, b } => {
                visit(Use(a, Some(kind.width())));
                visit(Use(b, Some(kind.width())));
                visit(Def(dst, Some(kind.width())));
            }
            Op::FUn { op: _, kind, dst, a } => {
                visit(Use(a, Some(kind.width())));
                visit(Def(dst, Some(kind.width())));
            }
            Op::FCmp { op: _, kind, dst, a, b } => {
                visit(Use(a, Some(kind.width())));
                visit(Use(b, Some(kind.width())));
                visit(Def(dst, BIT));
            }
            Op::FCast { op, width, dst, src } => {
                let (from, to) = op.widths(*width);
                visit(Use(src, Some(from)));
                visit(Def(dst, Some(to)));
            }
            Op::Fma { kind, dst, a, b, c } => {
                visit(Use(a, Some(kind.width())));
                visit(Use(b, Some(kind.width())));
                visit(Use(c, Some(kind.width())));
                visit(Def(dst, Some(kind.width())));
            }
            Op::Offset { flags: _, dst, base, offset: _ } => {
                visit(Use(base, POINTER));
                visit(Def(dst, POINTER));
            }
            Op::Index { flags: _, width, dst, base, index, scale: _, offset: _ } => {
                visit(Use(base, POINTER));
                visit(Use(index, Some(*width)));
                visit(Def(dst, POINTER));
            }
            Op::Load { width, dst, addr, offset: _ } => {
                visit(Use(addr, POINTER));
                visit(Def(dst, Some(*width)));
            }
            Op::Store { width, addr, value, offset: _ } => {
                visit(Use(addr, POINTER));
                visit(Use(value, Some(*width)));
            }
            Op::Alloca { dst, count, size: _, align: _, site: _ } => {
                visit(Use(count, POINTER));
                visit(Def(dst, POINTER));
            }
            Op::Memory { op, dst, src, len } => {
                visit(Use(dst, POINTER));
                visit(Use(src, Some(op.source_width())));
                // A length is 32 bits wide in some forms of the intrinsics.
                visit(Use(len, None));
            }
            Op::VaCopy { dst, src } => {
                visit(Use(dst, POINTER));
                visit(Use(src, POINTER));
            }
            Op::Forget { addr } | Op::IndirectJump { addr, table: _ } => visit(Use(addr, POINTER)),
            Op::VaStart { list } | Op::VaEnd { list } => visit(Use(list, POINTER)),
            Op::StackRestore { src } => visit(Use(src, POINTER)),
            Op::StackSave { dst } | Op::FrameAddress { dst } => visit(Def(dst, POINTER)),
            Op::Assume { cond } => visit(Use(cond, BIT)),
            Op::Branch { cond, then: _, other: _ } => visit(Use(cond, BIT)),
            Op::CmpBranch { op: _, width, a, b, then: _, other: _ } => {
                visit(Use(a, Some(*width)));
                visit(Use(b, Some(*width)));
            }
            Op::Switch { width, value, table: _ } => visit(Use(value, Some(*width))),
            Op::ReturnOne { value } => visit(Use(value, None)),
            Op::Call { call: _ }
            | Op::Jump { edge: _ }
            | Op::Return
            | Op::ReturnMany { start: _, len: _ }
            | Op::Trap { kind: _ }
            | Op::Unreachable
            | Op::Unsupported { text: _ } => {}
        }
    }

    /// Visits every operand that the operation reads. `self` is an operation of `body`.
    pub fn for_each_use(&self, body: &Body, mut visit: impl FnMut(Operand)) {
        match *self {
            Op::Call { call } => {
                let site = &body.calls[call];
                match site.callee {
                    Callee::Direct(_) => {}
                    Callee::Indirect(operand) => visit(operand),
                }
                site.args.iter().copied().for_each(visit);
            }
            Op::ReturnMany { start, len } => {
                body.operands[start as usize..][..len as usize].iter().copied().for_each(visit);
            }
            mut inline => inline.for_each_slot(|slot| match slot {
                Slot::Use(operand, _) => visit(*operand),
                Slot::Def(..) => {}
            }),
        }
    }

    /// Visits every register that the operation writes. `self` is an operation of `body`.
    pub fn for_each_def(&self, body: &Body, mut visit: impl FnMut(Reg)) {
        match *self {
            Op::Call { call } => body.calls[call].results.iter().copied().for_each(visit),
            mut inline => inline.for_each_slot(|slot| match slot {
                Slot::Use(..) => {}
                Slot::Def(reg, _) => visit(*reg),
            }),
        }
    }

    /// The edges that a terminator may take, in the order in which it names them; none for other operations.
    /// A switch names an edge more than once if several cases share it.
    pub fn edges<'a>(&self, body: &'a Body) -> impl Iterator<Item = EdgeId> + use<'a> {
        let (first, second, table) = match *self {
            Op::Jump { edge } => (Some(edge), None, None),
            Op::Branch { cond: _, then, other } => (Some(then), Some(other), None),
            Op::CmpBranch { op: _, width: _, a: _, b: _, then, other } => (Some(then), Some(other), None),
            Op::Switch { width: _, value: _, table } | Op::IndirectJump { addr: _, table } => {
                (None, None, Some(&body.tables[table]))
            }
            _ => (None, None, None),
        };
        let of_table = table.into_iter().flat_map(|t| t.cases.iter().map(|&(_, edge)| edge).chain(t.default));
        first.into_iter().chain(second).chain(of_table)
    }
}

impl Body {
    /// The last operation of a block.
    pub fn terminator(&self, block: crate::BlockId) -> &Op {
        &self.ops[self.blocks[block].end as usize - 1]
    }

    pub fn block_ops(&self, block: crate::BlockId) -> &[Op] {
        let block = self.blocks[block];
        &self.ops[block.start as usize..block.end as usize]
    }

    pub fn edge_moves(&self, edge: EdgeId) -> &[crate::Move] {
        let range = self.edges[edge].moves;
        &self.moves[range.start as usize..][..range.len as usize]
    }

    /// Renames every register of the body; parameters are the caller's.
    pub fn rename_registers(&mut self, rename: impl Fn(Reg) -> Reg) {
        let rename_operand = |operand: &mut Operand| {
            if let Some(reg) = operand.as_reg() {
                *operand = Operand::reg(rename(reg));
            }
        };
        for op in &mut self.ops {
            op.for_each_slot(|slot| match slot {
                Slot::Use(operand, _) => rename_operand(operand),
                Slot::Def(reg, _) => *reg = rename(*reg),
            });
        }
        for call in self.calls.values_mut() {
            match &mut call.callee {
                Callee::Direct(_) => {}
                Callee::Indirect(operand) => rename_operand(operand),
            }
            call.args.iter_mut().for_each(rename_operand);
            call.results.iter_mut().for_each(|reg| *reg = rename(*reg));
        }
        self.operands.iter_mut().for_each(rename_operand);
        for step in &mut self.moves {
            rename_operand(&mut step.src);
            step.dst = rename(step.dst);
        }
    }
}
