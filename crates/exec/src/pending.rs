//! Pending constraints: states that are forked first and checked later (Kapus, Busse, Cadar, "Pending Constraints in
//! Symbolic Execution for Better Exploration and Seeding", ASE 2020).
//!
//! A state goes on along its witness without a query. The other side of a branch is a copy that has not moved and that
//! waits with its condition; when it is revived, the condition joins its path and it executes the operation again.

use crate::fork::{assume, fork};
use crate::outcome::Kind;
use crate::{Context, EngineError, Leaves, Program, State};
use osier_ir::LocId;
use osier_solver::May;
use osier_term::{Assignment, Term};
use std::time::Duration;

/// How states are deferred.
#[derive(Clone, Debug)]
pub struct PendingConfig {
    /// Checks for errors are deferred too.
    pub relaxed_checks: bool,
    /// How long deferred checks are made after a run has reached its limit.
    pub check_budget: Duration,
    pub order: RevivalOrder,
}

/// Which pending state is revived first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RevivalOrder {
    /// Turn by turn the first state whose branch has never gone its way, and the one that the strategy chooses.
    Strategy,
    /// Those nearest before a sensitive operation of the path that they left; they run for so many forks.
    Sensitive { bound: u32 },
}

/// Why a state waits.
#[derive(Clone, Debug)]
pub struct Pending {
    /// What must be possible for it to go on. Not part of its path yet, and its witness knows nothing of it.
    pub condition: Term,
    /// A witness for path and condition, where one has been found already.
    pub ready: Option<Assignment>,
    /// The coverage point that it goes to first.
    pub toward: Option<usize>,
    /// The error that it would be, for a deferred check.
    pub check: Option<(Kind, LocId)>,
    /// How many instructions its path had when the state was left behind, and by which state.
    pub left: (crate::StateId, u64),
}

/// Leaves a copy of the state behind in which `condition` holds, without asking whether it can. Where that is known or
/// seen at a glance, the copy runs at once, or is not made.
pub fn defer(
    cx: &mut Context,
    state: &mut State,
    condition: Term,
    toward: Option<usize>,
    check: Option<(Kind, LocId)>,
) -> Result<(), EngineError> {
    let mut ready = None;
    match cx.oracle.glance(&mut cx.pool, &state.path, &state.witness, condition) {
        Some(May::No) => return Ok(()),
        Some(May::Yes(witness)) => ready = Some(witness),
        Some(May::Unknown(_)) | None => match cx.oracle.recall(&mut cx.pool, &state.path, &state.witness, condition)? {
            Some(May::No) => return Ok(()),
            Some(May::Yes(witness)) => {
                let mut known = fork(cx, state);
                assume(cx, &mut known, condition, witness);
                cx.forked.push(known);
                return Ok(());
            }
            Some(May::Unknown(_)) | None => {}
        },
    }
    let mut waiting = fork(cx, state);
    waiting.seeds = Default::default();
    let left = (state.id, state.instructions);
    waiting.pending = Some(Box::new(Pending { condition, ready, toward, check, left }));
    cx.tree.mark(waiting.node, Leaves::Pending);
    cx.deferred.push(waiting);
    Ok(())
}

/// Lets a feasible state wait.
pub fn set_aside(cx: &mut Context, mut state: State) {
    let (condition, ready) = (cx.pool.truth(true), Some(state.witness.clone()));
    let left = (state.id, state.instructions);
    state.pending = Some(Box::new(Pending { condition, ready, toward: None, check: None, left }));
    cx.tree.mark(state.node, Leaves::Pending);
    cx.deferred.push(state);
}

/// What became of a pending state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Revival {
    /// It is on its way.
    Runs,
    Infeasible,
    /// The solver gave up.
    Unknown,
}

/// Asks whether a pending state is feasible; if it is, it runs from now on.
pub fn revive(cx: &mut Context, state: &mut State) -> Result<Revival, EngineError> {
    let pending = state.pending.take().expect("only pending states are revived");
    let answer = match pending.ready {
        Some(witness) => May::Yes(witness),
        None => crate::fork::may(cx, state, pending.condition)?,
    };
    Ok(match answer {
        May::Yes(witness) => {
            assume(cx, state, pending.condition, witness);
            cx.tree.mark(state.node, Leaves::Running);
            state.revived_at = state.depth;
            Revival::Runs
        }
        May::No => Revival::Infeasible,
        May::Unknown(_) => Revival::Unknown,
    })
}

/// Whether a pending state could still tell anything new.
pub fn is_worth_reviving(program: &Program, cx: &Context, pending: &Pending) -> bool {
    pending.check.is_none_or(|(kind, location)| crate::fault::is_news(program, cx, kind, location))
}
