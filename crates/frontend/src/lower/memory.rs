//! Allocas, loads and stores.

use super::{FunctionLowerer, Parts, one};
use crate::llvm::{Type, Value};
use crate::types::{Leaves, Lowered, lane_width, unsupported};
use osier_ir::{BinOp, Op, Operand, Site};

/// How a value of some type lies in memory.
enum Access {
    /// Each scalar at its own bytes.
    Apart(Leaves),
    /// A vector whose lanes share bytes: so many bits, loaded and stored as integers of these widths.
    Packed { lanes: Vec<u8>, chunks: Vec<u8> },
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn alloca(&mut self, instruction: Value) -> Lowered<()> {
        if self.slots.contains_key(&instruction) {
            return Ok(());
        }
        let ty = instruction.allocated_type();
        if !ty.has_fixed_size() {
            return unsupported(format!("local of type {}", ty.print()));
        }
        let count_value = instruction.operand(0);
        let count_width = lane_width(count_value.ty())?;
        let count = self.scalar(count_value)?;
        let mut count = match (self.known(count), count_width) {
            (Some(number), _) => self.int(64, number as u64 as u128),
            (None, 64) => count,
            (None, width) => self.resize(width, 64, count),
        };
        let bytes = self.cx.layout.size(ty);
        let size = match u32::try_from(bytes) {
            Ok(size) => size,
            Err(_) => {
                let total = self.int(64, bytes.into());
                count = self.bin(BinOp::Mul, 64, count, total);
                1
            }
        };
        let align = instruction.alignment().max(1);
        let site = self.site(instruction);
        let dst = self.reg(64);
        self.emit(Op::Alloca { dst, count, size, align, site });
        self.define(instruction, one(Operand::reg(dst)));
        Ok(())
    }

    /// The source's name for an alloca; LLVM's own name where debug information has none.
    fn site(&mut self, alloca: Value) -> osier_ir::SiteId {
        let (name, place) = match alloca.alloca_variable() {
            Some((name, place)) if !name.is_empty() => (name, place),
            Some(_) | None => (alloca.name(), alloca.place()),
        };
        let location = self.cx.places.location(&mut self.cx.module, place);
        self.cx.module.sites.push(Site { name, location })
    }

    pub(super) fn load(&mut self, instruction: Value) -> Lowered<()> {
        let address = instruction.operand(0);
        let parts = match self.slots.get(&address) {
            Some(&slot) => {
                let width = lane_width(instruction.ty())?;
                one(self.result(width, |dst| Op::Move { dst, src: Operand::reg(slot) }))
            }
            None => {
                let address = self.scalar(address)?;
                self.load_at(instruction.ty(), address)?
            }
        };
        self.define(instruction, parts);
        Ok(())
    }

    pub(super) fn store(&mut self, instruction: Value) -> Lowered<()> {
        let (value, address) = (instruction.operand(0), instruction.operand(1));
        let parts = self.operand(value)?;
        match self.slots.get(&address) {
            Some(&slot) => self.emit(Op::Move { dst: slot, src: parts[0] }),
            None => {
                let address = self.scalar(address)?;
                self.store_at(value.ty(), address, &parts)?;
            }
        }
        Ok(())
    }

    pub(super) fn load_at(&mut self, ty: Type, addr: Operand) -> Lowered<Parts> {
        match self.access(ty)? {
            Access::Apart(leaves) => {
                let mut parts = Parts::new();
                for leaf in leaves {
                    let (addr, offset) = self.place_at(addr, leaf.bit_offset / 8);
                    let width = leaf.width;
                    parts.push(self.result(width, |dst| Op::Load { width, dst, addr, offset }));
                }
                Ok(parts)
            }
            Access::Packed { lanes, chunks } => {
                let mut parts = Parts::new();
                for (index, &width) in chunks.iter().enumerate() {
                    let offset = index as i32 * 8;
                    parts.push(self.result(width, |dst| Op::Load { width, dst, addr, offset }));
                }
                Ok(self.repack(&parts, &chunks, &lanes))
            }
        }
    }

    pub(super) fn store_at(&mut self, ty: Type, addr: Operand, parts: &[Operand]) -> Lowered<()> {
        match self.access(ty)? {
            Access::Apart(leaves) => {
                for (leaf, &value) in leaves.iter().zip(parts) {
                    let (addr, offset) = self.place_at(addr, leaf.bit_offset / 8);
                    self.emit(Op::Store { width: leaf.width, addr, value, offset });
                }
            }
            Access::Packed { lanes, chunks } => {
                let whole = self.repack(parts, &lanes, &chunks);
                for (index, (&width, value)) in chunks.iter().zip(whole).enumerate() {
                    self.emit(Op::Store { width, addr, value, offset: index as i32 * 8 });
                }
            }
        }
        Ok(())
    }

    fn place_at(&mut self, base: Operand, offset: u64) -> (Operand, i32) {
        match i32::try_from(offset) {
            Ok(offset) => (base, offset),
            Err(_) => (self.add_offset(base, offset as i64, osier_ir::Flags::NONE), 0),
        }
    }

    fn access(&self, ty: Type) -> Lowered<Access> {
        let leaves = self.leaves(ty)?;
        if ty.is_vector() && leaves.first().is_some_and(|leaf| leaf.width % 8 != 0) {
            let lanes: Vec<u8> = leaves.iter().map(|leaf| leaf.width).collect();
            let mut bits: usize = lanes.iter().map(|&width| usize::from(width)).sum();
            let mut chunks = Vec::new();
            while bits > 0 {
                let chunk = bits.min(64);
                chunks.push(chunk as u8);
                bits -= chunk;
            }
            return Ok(Access::Packed { lanes, chunks });
        }
        if leaves.iter().any(|leaf| leaf.bit_offset % 8 != 0) {
            return unsupported(format!("access to {}: its lanes share bytes", ty.print()));
        }
        Ok(Access::Apart(leaves))
    }
}
