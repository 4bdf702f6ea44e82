//! A sample of programs with symbolic pointers: every memory model, and every order of paths and questions, must reach
//! the same endings, and every test must replay. `make models` and `make orders` take 300 in a row.

use libtest_mimic::{Arguments, Failed, Trial};
use osier_testing::differential::Agreement;
use osier_testing::settings::{MODELS, ORDERS, Setting, compare_settings};
use osier_testing::{osier_binary, pointers};

const SEEDS: std::ops::Range<u64> = 1..16;

fn main() {
    let arguments = Arguments::from_args();
    let trial = |name: &str, settings: &'static [Setting], seed: u64| {
        Trial::test(format!("{name}/{seed}"), move || check(seed, settings).map_err(Failed::from))
    };
    let models = SEEDS.map(|seed| trial("models", MODELS, seed));
    let orders = SEEDS.map(|seed| trial("orders", ORDERS, seed));
    libtest_mimic::run(&arguments, models.chain(orders).collect()).exit();
}

fn check(seed: u64, settings: &[Setting]) -> Result<(), String> {
    match compare_settings(&pointers::program(seed), &osier_binary()?, settings)? {
        Agreement::Same(_) => Ok(()),
        Agreement::Cut => Err("cut short".into()),
    }
}
