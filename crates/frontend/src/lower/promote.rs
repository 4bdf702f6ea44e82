//! Scalar locals that nothing takes the address of live in registers.
//!
//! This is the part of LLVM's mem2reg that needs no phis: the slot is one register for the whole function, and each
//! load and store of it is a move. `tidy` removes most of those moves. Lines and instruction counts stay what they were.

use super::FunctionLowerer;
use crate::llvm::{Block, Opcode, TypeKind, Value};
use osier_base::Id;
use osier_ir::{FloatKind, Op};
use rustc_hash::FxHashMap;

impl FunctionLowerer<'_, '_> {
    pub(super) fn promote_slots(&mut self, blocks: &[Block]) {
        let mut promoted = Vec::new();
        for alloca in blocks[0].instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMAlloca) {
            if let Some(width) = promotable(alloca) {
                let slot = self.draft.reg(width);
                self.slots.insert(alloca, slot);
                self.draft.locals.insert(slot);
                promoted.push((alloca, slot));
            }
        }
        if promoted.is_empty() {
            return;
        }
        let first = first_accesses(blocks, |alloca| self.slots.contains_key(&alloca));
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| block.terminator().successors().into_iter().map(|next| self.block_id(next).index()).collect())
            .collect();
        for (alloca, slot) in promoted {
            if may_be_read_unwritten(alloca, &successors, &first) {
                let src = self.undef(self.draft.registers[slot]);
                self.prologue.push(Op::Move { dst: slot, src });
            }
        }
    }
}

/// Some way from the entry loads from the local before anything is stored to it.
fn may_be_read_unwritten(alloca: Value, successors: &[Vec<usize>], first: &FirstAccesses) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut waiting = vec![0];
    while let Some(block) = waiting.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        match first[block].get(&alloca) {
            Some(Access::Read) => return true,
            Some(Access::Write) => {}
            None => waiting.extend(&successors[block]),
        }
    }
    false
}

enum Access {
    Read,
    Write,
}

/// For each block, what it does first with each local that it touches.
type FirstAccesses = Vec<FxHashMap<Value, Access>>;

fn first_accesses(blocks: &[Block], is_local: impl Fn(Value) -> bool) -> FirstAccesses {
    let of_block = |block: &Block| {
        let mut first = FxHashMap::default();
        for instruction in block.instructions() {
            let (address, access) = match instruction.opcode() {
                Opcode::LLVMLoad => (instruction.operand(0), Access::Read),
                Opcode::LLVMStore => (instruction.operand(1), Access::Write),
                _ => continue,
            };
            if is_local(address) {
                first.entry(address).or_insert(access);
            }
        }
        first
    };
    blocks.iter().map(of_block).collect()
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
