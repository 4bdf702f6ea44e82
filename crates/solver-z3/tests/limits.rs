//! Hard queries end in time, and large inputs are encoded rightly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver};
use osier_solver_z3::{Z3, Z3Config};
use osier_term::{Array, Assignment, Pool, Term, eval};

fn word(pool: &mut Pool, input: Array, size: u64) -> Term {
    let mut word = pool.select_at(input, 0);
    for i in 1..size {
        let byte = pool.select_at(input, i);
        word = pool.concat(byte, word);
    }
    word
}

/// Two factors of a product of two primes of 32 bits.
fn hard(pool: &mut Pool) -> Vec<Term> {
    let (p, q) = (pool.input("p", 4), pool.input("q", 4));
    let (p, q) = (word(pool, p, 4), word(pool, q, 4));
    let (wide_p, wide_q) = (pool.zext(p, 64), pool.zext(q, 64));
    let product = pool.mul(wide_p, wide_q);
    let semiprime = pool.constant(64, 3_037_000_493 * 2_654_435_761);
    vec![pool.eq(product, semiprime), pool.ult(p, q)]
}

#[test]
fn a_timeout_holds_and_the_backend_lives_on() {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let mut solver = Z3::new(Z3Config::default());
    solver.set_timeout(Some(Duration::from_millis(200)));
    let start = Instant::now();
    let answer = solver.check(&mut pool, &Query::of(&constraints)).unwrap();
    let taken = start.elapsed();
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
    assert!(taken < Duration::from_secs(5), "took {taken:?}");
    let easy = solver.check(&mut pool, &Query::of(&constraints[1..])).unwrap();
    assert!(matches!(easy, Answer::Sat(_)), "{easy:?}");
}

#[test]
fn an_interrupt_from_outside_ends_a_query() {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let interrupt = Arc::new(AtomicBool::new(true));
    let mut solver = Z3::new(Z3Config { interrupt: Some(interrupt) });
    let answer = solver.check(&mut pool, &Query::of(&constraints)).unwrap();
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
}

fn model_of(pool: &mut Pool, solver: &mut Z3, constraints: &[Term]) -> Option<Assignment> {
    match solver.check(pool, &Query::of(constraints)).unwrap() {
        Answer::Sat(model) => {
            for &c in constraints {
                assert_eq!(eval(pool, c, &model), 1, "{} does not hold", pool.display(c));
            }
            Some(model)
        }
        Answer::Unsat => None,
        Answer::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

/// Reads of one input at constant and at symbolic indices, in both orders, must speak of the same bytes; at every size,
/// that is under both encodings.
#[test]
fn constant_and_symbolic_reads_of_an_input_agree() {
    for size in [3, 256, 257, 5000] {
        let mut pool = Pool::new();
        let (data, at) = (pool.input("data", size), pool.input("at", 8));
        let at = word(&mut pool, at, 8);
        let (end, seven, nine) = (pool.constant(64, size.into()), pool.constant(8, 7), pool.constant(8, 9));
        let inside = pool.ult(at, end);
        let (second, last) = (pool.select_at(data, 1), pool.select_at(data, u64::from(size) - 1));
        let read = pool.select(data, at);
        let (second_is_7, last_is_9) = (pool.eq(second, seven), pool.eq(last, nine));
        let (read_is_7, read_is_9) = (pool.eq(read, seven), pool.eq(read, nine));
        let (one, top) = (pool.constant(64, 1), pool.constant(64, u128::from(size) - 1));
        let (at_second, at_last) = (pool.eq(at, one), pool.eq(at, top));
        let outside = pool.not(inside);
        let mut solver = Z3::new(Z3Config::default());
        let mut sat = |constraints: &[Term]| model_of(&mut pool, &mut solver, constraints).is_some();
        assert!(sat(&[second_is_7]));
        assert!(sat(&[second_is_7, at_second, read_is_7]), "size {size}");
        assert!(!sat(&[second_is_7, at_second, read_is_9]), "size {size}");
        assert!(sat(&[inside, read_is_9, last_is_9]), "size {size}");
        assert!(!sat(&[at_last, read_is_7, last_is_9]), "size {size}");
        assert!(!sat(&[outside, read_is_7]), "reads beyond the end give zero, size {size}");
    }
}

#[test]
fn stores_at_symbolic_indices_hide_what_was_there() {
    let mut pool = Pool::new();
    let (data, at) = (pool.input("data", 4), pool.input("at", 1));
    let index = pool.select_at(at, 0);
    let index = pool.zext(index, 64);
    let (seven, nine, two) = (pool.constant(8, 7), pool.constant(8, 9), pool.constant(64, 2));
    let stored = pool.store(data, index, seven);
    let stored_twice = pool.store(stored, two, nine);
    let (old, new) = (pool.select_at(stored, 2), pool.select_at(stored_twice, 2));
    let here = pool.eq(index, two);
    let elsewhere = pool.not(here);
    let original = pool.select_at(data, 2);
    let (old_is_7, new_is_9) = (pool.eq(old, seven), pool.eq(new, nine));
    let (kept, not_9) = (pool.ne(old, original), pool.not(new_is_9));
    let read = pool.select(stored_twice, index);
    let read_is_9 = pool.eq(read, nine);
    let mut solver = Z3::new(Z3Config::default());
    let mut sat = |constraints: &[Term]| model_of(&mut pool, &mut solver, constraints).is_some();
    assert!(sat(&[here, old_is_7]));
    assert!(!sat(&[elsewhere, kept]));
    assert!(!sat(&[not_9]));
    assert!(sat(&[read_is_9]));
    assert!(!sat(&[read_is_9, elsewhere]));
}
