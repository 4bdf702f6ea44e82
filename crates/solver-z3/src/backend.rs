//! The backend: translates the query, asks, reads the model back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, Census, Query, Reason, Solver, SolverError, Statistics};
use osier_term::{Assignment, Pool, Support};

use crate::session::{Complaint, Session, Verdict};
use crate::translate::Translator;
use crate::watchdog::Watchdog;

/// A session is begun anew when it holds this many times the terms of the queries that it is asked.
const BALLAST: usize = 8;

/// Below this weight a session is kept in any case: beginning anew costs about as much.
const LIGHT: usize = 500;

/// What can be set about the backend itself; the timeout comes through [`Solver::set_timeout`].
#[derive(Clone, Debug, Default)]
pub struct Z3Config {
    /// Set from outside, it stops a running query, which is then unknown because interrupted.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// An incremental Z3 with what was translated for it. The pool must be the same in all calls.
pub struct Z3 {
    census: Census,
    watchdog: Watchdog,
    /// Made when the first query comes.
    live: Option<(Session, Translator)>,
    /// The weight of recent queries: the largest, forgotten slowly.
    typical: usize,
    timeout: Option<Duration>,
    solved: u64,
}

impl Z3 {
    pub fn new(config: Z3Config) -> Self {
        Z3 {
            census: Census::default(),
            watchdog: Watchdog::new(config.interrupt),
            live: None,
            typical: 0,
            timeout: None,
            solved: 0,
        }
    }
}

impl Solver for Z3 {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        // Translation counts: the user waits for it too.
        let deadline = self.timeout.map(|t| Instant::now() + t);
        if self.watchdog.is_interrupted() {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        self.solved += 1;
        let weight = self.census.count(pool, query.constraints).weight;
        self.typical = weight.max(self.typical - self.typical.div_ceil(16));
        let limit = LIGHT + BALLAST * self.typical;
        self.live.take_if(|(_, translator)| translator.weight() > limit);
        let (session, translator) = self.live.get_or_insert_with(|| (Session::new(c"QF_ABV"), Translator::default()));
        let result = ask(session, translator, &mut self.watchdog, pool, query, deadline);
        let can_go_on = match &result {
            Ok(Answer::Sat(_) | Answer::Unsat | Answer::Unknown(Reason::Incomplete(_))) => true,
            // After an interrupt the context stays cancelled, and after a complaint some terms mean nothing.
            Ok(Answer::Unknown(Reason::Timeout | Reason::Interrupted | Reason::Memory)) | Err(_) => false,
        };
        if !can_go_on {
            self.live = None;
        }
        result
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
    }
}

fn ask(
    session: &mut Session,
    translator: &mut Translator,
    watchdog: &mut Watchdog,
    pool: &mut Pool,
    query: &Query,
    deadline: Option<Instant>,
) -> Result<Answer, SolverError> {
    let mut support = Support::new();
    let mut conditions = Vec::with_capacity(query.constraints.len());
    for &c in query.constraints {
        support = support.union(&pool.support(c));
        conditions.push(translator.translate(session, pool, c));
    }
    let mut bytes = Vec::new();
    translator.arrays.for_each_byte(session, &support, |array, size, at, term| bytes.push((array, size, at, term)));
    let failed = |message: String| SolverError::Backend { backend: "Z3", message };
    match session.take_complaint() {
        Some(Complaint { out_of_memory: true, .. }) => return Ok(Answer::Unknown(Reason::Memory)),
        Some(Complaint { out_of_memory: false, message }) => return Err(failed(message)),
        None => {}
    }
    let mut model = Assignment::new();
    let verdict = session.check(&conditions, deadline, watchdog, |solution| {
        for &(array, size, at, term) in &bytes {
            model.set_byte(array, size, at, solution.value_of(term) as u8);
        }
    });
    Ok(match verdict.map_err(|error| failed(error.to_string()))? {
        Verdict::Sat => Answer::Sat(model),
        Verdict::Unsat => Answer::Unsat,
        Verdict::TimedOut => Answer::Unknown(Reason::Timeout),
        Verdict::Interrupted => Answer::Unknown(Reason::Interrupted),
        Verdict::OutOfMemory => Answer::Unknown(Reason::Memory),
        Verdict::GaveUp(why) => Answer::Unknown(Reason::Incomplete(format!("Z3: {why}"))),
    })
}
