//! What reasoning decides is so, and what it leaves has a solution exactly if the query has one.

use std::sync::Arc;
use std::time::Duration;

use osier_base::Random;
use osier_term::{Array, Assignment, BvOp, CmpOp, Pool, Term};
use proptest::prelude::*;

use crate::combinations::Combinations;
use crate::interrupt::Interrupt;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::reasoning::Reasoning;
use crate::set_table::SetTable;

/// Bytes and their values in the random queries: few enough to try all.
const BYTES: u32 = 3;
const VALUES: u8 = 6;

fn holds(pool: &Pool, constraints: &[Term], model: &Assignment) -> bool {
    constraints.iter().all(|&c| osier_term::eval(pool, c, model) != 0)
}

fn by_trying(pool: &Pool, input: Array, constraints: &[Term]) -> Option<Assignment> {
    (0..u32::from(VALUES).pow(BYTES)).find_map(|number| {
        let digit = |place: u32| (number / u32::from(VALUES).pow(place) % u32::from(VALUES)) as u8;
        let mut model = Assignment::new();
        model.set(input, (0..BYTES).map(digit).collect());
        holds(pool, constraints, &model).then_some(model)
    })
}

/// A backend that tries all values.
struct Trying(Array);
impl Solver for Trying {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        Ok(by_trying(pool, self.0, query.constraints).map_or(Answer::Unsat, Answer::Sat))
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, out: &mut Statistics) {
        out.solved += 1;
    }
}

/// Stands for a backend that is never asked for a verdict.
struct GivesUp;
impl Solver for GivesUp {
    fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
        Ok(Answer::Unknown(Reason::Timeout))
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

/// Terms over the input, among them reads of tables and of the input at open places.
fn grow(pool: &mut Pool, input: Array, random: &mut Random) -> Vec<Term> {
    let mut made: Vec<Term> = (0..BYTES).map(|at| pool.select_at(input, at.into())).collect();
    let table = pool.table(&[3, 1, 4, 1, 5, 9, 2, 6]);
    for _ in 0..3 + random.below(8) {
        let pick = |random: &mut Random| made[random.below(made.len())];
        let (a, b) = (pick(random), pick(random));
        let width = pool.width(a).max(pool.width(b));
        let (wide_a, wide_b) = (pool.zext(a, width), pool.zext(b, width));
        let constant = pool.constant(width, random.below(12) as u128);
        let (to_byte, to_index) = (pool.truncate(a, pool.width(a).min(8)), pool.zext(b, 64));
        let byte = pool.zext(to_byte, 8);
        let next = match random.below(10) {
            0 | 1 => pool.bin(BvOp::ALL[random.below(BvOp::ALL.len())], wide_a, wide_b),
            2 | 3 => pool.bin(BvOp::ALL[random.below(BvOp::ALL.len())], wide_a, constant),
            4 if pool.width(a) + pool.width(b) <= 32 => pool.concat(a, b),
            5 => pool.select(table, to_index),
            6 => {
                let place = pool.zext(byte, 64);
                let stored = pool.store(table, place, byte);
                pool.select(stored, to_index)
            }
            7 => pool.select(input, to_index),
            8 => pool.sext(byte, 32),
            _ => {
                let less = pool.ult(wide_a, wide_b);
                pool.ite(less, wide_a, constant)
            }
        };
        if pool.width(next) <= 64 {
            made.push(next);
        }
    }
    made
}

fn conditions(pool: &mut Pool, input: Array, random: &mut Random) -> Vec<Term> {
    let made = grow(pool, input, random);
    let limit = pool.constant(8, VALUES.into());
    let mut all: Vec<Term> = (0..BYTES)
        .map(|at| {
            let byte = pool.select_at(input, at.into());
            pool.ult(byte, limit)
        })
        .collect();
    for _ in 0..1 + random.below(4) {
        let (a, b) = (made[random.below(made.len())], made[random.below(made.len())]);
        let width = pool.width(a).max(pool.width(b));
        let a = pool.zext(a, width);
        let b = match random.below(3) {
            0 => pool.zext(b, width),
            _ => pool.constant(width, random.below(9) as u128),
        };
        let op = if random.coin() { CmpOp::Eq } else { CmpOp::ALL[random.below(CmpOp::ALL.len())] };
        let condition = pool.cmp(op, a, b);
        let condition = if random.below(3) == 0 { pool.not(condition) } else { condition };
        let earlier = all[random.below(all.len())];
        all.push(if random.below(4) == 0 { pool.or(condition, earlier) } else { condition });
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_trying_all_values(seed in any::<u64>(), with_near in any::<bool>()) {
        let mut pool = Pool::new();
        let input = pool.input("x", BYTES);
        let mut random = Random::new(seed);
        let constraints = conditions(&mut pool, input, &mut random);
        let mut near = Assignment::new();
        near.set(input, (0..BYTES).map(|_| random.below(VALUES.into()) as u8).collect());
        let expected = by_trying(&pool, input, &constraints);
        let mut stage = Reasoning::wrap_alone(Box::new(Trying(input)), 1000, Interrupt::default());
        let query = Query { constraints: &constraints, near: with_near.then_some(&near) };
        let shown: Vec<String> = constraints.iter().map(|&c| pool.display(c).to_string()).collect();
        match stage.recall(&mut pool, &query).unwrap() {
            Some(Answer::Sat(model)) => prop_assert!(holds(&pool, &constraints, &model), "{shown:#?} {model:?}"),
            Some(Answer::Unsat) => prop_assert!(expected.is_none(), "{shown:#?} has {expected:?}"),
            Some(Answer::Unknown(_)) | None => {}
        }
        // The second time, what the first one kept is used.
        for _ in 0..2 {
            match stage.check(&mut pool, &query).unwrap() {
                Answer::Sat(model) => prop_assert!(holds(&pool, &constraints, &model), "{shown:#?} {model:?}"),
                Answer::Unsat => prop_assert!(expected.is_none(), "{shown:#?} has {expected:?}"),
                Answer::Unknown(_) => prop_assert!(false, "the backend below decides everything"),
            }
        }
        let mut combinations = Combinations::wrap(Box::new(GivesUp), SetTable::new(1000), Interrupt::default(), None);
        match combinations.check(&mut pool, &query).unwrap() {
            Answer::Sat(model) => prop_assert!(holds(&pool, &constraints, &model), "{shown:#?} {model:?}"),
            Answer::Unsat => prop_assert!(expected.is_none(), "{shown:#?} has {expected:?}"),
            Answer::Unknown(_) => prop_assert!(false, "there are few combinations"),
        }
    }

    #[test]
    fn what_is_known_of_other_questions_does_not_mislead(seed in any::<u64>()) {
        let mut pool = Pool::new();
        let input = pool.input("x", BYTES);
        let mut random = Random::new(seed);
        let all = conditions(&mut pool, input, &mut random);
        let mut near = Assignment::new();
        near.set(input, (0..BYTES).map(|_| random.below(VALUES.into()) as u8).collect());
        let mut stages = [
            Combinations::wrap(Box::new(GivesUp), SetTable::new(1000), Interrupt::default(), None),
            Reasoning::wrap(Box::new(Trying(input)), 1000, SetTable::new(1000), Interrupt::default()),
        ];
        let (limits, others) = all.split_at(BYTES as usize);
        let small = pool.constant(8, u128::from(VALUES) / 2);
        for _ in 0..8 {
            let mut asked = limits.to_vec();
            if random.coin() {
                let byte = pool.select_at(input, random.below(BYTES as usize) as u64);
                asked.push(pool.ult(byte, small));
            }
            asked.extend(others.iter().filter(|_| random.coin()));
            let expected = by_trying(&pool, input, &asked);
            for stage in &mut stages {
                let query = Query { constraints: &asked, near: Some(&near) };
                let recalled = stage.recall(&mut pool, &query).unwrap();
                for answer in recalled.into_iter().chain([stage.check(&mut pool, &query).unwrap()]) {
                    match answer {
                        Answer::Sat(model) => prop_assert!(holds(&pool, &asked, &model), "{model:?}"),
                        Answer::Unsat => prop_assert!(expected.is_none(), "there is {expected:?}"),
                        Answer::Unknown(_) => prop_assert!(false, "there are few combinations"),
                    }
                }
            }
        }
    }
}

/// The verdict without a backend.
fn verdict(pool: &mut Pool, constraints: &[Term], near: &Assignment) -> Answer {
    let query = Query { constraints, near: Some(near) };
    Reasoning::wrap_alone(Box::new(GivesUp), 1000, Interrupt::default()).check(pool, &query).unwrap()
}

#[test]
fn questions_that_nobody_asked_are_reasoned_about_while_that_refutes_them() {
    let Bytes { mut pool, near, byte } = bytes(&[1, 2]);
    let [one, two] = [1, 2].map(|value| pool.constant(8, value));
    let (equal, is_one, is_two) = (pool.eq(byte[0], byte[1]), pool.eq(byte[0], one), pool.eq(byte[1], two));
    let sum = pool.add(byte[0], byte[1]);
    let product = pool.mul(sum, sum);
    let (refuted, open) = ([is_one, is_two, equal], [pool.eq(product, two), pool.ult(byte[0], byte[1])]);
    let mut stage = Reasoning::wrap_alone(Box::new(GivesUp), 1000, Interrupt::default());
    let mut decided =
        |constraints: &[Term]| stage.recall(&mut pool, &Query { constraints, near: Some(&near) }).unwrap().is_some();
    assert!(decided(&refuted));
    for _ in 0..100 {
        assert!(!decided(&open));
    }
    let hits = (0..32).filter(|_| decided(&refuted)).count();
    assert_eq!(hits, 2, "a sample only");
    assert!((0..1000).filter(|_| decided(&refuted)).count() > 900, "worth it again");
}

struct Bytes {
    pool: Pool,
    near: Assignment,
    byte: Vec<Term>,
}

fn bytes(start: &[u8]) -> Bytes {
    let mut pool = Pool::new();
    let input = pool.input("x", start.len() as u32);
    let byte = (0..start.len() as u64).map(|at| pool.select_at(input, at)).collect();
    let mut near = Assignment::new();
    near.set(input, start.into());
    Bytes { pool, near, byte }
}

#[test]
fn a_term_that_two_constraints_speak_of_carries_news() {
    let Bytes { mut pool, near, byte } = bytes(&[48, 58]);
    let three = pool.constant(8, 3);
    let scaled = pool.shl(byte[0], three);
    let sum = pool.add(scaled, byte[1]);
    let [first, second, high] = [186, 187, 200].map(|value| pool.constant(8, value));
    let (is_first, is_second, above) = (pool.eq(sum, first), pool.eq(sum, second), pool.ult(sum, high));
    assert!(matches!(verdict(&mut pool, &[is_first, is_second], &near), Answer::Unsat));
    assert!(!matches!(verdict(&mut pool, &[is_first, above], &near), Answer::Unsat));
}

#[test]
fn a_number_of_bytes_is_bounded_byte_by_byte() {
    let Bytes { mut pool, near, byte } = bytes(&[1, 0, 0, 0]);
    let number = byte.iter().skip(1).fold(byte[0], |low, &high| pool.concat(high, low));
    let [none, one, two] = [0, 1, 2].map(|value| pool.constant(32, value));
    let (below, not_none, not_one) = (pool.ult(number, two), pool.ne(number, none), pool.ne(number, one));
    assert!(matches!(verdict(&mut pool, &[below, not_none, not_one], &near), Answer::Unsat));
    let Answer::Sat(model) = verdict(&mut pool, &[below, not_one], &near) else { panic!("zero is left") };
    assert!(holds(&pool, &[below, not_one], &model));
}

#[test]
fn a_stored_table_has_only_the_bytes_that_are_in_it() {
    let Bytes { mut pool, near, byte } = bytes(&[1, 2]);
    let table = pool.table(&[8; 200]);
    let nine = pool.constant(8, 9);
    let (at, place) = (pool.zext(byte[0], 64), pool.zext(byte[1], 64));
    let stored = pool.store(table, at, nine);
    let read = pool.select(stored, place);
    let [eight, ten] = [8, 10].map(|value| pool.constant(8, value));
    let (is_eight, is_ten) = (pool.eq(read, eight), pool.eq(read, ten));
    assert!(matches!(verdict(&mut pool, &[is_ten], &near), Answer::Unsat));
    assert!(matches!(verdict(&mut pool, &[is_eight], &near), Answer::Sat(_)));
}

#[test]
fn what_has_one_value_whatever_the_digits_are_is_that_value() {
    let Bytes { mut pool, near, byte } = bytes(b"1234x");
    let (zero, ten, nine) =
        (pool.constant(8, u128::from(b'0')), pool.constant(64, 10), pool.constant(8, u128::from(b'9')));
    let mut constraints = Vec::new();
    let mut number = pool.constant(64, 0);
    for &digit in &byte[..4] {
        constraints.extend([pool.ule(zero, digit), pool.ule(digit, nine)]);
        let digit = pool.sub(digit, zero);
        let (tenfold, digit) = (pool.mul(number, ten), pool.zext(digit, 64));
        number = pool.add(tenfold, digit);
    }
    // No number is so large that anything but the first entry is written.
    let (size, table, start) = (pool.constant(64, 14), pool.table(&[5, 9]), pool.constant(64, 0));
    let place = pool.lshr(number, size);
    let written = pool.store(table, place, byte[4]);
    let read = pool.select(written, start);
    let is_other = pool.ne(read, byte[4]);
    constraints.push(is_other);
    assert!(matches!(verdict(&mut pool, &constraints, &near), Answer::Unsat));
}

#[test]
fn equals_are_put_for_equals_and_the_model_is_completed() {
    let Bytes { mut pool, near, byte } = bytes(&[7, 7, 7, 9]);
    let (same, five) = (pool.eq(byte[0], byte[1]), pool.constant(8, 5));
    let (sum, double) = (pool.add(byte[0], byte[2]), pool.add(byte[1], byte[2]));
    let (is_five, twice) = (pool.eq(sum, five), pool.eq(double, five));
    let not_twice = pool.not(twice);
    assert!(matches!(verdict(&mut pool, &[same, is_five, not_twice], &near), Answer::Unsat));
    let mut interrupted = Reasoning::wrap_alone(Box::new(GivesUp), 1000, Interrupt::new(Some(Arc::new(true.into()))));
    let passed_on =
        interrupted.check(&mut pool, &Query { constraints: &[same, is_five, not_twice], near: Some(&near) });
    assert!(matches!(passed_on, Ok(Answer::Unknown(_))));
    assert!(!matches!(verdict(&mut pool, &[is_five, not_twice], &near), Answer::Unsat));
    // Once the first byte is known to be 5, an index is known, and the read is of another byte.
    let (is, offset) = (pool.eq(byte[0], five), pool.constant(64, 2));
    let condition = pool.zext(is, 64);
    let index = pool.add(condition, offset);
    let input = near.iter().next().unwrap().0;
    let (read, zero) = (pool.select(input, index), pool.constant(8, 0));
    let (ends, last) = (pool.eq(read, zero), pool.eq(byte[3], zero));
    let goes_on = pool.not(last);
    assert!(matches!(verdict(&mut pool, &[is, ends, goes_on], &near), Answer::Unsat));
    let Answer::Sat(model) = verdict(&mut pool, &[is, ends], &near) else { panic!("5, anything, anything, 0") };
    assert_eq!(model.bytes(input), Some(&[5, 7, 7, 0][..]));
}
