//! Bodies for unit tests of this crate.

use crate::{Block, BlockId, Body, ConstId, Edge, EdgeId, LocId, Op, Operand, PhiMoves, SwitchTable};
use osier_base::Id;

/// A body whose block `i` leads to the blocks `shape[i]` and holds one operation of weight 1.
pub fn body_of_shape(shape: &[&[u32]]) -> Body {
    let mut body = Body::default();
    for targets in shape {
        let edges: Vec<EdgeId> = targets
            .iter()
            .map(|&target| body.edges.push(Edge { target: BlockId(target), moves: PhiMoves::default() }))
            .collect();
        let op = match edges[..] {
            [] => Op::Return,
            [edge] => Op::Jump { edge },
            [ref cases @ .., default] => {
                let cases = cases.iter().enumerate().map(|(i, &edge)| (ConstId::new(i), edge)).collect();
                let table = body.tables.push(SwitchTable { cases, default: Some(default) });
                Op::Switch { width: 32, value: Operand::constant(ConstId(0)), table }
            }
        };
        let start = body.ops.len() as u32;
        body.ops.push(op);
        body.op_locations.push(LocId(0));
        body.op_weights.push(1);
        body.blocks.push(Block { start, end: start + 1, weight: 1 });
    }
    body
}
