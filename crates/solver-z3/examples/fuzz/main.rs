//! Random queries against Bitwuzla, Z3, our bit-blaster and the whole chain, every model against the evaluator.
//!
//!     cargo run --release -p osier-solver-z3 --example fuzz -- [QUERIES] [FIRST_SEED]

mod opinions;
mod terms;

use opinions::{NAMES, Tally, compare};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let (Ok(queries), Ok(first_seed)) = (numbers.next().unwrap_or(Ok(10_000)), numbers.next().unwrap_or(Ok(0))) else {
        eprintln!("usage: fuzz [QUERIES] [FIRST_SEED]");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let (mut tally, mut wrong) = (Tally::default(), 0);
    let mut seed = first_seed;
    while tally.queries < queries {
        if let Err(message) = compare(seed, &mut tally) {
            wrong += 1;
            println!("{message}");
        }
        seed += 1;
    }
    let Tally { queries, sat, unsat, unknown, silent } = tally;
    println!("{queries} queries, seeds {first_seed} to {}: {sat} sat, {unsat} unsat, {unknown} unknown", seed - 1);
    for (name, count) in NAMES.iter().zip(silent) {
        println!("  {name} did not know {count}");
    }
    println!("  {wrong} disagreements in {:.0} s", start.elapsed().as_secs_f64());
    ExitCode::from(u8::from(wrong > 0))
}
