//! Byte and string functions. They look at one byte after another and fork where a symbolic byte decides, as a loop in
//! C would; a libc in bitcode replaces them.

use super::{Arguments, Builtin};
use crate::fork::{Alive, Branch, branch};
use crate::step::{access_one, copy_bytes, fill_bytes};
use crate::{Context, EngineError, Program, State};
use osier_memory::Value;
use osier_term::Term;

pub const TABLE: &[Builtin] = &[
    Builtin { name: "memcpy", least_args: 3, run: memmove },
    Builtin { name: "memmove", least_args: 3, run: memmove },
    Builtin { name: "memset", least_args: 3, run: memset },
    Builtin { name: "memcmp", least_args: 3, run: memcmp },
    Builtin { name: "bcmp", least_args: 3, run: memcmp },
    Builtin { name: "memchr", least_args: 3, run: memchr },
    Builtin { name: "strlen", least_args: 1, run: strlen },
    Builtin { name: "strnlen", least_args: 2, run: strnlen },
    Builtin { name: "strcmp", least_args: 2, run: strcmp },
    Builtin { name: "strncmp", least_args: 3, run: strncmp },
    Builtin { name: "strchr", least_args: 2, run: strchr },
    Builtin { name: "strrchr", least_args: 2, run: strrchr },
    Builtin { name: "strcpy", least_args: 2, run: strcpy },
    Builtin { name: "strncpy", least_args: 3, run: strncpy },
    Builtin { name: "strcat", least_args: 2, run: strcat },
];

type Outcome = Result<Alive, EngineError>;

fn memmove(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let alive = copy_bytes(program, cx, state, args.values[0], args.values[1], args.values[2])?;
    if alive == Alive::Yes {
        args.returns(cx, state, args.values[0]);
    }
    Ok(alive)
}

fn memset(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let byte = low_byte(cx, args, 1);
    let alive = fill_bytes(program, cx, state, args.values[0], byte, args.values[2])?;
    if alive == Alive::Yes {
        args.returns(cx, state, args.values[0]);
    }
    Ok(alive)
}

fn low_byte(cx: &mut Context, args: &Arguments<'_>, index: usize) -> Value {
    match args.values[index] {
        Value::Int(bits) => Value::Int(bits & 0xff),
        Value::Term(term) => {
            let byte = cx.pool.extract(term, 0, 8);
            Value::of(&cx.pool, byte)
        }
    }
}

/// pointer + distance.
fn plus(cx: &mut Context, pointer: Value, distance: u64) -> Value {
    match pointer {
        Value::Int(address) => Value::Int(address.wrapping_add(distance)),
        Value::Term(term) => {
            let distance = cx.pool.constant(64, u128::from(distance));
            let sum = cx.pool.add(term, distance);
            Value::of(&cx.pool, sum)
        }
    }
}

/// The byte at pointer + i as a term; nothing if the state ended there.
fn byte_at(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    i: u64,
) -> Result<Option<Term>, EngineError> {
    let at = plus(cx, pointer, i);
    let Some((id, offset)) = access_one(program, cx, state, at, 1, false)? else { return Ok(None) };
    let contents = &state.memory.object(id).contents;
    Ok(Some(match offset {
        Value::Int(offset) => contents.byte(&mut cx.pool, offset as usize),
        Value::Term(offset) => contents.read_at(&mut cx.pool, offset, 8),
    }))
}

/// What a scan does where a condition holds.
enum Scan {
    /// It holds in the state, which is done.
    Stop,
    /// It does not hold in the state; where both were possible, a state in which it holds has returned.
    GoOn,
}

/// Forks on a condition that ends the call with `result`. On [`Scan::Stop`] the result is set in the state itself.
fn stop_if(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
    condition: Term,
    result: Value,
) -> Result<Scan, EngineError> {
    match branch(program, cx, state, condition)? {
        Branch::Then => {
            args.returns(cx, state, result);
            Ok(Scan::Stop)
        }
        Branch::Else => Ok(Scan::GoOn),
        Branch::Both { then_here, mut other } => {
            if then_here {
                std::mem::swap(state, &mut other);
            }
            args.returns_in(program, cx, other, result);
            Ok(Scan::GoOn)
        }
    }
}

/// Forks on `i` having reached a length, which may be symbolic.
fn stop_at_len(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
    (i, len): (u64, Value),
    result: Value,
) -> Result<Scan, EngineError> {
    let len = len.term(&mut cx.pool, 64);
    let reached = cx.pool.constant(64, u128::from(i));
    let at_end = cx.pool.eq(len, reached);
    stop_if(program, cx, state, args, at_end, result)
}

fn is_zero(cx: &mut Context, byte: Term) -> Term {
    let zero = cx.pool.constant(8, 0);
    cx.pool.eq(byte, zero)
}

/// a - b as an int, which is what these functions return when bytes differ.
fn difference(cx: &mut Context, a: Term, b: Term) -> Value {
    let (a, b) = (cx.pool.zext(a, 32), cx.pool.zext(b, 32));
    let difference = cx.pool.sub(a, b);
    Value::of(&cx.pool, difference)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EndsAt {
    Zero,
    Length,
    Either,
}

fn compare(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>, ends: EndsAt) -> Outcome {
    for i in 0.. {
        if ends != EndsAt::Zero {
            let end = (i, args.values[2]);
            if let Scan::Stop = stop_at_len(program, cx, state, args, end, Value::Int(0))? {
                return Ok(Alive::Yes);
            }
        }
        let Some(a) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let Some(b) = byte_at(program, cx, state, args.values[1], i)? else { return Ok(Alive::No) };
        let differ = cx.pool.ne(a, b);
        let result = difference(cx, a, b);
        if let Scan::Stop = stop_if(program, cx, state, args, differ, result)? {
            return Ok(Alive::Yes);
        }
        if ends != EndsAt::Length {
            let end = is_zero(cx, a);
            if let Scan::Stop = stop_if(program, cx, state, args, end, Value::Int(0))? {
                return Ok(Alive::Yes);
            }
        }
    }
    unreachable!("every object has an end")
}

fn memcmp(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    compare(program, cx, state, args, EndsAt::Length)
}

fn strcmp(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    compare(program, cx, state, args, EndsAt::Zero)
}

fn strncmp(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    compare(program, cx, state, args, EndsAt::Either)
}

fn strlen(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    for i in 0.. {
        let Some(byte) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let end = is_zero(cx, byte);
        if let Scan::Stop = stop_if(program, cx, state, args, end, Value::Int(i))? {
            return Ok(Alive::Yes);
        }
    }
    unreachable!("every object has an end")
}

fn strnlen(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    for i in 0.. {
        let end = (i, args.values[1]);
        if let Scan::Stop = stop_at_len(program, cx, state, args, end, Value::Int(i))? {
            return Ok(Alive::Yes);
        }
        let Some(byte) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let end = is_zero(cx, byte);
        if let Scan::Stop = stop_if(program, cx, state, args, end, Value::Int(i))? {
            return Ok(Alive::Yes);
        }
    }
    unreachable!("every object has an end")
}

fn memchr(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let wanted = low_byte(cx, args, 1).term(&mut cx.pool, 8);
    for i in 0.. {
        let end = (i, args.values[2]);
        if let Scan::Stop = stop_at_len(program, cx, state, args, end, Value::Int(0))? {
            return Ok(Alive::Yes);
        }
        let Some(byte) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let here = cx.pool.eq(byte, wanted);
        let place = plus(cx, args.values[0], i);
        if let Scan::Stop = stop_if(program, cx, state, args, here, place)? {
            return Ok(Alive::Yes);
        }
    }
    unreachable!("every object has an end")
}

fn strchr(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let wanted = low_byte(cx, args, 1).term(&mut cx.pool, 8);
    for i in 0.. {
        let Some(byte) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let here = cx.pool.eq(byte, wanted);
        let place = plus(cx, args.values[0], i);
        if let Scan::Stop = stop_if(program, cx, state, args, here, place)? {
            return Ok(Alive::Yes);
        }
        let end = is_zero(cx, byte);
        if let Scan::Stop = stop_if(program, cx, state, args, end, Value::Int(0))? {
            return Ok(Alive::Yes);
        }
    }
    unreachable!("every object has an end")
}

/// The last place so far is a choice over the places, so that only the string's end forks.
fn strrchr(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let wanted = low_byte(cx, args, 1).term(&mut cx.pool, 8);
    let mut last = cx.pool.constant(64, 0);
    for i in 0.. {
        let Some(byte) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let here = cx.pool.eq(byte, wanted);
        let place = plus(cx, args.values[0], i).term(&mut cx.pool, 64);
        last = cx.pool.ite(here, place, last);
        let end = is_zero(cx, byte);
        let result = Value::of(&cx.pool, last);
        if let Scan::Stop = stop_if(program, cx, state, args, end, result)? {
            return Ok(Alive::Yes);
        }
    }
    unreachable!("every object has an end")
}

/// Writes one byte; false if the state ended there.
fn put(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    i: u64,
    byte: Term,
) -> Result<bool, EngineError> {
    let at = plus(cx, pointer, i);
    let Some((id, offset)) = access_one(program, cx, state, at, 1, true)? else { return Ok(false) };
    let contents = &mut state.memory.object_mut(id).contents;
    match offset {
        Value::Int(offset) => contents.write_byte(&cx.pool, offset as usize, byte),
        Value::Term(offset) => {
            let value = Value::of(&cx.pool, byte);
            contents.write_at(&mut cx.pool, offset, 8, value);
        }
    }
    Ok(true)
}

/// Copies up to and including the zero byte, to `to` bytes after the target's start.
fn copy_string(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>, to: u64) -> Outcome {
    for i in 0.. {
        let Some(byte) = byte_at(program, cx, state, args.values[1], i)? else { return Ok(Alive::No) };
        if !put(program, cx, state, args.values[0], to + i, byte)? {
            return Ok(Alive::No);
        }
        let end = is_zero(cx, byte);
        if let Scan::Stop = stop_if(program, cx, state, args, end, args.values[0])? {
            return Ok(Alive::Yes);
        }
    }
    unreachable!("every object has an end")
}

fn strcpy(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    copy_string(program, cx, state, args, 0)
}

fn strncpy(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let mut ended = cx.pool.truth(false);
    let zero = cx.pool.constant(8, 0);
    for i in 0.. {
        let end = (i, args.values[2]);
        if let Scan::Stop = stop_at_len(program, cx, state, args, end, args.values[0])? {
            return Ok(Alive::Yes);
        }
        // Behind the end of the source nothing may be read, so its end has to be known.
        if let Branch::Both { then_here, mut other } = branch(program, cx, state, ended)? {
            if then_here {
                std::mem::swap(state, &mut other);
            }
            cx.forked.push(other);
        }
        let past_end = cx.oracle.holds_in(&cx.pool, &state.witness, ended);
        let byte = if past_end {
            zero
        } else {
            let Some(byte) = byte_at(program, cx, state, args.values[1], i)? else { return Ok(Alive::No) };
            ended = is_zero(cx, byte);
            byte
        };
        if !put(program, cx, state, args.values[0], i, byte)? {
            return Ok(Alive::No);
        }
    }
    unreachable!("every object has an end")
}

fn strcat(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    for i in 0.. {
        let Some(byte) = byte_at(program, cx, state, args.values[0], i)? else { return Ok(Alive::No) };
        let end = is_zero(cx, byte);
        match branch(program, cx, state, end)? {
            Branch::Then => return copy_string(program, cx, state, args, i),
            Branch::Else => {}
            Branch::Both { then_here, mut other } => {
                if then_here {
                    std::mem::swap(state, &mut other);
                }
                // It knows its end now, so it starts over without forking here.
                cx.forked.push(other);
            }
        }
    }
    unreachable!("every object has an end")
}
