//! Pending constraints: states that are forked first and checked later (Kapus, Busse, Cadar, "Pending Constraints in
//! Symbolic Execution for Better Exploration and Seeding", ASE 2020).
//!
//! A state goes on along its witness without a query. The other side of a branch is a copy that has not moved and that
//! waits with its condition; when it is revived, the condition joins its path and it executes the operation again.

use crate::fork::{Soon, assume, fork, may, may_soon};
use crate::outcome::Kind;
use crate::{Context, EngineError, Leaves, Program, State, seeds};
use osier_ir::LocId;
use osier_solver::May;
use osier_term::{Assignment, Patch, Term};
use std::time::{Duration, Instant};

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
    /// A witness for path and condition, where one has been found already: by what it changes in the state's.
    pub ready: Option<Patch>,
    /// The coverage point that it goes to first.
    pub toward: Option<usize>,
    /// The error that it would be, for a deferred check.
    pub check: Option<(Kind, LocId)>,
    /// How many instructions its path had when the state was left behind, and by which state.
    pub left: (crate::StateId, u64),
    /// How often the solver has given up on it.
    pub tries: u32,
}

/// How long the solver may take before a question is put off. It follows what the questions of this program need: longer
/// after each that was put off, shorter after each that was answered in time, so that about one in five is put off.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    now: Duration,
    /// How many questions were put off.
    put_off: u64,
    /// What questions of states that follow seeds have cost: the time that they took before they were put off, and a part
    /// of it where they were answered.
    on_the_way: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { now: SHORTEST, put_off: 0, on_the_way: Duration::ZERO }
    }
}

/// A state that follows a seed is to come to its end first: its questions get so long each, and in all so long for each
/// seed if it is in vain, or so many times that if they are answered. After that only what is seen at a glance is answered.
const ON_THE_WAY: Duration = Duration::from_millis(50);
const ON_THE_WAY_IN_ALL: Duration = Duration::from_secs(2);
const WORTH_OF_ANSWERS: u32 = 5;
/// Paths of more conditions are long.
const LONG: usize = 300;
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_millis(400);
/// Caches and the look at one byte take less; a backend seldom does.
const NO_TIME: Duration = Duration::from_millis(1);

impl Patience {
    pub fn get(self) -> Duration {
        self.now
    }

    /// How many questions were put off so far.
    pub fn put_off(self) -> u64 {
        self.put_off
    }

    /// A state that follows a seed has asked a question.
    fn charge_seed(&mut self, took: Duration, answered: bool) {
        self.on_the_way += if answered { took / WORTH_OF_ANSWERS } else { took };
    }

    fn learn(&mut self, answer: &Soon) {
        let next = match answer {
            Soon::TooHard => self.now * 5 / 4,
            Soon::Answer(_) => self.now * 19 / 20,
        };
        self.now = next.clamp(SHORTEST, LONGEST);
    }
}

/// Asks a question that can be asked again later.
pub fn ask_soon(cx: &mut Context, state: &mut State, condition: Term) -> Result<Soon, EngineError> {
    let started = Instant::now();
    let answer = if state.seeds.is_empty() {
        let patience = cx.patience.get();
        let answer = may_soon(cx, state, condition, patience)?;
        // What took no time says nothing about how long questions take.
        if started.elapsed() > NO_TIME {
            cx.patience.learn(&answer);
        }
        answer
    } else {
        ask_on_the_way(cx, state, condition)?
    };
    cx.patience.put_off += u64::from(matches!(answer, Soon::TooHard));
    Ok(answer)
}

/// Asks a question, which can be asked again if it is one for `later`.
pub fn ask(cx: &mut Context, state: &mut State, condition: Term, later: bool) -> Result<Soon, EngineError> {
    if later { ask_soon(cx, state, condition) } else { Ok(Soon::Answer(may(cx, state, condition)?)) }
}

/// As [`ask_soon`], in a state that follows a seed.
fn ask_on_the_way(cx: &mut Context, state: &mut State, condition: Term) -> Result<Soon, EngineError> {
    if has_time_for_seeds(cx) {
        let started = Instant::now();
        let answer = may_soon(cx, state, condition, ON_THE_WAY)?;
        cx.patience.charge_seed(started.elapsed(), matches!(answer, Soon::Answer(_)));
        return Ok(answer);
    }
    if let Some(witness) = seeds::witness_for(cx, state, condition) {
        return Ok(Soon::Answer(May::Yes(witness)));
    }
    let is_seen = !has_long_path(state) || is_over_one_byte(cx, condition);
    let known = is_seen.then(|| cx.oracle.glance(&mut cx.pool, &state.path, &state.witness, condition));
    Ok(match known.flatten() {
        Some(known @ (May::Yes(_) | May::No)) => Soon::Answer(known),
        Some(May::Unknown(_)) | None => Soon::TooHard,
    })
}

fn has_time_for_seeds(cx: &Context) -> bool {
    let seeds = u32::try_from(cx.config.seeds.len()).unwrap_or(u32::MAX);
    cx.patience.on_the_way < ON_THE_WAY_IN_ALL.saturating_mul(seeds)
}

/// The largest value of a term. None if it is not found, in a state that follows a seed: not found soon.
pub fn largest(cx: &mut Context, state: &State, term: Term) -> Result<Option<u128>, EngineError> {
    let follows_a_seed = !state.seeds.is_empty();
    if follows_a_seed && !has_time_for_seeds(cx) {
        return Ok(None);
    }
    let started = Instant::now();
    cx.oracle.set_patience(follows_a_seed.then_some(ON_THE_WAY));
    let largest = cx.oracle.max(&mut cx.pool, &state.path, &state.witness, term);
    cx.oracle.set_patience(None);
    let largest = largest?;
    if follows_a_seed {
        cx.patience.charge_seed(started.elapsed(), largest.exact);
    }
    Ok(largest.exact.then_some(largest.value))
}

/// It may take so much longer each time.
const GROWTH: u32 = 8;
/// After so many times, as long as it may take at all.
const MOST_TRIES: u32 = 4;

impl Pending {
    /// How long the solver may take this time, in terms of what a question gets at first.
    fn patience(&self, first: Duration) -> Option<Duration> {
        (self.tries < MOST_TRIES).then(|| first * GROWTH.pow(self.tries))
    }
}

/// What is known of a state that is left behind, beside its condition.
#[derive(Clone, Default)]
pub struct Waits {
    pub ready: Option<Assignment>,
    pub toward: Option<usize>,
    pub check: Option<(Kind, LocId)>,
    pub tries: u32,
}

/// Leaves a copy of the state behind that waits.
pub fn leave(cx: &mut Context, state: &mut State, condition: Term, waits: Waits) {
    let mut waiting = fork(cx, state, condition);
    waiting.seeds = Default::default();
    stand_still(cx, &waiting);
    let Waits { ready, toward, check, tries } = waits;
    let left = (state.id, state.instructions);
    let ready = ready.map(|found| Patch::new(&waiting.witness, found));
    waiting.pending = Some(Box::new(Pending { condition, ready, toward, check, left, tries }));
    cx.tree.mark(waiting.node, if tries > 0 { Leaves::PutOff } else { Leaves::Pending });
    cx.deferred.push(waiting);
}

/// What became of a condition that was deferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Deferred {
    /// A copy of the state has it, or waits with it.
    Left,
    /// The path rules it out, so its opposite need not be said.
    Impossible,
}

/// Leaves a copy of the state behind in which `condition` holds, without asking whether it can. Where that is known or
/// seen at a glance, the copy runs at once, or is not made.
pub fn defer(
    cx: &mut Context,
    state: &mut State,
    condition: Term,
    toward: Option<usize>,
    check: Option<(Kind, LocId)>,
) -> Result<Deferred, EngineError> {
    let mut ready = None;
    let is_long = has_long_path(state);
    if is_long && !is_over_one_byte(cx, condition) {
        leave(cx, state, condition, Waits { ready, toward, check, tries: 0 });
        return Ok(Deferred::Left);
    }
    match cx.oracle.glance(&mut cx.pool, &state.path, &state.witness, condition) {
        Some(May::No) => {
            crate::journal::refuse(cx, state, condition);
            return Ok(Deferred::Impossible);
        }
        Some(May::Yes(witness)) => ready = Some(witness),
        Some(May::Unknown(_)) | None if is_long => {}
        Some(May::Unknown(_)) | None => match cx.oracle.recall(&mut cx.pool, &state.path, &state.witness, condition)? {
            Some(May::No) => {
                crate::journal::refuse(cx, state, condition);
                return Ok(Deferred::Impossible);
            }
            Some(May::Yes(witness)) => {
                let mut known = fork(cx, state, condition);
                assume(cx, &mut known, condition, witness);
                cx.forked.push(known);
                return Ok(Deferred::Left);
            }
            Some(May::Unknown(_)) | None => {}
        },
    }
    leave(cx, state, condition, Waits { ready, toward, check, tries: 0 });
    Ok(Deferred::Left)
}

/// Whether a path is so long that even to look for a condition in caches takes longer than a state's copy.
fn has_long_path(state: &State) -> bool {
    state.path.len() >= LONG
}

/// Whether a glance may tell.
fn is_over_one_byte(cx: &mut Context, condition: Term) -> bool {
    cx.pool.support(condition).len() <= 1
}

/// What waits covers nothing: it may be infeasible.
fn stand_still(cx: &mut Context, state: &State) {
    if let Some(frame) = state.frames.last() {
        cx.coverage.stop(frame.function, frame.pc);
    }
}

/// Lets a feasible state wait.
pub fn set_aside(cx: &mut Context, mut state: State) {
    let (condition, ready) = (cx.pool.truth(true), Some(Patch::new(&state.witness, state.witness.clone())));
    stand_still(cx, &state);
    let left = (state.id, state.instructions);
    state.pending = Some(Box::new(Pending { condition, ready, toward: None, check: None, left, tries: 0 }));
    cx.tree.mark(state.node, Leaves::Pending);
    cx.deferred.push(state);
}

/// What became of a pending state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Revival {
    /// It is on its way.
    Runs,
    Infeasible,
    /// It was too hard for now: it waits on.
    TooHard,
    /// The solver gave up.
    Unknown,
}

/// Asks whether a pending state is feasible; if it is, it runs from now on.
pub fn revive(cx: &mut Context, state: &mut State) -> Result<Revival, EngineError> {
    let mut pending = state.pending.take().expect("only pending states are revived");
    let answer = match (pending.ready.take(), pending.patience(cx.patience.get())) {
        (Some(ready), _) => Soon::Answer(May::Yes(ready.apply(&state.witness))),
        (None, Some(_)) if pending.tries == 0 => ask_soon(cx, state, pending.condition)?,
        (None, Some(patience)) => may_soon(cx, state, pending.condition, patience)?,
        (None, None) => Soon::Answer(may(cx, state, pending.condition)?),
    };
    Ok(match answer {
        Soon::Answer(May::Yes(witness)) => {
            assume(cx, state, pending.condition, witness);
            cx.tree.mark(state.node, Leaves::Running);
            state.revived_at = state.depth;
            if let Some(frame) = state.frames.last() {
                cx.coverage.start(frame.function, frame.pc);
            }
            Revival::Runs
        }
        Soon::Answer(May::No) => Revival::Infeasible,
        Soon::TooHard => {
            pending.tries += 1;
            cx.tree.mark(state.node, Leaves::PutOff);
            state.pending = Some(pending);
            Revival::TooHard
        }
        Soon::Answer(May::Unknown(_)) => Revival::Unknown,
    })
}

/// Whether a pending state could still tell anything new.
pub fn is_worth_reviving(program: &Program, cx: &Context, pending: &Pending) -> bool {
    pending.check.is_none_or(|(kind, location)| crate::fault::is_news(program, cx, kind, location))
}
