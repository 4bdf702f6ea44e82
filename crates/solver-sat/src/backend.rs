//! The backend: blasts the query, gives its gates to the SAT solver, asks, reads the model back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver, SolverError, Statistics};
use osier_term::{Assignment, Pool, Support};

use crate::blast::{Blaster, LARGEST_QUERY, TooLarge};
use crate::clauses::{Clauses, Verdict};
use crate::limits::Limits;

/// The SAT solver begins anew when it knows this many times the gates of the queries that it is asked: values spread to
/// all that it knows, of use or not. (2000 queries over fresh terms: 960 us each without end, 46 us so.)
const BALLAST: usize = 2;

/// Gates of a query up to which it may have all conflicts. One that is twice as large takes twice as long for each.
const USUAL: u64 = 10_000;
/// Conflicts that any query may have.
const FEWEST: u64 = 50;

/// Gates and bits that are remembered, before all are forgotten; about 100 bytes each.
const REMEMBERED: usize = 1 << 20;

/// What can be set about the backend itself; the timeout comes through [`Solver::set_timeout`].
#[derive(Clone, Debug)]
pub struct SatConfig {
    /// Set from outside, it stops a running query, which is then unknown because interrupted.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Conflicts after which a query is unknown. With `None` this backend tries for as long as the timeout allows.
    pub conflicts: Option<u64>,
}

impl Default for SatConfig {
    /// 1,000 conflicts take some ten milliseconds in a query of usual size: by then it is not an easy one.
    fn default() -> Self {
        SatConfig { interrupt: None, conflicts: Some(1000) }
    }
}

/// A bit-blaster with an incremental SAT solver. The pool must be the same in all calls.
pub struct Sat {
    conflicts: Option<u64>,
    timeout: Option<Duration>,
    blaster: Blaster,
    clauses: Clauses,
    /// The gates of recent queries: the largest, forgotten slowly. By gates and not by time, so that the same queries
    /// always get the same models.
    typical: usize,
    solved: u64,
    /// Array reads of what was forgotten.
    trees: u64,
}

impl Sat {
    pub fn new(config: SatConfig) -> Self {
        Sat {
            conflicts: config.conflicts,
            timeout: None,
            blaster: Blaster::new(),
            clauses: Clauses::new(Limits::new(config.interrupt)),
            typical: 0,
            solved: 0,
            trees: 0,
        }
    }

    /// Makes room before a query, so that nothing is forgotten in the middle of one.
    fn make_room(&mut self) {
        if self.blaster.weight() > REMEMBERED {
            self.trees += self.blaster.trees();
            self.blaster = Blaster::new();
            self.clauses.forget();
        }
    }
}

impl Solver for Sat {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        // Blasting counts: the user waits for it too.
        let deadline = self.timeout.map(|t| Instant::now() + t);
        self.clauses.limits().begin(deadline);
        if self.clauses.limits().is_interrupted() {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        self.make_room();
        let conditions = match self.blaster.conditions(pool, query.constraints) {
            Ok(conditions) => conditions,
            Err(refused) => return Ok(Answer::Unknown(refused.into())),
        };
        let count = self.clauses.count(&self.blaster.gates, &conditions);
        if count > LARGEST_QUERY {
            return Ok(Answer::Unknown(TooLarge("the query").into()));
        }
        self.clauses
            .limits()
            .allow(self.conflicts.map(|most| (most * USUAL / count.max(1) as u64).clamp(FEWEST.min(most), most)));
        self.typical = count.max(self.typical - self.typical.div_ceil(16));
        if self.clauses.loaded() > BALLAST * self.typical {
            self.clauses.forget();
        }
        if self.clauses.limits().is_late() {
            return Ok(Answer::Unknown(Reason::Timeout));
        }
        match self.clauses.check(&self.blaster.gates, &conditions) {
            Verdict::Unknown(reason) => return Ok(Answer::Unknown(reason)),
            Verdict::Unsat => {
                self.solved += 1;
                return Ok(Answer::Unsat);
            }
            Verdict::Sat => self.solved += 1,
        }
        let mut support = Support::new();
        for &c in query.constraints {
            support = support.union(&pool.support(c));
        }
        let mut model = Assignment::new();
        self.blaster.for_each_byte(&support, |array, size, index, bits| {
            let value = (0..8).map(|i| u8::from(self.clauses.value(bits[i])) << i).sum();
            model.set_byte(array, size, index, value);
        });
        Ok(Answer::Sat(model))
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    fn statistics(&self, out: &mut Statistics) {
        out.solved += self.solved;
        out.arrays.tree += self.trees + self.blaster.trees();
    }
}
