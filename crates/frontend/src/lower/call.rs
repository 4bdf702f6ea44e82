//! Calls.

use super::{Flow, FunctionLowerer, Parts};
use crate::constants::Linear;
use crate::llvm::{Value, ValueKind};
use crate::types::{Lowered, unsupported};
use osier_ir::{ArgKind, CallSite, Callee, Constant, FuncId, Op, Operand, SymbolRef, Unpacked};

/// The arguments of a call, taken apart.
#[derive(Default)]
pub(super) struct Arguments {
    operands: Vec<Operand>,
    kinds: Vec<ArgKind>,
    widths: Vec<u8>,
}

impl Arguments {
    pub(super) fn push(&mut self, operand: Operand, width: u8, kind: ArgKind) {
        self.operands.push(operand);
        self.widths.push(width);
        self.kinds.push(kind);
    }

    /// What a declaration for this call would say.
    pub(super) fn signature(&self) -> Vec<(u8, ArgKind)> {
        self.widths.iter().copied().zip(self.kinds.iter().copied()).collect()
    }
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn call(&mut self, instruction: Value) -> Lowered<Flow> {
        let callee = instruction.callee();
        match callee.kind() {
            ValueKind::InlineAsm => {
                self.inline_assembly(instruction)?;
                return Ok(Flow::Next);
            }
            ValueKind::Function => {
                if let Some(name) = callee.intrinsic_name() {
                    return self.intrinsic(instruction, &name);
                }
            }
            ValueKind::Argument
            | ValueKind::Instruction
            | ValueKind::GlobalVariable
            | ValueKind::Alias
            | ValueKind::Ifunc
            | ValueKind::BlockAddress
            | ValueKind::Expression
            | ValueKind::Aggregate
            | ValueKind::Zero
            | ValueKind::Number
            | ValueKind::Null
            | ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::Other => {}
        }
        self.ordinary_call(instruction)?;
        Ok(Flow::Next)
    }

    /// C never unwinds, so an invoke is a call that goes on at its normal destination.
    pub(super) fn invoke(&mut self, instruction: Value) -> Lowered<Flow> {
        if self.call(instruction)? == Flow::End {
            return Ok(Flow::End);
        }
        let edge = self.edge(instruction.parent(), instruction.successors()[0])?;
        self.emit(Op::Jump { edge });
        Ok(Flow::End)
    }

    fn ordinary_call(&mut self, instruction: Value) -> Lowered<()> {
        let ty = instruction.call_type();
        let fixed = ty.parameters().len();
        let mut arguments = Arguments::default();
        for (index, argument) in instruction.arguments().into_iter().enumerate() {
            let special = self.cx.special_arg_kind(instruction, index as u32);
            self.argument(argument, special, index >= fixed, &mut arguments)?;
        }
        let callee = self.callee(instruction.callee())?;
        let widths = self.leaves(ty.result())?.iter().map(|leaf| leaf.width).collect();
        let results = self.emit_call(callee, arguments, widths, ty.is_variadic());
        if !results.is_empty() {
            self.define(instruction, results);
        }
        Ok(())
    }

    fn argument(
        &mut self,
        argument: Value,
        special: Option<ArgKind>,
        unnamed: bool,
        arguments: &mut Arguments,
    ) -> Lowered<()> {
        let leaves = self.leaves(argument.ty())?;
        let parts = self.operand(argument)?;
        let bits: u32 = leaves.iter().map(|leaf| u32::from(leaf.width)).sum();
        // `va_arg` finds a vector in one SSE register, as the ABI passes it.
        if unnamed && argument.ty().is_vector() && bits <= 128 {
            let widths: Vec<u8> = leaves.iter().map(|leaf| leaf.width).collect();
            let whole = self.repack(&parts, &widths, &[bits as u8]);
            arguments.push(whole[0], bits as u8, ArgKind::Float);
            return Ok(());
        }
        for (leaf, part) in leaves.iter().zip(parts) {
            arguments.push(part, leaf.width, special.unwrap_or_else(|| leaf.arg_kind()));
        }
        Ok(())
    }

    fn callee(&mut self, callee: Value) -> Lowered<Callee> {
        let callee = self.cx.definition(callee);
        match callee.kind() {
            // Also a weak one that nobody defines: its address would be null, but its name says more.
            ValueKind::Function => return Ok(Callee::Direct(self.cx.function_id(callee))),
            ValueKind::Alias => {
                if let Some(Linear { symbol: Some(SymbolRef::Function(function)), addend: 0 }) =
                    self.cx.linear(callee)?
                {
                    return Ok(Callee::Direct(function));
                }
            }
            ValueKind::Ifunc => return unsupported(format!("call of ifunc `{}`", callee.name())),
            ValueKind::Argument
            | ValueKind::Instruction
            | ValueKind::GlobalVariable
            | ValueKind::BlockAddress
            | ValueKind::Expression
            | ValueKind::Aggregate
            | ValueKind::Zero
            | ValueKind::Number
            | ValueKind::Null
            | ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::InlineAsm
            | ValueKind::Other => {}
        }
        let address = self.scalar(callee)?;
        if let Unpacked::Const(constant) = address.unpack()
            && let Constant::Function(function) = self.cx.module.constants[constant]
        {
            return Ok(Callee::Direct(function));
        }
        Ok(Callee::Indirect(address))
    }

    pub(super) fn emit_call(&mut self, callee: Callee, args: Arguments, widths: Vec<u8>, variadic: bool) -> Parts {
        let results: Vec<_> = widths.iter().map(|&width| self.reg(width)).collect();
        let parts = results.iter().map(|&reg| Operand::reg(reg)).collect();
        let call = self.draft.call(CallSite {
            callee,
            args: args.operands,
            arg_kinds: args.kinds,
            arg_widths: args.widths,
            results,
            result_widths: widths,
            variadic,
        });
        self.emit(Op::Call { call });
        parts
    }

    /// Calls a function of the C library that an intrinsic stands for.
    pub(super) fn library_call(&mut self, name: &str, args: Arguments, widths: Vec<u8>) -> Parts {
        let function: FuncId = self.cx.library_function(name, &args.signature(), &widths);
        self.emit_call(Callee::Direct(function), args, widths, false)
    }
}
