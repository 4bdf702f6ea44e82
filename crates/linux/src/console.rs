//! The console for programs without a libc: three functions of it, without buffers.

use osier_exec::builtins::Arguments;
use osier_exec::step::{read_bytes, read_c_string};
use osier_exec::{Alive, Context, EngineError, Program, State, decide};
use osier_memory::Value;
use std::rc::Rc;

type Outcome = Result<Alive, EngineError>;

fn emit(state: &mut State, bytes: impl IntoIterator<Item = Value>) {
    Rc::make_mut(&mut state.stdout).extend(bytes);
}

pub fn write(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let fd = decide(program, cx, state, args.values[0])?;
    let len = decide(program, cx, state, args.values[2])?;
    if fd != 1 && fd != 2 {
        args.returns(cx, state, Value::Int(u64::MAX));
        return Ok(Alive::Yes);
    }
    let Some(bytes) = read_bytes(program, cx, state, args.values[1], len)? else { return Ok(Alive::No) };
    match fd {
        1 => emit(state, bytes),
        _ => Rc::make_mut(&mut state.stderr).extend(bytes),
    }
    args.returns(cx, state, Value::Int(len));
    Ok(Alive::Yes)
}

pub fn putchar(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let byte = match args.values[0] {
        Value::Int(bits) => Value::Int(bits & 0xff),
        Value::Term(term) => {
            let byte = cx.pool.extract(term, 0, 8);
            Value::of(&cx.pool, byte)
        }
    };
    emit(state, [byte]);
    let whole = byte.term(&mut cx.pool, 8);
    let whole = cx.pool.zext(whole, 32);
    let whole = Value::of(&cx.pool, whole);
    args.returns(cx, state, whole);
    Ok(Alive::Yes)
}

pub fn puts(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let Some(bytes) = read_c_string(program, cx, state, args.values[0])? else { return Ok(Alive::No) };
    let count = bytes.len() as u64 + 1;
    emit(state, bytes.into_iter().chain([Value::Int(u64::from(b'\n'))]));
    args.returns(cx, state, Value::Int(count));
    Ok(Alive::Yes)
}
