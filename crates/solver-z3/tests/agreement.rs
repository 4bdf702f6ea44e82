//! Z3 against the other backends, the chain and the evaluator, on a small sample of what the fuzzer asks.

#[path = "../examples/fuzz/opinions.rs"]
mod opinions;
#[path = "../examples/fuzz/terms.rs"]
mod terms;

use opinions::{Tally, compare};

#[test]
fn all_backends_agree_on_random_queries() {
    let mut tally = Tally::default();
    for seed in 1_000_000..1_000_025 {
        compare(seed, &mut tally).unwrap_or_else(|message| panic!("{message}"));
    }
    let Tally { queries, sat, unsat, unknown, silent: _ } = tally;
    assert!(queries > 500 && sat > queries / 10 && unsat > queries / 10 && unknown < queries / 20, "{tally:?}");
}
