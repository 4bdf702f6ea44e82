//! What an access through a pointer can refer to: cases from `memory`, checked by the monitors, forked by us.

use super::slow::{check, check_use};
use super::windows::enumerate;
use crate::fork::{Alive, Branch, Soon, assume, branch, end_copy, fork, may_fork, settle};
use crate::memory_model::Model;
use crate::monitor::{Access, UninitialisedUse};
use crate::outcome::{Cut, Kind};
use crate::pending::ask;
use crate::{Context, EngineError, Program, State, fault, journal};
use osier_ir::GlobalInit;
use osier_memory::{Case, Finding, ObjectId, Origin, Shape, Target, Value, resolve, was_stored, window_guard};
use osier_solver::May;
use osier_term::{Assignment, Term};
use std::time::Instant;

/// One way that an access can go: the object, and where in it, checked.
pub struct Hit {
    /// The state that it happens in; none for the state that asked.
    pub state: Option<State>,
    pub id: ObjectId,
    pub offset: Value,
}

/// Questions about all cases of a pointer may take so many times as long as one that can be put off.
pub const ALL_CASES: u32 = 8;

/// What `len` bytes at a pointer can refer to. Errors are reported here; the hits are what remains. If the asking
/// state itself cannot go on, no hit is without a state.
pub fn access(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: u64,
    write: bool,
) -> Result<Vec<Hit>, EngineError> {
    let term = match pointer {
        Value::Int(address) => return access_concrete(program, cx, state, address, len, write),
        Value::Term(term) => term,
    };
    if check_use(program, cx, state, term, UninitialisedUse::Address)? == Alive::No {
        return Ok(Vec::new());
    }
    let followed = followed_case(program, cx, state, term, Model::Fork)?;
    let cases = if followed.is_some() { followed } else { shaped_cases(program, cx, state, term)? };
    let Cases { mut feasible, .. } = match cases {
        Some(cases) => cases,
        None => enumerate(program, cx, state, term)?,
    };
    learn(cx, state, &feasible);
    if !may_fork(cx, state) {
        feasible.retain(|(case, _)| osier_term::eval(&cx.pool, case.guard, &state.witness) != 0);
    }
    if feasible.len() > 1 {
        cx.counters.multiple_accesses += 1;
        cx.counters.access_forks += feasible.len() as u64 - 1;
    } else {
        cx.counters.single_accesses += 1;
    }
    let Some((mut last, mut last_witness)) = feasible.pop() else { return Ok(Vec::new()) };
    let mut hits = Vec::with_capacity(feasible.len() + 1);
    for (case, witness) in feasible {
        if let Some(known) = journal::seen(cx, state, case.guard) {
            if known.copy_done {
                journal::go_on(cx, state, known);
                continue;
            }
            if known.rest_done {
                journal::cross_over(cx, state, known);
                (last, last_witness) = (case, witness);
                break;
            }
        }
        let mut child = fork(cx, state, case.guard);
        assume(cx, &mut child, case.guard, witness);
        match checked(program, cx, &mut child, pointer, case.target, len, write)? {
            Some((id, offset)) => hits.push(Hit { state: Some(child), id, offset }),
            None => end_copy(cx, &child),
        }
    }
    if !cx.pool.is_true(last.guard) {
        assume(cx, state, last.guard, last_witness);
    }
    if let Some((id, offset)) = checked(program, cx, state, pointer, last.target, len, write)? {
        hits.push(Hit { state: None, id, offset });
    }
    Ok(hits)
}

/// Notes that the objects of these cases met, if somebody wants to know.
pub fn learn(cx: &mut Context, state: &State, cases: &[(Case, Assignment)]) {
    let Some(learning) = &mut cx.families.learning else { return };
    let target = |(case, _): &(Case, Assignment)| match case.target {
        Target::Object { id, .. } => Some(state.memory.object(id)).filter(|object| object.is_live()),
        Target::Null { .. } | Target::Nowhere { .. } => None,
    };
    let mut objects: Vec<_> = cases.iter().filter_map(target).collect();
    objects.sort_by_key(|object| object.id.0);
    objects.dedup_by_key(|object| object.id);
    if objects.len() > 1 {
        let at = (state.top().function, state.top().pc);
        learning.meet(at, objects.iter().filter_map(|object| Some((object.family?, object.size))));
    }
}

pub fn access_concrete(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    address: u64,
    len: u64,
    write: bool,
) -> Result<Vec<Hit>, EngineError> {
    cx.counters.concrete_accesses += 1;
    let found = state.memory.find(address);
    if let Some(object) = found {
        let offset = address.wrapping_sub(object.base);
        if object.is_plain() && object.holds(offset, len) && !(write && object.read_only) {
            return Ok(vec![Hit { state: None, id: object.id, offset: Value::Int(offset) }]);
        }
    }
    let target = target_of(cx, state, address);
    let hit = checked(program, cx, state, Value::Int(address), target, len, write)?;
    Ok(hit.into_iter().map(|(id, offset)| Hit { state: None, id, offset }).collect())
}

/// Where a known address leads.
pub fn target_of(cx: &mut Context, state: &State, address: u64) -> Target {
    let term = cx.pool.constant(64, u128::from(address));
    match state.memory.find(address) {
        Some(object) => {
            let offset = cx.pool.constant(64, u128::from(address.wrapping_sub(object.base)));
            Target::Object { id: object.id, offset }
        }
        None if address < osier_memory::NULL_REGION => Target::Null { address: term },
        None => Target::Nowhere { address: term },
    }
}

/// The cases of a symbolic pointer that the path allows, each with a witness.
pub struct Cases {
    pub feasible: Vec<(Case, Assignment)>,
    /// The pointer's shape told them.
    pub by_shape: bool,
    /// There is no other.
    pub complete: bool,
}

/// Under pending constraints, the one case that the witness is in; for the others a state is left behind that executes
/// the operation again. Nothing where the cases share a state: then all of them are wanted at once.
pub fn followed_case(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
    model: Model,
) -> Result<Option<Cases>, EngineError> {
    // Who learns what meets wants to see all cases.
    if cx.config.pending.is_none() || cx.config.memory.learn {
        return Ok(None);
    }
    let (case, by_shape) = match (model, resolve(&mut cx.pool, &state.memory, pointer)) {
        (Model::Fork, Shape::Cases(cases)) if cases.len() > 1 => {
            let here = |case: &&Case| osier_term::eval(&cx.pool, case.guard, &state.witness) != 0;
            let Some(case) = cases.iter().find(here) else { return Ok(None) };
            if shares_state(state, case, &cases) {
                return Ok(None);
            }
            (*case, true)
        }
        (Model::Fork | Model::Auto, Shape::Unknown) => {
            let example = osier_term::eval(&cx.pool, pointer, &state.witness) as u64;
            (case_of(cx, state, pointer, example), false)
        }
        (_, Shape::Cases(_) | Shape::Unknown) => return Ok(None),
    };
    match branch(program, cx, state, case.guard)? {
        Branch::Then => {}
        Branch::Both { other, .. } => cx.forked.push(other),
        // An earlier run has been this way; the state has other values now.
        Branch::Else => return Ok(None),
    }
    Ok(Some(Cases { feasible: vec![(case, state.witness.clone())], by_shape, complete: true }))
}

/// The case of a pointer without a shape that `example` is in: if the pointer was read from memory, this value alone.
fn case_of(cx: &mut Context, state: &State, pointer: Term, example: u64) -> Case {
    match state.memory.find(example) {
        Some(object)
            if was_stored(&cx.pool, pointer) && cx.stored_pointers.is_only_value(pointer, object.id, example) =>
        {
            cases_of_values(cx, state, pointer, &[example])[0]
        }
        Some(_) | None => window_guard(&mut cx.pool, &state.memory, pointer, example),
    }
}

/// The one case that the witness is in, where it takes too long to ask about all; the others wait in a state that executes
/// the operation again.
fn nearest_case(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    cases: &[Case],
    by_shape: bool,
) -> Result<Cases, EngineError> {
    loop {
        let here = |case: &&Case| osier_term::eval(&cx.pool, case.guard, &state.witness) != 0;
        let case = *cases.iter().find(here).expect("the cases cover everything");
        match branch(program, cx, state, case.guard)? {
            Branch::Then => {}
            Branch::Both { other, .. } => cx.forked.push(other),
            // An earlier run has been this way; the state has other values now.
            Branch::Else => continue,
        }
        return Ok(Cases { feasible: vec![(case, state.witness.clone())], by_shape, complete: true });
    }
}

/// What the shape of a pointer tells, or what is known of its values, without what the path has ruled out; whether it was
/// the shape. Nothing if that takes asking.
fn known_cases(cx: &mut Context, state: &State, pointer: Term) -> Option<(Vec<Case>, bool)> {
    let (mut cases, by_shape) = match resolve(&mut cx.pool, &state.memory, pointer) {
        Shape::Cases(cases) => (cases, true),
        Shape::Unknown => {
            let values = state.memory.findings.values_of(&cx.pool, pointer)?;
            (cases_of_values(cx, state, pointer, &values), false)
        }
    };
    cases.retain(|case| state.memory.findings.of(case.guard) != Some(Finding::RuledOut));
    Some((cases, by_shape))
}

/// The cases of a pointer if the path allows each of them, as is known without asking. Their witnesses mean nothing.
pub fn allowed_cases(cx: &mut Context, state: &State, pointer: Term) -> Option<Cases> {
    let (cases, by_shape) = known_cases(cx, state, pointer)?;
    let now = Finding::Allowed { length: state.path.len() };
    let allowed = cases.len() > 1 && cases.iter().all(|case| state.memory.findings.of(case.guard) == Some(now));
    let feasible = || cases.into_iter().map(|case| (case, state.witness.clone())).collect();
    allowed.then(|| Cases { feasible: feasible(), by_shape, complete: true })
}

/// Whether other cases belong into the same state: they lead to the same object, or to one that is seen together with it.
fn shares_state(state: &State, case: &Case, cases: &[Case]) -> bool {
    let Target::Object { id, .. } = case.target else { return false };
    let same = |other: &&Case| matches!(other.target, Target::Object { id: other, .. } if other == id);
    state.memory.object(id).bundle.is_some() || cases.iter().filter(same).count() > 1
}

/// What the shape of a pointer tells; nothing if it has none.
pub fn shaped_cases(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
) -> Result<Option<Cases>, EngineError> {
    let Some((cases, by_shape)) = known_cases(cx, state, pointer) else { return Ok(None) };
    if let [only] = cases.as_slice() {
        let case = Case { guard: cx.pool.truth(true), target: only.target };
        return Ok(Some(Cases { feasible: vec![(case, state.witness.clone())], by_shape, complete: true }));
    }
    let (mut feasible, mut complete) = (Vec::new(), true);
    let later = may_fork(cx, state) && !cx.config.memory.learn;
    let enough = Instant::now() + cx.patience.get() * ALL_CASES;
    for &case in &cases {
        cx.counters.access_queries += 1;
        match ask(cx, state, case.guard, later)? {
            Soon::Answer(May::Yes(witness)) => {
                let length = state.path.len();
                state.memory.findings.note(case.guard, Finding::Allowed { length });
                feasible.push((case, witness));
            }
            Soon::Answer(May::No) => state.memory.findings.note(case.guard, Finding::RuledOut),
            Soon::TooHard => return nearest_case(program, cx, state, &cases, by_shape).map(Some),
            Soon::Answer(May::Unknown(_)) => {
                complete = false;
                fault::end_with_cut(program, cx, state, Cut::SolverUnknown);
                state.trail.lose();
            }
        }
        if later && Instant::now() > enough {
            return nearest_case(program, cx, state, &cases, by_shape).map(Some);
        }
    }
    Ok(Some(Cases { feasible, by_shape, complete }))
}

/// The cases of a pointer that has no other values than these.
pub fn cases_of_values(cx: &mut Context, state: &State, pointer: Term, values: &[u64]) -> Vec<Case> {
    let case = |value: &u64| {
        let constant = cx.pool.constant(64, u128::from(*value));
        let guard = cx.pool.eq(pointer, constant);
        Case { guard, target: target_of(cx, state, *value) }
    };
    values.iter().map(case).collect()
}

pub fn checked(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    target: Target,
    len: u64,
    write: bool,
) -> Result<Option<(ObjectId, Value)>, EngineError> {
    if let Target::Object { id, .. } = target
        && let Some(message) = undefined_global(program, state, id)
    {
        fault::end_with_fault(program, cx, state, Kind::Unsupported, message);
        return Ok(None);
    }
    let access = Access { target, len, write, pointer };
    let put_off = cx.patience.put_off();
    if check(program, cx, state, |monitor, checking| monitor.before_access(checking, &access))? == Alive::No {
        return Ok(None);
    }
    match target {
        Target::Object { id, mut offset } => {
            if cx.patience.put_off() != put_off && !state.seeds.is_empty() {
                // What is read by an offset that is too hard to ask about makes all that depends on it as hard: the seed
                // goes on with its own value, and the others wait.
                let value = settle(program, cx, state, offset)?;
                offset = cx.pool.constant(64, value);
            }
            let object = state.memory.object(id);
            let offset = Value::of(&cx.pool, offset);
            // Without monitors nothing has been checked, and contents must not be read outside.
            let sound = object.is_live()
                && match offset {
                    Value::Int(offset) => object.holds(offset, len),
                    Value::Term(_) => object.size >= len,
                };
            Ok(sound.then_some((id, offset)))
        }
        Target::Null { .. } | Target::Nowhere { .. } => Ok(None),
    }
}

/// Why a global cannot be accessed, if that is so.
fn undefined_global(program: &Program, state: &State, id: ObjectId) -> Option<String> {
    let Origin::Global(global) = state.memory.object(id).origin else { return None };
    let global = &program.module.globals[global];
    match &global.init {
        GlobalInit::External => Some(format!("use of {}, which is declared but not defined", global.name)),
        GlobalInit::Unsupported(text) => {
            Some(format!("the initial value of {}: {}", global.name, program.module.texts[*text]))
        }
        GlobalInit::Zero | GlobalInit::Data { .. } => None,
    }
}

/// As [`access`], for operations that are too long to do several times: other hits live on in states that execute the
/// operation again.
pub fn access_one(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: u64,
    write: bool,
) -> Result<Option<(ObjectId, Value)>, EngineError> {
    let mut mine = None;
    for hit in access(program, cx, state, pointer, len, write)? {
        match hit.state {
            Some(child) => cx.forked.push(child),
            None => mine = Some((hit.id, hit.offset)),
        }
    }
    Ok(mine)
}
