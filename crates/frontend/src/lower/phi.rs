//! Phi nodes as moves on edges, put in an order in which none overwrites what another still reads.

use super::{FunctionLowerer, Parts};
use crate::llvm::{Block, Opcode, Value};
use crate::types::Lowered;
use osier_base::{EntityVec, Id};
use osier_ir::{EdgeId, Move, Operand, Reg};

impl FunctionLowerer<'_, '_> {
    /// Gives every phi its registers before any edge is made. One whose type does not lower gets none: its block then
    /// begins with the reason.
    pub(super) fn declare_phis(&mut self, blocks: &[Block]) {
        for block in blocks {
            for phi in block.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
                if let Ok(parts) = self.fresh(phi.ty()) {
                    self.values.insert(phi, parts);
                }
            }
        }
    }

    /// The edge from one block to another, with the moves that the target's phis ask for. Constant expressions among
    /// them are computed at the end of the block that the edge leaves.
    pub(super) fn edge(&mut self, from: Block, to: Block) -> Lowered<EdgeId> {
        let mut moves = Vec::new();
        for phi in to.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            let Some(targets) = self.values.get(&phi).cloned() else { continue };
            let sources = self.incoming(phi, from)?;
            for (target, src) in targets.into_iter().zip(sources) {
                let dst = target.as_reg().expect("a phi's parts are registers");
                moves.push(Move { dst, src });
            }
        }
        let moves = sequentialise(moves, &mut self.draft.registers);
        let target = self.block_id(to);
        Ok(self.draft.edge(target, moves))
    }

    fn incoming(&mut self, phi: Value, from: Block) -> Lowered<Parts> {
        let found = phi.incoming().into_iter().find(|(_, block)| *block == from);
        let (value, _) = found.expect("the verifier saw an entry for each predecessor");
        self.operand(value)
    }
}

/// Orders parallel moves. A move may go when no other still reads its target; where all wait for each other they form
/// cycles, and one value of a cycle is saved in a new register.
pub fn sequentialise(mut waiting: Vec<Move>, registers: &mut EntityVec<Reg, u8>) -> Vec<Move> {
    waiting.retain(|m| m.src != Operand::reg(m.dst));
    let mut ordered = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let free = (0..waiting.len()).find(|&i| {
            let target = Operand::reg(waiting[i].dst);
            waiting.iter().enumerate().all(|(j, other)| j == i || other.src != target)
        });
        match free {
            Some(index) => ordered.push(waiting.remove(index)),
            None => {
                let saved = waiting[0].dst;
                let copy = Reg::new(registers.len());
                registers.push(registers[saved]);
                ordered.push(Move { dst: copy, src: Operand::reg(saved) });
                for other in &mut waiting {
                    if other.src == Operand::reg(saved) {
                        other.src = Operand::reg(copy);
                    }
                }
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(moves: &[Move], registers: &mut [u32]) {
        for m in moves {
            registers[m.dst.index()] = registers[m.src.as_reg().unwrap().index()];
        }
    }

    /// All parallel moves onto four registers, each from any of five: swaps, rotations, fans.
    #[test]
    fn every_parallel_move_keeps_its_meaning_when_put_in_order() {
        for code in 0..5usize.pow(4) {
            let sources: Vec<usize> = (0..4).map(|i| code / 5usize.pow(i) % 5).collect();
            let moves: Vec<Move> = sources
                .iter()
                .enumerate()
                .map(|(dst, &src)| Move { dst: Reg::new(dst), src: Operand::reg(Reg::new(src)) })
                .collect();
            let mut widths: EntityVec<Reg, u8> = vec![32; 5].into();
            let ordered = sequentialise(moves, &mut widths);
            let mut registers: Vec<u32> = (0..widths.len() as u32).collect();
            run(&ordered, &mut registers);
            for (dst, &src) in sources.iter().enumerate() {
                assert_eq!(registers[dst], src as u32, "moves from {sources:?}, ordered {ordered:?}");
            }
        }
    }
}
