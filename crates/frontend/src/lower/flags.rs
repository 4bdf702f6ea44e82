//! LLVM's promises about an operation, and whether optimised code computes it speculatively.

use super::FunctionLowerer;
use crate::llvm::{Opcode, Value};
use osier_ir::{BinOp, Flags};
use rustc_hash::FxHashSet;

/// Which instructions of a block may be computed where the source would not.
pub struct Speculation {
    /// `optnone` code computes only what the source asks for.
    optimised: bool,
    may_be_unused: FxHashSet<Value>,
}

impl Speculation {
    pub fn new(function: Value) -> Self {
        Speculation { optimised: !function.is_optnone(), may_be_unused: FxHashSet::default() }
    }

    /// Finds the results of a block that may be thrown away: some use, directly or through pure operations, is a choice,
    /// a phi, or lies in another block. Uses within a block come after the definition, so one walk backwards does.
    pub fn scan(&mut self, instructions: &[Value]) {
        self.may_be_unused.clear();
        if !self.optimised {
            return;
        }
        for &instruction in instructions.iter().rev().filter(|i| is_pure(**i)) {
            let home = instruction.parent();
            let unused = instruction.users().into_iter().any(|user| {
                user.parent() != home
                    || matches!(user.opcode(), Opcode::LLVMSelect | Opcode::LLVMPHI)
                    || self.may_be_unused.contains(&user)
            });
            if unused {
                self.may_be_unused.insert(instruction);
            }
        }
    }
}

/// Has no effect, cannot fault, and hands a result without meaning on as another.
fn is_pure(instruction: Value) -> bool {
    match instruction.opcode() {
        // By another divisor it could fault.
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
            instruction.operand(1).as_i64().is_some_and(|divisor| divisor != 0 && divisor != -1)
        }
        Opcode::LLVMCall => instruction.calls_speculatable(),
        opcode => is_pure_opcode(opcode),
    }
}

fn is_pure_opcode(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMPtrToAddr
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMICmp
            | Opcode::LLVMFCmp
            | Opcode::LLVMFAdd
            | Opcode::LLVMFSub
            | Opcode::LLVMFMul
            | Opcode::LLVMFDiv
            | Opcode::LLVMFNeg
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMInsertElement
            | Opcode::LLVMExtractElement
            | Opcode::LLVMShuffleVector
            | Opcode::LLVMInsertValue
            | Opcode::LLVMExtractValue
            | Opcode::LLVMFreeze
    )
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn arithmetic_flags(&mut self, user: Value, op: BinOp) -> Flags {
        if !user.is_instruction() {
            return Flags::NONE;
        }
        let (wraps, exact, shift) = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul => (true, false, false),
            BinOp::Shl => (true, false, true),
            BinOp::LShr | BinOp::AShr => (false, true, true),
            BinOp::UDiv | BinOp::SDiv => (false, true, false),
            BinOp::URem
            | BinOp::SRem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax
            | BinOp::UAddSat
            | BinOp::SAddSat
            | BinOp::USubSat
            | BinOp::SSubSat
            | BinOp::UShlSat
            | BinOp::SShlSat => return Flags::NONE,
        };
        let mut flags = Flags::NONE;
        if wraps && user.has_nuw() {
            flags = flags.with(Flags::NUW);
        }
        if wraps && user.has_nsw() {
            flags = flags.with(Flags::NSW);
        }
        if exact && user.is_exact() {
            flags = flags.with(Flags::EXACT);
        }
        if (shift || flags != Flags::NONE) && self.speculation.may_be_unused.contains(&user) {
            flags = flags.with(Flags::SPECULATED);
        }
        flags
    }
}
