//! A sample of programs with symbolic pointers: every memory model must reach the same endings, and every test must
//! replay. `make models` takes 300 in a row.

use libtest_mimic::{Arguments, Failed, Trial};
use osier_testing::differential::Agreement;
use osier_testing::models::compare_models;
use osier_testing::{osier_binary, pointers};

const SEEDS: std::ops::Range<u64> = 1..16;

fn main() {
    let arguments = Arguments::from_args();
    let trials = SEEDS.map(|seed| Trial::test(format!("models/{seed}"), move || check(seed).map_err(Failed::from)));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn check(seed: u64) -> Result<(), String> {
    match compare_models(&pointers::program(seed), &osier_binary()?)? {
        Agreement::Same(_) => Ok(()),
        Agreement::Cut => Err("cut short".into()),
    }
}
