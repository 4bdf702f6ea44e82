//! The instruction `va_arg`. clang spells it out for x86-64; other producers of bitcode leave it in.

use super::FunctionLowerer;
use crate::llvm::Value;
use crate::types::{Lowered, unsupported};
use osier_ir::{ArgKind, BinOp, CastOp, CmpOp, Op};

impl FunctionLowerer<'_, '_> {
    /// The instruction `va_arg` on x86-64's va_list: {gp_offset, fp_offset, overflow area, register save area}.
    pub(super) fn va_arg(&mut self, instruction: Value) -> Lowered<()> {
        let list = self.scalar(instruction.operand(0))?;
        let leaves = self.leaves(instruction.ty())?;
        let [leaf] = leaves.as_slice() else {
            return unsupported(format!("va_arg of {}", instruction.ty().print()));
        };
        // The offset's own place, the end of its registers, and how far one register goes.
        let (field, end, step) = match leaf.arg_kind() {
            ArgKind::Integer => (0, 48u128, 8u128),
            ArgKind::Float => (4, 176, 16),
            ArgKind::Extended | ArgKind::ByVal { .. } | ArgKind::StructReturn => {
                return unsupported(format!("va_arg of {}", instruction.ty().print()));
            }
        };
        if leaf.width > 64 {
            return unsupported(format!("va_arg of {}", instruction.ty().print()));
        }
        let offset = self.result(32, |dst| Op::Load { width: 32, dst, addr: list, offset: field });
        let limit = self.int(32, end - step);
        let in_registers = self.cmp(CmpOp::Ule, 32, offset, limit);
        let overflow = self.result(64, |dst| Op::Load { width: 64, dst, addr: list, offset: 8 });
        let saved = self.result(64, |dst| Op::Load { width: 64, dst, addr: list, offset: 16 });
        let wide = self.result(64, |dst| Op::Cast { op: CastOp::ZExt, from: 32, to: 64, dst, src: offset });
        let register = self.bin(BinOp::Add, 64, saved, wide);
        let address = self.select(64, in_registers, register, overflow);
        let step = self.int(32, step);
        let next = self.bin(BinOp::Add, 32, offset, step);
        let next = self.select(32, in_registers, next, offset);
        self.emit(Op::Store { width: 32, addr: list, value: next, offset: field });
        let eight = self.int(64, 8);
        let after = self.bin(BinOp::Add, 64, overflow, eight);
        let after = self.select(64, in_registers, overflow, after);
        self.emit(Op::Store { width: 64, addr: list, value: after, offset: 8 });
        let parts = self.load_at(instruction.ty(), address)?;
        self.define(instruction, parts);
        Ok(())
    }
}
