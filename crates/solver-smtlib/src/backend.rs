//! The backend: keeps a program running, starts it again when it is lost.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, Census, Query, Reason, Solver, SolverError, Statistics};
use osier_term::{Array, ArrayNode, Assignment, Pool, Support, Term};

use crate::session::{Broken, Limit, Session, Verdict};

/// A program is started anew when it was told this many times the terms of the queries that it is asked.
const BALLAST: usize = 8;

/// Below this weight it is kept in any case: starting it takes tens of milliseconds.
const LIGHT: usize = 20_000;

/// How often in a row the program may end before it has answered anything.
const FALSE_STARTS: u32 = 3;

#[derive(Clone, Debug, Default)]
pub struct SmtLibConfig {
    /// Program and arguments, as a shell would split them. It reads commands from its standard input.
    pub command: String,
    /// Set from outside, it stops a running query, which is then unknown because interrupted.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The most address space that the program may have, in bytes.
    pub memory: Option<u64>,
}

/// A solver as a subprocess. The pool must be the same in all calls.
pub struct SmtLib {
    config: SmtLibConfig,
    command: Vec<String>,
    census: Census,
    live: Option<Session>,
    false_starts: u32,
    typical: usize,
    timeout: Option<Duration>,
    solved: u64,
    /// Programs that ended, or were ended because they would not stop.
    lost: u64,
}

impl SmtLib {
    /// Starts the program, so that a mistake in its name is seen at once.
    pub fn new(config: SmtLibConfig) -> Result<Self, SolverError> {
        let command = shlex::split(&config.command).filter(|words| !words.is_empty());
        let command = command.ok_or_else(|| failed(&config, "this is no command line"))?;
        let live =
            Session::start(&command, config.memory).map_err(|e| failed(&config, format!("cannot start it: {e}")))?;
        Ok(SmtLib {
            config,
            command,
            census: Census::default(),
            live: Some(live),
            false_starts: 0,
            typical: 0,
            timeout: None,
            solved: 0,
            lost: 0,
        })
    }

    /// The program's number in the system, if it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.live.as_ref().map(Session::id)
    }

    /// The session that answers a query of this weight. An error here is one of starting the program, which was possible
    /// before: perhaps it is again.
    fn session(&mut self, weight: usize) -> std::io::Result<&mut Session> {
        self.typical = weight.max(self.typical - self.typical.div_ceil(16));
        let limit = LIGHT + BALLAST * self.typical;
        self.live.take_if(|session| session.weight > limit);
        let session = match self.live.take() {
            Some(session) => session,
            None => Session::start(&self.command, self.config.memory)?,
        };
        let session = self.live.insert(session);
        session.weight += weight;
        Ok(session)
    }

    fn false_start(&mut self, why: String) -> Result<Answer, SolverError> {
        self.false_starts += 1;
        if self.false_starts >= FALSE_STARTS {
            return Err(failed(&self.config, format!("it does not start: {why}")));
        }
        Ok(Answer::Unknown(Reason::Incomplete(why)))
    }
}

fn failed(config: &SmtLibConfig, message: impl Into<String>) -> SolverError {
    SolverError::Backend { backend: "subprocess", message: format!("`{}`: {}", config.command, message.into()) }
}

impl Solver for SmtLib {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        let deadline = self.timeout.and_then(|t| Instant::now().checked_add(t));
        self.solved += 1;
        let weight = self.census.count(pool, query.constraints).weight;
        let interrupt = self.config.interrupt.clone();
        let limit = Limit { deadline, interrupt: &interrupt };
        let session = match self.session(weight) {
            Ok(session) => session,
            Err(error) => return self.false_start(format!("it cannot be started: {error}")),
        };
        let result = ask(session, pool, query.constraints, &limit);
        let has_answered = session.has_answered;
        if has_answered {
            self.false_starts = 0;
        }
        match result {
            Ok(answer) => Ok(answer),
            Err(broken) => {
                self.live = None;
                self.lost += 1;
                match broken {
                    Broken::Lost(reason) => Ok(Answer::Unknown(reason)),
                    Broken::Ended(how) if has_answered => {
                        Ok(Answer::Unknown(Reason::Incomplete(format!("its process is gone: {how}"))))
                    }
                    Broken::Ended(how) => self.false_start(how),
                }
            }
        }
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
        out.lost_processes += self.lost;
    }
}

fn ask(session: &mut Session, pool: &mut Pool, constraints: &[Term], limit: &Limit) -> Result<Answer, Broken> {
    let (verdict, arrays) = session.check(pool, constraints, limit)?;
    let answer = match verdict {
        Verdict::Sat => {
            let bytes = bytes_of(pool, constraints, &arrays);
            let places: Vec<(Array, u32)> = bytes.iter().map(|&(array, _, at)| (array, at)).collect();
            let mut model = Assignment::new();
            for ((array, size, at), value) in bytes.into_iter().zip(session.values(&places, limit)?) {
                model.set_byte(array, size, at, value);
            }
            Answer::Sat(model)
        }
        Verdict::Unsat => Answer::Unsat,
        Verdict::Unknown => Answer::Unknown(Reason::Incomplete("the solver answered \"unknown\"".to_owned())),
    };
    session.close();
    Ok(answer)
}

/// Input, its size and the index of every byte that the constraints, which read these arrays, depend on.
fn bytes_of(pool: &mut Pool, constraints: &[Term], arrays: &[Array]) -> Vec<(Array, u32, u32)> {
    let mut support = Support::new();
    for &c in constraints {
        support = support.union(&pool.support(c));
    }
    let mut bytes = Vec::new();
    for &array in arrays {
        let ArrayNode::Input { size, first_byte, .. } = pool.array_node(array) else { continue };
        for &(start, end) in support.intervals() {
            let here = start.max(first_byte)..end.min(first_byte + size);
            bytes.extend(here.map(|number| (array, size, number - first_byte)));
        }
    }
    bytes
}
