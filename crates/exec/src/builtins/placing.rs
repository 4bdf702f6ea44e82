//! Intrinsics by which a program says itself how its objects are to be seen by pointers that may lead to several places.

use super::control::object_at;
use super::{Arguments, Builtin};
use crate::fault::end_with_fault;
use crate::fork::{Alive, decide};
use crate::outcome::Kind;
use crate::{Context, EngineError, Program, State};
use osier_memory::{Object, ObjectId};

pub const TABLE: &[Builtin] = &[
    Builtin { name: "osier_merge_objects", least_args: 2, run: merge_objects },
    Builtin { name: "osier_split_object", least_args: 2, run: split_object },
];

type Outcome = Result<Alive, EngineError>;

/// Both objects, and all that they were merged with before, are one array for a pointer that may lead to several of them.
fn merge_objects(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let Some(one) = object_at(program, cx, state, args.values[0])? else { return Ok(Alive::No) };
    let Some(other) = object_at(program, cx, state, args.values[1])? else { return Ok(Alive::No) };
    let bundles = [one, other].map(|id| state.memory.object(id).bundle.unwrap_or(id));
    let first = if bundles[0].0 <= bundles[1].0 { bundles[0] } else { bundles[1] };
    let belongs = |object: &&Object| {
        [one, other].contains(&object.id) || object.bundle.is_some_and(|bundle| bundles.contains(&bundle))
    };
    let members: Vec<ObjectId> = state.memory.objects().filter(belongs).map(|object| object.id).collect();
    for id in members {
        state.memory.object_mut(id).bundle = Some(first);
    }
    Ok(Alive::Yes)
}

/// The object is seen in chunks at symbolic offsets; 0 undoes it.
fn split_object(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let chunk = decide(program, cx, state, args.values[1])?;
    if !chunk.is_multiple_of(8) {
        let message = format!("osier_split_object: {chunk} bytes are no multiple of 8");
        end_with_fault(program, cx, state, Kind::User, message);
        return Ok(Alive::No);
    }
    let Some(id) = object_at(program, cx, state, args.values[0])? else { return Ok(Alive::No) };
    state.memory.object_mut(id).chunk = (chunk > 0).then_some(chunk);
    Ok(Alive::Yes)
}
