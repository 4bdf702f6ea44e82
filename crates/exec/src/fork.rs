//! The only place where states are copied: branches, obligations, and the choice of a value.

use crate::fault::{end_with_cut, explain, is_news, report};
use crate::names::here;
use crate::other_sides::other_side;
use crate::outcome::Cut;
use crate::pending::{self, Deferred, Waits, defer};
use crate::{Context, EngineError, Obligation, Program, State, journal, seeds};
use osier_memory::Value;
use osier_solver::{May, Reason};
use osier_term::{Assignment, Term};
use std::time::{Duration, Instant};

/// Whether a state goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Alive {
    Yes,
    No,
}

/// How a condition went.
#[allow(clippy::large_enum_variant, reason = "made once for each fork and taken apart at once")]
pub enum Branch {
    Then,
    Else,
    /// The state went one way and the new state goes the other.
    Both {
        then_here: bool,
        other: State,
    },
}

/// Asks whether a state's path allows a condition, and keeps account of the time.
pub fn may(cx: &mut Context, state: &mut State, condition: Term) -> Result<May, EngineError> {
    if let Some(witness) = seeds::witness_for(cx, state, condition) {
        return Ok(May::Yes(witness));
    }
    let (started, hard) = (Instant::now(), cx.oracle.hard_questions());
    let answer = cx.oracle.may_be(&mut cx.pool, &state.path, &state.witness, condition)?;
    state.query_seconds += started.elapsed().as_secs_f64();
    state.hard_questions += cx.oracle.hard_questions() - hard;
    Ok(answer)
}

/// What becomes of a question that can be asked again later.
pub enum Soon {
    Answer(May),
    /// It takes longer than it was given.
    TooHard,
}

/// As [`may`], for a question that can be asked again later: it is given up soon.
pub fn may_soon(cx: &mut Context, state: &mut State, condition: Term, patience: Duration) -> Result<Soon, EngineError> {
    let shorter = cx.oracle.set_patience(Some(patience));
    let answer = may(cx, state, condition);
    cx.oracle.set_patience(None);
    Ok(match answer? {
        May::Unknown(Reason::Timeout) if shorter => Soon::TooHard,
        // The end of the run is no reason to give it up: a later run can ask.
        May::Unknown(Reason::Interrupted) => Soon::TooHard,
        answer @ (May::Yes(_) | May::No | May::Unknown(_)) => Soon::Answer(answer),
    })
}

/// A copy of the state as a new leaf of the tree, for which `condition` is going to hold.
pub fn fork(cx: &mut Context, state: &mut State, condition: Term) -> State {
    cx.counters.forks += 1;
    state.depth += 1;
    let mut child = state.clone();
    child.id = cx.new_state_id();
    child.covered_new = false;
    (child.trail, state.trail) = cx.journal.part(&mut cx.pool, state.trail, condition);
    (state.node, child.node) = cx.tree.fork(state.node, state.id, child.id);
    if let Some(frame) = child.frames.last() {
        cx.coverage.start(frame.function, frame.pc);
    }
    child
}

/// A copy of a state ends in the operation that made it.
pub fn end_copy(cx: &mut Context, copy: &State) {
    if let Some(frame) = copy.frames.last() {
        cx.coverage.stop(frame.function, frame.pc + 1);
    }
    cx.journal.end(copy.trail);
    cx.tree.remove(copy.node);
}

/// Narrows a state to values for which `condition` holds, of which `witness` is one. Seeds that it does not hold for
/// are no longer followed in this state.
pub fn assume(cx: &mut Context, state: &mut State, condition: Term, witness: Assignment) {
    state.path.add(&mut cx.pool, condition);
    state.witness = witness;
    seeds::retain(cx, state, condition);
}

/// Narrows a state to the side that its witness is on.
fn stay(cx: &mut Context, state: &mut State, condition: Term) {
    state.path.add(&mut cx.pool, condition);
    seeds::retain(cx, state, condition);
}

/// Whether the program and the limits allow this state to become two.
pub fn may_fork(cx: &Context, state: &State) -> bool {
    state.forking && !cx.config.other_sides && cx.config.limits.forks.is_none_or(|most| cx.counters.forks < most)
}

/// From this many open calls on, a copy of a state costs more than a question.
const DEEP: usize = 64;

/// Whether the other side of a branch is asked about later.
fn defers(cx: &Context, state: &State) -> bool {
    cx.config.pending.is_some() && state.frames.len() < DEEP
}

/// Follows a condition (one bit) both ways as far as they are feasible. The state keeps the side that its witness is on.
/// Under pending constraints the other side is left behind as a state that executes the operation again, so nothing
/// that the operation has done before this must harm when it is done twice.
pub fn branch(program: &Program, cx: &mut Context, state: &mut State, cond: Term) -> Result<Branch, EngineError> {
    branch_hinted(program, cx, state, cond, Hints::default())
}

/// What is known of a branch before it is followed.
#[derive(Clone, Copy, Default)]
pub struct Hints {
    /// Which coverage points its sides go to: that of the condition, and the other.
    pub toward: Option<(usize, usize)>,
    /// It takes too long to find out about the other side now.
    pub too_hard: bool,
}

/// As [`branch`].
pub fn branch_hinted(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    cond: Term,
    Hints { toward, too_hard }: Hints,
) -> Result<Branch, EngineError> {
    if let Some(known) = cx.pool.as_const(cond) {
        return Ok(if known != 0 { Branch::Then } else { Branch::Else });
    }
    let then_here = cx.oracle.holds_in(&cx.pool, &state.witness, cond);
    let negated = cx.pool.not(cond);
    let (mine, theirs) = if then_here { (cond, negated) } else { (negated, cond) };
    let alone = if then_here { Branch::Then } else { Branch::Else };
    if cx.config.other_sides && state.forking {
        other_side(program, cx, state, theirs)?;
    }
    if !may_fork(cx, state) || state.trail.gone {
        stay(cx, state, mine);
        return Ok(alone);
    }
    if let Some(known) = journal::seen(cx, state, theirs).filter(journal::Known::is_settled) {
        return branch_again(program, cx, state, known, (mine, theirs), then_here);
    }
    let seeded = seeds::witness_for(cx, state, theirs);
    if defers(cx, state) && seeded.is_none() {
        let toward = toward.map(|(then, other)| if then_here { other } else { then });
        if defer(cx, state, theirs, toward, None)? == Deferred::Left {
            stay(cx, state, mine);
        }
        return Ok(alone);
    }
    let answer = if too_hard && seeded.is_none() { Soon::TooHard } else { pending::ask_soon(cx, state, theirs)? };
    match answer {
        Soon::TooHard => {
            let toward = toward.map(|(then, other)| if then_here { other } else { then });
            pending::leave(cx, state, theirs, Waits { toward, tries: 1, ..Waits::default() });
            stay(cx, state, mine);
            Ok(alone)
        }
        Soon::Answer(May::No) => {
            journal::refuse(cx, state, theirs);
            Ok(alone)
        }
        Soon::Answer(May::Yes(witness)) => {
            let mut other = fork(cx, state, theirs);
            assume(cx, &mut other, theirs, witness);
            stay(cx, state, mine);
            Ok(Branch::Both { then_here, other })
        }
        Soon::Answer(May::Unknown(_)) => {
            give_up(program, cx, state, theirs);
            stay(cx, state, mine);
            Ok(alone)
        }
    }
}

/// The solver does not know whether values of a state exist: they are left, and the state goes on without them.
fn give_up(program: &Program, cx: &mut Context, state: &mut State, condition: Term) {
    end_with_cut(program, cx, state, Cut::SolverUnknown);
    (_, state.trail) = cx.journal.part(&mut cx.pool, state.trail, condition);
}

/// A branch of which an earlier run has followed one side to its end: only the other one is followed.
fn branch_again(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    known: journal::Known,
    (mine, theirs): (Term, Term),
    then_here: bool,
) -> Result<Branch, EngineError> {
    let (here, there) = if then_here { (Branch::Then, Branch::Else) } else { (Branch::Else, Branch::Then) };
    if known.copy_done {
        journal::go_on(cx, state, known);
        stay(cx, state, mine);
        return Ok(here);
    }
    if defers(cx, state) && seeds::witness_for(cx, state, theirs).is_none() {
        let _ = defer(cx, state, theirs, None, None)?;
        journal::vanish(cx, state);
        return Ok(here);
    }
    match may(cx, state, theirs)? {
        May::Yes(witness) => {
            journal::cross_over(cx, state, known);
            assume(cx, state, theirs, witness);
            Ok(there)
        }
        May::No => {
            journal::refuse(cx, state, theirs);
            Ok(here)
        }
        May::Unknown(_) => {
            give_up(program, cx, state, theirs);
            journal::vanish(cx, state);
            Ok(here)
        }
    }
}

/// Meets an obligation: reports the values that break it and goes on with those that keep it.
pub fn require(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    obligation: &Obligation,
) -> Result<Alive, EngineError> {
    let holds = obligation.holds;
    if cx.pool.is_true(holds) || state.trail.gone {
        return Ok(Alive::Yes);
    }
    let broken = cx.pool.not(holds);
    let known = journal::seen(cx, state, broken);
    let relaxed = cx.config.pending.as_ref().is_some_and(|pending| pending.relaxed_checks);
    if let Some(known) = known.filter(|known| known.copy_done) {
        let depth = state.depth;
        journal::go_on(cx, state, known);
        // Only a deferred check is a fork.
        state.depth = if relaxed { state.depth } else { depth };
        return keep(program, cx, state, holds);
    }
    let kept_done = known.is_some_and(|known| known.rest_done);
    let kept_by_witness = cx.oracle.holds_in(&cx.pool, &state.witness, holds);
    let news = is_news(program, cx, obligation.kind, here(program, state));
    // Where the fault is known already and the state has values without it, it does not matter whether it is possible;
    // nor where nothing is wanted but the seed's path.
    if kept_by_witness && (!news || cx.config.other_sides) {
        journal::refuse(cx, state, broken);
        stay(cx, state, holds);
        return Ok(Alive::Yes);
    }
    if kept_by_witness && relaxed && seeds::witness_for(cx, state, broken).is_none() && may_fork(cx, state) {
        let check = Some((obligation.kind, here(program, state)));
        let deferred = defer(cx, state, broken, None, check)?;
        if kept_done {
            journal::vanish(cx, state);
        }
        if deferred == Deferred::Left {
            stay(cx, state, holds);
        }
        return Ok(Alive::Yes);
    }
    // A check that is too hard for now can be made later.
    let later = kept_by_witness && may_fork(cx, state);
    match pending::ask(cx, state, broken, later)? {
        Soon::Answer(May::No) => {
            journal::refuse(cx, state, broken);
            return Ok(Alive::Yes);
        }
        Soon::Answer(May::Yes(witness)) => {
            let explanation = explain(program, cx, state, &witness, obligation);
            let (failing, rest) = cx.journal.part(&mut cx.pool, state.trail, broken);
            state.trail = failing;
            report(program, cx, state, &witness, Some(broken), obligation.kind, explanation);
            cx.journal.end(failing);
            state.trail = rest;
        }
        Soon::TooHard => {
            let check = Some((obligation.kind, here(program, state)));
            pending::leave(cx, state, broken, Waits { check, tries: 1, ..Waits::default() });
        }
        Soon::Answer(May::Unknown(_)) => give_up(program, cx, state, broken),
    }
    if kept_done {
        journal::vanish(cx, state);
        return Ok(Alive::Yes);
    }
    keep(program, cx, state, holds)
}

/// Goes on with the values for which a condition holds, if there are any.
fn keep(program: &Program, cx: &mut Context, state: &mut State, holds: Term) -> Result<Alive, EngineError> {
    if cx.oracle.holds_in(&cx.pool, &state.witness, holds) {
        stay(cx, state, holds);
        return Ok(Alive::Yes);
    }
    match may(cx, state, holds)? {
        May::Yes(witness) => {
            assume(cx, state, holds, witness);
            Ok(Alive::Yes)
        }
        May::No => Ok(Alive::No),
        May::Unknown(_) => {
            end_with_cut(program, cx, state, Cut::SolverUnknown);
            state.trail.lose();
            Ok(Alive::No)
        }
    }
}

/// Gives a term the value that the witness has for it. Other values live on in a new state that has not moved, and so
/// executes the current operation again.
pub fn settle(program: &Program, cx: &mut Context, state: &mut State, term: Term) -> Result<u128, EngineError> {
    if let Some(known) = cx.pool.as_const(term) {
        return Ok(known);
    }
    let width = cx.pool.width(term);
    loop {
        let value = osier_term::eval(&cx.pool, term, &state.witness);
        let constant = cx.pool.constant(width, value);
        let equal = cx.pool.eq(term, constant);
        match branch(program, cx, state, equal)? {
            Branch::Then => return Ok(value),
            Branch::Both { other, .. } => {
                cx.forked.push(other);
                return Ok(value);
            }
            // An earlier run has been this way with this value; the state has another one now.
            Branch::Else => {}
        }
    }
}

/// The number in a register of up to 64 bits; a symbolic one is settled.
pub fn decide(program: &Program, cx: &mut Context, state: &mut State, value: Value) -> Result<u64, EngineError> {
    match value {
        Value::Int(bits) => Ok(bits),
        Value::Term(term) => Ok(settle(program, cx, state, term)? as u64),
    }
}
