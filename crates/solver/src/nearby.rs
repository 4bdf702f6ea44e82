//! The first look at a question about one single byte: can the witness answer it with another value of that byte?
//!
//! Constraints that do not speak of the byte hold in the witness and go on holding. Those over this byte alone narrow
//! the set of its values; the few that bind it to others are evaluated. No constraint is copied, sorted or cut, which
//! costs more than the answer.

use osier_term::{Assignment, Evaluator, Pool, Term};

use crate::domains::one_byte;
use crate::lanes::Home;
use crate::oracle::May;
use crate::set_table::SetTable;
use crate::speakers::Speakers;

/// Values that are tried where other bytes are bound to this one.
const MOST_VALUES: usize = 3;

pub(crate) struct Nearby {
    table: SetTable,
    speakers: Speakers,
    pub(crate) decided: u64,
}

impl Nearby {
    pub(crate) fn new(limit: usize) -> Self {
        Nearby { table: SetTable::new(limit), speakers: Speakers::default(), decided: 0 }
    }

    /// Whether `condition` can hold together with the constraints, which are sorted and which `witness` satisfies; `None`
    /// if that takes more than a look.
    pub(crate) fn look(
        &mut self,
        pool: &mut Pool,
        constraints: &[Term],
        witness: &Assignment,
        condition: Term,
    ) -> Option<May> {
        let byte = one_byte(&pool.support(condition))?;
        let mut values = self.table.set_of(pool, condition, byte)?;
        let mut binding = Vec::new();
        for constraint in self.speakers.among(pool, constraints, byte) {
            match one_byte(&pool.support(constraint)) {
                Some(_) => {
                    let set = self.table.set_of(pool, constraint, byte)?;
                    values = values.zip(set, |a, b| a & b);
                }
                None => binding.push(constraint),
            }
        }
        if values.is_empty() {
            self.decided += 1;
            return Some(May::No);
        }
        let Home { array, size, index } = self.table.home_of(pool, condition, byte)?;
        for _ in 0..MOST_VALUES {
            let value = values.first()?;
            let mut model = witness.clone();
            model.set_byte(array, size, index, value);
            let mut evaluator = Evaluator::new(pool, &model);
            if binding.iter().all(|&constraint| evaluator.eval(constraint) != 0) {
                self.decided += 1;
                return Some(May::Yes(model));
            }
            values = values.without(value);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_moves_and_what_is_bound_to_it_goes_on_holding() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let (three, five) = (pool.constant(8, 3), pool.constant(8, 5));
        let (below, apart, above) = (pool.ult(a, five), pool.ne(a, b), pool.ult(three, a));
        let mut witness = Assignment::new();
        witness.set(input, vec![1, 4].into());
        let mut nearby = Nearby::new(100);
        // Between 3 and 5 there is 4, which the other byte has.
        assert!(nearby.look(&mut pool, &[below, apart], &witness, above).is_none());
        let Some(May::Yes(model)) = nearby.look(&mut pool, &[below], &witness, above) else { panic!("4 fits") };
        assert_eq!(model.bytes(input), Some(&[4, 4][..]));
        let not_below = pool.not(below);
        assert!(matches!(nearby.look(&mut pool, &[below, apart], &witness, not_below), Some(May::No)));
        assert!(nearby.look(&mut pool, &[below], &witness, apart).is_none());
        assert_eq!(nearby.decided, 2);
    }
}
