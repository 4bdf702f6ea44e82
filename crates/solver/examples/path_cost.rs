//! What forking a path condition costs. `cargo run --release --example path_cost`.

use std::time::Instant;

use osier_solver::Path;
use osier_term::{Pool, Term};

fn main() {
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
