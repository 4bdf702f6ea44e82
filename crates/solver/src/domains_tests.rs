//! What the search by sets of values decides is so.

use crate::domains::Domains;
use crate::interrupt::Interrupt;
use crate::query::{Answer, Query, Reason, Solver, SolverError, Statistics};
use crate::set_table::SetTable;
use osier_term::{Array, Assignment, Pool, Term};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Stands for a backend that is never asked for a verdict.
struct GivesUp;
impl Solver for GivesUp {
    fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
        Ok(Answer::Unknown(Reason::Timeout))
    }
    fn set_timeout(&mut self, _: Option<Duration>) {}
    fn statistics(&self, _: &mut Statistics) {}
}

/// A condition over two bytes, by a recipe.
#[derive(Clone, Debug)]
enum Recipe {
    Equals(u8, u8),
    Below(u8, u8),
    SumIs(u8),
    Same,
    Not(Box<Recipe>),
    And(Box<Recipe>, Box<Recipe>),
    Or(Box<Recipe>, Box<Recipe>),
    Either(Box<Recipe>, Box<Recipe>, Box<Recipe>),
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![
        (0..2u8, 0..6u8).prop_map(|(at, value)| Recipe::Equals(at, value)),
        (0..2u8, 0..6u8).prop_map(|(at, value)| Recipe::Below(at, value)),
        (0..6u8).prop_map(Recipe::SumIs),
        Just(Recipe::Same),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed().prop_map(Recipe::Not),
            (boxed(), boxed()).prop_map(|(a, b)| Recipe::And(a, b)),
            (boxed(), boxed()).prop_map(|(a, b)| Recipe::Or(a, b)),
            (boxed(), boxed(), boxed()).prop_map(|(a, b, c)| Recipe::Either(a, b, c)),
        ]
    })
}

fn build(pool: &mut Pool, input: Array, recipe: &Recipe) -> Term {
    let byte = |pool: &mut Pool, at: u8| pool.select_at(input, at.into());
    match recipe {
        Recipe::Equals(at, value) => {
            let (byte, value) = (byte(pool, *at), pool.constant(8, (*value).into()));
            pool.eq(byte, value)
        }
        Recipe::Below(at, value) => {
            let (byte, value) = (byte(pool, *at), pool.constant(8, (*value).into()));
            pool.ult(byte, value)
        }
        Recipe::SumIs(value) => {
            let (a, b) = (byte(pool, 0), byte(pool, 1));
            let (sum, value) = (pool.add(a, b), pool.constant(8, (*value).into()));
            pool.eq(sum, value)
        }
        Recipe::Same => {
            let (a, b) = (byte(pool, 0), byte(pool, 1));
            pool.eq(a, b)
        }
        Recipe::Not(a) => {
            let a = build(pool, input, a);
            pool.not(a)
        }
        Recipe::And(a, b) => {
            let (a, b) = (build(pool, input, a), build(pool, input, b));
            pool.and(a, b)
        }
        Recipe::Or(a, b) => {
            let (a, b) = (build(pool, input, a), build(pool, input, b));
            pool.or(a, b)
        }
        Recipe::Either(a, b, c) => {
            let (a, b, c) = (build(pool, input, a), build(pool, input, b), build(pool, input, c));
            pool.ite(a, b, c)
        }
    }
}

fn holds(pool: &Pool, constraints: &[Term], model: &Assignment) -> bool {
    constraints.iter().all(|c| osier_term::eval(pool, *c, model) != 0)
}

proptest! {
    #[test]
    fn what_it_decides_is_so(recipes in prop::collection::vec(recipe(), 1..5), start in any::<[u8; 2]>()) {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let constraints: Vec<Term> = recipes.iter().map(|recipe| build(&mut pool, input, recipe)).collect();
        let mut near = Assignment::new();
        near.set(input, start.to_vec().into());
        let mut domains = Domains::wrap(Box::new(GivesUp), SetTable::new(1000), Interrupt::default());
        let query = Query { constraints: &constraints, near: Some(&near) };
        match domains.check(&mut pool, &query).unwrap() {
            Answer::Sat(model) => prop_assert!(holds(&pool, &constraints, &model)),
            // Values beyond those in the recipes and their sums all behave alike.
            Answer::Unsat => for a in (0..14u8).chain(250..=255) {
                for b in (0..14u8).chain(250..=255) {
                    let mut model = Assignment::new();
                    model.set(input, vec![a, b].into());
                    prop_assert!(!holds(&pool, &constraints, &model), "{a} {b}");
                }
            },
            Answer::Unknown(_) => {}
        }
    }
}

#[test]
fn a_name_that_is_spelled_in_many_ways_is_found_and_refused() {
    let mut pool = Pool::new();
    let input = pool.input("path", 6);
    let bytes: Vec<Term> = (0..6).map(|i| pool.select_at(input, i)).collect();
    let is = |pool: &mut Pool, at: usize, value: u8| {
        let value = pool.constant(8, value.into());
        pool.eq(bytes[at], value)
    };
    // Any number of slashes, then `A`.
    let mut named = pool.truth(false);
    let mut slashes = pool.truth(true);
    for at in 0..5 {
        let (letter, end) = (is(&mut pool, at, b'A'), is(&mut pool, at + 1, 0));
        let here = pool.and(letter, end);
        let here = pool.and(slashes, here);
        named = pool.or(named, here);
        let slash = is(&mut pool, at, b'/');
        slashes = pool.and(slashes, slash);
    }
    let first = is(&mut pool, 0, b'x');
    let mut domains = Domains::wrap(Box::new(GivesUp), SetTable::new(1000), Interrupt::default());
    let Ok(Answer::Sat(model)) = domains.check(&mut pool, &Query::of(&[named])) else { panic!("it has solutions") };
    assert!(holds(&pool, &[named], &model));
    assert!(matches!(domains.check(&mut pool, &Query::of(&[first, named])), Ok(Answer::Unsat)));
    let mut interrupted =
        Domains::wrap(Box::new(GivesUp), SetTable::new(1000), Interrupt::new(Some(Arc::new(true.into()))));
    assert!(matches!(interrupted.check(&mut pool, &Query::of(&[named])), Ok(Answer::Unknown(_))));
}
