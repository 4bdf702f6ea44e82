//! Phi nodes as moves on edges, put in an order in which none overwrites what another still reads.

use super::FunctionLowerer;
use crate::llvm::Block;
use crate::types::Lowered;
use osier_base::{EntityVec, Id};
use osier_ir::{EdgeId, Move, Operand, Reg};
use rustc_hash::FxHashSet;

impl FunctionLowerer<'_, '_> {
    /// Gives every phi its registers before any edge is made, and sorts what phis take by the edge it comes along. A phi
    /// whose type does not lower gets no registers: its block then begins with the reason.
    pub(super) fn declare_phis(&mut self, blocks: &[Block]) {
        for &block in blocks {
            for phi in block.phis() {
                let Ok(parts) = self.fresh(phi.ty()) else { continue };
                self.values.insert(phi, parts);
                let mut seen = FxHashSet::default();
                for (value, from) in phi.incoming() {
                    if seen.insert(from) {
                        self.incoming.entry((from, block)).or_default().push((phi, value));
                    }
                }
            }
        }
    }

    /// The edge from one block to another, with the moves that the target's phis ask for. Constant expressions among
    /// them are computed at the end of the block that the edge leaves.
    pub(super) fn edge(&mut self, from: Block, to: Block) -> Lowered<EdgeId> {
        let mut moves = Vec::new();
        for (phi, value) in self.incoming.get(&(from, to)).cloned().unwrap_or_default() {
            let targets = self.values[&phi].clone();
            for (target, src) in targets.into_iter().zip(self.operand(value)?) {
                let dst = target.as_reg().expect("a phi's parts are registers");
                moves.push(Move { dst, src });
            }
        }
        let moves = sequentialise(moves, &mut self.draft.registers);
        let target = self.block_id(to);
        Ok(self.draft.edge(target, moves))
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
