//! The backend: chooses a session, translates the query, asks, reads the model back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, ArrayReads, Census, Count, Query, Reason, Solver, SolverError, Statistics};
use osier_term::{Assignment, Pool, Support};

use crate::session::{Handle, Session, Verdict};
use crate::translate::Translator;

/// A session is begun anew when it holds this many times the terms of the queries that it is asked, for everything
/// that it holds slows down every query. (2000 queries over fresh terms: 8.8 ms each in one session, 0.4 ms so.)
const BALLAST: usize = 8;

/// Below this weight a session is kept in any case: beginning anew costs about as much.
const LIGHT: usize = 500;

/// What can be set about the backend itself; the timeout comes through [`Solver::set_timeout`].
#[derive(Clone, Debug, Default)]
pub struct BitwuzlaConfig {
    /// Set from outside, it stops a running query, which is then unknown because interrupted.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Incremental Bitwuzlas with what was translated for them. The pool must be the same in all calls.
pub struct Bitwuzla {
    census: Census,
    /// Without Bitwuzla's preprocessing, which costs most of the time of an easy query.
    quick: Tier,
    /// With it.
    thorough: Tier,
    timeout: Option<Duration>,
    solved: u64,
}

impl Bitwuzla {
    pub fn new(config: BitwuzlaConfig) -> Self {
        Bitwuzla {
            census: Census::default(),
            quick: Tier::new(config.interrupt.clone(), false),
            thorough: Tier::new(config.interrupt, true),
            timeout: None,
            solved: 0,
        }
    }
}

impl Solver for Bitwuzla {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        // Translation counts: the user waits for it too.
        let deadline = self.timeout.map(|t| Instant::now() + t);
        let count = self.census.count(pool, query.constraints);
        let tier = if count.needs_algebra { &mut self.thorough } else { &mut self.quick };
        self.solved += 1;
        tier.check(pool, query, count, deadline)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
        out.arrays += self.quick.reads;
        out.arrays += self.thorough.reads;
    }
}

/// A session and what it has seen.
struct Tier {
    preprocess: bool,
    interrupt: Option<Arc<AtomicBool>>,
    /// Made when the first query comes.
    live: Option<(Session, Translator)>,
    /// The weight of recent queries: the largest, forgotten slowly. By weight and not by time, so that the same
    /// queries always get the same models.
    typical: usize,
    /// How arrays were read in all sessions.
    reads: ArrayReads,
}

impl Tier {
    fn new(interrupt: Option<Arc<AtomicBool>>, preprocess: bool) -> Self {
        Tier { preprocess, interrupt, live: None, typical: 0, reads: ArrayReads::default() }
    }

    fn check(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        count: Count,
        deadline: Option<Instant>,
    ) -> Result<Answer, SolverError> {
        self.typical = count.weight.max(self.typical - self.typical.div_ceil(16));
        let limit = LIGHT + BALLAST * self.typical;
        self.live.take_if(|(_, translator)| translator.weight() > limit);
        let (session, translator) = self
            .live
            .get_or_insert_with(|| (Session::new(self.interrupt.clone(), self.preprocess), Translator::default()));
        let result = ask(session, translator, pool, query, deadline);
        self.reads += std::mem::take(&mut translator.arrays.counted);
        if result.is_err() {
            // After a complaint some terms may be null, so nothing of the session is used again.
            self.live = None;
        }
        result
    }
}

/// The constraints as terms of the session. Where there is no time left for that, what is translated serves the next query.
fn translated(
    session: &mut Session,
    translator: &mut Translator,
    pool: &Pool,
    query: &Query,
) -> Result<Vec<Handle>, Verdict> {
    query.constraints.iter().map(|&c| translator.translate(session, pool, c)).collect()
}

fn ask(
    session: &mut Session,
    translator: &mut Translator,
    pool: &mut Pool,
    query: &Query,
    deadline: Option<Instant>,
) -> Result<Answer, SolverError> {
    session.enter_thread();
    session.begin(deadline);
    let mut model = Assignment::new();
    let verdict = match translated(session, translator, pool, query) {
        Ok(conditions) => session.check(&conditions, |session| {
            let supports = query.constraints.iter().map(|&c| pool.support(c));
            let support = supports.fold(Support::new(), |all, some| all.union(&some));
            translator.arrays.for_each_byte(session, &support, |array, size, index, value| {
                model.set_byte(array, size, index, value);
            });
        }),
        Err(stopped) => stopped,
    };
    if let Some(message) = session.take_complaint() {
        return Err(SolverError::Backend { backend: "Bitwuzla", message });
    }
    Ok(match verdict {
        Verdict::Sat => Answer::Sat(model),
        Verdict::Unsat => Answer::Unsat,
        Verdict::TimedOut => Answer::Unknown(Reason::Timeout),
        Verdict::Interrupted => Answer::Unknown(Reason::Interrupted),
        Verdict::GaveUp => Answer::Unknown(Reason::Incomplete("Bitwuzla answered \"unknown\"".to_owned())),
    })
}
