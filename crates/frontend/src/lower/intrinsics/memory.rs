//! Memory blocks, lifetimes, and accesses that a mask switches on lane by lane.

use super::super::{FunctionLowerer, Parts, one};
use crate::globals::relative_table;
use crate::llvm::{Value, ValueKind};
use crate::types::{Lowered, lane_width, unsupported};
use osier_ir::{CastOp, Flags, LocId, MemOp, Op, Operand, Reg, Site};

/// The widest lane that can be masked.
const SCRATCH_BYTES: u32 = 16;

impl FunctionLowerer<'_, '_> {
    pub(super) fn memory_block(&mut self, call: Value, op: MemOp) -> Lowered<()> {
        let dst = self.scalar(call.operand(0))?;
        let src = self.scalar(call.operand(1))?;
        let len = self.scalar(call.operand(2))?;
        let len = self.resize(lane_width(call.operand(2).ty())?, 64, len);
        self.emit(Op::Memory { op, dst, src, len });
        Ok(())
    }

    /// A promoted local loses its value where its life begins; where it ends, nobody reads it any more.
    pub(super) fn lifetime(&mut self, call: Value, starts: bool) -> Lowered<()> {
        let address = call.operand(call.arguments().len() as u32 - 1);
        if let Some(&slot) = self.slots.get(&address) {
            if starts {
                let src = self.undef(self.draft.registers[slot]);
                self.emit(Op::Move { dst: slot, src });
            }
            return Ok(());
        }
        if !address.is_constant() {
            let addr = self.scalar(address)?;
            self.emit(Op::Forget { addr });
        }
        Ok(())
    }

    /// llvm.load.relative: the base plus the 32-bit offset that is stored at base + operand.
    pub(super) fn load_relative(&mut self, call: Value) -> Lowered<Parts> {
        let table = call.operand(0);
        let base = self.scalar(table)?;
        let index = self.scalar(call.operand(1))?;
        let width = lane_width(call.operand(1).ty())?;
        let flags = Flags::NONE;
        // A table that was turned back to addresses: twice as far in, and no offset to add.
        if table.kind() == ValueKind::GlobalVariable && relative_table(self.cx.llvm, table).is_some() {
            let addr = self.result(64, |dst| Op::Index { flags, width, dst, base, index, scale: 2, offset: 0 });
            return Ok(one(self.result(64, |dst| Op::Load { width: 64, dst, addr, offset: 0 })));
        }
        let addr = self.result(64, |dst| Op::Index { flags, width, dst, base, index, scale: 1, offset: 0 });
        let src = self.result(32, |dst| Op::Load { width: 32, dst, addr, offset: 0 });
        let index = self.result(64, |dst| Op::Cast { op: CastOp::SExt, from: 32, to: 64, dst, src });
        let sum = self.result(64, |dst| Op::Index { flags, width: 64, dst, base, index, scale: 1, offset: 0 });
        Ok(one(sum))
    }

    pub(super) fn masked_load(&mut self, call: Value) -> Lowered<Parts> {
        let base = self.scalar(call.operand(0))?;
        let width = self.masked_width(call, call.ty())?;
        let lanes = self.leaves(call.ty())?.len();
        let addresses: Parts =
            (0..lanes).map(|lane| self.add_offset(base, lane as i64 * i64::from(width) / 8, Flags::NONE)).collect();
        self.load_lanes(call, width, &addresses)
    }

    pub(super) fn masked_gather(&mut self, call: Value) -> Lowered<Parts> {
        let width = self.masked_width(call, call.ty())?;
        let addresses = self.operand(call.operand(0))?;
        self.load_lanes(call, width, &addresses)
    }

    pub(super) fn masked_store(&mut self, call: Value) -> Lowered<()> {
        let value = call.operand(0);
        let width = self.masked_width(call, value.ty())?;
        let base = self.scalar(call.operand(1))?;
        let lanes = self.leaves(value.ty())?.len();
        let addresses: Parts =
            (0..lanes).map(|lane| self.add_offset(base, lane as i64 * i64::from(width) / 8, Flags::NONE)).collect();
        self.store_lanes(call, width, &addresses)
    }

    pub(super) fn masked_scatter(&mut self, call: Value) -> Lowered<()> {
        let width = self.masked_width(call, call.operand(0).ty())?;
        let addresses = self.operand(call.operand(1))?;
        self.store_lanes(call, width, &addresses)
    }

    fn masked_width(&self, call: Value, ty: crate::llvm::Type) -> Lowered<u8> {
        let width = lane_width(ty)?;
        if width % 8 != 0 {
            return unsupported(format!("masked access `{}`", call.describe()));
        }
        Ok(width)
    }

    /// A lane that is switched off reads scratch memory, and its value is thrown away. The mask and the value for such
    /// lanes are the last arguments.
    fn load_lanes(&mut self, call: Value, width: u8, addresses: &[Operand]) -> Lowered<Parts> {
        let count = call.arguments().len() as u32;
        let mask = self.operand(call.operand(count - 2))?;
        let others = self.operand(call.operand(count - 1))?;
        let scratch = Operand::reg(self.scratch());
        let mut parts = Parts::new();
        for ((&address, on), other) in addresses.iter().zip(mask).zip(others) {
            let part = match self.known(on) {
                Some(0) => other,
                Some(_) => self.result(width, |dst| Op::Load { width, dst, addr: address, offset: 0 }),
                None => {
                    let addr = self.select(64, on, address, scratch);
                    let loaded = self.result(width, |dst| Op::Load { width, dst, addr, offset: 0 });
                    self.select(width, on, loaded, other)
                }
            };
            parts.push(part);
        }
        Ok(parts)
    }

    fn store_lanes(&mut self, call: Value, width: u8, addresses: &[Operand]) -> Lowered<()> {
        let count = call.arguments().len() as u32;
        let mask = self.operand(call.operand(count - 1))?;
        let values = self.operand(call.operand(0))?;
        let scratch = Operand::reg(self.scratch());
        for ((&address, on), value) in addresses.iter().zip(mask).zip(values) {
            let addr = match self.known(on) {
                Some(0) => continue,
                Some(_) => address,
                None => self.select(64, on, address, scratch),
            };
            self.emit(Op::Store { width, addr, value, offset: 0 });
        }
        Ok(())
    }

    /// Memory of the frame that nobody else uses, zeroed so that reading it is no error.
    pub(super) fn scratch(&mut self) -> Reg {
        if let Some(scratch) = self.scratch {
            return scratch;
        }
        let dst = self.reg(64);
        let site = self.cx.module.sites.push(Site { name: String::new(), location: LocId(0) });
        let count = self.int(64, 1);
        self.prologue.push(Op::Alloca { dst, count, size: SCRATCH_BYTES, align: 16, site });
        let zero = self.int(128, 0);
        self.prologue.push(Op::Store { width: 128, addr: Operand::reg(dst), value: zero, offset: 0 });
        self.scratch = Some(dst);
        dst
    }
}
