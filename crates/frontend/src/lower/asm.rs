//! Inline assembly that real programs contain: empty text that stops the optimiser, barriers, arithmetic that C has no
//! words for, atomic instructions, questions to the processor. Each statement is lowered by itself on a [`Machine`] that
//! knows what the registers hold, so any sequence of known instructions is known. The instructions stand in the tables of
//! `instructions.rs` and `system.rs`; all else, a jump above all, is unsupported.

mod bits;
mod constraints;
mod flags;
mod instructions;
mod machine;
mod system;
mod text;

use super::{FunctionLowerer, Parts};
use crate::llvm::Value;
use crate::types::{Lowered, Unsupported, unsupported};
use constraints::{Role, constraints};
use instructions::{integer, reads_flags};
use machine::Machine;
use system::system;
use text::statements;

impl FunctionLowerer<'_, '_> {
    pub(super) fn inline_assembly(&mut self, call: Value) -> Lowered<()> {
        let (template, _) = call.callee().assembly();
        match self.assembled(call) {
            Ok(results) if results.is_empty() => {}
            Ok(results) => self.define(call, results),
            Err(Unsupported(reason)) => {
                let words: Vec<&str> = template.split_whitespace().collect();
                return unsupported(format!("inline assembly \"{}\": {reason}", words.join(" ")));
            }
        }
        Ok(())
    }

    fn assembled(&mut self, call: Value) -> Lowered<Parts> {
        let (template, constraint_string) = call.callee().assembly();
        if call.callee().is_intel_assembly() {
            return unsupported("Intel's syntax");
        }
        let Some(statements) = statements(&template) else { return unsupported("an operand of unknown form") };
        let constraints = constraints(&constraint_string);
        let mut machine = Machine::new(self, call, &constraints)?;
        let conditions = constraints.operands.iter().any(|operand| matches!(operand.role, Role::Condition(_)));
        machine.wants_flags = conditions || statements.iter().any(|statement| reads_flags(&statement.mnemonic));
        for statement in &statements {
            if !system(&mut machine, statement)? && !integer(&mut machine, statement)? {
                return unsupported(format!("unknown instruction `{}`", statement.mnemonic));
            }
        }
        machine.results()
    }
}
