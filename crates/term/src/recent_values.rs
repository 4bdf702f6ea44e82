//! Values that were evaluated lately, by assignment: a state that follows its witness asks about growing terms under one
//! assignment, again and again.

use std::cell::RefCell;

use crate::assignment::Assignment;
use crate::eval::Memo;

/// So many assignments are remembered: a state's witness, and what it is compared with.
const ASSIGNMENTS: usize = 4;
/// Beyond so many values those of an assignment are forgotten.
const MOST_VALUES: usize = 1 << 20;
/// A larger memo is given back rather than emptied.
const KEPT_CAPACITY: usize = 1 << 12;

/// The last used first.
#[derive(Default)]
pub(crate) struct RecentValues(RefCell<Vec<(Assignment, Memo)>>);

impl RecentValues {
    /// Does something with what is known under an assignment.
    pub fn with<R>(&self, assignment: &Assignment, work: impl FnOnce(&mut Memo) -> R) -> R {
        let mut slots = self.0.borrow_mut();
        match slots.iter().position(|(known, _)| known.is_same(assignment)) {
            Some(0) => {}
            Some(at) => slots[..=at].rotate_right(1),
            None => {
                let memo = match slots.len() {
                    ASSIGNMENTS => slots.pop().map(|(_, memo)| memo.emptied(KEPT_CAPACITY)),
                    _ => None,
                };
                slots.insert(0, (assignment.clone(), memo.unwrap_or_default()));
            }
        }
        let memo = &mut slots[0].1;
        let result = work(memo);
        if memo.len() > MOST_VALUES {
            *memo = Memo::default();
        }
        result
    }

    pub fn bytes(&self) -> usize {
        self.0.borrow().iter().map(|(_, memo)| memo.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, BvOp, Evaluator, Pool, eval};

    #[test]
    fn what_is_remembered_is_of_the_assignment_that_is_asked_about() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (first, second) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let mut deep = vec![first];
        for i in 0..300 {
            let op = if i % 3 == 0 { BvOp::Add } else { BvOp::Mul };
            let other = if i % 2 == 0 { second } else { deep[i / 2] };
            let next = pool.bin(op, deep[i], other);
            deep.push(next);
        }
        let mut assignments: Vec<Assignment> = Vec::new();
        for i in 0..6 {
            let mut assignment = Assignment::new();
            assignment.set(x, vec![2 * i + 1, 7].into());
            assignments.push(assignment);
        }
        for round in 0..4u8 {
            for i in 0..6 {
                let t = deep[150 + 10 * (i + usize::from(round))];
                for assignment in [&assignments[i], &assignments[i / 2], &assignments[i]] {
                    assert_eq!(eval(&pool, t, assignment), Evaluator::new(&pool, assignment).eval(t));
                }
                assignments[i].set_byte(x, 2, 1, 2 * round + 3);
            }
        }
    }
}
