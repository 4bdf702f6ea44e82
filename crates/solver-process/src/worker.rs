//! Our end of the pipe to a worker: starts it when there is something to ask, and again when it is lost.

use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

use osier_solver::{Answer, ArrayReads, Query, Reason, SolverError};
use osier_term::Pool;

use crate::subprocess::Subprocess;
use crate::wire::{Reply, Request, Sender, frame, now, unframe};

/// Terms that a worker is sent before it begins anew; its memory is at stake, about 200 bytes each.
const REMEMBERED: usize = 1 << 20;

/// How late an answer may be before the worker is taken for lost, at least: it keeps the time limit itself.
const GRACE: Duration = Duration::from_millis(40);
/// And at most. Bitwuzla does not look at the time while it rewrites terms and turns them into gates. What it has done of
/// that serves the next query, and a worker that was ended has to begin anew: where the queries of a program take longer
/// than they are given, none would ever be answered. So an answer may be late by as much as it was given.
const LONGEST_GRACE: Duration = Duration::from_secs(1);

/// How often in a row a worker may be started without ever being ready.
const FALSE_STARTS: u32 = 3;

/// How to start a worker: a program that calls [`serve`](crate::serve).
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    /// Which solver it runs, for messages.
    pub solver: &'static str,
}

pub(crate) struct Worker {
    command: WorkerCommand,
    pub(crate) process: Option<Subprocess>,
    sender: Sender,
    /// Of the last query.
    number: u64,
    /// The query that is asked, and when its answer is too late.
    asked: Option<Option<Instant>>,
    /// An answer that nobody waits for any more, and since when.
    cancelled: Option<Instant>,
    /// Workers that were started since one was last ready for queries.
    false_starts: u32,
    /// Workers that died, or were ended because they would not stop.
    pub(crate) lost: u64,
    /// What all workers said about array reads.
    pub(crate) reads: ArrayReads,
}

fn array_reads([theory, tree, choice]: [u64; 3]) -> ArrayReads {
    ArrayReads { theory, tree, choice }
}

impl Worker {
    pub(crate) fn new(command: WorkerCommand) -> Self {
        Worker {
            command,
            process: None,
            sender: Sender::default(),
            number: 0,
            asked: None,
            cancelled: None,
            false_starts: 0,
            lost: 0,
            reads: ArrayReads::default(),
        }
    }

    /// Sends a query. An error means that there is no starting it at all.
    pub(crate) fn ask(&mut self, pool: &Pool, query: &Query, timeout: Option<Duration>) -> Result<(), SolverError> {
        // One that does not react to being told to stop is not waited for.
        if self.cancelled.is_some_and(|since| since.elapsed() > GRACE) {
            self.end();
        }
        let anew = self.sender.len() > REMEMBERED;
        if anew {
            self.sender = Sender::default();
        }
        let process = match &mut self.process {
            Some(process) => process,
            None => {
                self.false_starts += 1;
                self.process.insert(start(&self.command)?)
            }
        };
        let (items, constraints) = self.sender.encode(pool, query.constraints);
        self.number += 1;
        // By the clock and not as a span: starting the worker counts, too.
        let deadline_nanos = timeout.map(|t| u64::try_from((now() + t).as_nanos()).unwrap_or(u64::MAX));
        let request = Request::Check { number: self.number, deadline_nanos, anew, items, constraints };
        let message = frame(&request).map_err(|error| failed(&self.command, error.to_string()))?;
        process.send(&message);
        self.asked = Some(timeout.and_then(|t| Instant::now().checked_add(t + t.clamp(GRACE, LONGEST_GRACE))));
        Ok(())
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Tells the worker to stop. Its answer may still come in time.
    pub(crate) fn cancel(&mut self) {
        if self.asked.is_some()
            && let Some(process) = &mut self.process
            && let Ok(message) = frame(&Request::Cancel { number: self.number })
        {
            process.send(&message);
        }
    }

    /// Nobody waits for the answer any more.
    pub(crate) fn abandon(&mut self) {
        if self.asked.take().is_some() {
            self.cancelled.get_or_insert_with(Instant::now);
        }
    }

    /// Ends the process; the next query starts a new one.
    pub(crate) fn end(&mut self) {
        self.lost += u64::from(self.process.take().is_some());
        self.sender = Sender::default();
        self.asked = None;
        self.cancelled = None;
    }

    /// When the answer is too late.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.asked.flatten()
    }

    /// The answer, if it has come or will not come.
    pub(crate) fn take_answer(&mut self, pool: &Pool) -> Option<Result<Answer, SolverError>> {
        let deadline = self.asked?;
        let process = self.process.as_mut()?;
        loop {
            match unframe::<Reply>(&mut process.received) {
                Ok(Some(Reply::Ready)) => self.false_starts = 0,
                Ok(Some(Reply::Answer { number, reads, .. })) if number < self.number => {
                    self.reads += array_reads(reads);
                    self.cancelled = None;
                }
                Ok(Some(Reply::Answer { result, reads, .. })) => {
                    self.reads += array_reads(reads);
                    self.asked = None;
                    self.cancelled = None;
                    let decoded = match result {
                        Ok(found) => self.sender.decode(pool, found).map_err(str::to_owned),
                        Err(message) => return Some(Err(failed(&self.command, message))),
                    };
                    return Some(Ok(decoded.unwrap_or_else(|why| {
                        self.end();
                        Answer::Unknown(Reason::Incomplete(why))
                    })));
                }
                Ok(None) => break,
                Err(error) => {
                    self.end();
                    let why = format!("the solver's process sent what is no answer: {error}");
                    return Some(Ok(Answer::Unknown(Reason::Incomplete(why))));
                }
            }
        }
        if process.has_ended() {
            return Some(self.bury());
        }
        if deadline.is_some_and(|at| Instant::now() >= at) {
            self.end();
            return Some(Ok(Answer::Unknown(Reason::Timeout)));
        }
        None
    }

    /// A worker that is gone costs the query that it was asked; one that never works costs the run.
    fn bury(&mut self) -> Result<Answer, SolverError> {
        let obituary = self.process.as_mut().map(Subprocess::obituary).unwrap_or_default();
        self.end();
        if self.false_starts >= FALSE_STARTS {
            return Err(failed(&self.command, format!("its process does not start: {obituary}")));
        }
        // What C++ and Rust say when there is no more memory.
        if obituary.contains("bad_alloc") || obituary.contains("memory allocation of") {
            return Ok(Answer::Unknown(Reason::Memory));
        }
        Ok(Answer::Unknown(Reason::Incomplete(format!("its process is gone: {obituary}"))))
    }
}

fn start(command: &WorkerCommand) -> Result<Subprocess, SolverError> {
    Subprocess::start(Command::new(&command.program).args(&command.arguments))
        .map_err(|error| failed(command, format!("cannot start {}: {error}", command.program.display())))
}

pub(crate) fn failed(command: &WorkerCommand, message: String) -> SolverError {
    SolverError::Backend { backend: command.solver, message }
}
