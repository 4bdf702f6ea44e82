//! This backend gives up early: large queries are refused and conflicts are limited, and what it forgets changes nothing.

use osier_solver::{Answer, Query, Reason, Solver, Statistics};
use osier_solver_sat::{Sat, SatConfig};
use osier_solver_testing::cases::{hard, has_solution, word};
use osier_term::{Pool, Term};

const ENDLESS: SatConfig = SatConfig { interrupt: None, conflicts: None };

fn ask(pool: &mut Pool, solver: &mut Sat, constraints: &[Term]) -> Answer {
    solver.check(pool, &Query::of(constraints)).unwrap()
}

#[test]
fn conflicts_are_limited_query_by_query() {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let mut solver = Sat::new(SatConfig { interrupt: None, conflicts: Some(50) });
    for _ in 0..3 {
        let answer = ask(&mut pool, &mut solver, &constraints);
        assert!(matches!(answer, Answer::Unknown(Reason::Incomplete(_))), "{answer:?}");
        assert!(has_solution(&mut solver, &mut pool, &constraints[1..]));
    }
    let mut counted = Statistics::default();
    solver.statistics(&mut counted);
    assert_eq!(counted.solved, 3, "what stayed open is not counted as solved");
}

#[test]
fn a_read_of_a_huge_array_is_refused_and_the_backend_lives_on() {
    let mut pool = Pool::new();
    let (data, at) = (pool.input("data", 100_000), pool.input("at", 4));
    let index = word(&mut pool, at, 4);
    let index = pool.zext(index, 64);
    let (read, seven) = (pool.select(data, index), pool.constant(8, 7));
    let (is_7, first) = (pool.eq(read, seven), pool.select_at(data, 0));
    let first_is_7 = pool.eq(first, seven);
    let mut solver = Sat::new(ENDLESS);
    let answer = ask(&mut pool, &mut solver, &[first_is_7, is_7]);
    assert!(matches!(answer, Answer::Unknown(Reason::Incomplete(_))), "{answer:?}");
    assert!(has_solution(&mut solver, &mut pool, &[first_is_7]));
}

/// Asked again, a query that is too large does not creep in piece by piece.
#[test]
fn a_huge_query_is_refused_every_time() {
    let mut pool = Pool::new();
    let (x, y) = (pool.input("x", 16), pool.input("y", 16));
    let (x, y) = (word(&mut pool, x, 16), word(&mut pool, y, 16));
    let mut product = y;
    for k in 0..30 {
        let k = pool.constant(128, k);
        let factor = pool.add(x, k);
        product = pool.mul(product, factor);
    }
    let is_x = pool.eq(product, x);
    let less = pool.ult(x, y);
    let mut solver = Sat::new(SatConfig { interrupt: None, conflicts: Some(1) });
    for _ in 0..4 {
        let answer = ask(&mut pool, &mut solver, &[less, is_x]);
        let Answer::Unknown(Reason::Incomplete(why)) = answer else { panic!("{answer:?}") };
        assert!(why.contains("too large"), "{why}");
        assert!(has_solution(&mut solver, &mut pool, &[less]));
    }
}

#[test]
fn a_long_chain_of_stores_is_refused() {
    let mut pool = Pool::new();
    let at = pool.input("at", 4);
    let index = word(&mut pool, at, 4);
    let index = pool.zext(index, 64);
    let mut array = pool.input("data", 16);
    for k in 0..2000u128 {
        let (k, value) = (pool.constant(64, k * 3), pool.constant(8, k & 255));
        let stored_at = pool.add(index, k);
        array = pool.store(array, stored_at, value);
    }
    let (five, seven) = (pool.constant(64, 5), pool.constant(8, 7));
    let read = pool.select(array, five);
    let is_7 = pool.eq(read, seven);
    let answer = ask(&mut pool, &mut Sat::new(ENDLESS), &[is_7]);
    assert!(matches!(answer, Answer::Unknown(Reason::Incomplete(_))), "{answer:?}");
}

/// More gates than are remembered at once, so that all is forgotten in between; a term from the first query comes back.
#[test]
fn forgetting_changes_no_answer() {
    let mut pool = Pool::new();
    let input = pool.input("x", 32);
    let (a, b) = (word(&mut pool, input, 16), pool.input("y", 16));
    let b = word(&mut pool, b, 16);
    let first = pool.ult(a, b);
    let not_first = pool.not(first);
    let mut solver = Sat::new(ENDLESS);
    assert!(has_solution(&mut solver, &mut pool, &[first]));
    for k in 0..50u128 {
        let k = pool.constant(128, (k * 0x9e37_79b9_7f4a_7c15_f39c) | 1);
        let (shifted, one) = (pool.add(a, k), pool.constant(128, 1));
        let product = pool.mul(shifted, b);
        let trivial = pool.eq(b, one);
        let same = pool.eq(product, shifted);
        let differ = pool.not(same);
        assert!(has_solution(&mut solver, &mut pool, &[trivial, same]));
        assert!(!has_solution(&mut solver, &mut pool, &[trivial, differ]));
        assert!(!has_solution(&mut solver, &mut pool, &[first, not_first]));
    }
}
