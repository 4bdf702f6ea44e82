//! Intrinsics that steer the exploration and look at memory.

use super::{Arguments, Builtin};
use crate::fault::{end_with_cut, end_with_fault};
use crate::fork::{Alive, decide};
use crate::names::here;
use crate::outcome::{Cut, Kind};
use crate::state::MergeScope;
use crate::step::access_one;
use crate::{Context, EngineError, Program, State};
use osier_memory::{Allocation, Contents, ObjectId, Origin, Value};
use std::rc::Rc;

pub const TABLE: &[Builtin] = &[
    Builtin { name: "klee_silent_exit", least_args: 0, run: silent_exit },
    Builtin { name: "osier_silent_exit", least_args: 0, run: silent_exit },
    Builtin { name: "klee_set_forking", least_args: 1, run: set_forking },
    Builtin { name: "osier_set_forking", least_args: 1, run: set_forking },
    Builtin { name: "osier_kill_all_other", least_args: 0, run: kill_all_other },
    Builtin { name: "klee_kill_all_other", least_args: 0, run: kill_all_other },
    Builtin { name: "klee_mark_global", least_args: 1, run: mark_global },
    Builtin { name: "osier_mark_global", least_args: 1, run: mark_global },
    Builtin { name: "klee_define_fixed_object", least_args: 2, run: define_fixed_object },
    Builtin { name: "osier_define_fixed_object", least_args: 2, run: define_fixed_object },
    Builtin { name: "klee_get_obj_size", least_args: 1, run: object_size },
    Builtin { name: "osier_get_obj_size", least_args: 1, run: object_size },
    Builtin { name: "klee_check_memory_access", least_args: 2, run: check_memory_access },
    Builtin { name: "osier_check_memory_access", least_args: 2, run: check_memory_access },
    Builtin { name: "klee_get_errno", least_args: 0, run: get_errno },
    Builtin { name: "osier_get_errno", least_args: 0, run: get_errno },
    Builtin { name: "__errno_location", least_args: 0, run: errno_location },
    Builtin { name: "klee_open_merge", least_args: 0, run: open_merge },
    Builtin { name: "osier_open_merge", least_args: 0, run: open_merge },
    Builtin { name: "klee_close_merge", least_args: 0, run: close_merge },
    Builtin { name: "osier_close_merge", least_args: 0, run: close_merge },
];

type Outcome = Result<Alive, EngineError>;

/// Without `--use-merge` the regions mean nothing.
fn open_merge(_program: &Program, cx: &mut Context, state: &mut State, _args: &Arguments<'_>) -> Outcome {
    if cx.config.merge {
        let scope = MergeScope(cx.next_scope);
        cx.next_scope += 1;
        Rc::make_mut(&mut state.merging).push(scope);
    }
    Ok(Alive::Yes)
}

fn close_merge(_program: &Program, cx: &mut Context, state: &mut State, _args: &Arguments<'_>) -> Outcome {
    if cx.config.merge {
        match Rc::make_mut(&mut state.merging).pop() {
            Some(scope) => cx.park = Some(scope),
            None => cx.say_once("klee_close_merge without klee_open_merge".into()),
        }
    }
    Ok(Alive::Yes)
}

fn silent_exit(program: &Program, cx: &mut Context, state: &mut State, _args: &Arguments<'_>) -> Outcome {
    end_with_cut(program, cx, state, Cut::Silent);
    Ok(Alive::No)
}

fn set_forking(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    state.forking = decide(program, cx, state, args.values[0])? != 0;
    Ok(Alive::Yes)
}

fn kill_all_other(_program: &Program, cx: &mut Context, state: &mut State, _args: &Arguments<'_>) -> Outcome {
    cx.keep_only = Some(state.id);
    Ok(Alive::Yes)
}

/// The object that a pointer leads to; ends the path with an error if there is none.
pub(super) fn object_at(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
) -> Result<Option<ObjectId>, EngineError> {
    let address = decide(program, cx, state, pointer)?;
    let found = state.memory.find(address).filter(|o| o.is_live() && o.holds(address.wrapping_sub(o.base), 0));
    let found = found.map(|object| object.id);
    if found.is_none() {
        end_with_fault(program, cx, state, Kind::User, format!("there is no object at {address:#x}"));
    }
    Ok(found)
}

fn mark_global(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let Some(id) = object_at(program, cx, state, args.values[0])? else { return Ok(Alive::No) };
    state.memory.object_mut(id).pinned = true;
    Ok(Alive::Yes)
}

fn object_size(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let Some(id) = object_at(program, cx, state, args.values[0])? else { return Ok(Alive::No) };
    let object = state.memory.object(id);
    let size = object.limit.map_or(Value::Int(object.size), Value::Term);
    args.returns(cx, state, size);
    Ok(Alive::Yes)
}

fn define_fixed_object(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let address = decide(program, cx, state, args.values[0])?;
    let size = decide(program, cx, state, args.values[1])?;
    if state.memory.allocate_fixed(address, size, here(program, state)).is_none() {
        let message = format!("a fixed object of {size} bytes at {address:#x} overlaps other objects");
        end_with_fault(program, cx, state, Kind::User, message);
        return Ok(Alive::No);
    }
    Ok(Alive::Yes)
}

fn check_memory_access(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let size = decide(program, cx, state, args.values[1])?;
    if size > 0 && access_one(program, cx, state, args.values[0], size, false)?.is_none() {
        return Ok(Alive::No);
    }
    Ok(Alive::Yes)
}

/// errno's object, made at its first use.
fn errno_object(program: &Program, state: &mut State) -> Option<(ObjectId, u64)> {
    if let Some(id) = state.errno {
        return Some((id, state.memory.object(id).base));
    }
    let made = state.memory.allocate(Allocation {
        size: 4,
        align: 4,
        origin: Origin::Environment { name: "errno" },
        read_only: false,
        allocated_at: here(program, state),
        contents: Contents::zeroed(4),
        limit: None,
    })?;
    state.errno = Some(made.0);
    Some(made)
}

fn errno_location(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let address = errno_object(program, state).map_or(0, |(_, base)| base);
    args.returns(cx, state, Value::Int(address));
    Ok(Alive::Yes)
}

/// Sets errno, as functions of the environment do that fail.
pub fn set_errno(program: &Program, state: &mut State, number: i32) {
    if let Some((id, _)) = errno_object(program, state) {
        state.memory.object_mut(id).contents.write_concrete(0, 4, number as u32 as u64);
    }
}

fn get_errno(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let value = match state.errno {
        Some(id) => state.memory.object(id).contents.read(&mut cx.pool, 0, 32),
        None => Value::Int(0),
    };
    args.returns(cx, state, value);
    Ok(Alive::Yes)
}
