//! What is asked of a solver, what it answers, and what is counted.

use std::fmt;
use std::time::Duration;

use osier_term::{Assignment, Pool, Term};

/// A conjunction of width-1 terms. The empty conjunction is true.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub constraints: &'a [Term],
    /// An assignment that satisfies most of the constraints: a good place to look for a solution.
    pub near: Option<&'a Assignment>,
}

impl<'a> Query<'a> {
    pub fn of(constraints: &'a [Term]) -> Self {
        Query { constraints, near: None }
    }
}

/// What a solver found out.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A solution. It speaks for the input bytes in the query's support; other bytes have no meaning.
    Sat(Assignment),
    Unsat,
    Unknown(Reason),
}

/// Why there is no answer. None of these is a failure of ours: the engine goes on with what it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Timeout,
    Memory,
    Interrupted,
    /// The backend gave up and says why.
    Incomplete(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => write!(f, "the time for one query is over"),
            Reason::Memory => write!(f, "the solver's memory is used up"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Incomplete(why) => write!(f, "the solver gave up: {why}"),
        }
    }
}

/// A failure of ours or of a backend: the query has no answer and the solver may not be trusted any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// A backend refused an operation or broke down.
    Backend { backend: &'static str, message: String },
    /// A model that does not satisfy its query; found only when answers are checked.
    WrongModel { constraint: Term },
    /// Two solvers, or a solver and the evaluator, contradict each other; found only when answers are checked.
    Disagreement {
        what: &'static str,
        /// The query as an SMT-LIB script, for whoever finds out which of them is wrong.
        script: String,
    },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Backend { backend, message } => write!(f, "the solver {backend} failed: {message}"),
            SolverError::WrongModel { constraint } => {
                write!(f, "the solver's model does not satisfy {constraint} of its query")
            }
            SolverError::Disagreement { what, .. } => write!(f, "solvers disagree: {what}"),
        }
    }
}

impl std::error::Error for SolverError {}

/// How reads of arrays at symbolic indices were put to backends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrayReads {
    /// By the backend's theory of arrays.
    pub theory: u64,
    /// As a tree of choices over the bits of the index.
    pub tree: u64,
    /// As a choice over the places of the few entries that differ from the rest.
    pub choice: u64,
}

impl std::ops::AddAssign for ArrayReads {
    fn add_assign(&mut self, other: ArrayReads) {
        let ArrayReads { theory, tree, choice } = other;
        self.theory += theory;
        self.tree += tree;
        self.choice += choice;
    }
}

/// Counted since the start, under the names that `summary.json` has in `queries`. Stages add to it, none subtracts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Questions put, including those that a witness answered.
    pub asked: u64,
    /// Queries that were cut into independent parts.
    pub sliced: u64,
    /// Parts answered by the exact cache, or because a known part contains or is contained in them.
    pub cached: u64,
    /// Parts answered by the store in which answers outlive runs.
    pub stored: u64,
    /// How often names were taken off a part to look for it under its key, how often nothing was there, and the time
    /// that the looking took.
    pub lookups: u64,
    pub missed: u64,
    pub lookup_seconds: f64,
    /// Questions answered by evaluating a state's witness or a recent model.
    pub by_witness: u64,
    /// Questions for which only a look-up was wanted, where it found an answer. Where it did not, nothing is counted.
    pub recalled: u64,
    /// Parts over a single input byte, decided by sets of byte values.
    pub by_bytes: u64,
    /// Parts over several bytes, decided by what their constraints imply for values, or by equals put for equals; and
    /// questions that no values at all satisfy.
    pub by_reasoning: u64,
    /// Parts over several bytes, decided by a search over such sets.
    pub by_domains: u64,
    /// Parts over few bytes with few values each, decided by trying all combinations.
    pub by_combinations: u64,
    /// Parts with conditions over many bytes, decided by smaller questions without these; the smaller ones are counted, too.
    pub by_narrow: u64,
    /// Parts that a backend decided.
    pub solved: u64,
    /// Of these, parts that were too hard for the first tier.
    pub second_tier: u64,
    /// How backends were given reads at symbolic indices, each time that one was new to them.
    pub arrays: ArrayReads,
    /// Processes of solvers that died, or were ended because they would not stop.
    pub lost_processes: u64,
    /// Parts without a solution of which a second backend said the same, and of which it did not know.
    pub confirmed: u64,
    pub unconfirmed: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Questions that were given up before their time, to be asked again; not among the unknown ones.
    pub put_off: u64,
    /// Time spent on questions that no witness answered, backend included; and of it, on those without a solution.
    pub seconds: f64,
    pub unsat_seconds: f64,
}

impl Statistics {
    /// What each number counts, for a person, in the order of the query's way.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let Statistics {
            asked,
            sliced,
            cached,
            stored,
            lookups,
            missed,
            lookup_seconds,
            by_witness,
            recalled,
            by_bytes,
            by_reasoning,
            by_domains,
            by_combinations,
            by_narrow,
            solved,
            second_tier,
            arrays,
            lost_processes,
            confirmed,
            unconfirmed,
            sat,
            unsat,
            unknown,
            put_off,
            seconds,
            unsat_seconds,
        } = self;
        let count = u64::to_string;
        vec![
            ("queries", count(asked)),
            ("  sat", count(sat)),
            ("  unsat", count(unsat)),
            ("  unknown", count(unknown)),
            ("  put off", count(put_off)),
            ("  recalled", count(recalled)),
            ("  cut into parts", count(sliced)),
            ("parts by stage", String::new()),
            ("  sets of one byte", count(by_bytes)),
            ("  cached answers", count(cached)),
            ("  reasoning", count(by_reasoning)),
            ("  search by sets", count(by_domains)),
            ("  all combinations", count(by_combinations)),
            ("  without wide conditions", count(by_narrow)),
            ("  stored answers", count(stored)),
            ("  witness or model", count(by_witness)),
            ("  backend", count(solved)),
            ("  of these second tier", count(second_tier)),
            ("array reads, by theory", count(&arrays.theory)),
            ("  by tree over index", count(&arrays.tree)),
            ("  by few entries", count(&arrays.choice)),
            ("solver processes lost", count(lost_processes)),
            ("unsat confirmed", count(confirmed)),
            ("  not confirmed", count(unconfirmed)),
            ("lookups by key", count(lookups)),
            ("  missed", count(missed)),
            ("  seconds", format!("{lookup_seconds:.3}")),
            ("seconds in all", format!("{seconds:.3}")),
            ("  where unsat", format!("{unsat_seconds:.3}")),
        ]
    }
}

/// A stage of the chain or a backend: both are the same kind of object.
pub trait Solver {
    /// `Err` means that the solver failed; not knowing is `Ok(Answer::Unknown)`.
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError>;

    /// What is remembered of the query, or follows from what is remembered: a look-up. No backend is asked, and a stage
    /// works for an answer only where that mostly saves the question; what it would not know for certain it leaves open.
    /// Backends remember nothing.
    fn recall(&mut self, _pool: &mut Pool, _query: &Query) -> Result<Option<Answer>, SolverError> {
        Ok(None)
    }

    /// The time that one query may take in the backend; `None` is for ever.
    fn set_timeout(&mut self, timeout: Option<Duration>);

    /// Adds what this stage and those below it have counted.
    fn statistics(&self, out: &mut Statistics);
}
