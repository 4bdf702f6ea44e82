//! Questions with conditions over many bytes: what is decided is so, and a backend sees no more than it has to.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use osier_term::{Array, Assignment, Pool, Term};
use proptest::prelude::*;

use crate::combinations::Combinations;
use crate::domains::Domains;
use crate::interrupt::Interrupt;
use crate::models::satisfies;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::reasoning::Reasoning;
use crate::set_table::SetTable;
use crate::slices::support_of;
use crate::wide::WideLast;

/// As a header of a tar archive.
const SIZE: u32 = 200;

/// Gives up on what comes this far, and notes how many bytes it was about.
struct Noting(Rc<RefCell<Vec<usize>>>);
impl Solver for Noting {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        self.0.borrow_mut().push(support_of(pool, query.constraints).len());
        Ok(Answer::Unknown(Reason::Incomplete("given up".to_owned())))
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

/// The stage, before others that find out about few bytes; and how many bytes the questions have that nobody decides.
fn stage() -> (Box<dyn Solver>, Rc<RefCell<Vec<usize>>>) {
    let (given_up, sets) = (Rc::default(), SetTable::new(1000));
    let s = Combinations::wrap(Box::new(Noting(Rc::clone(&given_up))), sets.clone(), Interrupt::default(), None);
    let s = Domains::wrap(s, sets.clone(), Interrupt::default());
    (WideLast::wrap(Reasoning::wrap(s, 1000, sets, Interrupt::default()), 1000), given_up)
}

fn byte_is(pool: &mut Pool, input: Array, at: u32, value: u8) -> Term {
    let (byte, value) = (pool.select_at(input, at.into()), pool.constant(8, value.into()));
    pool.eq(byte, value)
}

/// The two bytes add up to this.
fn sum_is(pool: &mut Pool, input: Array, at: [u32; 2], value: u8) -> Term {
    let [a, b] = at.map(|at| pool.select_at(input, at.into()));
    let (sum, value) = (pool.add(a, b), pool.constant(8, value.into()));
    pool.eq(sum, value)
}

/// All bytes add up to this.
fn checksum_is(pool: &mut Pool, input: Array, size: u32, value: u128) -> Term {
    let (sum, value) = (sum_of_all(pool, input, size), pool.constant(16, value));
    pool.eq(sum, value)
}

/// In sixteen bits.
fn sum_of_all(pool: &mut Pool, input: Array, size: u32) -> Term {
    let mut sum = pool.constant(16, 0);
    for at in 0..size {
        let byte = pool.select_at(input, at.into());
        let byte = pool.zext(byte, 16);
        sum = pool.add(sum, byte);
    }
    sum
}

/// Every byte is one.
fn ones(input: Array, size: u32) -> Assignment {
    let mut near = Assignment::new();
    near.set(input, vec![1; size as usize].into());
    near
}

fn statistics(stage: &dyn Solver) -> Statistics {
    let mut counted = Statistics::default();
    stage.statistics(&mut counted);
    counted
}

#[test]
fn a_checksum_is_put_right_with_bytes_that_nothing_else_binds() {
    let mut pool = Pool::new();
    let input = pool.input("header", SIZE);
    let checksum = checksum_is(&mut pool, input, SIZE, SIZE.into());
    let number = sum_is(&mut pool, input, [100, 101], 2);
    let digit = byte_is(&mut pool, input, 100, 2);
    let near = ones(input, SIZE);
    let (mut stage, given_up) = stage();
    let query = [checksum, number, digit];
    let Answer::Sat(model) = stage.check(&mut pool, &Query { constraints: &query, near: Some(&near) }).unwrap() else {
        panic!("there is a solution: bytes 100 and 101 are 2 and 0")
    };
    assert!(satisfies(&pool, &model, &query));

    // 2 and 0 again, and a byte that is less: another becomes more.
    let less = byte_is(&mut pool, input, 10, 0);
    let query = [checksum, number, digit, less];
    let Answer::Sat(model) = stage.check(&mut pool, &Query { constraints: &query, near: Some(&near) }).unwrap() else {
        panic!("a byte that nothing binds can be 2")
    };
    assert!(satisfies(&pool, &model, &query));
    assert_eq!(*given_up.borrow(), []);
    assert_eq!(statistics(&*stage).by_narrow, 2);
}

#[test]
fn what_has_no_solution_without_wide_conditions_has_none() {
    let mut pool = Pool::new();
    let input = pool.input("header", SIZE);
    let checksum = checksum_is(&mut pool, input, SIZE, SIZE.into());
    let number = sum_is(&mut pool, input, [100, 101], 2);
    let digits = [byte_is(&mut pool, input, 100, 2), byte_is(&mut pool, input, 101, 3)];
    let near = ones(input, SIZE);
    let (mut stage, given_up) = stage();
    let constraints = [checksum, number, digits[0], digits[1]];
    let query = Query { constraints: &constraints, near: Some(&near) };
    assert!(matches!(stage.check(&mut pool, &query).unwrap(), Answer::Unsat));
    assert!(matches!(stage.check(&mut pool, &query).unwrap(), Answer::Unsat));
    assert!(matches!(stage.recall(&mut pool, &query).unwrap(), Some(Answer::Unsat)));
    assert_eq!(*given_up.borrow(), []);
    let counted = statistics(&*stage);
    assert_eq!((counted.by_narrow, counted.cached), (1, 1));
}

#[test]
fn what_cannot_be_put_right_with_few_bytes_is_asked_whole() {
    let mut pool = Pool::new();
    let input = pool.input("header", SIZE);
    let (sum, three) = (sum_of_all(&mut pool, input, SIZE), pool.constant(16, 3));
    // All but one of the bytes have to change.
    let small = pool.ult(sum, three);
    let digit = byte_is(&mut pool, input, 100, 2);
    let near = ones(input, SIZE);
    let (mut stage, _) = stage();
    let query = Query { constraints: &[small, digit], near: Some(&near) };
    let answer = stage.check(&mut pool, &query).unwrap();
    assert!(matches!(answer, Answer::Sat(model) if satisfies(&pool, &model, query.constraints)));
    assert_eq!(statistics(&*stage).by_narrow, 0);
}

#[test]
fn what_has_no_wide_condition_passes_by() {
    let mut pool = Pool::new();
    let input = pool.input("header", SIZE);
    let digit = byte_is(&mut pool, input, 100, 2);
    let near = ones(input, SIZE);
    let (mut stage, _) = stage();
    let query = Query { constraints: &[digit], near: Some(&near) };
    assert!(matches!(stage.check(&mut pool, &query).unwrap(), Answer::Sat(_)));
    assert_eq!(statistics(&*stage).by_narrow, 0);
}

proptest! {
    /// Conditions that hold for a hidden assignment, on a byte, on two, or on one that another points to, and now and then
    /// one that does not.
    #[test]
    fn what_it_decides_is_so(
        hidden in prop::collection::vec(0..4u8, 24),
        start in prop::collection::vec(0..4u8, 24),
        narrow in prop::collection::vec((0..24u32, prop::option::of(0..24u32)), 1..12),
        pointers in prop::collection::vec(0..24u32, 0..3),
        wrong in prop::option::of((0..24u32, 0..4u8)),
    ) {
        let mut pool = Pool::new();
        let input = pool.input("x", 24);
        let total = hidden.iter().map(|&byte| u128::from(byte)).sum();
        let mut constraints = vec![checksum_is(&mut pool, input, 24, total)];
        let value = |at: u32| hidden[at as usize];
        for (at, other) in narrow {
            constraints.push(match other {
                Some(other) => sum_is(&mut pool, input, [at, other], value(at) + value(other)),
                None => byte_is(&mut pool, input, at, value(at)),
            });
        }
        for at in pointers {
            let (to, there) = (pool.select_at(input, at.into()), pool.constant(8, value(value(at).into()).into()));
            let to = pool.zext(to, 64);
            let read = pool.select(input, to);
            constraints.push(pool.eq(read, there));
        }
        if let Some((at, value)) = wrong {
            constraints.push(byte_is(&mut pool, input, at, value));
        }
        let (mut hides, mut near) = (Assignment::new(), Assignment::new());
        hides.set(input, hidden.clone().into());
        near.set(input, start.into());
        let (mut stage, _) = stage();
        match stage.check(&mut pool, &Query { constraints: &constraints, near: Some(&near) }).unwrap() {
            Answer::Sat(model) => prop_assert!(satisfies(&pool, &model, &constraints)),
            Answer::Unsat => prop_assert!(!satisfies(&pool, &hides, &constraints)),
            Answer::Unknown(_) => {}
        }
    }
}
