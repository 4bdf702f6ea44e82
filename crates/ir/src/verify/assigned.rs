//! That on every path a register is written before it is read; parameters count as written.
//!
//! Some path reads a register first exactly if the register is live where the body is entered.

use super::Findings;
use crate::liveness::live_at_entry;
use crate::{Body, Cfg, ENTRY, Function, Module, Reg};
use osier_base::Id;

pub(super) fn check(_module: &Module, function: &Function, body: &Body, findings: &mut Findings<'_>) {
    for reg in live_at_entry(body) {
        if !function.params.iter().any(|param| param.reg == reg) {
            findings.add(first_read(body, reg), format_args!("{reg} may be read before it is written"));
        }
    }
}

/// An operation that reads `reg` on a path that did not write it. `None` if the read is a move on an edge.
fn first_read(body: &Body, reg: Reg) -> Option<usize> {
    let cfg = Cfg::new(body);
    let mut seen = vec![false; body.blocks.len()];
    let mut stack = vec![ENTRY];
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let mut written = false;
        for (offset, op) in body.block_ops(block).iter().enumerate() {
            let mut read = false;
            op.for_each_use(body, |operand| read |= operand.as_reg() == Some(reg));
            if read {
                return Some(body.blocks[block].start as usize + offset);
            }
            op.for_each_def(body, |def| written |= def == reg);
            if written {
                break;
            }
        }
        if !written {
            stack.extend(cfg.successors(block));
        }
    }
    None
}
