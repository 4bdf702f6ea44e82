//! Inline assembly: barriers, and the question what the processor can do. Programs use empty assembly to stop the
//! optimiser, and that has a meaning here too: nothing happens, and an output that is tied to an input has its value.
//! The processor that programs run on has no feature that one has to ask for.

use super::{FunctionLowerer, Parts};
use crate::llvm::Value;
use crate::types::{Lowered, unsupported};
use osier_ir::{Constant, Op, Operand};

/// Instructions that order memory or pass time.
const BARRIERS: &[&str] = &["mfence", "lfence", "sfence", "pause", "nop", "rep; nop", "rep nop", "rep;nop"];

/// Where an output of empty assembly gets its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Nothing,
    /// An input, by its place among the call's arguments.
    Argument(usize),
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn inline_assembly(&mut self, call: Value) -> Lowered<()> {
        let (text, constraints) = call.callee().assembly();
        let words = text.trim();
        let asks = is_identification(words);
        if !asks && !is_barrier(words) {
            return unsupported(format!("inline assembly \"{}\"", words.replace('\n', "; ")));
        }
        let leaves = self.leaves(call.ty())?;
        if leaves.is_empty() {
            return Ok(());
        }
        let sources = outputs(&constraints);
        if sources.len() != leaves.len() {
            return unsupported(format!("inline assembly with constraints \"{constraints}\""));
        }
        let arguments = call.arguments();
        let mut parts = Parts::new();
        for (source, leaf) in sources.into_iter().zip(leaves) {
            let width = leaf.width;
            let src = match source {
                _ if asks => Operand::constant(self.cx.constant(Constant::Int { width, value: 0 })),
                Source::Argument(index) if index < arguments.len() => self.scalar(arguments[index])?,
                Source::Argument(_) | Source::Nothing => self.undef(width),
            };
            parts.push(self.result(width, |dst| Op::Move { dst, src }));
        }
        self.define(call, parts);
        Ok(())
    }
}

fn is_barrier(words: &str) -> bool {
    words
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .all(|line| line.is_empty() || BARRIERS.contains(&line.trim_end_matches(';').trim()))
}

/// `cpuid`, with or without a register saved around it, and `xgetbv`.
fn is_identification(words: &str) -> bool {
    let statements = || words.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty());
    let asks = |statement: &str| matches!(statement, "cpuid" | "xgetbv");
    let saves = |statement: &str| statement.starts_with("xchg") && statement.contains("rbx");
    statements().any(asks) && statements().all(|statement| asks(statement) || saves(statement))
}

/// The sources of the direct outputs, in order. Inputs follow outputs in the constraint string; an indirect output
/// (`=*m`) takes an argument and returns nothing.
fn outputs(constraints: &str) -> Vec<Source> {
    let mut outputs = Vec::new();
    // For each output of the constraint string, its place among the direct ones.
    let mut direct = Vec::new();
    let mut argument = 0;
    for constraint in constraints.split(',') {
        if constraint.starts_with('~') || constraint.starts_with('!') {
            continue;
        }
        if let Some(output) = constraint.strip_prefix('=') {
            if output.trim_start_matches('&').starts_with('*') {
                direct.push(None);
                argument += 1;
            } else {
                direct.push(Some(outputs.len()));
                outputs.push(Source::Nothing);
            }
            continue;
        }
        if let Ok(tied) = constraint.parse::<usize>()
            && let Some(Some(output)) = direct.get(tied)
        {
            outputs[*output] = Source::Argument(argument);
        }
        argument += 1;
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_has_the_value_of_the_input_that_is_tied_to_it() {
        assert_eq!(outputs("=r,0,~{memory}"), [Source::Argument(0)]);
        assert_eq!(outputs("=*m,=r,r,1,~{flags}"), [Source::Argument(2)]);
        assert_eq!(outputs("=r,=r,1"), [Source::Nothing, Source::Argument(0)]);
        assert_eq!(outputs("~{memory}"), []);
    }

    #[test]
    fn only_barriers_are_accepted() {
        assert!(is_barrier(""));
        assert!(is_barrier("# a comment\n\tmfence"));
        assert!(!is_barrier("cpuid"));
        assert!(is_identification("cpuid"));
        assert!(is_identification("  xchg$(q$|$)  $(%$|$)rbx,${1:q}\n  cpuid\n  xchg$(q$|$)  $(%$|$)rbx,${1:q}"));
        assert!(!is_identification("cpuid; syscall") && !is_identification(""));
    }
}
