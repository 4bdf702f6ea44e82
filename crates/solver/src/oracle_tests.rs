//! What is decided before a backend, what is remembered, and what an interrupt leaves open.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use osier_term::{Array, Assignment, BvOp, Pool, Term};

use crate::chain::ChainConfig;
use crate::log::{LogFormat, LogPoint, QueryLog};
use crate::oracle::{LONG, May, Oracle};
use crate::path::Path;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::second_opinion::SecondOpinion;

/// Gives up on everything, and so shows what is decided before a backend.
struct GivesUp;
impl Solver for GivesUp {
    fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
        Ok(Answer::Unknown(Reason::Timeout))
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

fn oracle() -> Oracle {
    let config = ChainConfig { check_models: true, kept_models: 4, kept_answers: 100, ..ChainConfig::default() };
    Oracle::new(config, Box::new(GivesUp))
}

#[test]
fn what_the_path_says_word_for_word_needs_no_solver() {
    let mut pool = Pool::new();
    let input = pool.input("x", 3);
    let (a, b, c) = (pool.select_at(input, 0), pool.select_at(input, 1), pool.select_at(input, 2));
    let (below, equal) = (pool.ult(a, b), pool.eq(b, c));
    let either = pool.or(below, equal);
    let neither = pool.not(either);
    let mut witness = Assignment::new();
    witness.set(input, vec![5, 5, 6].into());
    let mut path = Path::new();
    path.add(&mut pool, neither);
    let mut oracle = oracle();
    for condition in [below, equal, either] {
        assert!(matches!(oracle.may_be(&mut pool, &path, &witness, condition), Ok(May::No)));
    }
    let statistics = oracle.statistics();
    assert_eq!((statistics.asked, statistics.cached, statistics.unsat), (3, 3, 3));
    let longer = pool.input("y", 4);
    let other = product(&mut pool, longer, 0, P * Q);
    assert!(matches!(oracle.may_be(&mut pool, &Path::new(), &Assignment::new(), other), Ok(May::Unknown(_))));
}

#[test]
fn what_no_values_satisfy_is_seen_whatever_the_path_says() {
    let mut pool = Pool::new();
    let input = pool.input("x", 2);
    let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
    let (one, two) = (pool.constant(64, 1), pool.constant(64, 2));
    // What two bytes choose of 256 entries below 300, of two bytes each, is doubled.
    let entries: Vec<u8> = (0..256u16).flat_map(|at| (at * 7 % 300).to_le_bytes()).collect();
    let table = pool.table(&entries);
    let chosen = pool.bin(BvOp::Xor, a, b);
    let index = pool.zext(chosen, 64);
    let index = pool.mul(index, two);
    let next = pool.add(index, one);
    let (low, high) = (pool.select(table, index), pool.select(table, next));
    let entry = pool.concat(high, low);
    let wide = pool.sext(entry, 64);
    let doubled = pool.mul(wide, two);
    let mut path = Path::new();
    let related = pool.ult(a, b);
    path.add(&mut pool, related);
    let mut witness = Assignment::new();
    witness.set(input, vec![0, 1].into());
    let mut oracle = oracle();
    let above = |pool: &mut Pool, oracle: &mut Oracle, least: u128| {
        let least = pool.constant(64, least);
        let condition = pool.ule(least, doubled);
        oracle.may_be(pool, &path, &witness, condition)
    };
    assert!(matches!(above(&mut pool, &mut oracle, 600), Ok(May::No)));
    assert_eq!(oracle.statistics().by_reasoning, 1);
    assert!(matches!(above(&mut pool, &mut oracle, 2 * 298), Ok(May::Yes(_))));
    // Who tests every answer tests this one, too.
    let second_opinion = Some(SecondOpinion::of(Box::new(GivesUp)));
    let mut tested = Oracle::new(ChainConfig { second_opinion, ..ChainConfig::default() }, Box::new(GivesUp));
    assert!(matches!(above(&mut pool, &mut tested, 600), Ok(May::No)));
    assert_eq!(tested.statistics().unconfirmed, 1);
}

/// Answers once, with the model or with no, and must not be asked again.
struct Once(Option<Answer>);
impl Solver for Once {
    fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
        Ok(self.0.take().expect("asked once"))
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

/// That two numbers of two bytes each, from `at` on, have this product, which takes a backend.
fn product(pool: &mut Pool, input: Array, at: u64, number: u128) -> Term {
    let [a, b] = [at, at + 2].map(|at| {
        let (low, high) = (pool.select_at(input, at), pool.select_at(input, at + 1));
        let word = pool.concat(high, low);
        pool.zext(word, 32)
    });
    let (product, number) = (pool.mul(a, b), pool.constant(32, number));
    pool.eq(product, number)
}

/// Primes of two bytes, and one of three.
const P: u128 = 65521;
const Q: u128 = 65519;
const R: u128 = 65497;
const LARGE: u128 = 65537;

#[test]
fn what_was_answered_is_recalled_and_nothing_else() {
    let mut pool = Pool::new();
    let input = pool.input("x", 12);
    let [here, there, other] =
        [(0, P * Q), (4, P * Q), (8, P * R)].map(|(at, number)| product(&mut pool, input, at, number));
    let mut model = Assignment::new();
    model.set(input, vec![0xf1, 0xff, 0xef, 0xff, 9, 9, 9, 9, 9, 9, 9, 9].into());
    let mut oracle = Oracle::new(ChainConfig::default(), Box::new(Once(Some(Answer::Sat(model)))));
    let (path, mut witness) = (Path::new(), Assignment::new());
    witness.set(input, vec![1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0].into());
    let bytes_of = |oracle: &mut Oracle, pool: &mut Pool, condition| match oracle
        .recall(pool, &path, &witness, condition)
        .unwrap()
    {
        Some(May::Yes(found)) => found.bytes(input).map(<[u8]>::to_vec),
        Some(May::No | May::Unknown(_)) | None => None,
    };
    assert_eq!(bytes_of(&mut oracle, &mut pool, here), None, "nobody was asked yet");
    assert_eq!(oracle.statistics().asked, 0, "what is not recalled is not counted");
    assert!(matches!(oracle.may_be(&mut pool, &path, &witness, here), Ok(May::Yes(_))));
    assert_eq!(bytes_of(&mut oracle, &mut pool, here), Some(vec![0xf1, 0xff, 0xef, 0xff, 3, 0, 4, 0, 5, 0, 6, 0]));
    // Under other names it would cost too much, and of two parts one is not known.
    assert_eq!(bytes_of(&mut oracle, &mut pool, there), None);
    let both = pool.and(here, other);
    assert_eq!(bytes_of(&mut oracle, &mut pool, both), None);
    // A part that the witness satisfies needs no answer.
    let fits = product(&mut pool, input, 8, 5 * 6);
    let with_fitting = pool.and(here, fits);
    assert_eq!(
        bytes_of(&mut oracle, &mut pool, with_fitting),
        Some(vec![0xf1, 0xff, 0xef, 0xff, 3, 0, 4, 0, 5, 0, 6, 0])
    );
    let statistics = oracle.statistics();
    assert_eq!((statistics.asked, statistics.sat, statistics.recalled), (3, 3, 2));
    assert_eq!((statistics.cached, statistics.stored, statistics.missed, statistics.unsat), (0, 0, 1, 0));
}

#[test]
fn what_has_no_solution_is_recalled_for_more_constraints_too() {
    let mut pool = Pool::new();
    let input = pool.input("x", 8);
    // One prime is too large: no stage but a backend finds that out.
    let hopeless = product(&mut pool, input, 0, P * LARGE);
    let path = Path::new();
    let witness = Assignment::new();
    let mut oracle = Oracle::new(ChainConfig::default(), Box::new(Once(Some(Answer::Unsat))));
    assert!(matches!(oracle.recall(&mut pool, &path, &witness, hopeless), Ok(None)));
    assert!(matches!(oracle.may_be(&mut pool, &path, &witness, hopeless), Ok(May::No)));
    assert!(matches!(oracle.recall(&mut pool, &path, &witness, hopeless), Ok(Some(May::No))));
    let (first, fifth) = (pool.select_at(input, 0), pool.select_at(input, 4));
    let (below, elsewhere) = (pool.ult(fifth, first), product(&mut pool, input, 4, P * Q));
    for more in [below, elsewhere] {
        let condition = pool.and(hopeless, more);
        assert!(matches!(oracle.recall(&mut pool, &path, &witness, condition), Ok(Some(May::No))));
    }
    let falsity = pool.truth(false);
    assert!(matches!(oracle.recall(&mut pool, &path, &witness, falsity), Ok(Some(May::No))));
    let statistics = oracle.statistics();
    assert_eq!((statistics.asked, statistics.unsat, statistics.recalled), (4, 4, 3));
}

#[test]
fn a_glance_sees_one_byte_and_a_look_up_does_not() {
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let (a, nine) = (pool.select_at(input, 0), pool.constant(8, 9));
    let (below, hard) = (pool.ult(a, nine), product(&mut pool, input, 0, P * Q));
    let above = pool.not(below);
    let mut path = Path::new();
    path.add(&mut pool, below);
    let (seven, eight) = (pool.constant(8, 7), pool.constant(8, 8));
    let (is_eight, beyond) = (pool.eq(a, eight), pool.ult(eight, a));
    let mut oracle = oracle();
    let witness = Assignment::new();
    let Some(May::Yes(found)) = oracle.glance(&mut pool, &path, &witness, is_eight) else { panic!("8 is below 9") };
    assert_eq!(found.get(input, 0), 8);
    assert!(matches!(oracle.recall(&mut pool, &path, &witness, is_eight), Ok(None)));
    for impossible in [above, beyond] {
        assert!(matches!(oracle.glance(&mut pool, &path, &witness, impossible), Some(May::No)));
    }
    assert!(oracle.glance(&mut pool, &path, &witness, hard).is_none(), "two bytes take more than a glance");
    let is_seven = pool.eq(a, seven);
    let config = ChainConfig { caches_only: true, ..ChainConfig::default() };
    let mut caches = Oracle::new(config, Box::new(GivesUp));
    assert!(caches.glance(&mut pool, &path, &witness, is_seven).is_none(), "only caches are wanted");
}

#[test]
fn a_witness_that_fits_is_kept_as_it_is() {
    let mut pool = Pool::new();
    let input = pool.input("x", 2);
    let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
    let below = pool.ult(a, b);
    let mut witness = Assignment::new();
    witness.set(input, vec![1, 2].into());
    let mut oracle = oracle();
    let Ok(May::Yes(kept)) = oracle.may_be(&mut pool, &Path::new(), &witness, below) else { panic!("it holds") };
    assert_eq!(kept, witness);
    assert_eq!(oracle.statistics().by_witness, 1);
}

#[test]
fn an_extreme_that_cannot_be_proved_is_not_called_exact() {
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let (seven, zero) = (pool.constant(16, 7), pool.constant(16, 0));
    let hit = product(&mut pool, input, 0, P * Q);
    let sum = pool.ite(hit, seven, zero);
    let mut witness = Assignment::new();
    witness.set(input, vec![3, 0, 4, 0].into());
    let max = oracle().max(&mut pool, &Path::new(), &witness, sum).unwrap();
    assert_eq!((max.value, max.exact), (0, false));
}

#[test]
fn a_question_that_takes_long_counts_as_several() {
    struct Slow;
    impl Solver for Slow {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            std::thread::sleep(LONG * 3);
            Ok(Answer::Unknown(Reason::Timeout))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let question = product(&mut pool, input, 0, P * Q);
    let mut oracle = Oracle::new(ChainConfig::default(), Box::new(Slow));
    let _ = oracle.may_be(&mut pool, &Path::new(), &Assignment::new(), question).unwrap();
    assert!(oracle.hard_questions() >= 4, "one that is unknown, and three for its time");
}

#[test]
fn what_is_put_off_is_not_counted_as_unknown() {
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let (hard, harder) = (product(&mut pool, input, 0, P * Q), product(&mut pool, input, 0, P * R));
    let mut oracle = Oracle::new(ChainConfig::default(), Box::new(GivesUp));
    let mut ask = |patience: Option<Duration>, question: Term| {
        oracle.set_patience(patience);
        assert!(matches!(
            oracle.may_be(&mut pool, &Path::new(), &Assignment::new(), question),
            Ok(May::Unknown(Reason::Timeout))
        ));
        let Statistics { asked, unknown, put_off, .. } = oracle.statistics();
        (asked, unknown, put_off)
    };
    assert_eq!(ask(Some(Duration::from_millis(1)), hard), (1, 0, 1));
    assert_eq!(ask(None, hard), (2, 1, 1), "asked again, with all its time");
    assert_eq!(ask(None, harder), (3, 2, 1));
}

#[test]
fn after_an_interrupt_nothing_is_worked_for() {
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let (a, nine) = (pool.select_at(input, 0), pool.constant(8, 9));
    let (below, hard) = (pool.ult(a, nine), product(&mut pool, input, 0, P * Q));
    let (above, is_nine) = (pool.ult(nine, a), pool.eq(a, nine));
    let mut path = Path::new();
    path.add(&mut pool, below);
    let witness = Assignment::new();
    let flag = Arc::new(AtomicBool::new(true));
    let config = ChainConfig { interrupt: Some(flag.clone()), ..ChainConfig::default() };
    let mut oracle = Oracle::new(config, Box::new(Once(Some(Answer::Unsat))));
    for open in [hard, above, is_nine] {
        let answer = oracle.may_be(&mut pool, &path, &witness, open);
        assert!(matches!(answer, Ok(May::Unknown(Reason::Interrupted))));
    }
    let denied = pool.not(below);
    assert!(matches!(oracle.may_be(&mut pool, &path, &witness, denied), Ok(May::No)), "the path says so");
    assert!(matches!(oracle.may_be(&mut pool, &path, &witness, below), Ok(May::Yes(_))), "the witness says so");
    let statistics = oracle.statistics();
    assert_eq!((statistics.asked, statistics.unknown, statistics.sat, statistics.unsat), (5, 3, 1, 1));
    flag.store(false, Ordering::Relaxed);
    assert!(matches!(oracle.may_be(&mut pool, &path, &witness, hard), Ok(May::No)), "it was not remembered as unknown");
}

#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);
impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_a_look_decides_is_written_down_where_queries_enter() {
    for (point, lines) in [(LogPoint::Entrance, vec!["# 1: INVALID", "# 2: VALID"]), (LogPoint::Backend, vec![])] {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let (a, nine) = (pool.select_at(input, 0), pool.constant(8, 9));
        let (below, is_nine, three) = (pool.ult(a, nine), pool.eq(a, nine), pool.constant(8, 3));
        let is_three = pool.eq(a, three);
        let mut path = Path::new();
        path.add(&mut pool, below);
        let (log, paper) = (QueryLog::new(point, Duration::ZERO, LogFormat::KQuery), Paper::default());
        log.attach(Box::new(paper.clone())).unwrap();
        let config = ChainConfig { log: Some(log), ..ChainConfig::default() };
        let mut oracle = Oracle::new(config, Box::new(GivesUp));
        assert!(matches!(oracle.may_be(&mut pool, &path, &Assignment::new(), is_three), Ok(May::Yes(_))));
        assert!(matches!(oracle.may_be(&mut pool, &path, &Assignment::new(), is_nine), Ok(May::No)));
        let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        let written: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(" in ").map(|(start, _)| start)).collect();
        assert_eq!(written, lines, "{text}");
    }
}
