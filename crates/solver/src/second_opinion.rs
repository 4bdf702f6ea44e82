//! Asks somebody else. Every answer of the stages below is tested: models by evaluation, and that there is no solution
//! by a second backend.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use osier_term::{Evaluator, Pool, Term};

use crate::answers::key_of;
use crate::generations::Generations;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};

/// A backend besides the one that answers. A handle, so that it can stand in a configuration.
#[derive(Clone)]
pub struct SecondOpinion(Rc<RefCell<Box<dyn Solver>>>);

impl SecondOpinion {
    pub fn of(backend: Box<dyn Solver>) -> Self {
        SecondOpinion(Rc::new(RefCell::new(backend)))
    }
}

impl fmt::Debug for SecondOpinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecondOpinion")
    }
}

pub(crate) struct CrossChecked {
    inner: Box<dyn Solver>,
    second: SecondOpinion,
    /// Where the answer was found right.
    confirmed: Generations<Box<[Term]>, ()>,
    confirmations: u64,
    unconfirmed: u64,
}

impl CrossChecked {
    pub(crate) fn wrap_if(
        second: Option<&SecondOpinion>,
        timeout: Option<Duration>,
        inner: Box<dyn Solver>,
        limit: usize,
    ) -> Box<dyn Solver> {
        let Some(second) = second.cloned() else { return inner };
        second.0.borrow_mut().set_timeout(timeout);
        let confirmed = Generations::new(limit);
        Box::new(CrossChecked { inner, second, confirmed, confirmations: 0, unconfirmed: 0 })
    }

    fn test(&mut self, pool: &mut Pool, query: &Query, answer: &Answer) -> Result<(), SolverError> {
        match answer {
            Answer::Unknown(_) => {}
            Answer::Sat(model) => {
                if broken_by(pool, query, model).is_some() {
                    return Err(disagreement(pool, query, "what was found as a solution is none"));
                }
            }
            Answer::Unsat => {
                let key = key_of(query.constraints);
                if self.confirmed.get(&key).is_none() {
                    if self.confirm_unsat(pool, query)? {
                        self.confirmed.insert(key, ());
                        self.confirmations += 1;
                    } else {
                        self.unconfirmed += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the second backend agrees that there is no solution; not if it does not know.
    fn confirm_unsat(&mut self, pool: &mut Pool, query: &Query) -> Result<bool, SolverError> {
        match self.second.0.borrow_mut().check(pool, query)? {
            Answer::Unsat => Ok(true),
            Answer::Unknown(_) => Ok(false),
            Answer::Sat(model) => {
                // Whose word counts? A model can be tested, and one that holds settles it.
                let what = match broken_by(pool, query, &model) {
                    None => "there is a solution, where it was found that there is none",
                    Some(_) => "the second solver has a solution which is none, where none was found",
                };
                Err(disagreement(pool, query, what))
            }
        }
    }
}

fn broken_by(pool: &Pool, query: &Query, model: &osier_term::Assignment) -> Option<Term> {
    let mut evaluator = Evaluator::new(pool, model);
    query.constraints.iter().copied().find(|&c| evaluator.eval(c) == 0)
}

pub(crate) fn disagreement(pool: &Pool, query: &Query, what: &'static str) -> SolverError {
    SolverError::Disagreement { what, script: osier_formats::smt2(pool, query.constraints, &[]) }
}

impl Solver for CrossChecked {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let answer = self.inner.check(pool, query)?;
        self.test(pool, query, &answer)?;
        Ok(answer)
    }

    /// What is remembered is tested like all else: who wants every answer tested does not mind the time.
    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let answer = self.inner.recall(pool, query)?;
        if let Some(answer) = &answer {
            self.test(pool, query, answer)?;
        }
        Ok(answer)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.second.0.borrow_mut().set_timeout(timeout);
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.confirmed += self.confirmations;
        out.unconfirmed += self.unconfirmed;
        self.inner.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Reason;
    use osier_term::Assignment;

    /// Says always the same.
    struct Always(Answer);
    impl Solver for Always {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(self.0.clone())
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    fn check(first: Answer, second: Answer, twice: bool) -> (Result<Answer, SolverError>, Statistics) {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let byte = pool.select_at(input, 0);
        let zero = pool.constant(8, 0);
        let is_zero = pool.eq(byte, zero);
        let second = SecondOpinion::of(Box::new(Always(second)));
        let mut solver = CrossChecked::wrap_if(Some(&second), None, Box::new(Always(first)), 10);
        let mut result = solver.check(&mut pool, &Query::of(&[is_zero]));
        if twice {
            result = solver.check(&mut pool, &Query::of(&[is_zero]));
        }
        let mut counted = Statistics::default();
        solver.statistics(&mut counted);
        (result, counted)
    }

    fn model(value: u8) -> Answer {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let mut model = Assignment::new();
        model.set_byte(input, 1, 0, value);
        Answer::Sat(model)
    }

    #[test]
    fn a_wrong_unsat_and_a_wrong_model_are_errors_that_have_the_query() {
        for (first, second) in [(Answer::Unsat, model(0)), (Answer::Unsat, model(1)), (model(1), Answer::Unsat)] {
            let Err(SolverError::Disagreement { script, .. }) = check(first, second, false).0 else {
                panic!("nobody noticed");
            };
            assert!(script.contains("(check-sat)") && script.contains("(select x "), "{script}");
        }
    }

    #[test]
    fn right_answers_pass_and_are_confirmed_once() {
        assert!(matches!(check(model(0), Answer::Unsat, false).0, Ok(Answer::Sat(_))));
        let (answer, counted) = check(Answer::Unsat, Answer::Unsat, true);
        assert!(matches!(answer, Ok(Answer::Unsat)));
        assert_eq!((counted.confirmed, counted.unconfirmed), (1, 0));
        let (answer, counted) = check(Answer::Unsat, Answer::Unknown(Reason::Timeout), true);
        assert!(matches!(answer, Ok(Answer::Unsat)));
        assert_eq!((counted.confirmed, counted.unconfirmed), (0, 2), "not knowing is no confirmation");
    }
}
