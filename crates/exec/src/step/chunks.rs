//! Large objects seen in chunks: which of them an access at a symbolic place may begin in.

use super::reach::Feasible;
use crate::fork::may;
use crate::memory_model::Model;
use crate::outcome::Cut;
use crate::{Context, EngineError, Program, State, fault};
use osier_memory::{ObjectId, Target};
use osier_solver::May;
use osier_term::Term;

/// A case as it is, or, where the object is to be split, a case for each chunk that the access may begin in.
pub fn chunks(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    case: Feasible,
    out: &mut Vec<Feasible>,
) -> Result<(), EngineError> {
    let Some((id, offset, chunk)) = to_split(cx, state, &case.target) else {
        out.push(case);
        return Ok(());
    };
    let size = state.memory.object(id).size;
    let here = osier_term::eval(&cx.pool, case.guard, &state.witness) != 0;
    let (mut elsewhere, mut next) = (case.guard, here.then(|| state.witness.clone()));
    let mut found = Vec::new();
    loop {
        let witness = match next.take() {
            Some(witness) => witness,
            None => {
                cx.counters.access_queries += 1;
                match may(cx, state, elsewhere)? {
                    May::Yes(witness) => witness,
                    May::No => break,
                    May::Unknown(_) => {
                        fault::end_with_cut(program, cx, state, Cut::SolverUnknown);
                        state.trail.lose();
                        break;
                    }
                }
            }
        };
        let at = osier_term::eval(&cx.pool, offset, &witness) as u64;
        // Accesses that begin outside are a case too, whose check fails.
        let start = at / chunk * chunk;
        let chunk = (at < size).then(|| (start, (start + chunk).min(size)));
        let here = match chunk {
            Some((start, end)) => {
                let from_start = at_least(cx, offset, start);
                let from_end = at_least(cx, offset, end);
                let before_end = cx.pool.not(from_end);
                cx.pool.and(from_start, before_end)
            }
            None => at_least(cx, offset, size),
        };
        let (guard, not_here) = (cx.pool.and(case.guard, here), cx.pool.not(here));
        elsewhere = cx.pool.and(elsewhere, not_here);
        found.push(Feasible { guard, witness, target: case.target, chunk });
    }
    // In an order that does not depend on the witness.
    found.sort_by_key(|case| case.chunk.map_or(u64::MAX, |(start, _)| start));
    out.append(&mut found);
    Ok(())
}

fn at_least(cx: &mut Context, offset: Term, least: u64) -> Term {
    let least = cx.pool.constant(64, u128::from(least));
    cx.pool.ule(least, offset)
}

/// The object and where in it, if it is to be seen in chunks, and their size.
fn to_split(cx: &mut Context, state: &mut State, target: &Target) -> Option<(ObjectId, Term, u64)> {
    let Target::Object { id, offset } = *target else { return None };
    let object = state.memory.object(id);
    if !object.is_plain() || cx.pool.as_const(offset).is_some() {
        return None;
    }
    let config = &cx.config.memory;
    let large = config.split.filter(|_| object.size > config.split_threshold);
    if let Some(chunk) = object.chunk.or(large) {
        return Some((id, offset, chunk));
    }
    Some((id, offset, chunk_of(cx, state, id)?))
}

/// The size of the chunks that `auto` wants an object to be seen in.
fn chunk_of(cx: &mut Context, state: &mut State, id: ObjectId) -> Option<u64> {
    let State { memory, trial, .. } = state;
    let Context { config, splitting, oracle, .. } = cx;
    let object = memory.object(id);
    let large = object.size > config.memory.split_threshold && config.memory.split.is_none();
    if !large || config.memory.model != Model::Auto || config.other_sides {
        return None;
    }
    splitting.chunk_for(object, trial, &|| oracle.statistics())
}
