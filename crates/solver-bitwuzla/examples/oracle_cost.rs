//! What the oracle costs for questions that never reach the backend. `cargo run --release --example oracle_cost`.

use std::time::Instant;

use osier_solver::{ChainConfig, May, Oracle, Path};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_term::{Assignment, Pool, Term};

/// Explores 3^bytes paths: each byte is below 'a', up to 'm', or above.
fn explore(oracle: &mut Oracle, pool: &mut Pool, conditions: &[[Term; 2]], path: &Path, witness: &Assignment) -> u64 {
    let Some((&[low, middle], rest)) = conditions.split_first() else { return 1 };
    let mut paths = 0;
    for (first, second) in [(low, true), (low, false)] {
        let c = if second { first } else { pool.not(first) };
        let May::Yes(witness) = oracle.may_be(pool, path, witness, c).unwrap() else { continue };
        let mut path = path.clone();
        path.add(pool, c);
        if second {
            paths += explore(oracle, pool, rest, &path, &witness);
            continue;
        }
        let not_middle = pool.not(middle);
        for c in [middle, not_middle] {
            let May::Yes(witness) = oracle.may_be(pool, &path, &witness, c).unwrap() else { continue };
            let mut path = path.clone();
            path.add(pool, c);
            paths += explore(oracle, pool, rest, &path, &witness);
        }
    }
    paths
}

fn main() {
    let mut pool = Pool::new();
    let input = pool.input("text", 10);
    let conditions: Vec<[Term; 2]> = (0..10)
        .map(|i| {
            let byte = pool.select_at(input, i);
            let (a, m) = (pool.constant(8, b'a'.into()), pool.constant(8, b'm'.into()));
            [pool.ult(byte, a), pool.ult(byte, m)]
        })
        .collect();
    let config = ChainConfig { kept_models: 16, kept_answers: 100_000, ..ChainConfig::default() };
    let mut oracle = Oracle::new(config, Box::new(Bitwuzla::new(BitwuzlaConfig::default())));
    let start = Instant::now();
    let paths = explore(&mut oracle, &mut pool, &conditions, &Path::new(), &Assignment::new());
    let seconds = start.elapsed().as_secs_f64();
    let statistics = oracle.statistics();
    println!("{paths} paths in {seconds:.3} s, {:.0} ns a question", seconds * 1e9 / statistics.asked as f64);
    println!("{statistics:?}");
}
