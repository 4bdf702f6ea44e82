//! The kernel and the console that programs talk to. Nothing reaches the host: what a program writes is captured with
//! its path.
//!
//! For now it knows standard output and standard error, an empty standard input, and the end of the process; every
//! other system call returns ENOSYS and is said once. Start reading at [`TABLE`], then `syscalls.rs`.
#![forbid(unsafe_code)]

mod syscalls;

use osier_exec::builtins::{Arguments, Builtin};
use osier_exec::step::{read_bytes, read_c_string};
use osier_exec::{Alive, Context, EngineError, Environment, Program, State, decide};
use osier_memory::Value;
use std::rc::Rc;

/// What programs find around them.
pub struct Linux;

impl Environment for Linux {
    fn builtins(&self) -> &'static [Builtin] {
        TABLE
    }
}

pub const TABLE: &[Builtin] = &[
    Builtin { name: "__osier_syscall", least_args: 7, run: syscalls::system_call },
    Builtin { name: "write", least_args: 3, run: write },
    Builtin { name: "putchar", least_args: 1, run: putchar },
    Builtin { name: "puts", least_args: 1, run: puts },
];

type Outcome = Result<Alive, EngineError>;

fn emit(state: &mut State, bytes: impl IntoIterator<Item = Value>) {
    Rc::make_mut(&mut state.output).extend(bytes);
}

fn write(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let fd = decide(program, cx, state, args.values[0])?;
    let len = decide(program, cx, state, args.values[2])?;
    if fd != 1 && fd != 2 {
        args.returns(cx, state, Value::Int(u64::MAX));
        return Ok(Alive::Yes);
    }
    let Some(bytes) = read_bytes(program, cx, state, args.values[1], len)? else { return Ok(Alive::No) };
    emit(state, bytes);
    args.returns(cx, state, Value::Int(len));
    Ok(Alive::Yes)
}

fn putchar(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
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

fn puts(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let Some(bytes) = read_c_string(program, cx, state, args.values[0])? else { return Ok(Alive::No) };
    let count = bytes.len() as u64 + 1;
    emit(state, bytes.into_iter().chain([Value::Int(u64::from(b'\n'))]));
    args.returns(cx, state, Value::Int(count));
    Ok(Alive::Yes)
}
