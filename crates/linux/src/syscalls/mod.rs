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
use osier_exec::builtins::{Arguments, set_errno};
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

/// As the libc makes it: an error is a negative word.
pub fn system_call(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let reply = perform(program, cx, state, &args.values)?;
    finish(program, cx, state, args, reply, |_, number| -i64::from(number) as u64)
}

/// As programs make it: words that are not given are zero, an error is -1 and errno.
pub fn variadic_call(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let mut words = args.values.clone();
    words.resize(WORDS, Value::Int(0));
    let reply = perform(program, cx, state, &words)?;
    finish(program, cx, state, args, reply, |state, number| {
        set_errno(program, state, number);
        u64::MAX
    })
}

/// The number and six words.
const WORDS: usize = 7;

fn perform(program: &Program, cx: &mut Context, state: &mut State, words: &[Value]) -> Result<Reply, EngineError> {
    let number = decide(program, cx, state, words[0])? as i64;
    let Some(row) = FAMILIES.iter().flat_map(|rows| rows.iter()).find(|row| row.number == number) else {
        cx.say_once(format!("system call {number} is not known: it returns ENOSYS"));
        return Ok(error(libc::ENOSYS));
    };
    let before = Rc::clone(&state.surroundings);
    let first = cx.forked.len();
    let reply = (row.run)(&mut Sys { program, cx, state, words: &words[1..] });
    for child in &mut cx.forked[first..] {
        child.surroundings = Rc::clone(&before);
    }
    Ok(reply)
}

fn finish(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
    reply: Reply,
    failed: impl Fn(&mut State, i32) -> u64,
) -> Result<Alive, EngineError> {
    let word = match reply {
        Ok(word) => Value::Int(word),
        Err(Leave::Error(number)) => Value::Int(failed(state, number)),
        Err(Leave::Symbolic(word)) => Value::Term(word),
        Err(Leave::Gone) => return Ok(Alive::No),
        Err(Leave::Signal(handler, number)) => {
            return args.returns_through(program, cx, state, Value::Int(0), (handler, vec![Value::Int(number)]));
        }
        Err(Leave::Engine(error)) => return Err(error),
    };
    args.returns(cx, state, word);
    Ok(Alive::Yes)
}

/// An error of the kernel's.
fn error<T>(number: i32) -> Result<T, Leave> {
    Err(Leave::Error(number))
}
