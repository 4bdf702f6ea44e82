//! Looks for a solution around the assignment that a query is near to: every byte stays as it is there, but those that the
//! unmet constraints read there. A path of thousands of conditions becomes a question of a few, and a seed's path is one.
//!
//! Where there is a solution it is one of the whole query. Where there is none, nothing is known, and the query goes on; the
//! more often in a row, the more queries are passed by before the next look, for it costs as much as a backend on some paths.

use std::time::Duration;

use osier_term::{Assignment, Node, Pool, Support, Term, eval};

use crate::models::overlay;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};

/// Queries of fewer constraints are as fast without.
const FEWEST_CONSTRAINTS: usize = 100;
/// More bytes are not left open.
const MOST_BYTES: usize = 16;
/// An element that is the index of another one, and so on: looked into so deep.
const DEEPEST_READ: usize = 4;

/// After so many looks in vain, no more queries are passed by than after these.
const MOST_IN_VAIN: u32 = 8;

pub(crate) struct Around {
    inner: Box<dyn Solver>,
    /// Looks in a row that found nothing.
    in_vain: u32,
    /// Queries to pass by before the next look.
    passes: u32,
}

impl Around {
    pub(crate) fn wrap(inner: Box<dyn Solver>) -> Box<dyn Solver> {
        Box::new(Around::over(inner))
    }

    fn over(inner: Box<dyn Solver>) -> Self {
        Around { inner, in_vain: 0, passes: 0 }
    }

    /// Whether it is time for a look.
    fn is_due(&mut self) -> bool {
        let due = self.passes == 0;
        self.passes = self.passes.saturating_sub(1);
        due
    }

    fn learn(&mut self, found: bool) {
        self.in_vain = if found { 0 } else { (self.in_vain + 1).min(MOST_IN_VAIN) };
        self.passes = (1 << self.in_vain) - 1;
    }

    fn look(&mut self, pool: &mut Pool, query: &Query, near: &Assignment) -> Result<Option<Assignment>, SolverError> {
        let Some(open) = unmet_bytes(pool, query.constraints, near) else { return Ok(None) };
        let Some(left) = left_over(pool, query.constraints, near, &open) else { return Ok(None) };
        let answer = self.inner.check(pool, &Query { constraints: &left, near: Some(near) })?;
        let Answer::Sat(model) = answer else { return Ok(None) };
        let mut moved = near.clone();
        overlay(pool, &mut moved, &model, &open);
        Ok(Some(moved))
    }
}

impl Solver for Around {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        if query.constraints.len() >= FEWEST_CONSTRAINTS
            && let Some(near) = query.near
            && self.is_due()
        {
            let found = self.look(pool, query, near)?;
            self.learn(found.is_some());
            if let Some(found) = found {
                return Ok(Answer::Sat(found));
            }
        }
        self.inner.check(pool, query)
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        self.inner.recall(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        self.inner.statistics(out);
    }
}

/// The bytes on which it depends that some constraints do not hold, if they are few.
fn unmet_bytes(pool: &mut Pool, constraints: &[Term], near: &Assignment) -> Option<Support> {
    let mut open = Support::new();
    for &constraint in constraints {
        if eval(pool, constraint, near) == 0 {
            let here = read_here(pool, constraint, near);
            open.join(&pool.support(here));
            if open.len() > MOST_BYTES {
                return None;
            }
        }
    }
    (!open.is_empty()).then_some(open)
}

/// A term with the elements of arrays that it reads under an assignment in place of those that it could read.
fn read_here(pool: &mut Pool, mut t: Term, near: &Assignment) -> Term {
    for _ in 0..DEEPEST_READ {
        let before = t;
        t = pool.substitute(t, &mut |pool, part| match pool.node(part) {
            Node::Select { array, index } if pool.as_const(index).is_none() => {
                let at = eval(pool, index, near);
                Some(pool.select_at(array, at as u64))
            }
            _ => None,
        });
        if t == before {
            break;
        }
    }
    t
}

/// What the constraints say of the open bytes if all others are as they are. Nothing if some constraint still speaks of
/// others, which the element read from an array does whose index is open.
fn left_over(pool: &mut Pool, constraints: &[Term], near: &Assignment, open: &Support) -> Option<Vec<Term>> {
    let mut left = Vec::new();
    for &constraint in constraints {
        if !pool.support(constraint).intersects(open) {
            continue;
        }
        let fixed = pool.substitute(constraint, &mut |pool, part| {
            let is_fixed = pool.as_const(part).is_none() && !pool.support(part).intersects(open);
            is_fixed.then(|| {
                let (value, width) = (eval(pool, part, near), pool.width(part));
                pool.constant(width, value)
            })
        });
        if pool.is_true(fixed) {
            continue;
        }
        if pool.is_false(fixed) || !open.contains(&pool.support(fixed)) {
            return None;
        }
        left.push(fixed);
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Reason;
    use osier_term::{Array, Evaluator};

    /// Finds a value of the one byte that it is asked about, and refuses all else.
    struct OneByte {
        input: Array,
    }

    impl Solver for OneByte {
        fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
            if query.constraints.len() >= FEWEST_CONSTRAINTS {
                return Ok(Answer::Unknown(Reason::Timeout));
            }
            let byte = pool.support(query.constraints[0]).intervals()[0].0;
            for value in 0..=255 {
                let mut model = Assignment::new();
                model.set_byte(self.input, 200, byte, value);
                let mut evaluator = Evaluator::new(pool, &model);
                if query.constraints.iter().all(|&c| evaluator.holds(c)) {
                    return Ok(Answer::Sat(model));
                }
            }
            Ok(Answer::Unsat)
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    /// Each byte is less than the next one, which the assignment is: 1, 2, 3 and so on, but for the last byte, 255.
    fn rising(pool: &mut Pool) -> (Array, Vec<Term>, Vec<Term>, Assignment) {
        let input = pool.input("x", 200);
        let bytes: Vec<Term> = (0..200).map(|at| pool.select_at(input, at)).collect();
        let rising = bytes.windows(2).map(|pair| pool.ult(pair[0], pair[1])).collect();
        let mut near = Assignment::new();
        near.set(input, (1..200).chain([255]).collect());
        (input, bytes, rising, near)
    }

    #[test]
    fn one_byte_moves_between_its_neighbours() {
        let mut pool = Pool::new();
        let (input, bytes, mut constraints, near) = rising(&mut pool);
        let most = pool.constant(8, 230);
        constraints.push(pool.ult(bytes[199], most));
        let mut around = Around::over(Box::new(OneByte { input }));
        let answer = around.check(&mut pool, &Query { constraints: &constraints, near: Some(&near) }).unwrap();
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let mut evaluator = Evaluator::new(&pool, &model);
        assert!(constraints.iter().all(|&c| evaluator.holds(c)));
        assert_eq!(model.get(input, 198), 199);
    }

    #[test]
    fn where_nothing_is_around_the_whole_query_is_asked() {
        let mut pool = Pool::new();
        let (input, bytes, mut constraints, near) = rising(&mut pool);
        // The second byte lies between 1 and 3.
        let one = pool.constant(8, 1);
        constraints.push(pool.eq(bytes[1], one));
        let mut around = Around::over(Box::new(OneByte { input }));
        let answer = around.check(&mut pool, &Query { constraints: &constraints, near: Some(&near) }).unwrap();
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        // The next query is passed by, and the one after that looked at again.
        let least = pool.constant(8, 230);
        *constraints.last_mut().unwrap() = pool.ult(bytes[199], least);
        let mut again = || around.check(&mut pool, &Query { constraints: &constraints, near: Some(&near) }).unwrap();
        assert!(matches!(again(), Answer::Unknown(_)));
        assert!(matches!(again(), Answer::Sat(_)));
        assert!(matches!(again(), Answer::Sat(_)));
    }

    #[test]
    fn an_element_moves_and_not_its_index() {
        let mut pool = Pool::new();
        let (input, bytes, mut constraints, near) = rising(&mut pool);
        let index = pool.zext(bytes[49], 64);
        let element = pool.select(input, index);
        let fifty_one = pool.constant(8, 51);
        // Byte 50 is 51, and the first byte is 1.
        constraints.push(pool.ne(element, fifty_one));
        let two = pool.constant(8, 2);
        constraints[0] = pool.ult(bytes[0], two);
        constraints[49] = pool.ult(bytes[49], bytes[50]);
        constraints[50] = pool.ult(bytes[50], bytes[52]);
        let mut around = Around::over(Box::new(OneByte { input }));
        let answer = around.check(&mut pool, &Query { constraints: &constraints, near: Some(&near) }).unwrap();
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let mut evaluator = Evaluator::new(&pool, &model);
        assert!(constraints.iter().all(|&c| evaluator.holds(c)));
        assert_eq!((model.get(input, 49), model.get(input, 50)), (50, 52));
    }

    #[test]
    fn an_element_at_an_open_index_speaks_of_all() {
        let mut pool = Pool::new();
        let (input, bytes, mut constraints, near) = rising(&mut pool);
        let index = pool.zext(bytes[199], 64);
        let element = pool.select(input, index);
        let three = pool.constant(8, 3);
        constraints.push(pool.ult(element, three));
        let open = Support::range(199, 200);
        assert!(left_over(&mut pool, &constraints, &near, &open).is_none());
    }
}
