//! Hard queries end in time, and arrays of all sizes are encoded rightly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver};
use osier_term::{Array, Assignment, Evaluator, Pool, Term};

/// Makes a backend that is stopped by the flag, if there is one.
pub type Make = fn(Option<Arc<AtomicBool>>) -> Box<dyn Solver>;

/// Makes the cases tests of the crate that it stands in. It is given a [`Make`](cases::Make).
#[macro_export]
macro_rules! backend_cases {
    ($make:expr) => {
        $crate::backend_cases!(
            $make;
            a_timeout_holds_and_the_backend_lives_on,
            an_interrupt_from_outside_ends_a_query,
            the_empty_query_is_true_and_a_constant_is_itself,
            constant_and_symbolic_reads_of_an_input_agree,
            a_table_is_read_at_every_index,
            stores_at_symbolic_indices_hide_what_was_there
        );
    };
    ($make:expr; $($case:ident),+) => {
        $(
            #[test]
            fn $case() {
                $crate::cases::$case($make);
            }
        )+
    };
}

/// The bytes of an input as a number, the first one lowest.
pub fn word(pool: &mut Pool, input: Array, size: u64) -> Term {
    let mut word = pool.select_at(input, 0);
    for i in 1..size {
        let byte = pool.select_at(input, i);
        word = pool.concat(byte, word);
    }
    word
}

/// Two factors of a product of two primes of 32 bits; without the first constraint it is easy.
pub fn hard(pool: &mut Pool) -> Vec<Term> {
    let (p, q) = (pool.input("p", 4), pool.input("q", 4));
    let (p, q) = (word(pool, p, 4), word(pool, q, 4));
    let (wide_p, wide_q) = (pool.zext(p, 64), pool.zext(q, 64));
    let product = pool.mul(wide_p, wide_q);
    let semiprime = pool.constant(64, 3_037_000_493 * 2_654_435_761);
    vec![pool.eq(product, semiprime), pool.ult(p, q)]
}

pub fn satisfies(pool: &Pool, constraints: &[Term], model: &Assignment) -> bool {
    let mut evaluator = Evaluator::new(pool, model);
    constraints.iter().all(|&c| evaluator.holds(c))
}

/// Whether there is a solution, if that is found out; one that is given must be one.
pub fn verdict(solver: &mut dyn Solver, pool: &mut Pool, constraints: &[Term]) -> Option<bool> {
    match solver.check(pool, &Query::of(constraints)).expect("the backend works") {
        Answer::Sat(model) => {
            assert!(satisfies(pool, constraints, &model), "the model does not satisfy the query");
            Some(true)
        }
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// As [`verdict`], where it must be found out.
pub fn has_solution(solver: &mut dyn Solver, pool: &mut Pool, constraints: &[Term]) -> bool {
    verdict(solver, pool, constraints).expect("the backend can tell")
}

pub fn a_timeout_holds_and_the_backend_lives_on(make: Make) {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let mut solver = make(None);
    solver.set_timeout(Some(Duration::from_millis(200)));
    let start = Instant::now();
    let answer = solver.check(&mut pool, &Query::of(&constraints)).expect("the backend works");
    let taken = start.elapsed();
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
    assert!(taken < Duration::from_secs(5), "took {taken:?}");
    assert!(has_solution(&mut *solver, &mut pool, &constraints[1..]));
}

pub fn an_interrupt_from_outside_ends_a_query(make: Make) {
    let mut pool = Pool::new();
    let constraints = hard(&mut pool);
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut solver = make(Some(Arc::clone(&interrupt)));
    let other = std::thread::spawn({
        let interrupt = Arc::clone(&interrupt);
        move || {
            std::thread::sleep(Duration::from_millis(100));
            interrupt.store(true, Ordering::Relaxed);
        }
    });
    let mut ask = |constraints: &[Term]| solver.check(&mut pool, &Query::of(constraints)).expect("the backend works");
    let answer = ask(&constraints);
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
    other.join().expect("it only sets a flag");
    let answer = ask(&constraints[1..]);
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "still set: {answer:?}");
    interrupt.store(false, Ordering::Relaxed);
    let answer = ask(&constraints[1..]);
    assert!(matches!(answer, Answer::Sat(_)), "no longer set: {answer:?}");
}

pub fn the_empty_query_is_true_and_a_constant_is_itself(make: Make) {
    let mut pool = Pool::new();
    let (yes, no) = (pool.truth(true), pool.truth(false));
    let mut solver = make(None);
    assert!(has_solution(&mut *solver, &mut pool, &[]));
    assert!(has_solution(&mut *solver, &mut pool, &[yes]));
    assert!(!has_solution(&mut *solver, &mut pool, &[yes, no]));
    assert!(has_solution(&mut *solver, &mut pool, &[yes]));
}

/// Reads of one input at constant and at symbolic indices, in both orders, must speak of the same bytes; at every size,
/// that is under every encoding.
pub fn constant_and_symbolic_reads_of_an_input_agree(make: Make) {
    for size in [1, 2, 3, 255, 256, 257, 1000] {
        let mut pool = Pool::new();
        let (data, at) = (pool.input("data", size), pool.input("at", 8));
        let at = word(&mut pool, at, 8);
        let (end, seven, nine) = (pool.constant(64, size.into()), pool.constant(8, 7), pool.constant(8, 9));
        let inside = pool.ult(at, end);
        let outside = pool.not(inside);
        let (first, last) = (pool.select_at(data, 0), pool.select_at(data, u64::from(size) - 1));
        let read = pool.select(data, at);
        let (first_is_7, last_is_9) = (pool.eq(first, seven), pool.eq(last, nine));
        let (read_is_7, read_is_9) = (pool.eq(read, seven), pool.eq(read, nine));
        let (bottom, top) = (pool.constant(64, 0), pool.constant(64, u128::from(size) - 1));
        let (at_first, at_last) = (pool.eq(at, bottom), pool.eq(at, top));
        let mut solver = make(None);
        let mut sat = |constraints: &[Term]| has_solution(&mut *solver, &mut pool, constraints);
        assert!(sat(&[first_is_7]), "size {size}");
        assert!(sat(&[first_is_7, at_first, read_is_7]), "size {size}");
        assert!(!sat(&[first_is_7, at_first, read_is_9]), "size {size}");
        assert!(sat(&[at_last, read_is_7]), "size {size}");
        assert!(sat(&[inside, read_is_9, last_is_9]), "size {size}");
        assert!(!sat(&[at_last, read_is_7, last_is_9]), "size {size}");
        assert!(!sat(&[outside, read_is_7]), "reads beyond the end give zero, size {size}");
    }
}

pub fn a_table_is_read_at_every_index(make: Make) {
    let bytes: Vec<u8> = (0..=255u8).map(|i| i.wrapping_mul(37) ^ (i >> 3)).collect();
    let mut pool = Pool::new();
    let (table, input) = (pool.table(&bytes[..200]), pool.input("i", 1));
    let byte = pool.select_at(input, 0);
    let index = pool.zext(byte, 64);
    let read = pool.select(table, index);
    let mut solver = make(None);
    for i in 0..=255u8 {
        let expected = if i < 200 { bytes[usize::from(i)] } else { 0 };
        let (i, expected) = (pool.constant(8, i.into()), pool.constant(8, expected.into()));
        let here = pool.eq(byte, i);
        let (right, wrong) = (pool.eq(read, expected), pool.ne(read, expected));
        assert!(has_solution(&mut *solver, &mut pool, &[here, right]));
        assert!(!has_solution(&mut *solver, &mut pool, &[here, wrong]));
    }
}

pub fn stores_at_symbolic_indices_hide_what_was_there(make: Make) {
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
    let mut solver = make(None);
    let mut sat = |constraints: &[Term]| has_solution(&mut *solver, &mut pool, constraints);
    assert!(sat(&[here, old_is_7]));
    assert!(!sat(&[elsewhere, kept]));
    assert!(!sat(&[not_9]));
    assert!(sat(&[read_is_9]));
    assert!(!sat(&[read_is_9, elsewhere]));
}
