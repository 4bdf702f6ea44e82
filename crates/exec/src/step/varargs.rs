//! Variadic arguments as the x86-64 ABI lays them out: clang compiles `va_arg` to reads of that layout.

use super::access::access_one;
use super::memory::allocate_on_stack;
use super::slow::value_of;
use super::{Alive, copy_bytes};
use crate::state::Variadic;
use crate::{Context, EngineError, Program, State};
use osier_ir::{ArgKind, Operand};
use osier_memory::{Origin, Value};
use std::rc::Rc;

/// Six general registers of 8 bytes, then eight SSE registers of 16.
const GENERAL_END: u64 = 48;
const SAVE_AREA: u64 = 176;
const LIST_BYTES: u64 = 24;

/// Fills the 24-byte list: gp_offset, fp_offset, overflow_arg_area, reg_save_area.
pub fn start(program: &Program, cx: &mut Context, state: &mut State, list: Operand) -> Result<Alive, EngineError> {
    let list = value_of(program, state, list);
    let function = state.top().function;
    let (mut general, mut sse) = (0, GENERAL_END);
    for param in &program.module.functions[function].params {
        match param.kind {
            ArgKind::Integer | ArgKind::StructReturn => {
                let bytes = general_bytes(param.width);
                // An __int128 that does not fit leaves the last register to others.
                general += if general + bytes <= GENERAL_END { bytes } else { 0 };
            }
            ArgKind::Float => sse += 16,
            ArgKind::Extended | ArgKind::ByVal { .. } => {}
        }
    }
    let sse = sse.min(SAVE_AREA);
    let variadic = Rc::clone(&state.top().variadic);
    let location = crate::names::here(program, state);
    let origin = Origin::Arguments { function };
    let Some((save, save_base)) = allocate_on_stack(cx, state, SAVE_AREA, 16, origin, location) else {
        return Ok(Alive::No);
    };
    let (in_registers, on_stack) = placed(&variadic, general, sse);
    for (offset, argument) in in_registers {
        let contents = &mut state.memory.object_mut(save).contents;
        contents.write(&mut cx.pool, offset as usize, u32::from(argument.width), argument.value);
    }
    let size = on_stack.last().map_or(0, |(offset, argument)| offset + stack_bytes(argument));
    let Some((overflow, overflow_base)) = allocate_on_stack(cx, state, size, 16, origin, location) else {
        return Ok(Alive::No);
    };
    for (offset, argument) in on_stack {
        if let ArgKind::ByVal { size, .. } = argument.kind {
            let target = Value::Int(overflow_base + offset);
            let len = Value::Int(u64::from(size));
            if copy_bytes(program, cx, state, target, argument.value, len)? == Alive::No {
                return Ok(Alive::No);
            }
        } else {
            let contents = &mut state.memory.object_mut(overflow).contents;
            contents.write(&mut cx.pool, offset as usize, u32::from(argument.width), argument.value);
        }
    }
    let Some((id, at)) = access_one(program, cx, state, list, LIST_BYTES, true)? else { return Ok(Alive::No) };
    let fields = [(0, 32, general), (4, 32, sse), (8, 64, overflow_base), (16, 64, save_base)];
    let contents = &mut state.memory.object_mut(id).contents;
    for (offset, width, bits) in fields {
        match at {
            Value::Int(at) => contents.write(&mut cx.pool, (at + offset) as usize, width, Value::Int(bits)),
            Value::Term(at) => {
                let offset = cx.pool.constant(64, u128::from(offset));
                let place = cx.pool.add(at, offset);
                contents.write_at(&mut cx.pool, place, width, Value::Int(bits));
            }
        }
    }
    state.top_mut().pc += 1;
    Ok(Alive::Yes)
}

fn stack_bytes(argument: &Variadic) -> u64 {
    match argument.kind {
        ArgKind::ByVal { size, .. } => u64::from(size).next_multiple_of(8),
        ArgKind::Extended => 16,
        ArgKind::Integer | ArgKind::Float | ArgKind::StructReturn => {
            u64::from(argument.width.div_ceil(8)).next_multiple_of(8)
        }
    }
}

/// An __int128 takes two registers, or 16 bytes on the stack at a multiple of 16.
fn general_bytes(width: u8) -> u64 {
    if width > 64 { 16 } else { 8 }
}

type Placed<'a> = Vec<(u64, &'a Variadic)>;

/// Where each argument goes: an offset in the save area, or one on the stack.
fn placed(variadic: &[Variadic], mut general: u64, mut sse: u64) -> (Placed<'_>, Placed<'_>) {
    let (mut in_registers, mut on_stack) = (Vec::new(), Vec::new());
    let mut stack = 0;
    for argument in variadic {
        let slot = match argument.kind {
            ArgKind::Integer | ArgKind::StructReturn if general + general_bytes(argument.width) <= GENERAL_END => {
                general += general_bytes(argument.width);
                Some(general - general_bytes(argument.width))
            }
            ArgKind::Float if sse < SAVE_AREA => {
                sse += 16;
                Some(sse - 16)
            }
            ArgKind::Integer | ArgKind::StructReturn | ArgKind::Float | ArgKind::Extended | ArgKind::ByVal { .. } => {
                None
            }
        };
        match slot {
            Some(offset) => in_registers.push((offset, argument)),
            None => {
                let align = match argument.kind {
                    ArgKind::Extended => 16,
                    ArgKind::ByVal { align, .. } => u64::from(align).max(8),
                    ArgKind::Integer | ArgKind::Float | ArgKind::StructReturn => general_bytes(argument.width),
                };
                stack = u64::next_multiple_of(stack, align);
                on_stack.push((stack, argument));
                stack += stack_bytes(argument);
            }
        }
    }
    (in_registers, on_stack)
}

pub fn copy(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    dst: Operand,
    src: Operand,
) -> Result<Alive, EngineError> {
    let (dst, src) = (value_of(program, state, dst), value_of(program, state, src));
    if copy_bytes(program, cx, state, dst, src, Value::Int(LIST_BYTES))? == Alive::No {
        return Ok(Alive::No);
    }
    state.top_mut().pc += 1;
    Ok(Alive::Yes)
}
