//! System calls, as the libc makes them: a number and six words, and a word back that is an error if it is negative.

use crate::emit;
use osier_exec::builtins::Arguments;
use osier_exec::step::{end_process, read_bytes};
use osier_exec::{Alive, Context, EngineError, Program, State, decide};
use osier_memory::Value;

const EBADF: i64 = 9;
const ENOTTY: i64 = 25;
const ENOSYS: i64 = 38;

type Outcome = Result<Alive, EngineError>;

pub fn system_call(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let number = decide(program, cx, state, args.values[0])?;
    let words = &args.values[1..];
    let answer = match number {
        0 | 19 => end_of_input(program, cx, state, words)?,
        1 => {
            let len = decide(program, cx, state, words[2])?;
            match write(program, cx, state, words[0], words[1], len)? {
                Some(answer) => answer,
                None => return Ok(Alive::No),
            }
        }
        20 => match write_vector(program, cx, state, words)? {
            Some(answer) => answer,
            None => return Ok(Alive::No),
        },
        3 => 0,
        16 => -ENOTTY,
        60 | 231 => {
            end_process(program, cx, state, words[0]);
            return Ok(Alive::No);
        }
        _ => {
            cx.say_once(format!("system call {number} is not known: it returns ENOSYS"));
            -ENOSYS
        }
    };
    args.returns(cx, state, Value::Int(answer as u64));
    Ok(Alive::Yes)
}

/// read and readv: standard input is empty, and nothing else is open.
fn end_of_input(program: &Program, cx: &mut Context, state: &mut State, words: &[Value]) -> Result<i64, EngineError> {
    Ok(if decide(program, cx, state, words[0])? == 0 { 0 } else { -EBADF })
}

/// The bytes written, or nothing if the path ended on the way.
fn write(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    fd: Value,
    buffer: Value,
    len: u64,
) -> Result<Option<i64>, EngineError> {
    let fd = decide(program, cx, state, fd)?;
    if fd != 1 && fd != 2 {
        return Ok(Some(-EBADF));
    }
    let Some(bytes) = read_bytes(program, cx, state, buffer, len)? else { return Ok(None) };
    emit(state, bytes);
    Ok(Some(len as i64))
}

/// writev: an array of addresses and lengths.
fn write_vector(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    words: &[Value],
) -> Result<Option<i64>, EngineError> {
    let vector = decide(program, cx, state, words[1])?;
    let count = decide(program, cx, state, words[2])?;
    let mut total = 0;
    for i in 0..count {
        let word = |cx: &mut Context, state: &mut State, offset: u64| -> Result<Option<u64>, EngineError> {
            let at = Value::Int(vector.wrapping_add(16 * i + offset));
            let Some(bytes) = read_bytes(program, cx, state, at, 8)? else { return Ok(None) };
            let mut whole = bytes[7].term(&mut cx.pool, 8);
            for byte in bytes[..7].iter().rev() {
                let low = byte.term(&mut cx.pool, 8);
                whole = cx.pool.concat(whole, low);
            }
            let whole = Value::of(&cx.pool, whole);
            decide(program, cx, state, whole).map(Some)
        };
        let (Some(base), Some(len)) = (word(cx, state, 0)?, word(cx, state, 8)?) else { return Ok(None) };
        match write(program, cx, state, words[0], Value::Int(base), len)? {
            Some(written) if written >= 0 => total += written,
            other => return Ok(other),
        }
    }
    Ok(Some(total))
}
