//! Integer arithmetic, comparison and choice, lane by lane.

use super::{FunctionLowerer, Parts};
use crate::llvm::{IntPredicate, Value};
use crate::types::{Lowered, lane_width, wide_bits};
use osier_ir::{BinOp, CmpOp, Flags, Op, UnOp};

impl FunctionLowerer<'_, '_> {
    pub(super) fn binary(&mut self, user: Value, op: BinOp) -> Lowered<Parts> {
        if let Some(bits) = wide_bits(user.ty()) {
            return self.wide_binary(user, op, bits);
        }
        let flags = self.arithmetic_flags(user, op);
        self.lanewise(user.operand(0), user.operand(1), op, flags)
    }

    /// A two-operand operation on each lane.
    pub(super) fn lanewise(&mut self, a: Value, b: Value, op: BinOp, flags: Flags) -> Lowered<Parts> {
        let width = lane_width(a.ty())?;
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| self.result(width, |dst| Op::Bin { op, flags, width, dst, a, b }))
            .collect())
    }

    pub(super) fn unary(&mut self, a: Value, op: UnOp) -> Lowered<Parts> {
        let width = lane_width(a.ty())?;
        let parts = self.operand(a)?;
        Ok(parts.into_iter().map(|a| self.result(width, |dst| Op::Un { op, width, dst, a })).collect())
    }

    pub(super) fn compare(&mut self, user: Value) -> Lowered<Parts> {
        let op = match user.int_predicate() {
            IntPredicate::LLVMIntEQ => CmpOp::Eq,
            IntPredicate::LLVMIntNE => CmpOp::Ne,
            IntPredicate::LLVMIntUGT => CmpOp::Ugt,
            IntPredicate::LLVMIntUGE => CmpOp::Uge,
            IntPredicate::LLVMIntULT => CmpOp::Ult,
            IntPredicate::LLVMIntULE => CmpOp::Ule,
            IntPredicate::LLVMIntSGT => CmpOp::Sgt,
            IntPredicate::LLVMIntSGE => CmpOp::Sge,
            IntPredicate::LLVMIntSLT => CmpOp::Slt,
            IntPredicate::LLVMIntSLE => CmpOp::Sle,
        };
        if let Some(bits) = wide_bits(user.operand(0).ty()) {
            return self.wide_compare(user, op, bits);
        }
        let width = lane_width(user.operand(0).ty())?;
        let (a, b) = (self.operand(user.operand(0))?, self.operand(user.operand(1))?);
        Ok(a.into_iter().zip(b).map(|(a, b)| self.cmp(op, width, a, b)).collect())
    }

    /// A scalar condition chooses the whole value, a vector of conditions lane by lane.
    pub(super) fn select_instruction(&mut self, user: Value) -> Lowered<Parts> {
        let leaves = self.leaves(user.ty())?;
        let conditions = self.operand(user.operand(0))?;
        let by_lane = user.operand(0).ty().is_vector();
        let (then, other) = (self.operand(user.operand(1))?, self.operand(user.operand(2))?);
        Ok(leaves
            .iter()
            .enumerate()
            .map(|(i, leaf)| {
                let condition = conditions[if by_lane { i } else { 0 }];
                self.select(leaf.width, condition, then[i], other[i])
            })
            .collect())
    }

    pub(super) fn freeze(&mut self, user: Value) -> Lowered<Parts> {
        let leaves = self.leaves(user.ty())?;
        let parts = self.operand(user.operand(0))?;
        Ok(parts
            .into_iter()
            .zip(leaves)
            .map(|(src, leaf)| self.result(leaf.width, |dst| Op::Move { dst, src }))
            .collect())
    }
}
