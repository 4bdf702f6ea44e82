//! Scalar locals that nothing takes the address of live in registers.
//!
//! This is the part of LLVM's mem2reg that needs no phis: the slot is one register for the whole function, and each
//! load and store of it is a move. `tidy` removes most of those moves. Lines and instruction counts stay what they were.

use super::FunctionLowerer;
use crate::llvm::{Block, Opcode, TypeKind, Value};
use osier_ir::{FloatKind, Op};
use rustc_hash::FxHashSet;

impl FunctionLowerer<'_, '_> {
    pub(super) fn promote_slots(&mut self, entry: Block) {
        let instructions = entry.instructions();
        for &alloca in instructions.iter().filter(|i| i.opcode() == Opcode::LLVMAlloca) {
            if let Some(width) = promotable(alloca) {
                let slot = self.draft.reg(width);
                self.slots.insert(alloca, slot);
                self.draft.locals.insert(slot);
            }
        }
        let written = written_first(&instructions);
        for &alloca in &instructions {
            if let Some(&slot) = self.slots.get(&alloca)
                && !written.contains(&alloca)
            {
                let src = self.undef(self.draft.registers[slot]);
                self.prologue.push(Op::Move { dst: slot, src });
            }
        }
    }
}

/// The width of an alloca that can live in a register.
fn promotable(alloca: Value) -> Option<u8> {
    let ty = alloca.allocated_type();
    let width = match ty.kind() {
        TypeKind::Integer(bits) if bits <= 64 => bits as u8,
        TypeKind::Pointer => 64,
        TypeKind::Float(kind @ (FloatKind::Single | FloatKind::Double)) => kind.width(),
        TypeKind::Integer(_)
        | TypeKind::Float(FloatKind::Half | FloatKind::BFloat | FloatKind::Extended | FloatKind::Quad)
        | TypeKind::Void
        | TypeKind::Struct
        | TypeKind::Array(_)
        | TypeKind::Vector(_)
        | TypeKind::Other => return None,
    };
    if alloca.operand(0).as_u64() != Some(1) {
        return None;
    }
    let stays_inside = alloca.users().into_iter().all(|user| {
        user.is_instruction()
            && match user.opcode() {
                Opcode::LLVMLoad => user.ty() == ty,
                Opcode::LLVMStore => user.operand(0) != alloca && user.operand(0).ty() == ty,
                Opcode::LLVMCall => lifetime_marker(user),
                _ => false,
            }
    });
    stays_inside.then_some(width)
}

fn lifetime_marker(call: Value) -> bool {
    let callee = call.callee();
    callee.kind() == crate::llvm::ValueKind::Function
        && matches!(callee.intrinsic_name().as_deref(), Some("llvm.lifetime.start" | "llvm.lifetime.end"))
}

/// The allocas that the entry block stores to before it loads from them or forgets them.
fn written_first(instructions: &[Value]) -> FxHashSet<Value> {
    let mut written = FxHashSet::default();
    let mut touched = FxHashSet::default();
    for &instruction in instructions {
        match instruction.opcode() {
            Opcode::LLVMStore => {
                let address = instruction.operand(1);
                if !touched.contains(&address) {
                    written.insert(address);
                }
            }
            Opcode::LLVMLoad => {
                touched.insert(instruction.operand(0));
            }
            _ => {}
        }
    }
    written
}
