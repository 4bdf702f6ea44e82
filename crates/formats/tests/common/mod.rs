//! Random terms over two inputs and a table, for the tests that write and read them.

use osier_term::{Array, BvOp, CmpOp, Pool, Term};
use proptest::prelude::*;

pub const TABLE: [u8; 6] = [3, 1, 4, 1, 5, 200];

pub const FIRST_ACCESS: u8 = 10;

/// One more term, made of earlier ones.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// From `FIRST_ACCESS` on it reads or writes at a place that depends on inputs.
    pub kind: u8,
    detail: u8,
    operands: [u8; 3],
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0u8..12, any::<u8>(), any::<[u8; 3]>());
    prop::collection::vec(step.prop_map(|(kind, detail, operands)| Step { kind, detail, operands }), 1..40)
}

pub fn inputs(pool: &mut Pool) -> [Array; 2] {
    [pool.input("a", 6), pool.input("t12", 3)]
}

/// The conditions among the terms that the steps make.
pub fn conditions(pool: &mut Pool, inputs: [Array; 2], steps: &[Step]) -> Vec<Term> {
    let table = pool.table(&TABLE);
    let mut terms: Vec<Term> = (0..6).map(|i| pool.select_at(inputs[0], i)).collect();
    let mut arrays = vec![inputs[0], inputs[1], table];
    for step in steps {
        let [a, b, c] = step.operands.map(|n| terms[n as usize % terms.len()]);
        let width = pool.width(a);
        let b = resize(pool, b, width);
        let detail = u32::from(step.detail);
        let array = arrays[step.detail as usize % arrays.len()];
        let made = match step.kind {
            0 | 1 => pool.bin(BvOp::ALL[step.detail as usize % BvOp::ALL.len()], a, b),
            2 | 3 => pool.cmp(CmpOp::ALL[step.detail as usize % CmpOp::ALL.len()], a, b),
            4 => pool.not(a),
            5 if width + pool.width(c) <= 128 => pool.concat(a, c),
            5 | 6 => pool.extract(a, detail % width, 1 + detail % 7 % (width - detail % width)),
            7 => pool.zext(a, width + detail % (129 - width)),
            8 => pool.sext(a, width + detail % (129 - width)),
            9 => {
                let cond = pool.nonzero(c);
                pool.ite(cond, a, b)
            }
            FIRST_ACCESS => {
                let index = index(pool, a);
                pool.select(array, index)
            }
            _ => {
                let (index, value) = (index(pool, a), resize(pool, c, 8));
                arrays.push(pool.store(array, index, value));
                continue;
            }
        };
        terms.push(made);
    }
    terms.iter().map(|&t| pool.nonzero(t)).collect()
}

/// KQuery cuts indices to 32 bits, so none is larger; small ones are frequent.
fn index(pool: &mut Pool, t: Term) -> Term {
    let low = resize(pool, t, 3);
    let narrow = if pool.width(t) > 40 { resize(pool, t, 32) } else { low };
    pool.zext(narrow, 64)
}

fn resize(pool: &mut Pool, t: Term, width: u32) -> Term {
    if pool.width(t) > width { pool.truncate(t, width) } else { pool.zext(t, width) }
}
