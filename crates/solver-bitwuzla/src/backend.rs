//! The backend: translates a query, asks, reads the model back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver, SolverError, Statistics};
use osier_term::{Assignment, Pool, Support};

use crate::session::{Session, Verdict};
use crate::translate::Translator;

/// What can be set about the backend itself; the timeout comes through [`Solver::set_timeout`].
#[derive(Clone, Debug)]
pub struct BitwuzlaConfig {
    /// Translated terms that a session may hold before it is thrown away and begun anew. It bounds memory, and old
    /// terms slow down a session's preprocessing.
    pub session_terms: usize,
    /// Set from outside, it stops a running query, which is then unknown because interrupted.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for BitwuzlaConfig {
    fn default() -> Self {
        BitwuzlaConfig { session_terms: 200_000, interrupt: None }
    }
}

/// One incremental Bitwuzla with everything translated so far. The pool must be the same in all calls.
pub struct Bitwuzla {
    config: BitwuzlaConfig,
    session: Session,
    translator: Translator,
    timeout: Option<Duration>,
    solved: u64,
}

impl Bitwuzla {
    pub fn new(config: BitwuzlaConfig) -> Self {
        let session = Session::new(config.interrupt.clone());
        Bitwuzla { config, session, translator: Translator::default(), timeout: None, solved: 0 }
    }

    fn begin_anew(&mut self) {
        self.translator = Translator::default();
        self.session = Session::new(self.config.interrupt.clone());
    }

    /// Bitwuzla's complaint as our error. Terms may be broken after it, so nothing of the session is used again.
    fn sound(&mut self) -> Result<(), SolverError> {
        match self.session.take_complaint() {
            None => Ok(()),
            Some(message) => {
                self.begin_anew();
                Err(SolverError::Backend { backend: "Bitwuzla", message })
            }
        }
    }
}

impl Solver for Bitwuzla {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        // Translation counts: the user waits for it too.
        let deadline = self.timeout.map(|t| Instant::now() + t);
        self.session.enter_thread();
        if self.translator.len() > self.config.session_terms {
            self.begin_anew();
        }
        let mut support = Support::default();
        let mut conditions = Vec::with_capacity(query.constraints.len());
        for &c in query.constraints {
            support = support.union(&pool.support(c));
            conditions.push(self.translator.translate(&mut self.session, pool, c));
        }
        self.sound()?;
        let mut model = Assignment::new();
        let arrays = &self.translator.arrays;
        let verdict = self.session.check(&conditions, deadline, |session| {
            arrays.for_each_byte(session, &support, |array, size, index, value| {
                model.set_byte(array, size, index, value);
            });
        });
        self.sound()?;
        self.solved += 1;
        Ok(match verdict {
            Verdict::Sat => Answer::Sat(model),
            Verdict::Unsat => Answer::Unsat,
            Verdict::TimedOut => Answer::Unknown(Reason::Timeout),
            Verdict::Interrupted => Answer::Unknown(Reason::Interrupted),
            Verdict::GaveUp => Answer::Unknown(Reason::Incomplete("Bitwuzla answered \"unknown\"".to_owned())),
        })
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
    }
}
