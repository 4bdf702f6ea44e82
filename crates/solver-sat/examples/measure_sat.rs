//! Times this backend beside Bitwuzla on the kinds of query that programs ask, in microseconds per query.
//! `cargo run --release -p osier-solver-sat --example measure_sat [sat]`; with `sat`, this backend alone.

use std::time::Instant;

use osier_solver::{Answer, Query, Solver};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_sat::{Sat, SatConfig};
use osier_solver_testing::families;
use osier_term::Pool;

/// A query's time is its shortest over so many runs of the family, each with a new backend: that leaves out what other
/// programs did at the time.
const ROUNDS: usize = 3;

fn measure(name: &str, backend: &str, family: families::Family, make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let queries = family(&mut pool);
    let mut times = vec![f64::INFINITY; queries.len()];
    let (mut sat, mut unknown) = (0, 0);
    for _ in 0..ROUNDS {
        let mut solver = make();
        (sat, unknown) = (0, 0);
        for (constraints, time) in queries.iter().zip(&mut times) {
            let start = Instant::now();
            let answer = solver.check(&mut pool, &Query::of(constraints)).expect("the backend works");
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
            sat += usize::from(matches!(answer, Answer::Sat(_)));
            unknown += usize::from(matches!(answer, Answer::Unknown(_)));
        }
    }
    let count = times.len();
    let mean = times.iter().sum::<f64>() / count as f64;
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[count / 2], times[count - 1]);
    println!(
        "{name:30} {backend:8} {count:5} queries, {sat:5} sat, {unknown:3} unknown, median {median:8.1}, mean {mean:8.1}, max {longest:8.0}"
    );
}

fn main() {
    let alone = std::env::args().nth(1).is_some_and(|which| which == "sat");
    for (name, family) in families::FAMILIES {
        measure(name, "sat", family, &|| Box::new(Sat::new(SatConfig::default())));
        if !alone {
            measure(name, "Bitwuzla", family, &|| Box::new(Bitwuzla::new(BitwuzlaConfig::default())));
        }
    }
}
