//! Comparisons of what is read from a constant table become conditions on the index.

use super::Pair;
use crate::arrays::ArrayData;
use crate::node::{Node, Term};
use crate::pool::Pool;

/// Entries that are compared with the constant.
const MOST_PLACES: u128 = 4096;
/// Ranges of places that a condition may speak of.
const MOST_RUNS: usize = 2;

/// table[i] = c  →  i is in one of the ranges where the table has c, if there are few;  →  false, if there are none
pub(super) fn eq_table_constant(pool: &mut Pool, pair: &Pair, c: u128) -> Option<Term> {
    let Node::Select { array, index } = pair.left else { return None };
    let ArrayData::Table { bytes, .. } = &pool.arrays[array] else { return None };
    let (size, max) = (bytes.len() as u128, pool.max_value(index));
    let (base, offset) = pool.index_parts(index);
    // The index is the offset plus a multiple of the stride, so no other place is read.
    let stride = 1u128 << pool.trailing_zeros(base?).min(63);
    let first = u128::from(offset) % stride;
    if size.min(max) / stride > MOST_PLACES {
        return None;
    }
    let mut runs: Vec<(u128, u128)> = Vec::new();
    let mut note = |from: u128, to: u128| {
        match runs.last_mut() {
            Some(last) if last.1 + stride == from => last.1 = to,
            _ => runs.push((from, to)),
        }
        runs.len() <= MOST_RUNS
    };
    let mut place = first;
    while place < size && place <= max {
        if u128::from(bytes[place as usize]) == c && !note(place, place) {
            return None;
        }
        place += stride;
    }
    // Beyond its end the table is zero.
    if c == 0 && place <= max && !note(place, max) {
        return None;
    }
    let mut any = pool.truth(false);
    for (from, to) in runs {
        let (low, high) = (pool.constant(64, from), pool.constant(64, to));
        let above = if from == first { pool.truth(true) } else { pool.ule(low, index) };
        let below = if to + stride > max { pool.truth(true) } else { pool.ule(index, high) };
        let inside = if from == to { pool.eq(index, low) } else { pool.and(above, below) };
        any = pool.or(any, inside);
    }
    Some(any)
}

#[cfg(test)]
mod tests {
    use crate::eval::eval;
    use crate::node::{Array, Node, Term};
    use crate::pool::Pool;

    /// `table[index] = value` over a byte, as built, and what the index is.
    fn equality(pool: &mut Pool, input: Array, table: &[u8], scale: u128, value: u128) -> (Term, Term) {
        let byte = pool.select_at(input, 0);
        let (wide, scale, one) = (pool.zext(byte, 64), pool.constant(64, scale), pool.constant(64, 1));
        let scaled = pool.mul(wide, scale);
        let index = pool.add(scaled, one);
        let (table, value) = (pool.table(table), pool.constant(8, value));
        let read = pool.select(table, index);
        (pool.eq(read, value), index)
    }

    fn reads_a_table(pool: &Pool, t: Term) -> bool {
        let mut open = vec![t];
        let mut found = false;
        while let Some(t) = open.pop() {
            pool.for_each_child(t, |part| open.push(part));
            let Node::Select { array, .. } = pool.node(t) else { continue };
            found |= matches!(pool.array_node(array), crate::ArrayNode::Table { .. });
        }
        found
    }

    #[test]
    fn eq_table_constant() {
        let digits: Vec<u8> = (0..=255u8).map(|c| u8::from(c.is_ascii_digit())).collect();
        let checkered: Vec<u8> = (0..=255u8).map(|c| c % 2).collect();
        for (table, scale, value, fires) in [
            (&digits[..], 1, 1, true),
            (&digits, 1, 0, true),
            (&digits, 1, 7, true),
            (&checkered, 1, 1, false),
            // Only odd places are read, and beyond the end there are zeros.
            (&checkered, 2, 1, true),
            (&checkered, 2, 0, true),
            (&[3, 5, 5, 9, 5], 1, 5, true),
            (&[5, 5, 4, 5, 4, 5, 4], 1, 5, false),
        ] {
            let mut pool = Pool::new();
            let input = pool.input("x", 1);
            let (built, index) = equality(&mut pool, input, table, scale, value);
            assert_eq!(reads_a_table(&pool, built), !fires, "{value} in {table:?}");
            for byte in 0..=255 {
                let mut assignment = crate::Assignment::new();
                assignment.set(input, [byte].into());
                let place = eval(&pool, index, &assignment) as usize;
                let expected = u128::from(table.get(place).copied().unwrap_or(0)) == value;
                assert_eq!(eval(&pool, built, &assignment) != 0, expected, "{value} at {place} of {table:?}");
            }
        }
    }
}
