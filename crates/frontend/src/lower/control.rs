//! Terminators.

use super::{Flow, FunctionLowerer};
use crate::llvm::Value;
use crate::types::{Lowered, lane_width};
use osier_ir::{Constant, Op, SwitchTable};
use rustc_hash::FxHashMap;

impl FunctionLowerer<'_, '_> {
    pub(super) fn branch(&mut self, instruction: Value) -> Lowered<Flow> {
        let from = instruction.parent();
        let successors = instruction.successors();
        if let [target] = successors.as_slice() {
            let edge = self.edge(from, *target)?;
            self.emit(Op::Jump { edge });
        } else {
            let cond = self.scalar(instruction.operand(0))?;
            let then = self.edge(from, successors[0])?;
            let other = self.edge(from, successors[1])?;
            self.emit(Op::Branch { cond, then, other });
        }
        Ok(Flow::End)
    }

    /// Cases that lead to one block share one edge, so that who executes the switch sees as few ways as there are.
    pub(super) fn switch(&mut self, instruction: Value) -> Lowered<Flow> {
        let width = lane_width(instruction.operand(0).ty())?;
        let value = self.scalar(instruction.operand(0))?;
        let from = instruction.parent();
        let successors = instruction.successors();
        let mut edges = FxHashMap::default();
        let default = self.edge(from, successors[0])?;
        edges.insert(successors[0], default);
        let mut cases = Vec::with_capacity(successors.len() - 1);
        for (index, &target) in successors.iter().enumerate().skip(1) {
            let (_, bits) = instruction.switch_case(index as u32).bits().expect("a case is an integer");
            let constant = self.cx.constant(Constant::Int { width, value: bits });
            let edge = match edges.get(&target) {
                Some(&edge) => edge,
                None => {
                    let edge = self.edge(from, target)?;
                    edges.insert(target, edge);
                    edge
                }
            };
            cases.push((constant, edge));
        }
        let table = self.draft.table(SwitchTable { cases, default: Some(default) });
        self.emit(Op::Switch { width, value, table });
        Ok(Flow::End)
    }

    pub(super) fn indirect_branch(&mut self, instruction: Value) -> Lowered<Flow> {
        let addr = self.scalar(instruction.operand(0))?;
        let from = instruction.parent();
        let function = self.cx.function_id(self.function);
        let mut edges = FxHashMap::default();
        let mut cases = Vec::new();
        for target in instruction.successors() {
            if edges.contains_key(&target) {
                continue;
            }
            let edge = self.edge(from, target)?;
            edges.insert(target, edge);
            let block = self.block_id(target);
            cases.push((self.cx.constant(Constant::Block { function, block }), edge));
        }
        let table = self.draft.table(SwitchTable { cases, default: None });
        self.emit(Op::IndirectJump { addr, table });
        Ok(Flow::End)
    }

    pub(super) fn ret(&mut self, instruction: Value) -> Lowered<Flow> {
        if instruction.operand_count() == 0 {
            self.emit(Op::Return);
            return Ok(Flow::End);
        }
        let parts = self.operand(instruction.operand(0))?;
        match parts.as_slice() {
            [] => self.emit(Op::Return),
            [value] => self.emit(Op::ReturnOne { value: *value }),
            several => {
                let start = self.draft.operands.len() as u32;
                self.draft.operands.extend(several);
                self.emit(Op::ReturnMany { start, len: several.len() as u32 });
            }
        }
        Ok(Flow::End)
    }
}
