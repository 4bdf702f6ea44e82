//! A real solver, where there is one: `z3 -in` must answer as Bitwuzla does.

use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_smtlib::{SmtLib, SmtLibConfig};
use osier_solver_testing::recipes::{cook, step};
use osier_term::{Evaluator, Pool, Term};
use proptest::prelude::*;

/// Nothing where the program is not installed.
fn z3() -> Option<SmtLib> {
    SmtLib::new(SmtLibConfig { command: "z3 -in".to_owned(), ..SmtLibConfig::default() }).ok()
}

fn verdict(solver: &mut dyn Solver, pool: &mut Pool, constraints: &[Term]) -> bool {
    match solver.check(pool, &Query::of(constraints)).unwrap() {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new(pool, &model);
            assert!(constraints.iter().all(|&c| evaluator.eval(c) == 1), "the model does not satisfy the query");
            true
        }
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn it_answers_as_bitwuzla_does(steps in prop::collection::vec(step(), 1..40), picks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..5), 1..12)) {
        let Some(mut other) = z3() else { return Ok(()) };
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let conditions = cook(&mut pool, input, 4, &steps);
        prop_assume!(!conditions.is_empty());
        let mut bitwuzla = Bitwuzla::new(BitwuzlaConfig::default());
        for pick in picks {
            let chosen = pick.iter().map(|&n| (conditions[n as usize % conditions.len()], n >= 128));
            let constraints: Vec<Term> = chosen.map(|(c, negate)| if negate { pool.not(c) } else { c }).collect();
            let expected = verdict(&mut bitwuzla, &mut pool, &constraints);
            prop_assert_eq!(verdict(&mut other, &mut pool, &constraints), expected);
        }
    }
}

#[test]
fn a_hard_query_ends_in_time_and_the_next_one_is_answered() {
    let Some(mut solver) = z3() else { return };
    let mut pool = Pool::new();
    let (p, q) = (pool.input("p", 4), pool.input("q", 4));
    let [p, q] = [p, q].map(|input| {
        let first = pool.select_at(input, 0);
        (1..4).fold(first, |word, at| {
            let byte = pool.select_at(input, at);
            pool.concat(byte, word)
        })
    });
    let (wide_p, wide_q) = (pool.zext(p, 64), pool.zext(q, 64));
    let product = pool.mul(wide_p, wide_q);
    let semiprime = pool.constant(64, 3_037_000_493 * 2_654_435_761);
    let constraints = [pool.eq(product, semiprime), pool.ult(p, q)];
    solver.set_timeout(Some(Duration::from_millis(300)));
    let start = Instant::now();
    let answer = solver.check(&mut pool, &Query::of(&constraints)).unwrap();
    assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
    solver.set_timeout(None);
    assert!(verdict(&mut solver, &mut pool, &constraints[1..]));
}
