//! Which encoding a read gets, and that each finds what is there.

use std::collections::BTreeSet;
use std::time::Duration;

use osier_solver::{Answer, ArrayReads, Query, Reason, Solver, Statistics};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_term::{Array, Evaluator, Pool, Term};

/// The bytes that a read at an index of one symbolic byte plus `first` can find, and how the read was encoded.
fn found(make: impl FnOnce(&mut Pool) -> Array, first: u128) -> (Vec<u8>, ArrayReads) {
    let mut pool = Pool::new();
    let array = make(&mut pool);
    let at = pool.input("at", 2);
    let (byte, nothing) = (pool.select_at(at, 0), pool.select_at(at, 1));
    let (wide, first) = (pool.zext(byte, 64), pool.constant(64, first));
    let index = pool.add(wide, first);
    let read = pool.select(array, index);
    // A plain comparison with a constant would become one of the index before anybody encodes it.
    let (zero, sum) = (pool.constant(8, 0), pool.add(read, nothing));
    let is_nothing = pool.eq(nothing, zero);
    let mut solver = Bitwuzla::new(BitwuzlaConfig::default());
    let mut bytes = vec![];
    for value in 0..=255u8 {
        let wanted = pool.constant(8, value.into());
        let condition: Term = pool.eq(sum, wanted);
        match solver.check(&mut pool, &Query::of(&[is_nothing, condition])).unwrap() {
            Answer::Sat(model) => {
                assert_eq!(Evaluator::new(&pool, &model).eval(condition), 1, "{value} is not where the model says");
                bytes.push(value);
            }
            Answer::Unsat => {}
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
    let mut counted = Statistics::default();
    solver.statistics(&mut counted);
    (bytes, counted.arrays)
}

fn table(bytes: Vec<u8>) -> impl FnOnce(&mut Pool) -> Array {
    move |pool| pool.table(&bytes)
}

#[test]
fn a_table_with_few_entries_is_a_choice() {
    let mut sparse = vec![7; 300];
    (sparse[3], sparse[200], sparse[299]) = (1, 9, 4);
    let (bytes, reads) = found(table(sparse.clone()), 0);
    assert_eq!(bytes, [1, 7, 9], "the last entry is out of reach");
    assert!(reads.choice > 0 && reads.tree == 0 && reads.theory == 0, "{reads:?}");
    // Where the end can be passed, the zeros beyond it are what stands nearly everywhere, or there is no choice.
    assert_eq!(found(table(sparse), 60).0, [0, 4, 7, 9]);
    let mut zeros = vec![0; 100];
    zeros[99] = 5;
    let (bytes, reads) = found(table(zeros), 0);
    assert_eq!(bytes, [0, 5]);
    assert!(reads.choice > 0 && reads.tree == 0, "{reads:?}");
}

#[test]
fn a_table_of_many_entries_is_a_tree() {
    let (bytes, reads) = found(table((0..100).map(|i| i * 2 + 1).collect()), 0);
    assert_eq!(bytes, [vec![0], (0..100).map(|i| i * 2 + 1).collect()].concat());
    assert!(reads.tree > 0 && reads.choice == 0 && reads.theory == 0, "{reads:?}");
}

#[test]
fn an_input_is_a_tree_if_it_is_small_and_an_array_if_it_is_not() {
    let (bytes, reads) = found(|pool| pool.input("small", 64), 0);
    assert_eq!(bytes.len(), 256);
    assert!(reads.tree > 0 && reads.theory == 0, "{reads:?}");
    let (bytes, reads) = found(|pool| pool.input("large", 1000), 0);
    assert_eq!(bytes.len(), 256);
    assert!(reads.theory > 0 && reads.tree == 0, "{reads:?}");
}

#[test]
fn of_a_large_table_only_what_can_be_reached_is_there() {
    let bytes: Vec<u8> = (0..4000u32).map(|at| (at * at / 8) as u8).collect();
    for first in [0, 1000, 3900] {
        let (found, reads) = found(table(bytes.clone()), first as u128);
        let expected: BTreeSet<u8> = (first..first + 256).map(|at| bytes.get(at).copied().unwrap_or(0)).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "from {first}");
        assert!(reads.tree > 0 && reads.theory == 0, "{reads:?}");
    }
}

#[test]
fn what_was_translated_when_the_time_was_over_serves_the_next_query() {
    let mut pool = Pool::new();
    let bytes: Vec<u8> = (0..32).map(|at| at * 7 + 1).collect();
    let (table, input) = (pool.table(&bytes), pool.input("at", 1));
    let byte = pool.select_at(input, 0);
    let index = pool.zext(byte, 64);
    let (read, nine) = (pool.select(table, index), pool.constant(8, 9));
    let (sum, product) = (pool.add(read, byte), pool.mul(byte, nine));
    let condition = pool.eq(sum, product);
    let mut solver = Bitwuzla::new(BitwuzlaConfig::default());
    let mut ask = |limit| {
        solver.set_timeout(limit);
        let answer = solver.check(&mut pool, &Query::of(&[condition])).unwrap();
        let mut counted = Statistics::default();
        solver.statistics(&mut counted);
        (answer, counted.arrays.tree)
    };
    assert!(
        matches!(ask(Some(Duration::ZERO)), (Answer::Unknown(Reason::Timeout), 0)),
        "nothing is begun without time"
    );
    assert!(matches!(ask(None), (Answer::Sat(_), 1)));
}
