//! Makes a draft shorter without changing what it does or what it counts.
//!
//! The plain lowering of unoptimised code moves promoted locals in and out of registers all the time. Here those moves
//! vanish, in this order, each step making room for the next: uses read through copies; moves that nobody reads die;
//! results go straight to the local they are stored to; addresses and comparisons join the operation that uses them.
//! The weight of what vanished goes to the next operation that stays, so every block counts what it counted before.

mod copies;
mod fuse;

use super::draft::{Draft, DraftBlock};
use osier_base::{EntityVec, Id};
use osier_ir::{Callee, EdgeId, FuncId, Module, Op, Operand, Reg, Slot};

pub fn tidy(draft: &mut Draft, module: &mut Module, id: FuncId) {
    copies::propagate(draft, module);
    let mut uses = count_uses(draft);
    for index in 0..draft.blocks.len() {
        let mut dead = vec![false; draft.blocks[index].items.len()];
        copies::remove_unread_moves(draft, index, &mut uses, &mut dead);
        if index == 0 {
            fuse::rename_parameters(draft, &mut module.functions[id].params, &uses, &mut dead);
        }
        fuse::write_locals_directly(draft, index, &uses, &mut dead);
        fuse::join(draft, index, &mut uses, &mut dead);
        sweep(&mut draft.blocks[index], &dead);
    }
}

/// Drops dead items; their weight and their places go to the next one that stays. A block's last item, its terminator,
/// stays.
fn sweep(block: &mut DraftBlock, dead: &[bool]) {
    let mut carried = 0u32;
    let mut index = 0;
    let mut kept = 0;
    let vanished = &mut block.vanished;
    block.items.retain_mut(|item| {
        carried += u32::from(item.weight);
        let stays = !dead[index];
        index += 1;
        if stays {
            item.weight = u16::try_from(carried).unwrap_or(u16::MAX);
            carried -= u32::from(item.weight);
            kept += 1;
        } else if vanished.last() != Some(&(kept, item.location)) {
            vanished.push((kept, item.location));
        }
        stays
    });
}

fn count_uses(draft: &mut Draft) -> EntityVec<Reg, u32> {
    let mut uses: EntityVec<Reg, u32> = vec![0; draft.registers.len()].into();
    let mut count = |operand: &mut Operand| {
        if let Some(reg) = operand.as_reg() {
            uses[reg] += 1;
        }
    };
    let Draft { blocks, edges, tables: _, calls, operands, registers: _, locals: _ } = draft;
    for item in blocks.iter_mut().flat_map(|block| &mut block.items) {
        item.op.for_each_slot(|slot| {
            if let Slot::Use(operand, _) = slot {
                count(operand);
            }
        });
    }
    for call in calls {
        if let Callee::Indirect(address) = &mut call.callee {
            count(address);
        }
        call.args.iter_mut().for_each(&mut count);
    }
    operands.iter_mut().for_each(&mut count);
    edges.iter_mut().flat_map(|edge| &mut edge.moves).for_each(|step| count(&mut step.src));
    uses
}

/// Visits what an operation reads, in itself and in the side tables.
fn each_use(draft: &mut Draft, op: &mut Op, mut visit: impl FnMut(&mut Operand)) {
    match op {
        Op::Call { call } => {
            let site = &mut draft.calls[call.index()];
            if let Callee::Indirect(address) = &mut site.callee {
                visit(address);
            }
            site.args.iter_mut().for_each(visit);
        }
        Op::ReturnMany { start, len } => {
            draft.operands[*start as usize..][..*len as usize].iter_mut().for_each(visit);
        }
        inline => inline.for_each_slot(|slot| {
            if let Slot::Use(operand, _) = slot {
                visit(operand);
            }
        }),
    }
}

/// Visits what an operation writes, in itself and in the side tables.
fn each_def(draft: &mut Draft, op: &mut Op, mut visit: impl FnMut(&mut Reg)) {
    match op {
        Op::Call { call } => draft.calls[call.index()].results.iter_mut().for_each(visit),
        inline => inline.for_each_slot(|slot| {
            if let Slot::Def(reg, _) = slot {
                visit(reg);
            }
        }),
    }
}

/// The edges that a terminator names, each once.
fn edges_of(draft: &Draft, op: &Op) -> Vec<EdgeId> {
    let table = match *op {
        Op::Jump { edge } => return vec![edge],
        Op::Branch { then, other, .. } | Op::CmpBranch { then, other, .. } => return vec![then, other],
        Op::Switch { table, .. } | Op::IndirectJump { table, .. } => &draft.tables[table.index()],
        _ => return Vec::new(),
    };
    let mut edges: Vec<EdgeId> = table.cases.iter().map(|&(_, edge)| edge).chain(table.default).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
