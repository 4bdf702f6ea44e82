//! Address arithmetic: a base, a constant and scaled indices.

use super::{FunctionLowerer, Parts};
use crate::llvm::{TypeKind, Value};
use crate::types::{Lowered, lane_width, unsupported};
use osier_ir::{BinOp, CastOp, Flags, Op, Operand};

/// One index of a GEP: its parts (one for each lane, or one for all), their width, and the bytes that a step takes.
struct Step {
    parts: Parts,
    width: u8,
    scale: u64,
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn gep(&mut self, user: Value) -> Lowered<Parts> {
        let lanes = self.leaves(user.ty())?.len();
        let bases = self.operand(user.operand(0))?;
        let (constant, steps) = self.gep_steps(user)?;
        let flags = if user.is_inbounds() { Flags::INBOUNDS } else { Flags::NONE };
        let mut result = Parts::new();
        for lane in 0..lanes {
            let base = bases[if bases.len() == 1 { 0 } else { lane }];
            let mut offset = constant;
            let mut variable = Vec::new();
            for step in &steps {
                let index = step.parts[if step.parts.len() == 1 { 0 } else { lane }];
                match self.known(index) {
                    Some(number) => offset = offset.wrapping_add(number.wrapping_mul(step.scale as i64)),
                    None => variable.push((index, step.width, step.scale)),
                }
            }
            let address = self.address(base, offset, &variable, flags);
            result.push(address);
        }
        Ok(result)
    }

    /// The offset of the struct fields that a GEP goes through, and its other indices.
    fn gep_steps(&mut self, user: Value) -> Lowered<(i64, Vec<Step>)> {
        let mut offset = 0i64;
        let mut steps = Vec::new();
        let mut ty = user.gep_source_type();
        if !ty.has_fixed_size() {
            return unsupported(format!("address of an element of {}", ty.print()));
        }
        for position in 1..user.operand_count() {
            let index = user.operand(position);
            let parts = self.operand(index)?;
            let width = lane_width(index.ty())?;
            let scale = if position == 1 {
                self.cx.layout.size(ty)
            } else {
                match ty.kind() {
                    TypeKind::Struct => {
                        let Some(field) = self.known(parts[0]) else {
                            return unsupported(format!("address `{}`", user.describe()));
                        };
                        offset += self.cx.layout.field_offset(ty, field as u32) as i64;
                        ty = ty.field(field as u32);
                        continue;
                    }
                    TypeKind::Array(_) | TypeKind::Vector(_) => {
                        ty = ty.element();
                        self.cx.layout.size(ty)
                    }
                    TypeKind::Void
                    | TypeKind::Integer(_)
                    | TypeKind::Pointer
                    | TypeKind::Float(_)
                    | TypeKind::Other => return unsupported(format!("address `{}`", user.describe())),
                }
            };
            steps.push(Step { parts, width, scale });
        }
        Ok((offset, steps))
    }

    /// base + offset + the scaled indices. Only the last sum carries the GEP's promise: the ones before it are ours.
    fn address(&mut self, base: Operand, offset: i64, variable: &[(Operand, u8, u64)], flags: Flags) -> Operand {
        let Some((last, before)) = variable.split_last() else { return self.add_offset(base, offset, flags) };
        let mut base = base;
        let mut offset = offset;
        if i32::try_from(offset).is_err() {
            base = self.add_offset(base, offset, Flags::NONE);
            offset = 0;
        }
        for &step in before {
            base = self.add_index(base, step, 0, Flags::NONE);
        }
        self.add_index(base, *last, offset as i32, flags)
    }

    pub(super) fn add_offset(&mut self, base: Operand, offset: i64, flags: Flags) -> Operand {
        if offset == 0 {
            return base;
        }
        match i32::try_from(offset) {
            Ok(offset) => self.result(64, |dst| Op::Offset { flags, dst, base, offset }),
            Err(_) => {
                let offset = self.int(64, offset as u64 as u128);
                self.bin(BinOp::Add, 64, base, offset)
            }
        }
    }

    fn add_index(&mut self, base: Operand, step: (Operand, u8, u64), offset: i32, flags: Flags) -> Operand {
        let (index, width, scale) = step;
        if width <= 64
            && let Ok(scale) = u32::try_from(scale)
        {
            return self.result(64, |dst| Op::Index { flags, width, dst, base, index, scale, offset });
        }
        let index = match width.cmp(&64) {
            std::cmp::Ordering::Less => {
                self.result(64, |dst| Op::Cast { op: CastOp::SExt, from: width, to: 64, dst, src: index })
            }
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => self.resize(width, 64, index),
        };
        let scale = self.int(64, scale.into());
        let distance = self.bin(BinOp::Mul, 64, index, scale);
        self.result(64, |dst| Op::Index { flags, width: 64, dst, base, index: distance, scale: 1, offset })
    }
}
