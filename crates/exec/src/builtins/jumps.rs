//! setjmp and longjmp. The buffer holds where to go in plain words, so that a copy of it works as well.

use super::{Arguments, Builtin};
use crate::fault::end_with_fault;
use crate::fork::{Alive, decide};
use crate::outcome::Kind;
use crate::step::{access_one, read_bytes, release_owned};
use crate::{Context, EngineError, Program, State};
use osier_ir::{FuncId, Op};
use osier_memory::Value;

pub const TABLE: &[Builtin] = &[
    Builtin { name: "setjmp", least_args: 1, run: set_jump },
    Builtin { name: "_setjmp", least_args: 1, run: set_jump },
    Builtin { name: "sigsetjmp", least_args: 2, run: set_jump_and_mask },
    Builtin { name: "__sigsetjmp", least_args: 2, run: set_jump_and_mask },
    Builtin { name: "longjmp", least_args: 2, run: long_jump },
    Builtin { name: "_longjmp", least_args: 2, run: long_jump },
    Builtin { name: "siglongjmp", least_args: 2, run: long_jump },
    Builtin { name: "__longjmp_chk", least_args: 2, run: long_jump },
];

/// Tells a buffer that was filled from one that was not.
const MARK: u64 = 0x6f73_6965_7220_6a62;
/// The mark, the number of frames, the function and the call of setjmp in it.
const WORDS: usize = 4;
/// Where libcs keep whether the buffer holds a signal mask too.
const HAS_MASK: usize = 8;
/// The libc's part of `sigsetjmp`.
const SAVE_MASK: &str = "__osier_save_mask";

type Outcome = Result<Alive, EngineError>;

fn set_jump(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let bytes = (HAS_MASK as u64 + 1) * 8;
    let Some((id, offset)) = access_one(program, cx, state, args.values[0], bytes, true)? else {
        return Ok(Alive::No);
    };
    let frame = state.top();
    let words = [MARK, state.frames.len() as u64, u64::from(frame.function.0), u64::from(frame.pc)];
    let contents = &mut state.memory.object_mut(id).contents;
    for (i, word) in words.into_iter().enumerate().chain([(HAS_MASK, 0)]) {
        match offset {
            Value::Int(offset) => contents.write_concrete(offset as usize + 8 * i, 8, word),
            Value::Term(offset) => {
                let step = cx.pool.constant(64, 8 * i as u128);
                let at = cx.pool.add(offset, step);
                contents.write_at(&mut cx.pool, at, 64, Value::Int(word));
            }
        }
    }
    args.returns(cx, state, Value::Int(0));
    Ok(Alive::Yes)
}

/// The libc saves the mask, as a call of its own after which the program goes on.
fn set_jump_and_mask(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let alive = set_jump(program, cx, state, args)?;
    let save = program.module.function_named(SAVE_MASK).filter(|id| program.module.functions[*id].body.is_some());
    let (Alive::Yes, Some(save)) = (alive, save) else { return Ok(alive) };
    args.returns_through(program, cx, state, Value::Int(0), (save, args.values.clone()))
}

fn long_jump(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let buffer = decide(program, cx, state, args.values[0])?;
    let value = decide(program, cx, state, args.values[1])? as u32;
    let mut words = [0; WORDS];
    for (i, word) in words.iter_mut().enumerate() {
        let at = Value::Int(buffer.wrapping_add(8 * i as u64));
        let Some(bytes) = read_bytes(program, cx, state, at, 8)? else { return Ok(Alive::No) };
        for (k, byte) in bytes.into_iter().enumerate() {
            *word |= decide(program, cx, state, byte)? << (8 * k);
        }
    }
    let [mark, depth, function, pc] = words;
    let target = state.frames.get((depth as usize).wrapping_sub(1));
    let alive = target.is_some_and(|frame| u64::from(frame.function.0) == function);
    let site = alive.then(|| setjmp_call(program, FuncId(function as u32), pc as usize)).flatten();
    let Some(site) = site.filter(|_| mark == MARK) else {
        let message = "longjmp to where no setjmp waits: its buffer is not filled, or its function has returned";
        end_with_fault(program, cx, state, Kind::InvalidCall, message);
        return Ok(Alive::No);
    };
    let below = state.frames.len() > depth as usize;
    while state.frames.len() > depth as usize {
        release_owned(state, 0);
        state.frames.pop();
    }
    // Whoever called us moves the frame on, unless it is another frame than the caller's.
    state.top_mut().pc = pc as u32 + u32::from(below);
    if let Some(result) = site {
        state.set(result, Value::Int(u64::from(value.max(1))));
    }
    Ok(Alive::Yes)
}

/// The result register of the call at an operation, if there is a call.
fn setjmp_call(program: &Program, function: FuncId, pc: usize) -> Option<Option<osier_ir::Reg>> {
    let body = program.module.functions.get(function)?.body.as_ref()?;
    match body.ops.get(pc)? {
        Op::Call { call } => Some(body.calls[*call].results.first().copied()),
        _ => None,
    }
}
