//! Several solvers at once; the first answer counts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver, SolverError, Statistics};
use osier_term::Pool;

use crate::isolated::{is_set, patience};
use crate::subprocess::pump;
use crate::worker::{Worker, WorkerCommand, failed};

/// Asks all workers and takes the first answer; the others are told to stop. There is no answer only if none of them has
/// one. Which one is first goes by the clock, and so do the models. The pool must be the same in all calls.
pub struct Race {
    commands: Vec<WorkerCommand>,
    workers: Vec<Worker>,
    interrupt: Option<Arc<AtomicBool>>,
    timeout: Option<Duration>,
    solved: u64,
}

impl Race {
    /// Set from outside, `interrupt` stops a running query, which is then unknown because interrupted.
    pub fn new(commands: Vec<WorkerCommand>, interrupt: Option<Arc<AtomicBool>>) -> Self {
        let workers = commands.iter().cloned().map(Worker::new).collect();
        Race { commands, workers, interrupt, timeout: None, solved: 0 }
    }

    /// The first answer that says something, or, when all have spoken, why there is none.
    fn result(&mut self, pool: &Pool, unknown: &mut Option<Reason>) -> Option<Result<Answer, SolverError>> {
        let mut failure = None;
        for worker in &mut self.workers {
            match worker.take_answer(pool) {
                Some(Ok(Answer::Unknown(reason))) => *unknown = Some(reason),
                Some(Ok(answer)) => return Some(Ok(answer)),
                Some(Err(error)) => failure = Some(error),
                None => {}
            }
        }
        // A solver that fails is an error even if another goes on: nobody may believe that two are running.
        if let Some(error) = failure {
            return Some(Err(error));
        }
        if self.workers.iter().any(Worker::is_asked) {
            return None;
        }
        let reason = unknown.take().unwrap_or_else(|| Reason::Incomplete("nobody answered".to_owned()));
        Some(Ok(Answer::Unknown(reason)))
    }

    fn stop_all(&mut self) {
        for worker in &mut self.workers {
            worker.cancel();
            worker.abandon();
        }
    }
}

impl Solver for Race {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        if is_set(&self.interrupt) {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        self.solved += 1;
        for worker in &mut self.workers {
            worker.ask(pool, query, self.timeout)?;
        }
        let mut unknown = None;
        loop {
            if let Some(result) = self.result(pool, &mut unknown) {
                self.stop_all();
                return result;
            }
            if is_set(&self.interrupt) {
                self.stop_all();
                return Ok(Answer::Unknown(Reason::Interrupted));
            }
            let deadline: Option<Instant> = self.workers.iter().filter_map(Worker::deadline).min();
            let mut running: Vec<_> = self.workers.iter_mut().filter_map(|worker| worker.process.as_mut()).collect();
            pump(&mut running, patience(deadline)).map_err(|error| failed(&self.commands[0], error.to_string()))?;
        }
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
        self.workers.iter().for_each(|worker| out.arrays += worker.reads);
        out.lost_processes += self.workers.iter().map(|worker| worker.lost).sum::<u64>();
    }
}
