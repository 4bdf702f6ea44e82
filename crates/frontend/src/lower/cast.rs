//! Conversions between integers and pointers, and reinterpretations.

use super::{FunctionLowerer, Parts};
use crate::llvm::{TypeKind, Value};
use crate::types::{Lowered, MAX_WIDTH, lane_width};
use osier_ir::{CastOp, Op};

impl FunctionLowerer<'_, '_> {
    pub(super) fn integer_cast(&mut self, user: Value, op: CastOp) -> Lowered<Parts> {
        if let (TypeKind::Integer(from), TypeKind::Integer(to)) = (user.operand(0).ty().kind(), user.ty().kind())
            && from.max(to) > MAX_WIDTH
        {
            return self.wide_cast(user, op, from, to);
        }
        let (from, to) = (lane_width(user.operand(0).ty())?, lane_width(user.ty())?);
        let parts = self.operand(user.operand(0))?;
        Ok(parts.into_iter().map(|src| self.result(to, |dst| Op::Cast { op, from, to, dst, src })).collect())
    }

    /// Addresses are 64-bit integers; other widths are cut off or filled with zeros.
    pub(super) fn pointer_cast(&mut self, user: Value) -> Lowered<Parts> {
        let (from, to) = (lane_width(user.operand(0).ty())?, lane_width(user.ty())?);
        let parts = self.operand(user.operand(0))?;
        Ok(parts.into_iter().map(|src| self.resize(from, to, src)).collect())
    }

    pub(super) fn bitcast(&mut self, user: Value) -> Lowered<Parts> {
        let from: Vec<u8> = self.leaves(user.operand(0).ty())?.iter().map(|leaf| leaf.width).collect();
        let to: Vec<u8> = self.leaves(user.ty())?.iter().map(|leaf| leaf.width).collect();
        let parts = self.operand(user.operand(0))?;
        Ok(self.repack(&parts, &from, &to))
    }
}
