//! What the printers write, the parsers read, with the same meaning.

mod common;

use common::{FIRST_ACCESS, TABLE, conditions, inputs, steps};
use osier_formats::smt2::Command;
use osier_formats::{kquery, smt2};
use osier_term::{Array, Assignment, Pool, eval};
use proptest::prelude::*;

fn assignment(inputs: &[Array; 2], bytes: &[u8; 9]) -> Assignment {
    let mut assignment = Assignment::new();
    assignment.set(inputs[0], bytes[..6].into());
    assignment.set(inputs[1], bytes[6..].into());
    assignment
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn kquery_is_read_as_it_was_meant(steps in steps(), contents in prop::collection::vec(any::<[u8; 9]>(), 8)) {
        let mut pool = Pool::new();
        let before = inputs(&mut pool);
        let constraints = conditions(&mut pool, before, &steps);
        let text = kquery(&pool, &constraints, &before);
        let mut results = kquery::parse(&text, &mut pool);
        prop_assert_eq!(results.len(), 1);
        let query = results.remove(0).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(query.constraints.len(), constraints.len());
        prop_assert!(pool.is_false(query.goal));
        let after = [query.arrays[0].1, query.arrays[1].1];
        for bytes in &contents {
            let (old, new) = (assignment(&before, bytes), assignment(&after, bytes));
            for (&c, &d) in constraints.iter().zip(&query.constraints) {
                prop_assert_eq!(eval(&pool, c, &old), eval(&pool, d, &new), "{}\n{}\n{}", pool.display(c), pool.display(d), text);
            }
        }
    }

    /// Parsing a second time in the same pool gives the same text, for nothing was lost or added the first time.
    #[test]
    fn kquery_that_was_read_is_written_the_same(steps in steps()) {
        let mut pool = Pool::new();
        let before = inputs(&mut pool);
        let constraints = conditions(&mut pool, before, &steps);
        let mut once = Pool::new();
        let first = kquery::parse(&kquery(&pool, &constraints, &before), &mut once).remove(0).unwrap();
        let arrays: Vec<_> = first.arrays.iter().map(|&(_, array)| array).collect();
        let text = kquery(&once, &first.constraints, &arrays);
        let mut twice = Pool::new();
        let second = kquery::parse(&text, &mut twice).remove(0).unwrap();
        let arrays: Vec<_> = second.arrays.iter().map(|&(_, array)| array).collect();
        prop_assert_eq!(kquery(&twice, &second.constraints, &arrays), text);
    }

    #[test]
    fn smt2_is_read_as_it_was_meant(steps in steps(), contents in prop::collection::vec(any::<[u8; 9]>(), 8)) {
        let mut pool = Pool::new();
        let before = inputs(&mut pool);
        let constraints = conditions(&mut pool, before, &steps);
        let text = smt2(&pool, &constraints, &before);
        let script = smt2::parse(&text, &mut pool);
        let mut asserted = Vec::new();
        for command in script.commands {
            match command {
                Ok((_, Command::Assert { condition, .. })) => asserted.push(condition),
                Ok(_) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{error}\n{text}"))),
            }
        }
        // What is asserted of tables stands before the constraints.
        let (of_tables, read) = asserted.split_at(asserted.len() - constraints.len());
        for bytes in &contents {
            let old = assignment(&before, bytes);
            let mut new = Assignment::new();
            for array in &script.arrays {
                let whole: &[u8] = match array.name.as_str() {
                    "a" => &bytes[..6],
                    "in_t12" => &bytes[6..],
                    _ => &TABLE,
                };
                new.set(array.input, whole[..array.size as usize].into());
            }
            prop_assert!(of_tables.iter().all(|&c| eval(&pool, c, &new) == 1));
            for (&c, &d) in constraints.iter().zip(read) {
                prop_assert_eq!(eval(&pool, c, &old), eval(&pool, d, &new), "{}\n{}\n{}", pool.display(c), pool.display(d), text);
            }
        }
    }

    /// Where no index is cut to 32 bits, nothing differs but which inputs are read.
    #[test]
    fn kquery_with_fixed_places_gives_the_very_same_terms(steps in steps()) {
        let mut pool = Pool::new();
        let before = inputs(&mut pool);
        let fixed: Vec<_> = steps.into_iter().filter(|step| step.kind < FIRST_ACCESS).collect();
        let constraints = conditions(&mut pool, before, &fixed);
        let text = kquery(&pool, &constraints, &before);
        let query = kquery::parse(&text, &mut pool).remove(0).unwrap();
        let back = query.arrays.iter().zip(before).map(|(&(_, array), old)| (array, old)).collect();
        for (&c, &d) in constraints.iter().zip(&query.constraints) {
            let d = pool.replace_inputs(d, &back);
            prop_assert!(c == d, "{}\n{}\n{}", pool.display(c), pool.display(d), text);
        }
    }
}
