//! What forking a path condition costs, and adding to it as it grows. `cargo run --release --example path_cost`.

use std::time::Instant;

use osier_solver::Path;
use osier_term::{Pool, Term};

fn main() {
    growth();
    for slices in [4u64, 32, 1000] {
        let mut pool = Pool::new();
        let input = pool.input("x", slices as u32 + 1);
        let mut path = Path::new();
        let mut per_byte: Vec<Vec<Term>> = Vec::new();
        for i in 0..=slices {
            let byte = pool.select_at(input, i);
            let conditions = (1..6u128).map(|k| {
                let k = pool.constant(8, k * 40);
                let c = pool.eq(byte, k);
                pool.not(c)
            });
            per_byte.push(conditions.collect());
        }
        for conditions in &per_byte[..slices as usize] {
            for &c in &conditions[..4] {
                path.add(&mut pool, c);
            }
        }
        let rounds = 200_000u32;
        let time = |name: &str, mut work: Box<dyn FnMut(u32) + '_>| {
            let start = Instant::now();
            for i in 0..rounds {
                work(i);
            }
            let each = start.elapsed().as_nanos() / u128::from(rounds);
            println!("{slices:5} slices: {name:40} {each:6} ns");
        };
        time("clone", Box::new(|_| drop(std::hint::black_box(path.clone()))));
        time("clone, add to a slice", {
            let (pool, path, per_byte) = (&mut pool, &path, &per_byte);
            Box::new(move |i| {
                let mut fork = path.clone();
                fork.add(pool, per_byte[(u64::from(i) % slices) as usize][4]);
                std::hint::black_box(fork);
            })
        });
        time("clone, add a new slice", {
            let (pool, path, per_byte) = (&mut pool, &path, &per_byte);
            Box::new(move |_| {
                let mut fork = path.clone();
                fork.add(pool, per_byte[slices as usize][0]);
                std::hint::black_box(fork);
            })
        });
        time("relevant", {
            let (pool, path, per_byte) = (&mut pool, &path, &per_byte);
            Box::new(move |i| {
                let support = pool.support(per_byte[(u64::from(i) % slices) as usize][4]);
                std::hint::black_box(path.relevant(&support));
            })
        });
    }
}

/// The path grows to 10,000 constraints, over a byte each, over a chain of bytes that joins them all, or all over one
/// pair of bytes: what do the last thousand cost, a fork each, as in a run that forks at every branch?
fn growth() {
    type Shape = fn(&mut Pool, osier_term::Array, u64) -> Term;
    let alone: Shape = |pool, input, i| {
        let (byte, nine) = (pool.select_at(input, i), pool.constant(8, 9));
        pool.ne(byte, nine)
    };
    let chained: Shape = |pool, input, i| {
        let (a, b) = (pool.select_at(input, i), pool.select_at(input, i + 1));
        pool.ne(a, b)
    };
    let together: Shape = |pool, input, i| {
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let both = pool.concat(a, b);
        let number = pool.constant(16, u128::from(i));
        pool.ne(both, number)
    };
    for (name, shape) in [("a byte each", alone), ("a chain", chained), ("one pair of bytes", together)] {
        let mut pool = Pool::new();
        let input = pool.input("x", 10_002);
        let terms: Vec<Term> = (0..10_001).map(|i| shape(&mut pool, input, i)).collect();
        let mut path = Path::new();
        let mut start = Instant::now();
        for (i, &term) in (1..).zip(&terms) {
            let before = path.clone();
            path.add(&mut pool, term);
            drop(before);
            if [1000, 10_000].contains(&i) {
                let each = start.elapsed().as_nanos() / 1000;
                println!("{i:5} constraints, {name:18}: fork and add {each:6} ns");
            }
            if i == 9000 || i == 1 {
                start = Instant::now();
            }
        }
    }
}
