//! A solver in a process of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver, SolverError, Statistics};
use osier_term::Pool;

use crate::subprocess::pump;
use crate::worker::{Worker, WorkerCommand, failed};

/// How often we look whether we are interrupted.
pub(crate) const GLANCE: Duration = Duration::from_millis(10);

/// How long an interrupted worker may take to say so before it is ended.
const LAST_CHANCE: Duration = Duration::from_millis(50);

/// Answers by a worker. The pool must be the same in all calls.
pub struct Isolated {
    command: WorkerCommand,
    worker: Worker,
    interrupt: Option<Arc<AtomicBool>>,
    timeout: Option<Duration>,
    solved: u64,
}

impl Isolated {
    /// Set from outside, `interrupt` stops a running query, which is then unknown because interrupted.
    pub fn new(command: WorkerCommand, interrupt: Option<Arc<AtomicBool>>) -> Self {
        Isolated { worker: Worker::new(command.clone()), command, interrupt, timeout: None, solved: 0 }
    }

    /// The worker's number in the system, if it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.worker.process.as_ref().map(|process| process.id())
    }
}

pub(crate) fn is_set(interrupt: &Option<Arc<AtomicBool>>) -> bool {
    interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// How long to wait for pipes before looking at clock and flag again.
pub(crate) fn patience(deadline: Option<Instant>) -> Duration {
    deadline.map_or(GLANCE, |at| GLANCE.min(at.saturating_duration_since(Instant::now())))
}

impl Solver for Isolated {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        if is_set(&self.interrupt) {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        self.solved += 1;
        self.worker.ask(pool, query, self.timeout)?;
        let mut end_of_patience: Option<Instant> = None;
        loop {
            if let Some(answer) = self.worker.take_answer(pool) {
                return answer;
            }
            if end_of_patience.is_some_and(|end| Instant::now() >= end) {
                self.worker.end();
                return Ok(Answer::Unknown(Reason::Interrupted));
            }
            if end_of_patience.is_none() && is_set(&self.interrupt) {
                self.worker.cancel();
                end_of_patience = Some(Instant::now() + LAST_CHANCE);
            }
            let wait = patience(self.worker.deadline());
            if let Some(process) = &mut self.worker.process {
                pump(&mut [process], wait).map_err(|error| failed(&self.command, error.to_string()))?;
            }
        }
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
        out.lost_processes += self.worker.lost;
        out.arrays += self.worker.reads;
    }
}
