//! Floating point: arithmetic, comparison, conversion, lane by lane.

use super::{FunctionLowerer, Parts};
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::types::{Lowered, float_kind, lane_width, unsupported};
use osier_ir::{FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind, Op, Operand};

impl FunctionLowerer<'_, '_> {
    pub(super) fn float_binary(&mut self, user: Value, op: FBinOp) -> Lowered<Parts> {
        self.float_lanewise(user.operand(0), user.operand(1), op)
    }

    pub(super) fn float_lanewise(&mut self, a: Value, b: Value, op: FBinOp) -> Lowered<Parts> {
        let kind = float_kind(a.ty())?;
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        Ok(a.into_iter().zip(b).map(|(a, b)| self.fbin(op, kind, a, b)).collect())
    }

    pub(super) fn fbin(&mut self, op: FBinOp, kind: FloatKind, a: Operand, b: Operand) -> Operand {
        self.result(kind.width(), |dst| Op::FBin { op, kind, dst, a, b })
    }

    pub(super) fn float_unary(&mut self, user: Value, op: FUnOp) -> Lowered<Parts> {
        let a = user.operand(0);
        let kind = float_kind(a.ty())?;
        let parts = self.operand(a)?;
        Ok(parts.into_iter().map(|a| self.result(kind.width(), |dst| Op::FUn { op, kind, dst, a })).collect())
    }

    pub(super) fn float_compare(&mut self, user: Value) -> Lowered<Parts> {
        let op = match user.real_predicate() {
            RealPredicate::LLVMRealPredicateFalse => FCmpOp::False,
            RealPredicate::LLVMRealOEQ => FCmpOp::Oeq,
            RealPredicate::LLVMRealOGT => FCmpOp::Ogt,
            RealPredicate::LLVMRealOGE => FCmpOp::Oge,
            RealPredicate::LLVMRealOLT => FCmpOp::Olt,
            RealPredicate::LLVMRealOLE => FCmpOp::Ole,
            RealPredicate::LLVMRealONE => FCmpOp::One,
            RealPredicate::LLVMRealORD => FCmpOp::Ord,
            RealPredicate::LLVMRealUNO => FCmpOp::Uno,
            RealPredicate::LLVMRealUEQ => FCmpOp::Ueq,
            RealPredicate::LLVMRealUGT => FCmpOp::Ugt,
            RealPredicate::LLVMRealUGE => FCmpOp::Uge,
            RealPredicate::LLVMRealULT => FCmpOp::Ult,
            RealPredicate::LLVMRealULE => FCmpOp::Ule,
            RealPredicate::LLVMRealUNE => FCmpOp::Une,
            RealPredicate::LLVMRealPredicateTrue => FCmpOp::True,
        };
        let kind = float_kind(user.operand(0).ty())?;
        let (a, b) = (self.operand(user.operand(0))?, self.operand(user.operand(1))?);
        Ok(a.into_iter().zip(b).map(|(a, b)| self.result(1, |dst| Op::FCmp { op, kind, dst, a, b })).collect())
    }

    pub(super) fn float_cast(&mut self, user: Value) -> Lowered<Parts> {
        let (from, to) = (user.operand(0).ty(), user.ty());
        let (op, width) = match user.opcode() {
            Opcode::LLVMFPToUI => (FCastOp::ToUnsigned(float_kind(from)?), lane_width(to)?),
            Opcode::LLVMFPToSI => (FCastOp::ToSigned(float_kind(from)?), lane_width(to)?),
            Opcode::LLVMUIToFP => (FCastOp::FromUnsigned(float_kind(to)?), lane_width(from)?),
            Opcode::LLVMSIToFP => (FCastOp::FromSigned(float_kind(to)?), lane_width(from)?),
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => {
                (FCastOp::Float { from: float_kind(from)?, to: float_kind(to)? }, 0)
            }
            _ => return unsupported(format!("conversion `{}`", user.describe())),
        };
        self.float_convert(user.operand(0), user, op, width.into())
    }

    /// Applies a conversion to each lane of `from`; the results have the lanes of `result`.
    pub(super) fn float_convert(&mut self, from: Value, result: Value, op: FCastOp, width: u16) -> Lowered<Parts> {
        let result_width = lane_width(result.ty())?;
        let parts = self.operand(from)?;
        Ok(parts.into_iter().map(|src| self.result(result_width, |dst| Op::FCast { op, width, dst, src })).collect())
    }
}
