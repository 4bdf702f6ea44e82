//! Tests a backend's word: every model must satisfy its query by evaluation.

use std::time::Duration;

use osier_term::{Evaluator, Pool};

use crate::query::{Answer, Query, Solver, SolverError, Statistics};

pub(crate) struct Checked {
    inner: Box<dyn Solver>,
}

impl Checked {
    pub(crate) fn wrap_if(wanted: bool, inner: Box<dyn Solver>) -> Box<dyn Solver> {
        if wanted { Box::new(Checked { inner }) } else { inner }
    }
}

impl Solver for Checked {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let answer = self.inner.check(pool, query)?;
        if let Answer::Sat(model) = &answer {
            let mut evaluator = Evaluator::new(pool, model);
            if let Some(&constraint) = query.constraints.iter().find(|&&c| evaluator.eval(c) == 0) {
                return Err(SolverError::WrongModel { constraint });
            }
        }
        Ok(answer)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        self.inner.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::Assignment;

    /// Claims that everything has the all-zero solution.
    struct Liar;
    impl Solver for Liar {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            Ok(Answer::Sat(Assignment::new()))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    #[test]
    fn a_wrong_model_is_an_error_and_a_right_one_passes() {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let byte = pool.select_at(input, 0);
        let seven = pool.constant(8, 7);
        let is_seven = pool.eq(byte, seven);
        let is_not = pool.not(is_seven);
        let mut solver = Checked::wrap_if(true, Box::new(Liar));
        let wrong = solver.check(&mut pool, &Query::of(&[is_seven]));
        assert_eq!(wrong.unwrap_err(), SolverError::WrongModel { constraint: is_seven });
        assert!(matches!(solver.check(&mut pool, &Query::of(&[is_not])), Ok(Answer::Sat(_))));
    }
}
