//! Values as SMT-LIB writes them.

use osier::solver::formats::smt2::{DeclaredValue, Sort, SymbolicArray};
use osier::solver::term::{ArrayNode, Assignment, Evaluator, Pool};
use std::collections::BTreeMap;

/// A value in a model. Bytes that the model says nothing of are zero.
pub fn value_in(pool: &Pool, model: &Assignment, value: DeclaredValue, arrays: &[SymbolicArray]) -> String {
    let mut evaluator = Evaluator::new(pool, model);
    match value {
        DeclaredValue::Bool(term) => evaluator.holds(term).to_string(),
        DeclaredValue::BitVec(term) => literal(pool.width(term), evaluator.eval(term)),
        DeclaredValue::Array(number) => array_in(pool, model, &arrays[number]),
    }
}

fn literal(width: u32, value: u128) -> String {
    match width.is_multiple_of(4) {
        true => format!("#x{value:0digits$x}", digits = width as usize / 4),
        false => format!("#b{value:0digits$b}", digits = width as usize),
    }
}

/// Zero everywhere but where it is not, as stores on a constant array.
fn array_in(pool: &Pool, model: &Assignment, array: &SymbolicArray) -> String {
    let SymbolicArray { name: _, index_width, input, size, beyond } = array;
    let mut evaluator = Evaluator::new(pool, model);
    let mut bytes: BTreeMap<u128, u8> = BTreeMap::new();
    for index in 0..u64::from(*size) {
        let byte = match pool.array_node(*input) {
            ArrayNode::Table { bytes } => bytes[index as usize],
            ArrayNode::Input { .. } | ArrayNode::Store { .. } => model.get(*input, index),
        };
        bytes.insert(u128::from(index), byte);
    }
    for &(index, value) in beyond {
        bytes.entry(evaluator.eval(index)).or_insert(evaluator.eval(value) as u8);
    }
    let sort = Sort::Array { index_width: *index_width };
    let stored: Vec<(u128, u8)> =
        bytes.into_iter().filter(|&(index, byte)| byte != 0 && index >> index_width == 0).collect();
    let mut text = "(store ".repeat(stored.len());
    text += &format!("((as const {sort}) #x00)");
    for (index, byte) in stored {
        text += &format!(" {} {})", literal(*index_width, index), literal(8, u128::from(byte)));
    }
    text
}
