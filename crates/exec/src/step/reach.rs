//! Where a read or a write of a few bytes leads, by the memory model that was chosen: which of a pointer's cases get
//! states of their own, and which share one.

use super::access::{Cases, access_concrete, allowed_cases, checked, followed_case, learn, shaped_cases};
use super::chunks::chunks;
use super::place::{Choice, Place, Together};
use super::slow::check_use;
use super::windows::enumerate;
use crate::fork::{Alive, Soon, assume, end_copy, fork, may, may_fork, require};
use crate::memory_model::Model;
use crate::monitor::{Access, Checking, UninitialisedUse};
use crate::names::here;
use crate::pending::ask;
use crate::{Context, EngineError, Obligation, Program, Site, State, journal};
use osier_ir::{GlobalInit, LocId};
use osier_memory::{Case, Family, Object, ObjectId, Origin, Piece, Target, Value, window_guard};
use osier_solver::May;
use osier_term::{Assignment, Pool, Term};

/// One way that an access can go, checked.
pub struct Reach {
    /// The state that it happens in; none for the state that asked.
    pub state: Option<State>,
    pub place: Place,
}

/// A case that the path allows, with a witness for it.
pub struct Feasible {
    pub guard: Term,
    pub witness: Assignment,
    pub target: Target,
    /// The bytes of the object that the access begins in, if not all.
    pub chunk: Option<(u64, u64)>,
}

/// Cases that share a state.
struct Group {
    cases: Vec<Feasible>,
    beside: Vec<Piece>,
    together: Together,
}

/// Beyond so many objects in one state, states of their own are cheaper than what the solver makes of the choice.
const MOST_TOGETHER: usize = 512;
/// Beyond so many bytes an array is too large to be seen at each access.
const LARGEST_TOGETHER: u64 = 1 << 18;

/// Where `len` bytes at a pointer lie. Errors are reported here. If the asking state itself cannot go on, no way is
/// without a state.
pub fn reach(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: u64,
    write: bool,
) -> Result<Vec<Reach>, EngineError> {
    let term = match pointer {
        Value::Int(address) => {
            let hits = access_concrete(program, cx, state, address, len, write)?;
            let one = |hit: super::access::Hit| Place::One { id: hit.id, offset: hit.offset };
            return Ok(hits.into_iter().map(|hit| Reach { state: None, place: one(hit) }).collect());
        }
        Value::Term(term) => term,
    };
    if check_use(program, cx, state, term, UninitialisedUse::Address)? == Alive::No {
        return Ok(Vec::new());
    }
    let (mut groups, by_shape, complete) = groups_of(program, cx, state, term, len, write)?;
    let shaped = by_shape.then_some(term);
    if groups.len() > 1 || groups.iter().any(|group| group.cases.len() > 1) {
        cx.counters.multiple_accesses += 1;
    } else {
        cx.counters.single_accesses += 1;
    }
    cx.counters.access_forks += groups.len().saturating_sub(1) as u64;
    let Some(mut last) = groups.pop() else { return Ok(Vec::new()) };
    let all = complete && groups.is_empty();
    let mut reached = Vec::with_capacity(groups.len() + 1);
    for group in groups {
        let condition = any_of(cx, &group);
        if let Some(known) = journal::seen(cx, state, condition) {
            if known.copy_done {
                journal::go_on(cx, state, known);
                continue;
            }
            if known.rest_done {
                journal::cross_over(cx, state, known);
                last = group;
                break;
            }
        }
        let mut child = fork(cx, state, condition);
        enter(cx, &mut child, &group, false);
        match settled(program, cx, &mut child, pointer, shaped, group, len, write)? {
            Some(place) => reached.push(Reach { state: Some(child), place }),
            None => end_copy(cx, &child),
        }
    }
    enter(cx, state, &last, all);
    if let Some(place) = settled(program, cx, state, pointer, shaped, last, len, write)? {
        reached.push(Reach { state: None, place });
    }
    Ok(reached)
}

/// What a pointer leads to, and which of it shares a state; whether its shape told, and whether that is all. A pointer
/// without a shape is tried with what it led to before, by the calls that allocated it: one query says whether that is
/// all.
fn groups_of(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
    len: u64,
    write: bool,
) -> Result<(Vec<Group>, bool, bool), EngineError> {
    let model = cx.config.memory.model;
    let followed = followed_case(program, cx, state, pointer, model)?;
    if followed.is_none()
        && let Some(Cases { feasible, by_shape, complete }) = allowed_cases(cx, state, pointer)
    {
        let groups = grouped(program, cx, state, feasible, len, write)?;
        // Where states part, each needs a witness.
        if groups.len() == 1 {
            return Ok((groups, by_shape, complete));
        }
    }
    let cases = if followed.is_some() { followed } else { shaped_cases(program, cx, state, pointer)? };
    if let Some(Cases { feasible, by_shape, complete }) = cases {
        return Ok((grouped(program, cx, state, feasible, len, write)?, by_shape, complete));
    }
    let at = (state.top().function, state.top().pc);
    if let Some(Cases { feasible, by_shape, complete }) = as_before(program, cx, state, pointer, at, len, write)? {
        let groups = grouped(program, cx, state, feasible, len, write)?;
        // Where states part, each must be one that the path allows.
        if groups.len() == 1 {
            return Ok((groups, by_shape, complete));
        }
    }
    let Cases { feasible, by_shape, complete } = enumerate(program, cx, state, pointer)?;
    cx.families.meet_all(at, feasible.len());
    for (case, _) in &feasible {
        if let Target::Object { id, .. } = case.target {
            cx.families.meet(at, state.memory.object(id).family);
        }
    }
    Ok((grouped(program, cx, state, feasible, len, write)?, by_shape, complete))
}

fn grouped(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    cases: Vec<(Case, Assignment)>,
    len: u64,
    write: bool,
) -> Result<Vec<Group>, EngineError> {
    learn(cx, state, &cases);
    let mut feasible = Vec::with_capacity(cases.len());
    for (case, witness) in cases {
        let case = Feasible { guard: case.guard, witness, target: case.target, chunk: None };
        chunks(program, cx, state, case, &mut feasible)?;
    }
    Ok(plan(program, cx, state, feasible, len, write))
}

/// The cases are disjoint and cover the path, but the path may not allow each: their witnesses mean nothing.
fn as_before(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
    at: Site,
    len: u64,
    write: bool,
) -> Result<Option<Cases>, EngineError> {
    // What the path does not allow is not to be learnt.
    if cx.config.memory.learn {
        return Ok(None);
    }
    let known = cx.families.met_before(at, &state.memory);
    if known.is_empty() || known.len() > MOST_TOGETHER {
        return Ok(None);
    }
    let mut feasible = Vec::with_capacity(known.len());
    let mut elsewhere = cx.pool.truth(true);
    for id in known {
        let case = window_guard(&mut cx.pool, &state.memory, pointer, state.memory.object(id).base);
        // Which of them the path allows is not asked; so none may be an error by itself.
        if !is_sound(program, &cx.pool, state, &case.target, len, write) {
            return Ok(None);
        }
        let not_here = cx.pool.not(case.guard);
        elsewhere = cx.pool.and(elsewhere, not_here);
        feasible.push((case, state.witness.clone()));
    }
    cx.counters.access_queries += 1;
    let complete = matches!(ask(cx, state, elsewhere, may_fork(cx, state))?, Soon::Answer(May::No));
    Ok(complete.then_some(Cases { feasible, by_shape: false, complete }))
}

/// That the access is in one of a group's cases.
fn any_of(cx: &mut Context, group: &Group) -> Term {
    let never = cx.pool.truth(false);
    group.cases.iter().fold(never, |any, case| cx.pool.or(any, case.guard))
}

/// Narrows a state to the cases of a group.
fn enter(cx: &mut Context, state: &mut State, group: &Group, all: bool) {
    if all && group.cases.len() > 1 {
        return;
    }
    let any = any_of(cx, group);
    if cx.pool.is_true(any) {
        return;
    }
    let witness = match cx.oracle.holds_in(&cx.pool, &state.witness, any) {
        true => state.witness.clone(),
        false => group.cases[0].witness.clone(),
    };
    assume(cx, state, any, witness);
}

/// Which cases share a state.
fn plan(
    program: &Program,
    cx: &mut Context,
    state: &State,
    mut feasible: Vec<Feasible>,
    len: u64,
    write: bool,
) -> Vec<Group> {
    let holds = |cx: &Context, case: &Feasible| osier_term::eval(&cx.pool, case.guard, &state.witness) != 0;
    let model = cx.config.memory.model;
    if model == Model::Single && feasible.len() > 1 {
        cx.say_once("a pointer may lead to several objects; --memory=single follows it to one".to_owned());
        feasible.retain(|case| holds(cx, case));
    }
    if cx.config.other_sides {
        feasible.retain(|case| holds(cx, case));
    }
    let together = match model {
        Model::Fork | Model::Single => None,
        Model::Segmented if cx.config.memory.segments.is_none() => None,
        Model::Merge => Some(Together::Merged),
        Model::Dynamic | Model::Flat | Model::Segmented => Some(Together::SideBySide),
        Model::Auto => choose(cx, state, &feasible, write),
    };
    let alone = |case| Group { cases: vec![case], beside: Vec::new(), together: Together::SideBySide };
    let Some(together) = together.filter(|_| feasible.len() > 1 || feasible.iter().any(|case| case.chunk.is_some()))
    else {
        if !may_fork(cx, state) {
            feasible.retain(|case| holds(cx, case));
        }
        return bundled(program, cx, state, feasible, len, write);
    };
    // What is an error whatever the offset ends in a state of its own.
    let (good, bad): (Vec<_>, Vec<_>) =
        feasible.into_iter().partition(|case| is_sound(program, &cx.pool, state, &case.target, len, write));
    let mut groups: Vec<Group> = bad.into_iter().map(alone).collect();
    match model {
        Model::Flat if !good.is_empty() => {
            let beside = all_others(state, &good);
            groups.push(Group { cases: good, beside, together });
        }
        Model::Segmented => groups.extend(by_segments(cx, state, good)),
        Model::Auto | Model::Fork | Model::Merge | Model::Flat | Model::Single | Model::Dynamic => {
            if !good.is_empty() {
                groups.push(Group { cases: good, beside: Vec::new(), together });
            }
        }
    }
    groups
}

/// A group for each object, or for each chunk of one, but for objects that the program itself wants to be seen together.
fn bundled(program: &Program, cx: &Context, state: &State, cases: Vec<Feasible>, len: u64, write: bool) -> Vec<Group> {
    type Key = (ObjectId, Option<(u64, u64)>);
    let mut groups: Vec<(Option<Key>, Group)> = Vec::new();
    for case in cases {
        let key = match case.target {
            Target::Object { id, .. } if is_sound(program, &cx.pool, state, &case.target, len, write) => {
                Some(state.memory.object(id).bundle.map_or((id, case.chunk), |bundle| (bundle, None)))
            }
            Target::Object { .. } | Target::Null { .. } | Target::Nowhere { .. } => None,
        };
        match groups.iter_mut().find(|(other, _)| key.is_some() && *other == key) {
            Some((_, group)) => group.cases.push(case),
            None => {
                let group = Group { cases: vec![case], beside: Vec::new(), together: Together::SideBySide };
                groups.push((key, group));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A group for each segment. What belongs to no segment is alone; a segment that is full goes on in another one.
fn by_segments(cx: &Context, state: &State, cases: Vec<Feasible>) -> Vec<Group> {
    let mut groups: Vec<(Option<(Family, u64)>, Group)> = Vec::new();
    for case in cases {
        let segment = segment_of(cx, state, &case.target);
        match groups.iter_mut().find(|(other, _)| segment.is_some() && *other == segment) {
            Some((_, group)) => group.cases.push(case),
            None => {
                let group = Group { cases: vec![case], beside: Vec::new(), together: Together::SideBySide };
                groups.push((segment, group));
            }
        }
    }
    for (segment, group) in &mut groups {
        if segment.is_some() && group.cases.len() > 1 {
            let others = all_others(state, &group.cases);
            let target = |piece: &Piece| Target::Object { id: piece.id, offset: Term(0) };
            group.beside =
                others.into_iter().filter(|piece| segment_of(cx, state, &target(piece)) == *segment).collect();
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The family of a target, and how many full segments of it lie before the one that the target is in.
fn segment_of(cx: &Context, state: &State, target: &Target) -> Option<(Family, u64)> {
    let Target::Object { id, .. } = *target else { return None };
    let family = state.memory.object(id).family?;
    let members = state.memory.objects().filter(|object| object.is_live() && object.family == Some(family));
    let (mut full, mut bytes) = (0, 0);
    for object in members {
        if bytes > cx.config.memory.segment_limit {
            (full, bytes) = (full + 1, 0);
        }
        bytes += object.size;
        if object.id == id {
            break;
        }
    }
    Some((family, full))
}

/// What `auto` does. Where every offset is known, a choice over what is read is small, and the solver sees no array.
/// Where offsets are symbolic too, an array says in one read what a choice says in as many as there are objects. Chunks
/// stay apart where one is written to, or was: together they would be one array again, with all writes in it.
fn choose(cx: &Context, state: &State, feasible: &[Feasible], write: bool) -> Option<Together> {
    let mut bytes = 0;
    let mut symbolic = false;
    for case in feasible {
        let Target::Object { id, offset } = case.target else { continue };
        let object = state.memory.object(id);
        if case.chunk.is_some() && (write || object.contents.has_been_array()) {
            return None;
        }
        bytes += case.chunk.map_or(object.size, |(start, end)| end - start);
        symbolic |= cx.pool.as_const(offset).is_none();
    }
    if feasible.len() > MOST_TOGETHER || symbolic && bytes > LARGEST_TOGETHER {
        return None;
    }
    Some(if symbolic { Together::SideBySide } else { Together::Merged })
}

/// Every live object that is no target.
fn all_others(state: &State, targets: &[Feasible]) -> Vec<Piece> {
    let is_target = |object: &Object| {
        targets.iter().any(|case| matches!(case.target, Target::Object { id, .. } if id == object.id))
    };
    let others = state.memory.objects().filter(|object| object.is_live() && object.size > 0 && !is_target(object));
    others.map(|object| Piece { id: object.id, start: 0, end: object.size }).collect()
}

/// Whether an access to a target can be in order, if its offset is.
fn is_sound(program: &Program, pool: &Pool, state: &State, target: &Target, len: u64, write: bool) -> bool {
    let Target::Object { id, offset } = *target else { return false };
    let object = state.memory.object(id);
    let defined = match object.origin {
        Origin::Global(global) => match program.module.globals[global].init {
            GlobalInit::External | GlobalInit::Unsupported(_) => false,
            GlobalInit::Zero | GlobalInit::Data { .. } => true,
        },
        Origin::Stack { .. }
        | Origin::Arguments { .. }
        | Origin::Heap { .. }
        | Origin::Fixed
        | Origin::Environment { .. } => true,
    };
    let fits = pool.as_const(offset).map_or(object.size >= len, |offset| object.holds(offset as u64, len));
    defined && object.is_live() && fits && !(write && object.read_only)
}

/// Checks the cases of a group, in the state that they share. Nothing if no case remains.
#[allow(clippy::too_many_arguments, reason = "an access, and where it leads")]
fn settled(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    shaped: Option<Term>,
    group: Group,
    len: u64,
    write: bool,
) -> Result<Option<Place>, EngineError> {
    let Group { cases, beside, together } = group;
    let mut choices = Vec::with_capacity(cases.len());
    for case in &cases {
        if let Target::Object { id, offset } = case.target {
            let (start, end) = case.chunk.unwrap_or((0, state.memory.object(id).size));
            // An access that begins in a chunk may end in the next one.
            let end = (end + len - 1).min(state.memory.object(id).size);
            choices.push(Choice { guard: case.guard, piece: Piece { id, start, end }, offset });
        }
    }
    if let [case] = cases.as_slice() {
        let one = checked(program, cx, state, pointer, case.target, len, write)?;
        return Ok(one.map(|(id, offset)| match (case.chunk, offset) {
            (Some(_), Value::Term(_)) => Place::Several { choices, beside, together, shaped: None },
            (Some(_), Value::Int(_)) | (None, _) => Place::One { id, offset },
        }));
    }
    let obligations = obligations(program, cx, state, pointer, &cases, len, write);
    if meets_all(program, cx, state, &obligations)? == Alive::No {
        return Ok(None);
    }
    if together == Together::SideBySide {
        choices = without_overlap(cx, choices);
        if let ([Choice { piece: Piece { id, start: 0, end }, offset, .. }], []) =
            (choices.as_slice(), beside.as_slice())
            && *end == state.memory.object(*id).size
        {
            return Ok(Some(Place::One { id: *id, offset: Value::of(&cx.pool, *offset) }));
        }
    }
    Ok(Some(Place::Several { choices, beside, together, shaped }))
}

/// Pieces of one object that touch are one: an access may reach from one chunk into the next, several pointers lead into
/// one object, and a byte that lay twice in an array would be written in one of its places only.
fn without_overlap(cx: &mut Context, choices: Vec<Choice>) -> Vec<Choice> {
    let mut apart: Vec<Choice> = Vec::with_capacity(choices.len());
    for mut choice in choices {
        let touches = |a: &Piece, b: &Piece| a.id == b.id && a.start <= b.end && b.start <= a.end;
        while let Some(at) = apart.iter().position(|other| touches(&other.piece, &choice.piece)) {
            let other = apart.swap_remove(at);
            let (start, end) = (other.piece.start.min(choice.piece.start), other.piece.end.max(choice.piece.end));
            choice = Choice {
                guard: cx.pool.or(other.guard, choice.guard),
                piece: Piece { id: choice.piece.id, start, end },
                offset: cx.pool.ite(other.guard, other.offset, choice.offset),
            };
        }
        apart.push(choice);
    }
    apart
}

/// What the monitors demand of each case, under its guard.
fn obligations(
    program: &Program,
    cx: &mut Context,
    state: &State,
    pointer: Value,
    cases: &[Feasible],
    len: u64,
    write: bool,
) -> Vec<Obligation> {
    let location: LocId = here(program, state);
    let mut all = Vec::new();
    for case in cases {
        let access = Access { target: case.target, len, write, pointer };
        for i in 0..cx.monitors.len() {
            let Context { monitors, pool, .. } = &mut *cx;
            let asked = monitors[i].before_access(&mut Checking { program, pool, state, location }, &access);
            let Some(obligation) = asked else { continue };
            let elsewhere = pool.not(case.guard);
            let holds = pool.or(elsewhere, obligation.holds);
            if !pool.is_true(holds) {
                all.push(Obligation { holds, ..obligation });
            }
        }
    }
    all
}

/// Asks about all at once first, since nearly always all are met.
fn meets_all(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    obligations: &[Obligation],
) -> Result<Alive, EngineError> {
    if obligations.len() > 1 {
        let always = cx.pool.truth(true);
        let all = obligations.iter().fold(always, |all, obligation| cx.pool.and(all, obligation.holds));
        let broken = cx.pool.not(all);
        if matches!(may(cx, state, broken)?, May::No) {
            return Ok(Alive::Yes);
        }
    }
    for obligation in obligations {
        if require(program, cx, state, obligation)? == Alive::No {
            return Ok(Alive::No);
        }
    }
    Ok(Alive::Yes)
}
