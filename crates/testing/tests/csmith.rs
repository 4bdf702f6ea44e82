//! A sample of csmith's programs: they must print natively and under Osier the same checksum.
//!
//! The seeds are of programs that end within milliseconds natively, so that nothing here hangs on time. `make csmith`
//! takes 300 in a row.

use libtest_mimic::{Arguments, Failed, Trial};
use osier_testing::csmith::{Limits, Sample, Verdict};
use osier_testing::osier_binary;
use std::time::Duration;

const UNOPTIMISED: [u64; 15] = [1, 2, 4, 7, 10, 11, 15, 16, 26, 27, 30, 35, 42, 49, 56];
const OPTIMISED: [u64; 15] = [3, 6, 9, 12, 19, 23, 25, 28, 29, 30, 32, 39, 45, 48, 58];

/// Far beyond what the programs need, on any machine.
const LIMITS: Limits = Limits { native: Duration::from_secs(60), osier: Duration::from_secs(300) };

fn main() {
    let arguments = Arguments::from_args();
    let of_level = |seeds: [u64; 15], level: &'static str| {
        seeds.into_iter().map(move |seed| {
            Trial::test(format!("csmith{level}/{seed}"), move || check(seed, level).map_err(Failed::from))
        })
    };
    let trials = of_level(UNOPTIMISED, "-O0").chain(of_level(OPTIMISED, "-O2")).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(seed: u64, level: &str) -> Result<(), String> {
    match Sample::generate(seed)?.compare(&osier_binary()?, level, LIMITS)? {
        Verdict::Same => Ok(()),
        other => Err(format!("{other:?}")),
    }
}
