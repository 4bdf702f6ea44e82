//! The end of the program: exit, abort, assertions.

use super::{Arguments, Builtin};
use crate::fault::{end_with_fault, unexecuted};
use crate::fork::{Alive, decide};
use crate::outcome::Kind;
use crate::step::read_string;
use crate::{Context, EngineError, Program, State};
use osier_memory::Value;
use std::rc::Rc;

pub const TABLE: &[Builtin] = &[
    Builtin { name: "abort", least_args: 0, run: abort },
    Builtin { name: "klee_abort", least_args: 0, run: abort },
    Builtin { name: "osier_abort", least_args: 0, run: abort },
    Builtin { name: "exit", least_args: 1, run: exit },
    Builtin { name: "_exit", least_args: 1, run: exit_now },
    Builtin { name: "_Exit", least_args: 1, run: exit_now },
    Builtin { name: "quick_exit", least_args: 1, run: exit_now },
    Builtin { name: "atexit", least_args: 1, run: at_exit },
    Builtin { name: "__cxa_atexit", least_args: 2, run: at_exit_with_argument },
    Builtin { name: "__osier_run_destructors", least_args: 0, run: run_destructors },
    Builtin { name: "__assert_fail", least_args: 4, run: assert_fail },
];

fn abort(program: &Program, cx: &mut Context, state: &mut State, _args: &Arguments<'_>) -> Result<Alive, EngineError> {
    end_with_fault(program, cx, state, Kind::Abort, "abort called");
    Ok(Alive::No)
}

fn exit(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Result<Alive, EngineError> {
    let unexecuted = unexecuted(program, state);
    state.instructions -= unexecuted;
    cx.counters.instructions -= unexecuted;
    state.frames.clear();
    state.stack_bytes = 0;
    crate::step::begin_exit(program, state, args.values[0]);
    Ok(Alive::Yes)
}

fn exit_now(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    crate::step::end_process(program, cx, state, args.values[0]);
    Ok(Alive::No)
}

fn at_exit(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Result<Alive, EngineError> {
    let handler = decide(program, cx, state, args.values[0])?;
    Rc::make_mut(&mut state.at_exit).push((handler, None));
    args.returns(cx, state, Value::Int(0));
    Ok(Alive::Yes)
}

fn at_exit_with_argument(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let handler = decide(program, cx, state, args.values[0])?;
    let argument = decide(program, cx, state, args.values[1])?;
    Rc::make_mut(&mut state.at_exit).push((handler, Some(argument)));
    args.returns(cx, state, Value::Int(0));
    Ok(Alive::Yes)
}

/// Enters one destructor after another: each time one returns, the call is executed again.
fn run_destructors(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    _args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let Some(next) = program.module.destructors.get(state.destructors_run as usize) else { return Ok(Alive::Yes) };
    state.destructors_run += 1;
    crate::step::call_function(program, cx, state, *next, Vec::new())
}

fn assert_fail(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let expression = read_string(cx, state, args.values[0]);
    end_with_fault(program, cx, state, Kind::Assertion, format!("assertion failed: {expression}"));
    Ok(Alive::No)
}
