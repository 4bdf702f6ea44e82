//! Reads and writes of arrays.

use crate::arrays::{ArrayData, Read};
use crate::bits::mask;
use crate::node::{Array, BvOp, Node, Term};
use crate::pool::Pool;

/// How far below the top a store at the same index is looked for.
const OVERWRITE_WINDOW: usize = 8;

/// The byte at `index`, or the array with fewer stores from which it is to be read.
pub(crate) fn select(pool: &mut Pool, array: Array, index: Term) -> (Array, Option<Term>) {
    match pool.read(array, index) {
        Read::Value(value) => (array, Some(value)),
        Read::Rest(rest) => (rest, select_bottom(pool, rest, index)),
    }
}

fn select_bottom(pool: &mut Pool, array: Array, index: Term) -> Option<Term> {
    match pool.as_const(index) {
        Some(at) => select_constant(pool, array, at as u64),
        None => select_uniform(pool, array, index).or_else(|| select_choice(pool, array, index)),
    }
}

/// table[c]  →  the byte, or 0 beyond the end; input[c]  →  0 beyond the end
fn select_constant(pool: &mut Pool, array: Array, at: u64) -> Option<Term> {
    let byte = match &pool.arrays[array] {
        ArrayData::Table { bytes, .. } => usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0),
        ArrayData::Input { size, .. } if at >= u64::from(*size) => 0,
        ArrayData::Input { .. } | ArrayData::Store(_) => return None,
    };
    Some(pool.constant(8, u128::from(byte)))
}

/// table[i]  →  the first byte, if every entry that i can reach equals it
fn select_uniform(pool: &mut Pool, array: Array, index: Term) -> Option<Term> {
    let ArrayData::Table { bytes, uniform_prefix, largest: _ } = &pool.arrays[array] else { return None };
    let first = bytes.first().copied().unwrap_or(0);
    let zero_everywhere = first == 0 && *uniform_prefix == bytes.len();
    let reached = |pool: &Pool| pool.max_value(index) < *uniform_prefix as u128;
    (zero_everywhere || *uniform_prefix > 1 && reached(pool)).then(|| pool.constant(8, u128::from(first)))
}

/// a[if p then c else d]  →  if p then a[c] else a[d], and with a constant added to the index, for tables and inputs:
/// a read at a constant is one byte, a read elsewhere depends on all of them
fn select_choice(pool: &mut Pool, array: Array, index: Term) -> Option<Term> {
    if let ArrayData::Store(_) = &pool.arrays[array] {
        return None;
    }
    let (base, offset) = pool.index_parts(index);
    let (cond, then, other) = two_values(pool, base?, 4)?;
    let place = |value: u64| value.wrapping_add(offset);
    let (then, other) = (pool.select_at(array, place(then)), pool.select_at(array, place(other)));
    Some(pool.ite(cond, then, other))
}

/// A term of up to 64 bits that is a choice between two constants; at most `levels` deep.
fn two_values(pool: &Pool, t: Term, levels: u32) -> Option<(Term, u64, u64)> {
    let below = |part: Term| if levels == 0 { None } else { two_values(pool, part, levels - 1) };
    match pool.node(t) {
        Node::Ite { cond, then, other } => Some((cond, pool.as_const(then)? as u64, pool.as_const(other)? as u64)),
        Node::ZExt { term, .. } if pool.width(term) == 1 => Some((term, 1, 0)),
        Node::ZExt { term, .. } => below(term),
        Node::Bin { op: BvOp::Add, a, b } => {
            let (cond, then, other) = below(a)?;
            let (add, width) = (pool.as_const(b)?, pool.width(t));
            let sum = |value: u64| (u128::from(value).wrapping_add(add) & mask(width)) as u64;
            Some((cond, sum(then), sum(other)))
        }
        _ => None,
    }
}

pub(crate) fn store(pool: &mut Pool, array: Array, index: Term, value: Term) -> Array {
    if store_is_there(pool, array, index, value) {
        return array;
    }
    match store_overwrites(pool, array, index, value) {
        Some(array) => array,
        None => pool.intern_store(array, index, value),
    }
}

/// store(a, i, a[i])  →  a
fn store_is_there(pool: &mut Pool, array: Array, index: Term, value: Term) -> bool {
    match pool.read(array, index) {
        Read::Value(old) => old == value,
        Read::Rest(rest) => match (pool.node(value), pool.as_const(index)) {
            (Node::Select { array: from, index: at }, _) => at == index && from == rest,
            (Node::Const { .. }, Some(at)) => select_constant(pool, rest, at as u64) == Some(value),
            _ => false,
        },
    }
}

/// store(store(store(a, i, u), j, v), i, w)  →  store(store(a, j, v), i, w), if i and j certainly differ
fn store_overwrites(pool: &mut Pool, array: Array, index: Term, value: Term) -> Option<Array> {
    let mut between = Vec::new();
    let mut below = array;
    while between.len() < OVERWRITE_WINDOW {
        let ArrayData::Store(old) = &pool.arrays[below] else { return None };
        let old = *old;
        below = old.array;
        if old.index == index {
            for (index, value) in between.into_iter().rev() {
                below = pool.intern_store(below, index, value);
            }
            return Some(pool.intern_store(below, index, value));
        }
        if !pool.never_equal(old.index, index) {
            return None;
        }
        between.push((old.index, old.value));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        pool: Pool,
        input: Array,
        /// Two unrelated symbolic indices below 256.
        i: Term,
        j: Term,
        value: Term,
    }

    fn fixture() -> Fixture {
        let mut pool = Pool::new();
        let (input, other) = (pool.input("x", 512), pool.input("y", 3));
        let bytes = [0, 1, 2].map(|at| pool.select_at(other, at));
        let (i, j) = (pool.zext(bytes[0], 64), pool.zext(bytes[1], 64));
        Fixture { pool, input, i, j, value: bytes[2] }
    }

    fn plus(pool: &mut Pool, t: Term, offset: u64) -> Term {
        let offset = pool.constant(64, u128::from(offset));
        pool.bin(BvOp::Add, t, offset)
    }

    fn plus_narrow(pool: &mut Pool, t: Term, offset: u128) -> Term {
        let offset = pool.constant(pool.width(t), offset);
        pool.bin(BvOp::Add, t, offset)
    }

    #[test]
    fn a_read_finds_the_store_at_its_index() {
        let Fixture { mut pool, input, i, j, value } = fixture();
        let stored = pool.store(input, i, value);
        assert_eq!(pool.select(stored, i), value);
        let read = pool.select(stored, j);
        assert_eq!(pool.node(read), Node::Select { array: stored, index: j });
    }

    #[test]
    fn a_read_passes_stores_that_are_certainly_elsewhere() {
        let Fixture { mut pool, input, i, j, value } = fixture();
        let (next, far) = (plus(&mut pool, i, 1), pool.constant(64, 300));
        let stored = pool.store(input, i, value);
        for elsewhere in [next, far] {
            let read = pool.select(stored, elsewhere);
            assert_eq!(pool.node(read), Node::Select { array: input, index: elsewhere });
        }
        let near = plus(&mut pool, j, 1);
        let read = pool.select(stored, near);
        assert_eq!(pool.node(read), Node::Select { array: stored, index: near });
    }

    #[test]
    fn a_read_passes_stores_at_other_places_of_its_stride() {
        let Fixture { mut pool, input, i, j, value } = fixture();
        let two = pool.constant(64, 2);
        let (i, j) = (pool.shl(i, two), pool.shl(j, two));
        let (third, second) = (plus(&mut pool, i, 2), plus(&mut pool, j, 1));
        let stored = pool.store(input, third, value);
        let read = pool.select(stored, second);
        assert_eq!(pool.node(read), Node::Select { array: input, index: second });
        let far = plus(&mut pool, j, 6);
        let read = pool.select(stored, far);
        assert_eq!(pool.node(read), Node::Select { array: stored, index: far });
    }

    #[test]
    fn reads_of_tables_at_constants_are_constants() {
        let Fixture { mut pool, input, i, .. } = fixture();
        let table = pool.table(&[7, 8]);
        for (at, byte) in [(0, 7), (1, 8), (2, 0), (u64::MAX, 0)] {
            let read = pool.select_at(table, at);
            assert_eq!(pool.as_const(read), Some(byte));
        }
        let (inside, outside) = (pool.select_at(input, 511), pool.select_at(input, 512));
        assert_eq!((pool.as_const(inside), pool.as_const(outside)), (None, Some(0)));
        let symbolic = pool.select(table, i);
        assert_eq!(pool.as_const(symbolic), None);
    }

    #[test]
    fn a_table_of_equal_entries_is_a_constant_where_the_index_stays_inside() {
        let Fixture { mut pool, i, .. } = fixture();
        let (long, short, zeros) = (pool.table(&[7; 256]), pool.table(&[7; 255]), pool.table(&[0; 3]));
        let reads = [long, short, zeros].map(|table| pool.select(table, i));
        assert_eq!(reads.map(|read| pool.as_const(read)), [Some(7), None, Some(0)]);
    }

    #[test]
    fn a_choice_of_constant_indices_becomes_a_choice_of_bytes() {
        let Fixture { mut pool, input, i, j, .. } = fixture();
        let (cond, one, two) = (pool.ult(i, j), pool.constant(64, 1), pool.constant(64, 2));
        let table = pool.table(&[9, 7, 8]);
        let index = pool.ite(cond, one, two);
        let (seven, eight) = (pool.constant(8, 7), pool.constant(8, 8));
        assert_eq!(pool.select(table, index), pool.ite(cond, seven, eight));
        let (first, second) = (pool.select_at(input, 1), pool.select_at(input, 2));
        assert_eq!(pool.select(input, index), pool.ite(cond, first, second));
        let bit = pool.zext(cond, 32);
        let moved = plus_narrow(&mut pool, bit, 1);
        let moved = pool.zext(moved, 64);
        let moved = plus(&mut pool, moved, u64::MAX);
        let zeroth = pool.select_at(input, 0);
        assert_eq!(pool.select(input, moved), pool.ite(cond, first, zeroth));
        let unknown = pool.ite(cond, i, two);
        let read = pool.select(input, unknown);
        assert_eq!(pool.node(read), Node::Select { array: input, index: unknown });
        let stored = pool.store(input, i, seven);
        let read = pool.select(stored, index);
        assert_eq!(pool.node(read), Node::Select { array: stored, index });
    }

    #[test]
    fn storing_what_is_there_changes_nothing() {
        let Fixture { mut pool, input, i, j, value } = fixture();
        let there = pool.select(input, i);
        assert_eq!(pool.store(input, i, there), input);
        assert_ne!(pool.store(input, j, there), input);
        let table = pool.table(&[7, 8]);
        let (one, eight, nine) = (pool.constant(64, 1), pool.constant(8, 8), pool.constant(8, 9));
        assert_eq!(pool.store(table, one, eight), table);
        assert_ne!(pool.store(table, one, nine), table);
        let stored = pool.store(input, j, value);
        assert_eq!(pool.store(stored, j, value), stored);
        // The store at j may have changed the byte at i.
        assert_ne!(pool.store(stored, i, there), stored);
    }

    #[test]
    fn a_store_replaces_an_older_one_at_its_index() {
        let Fixture { mut pool, input, i, j, value } = fixture();
        let next = plus(&mut pool, i, 1);
        let seven = pool.constant(8, 7);
        let once = pool.store(input, i, value);
        let twice = pool.store(once, next, value);
        let again = pool.store(twice, i, seven);
        let (short, expected) = (pool.store(input, next, value), again);
        assert_eq!(pool.store(short, i, seven), expected);
        let unknown = pool.store(once, j, value);
        let kept = pool.store(unknown, i, seven);
        let ArrayData::Store(top) = &pool.arrays[kept] else { panic!("a store") };
        assert_eq!(top.array, unknown);
    }

    #[test]
    fn reads_of_a_long_chain_find_the_newest_value() {
        let Fixture { mut pool, input, i, .. } = fixture();
        let mut array = input;
        for round in 0..3u64 {
            for at in 0..1000 {
                let (index, byte) = (plus(&mut pool, i, at), pool.constant(8, u128::from(at + 7 * round)));
                array = pool.store(array, index, byte);
            }
        }
        for at in 0..1000 {
            let index = plus(&mut pool, i, at);
            let read = pool.select(array, index);
            assert_eq!(pool.as_const(read), Some(u128::from(at + 14) & 0xff));
        }
        let beyond = plus(&mut pool, i, 1000);
        let read = pool.select(array, beyond);
        assert_eq!(pool.node(read), Node::Select { array: input, index: beyond });
    }
}
