//! The worker's end of the pipe.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver as Queue, Sender as Into, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use osier_solver::{ArrayReads, Query, Solver, Statistics};
use rustix::process::{Resource, Rlimit, Signal, setrlimit};

use crate::wire::{Found, Item, Receiver, Reply, Request, frame, now, unframe};

/// A query with its number, as it stands in [`Request::Check`].
struct Check {
    number: u64,
    deadline: Option<Duration>,
    anew: bool,
    items: Vec<Item>,
    constraints: Vec<u32>,
}

/// Which query is under way and up to which all are cancelled, changed together so that no query is stopped for another.
#[derive(Default)]
struct Turn {
    current: u64,
    cancelled: u64,
}

#[derive(Clone, Default)]
struct Cancelling {
    turn: Arc<Mutex<Turn>>,
    flag: Arc<AtomicBool>,
}

impl Cancelling {
    /// Whether there is still need for an answer.
    fn begin(&self, number: u64) -> bool {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        turn.current = number;
        self.flag.store(turn.cancelled >= number, Ordering::Relaxed);
        turn.cancelled < number
    }

    fn cancel(&self, number: u64) {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        turn.cancelled = turn.cancelled.max(number);
        if turn.current <= turn.cancelled {
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

/// Bounds what this process may allocate from now on: beyond, allocation fails and the process ends.
pub fn limit_memory(bytes: u64) -> io::Result<()> {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm")?
        .split_whitespace()
        .next()
        .and_then(|size| size.parse().ok())
        .ok_or_else(|| io::Error::other("/proc/self/statm has no size"))?;
    let most = Some(pages * rustix::param::page_size() as u64 + bytes);
    setrlimit(Resource::As, Rlimit { current: most, maximum: most })?;
    let none = Some(0);
    setrlimit(Resource::Core, Rlimit { current: none, maximum: none })?;
    Ok(())
}

/// Whoever reads the answers is gone with the thread that started us: from now on we end with it.
pub fn end_with_parent() -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(())
}

/// Answers queries from standard input until that ends. `make` makes the solver that answers, which stops when its flag
/// is set; it is made again when the terms that it knows are forgotten.
///
/// Standard output is for answers alone: what a library prints there goes to standard error.
pub fn serve<E: std::fmt::Display>(make: impl Fn(Arc<AtomicBool>) -> Result<Box<dyn Solver>, E>) -> io::Result<()> {
    end_with_parent()?;
    let answers: OwnedFd = rustix::io::dup(rustix::stdio::stdout())?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    let mut answers = File::from(answers);
    answers.write_all(&frame(&Reply::Ready)?)?;
    let cancelling = Cancelling::default();
    let (into, queue) = channel();
    let reader = cancelling.clone();
    std::thread::Builder::new().name("requests".into()).spawn(move || read_requests(&reader, &into))?;
    answer_all(&make, &cancelling, &queue, &mut answers)
}

/// Runs beside the solver, so that a cancellation is seen while a query is under way. The end of the input cancels all.
fn read_requests(cancelling: &Cancelling, into: &Into<Check>) {
    let mut input = io::stdin().lock();
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        match unframe(&mut bytes) {
            Ok(Some(Request::Cancel { number })) => {
                cancelling.cancel(number);
                continue;
            }
            Ok(Some(Request::Check { number, deadline_nanos, anew, items, constraints })) => {
                let deadline = deadline_nanos.map(Duration::from_nanos);
                if into.send(Check { number, deadline, anew, items, constraints }).is_err() {
                    return;
                }
                continue;
            }
            Ok(None) => {}
            Err(_) => break,
        }
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    cancelling.cancel(u64::MAX);
}

fn answer_all<E: std::fmt::Display>(
    make: &impl Fn(Arc<AtomicBool>) -> Result<Box<dyn Solver>, E>,
    cancelling: &Cancelling,
    queue: &Queue<Check>,
    answers: &mut impl Write,
) -> io::Result<()> {
    let mut live: Option<(Box<dyn Solver>, Receiver)> = None;
    let mut told = [0; 3];
    while let Ok(check) = queue.recv() {
        if check.anew {
            live = None;
            told = [0; 3];
        }
        let number = check.number;
        let known = match &mut live {
            Some(known) => Ok(known),
            None => make(Arc::clone(&cancelling.flag))
                .map(|solver| live.insert((solver, Receiver::default())))
                .map_err(|error| error.to_string()),
        };
        let result = known.and_then(|(solver, receiver)| answer(solver.as_mut(), receiver, check, cancelling));
        let all = live.as_ref().map_or(told, |(solver, _)| reads(solver.as_ref()));
        let new = std::array::from_fn(|i| all[i] - told[i]);
        told = all;
        answers.write_all(&frame(&Reply::Answer { number, result, reads: new })?)?;
    }
    Ok(())
}

fn reads(solver: &dyn Solver) -> [u64; 3] {
    let mut counted = Statistics::default();
    solver.statistics(&mut counted);
    let ArrayReads { theory, tree, choice } = counted.arrays;
    [theory, tree, choice]
}

fn answer(
    solver: &mut dyn Solver,
    receiver: &mut Receiver,
    check: Check,
    cancelling: &Cancelling,
) -> Result<Found, String> {
    // The terms are taken in even if the answer is not wanted: later queries build on them.
    let constraints =
        receiver.decode(check.items, &check.constraints).ok_or("terms came that make no sense".to_owned())?;
    if !cancelling.begin(check.number) {
        return Ok(Found::Interrupted);
    }
    solver.set_timeout(check.deadline.map(|at| at.saturating_sub(now())));
    match solver.check(&mut receiver.pool, &Query::of(&constraints)) {
        Ok(answer) => Ok(receiver.encode(answer)),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancellation_stops_its_query_and_no_other() {
        let cancelling = Cancelling::default();
        let is_set = || cancelling.flag.load(Ordering::Relaxed);
        assert!(cancelling.begin(1) && !is_set());
        cancelling.cancel(1);
        assert!(is_set());
        assert!(cancelling.begin(2) && !is_set());
        cancelling.cancel(1);
        assert!(!is_set(), "too late to stop anything");
        cancelling.cancel(3);
        assert!(!cancelling.begin(3) && is_set());
    }
}
