//! Backend, chain and evaluator must agree.

use std::time::Duration;

use osier_solver::{Answer, ChainConfig, May, Oracle, Path, Query, Solver, SolverError, Statistics, chain};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_testing::cases::{has_solution, satisfies};
use osier_solver_testing::recipes::{Step, cook, step};
use osier_term::{Array, Assignment, Evaluator, Pool, Term};
use proptest::prelude::*;

fn config() -> ChainConfig {
    ChainConfig { check_models: true, kept_models: 8, kept_answers: 1000, ..ChainConfig::default() }
}

fn assignment(input: Array, value: u16) -> Assignment {
    let mut model = Assignment::new();
    model.set(input, value.to_le_bytes().to_vec().into());
    model
}

fn two_bytes(pool: &mut Pool, input: Array) -> Term {
    let (low, high) = (pool.select_at(input, 0), pool.select_at(input, 1));
    pool.concat(high, low)
}

/// Tries every value of two input bytes.
fn brute_force(pool: &Pool, input: Array, constraints: &[Term]) -> bool {
    (0..=u16::MAX).any(|value| satisfies(pool, constraints, &assignment(input, value)))
}

/// Stands where nothing may arrive.
struct NeverAsked;
impl Solver for NeverAsked {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let terms: Vec<String> = query.constraints.iter().map(|&c| pool.display(c).to_string()).collect();
        panic!("a query over one byte reached the backend: {terms:?}")
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

fn recipes(steps: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..steps)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_backend_agrees_with_brute_force(steps in recipes(14)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let constraints = cook(&mut pool, input, 2, &steps);
        let constraints = &constraints[..constraints.len().min(3)];
        let found = has_solution(&mut Bitwuzla::new(BitwuzlaConfig::default()), &mut pool, constraints);
        prop_assert_eq!(found, brute_force(&pool, input, constraints));
    }

    #[test]
    fn queries_over_one_byte_are_decided_without_the_backend(steps in recipes(30), picks in prop::collection::vec(any::<u8>(), 1..4)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let conditions = cook(&mut pool, input, 1, &steps);
        prop_assume!(!conditions.is_empty());
        let mut constraints = Vec::new();
        for n in picks {
            let c = conditions[n as usize % conditions.len()];
            constraints.push(if n >= 128 { pool.not(c) } else { c });
        }
        let expected = (0..=u8::MAX).any(|value| {
            let mut model = Assignment::new();
            model.set_byte(input, 1, 0, value);
            satisfies(&pool, &constraints, &model)
        });
        let mut whole = chain(&config(), Box::new(NeverAsked));
        prop_assert_eq!(has_solution(&mut *whole, &mut pool, &constraints), expected);
    }

    #[test]
    fn the_chain_agrees_with_the_backend(steps in recipes(40), picks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..5), 1..12)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let conditions = cook(&mut pool, input, 4, &steps);
        prop_assume!(!conditions.is_empty());
        let mut plain = Bitwuzla::new(BitwuzlaConfig::default());
        let mut whole = chain(&config(), Box::new(Bitwuzla::new(BitwuzlaConfig::default())));
        for pick in picks {
            let mut constraints = Vec::new();
            for n in pick {
                let c = conditions[n as usize % conditions.len()];
                constraints.push(if n >= 128 { pool.not(c) } else { c });
            }
            let expected = has_solution(&mut plain, &mut pool, &constraints);
            prop_assert_eq!(has_solution(&mut *whole, &mut pool, &constraints), expected);
        }
    }

    #[test]
    fn extremes_are_those_of_brute_force(steps in recipes(12), pick in any::<u8>()) {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (word, conditions) = (two_bytes(&mut pool, input), cook(&mut pool, input, 2, &steps));
        prop_assume!(!conditions.is_empty());
        let condition = conditions[pick as usize % conditions.len()];
        let values: Vec<u128> = (0..=u16::MAX)
            .filter_map(|value| {
                let model = assignment(input, value);
                satisfies(&pool, &[condition], &model).then(|| u128::from(value))
            })
            .collect();
        prop_assume!(!values.is_empty());
        let witness = assignment(input, values[values.len() / 2] as u16);
        let mut path = Path::new();
        path.add(&mut pool, condition);
        let mut oracle = Oracle::new(config(), Box::new(Bitwuzla::new(BitwuzlaConfig::default())));
        let (min, max) = oracle.value_range(&mut pool, &path, &witness, word).unwrap();
        prop_assert!(min.exact && max.exact);
        prop_assert_eq!((min.value, max.value), (values[0], values[values.len() - 1]));
        for extreme in [min, max] {
            prop_assert!(satisfies(&pool, &[condition], &extreme.witness));
            prop_assert_eq!(Evaluator::new(&pool, &extreme.witness).eval(word), extreme.value);
        }
    }

    #[test]
    fn the_relevant_part_decides_as_the_whole_path_does(steps in recipes(40), picks in prop::collection::vec(any::<u8>(), 1..12)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let conditions = cook(&mut pool, input, 4, &steps);
        prop_assume!(!conditions.is_empty());
        let mut plain = Bitwuzla::new(BitwuzlaConfig::default());
        let mut oracle = Oracle::new(config(), Box::new(Bitwuzla::new(BitwuzlaConfig::default())));
        let mut path = Path::new();
        let mut witness = Assignment::new();
        let mut assumed = Vec::new();
        for n in picks {
            let c = conditions[n as usize % conditions.len()];
            let c = if n >= 128 { pool.not(c) } else { c };
            let mut whole = assumed.clone();
            whole.push(c);
            let expected = has_solution(&mut plain, &mut pool, &whole);
            match oracle.may_be(&mut pool, &path, &witness, c).unwrap() {
                May::Yes(found) => {
                    prop_assert!(expected);
                    prop_assert!(satisfies(&pool, &whole, &found), "the witness does not satisfy the path");
                    path.add(&mut pool, c);
                    assumed = whole;
                    witness = found;
                }
                May::No => prop_assert!(!expected),
                May::Unknown(reason) => panic!("unknown: {reason}"),
            }
        }
        let kept: Vec<Term> = path.constraints().collect();
        prop_assert_eq!(kept.len(), path.len());
        prop_assert!(satisfies(&pool, &kept, &witness));
    }
}
