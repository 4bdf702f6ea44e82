//! Two operations become one: a result goes straight to the local that it is stored to, an address or a comparison
//! joins the operation that uses it.

use super::{each_def, each_use};
use crate::lower::draft::Draft;
use osier_base::EntityVec;
use osier_ir::{CastOp, Op, Operand, Param, Reg};
use rustc_hash::FxHashMap;

/// Unoptimised code stores each parameter to a local first thing. If that is all that it does with the parameter, the
/// local is the parameter.
pub fn rename_parameters(draft: &mut Draft, params: &mut [Param], uses: &EntityVec<Reg, u32>, dead: &mut [bool]) {
    let mut items = std::mem::take(&mut draft.blocks[0].items);
    let mut touched: Vec<Reg> = Vec::new();
    for (index, item) in items.iter_mut().enumerate() {
        if dead[index] {
            continue;
        }
        if let Op::Move { dst, src } = item.op
            && draft.is_local(dst)
            && !touched.contains(&dst)
            && let Some(reg) = src.as_reg()
            && uses[reg] == 1
            && let Some(param) = params.iter_mut().find(|param| param.reg == reg)
        {
            param.reg = dst;
            dead[index] = true;
            touched.push(dst);
            continue;
        }
        // Past the stores of parameters there is nothing to find; a few other operations may stand between them.
        if index > 4 * params.len() + 16 {
            break;
        }
        each_use(draft, &mut item.op, |operand| touched.extend(operand.as_reg()));
        each_def(draft, &mut item.op, |reg| touched.push(*reg));
    }
    draft.blocks[0].items = items;
}

/// `t = op ...; local = t` becomes `local = op ...` if nothing else reads `t`, and nothing in between reads or writes
/// the local. Operands are read before results are written, so `op` itself may read the local.
pub fn write_locals_directly(draft: &mut Draft, block: usize, uses: &EntityVec<Reg, u32>, dead: &mut [bool]) {
    let mut items = std::mem::take(&mut draft.blocks[block].items);
    let mut defined_at: FxHashMap<Reg, usize> = FxHashMap::default();
    let mut touched_at: FxHashMap<Reg, usize> = FxHashMap::default();
    for index in 0..items.len() {
        if dead[index] {
            continue;
        }
        if let Op::Move { dst, src } = items[index].op
            && draft.is_local(dst)
            && let Some(temporary) = src.as_reg()
            && !draft.is_local(temporary)
            && uses[temporary] == 1
            && let Some(&definition) = defined_at.get(&temporary)
            && touched_at.get(&dst).is_none_or(|&at| at <= definition)
            && !writes(draft, &mut items[definition].op, dst)
            && let Some(weight) = items[definition].weight.checked_add(items[index].weight)
        {
            // The store counts where its value is computed.
            items[definition].weight = weight;
            items[index].weight = 0;
            each_def(draft, &mut items[definition].op, |reg| {
                if *reg == temporary {
                    *reg = dst;
                }
            });
            touched_at.insert(dst, definition);
            dead[index] = true;
            continue;
        }
        each_use(draft, &mut items[index].op, |operand| {
            if let Some(reg) = operand.as_reg() {
                touched_at.insert(reg, index);
            }
        });
        each_def(draft, &mut items[index].op, |reg| {
            touched_at.insert(*reg, index);
            defined_at.insert(*reg, index);
        });
    }
    draft.blocks[block].items = items;
}

fn writes(draft: &mut Draft, op: &mut Op, wanted: Reg) -> bool {
    let mut found = false;
    each_def(draft, op, |reg| found |= *reg == wanted);
    found
}

/// Constant offsets join the loads and stores that use them, extensions join the index that they are made for, a
/// comparison joins the branch on it.
pub fn join(draft: &mut Draft, block: usize, uses: &mut EntityVec<Reg, u32>, dead: &mut [bool]) {
    let mut items = std::mem::take(&mut draft.blocks[block].items);
    let mut defined_at: FxHashMap<Reg, usize> = FxHashMap::default();
    for index in 0..items.len() {
        if dead[index] {
            continue;
        }
        let unchanged = |operand: Operand, since: usize, defined_at: &FxHashMap<Reg, usize>| match operand.as_reg() {
            Some(reg) => defined_at.get(&reg).is_none_or(|&at| at < since),
            None => true,
        };
        match &mut items[index].op {
            Op::Load { addr, offset, .. } | Op::Store { addr, offset, .. } => {
                let (mut address, mut total) = (*addr, *offset);
                while let Some(reg) = address.as_reg()
                    && !draft.is_local(reg)
                    && let Some(&definition) = defined_at.get(&reg)
                    && let Op::Offset { base, offset: inner, .. } = items[definition].op
                    && unchanged(base, definition, &defined_at)
                    && let Some(sum) = total.checked_add(inner)
                {
                    uses[reg] -= 1;
                    if uses[reg] == 0 {
                        // Its own use of the base passes to the access.
                        dead[definition] = true;
                    } else if let Some(base) = base.as_reg() {
                        uses[base] += 1;
                    }
                    (address, total) = (base, sum);
                }
                if let Op::Load { addr, offset, .. } | Op::Store { addr, offset, .. } = &mut items[index].op {
                    (*addr, *offset) = (address, total);
                }
            }
            // An index is extended by its sign anyway.
            Op::Index { width: 64, index: position, .. } => {
                if let Some(reg) = position.as_reg()
                    && !draft.is_local(reg)
                    && uses[reg] == 1
                    && let Some(&definition) = defined_at.get(&reg)
                    && let Op::Cast { op: CastOp::SExt, from, to: 64, src, .. } = items[definition].op
                    && unchanged(src, definition, &defined_at)
                {
                    dead[definition] = true;
                    if let Op::Index { width, index: position, .. } = &mut items[index].op {
                        (*width, *position) = (from, src);
                    }
                }
            }
            Op::Branch { cond, then, other } => {
                let (cond, then, other) = (*cond, *then, *other);
                if let Some(reg) = cond.as_reg()
                    && !draft.is_local(reg)
                    && uses[reg] == 1
                    && let Some(&definition) = defined_at.get(&reg)
                    && let Op::Cmp { op, width, a, b, .. } = items[definition].op
                    && unchanged(a, definition, &defined_at)
                    && unchanged(b, definition, &defined_at)
                {
                    items[index].op = Op::CmpBranch { op, width, a, b, then, other };
                    dead[definition] = true;
                }
            }
            _ => {}
        }
        each_def(draft, &mut items[index].op, |reg| {
            defined_at.insert(*reg, index);
        });
    }
    draft.blocks[block].items = items;
}

#[cfg(test)]
mod tests {
    use super::super::count_uses;
    use super::*;
    use crate::lower::draft::{DraftBlock, Item};
    use osier_ir::{BinOp, Flags, LocId};

    const LOCAL: Reg = Reg(0);
    const OTHER: Reg = Reg(1);
    const TEMPORARY: Reg = Reg(2);

    fn add(dst: Reg, a: Reg) -> Op {
        Op::Bin { op: BinOp::Add, flags: Flags::NONE, width: 32, dst, a: Operand::reg(a), b: Operand::reg(a) }
    }

    fn copy(dst: Reg, src: Reg) -> Op {
        Op::Move { dst, src: Operand::reg(src) }
    }

    fn draft(ops: &[Op]) -> Draft {
        let items = ops.iter().map(|&op| Item { op, location: LocId(0), weight: 1 }).collect();
        let mut draft = Draft { registers: vec![32; 3].into(), ..Draft::default() };
        draft.locals.extend([LOCAL, OTHER]);
        draft.blocks.push(DraftBlock { items, ..DraftBlock::default() });
        draft
    }

    /// The operations that are left, and what they weigh.
    fn direct(ops: &[Op]) -> Vec<(Op, u16)> {
        let mut draft = draft(ops);
        let uses = count_uses(&mut draft);
        let mut dead = vec![false; ops.len()];
        write_locals_directly(&mut draft, 0, &uses, &mut dead);
        super::super::sweep(&mut draft.blocks[0], &dead);
        draft.blocks[0].items.iter().map(|item| (item.op, item.weight)).collect()
    }

    #[test]
    fn a_result_goes_straight_to_its_local() {
        let end = Op::ReturnOne { value: Operand::reg(LOCAL) };
        let left = direct(&[add(TEMPORARY, LOCAL), copy(LOCAL, TEMPORARY), end]);
        assert_eq!(left, [(add(LOCAL, LOCAL), 2), (end, 1)]);
    }

    #[test]
    fn not_if_the_local_is_written_or_read_in_between() {
        let end = Op::ReturnOne { value: Operand::reg(LOCAL) };
        let written = [copy(TEMPORARY, LOCAL), add(LOCAL, LOCAL), copy(LOCAL, TEMPORARY), end];
        assert_eq!(direct(&written).len(), 4);
        let read = [add(TEMPORARY, OTHER), add(OTHER, LOCAL), copy(LOCAL, TEMPORARY), end];
        assert_eq!(direct(&read).len(), 4);
    }

    #[test]
    fn two_parameters_stored_to_one_local_do_not_share_its_register() {
        let end = Op::ReturnOne { value: Operand::reg(LOCAL) };
        let (first, second) = (TEMPORARY, Reg(3));
        let mut draft = draft(&[copy(LOCAL, first), copy(LOCAL, second), end]);
        draft.registers.push(32);
        let uses = count_uses(&mut draft);
        let param = |reg| Param { reg, width: 32, kind: osier_ir::ArgKind::Integer };
        let mut params = [param(first), param(second)];
        let mut dead = vec![false; 3];
        rename_parameters(&mut draft, &mut params, &uses, &mut dead);
        assert_eq!([params[0].reg, params[1].reg], [LOCAL, second]);
        assert_eq!(dead, [true, false, false]);
    }

    #[test]
    fn not_if_something_else_reads_the_temporary() {
        let end = Op::ReturnOne { value: Operand::reg(TEMPORARY) };
        assert_eq!(direct(&[add(TEMPORARY, LOCAL), copy(LOCAL, TEMPORARY), end]).len(), 3);
    }

    #[test]
    fn an_address_joins_its_load_only_while_its_base_stands() {
        let offset = Op::Offset { flags: Flags::NONE, dst: TEMPORARY, base: Operand::reg(LOCAL), offset: 8 };
        let load = Op::Load { width: 32, dst: OTHER, addr: Operand::reg(TEMPORARY), offset: 4 };
        let end = Op::ReturnOne { value: Operand::reg(OTHER) };
        let joined = |ops: &[Op]| {
            let mut draft = draft(ops);
            let mut uses = count_uses(&mut draft);
            let mut dead = vec![false; ops.len()];
            join(&mut draft, 0, &mut uses, &mut dead);
            (draft.blocks[0].items[ops.len() - 2].op, dead[0])
        };
        let direct = Op::Load { width: 32, dst: OTHER, addr: Operand::reg(LOCAL), offset: 12 };
        assert_eq!(joined(&[offset, load, end]), (direct, true));
        assert_eq!(joined(&[offset, add(LOCAL, LOCAL), load, end]), (load, false));
    }
}
