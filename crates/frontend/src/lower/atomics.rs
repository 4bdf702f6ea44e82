//! Atomic instructions. There is one thread: each is a load, a computation and a store.

use super::{FunctionLowerer, Parts};
use crate::llvm::{RmwOp, TypeKind, Value};
use crate::types::{Lowered, float_kind, lane_width};
use osier_ir::{BinOp, CmpOp, FBinOp, Operand};

impl FunctionLowerer<'_, '_> {
    pub(super) fn atomic_rmw(&mut self, instruction: Value) -> Lowered<()> {
        let (address, value) = (instruction.operand(0), instruction.operand(1));
        let ty = value.ty();
        let width = lane_width(ty)?;
        let address = self.scalar(address)?;
        let values = self.operand(value)?;
        let old = self.load_at(ty, address)?;
        let mut new = Parts::new();
        for (&old, value) in old.iter().zip(values) {
            new.push(self.rmw(instruction, width, old, value)?);
        }
        self.store_at(ty, address, &new)?;
        self.define(instruction, old);
        Ok(())
    }

    fn rmw(&mut self, instruction: Value, width: u8, old: Operand, value: Operand) -> Lowered<Operand> {
        let float = match instruction.operand(1).ty().lane().kind() {
            TypeKind::Float(_) => Some(float_kind(instruction.operand(1).ty())?),
            TypeKind::Void
            | TypeKind::Integer(_)
            | TypeKind::Pointer
            | TypeKind::Struct
            | TypeKind::Array(_)
            | TypeKind::Vector(_)
            | TypeKind::Other => None,
        };
        let op = instruction.rmw_op();
        if let Some(kind) = float {
            let op = match op {
                RmwOp::LLVMAtomicRMWBinOpFAdd => FBinOp::Add,
                RmwOp::LLVMAtomicRMWBinOpFSub => FBinOp::Sub,
                RmwOp::LLVMAtomicRMWBinOpFMax => FBinOp::MaxNum,
                RmwOp::LLVMAtomicRMWBinOpFMin => FBinOp::MinNum,
                RmwOp::LLVMAtomicRMWBinOpFMaximum => FBinOp::Maximum,
                RmwOp::LLVMAtomicRMWBinOpFMinimum => FBinOp::Minimum,
                _ => return Ok(value),
            };
            return Ok(self.fbin(op, kind, old, value));
        }
        let op = match op {
            RmwOp::LLVMAtomicRMWBinOpAdd => BinOp::Add,
            RmwOp::LLVMAtomicRMWBinOpSub => BinOp::Sub,
            RmwOp::LLVMAtomicRMWBinOpAnd => BinOp::And,
            RmwOp::LLVMAtomicRMWBinOpOr => BinOp::Or,
            RmwOp::LLVMAtomicRMWBinOpXor => BinOp::Xor,
            RmwOp::LLVMAtomicRMWBinOpMax => BinOp::SMax,
            RmwOp::LLVMAtomicRMWBinOpMin => BinOp::SMin,
            RmwOp::LLVMAtomicRMWBinOpUMax => BinOp::UMax,
            RmwOp::LLVMAtomicRMWBinOpUMin => BinOp::UMin,
            RmwOp::LLVMAtomicRMWBinOpUSubSat => BinOp::USubSat,
            RmwOp::LLVMAtomicRMWBinOpNand => {
                let both = self.bin(BinOp::And, width, old, value);
                let ones = self.int(width, u128::MAX);
                return Ok(self.bin(BinOp::Xor, width, both, ones));
            }
            RmwOp::LLVMAtomicRMWBinOpUIncWrap => {
                let (zero, unit) = (self.int(width, 0), self.int(width, 1));
                let next = self.bin(BinOp::Add, width, old, unit);
                let wraps = self.cmp(CmpOp::Uge, width, old, value);
                return Ok(self.select(width, wraps, zero, next));
            }
            RmwOp::LLVMAtomicRMWBinOpUDecWrap => {
                let (zero, unit) = (self.int(width, 0), self.int(width, 1));
                let next = self.bin(BinOp::Sub, width, old, unit);
                let is_zero = self.cmp(CmpOp::Eq, width, old, zero);
                let above = self.cmp(CmpOp::Ugt, width, old, value);
                let wraps = self.bin(BinOp::Or, 1, is_zero, above);
                return Ok(self.select(width, wraps, value, next));
            }
            RmwOp::LLVMAtomicRMWBinOpUSubCond => {
                let fits = self.cmp(CmpOp::Uge, width, old, value);
                let less = self.bin(BinOp::Sub, width, old, value);
                return Ok(self.select(width, fits, less, old));
            }
            // Exchange; the float operations cannot occur on integers.
            _ => return Ok(value),
        };
        Ok(self.bin(op, width, old, value))
    }

    /// A failed exchange stores the old value again: LLVM too counts it as a write.
    pub(super) fn compare_exchange(&mut self, instruction: Value) -> Lowered<()> {
        let ty = instruction.operand(1).ty();
        let width = lane_width(ty)?;
        let address = self.scalar(instruction.operand(0))?;
        let expected = self.scalar(instruction.operand(1))?;
        let new = self.scalar(instruction.operand(2))?;
        let old = self.load_at(ty, address)?[0];
        let equal = self.cmp(CmpOp::Eq, width, old, expected);
        let stored = self.select(width, equal, new, old);
        self.store_at(ty, address, &[stored])?;
        self.define(instruction, Parts::from_slice(&[old, equal]));
        Ok(())
    }
}
