//! What ends a query before its answer: the SAT solver asks here between its steps.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use batsat::{Callbacks, ClauseKind, Lit};
use osier_solver::Reason;

/// Steps between two looks at the clock.
const STEPS: u32 = 256;

#[derive(Default)]
pub(crate) struct Limits {
    interrupt: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
    /// Conflicts that are left for the query; `None` is without end.
    conflicts: Option<u64>,
    steps: Cell<u32>,
    /// Once a query is to stop, it stays so: the SAT solver asks several times.
    stopped: Cell<bool>,
}

impl Limits {
    pub(crate) fn new(interrupt: Option<Arc<AtomicBool>>) -> Self {
        Limits { interrupt, ..Limits::default() }
    }

    pub(crate) fn begin(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
        self.conflicts = None;
        self.stopped.set(false);
    }

    /// How many conflicts the query may have.
    pub(crate) fn allow(&mut self, conflicts: Option<u64>) {
        self.conflicts = conflicts;
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Why the SAT solver came back without an answer.
    pub(crate) fn reason(&self) -> Reason {
        if self.is_interrupted() {
            Reason::Interrupted
        } else if self.conflicts == Some(0) {
            Reason::Incomplete("the first tier's conflicts are used up".to_owned())
        } else {
            Reason::Timeout
        }
    }
}

impl Callbacks for Limits {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts = self.conflicts.map(|left| left.saturating_sub(1));
        }
    }

    fn stop(&self) -> bool {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if self.conflicts == Some(0) || self.is_interrupted() || steps.is_multiple_of(STEPS) && self.is_late() {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}
