//! Keys of slices: the same under other names, and never the same for slices that differ by more than names.

use crate::canonical::{Canonical, Forms};
use crate::set_table::SetTable;
use crate::slices::support_of;
use crate::store::{decode, encode};
use osier_term::{Array, Assignment, BvOp, CmpOp, Pool, Term, eval};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashMap;

/// A byte-sized value, by a recipe.
#[derive(Clone, Debug)]
enum Value {
    /// One of three bytes that are read by constant indices only.
    Byte(usize),
    /// One of the two bytes of an array that is read at symbolic indices too.
    Element(u64),
    Read(Box<Value>),
    /// A read after a store.
    Stored {
        at: Box<Value>,
        value: Box<Value>,
        read: Box<Value>,
    },
    Table(Box<Value>, u8),
    Constant(u8),
    Bin(BvOp, Box<Value>, Box<Value>),
    Ite(Box<Condition>, Box<Value>, Box<Value>),
}

#[derive(Clone, Debug)]
struct Condition {
    op: CmpOp,
    negated: bool,
    a: Value,
    b: Value,
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => (0..3usize).prop_map(Value::Byte),
        1 => (0..2u64).prop_map(Value::Element),
        2 => (0..5u8).prop_map(Value::Constant),
    ];
    let ops = prop::sample::select(vec![BvOp::Add, BvOp::Sub, BvOp::Mul, BvOp::UDiv, BvOp::Xor, BvOp::And]);
    leaf.prop_recursive(3, 10, 3, move |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let compared = || (prop::sample::select(&CmpOp::ALL[..]), any::<bool>(), inner.clone(), inner.clone());
        prop_oneof![
            4 => (ops.clone(), boxed(), boxed()).prop_map(|(op, a, b)| Value::Bin(op, a, b)),
            1 => boxed().prop_map(Value::Read),
            1 => (boxed(), boxed(), boxed()).prop_map(|(at, value, read)| Value::Stored { at, value, read }),
            1 => (boxed(), 0..3u8).prop_map(|(index, table)| Value::Table(index, table)),
            1 => (compared(), boxed(), boxed()).prop_map(|((op, negated, a, b), then, other)| {
                Value::Ite(Box::new(Condition { op, negated, a, b }), then, other)
            }),
        ]
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    (prop::sample::select(&CmpOp::ALL[..]), any::<bool>(), value(), value()).prop_map(|(op, negated, a, b)| Condition {
        op,
        negated,
        a,
        b,
    })
}

fn slice() -> impl Strategy<Value = Vec<Condition>> {
    prop::collection::vec(condition(), 1..4)
}

/// What the bytes of a recipe are called.
struct Names {
    bytes: [(Array, u64); 3],
    array: Array,
}

fn build(pool: &mut Pool, names: &Names, value: &Value) -> Term {
    match value {
        Value::Byte(i) => pool.select_at(names.bytes[*i].0, names.bytes[*i].1),
        Value::Element(at) => pool.select_at(names.array, *at),
        Value::Constant(value) => pool.constant(8, u128::from(*value)),
        Value::Read(index) => {
            let index = build_index(pool, names, index);
            pool.select(names.array, index)
        }
        Value::Stored { at, value, read } => {
            let (at, value) = (build_index(pool, names, at), build(pool, names, value));
            let read = build_index(pool, names, read);
            let array = pool.store(names.array, at, value);
            pool.select(array, read)
        }
        Value::Table(index, number) => {
            let index = build_index(pool, names, index);
            let table = pool.table(&[3, 1 + number, 2, 0, 4]);
            pool.select(table, index)
        }
        Value::Bin(op, a, b) => {
            let (a, b) = (build(pool, names, a), build(pool, names, b));
            pool.bin(*op, a, b)
        }
        Value::Ite(condition, then, other) => {
            let condition = build_condition(pool, names, condition);
            let (then, other) = (build(pool, names, then), build(pool, names, other));
            pool.ite(condition, then, other)
        }
    }
}

fn build_index(pool: &mut Pool, names: &Names, index: &Value) -> Term {
    let index = build(pool, names, index);
    pool.zext(index, 64)
}

fn build_condition(pool: &mut Pool, names: &Names, condition: &Condition) -> Term {
    let (a, b) = (build(pool, names, &condition.a), build(pool, names, &condition.b));
    let compared = pool.cmp(condition.op, a, b);
    if condition.negated { pool.not(compared) } else { compared }
}

fn build_slice(pool: &mut Pool, names: &Names, slice: &[Condition]) -> Vec<Term> {
    let mut terms: Vec<Term> = slice.iter().map(|c| build_condition(pool, names, c)).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

fn plain_names(pool: &mut Pool) -> Names {
    let (x, array) = (pool.input("x", 3), pool.input("a", 2));
    Names { bytes: [(x, 0), (x, 1), (x, 2)], array }
}

/// In other objects, at other offsets, but in the same order; and behind terms that have nothing to do with it.
fn other_names(pool: &mut Pool, gap: u64) -> Names {
    let junk = pool.input("junk", 9);
    let (first, second) = (pool.select_at(junk, 3), pool.select_at(junk, 8));
    pool.mul(first, second);
    let (y, z) = (pool.input("y", 7), pool.input("z", 900));
    let array = pool.input("b", 2);
    Names { bytes: [(y, gap), (z, gap), (z, gap + 77)], array }
}

fn canonical(pool: &mut Pool, terms: &[Term]) -> Canonical {
    Forms::new(1000, SetTable::new(1000)).canonical(pool, terms)
}

/// Every assignment in which the bytes of the recipe have values below 4.
fn small_assignments(names: &Names) -> impl Iterator<Item = Assignment> + '_ {
    (0..1u32 << 10).map(|number| {
        let digit = |i: u32| (number >> (2 * i) & 3) as u8;
        let mut assignment = Assignment::new();
        for (i, &(array, at)) in names.bytes.iter().enumerate() {
            assignment.set_byte(array, 1000, at as u32, digit(i as u32));
        }
        assignment.set(names.array, vec![digit(3), digit(4)].into());
        assignment
    })
}

fn solutions(pool: &Pool, names: &Names, terms: &[Term]) -> Vec<Assignment> {
    small_assignments(names).filter(|model| terms.iter().all(|&c| eval(pool, c, model) != 0)).collect()
}

proptest! {
    #[test]
    fn the_key_does_not_depend_on_names(slice in slice(), gap in 0u64..6) {
        let (mut pool, mut other) = (Pool::new(), Pool::new());
        let names = plain_names(&mut pool);
        let terms = build_slice(&mut pool, &names, &slice);
        let names = other_names(&mut other, gap);
        let renamed = build_slice(&mut other, &names, &slice);
        prop_assert_eq!(canonical(&mut pool, &terms).key, canonical(&mut other, &renamed).key);
    }

    #[test]
    fn the_order_of_constraints_does_not_matter(slice in slice()) {
        let mut pool = Pool::new();
        let names = plain_names(&mut pool);
        let mut terms = build_slice(&mut pool, &names, &slice);
        let key = canonical(&mut pool, &terms).key;
        terms.reverse();
        prop_assert_eq!(canonical(&mut pool, &terms).key, key);
    }
}

/// The first slice with its key.
struct First {
    /// Of solutions.
    count: usize,
    model: Option<Box<[u8]>>,
    slice: Vec<Condition>,
}

/// Slices that share a key have as many solutions, and a model of the first, written down and read back under the names
/// of another, is a model of that one. Bytes are permuted at random, so that keys are shared often.
#[test]
fn one_key_means_one_answer() {
    let mut first_of: HashMap<crate::Key, First> = HashMap::new();
    let mut shared = 0;
    let strategy = (prop::collection::vec(condition(), 1..3), Just([0usize, 1, 2]).prop_shuffle());
    let mut runner = TestRunner::deterministic();
    let mut check = |slice: &Vec<Condition>, order: [usize; 3]| {
        let mut pool = Pool::new();
        let mut names = other_names(&mut pool, 2);
        names.bytes = order.map(|i| names.bytes[i]);
        let terms = build_slice(&mut pool, &names, slice);
        let this = canonical(&mut pool, &terms);
        let found = solutions(&pool, &names, &terms);
        let Some(First { count, model, slice: other }) = first_of.get(&this.key) else {
            let support = support_of(&mut pool, &terms);
            let model = found.first().map(|model| encode(&this, model, &support, &pool));
            first_of.insert(this.key, First { count: found.len(), model, slice: slice.clone() });
            return;
        };
        shared += 1;
        assert_eq!(*count, found.len(), "{slice:?} has the key of {other:?}");
        if let Some(bytes) = model {
            let model = decode(&this, bytes, &pool).expect("the same places");
            assert!(terms.iter().all(|&c| eval(&pool, c, &model) != 0), "the model of {other:?} for {slice:?}");
        }
    };
    for _ in 0..3000 {
        let (slice, order) = strategy.new_tree(&mut runner).expect("a slice").current();
        check(&slice, order);
        check(&slice, [order[1], order[2], order[0]]);
    }
    assert!(shared > 2000, "only {shared} of 6000 slices share their key with another");
}

#[test]
fn neighbours_tell_constraints_of_one_form_apart() {
    // b0 < b1, b1 < b2, b2 / b1 == 6, each byte not 9: the order of the bytes in the pool is not the order of the chain.
    let key = |order: [u64; 3]| {
        let mut pool = Pool::new();
        let input = pool.input("x", 3);
        let [a, b, c] = order.map(|at| pool.select_at(input, at));
        let (six, nine) = (pool.constant(8, 6), pool.constant(8, 9));
        let quotient = pool.bin(BvOp::UDiv, c, b);
        let mut terms = vec![pool.ult(a, b), pool.ult(b, c), pool.eq(quotient, six)];
        terms.extend([a, b, c].map(|byte| pool.ne(byte, nine)));
        canonical(&mut pool, &terms).key
    };
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(key(order), key([0, 1, 2]), "{order:?}");
    }
}

#[test]
fn operands_are_put_in_order_by_what_they_are() {
    let key = |order: [u64; 3]| {
        let mut pool = Pool::new();
        let input = pool.input("x", 3);
        let [a, b, c] = order.map(|at| pool.select_at(input, at));
        let quotient = pool.bin(BvOp::UDiv, b, c);
        let product = pool.mul(a, quotient);
        let six = pool.constant(8, 6);
        let terms = [pool.eq(product, six)];
        canonical(&mut pool, &terms).key
    };
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(key(order), key([0, 1, 2]), "{order:?}");
    }
}

#[test]
fn it_does_not_matter_how_the_values_of_a_byte_are_told() {
    let mut pool = Pool::new();
    let input = pool.input("x", 2);
    let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
    let numbers = [0, 1, 2, 3].map(|value| pool.constant(8, value));
    let apart = pool.ult(a, b);
    let [no0, no1, no2] = [0, 1, 2].map(|i| pool.ne(a, numbers[i]));
    let [above2, above1] = [2, 1].map(|i| pool.ult(numbers[i], a));
    let one_by_one = canonical(&mut pool, &[apart, no0, no1, no2]);
    let at_once = canonical(&mut pool, &[apart, above2]);
    let other = canonical(&mut pool, &[apart, above1]);
    assert_eq!(one_by_one.key, at_once.key);
    assert_ne!(one_by_one.key, other.key);
    assert_eq!(one_by_one.core, other.core);
}

#[test]
fn what_matters_is_in_the_key() {
    let mut keys = Vec::new();
    let mut pool = Pool::new();
    let (x, y) = (pool.input("x", 4), pool.input("y", 5));
    let (x0, x1, y0) = (pool.select_at(x, 0), pool.select_at(x, 1), pool.select_at(y, 0));
    let index = pool.zext(y0, 64);
    let (five, six) = (pool.constant(8, 5), pool.constant(8, 6));
    let (from_x, below) = (pool.select(x, index), pool.ult(y0, five));
    let x0_index = pool.zext(x0, 64);
    let from_y = pool.select(y, x0_index);
    let (one, other) = (pool.table(&[1, 2, 5]), pool.table(&[1, 2, 6, 5]));
    let (from_one, from_other) = (pool.select(one, index), pool.select(other, index));
    let read_is_five = pool.eq(from_x, five);
    for terms in [
        vec![pool.ult(x0, five)],
        vec![pool.ult(x0, six)],
        vec![pool.slt(x0, five)],
        vec![pool.ult(five, x0)],
        vec![pool.ult(x0, x1)],
        vec![pool.ult(x0, five), pool.ult(x1, five)],
        vec![pool.ult(x0, five), pool.ult(x1, six)],
        vec![pool.ult(x0, five), pool.ult(six, x0)],
        vec![pool.ult(x0, five), pool.ult(six, x1)],
        // The index is a byte of another array, and of the array itself; arrays of different sizes.
        vec![read_is_five],
        vec![pool.eq(from_y, five)],
        // Bytes of the array keep their offsets.
        vec![read_is_five, pool.eq(x0, six), below],
        vec![read_is_five, pool.eq(x1, six), below],
        vec![pool.eq(from_one, five)],
        vec![pool.eq(from_other, five)],
    ] {
        keys.push(canonical(&mut pool, &terms).key);
    }
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}
