//! Lanes and fields: taking them out, putting them in, rearranging them.

use super::{FunctionLowerer, Parts, one};
use crate::llvm::{Type, TypeKind, Value};
use crate::types::{Lowered, lane_width, leaf_count, unsupported};
use osier_ir::{CmpOp, Constant, Operand};

impl FunctionLowerer<'_, '_> {
    /// An index that is not constant chooses by a chain of comparisons.
    pub(super) fn extract_element(&mut self, user: Value) -> Lowered<Parts> {
        let width = lane_width(user.ty())?;
        let parts = self.operand(user.operand(0))?;
        let index = self.scalar(user.operand(1))?;
        if let Some(lane) = self.known_lane(index) {
            return Ok(one(match parts.get(lane) {
                Some(&part) => part,
                None => self.poison(width),
            }));
        }
        let index_width = lane_width(user.operand(1).ty())?;
        let mut chosen = parts[0];
        for (lane, &part) in parts.iter().enumerate().skip(1) {
            let number = self.int(index_width, lane as u128);
            let here = self.cmp(CmpOp::Eq, index_width, index, number);
            chosen = self.select(width, here, part, chosen);
        }
        Ok(one(chosen))
    }

    pub(super) fn insert_element(&mut self, user: Value) -> Lowered<Parts> {
        let width = lane_width(user.ty())?;
        let mut parts = self.operand(user.operand(0))?;
        let value = self.scalar(user.operand(1))?;
        let index = self.scalar(user.operand(2))?;
        if let Some(lane) = self.known_lane(index) {
            if let Some(part) = parts.get_mut(lane) {
                *part = value;
            }
            return Ok(parts);
        }
        let index_width = lane_width(user.operand(2).ty())?;
        for (lane, part) in parts.iter_mut().enumerate() {
            let number = self.int(index_width, lane as u128);
            let here = self.cmp(CmpOp::Eq, index_width, index, number);
            *part = self.select(width, here, value, *part);
        }
        Ok(parts)
    }

    fn known_lane(&self, index: Operand) -> Option<usize> {
        self.known(index).map(|lane| usize::try_from(lane).unwrap_or(usize::MAX))
    }

    pub(super) fn shuffle(&mut self, user: Value) -> Lowered<Parts> {
        let width = lane_width(user.ty())?;
        let mut parts = self.operand(user.operand(0))?;
        parts.extend(self.operand(user.operand(1))?);
        let poison = self.poison(width);
        Ok(user.shuffle_mask().into_iter().map(|lane| lane.map_or(poison, |lane| parts[lane as usize])).collect())
    }

    pub(super) fn poison(&mut self, width: u8) -> Operand {
        Operand::constant(self.cx.constant(Constant::Poison { width }))
    }

    pub(super) fn undef(&mut self, width: u8) -> Operand {
        Operand::constant(self.cx.constant(Constant::Undef { width }))
    }

    pub(super) fn extract_value(&mut self, user: Value) -> Lowered<Parts> {
        let (start, length) = self.field_range(user.operand(0).ty(), &user.indices())?;
        let parts = self.operand(user.operand(0))?;
        Ok(Parts::from_slice(&parts[start..start + length]))
    }

    pub(super) fn insert_value(&mut self, user: Value) -> Lowered<Parts> {
        let (start, length) = self.field_range(user.ty(), &user.indices())?;
        let mut parts = self.operand(user.operand(0))?;
        let field = self.operand(user.operand(1))?;
        parts[start..start + length].copy_from_slice(&field);
        Ok(parts)
    }

    /// Which parts of an aggregate a path of indices names.
    fn field_range(&self, mut ty: Type, path: &[u32]) -> Lowered<(usize, usize)> {
        let layout = self.cx.layout;
        let mut start = 0;
        for &index in path {
            match ty.kind() {
                TypeKind::Struct => {
                    for field in 0..index {
                        start += leaf_count(layout, ty.field(field))?;
                    }
                    ty = ty.field(index);
                }
                TypeKind::Array(_) => {
                    ty = ty.element();
                    start += index as usize * leaf_count(layout, ty)?;
                }
                TypeKind::Void
                | TypeKind::Integer(_)
                | TypeKind::Pointer
                | TypeKind::Float(_)
                | TypeKind::Vector(_)
                | TypeKind::Other => return unsupported(format!("field of {}", ty.print())),
            }
        }
        Ok((start, leaf_count(layout, ty)?))
    }
}
