//! Hard queries end in time, large ones are refused, and arrays of all sizes are encoded rightly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver, Statistics};
use osier_solver_sat::{Sat, SatConfig};
use osier_term::{Array, Pool, Term, eval};

const ENDLESS: SatConfig = SatConfig { interrupt: None, conflicts: None };

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

fn ask(pool: &mut Pool, solver: &mut Sat, constraints: &[Term]) -> Answer {
    solver.check(pool, &Query::of(constraints)).unwrap()
}

/// Whether there is a solution; one that is given must be one.
fn has_solution(pool: &mut Pool, solver: &mut Sat, constraints: &[Term]) -> bool {
    match ask(pool, solver, constraints) {
        Answer::Sat(model) => {
            for &c in constraints {
                assert_eq!(eval(pool, c, &model), 1, "{} does not hold", pool.display(c));
            }
            true
        }
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

#[test]
fn a_timeout_holds_and_the_backend_lives_on() {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let mut solver = Sat::new(ENDLESS);
    solver.set_timeout(Some(Duration::from_millis(200)));
    let start = Instant::now();
    let answer = ask(&mut pool, &mut solver, &constraints);
    let taken = start.elapsed();
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
    assert!(taken < Duration::from_secs(5), "took {taken:?}");
    assert!(has_solution(&mut pool, &mut solver, &constraints[1..]));
}

#[test]
fn conflicts_are_limited_query_by_query() {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let mut solver = Sat::new(SatConfig { interrupt: None, conflicts: Some(50) });
    for _ in 0..3 {
        let answer = ask(&mut pool, &mut solver, &constraints);
        assert!(matches!(answer, Answer::Unknown(Reason::Incomplete(_))), "{answer:?}");
        assert!(has_solution(&mut pool, &mut solver, &constraints[1..]));
    }
    let mut counted = Statistics::default();
    solver.statistics(&mut counted);
    assert_eq!(counted.solved, 3, "what stayed open is not counted as solved");
}

#[test]
fn an_interrupt_from_outside_ends_a_query() {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut solver = Sat::new(SatConfig { interrupt: Some(Arc::clone(&interrupt)), conflicts: None });
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupt.store(true, Ordering::Relaxed);
    });
    let answer = ask(&mut pool, &mut solver, &constraints);
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
    other.join().unwrap();
    let answer = ask(&mut pool, &mut solver, &constraints[1..]);
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "still set: {answer:?}");
}

#[test]
fn the_empty_query_is_true_and_a_constant_is_itself() {
    let mut pool = Pool::new();
    let (yes, no) = (pool.truth(true), pool.truth(false));
    let mut solver = Sat::new(ENDLESS);
    assert!(has_solution(&mut pool, &mut solver, &[]));
    assert!(has_solution(&mut pool, &mut solver, &[yes]));
    assert!(!has_solution(&mut pool, &mut solver, &[yes, no]));
    assert!(has_solution(&mut pool, &mut solver, &[yes]));
}

/// Reads of one input at constant and at symbolic indices, in both orders, must speak of the same bytes.
#[test]
fn constant_and_symbolic_reads_of_an_input_agree() {
    for size in [1, 2, 3, 255, 256, 257, 1000] {
        let mut pool = Pool::new();
        let (data, at) = (pool.input("data", size), pool.input("at", 8));
        let at = word(&mut pool, at, 8);
        let (end, seven, nine) = (pool.constant(64, size.into()), pool.constant(8, 7), pool.constant(8, 9));
        let inside = pool.ult(at, end);
        let outside = pool.not(inside);
        let (last, read) = (pool.select_at(data, u64::from(size) - 1), pool.select(data, at));
        let last_is_9 = pool.eq(last, nine);
        let (read_is_7, read_is_9) = (pool.eq(read, seven), pool.eq(read, nine));
        let top = pool.constant(64, u128::from(size) - 1);
        let at_last = pool.eq(at, top);
        let mut solver = Sat::new(ENDLESS);
        let mut sat = |constraints: &[Term]| has_solution(&mut pool, &mut solver, constraints);
        assert!(sat(&[last_is_9]));
        assert!(sat(&[at_last, read_is_7]), "size {size}");
        assert!(sat(&[inside, read_is_9, last_is_9]), "size {size}");
        assert!(!sat(&[at_last, read_is_7, last_is_9]), "size {size}");
        assert!(!sat(&[outside, read_is_7]), "reads beyond the end give zero, size {size}");
    }
}

#[test]
fn a_table_is_read_at_every_index() {
    let bytes: Vec<u8> = (0..=255u8).map(|i| i.wrapping_mul(37) ^ (i >> 3)).collect();
    let mut pool = Pool::new();
    let (table, input) = (pool.table(&bytes[..200]), pool.input("i", 1));
    let byte = pool.select_at(input, 0);
    let index = pool.zext(byte, 64);
    let read = pool.select(table, index);
    let mut solver = Sat::new(ENDLESS);
    for i in 0..=255u8 {
        let expected = if i < 200 { bytes[usize::from(i)] } else { 0 };
        let (i, expected) = (pool.constant(8, i.into()), pool.constant(8, expected.into()));
        let here = pool.eq(byte, i);
        let (right, wrong) = (pool.eq(read, expected), pool.ne(read, expected));
        assert!(has_solution(&mut pool, &mut solver, &[here, right]));
        assert!(!has_solution(&mut pool, &mut solver, &[here, wrong]));
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
    let mut solver = Sat::new(ENDLESS);
    let mut sat = |constraints: &[Term]| has_solution(&mut pool, &mut solver, constraints);
    assert!(sat(&[here, old_is_7]));
    assert!(!sat(&[elsewhere, kept]));
    assert!(!sat(&[not_9]));
    assert!(sat(&[read_is_9]));
    assert!(!sat(&[read_is_9, elsewhere]));
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
    assert!(has_solution(&mut pool, &mut solver, &[first_is_7]));
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
        assert!(has_solution(&mut pool, &mut solver, &[less]));
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
    assert!(has_solution(&mut pool, &mut solver, &[first]));
    for k in 0..50u128 {
        let k = pool.constant(128, (k * 0x9e37_79b9_7f4a_7c15_f39c) | 1);
        let (shifted, one) = (pool.add(a, k), pool.constant(128, 1));
        let product = pool.mul(shifted, b);
        let trivial = pool.eq(b, one);
        let same = pool.eq(product, shifted);
        let differ = pool.not(same);
        assert!(has_solution(&mut pool, &mut solver, &[trivial, same]));
        assert!(!has_solution(&mut pool, &mut solver, &[trivial, differ]));
        assert!(!has_solution(&mut pool, &mut solver, &[first, not_first]));
    }
}
