//! Reductions, and intrinsics that cut and join vectors.

use super::super::{FunctionLowerer, Parts, one};
use crate::llvm::Value;
use crate::types::{Lowered, float_kind, lane_width};
use osier_ir::{BinOp, CmpOp, FBinOp};

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

    /// How many lanes stand before the first that is not zero.
    pub(super) fn first_set_lane(&mut self, call: Value) -> Lowered<Parts> {
        let lanes = self.operand(call.operand(0))?;
        let lane_bits = lane_width(call.operand(0).ty())?;
        let width = lane_width(call.ty())?;
        let zero = self.int(lane_bits, 0);
        let mut count = self.int(width, lanes.len() as u128);
        for (index, &lane) in lanes.iter().enumerate().rev() {
            let set = self.cmp(CmpOp::Ne, lane_bits, lane, zero);
            let here = self.int(width, index as u128);
            count = self.select(width, set, here, count);
        }
        Ok(one(count))
    }

    /// The numbers of the lanes.
    pub(super) fn step_vector(&mut self, call: Value) -> Lowered<Parts> {
        let width = lane_width(call.ty())?;
        let lanes = self.leaves(call.ty())?.len();
        Ok((0..lanes).map(|lane| self.int(width, lane as u128)).collect())
    }

    /// The sign bits of all lanes as a number: SSE's movmskps, movmskpd and pmovmskb.
    pub(super) fn sign_mask(&mut self, call: Value) -> Lowered<Parts> {
        let width = lane_width(call.operand(0).ty())?;
        let lanes = self.operand(call.operand(0))?;
        let zero = self.int(width, 0);
        let signs: Parts = lanes.into_iter().map(|lane| self.cmp(CmpOp::Slt, width, lane, zero)).collect();
        let count = signs.len() as u8;
        let mask = self.repack(&signs, &vec![1; signs.len()], &[count])[0];
        Ok(one(self.resize(count, lane_width(call.ty())?, mask)))
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
