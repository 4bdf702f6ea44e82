//! Writes queries down as they are answered, so that they can be asked again elsewhere.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use osier_formats::{Question, kquery, smt2};
use osier_term::{Pool, Term};

use crate::query::{Answer, Query, Solver, SolverError, Statistics};

/// Where in the chain queries are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogPoint {
    /// Where they enter it.
    Entrance,
    /// Before the backend: those that no stage could answer, in the form in which they reach it.
    Backend,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    Smt2,
    KQuery,
}

/// A log of queries. Clones write to the same one.
#[derive(Clone)]
pub struct QueryLog {
    point: LogPoint,
    /// What was answered faster is left out.
    least: Duration,
    format: LogFormat,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    out: Option<Box<dyn Write + Send>>,
    written: u64,
    failure: Option<io::Error>,
}

impl fmt::Debug for QueryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QueryLog { point, least, format, state: _ } = self;
        f.debug_struct("QueryLog").field("point", point).field("least", least).field("format", format).finish()
    }
}

impl QueryLog {
    pub fn new(point: LogPoint, least: Duration, format: LogFormat) -> Self {
        QueryLog { point, least, format, state: Arc::default() }
    }

    /// Where the queries go; those asked before are not written. Every query is one call of `write_all`, so that a
    /// writer which keeps calls together never holds half a query.
    pub fn attach(&self, mut out: Box<dyn Write + Send>) -> io::Result<()> {
        if self.format == LogFormat::Smt2 {
            out.write_all(smt2::HEADER.as_bytes())?;
        }
        self.state().out = Some(out);
        Ok(())
    }

    /// Hands all that was written to the writer's owner; the first failure if something could not be written.
    pub fn flush(&self) -> io::Result<()> {
        let mut state = self.state();
        if let Some(failure) = state.failure.take() {
            return Err(failure);
        }
        state.out.as_mut().map_or(Ok(()), |out| out.flush())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_at(&self, point: LogPoint) -> bool {
        self.point == point
    }

    pub(crate) fn write(&self, pool: &Pool, constraints: &[Term], verdict: Verdict, took: Duration) {
        let mut state = self.state();
        if state.out.is_none() || state.failure.is_some() || took < self.least {
            return;
        }
        state.written += 1;
        let (number, milliseconds) = (state.written, took.as_secs_f64() * 1000.0);
        let question = Question { constraints, values: &[], inputs: &[] };
        let text = match self.format {
            LogFormat::Smt2 => {
                let status = match verdict {
                    Verdict::Sat => "sat",
                    Verdict::Unsat => "unsat",
                    Verdict::Unknown => "unknown",
                };
                let text = smt2::question(pool, &question);
                format!("; {number}: {status} in {milliseconds:.3} ms\n(set-info :status {status})\n{text}")
            }
            LogFormat::KQuery => {
                let status = match verdict {
                    Verdict::Sat => "INVALID",
                    Verdict::Unsat => "VALID",
                    Verdict::Unknown => "FAIL",
                };
                format!("# {number}: {status} in {milliseconds:.3} ms\n{}", kquery::question(pool, &question))
            }
        };
        if let Some(Err(failure)) = state.out.as_mut().map(|out| out.write_all(text.as_bytes())) {
            state.failure = Some(failure);
        }
    }
}

/// What a log says of an answer.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

impl Verdict {
    fn of(answer: &Result<Answer, SolverError>) -> Self {
        match answer {
            Ok(Answer::Sat(_)) => Verdict::Sat,
            Ok(Answer::Unsat) => Verdict::Unsat,
            Ok(Answer::Unknown(_)) | Err(_) => Verdict::Unknown,
        }
    }
}

pub(crate) struct Logging {
    inner: Box<dyn Solver>,
    log: QueryLog,
}

impl Logging {
    /// The stage, if the log is kept at this point.
    pub(crate) fn wrap_at(point: LogPoint, log: Option<&QueryLog>, inner: Box<dyn Solver>) -> Box<dyn Solver> {
        match log {
            Some(log) if log.is_at(point) => Box::new(Logging { inner, log: log.clone() }),
            Some(_) | None => inner,
        }
    }
}

impl Solver for Logging {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let answer = self.inner.check(pool, query);
        self.log.write(pool, query.constraints, Verdict::of(&answer), start.elapsed());
        answer
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let start = Instant::now();
        let answer = self.inner.recall(pool, query).transpose();
        if let Some(answer) = &answer {
            self.log.write(pool, query.constraints, Verdict::of(answer), start.elapsed());
        }
        answer.transpose()
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
    use crate::query::Reason;

    /// Knows nothing, and takes its time.
    struct Slow(Duration);
    impl Solver for Slow {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            std::thread::sleep(self.0);
            Ok(Answer::Unknown(Reason::Timeout))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    /// Counts calls and keeps what it is given; fails once it has seen enough.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<String>>>);
    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut calls = self.0.lock().unwrap();
            if calls.len() == 3 {
                return Err(io::Error::other("the paper is full"));
            }
            calls.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn ask(log: &QueryLog, pause: Duration) {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let (byte, nine) = (pool.select_at(input, 0), pool.constant(8, 9));
        let below = pool.ult(byte, nine);
        let mut stage = Logging::wrap_at(log.point, Some(log), Box::new(Slow(pause)));
        assert!(stage.check(&mut pool, &Query::of(&[below])).is_ok());
    }

    #[test]
    fn a_query_is_written_whole_with_its_answer() {
        for (format, opening, closing) in [
            (LogFormat::Smt2, "(set-info :status unknown)\n(push 1)\n", "(check-sat)\n(pop 1)\n"),
            (LogFormat::KQuery, "array x[1]", "false []\n       [])\n"),
        ] {
            let (log, paper) = (QueryLog::new(LogPoint::Entrance, Duration::ZERO, format), Paper::default());
            ask(&log, Duration::ZERO);
            log.attach(Box::new(paper.clone())).unwrap();
            ask(&log, Duration::ZERO);
            ask(&log, Duration::ZERO);
            let calls = paper.0.lock().unwrap();
            let queries = &calls[calls.len() - 2..];
            assert!(queries[0].contains(opening) && queries[0].ends_with(closing), "{queries:?}");
            assert!(queries[1].contains(" 2: "), "{queries:?}");
        }
    }

    #[test]
    fn what_was_fast_is_left_out() {
        let least = Duration::from_millis(10);
        let (log, paper) = (QueryLog::new(LogPoint::Backend, least, LogFormat::KQuery), Paper::default());
        log.attach(Box::new(paper.clone())).unwrap();
        ask(&log, Duration::ZERO);
        assert!(paper.0.lock().unwrap().is_empty());
        ask(&log, least);
        assert_eq!(paper.0.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_full_disk_is_told_at_the_end() {
        let log = QueryLog::new(LogPoint::Entrance, Duration::ZERO, LogFormat::KQuery);
        log.attach(Box::new(Paper::default())).unwrap();
        for _ in 0..5 {
            ask(&log, Duration::ZERO);
        }
        assert_eq!(log.flush().unwrap_err().to_string(), "the paper is full");
    }
}
