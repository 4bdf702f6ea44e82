//! System calls, as the libc makes them: a number and six words, and a word back that is an error if it is negative.
//!
//! To add one: write it in the file of its family and give it a row there.

mod data;
mod descriptors;
mod folders;
mod memory;
mod names;
mod process;
mod signals;
mod time;

use crate::sys::{Leave, Reply, Sys};
use osier_exec::builtins::Arguments;
use osier_exec::{Alive, Context, EngineError, Program, State, decide};
use osier_memory::Value;
use std::rc::Rc;

/// A system call by its number on x86-64.
pub struct Row {
    pub number: i64,
    pub run: fn(&mut Sys<'_>) -> Reply,
}

const FAMILIES: &[&[Row]] = &[
    data::ROWS,
    descriptors::ROWS,
    folders::ROWS,
    memory::ROWS,
    names::ROWS,
    process::ROWS,
    signals::ROWS,
    time::ROWS,
];

pub fn system_call(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let number = decide(program, cx, state, args.values[0])? as i64;
    let Some(row) = FAMILIES.iter().flat_map(|rows| rows.iter()).find(|row| row.number == number) else {
        cx.say_once(format!("system call {number} is not known: it returns ENOSYS"));
        args.returns(cx, state, Value::Int(-i64::from(libc::ENOSYS) as u64));
        return Ok(Alive::Yes);
    };
    let before = Rc::clone(&state.surroundings);
    let first = cx.forked.len();
    let reply = (row.run)(&mut Sys { program, cx, state, words: &args.values[1..] });
    for child in &mut cx.forked[first..] {
        child.surroundings = Rc::clone(&before);
    }
    let word = match reply {
        Ok(word) => word,
        Err(Leave::Error(number)) => -i64::from(number) as u64,
        Err(Leave::Gone) => return Ok(Alive::No),
        Err(Leave::Arranged) => return Ok(Alive::Yes),
        Err(Leave::Engine(error)) => return Err(error),
    };
    args.returns(cx, state, Value::Int(word));
    Ok(Alive::Yes)
}

/// An error of the kernel's.
fn error<T>(number: i32) -> Result<T, Leave> {
    Err(Leave::Error(number))
}
