//! Intrinsics that make values symbolic, constrain them, and ask about them.

use super::{Arguments, Builtin};
use crate::fault::end_with_fault;
use crate::fork::{Alive, assume, decide, may};
use crate::outcome::Kind;
use crate::step::{access_one, read_string};
use crate::{Context, EngineError, Program, State, seeds};
use osier_memory::{Contents, Value};
use osier_solver::May;
use osier_term::{Array, Term};

pub const TABLE: &[Builtin] = &[
    Builtin { name: "klee_make_symbolic", least_args: 3, run: make_symbolic },
    Builtin { name: "osier_make_symbolic", least_args: 3, run: make_symbolic },
    Builtin { name: "klee_range", least_args: 3, run: range },
    Builtin { name: "osier_range", least_args: 3, run: range },
    Builtin { name: "klee_int", least_args: 1, run: int },
    Builtin { name: "osier_int", least_args: 1, run: int },
    Builtin { name: "klee_choose", least_args: 1, run: choose },
    Builtin { name: "osier_choose", least_args: 1, run: choose },
    Builtin { name: "klee_assume", least_args: 1, run: assume_true },
    Builtin { name: "osier_assume", least_args: 1, run: assume_true },
    Builtin { name: "klee_prefer_cex", least_args: 2, run: prefer },
    Builtin { name: "klee_posix_prefer_cex", least_args: 2, run: prefer },
    Builtin { name: "osier_posix_prefer_cex", least_args: 2, run: prefer },
    Builtin { name: "osier_prefer_cex", least_args: 2, run: prefer },
    Builtin { name: "klee_is_symbolic", least_args: 1, run: is_symbolic },
    Builtin { name: "osier_is_symbolic", least_args: 1, run: is_symbolic },
    Builtin { name: "klee_is_replay", least_args: 0, run: is_replay },
    Builtin { name: "osier_is_replay", least_args: 0, run: is_replay },
    Builtin { name: "klee_get_valuef", least_args: 1, run: get_value },
    Builtin { name: "klee_get_valued", least_args: 1, run: get_value },
    Builtin { name: "klee_get_valuel", least_args: 1, run: get_value },
    Builtin { name: "klee_get_valuell", least_args: 1, run: get_value },
    Builtin { name: "klee_get_value_i32", least_args: 1, run: get_value },
    Builtin { name: "klee_get_value_i64", least_args: 1, run: get_value },
    Builtin { name: "osier_get_valuef", least_args: 1, run: get_value },
    Builtin { name: "osier_get_valued", least_args: 1, run: get_value },
    Builtin { name: "osier_get_valuel", least_args: 1, run: get_value },
    Builtin { name: "osier_get_valuell", least_args: 1, run: get_value },
    Builtin { name: "osier_get_value_i32", least_args: 1, run: get_value },
    Builtin { name: "osier_get_value_i64", least_args: 1, run: get_value },
];

type Outcome = Result<Alive, EngineError>;

fn new_input(cx: &mut Context, state: &mut State, name: &str, size: u32) -> Array {
    state.new_input(cx, name, size, None)
}

fn make_symbolic(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let size = decide(program, cx, state, args.values[1])?;
    let name = read_string(cx, state, args.values[2]);
    let name = if name.is_empty() { "unnamed".to_string() } else { name };
    if size == 0 {
        return Ok(Alive::Yes);
    }
    let Some((id, offset)) = access_one(program, cx, state, args.values[0], size, true)? else {
        return Ok(Alive::No);
    };
    let array = new_input(cx, state, &name, size as u32);
    let object = state.memory.object_mut(id);
    match offset {
        Value::Int(0) if object.size == size => object.contents = Contents::of_array(size as usize, array),
        Value::Int(offset) => {
            for i in 0..size {
                let byte = cx.pool.select_at(array, i);
                object.contents.write_byte(&cx.pool, (offset + i) as usize, byte);
            }
        }
        Value::Term(offset) => {
            for i in 0..size {
                let byte = cx.pool.select_at(array, i);
                let step = cx.pool.constant(64, u128::from(i));
                let at = cx.pool.add(offset, step);
                object.contents.write_at(&mut cx.pool, at, 8, Value::Term(byte));
            }
        }
    }
    Ok(Alive::Yes)
}

/// A fresh symbolic integer of so many bytes.
fn fresh_integer(cx: &mut Context, state: &mut State, name: &str, bytes: u32) -> Term {
    let array = new_input(cx, state, name, bytes);
    let mut whole = cx.pool.select_at(array, u64::from(bytes) - 1);
    for i in (0..bytes - 1).rev() {
        let low = cx.pool.select_at(array, u64::from(i));
        whole = cx.pool.concat(whole, low);
    }
    whole
}

fn int(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let name = read_string(cx, state, args.values[0]);
    let value = fresh_integer(cx, state, &name, 4);
    args.returns(cx, state, Value::Term(value));
    Ok(Alive::Yes)
}

fn range(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let (low, high) = (args.values[0].term(&mut cx.pool, 32), args.values[1].term(&mut cx.pool, 32));
    let one = cx.pool.constant(32, 1);
    let next = cx.pool.add(low, one);
    if next == high {
        args.returns(cx, state, args.values[0]);
        return Ok(Alive::Yes);
    }
    let name = read_string(cx, state, args.values[2]);
    let value = fresh_integer(cx, state, &name, 4);
    let above = cx.pool.sle(low, value);
    let below = cx.pool.slt(value, high);
    let within = cx.pool.and(above, below);
    if !narrow(program, cx, state, within, "the range is empty")? {
        return Ok(Alive::No);
    }
    args.returns(cx, state, Value::Term(value));
    Ok(Alive::Yes)
}

fn choose(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let count = args.values[0].term(&mut cx.pool, 64);
    let value = fresh_integer(cx, state, "klee_choose", 8);
    let below = cx.pool.ult(value, count);
    if !narrow(program, cx, state, below, "a choice among nothing")? {
        return Ok(Alive::No);
    }
    args.returns(cx, state, Value::Term(value));
    Ok(Alive::Yes)
}

/// Keeps the values for which a condition holds; ends the path with an error of the test's author if there is none.
fn narrow(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    condition: Term,
    otherwise: &str,
) -> Result<bool, EngineError> {
    if cx.pool.is_true(condition) {
        return Ok(true);
    }
    seeds::name_misfits(cx, state, condition, "an assumption excludes it");
    match may(cx, state, condition)? {
        May::Yes(witness) => {
            assume(cx, state, condition, witness);
            Ok(true)
        }
        May::No => {
            end_with_fault(program, cx, state, Kind::User, otherwise);
            Ok(false)
        }
        May::Unknown(_) => {
            crate::fault::end_with_cut(program, cx, state, crate::outcome::Cut::SolverUnknown);
            state.trail.lose();
            Ok(false)
        }
    }
}

/// An argument as a condition: whether it is not zero.
fn condition(cx: &mut Context, args: &Arguments<'_>, index: usize) -> Term {
    let width = args.width(index);
    let value = args.values[index].term(&mut cx.pool, width);
    let zero = cx.pool.constant(width, 0);
    cx.pool.ne(value, zero)
}

fn assume_true(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let condition = condition(cx, args, 0);
    let holds = narrow(program, cx, state, condition, "the assumption is always false")?;
    Ok(if holds { Alive::Yes } else { Alive::No })
}

/// Moves the witness to where the preference holds, if that is possible, and constrains nothing. A seed stays as it is.
fn prefer(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let condition = condition(cx, args, 1);
    if !state.seeds.is_empty() {
        return Ok(Alive::Yes);
    }
    if let May::Yes(witness) = may(cx, state, condition)? {
        state.witness = witness;
    }
    Ok(Alive::Yes)
}

fn is_symbolic(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let symbolic = args.values[0].known(&cx.pool).is_none();
    args.returns(cx, state, Value::Int(u64::from(symbolic)));
    Ok(Alive::Yes)
}

fn is_replay(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    args.returns(cx, state, Value::Int(0));
    Ok(Alive::Yes)
}

/// An example of a value; the path is not constrained to it.
fn get_value(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let width = args.width(0);
    let value = match args.values[0] {
        Value::Int(bits) => Value::Int(bits),
        Value::Term(term) => {
            let bits = osier_term::eval(&cx.pool, term, &state.witness);
            Value::from_bits(&mut cx.pool, width, bits)
        }
    };
    args.returns(cx, state, value);
    Ok(Alive::Yes)
}
