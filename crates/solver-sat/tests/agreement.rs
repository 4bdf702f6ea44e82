//! The backend against the evaluator, against brute force and against Bitwuzla.

use std::time::Duration;

use osier_solver::Solver;
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_sat::{Sat, SatConfig};
use osier_solver_testing::cases::{satisfies, verdict};
use osier_solver_testing::recipes::{Step, cook, step};
use osier_term::{Array, Assignment, BvOp, CmpOp, Evaluator, Pool, Term};
use proptest::prelude::*;

fn recipes(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 4..most)
}

/// Chance makes a query now and then that takes minutes: it is left out.
fn backend() -> Sat {
    Sat::new(SatConfig { interrupt: None, conflicts: Some(20_000) })
}

fn chosen(pool: &mut Pool, conditions: &[Term], picks: &[u8]) -> Vec<Term> {
    let of = |n: u8| conditions[n as usize % conditions.len()];
    picks.iter().map(|&n| if n >= 128 { pool.not(of(n)) } else { of(n) }).collect()
}

fn two_bytes(input: Array, value: u16) -> Assignment {
    let mut model = Assignment::new();
    let [low, high] = value.to_le_bytes();
    model.set_byte(input, 2, 0, low);
    model.set_byte(input, 2, 1, high);
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn answers_are_those_of_brute_force(steps in recipes(16), picks in prop::collection::vec(any::<u8>(), 1..5)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let conditions = cook(&mut pool, input, 2, &steps);
        prop_assume!(!conditions.is_empty());
        let constraints = chosen(&mut pool, &conditions, &picks);
        let expected = (0..=u16::MAX).any(|value| satisfies(&pool, &constraints, &two_bytes(input, value)));
        let mut solver = Sat::new(SatConfig { interrupt: None, conflicts: None });
        prop_assert_eq!(verdict(&mut solver, &mut pool, &constraints), Some(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// One backend for many queries over shared terms.
    #[test]
    fn answers_are_those_of_bitwuzla(steps in recipes(40), picks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..6), 1..12)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let conditions = cook(&mut pool, input, 4, &steps);
        prop_assume!(!conditions.is_empty());
        let (mut sat, mut bitwuzla) = (backend(), Bitwuzla::new(BitwuzlaConfig::default()));
        bitwuzla.set_timeout(Some(Duration::from_secs(5)));
        for picks in picks {
            let constraints = chosen(&mut pool, &conditions, &picks);
            let Some(answer) = verdict(&mut sat, &mut pool, &constraints) else { continue };
            let Some(expected) = verdict(&mut bitwuzla, &mut pool, &constraints) else { continue };
            prop_assert_eq!(answer, expected);
        }
    }
}

/// Every operator on every pair of words of three bits, through the whole backend: the result is what the evaluator
/// says, and cannot be anything else.
#[test]
fn all_operators_on_all_words_of_three_bits() {
    let mut pool = Pool::new();
    let input = pool.input("x", 1);
    let byte = pool.select_at(input, 0);
    let (a, b) = (pool.extract(byte, 0, 3), pool.extract(byte, 3, 3));
    let mut results: Vec<Term> = BvOp::ALL.iter().map(|&op| pool.bin(op, a, b)).collect();
    results.extend(CmpOp::ALL.map(|op| pool.cmp(op, a, b)));
    let mut solver = backend();
    for value in 0..64u8 {
        let (seven, low) = (pool.constant(8, 63), pool.constant(8, value.into()));
        let masked = pool.and(byte, seven);
        let pinned = pool.eq(masked, low);
        let mut model = Assignment::new();
        model.set_byte(input, 1, 0, value);
        for &result in &results {
            let expected = Evaluator::new(&pool, &model).eval(result);
            let expected = pool.constant(pool.width(result), expected);
            let (right, wrong) = (pool.eq(result, expected), pool.ne(result, expected));
            assert_eq!(
                verdict(&mut solver, &mut pool, &[pinned, right]),
                Some(true),
                "{} at {value}",
                pool.display(result)
            );
            assert_eq!(
                verdict(&mut solver, &mut pool, &[pinned, wrong]),
                Some(false),
                "{} at {value}",
                pool.display(result)
            );
        }
    }
}
