//! Reductions, and intrinsics that cut and join vectors.

use super::super::{FunctionLowerer, Parts, one};
use crate::llvm::Value;
use crate::types::{Lowered, float_kind, lane_width};
use osier_ir::{BinOp, FBinOp};

impl FunctionLowerer<'_, '_> {
    /// `name` is what follows `llvm.vector.`.
    pub(super) fn vector_intrinsic(&mut self, call: Value, name: &str) -> Lowered<Parts> {
        match name {
            "reduce.add" => self.reduce(call, BinOp::Add),
            "reduce.mul" => self.reduce(call, BinOp::Mul),
            "reduce.and" => self.reduce(call, BinOp::And),
            "reduce.or" => self.reduce(call, BinOp::Or),
            "reduce.xor" => self.reduce(call, BinOp::Xor),
            "reduce.smax" => self.reduce(call, BinOp::SMax),
            "reduce.smin" => self.reduce(call, BinOp::SMin),
            "reduce.umax" => self.reduce(call, BinOp::UMax),
            "reduce.umin" => self.reduce(call, BinOp::UMin),
            "reduce.fadd" => self.float_reduce(call, FBinOp::Add, true),
            "reduce.fmul" => self.float_reduce(call, FBinOp::Mul, true),
            "insert" => {
                let mut parts = self.operand(call.operand(0))?;
                let piece = self.operand(call.operand(1))?;
                let start = call.operand(2).as_u64().unwrap_or(0) as usize;
                for (lane, part) in piece.into_iter().enumerate() {
                    if let Some(place) = parts.get_mut(start + lane) {
                        *place = part;
                    }
                }
                Ok(parts)
            }
            "extract" => {
                let parts = self.operand(call.operand(0))?;
                let start = call.operand(1).as_u64().unwrap_or(0) as usize;
                let count = self.leaves(call.ty())?.len();
                let width = lane_width(call.ty())?;
                Ok((start..start + count)
                    .map(|lane| parts.get(lane).copied().unwrap_or_else(|| self.poison(width)))
                    .collect())
            }
            "reverse" => {
                let mut parts = self.operand(call.operand(0))?;
                parts.reverse();
                Ok(parts)
            }
            "interleave2" => {
                let (a, b) = (self.operand(call.operand(0))?, self.operand(call.operand(1))?);
                Ok(a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect())
            }
            "deinterleave2" => {
                let parts = self.operand(call.operand(0))?;
                let even = parts.iter().copied().step_by(2);
                let odd = parts.iter().copied().skip(1).step_by(2);
                Ok(even.chain(odd).collect())
            }
            _ => match name.strip_prefix("reduce.").and_then(Self::float_choice) {
                Some(op) => self.float_reduce(call, op, false),
                None => self.unknown_intrinsic(&format!("vector.{name}")),
            },
        }
    }

    fn reduce(&mut self, call: Value, op: BinOp) -> Lowered<Parts> {
        let width = lane_width(call.ty())?;
        let parts = self.operand(call.operand(0))?;
        let mut sum = parts[0];
        for &part in &parts[1..] {
            sum = self.bin(op, width, sum, part);
        }
        Ok(one(sum))
    }

    /// In the order of the lanes, which is what LLVM promises unless reassociation is allowed.
    fn float_reduce(&mut self, call: Value, op: FBinOp, has_start: bool) -> Lowered<Parts> {
        let kind = float_kind(call.ty())?;
        let mut parts = Parts::new();
        if has_start {
            parts.push(self.scalar(call.operand(0))?);
        }
        parts.extend(self.operand(call.operand(has_start.into()))?);
        let mut sum = parts[0];
        for &part in &parts[1..] {
            sum = self.fbin(op, kind, sum, part);
        }
        Ok(one(sum))
    }
}
