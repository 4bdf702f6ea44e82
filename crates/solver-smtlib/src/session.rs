//! One running solver, and what it was told.

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use osier_formats::smt2::{Conversation, HEADER, Response, Told, response};
use osier_solver::Reason;
use osier_solver_process::{Subprocess, pump};
use osier_term::{Array, Pool, Term};

/// How often we look whether we are interrupted.
const GLANCE: Duration = Duration::from_millis(10);

/// Longer answers are rubbish. Values of a query with millions of bytes fit in.
const LONGEST: usize = 1 << 28;

/// When to stop waiting.
pub(crate) struct Limit<'a> {
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: &'a Option<Arc<AtomicBool>>,
}

impl Limit<'_> {
    fn reached(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Reason::Interrupted);
        }
        self.deadline.is_some_and(|at| Instant::now() >= at).then_some(Reason::Timeout)
    }
}

/// Why a session is of no more use.
#[derive(Debug)]
pub(crate) enum Broken {
    /// Its query has no answer for this reason.
    Lost(Reason),
    /// The program has ended, and how.
    Ended(String),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

pub(crate) struct Session {
    process: Subprocess,
    conversation: Conversation,
    /// Whether the program has answered anything yet.
    pub(crate) has_answered: bool,
    /// About how many terms it was told.
    pub(crate) weight: usize,
}

impl Session {
    pub(crate) fn start(command: &[String], memory: Option<u64>) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut process = Subprocess::start(Command::new(program).args(arguments))?;
        if let Some(bytes) = memory {
            process.limit_memory(bytes)?;
        }
        process.send(b"(set-option :print-success false)\n");
        process.send(HEADER.as_bytes());
        Ok(Session { process, conversation: Conversation::default(), has_answered: false, weight: 0 })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Asks whether the constraints can hold together, in a level that stays open until [`Session::close`].
    /// Also tells which arrays they read.
    pub(crate) fn check(
        &mut self,
        pool: &Pool,
        constraints: &[Term],
        limit: &Limit,
    ) -> Result<(Verdict, Vec<Array>), Broken> {
        let Told { for_good, assertions, arrays } = self.conversation.tell(pool, constraints);
        self.process.send(for_good.as_bytes());
        self.process.send(b"(push 1)\n");
        self.process.send(assertions.as_bytes());
        self.process.send(b"(check-sat)\n");
        match self.response(limit)? {
            Response::Sat => Ok((Verdict::Sat, arrays)),
            Response::Unsat => Ok((Verdict::Unsat, arrays)),
            Response::Unknown => Ok((Verdict::Unknown, arrays)),
            other => Err(Broken::Lost(Reason::Incomplete(unexpected(&other)))),
        }
    }

    /// The values of bytes of arrays in the solution that was just found.
    pub(crate) fn values(&mut self, bytes: &[(Array, u32)], limit: &Limit) -> Result<Vec<u8>, Broken> {
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let terms: Vec<String> = bytes.iter().map(|&(array, at)| self.conversation.byte(array, at)).collect();
        self.process.send(format!("(get-value ({}))\n", terms.join(" ")).as_bytes());
        match self.response(limit)? {
            Response::Values(values) if values.len() == bytes.len() && values.iter().all(|&value| value < 256) => {
                Ok(values.into_iter().map(|value| value as u8).collect())
            }
            other => Err(Broken::Lost(Reason::Incomplete(unexpected(&other)))),
        }
    }

    /// Takes back what only the last question asserted.
    pub(crate) fn close(&mut self) {
        self.process.send(b"(pop 1)\n");
    }

    /// The next thing that the program says which is an answer.
    fn response(&mut self, limit: &Limit) -> Result<Response, Broken> {
        // Looked at again only when there is more, and twice as much: else a slow long answer takes quadratic time.
        let mut looked_at = 0;
        loop {
            let received = &self.process.received;
            if received.len() >= looked_at * 2 || received.ends_with(b"\n") || self.process.has_ended() {
                looked_at = received.len();
                if let Some((length, response)) = response(received) {
                    self.process.received.drain(..length);
                    looked_at = 0;
                    if response != Response::Acknowledged {
                        self.has_answered = true;
                        return Ok(response);
                    }
                    continue;
                }
            }
            if self.process.received.len() > LONGEST {
                return Err(Broken::Lost(Reason::Incomplete("its answer has no end".to_owned())));
            }
            if self.process.has_ended() {
                return Err(Broken::Ended(self.process.obituary()));
            }
            wait_for_more(&mut self.process, limit).map_err(Broken::Lost)?;
        }
    }
}

/// Waits until the program has said more, for a moment at most; or says why there is no more waiting.
pub(crate) fn wait_for_more(process: &mut Subprocess, limit: &Limit) -> Result<(), Reason> {
    if let Some(reason) = limit.reached() {
        return Err(reason);
    }
    let left = limit.deadline.map_or(GLANCE, |at| at.saturating_duration_since(Instant::now()));
    pump(&mut [process], left.min(GLANCE)).map_err(|error| Reason::Incomplete(error.to_string()))
}

/// What is wrong with an answer, in so many words.
fn unexpected(response: &Response) -> String {
    const LONGEST_QUOTE: usize = 200;
    let quote = |text: &str| text.chars().take(LONGEST_QUOTE).collect::<String>();
    match response {
        Response::Error(message) => format!("it says \"{}\"", quote(message)),
        Response::Other(text) => format!("it answered `{}`, which is no answer", quote(text)),
        Response::Values(_) => "the values that it gave are not those that it was asked for".to_owned(),
        Response::Sat | Response::Unsat | Response::Unknown | Response::Acknowledged => {
            "it gave an answer that it was not asked for".to_owned()
        }
    }
}
