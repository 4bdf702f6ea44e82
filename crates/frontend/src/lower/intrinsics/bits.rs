//! Integer intrinsics that take more than one operation or give more than one result.

use super::super::{FunctionLowerer, Parts};
use crate::llvm::Value;
use crate::types::{Lowered, lane_width};
use osier_ir::{CmpOp, Op, Operand, OverflowOp};

impl FunctionLowerer<'_, '_> {
    /// The results come first, lane by lane, then the carries.
    pub(super) fn with_overflow(&mut self, call: Value, op: OverflowOp) -> Lowered<Parts> {
        let width = lane_width(call.operand(0).ty())?;
        let (a, b) = (self.operand(call.operand(0))?, self.operand(call.operand(1))?);
        let mut results = Parts::new();
        let mut carries = Parts::new();
        for (a, b) in a.into_iter().zip(b) {
            let (dst, carry) = (self.reg(width), self.reg(1));
            self.emit(Op::Overflow { op, width, dst, carry, a, b });
            results.push(Operand::reg(dst));
            carries.push(Operand::reg(carry));
        }
        results.extend(carries);
        Ok(results)
    }

    pub(super) fn funnel_shift(&mut self, call: Value, left: bool) -> Lowered<Parts> {
        let width = lane_width(call.ty())?;
        let high = self.operand(call.operand(0))?;
        let low = self.operand(call.operand(1))?;
        let amounts = self.operand(call.operand(2))?;
        let mut parts = Parts::new();
        for ((hi, lo), amount) in high.into_iter().zip(low).zip(amounts) {
            parts.push(self.result(width, |dst| Op::FunnelShift { left, width, dst, hi, lo, amount }));
        }
        Ok(parts)
    }

    /// -1, 0 or 1, as the operands compare.
    pub(super) fn three_way(&mut self, call: Value, less: CmpOp, greater: CmpOp) -> Lowered<Parts> {
        let width = lane_width(call.operand(0).ty())?;
        let result = lane_width(call.ty())?;
        let (a, b) = (self.operand(call.operand(0))?, self.operand(call.operand(1))?);
        let mut parts = Parts::new();
        for (a, b) in a.into_iter().zip(b) {
            let above = self.cmp(greater, width, a, b);
            let below = self.cmp(less, width, a, b);
            let above = self.resize(1, result, above);
            let minus = self.int(result, u128::MAX);
            parts.push(self.select(result, below, minus, above));
        }
        Ok(parts)
    }
}
