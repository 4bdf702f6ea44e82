//! What lookups cost as the caches grow. Measured and held to a bound by
//! `cargo test --release -p osier-solver lookups_stay_fast -- --ignored --nocapture`.

use std::time::Duration;

use cpu_time::ThreadTime;
use osier_base::Random;
use osier_term::{Array, Assignment, BvOp, Pool, Term};

use crate::known_sets::KnownSets;
use crate::models::ModelReuse;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};
use crate::renamed::Renamed;
use crate::set_table::SetTable;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const ASKED: usize = 20_000;
const BOUND: Duration = Duration::from_micros(50);
/// Inputs of so many bytes.
const BYTES: usize = 4096;

/// Answers a slice by its first constraint, so that every cache fills with both kinds of answers; no model is another's.
struct Below {
    input: Array,
    count: u32,
}

impl Below {
    fn model(&mut self) -> Assignment {
        self.count += 1;
        let mut model = Assignment::new();
        model.set(self.input, self.count.to_le_bytes().repeat(BYTES / 4).into());
        model
    }
}

impl Solver for Below {
    fn check(&mut self, _: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        Ok(if query.constraints[0].0.is_multiple_of(2) { Answer::Unsat } else { Answer::Sat(self.model()) })
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

/// Slice number `i` over some input, as paths make them: conditions that many slices share, and one that none has.
fn slice(pool: &mut Pool, input: Array, i: usize) -> Vec<Term> {
    let mut random = Random::new(i as u64);
    let at = random.below(BYTES - 8) as u64;
    let mut byte = |k: u64| pool.select_at(input, at + k);
    let bytes = [byte(0), byte(1), byte(2), byte(3)];
    let mut terms = Vec::new();
    for byte in bytes {
        let stop = pool.constant(8, [0, 9, 10, 32, 45, 47, 58][random.below(7)]);
        terms.push(pool.ne(byte, stop));
    }
    terms.push(pool.ult(bytes[0], bytes[2]));
    let [a, b] = [bytes[1], bytes[3]].map(|byte| pool.zext(byte, 32));
    let product = pool.bin(BvOp::UDiv, a, b);
    let number = pool.constant(32, i as u128);
    terms.push(pool.ne(product, number));
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The mean time of a lookup on the processor; what others do on the machine does not count.
fn measure(ask: impl FnMut(usize)) -> Duration {
    let start = ThreadTime::now();
    (0..ASKED).for_each(ask);
    start.elapsed() / ASKED as u32
}

#[test]
#[ignore = "a measurement of a minute"]
fn lookups_stay_fast() {
    let mut slow = Vec::new();
    let mut note = |size: usize, what: &str, mean: Duration| {
        println!("{size:8} slices  {what:44} {:7.2} us", mean.as_nanos() as f64 / 1e3);
        if mean > BOUND {
            slow.push(format!("{what} at {size}: {mean:?}"));
        }
    };
    for size in SIZES {
        let mut pool = Pool::new();
        let (one, other) = (pool.input("one", BYTES as u32), pool.input("other", BYTES as u32));
        let model = Assignment::new();
        let mut sets = KnownSets::new(2 * size);
        let below = || Box::new(Below { input: one, count: 0 });
        let mut renamed = Renamed::wrap(below(), 2 * size, SetTable::new(2 * size), None);
        let mut reuse = ModelReuse::wrap(below(), 64, 2 * size);
        for i in 0..size {
            let terms = slice(&mut pool, one, i);
            if i % 2 == 0 {
                sets.learn_unsolvable(&terms);
            } else {
                sets.learn_solved(&terms, &model);
            }
            renamed.check(&mut pool, &Query::of(&terms)).unwrap();
            reuse.check(&mut pool, &Query::of(&terms)).unwrap();
        }
        let mut random = Random::new(1);
        let known: Vec<Vec<Term>> = (0..ASKED).map(|_| slice(&mut pool, one, random.below(size))).collect();
        let elsewhere: Vec<Vec<Term>> = (0..ASKED).map(|_| slice(&mut pool, other, random.below(size))).collect();
        let new: Vec<Vec<Term>> = (0..ASKED).map(|i| slice(&mut pool, one, size + i)).collect();
        note(size, "a part without solution, there or not", measure(|i| _ = sets.has_unsolvable_part(&known[i])));
        note(size, "a part without solution, not there", measure(|i| _ = sets.has_unsolvable_part(&new[i])));
        note(size, "a solved superset, there or not", measure(|i| _ = sets.model_of_superset(&known[i][1..])));
        note(size, "a solved superset, not there", measure(|i| _ = sets.model_of_superset(&new[i][..5])));
        let mut ask = |solver: &mut Box<dyn Solver>, terms: &[Term]| _ = solver.check(&mut pool, &Query::of(terms));
        note(size, "sets and 64 recent models, not there", measure(|i| ask(&mut reuse, &new[i])));
        note(size, "without names, known under these", measure(|i| ask(&mut renamed, &known[i])));
        note(size, "without names, known under others, terms new", measure(|i| ask(&mut renamed, &elsewhere[i])));
        note(size, "without names, not there, terms new", measure(|i| ask(&mut renamed, &new[i])));
    }
    assert!(slow.is_empty(), "{slow:?}");
}
