//! Accesses to memory that are symbolic, out of order, or of many bytes.

use super::access::access_one;
use super::reach::reach;
use super::slow::{set_and_next, value_of};
use crate::fork::{Alive, Branch, branch, decide, settle};
use crate::outcome::Kind;
use crate::{Context, EngineError, Program, State, fault};
use osier_ir::{LocId, MemOp, Operand, Reg, SiteId};
use osier_memory::{Allocation, Contents, ObjectId, Origin, Value};

fn address(program: &Program, cx: &mut Context, state: &State, addr: Operand, offset: i32) -> Value {
    match value_of(program, state, addr) {
        Value::Int(base) => Value::Int(base.wrapping_add_signed(i64::from(offset))),
        Value::Term(term) => {
            let distance = cx.pool.constant(64, i128::from(offset) as u128);
            let sum = cx.pool.add(term, distance);
            Value::of(&cx.pool, sum)
        }
    }
}

pub fn load(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    width: u8,
    dst: Reg,
    addr: Operand,
    offset: i32,
) -> Result<Alive, EngineError> {
    let pointer = address(program, cx, state, addr, offset);
    let width = u32::from(width);
    let mut alive = Alive::No;
    for way in reach(program, cx, state, pointer, u64::from(width.div_ceil(8)), false)? {
        let mut child = way.state;
        let at = child.as_mut().unwrap_or(state);
        let value = way.place.read(cx, at, width);
        set_and_next(at, dst, value);
        match child {
            Some(child) => cx.forked.push(child),
            None => alive = Alive::Yes,
        }
    }
    Ok(alive)
}

pub fn store(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    width: u8,
    addr: Operand,
    value: Operand,
    offset: i32,
) -> Result<Alive, EngineError> {
    let pointer = address(program, cx, state, addr, offset);
    let value = value_of(program, state, value);
    let width = u32::from(width);
    let mut alive = Alive::No;
    for way in reach(program, cx, state, pointer, u64::from(width.div_ceil(8)), true)? {
        let mut child = way.state;
        let at = child.as_mut().unwrap_or(state);
        way.place.write(cx, at, width, value);
        at.top_mut().pc += 1;
        match child {
            Some(child) => cx.forked.push(child),
            None => alive = Alive::Yes,
        }
    }
    Ok(alive)
}

/// Contents of fresh memory: zeros, or marked symbolic bytes if their use is to be seen. One place in the source has
/// one array for each size: what is asked is whether a value depends on such bytes, not on which of them.
pub fn fresh_contents(cx: &mut Context, size: u64, location: LocId) -> Contents {
    if cx.config.track_uninitialised && size > 0 {
        let Context { uninitialised, pool, .. } = cx;
        let array = *uninitialised.entry((location, size)).or_insert_with(|| pool.input("uninitialised!", size as u32));
        return Contents::of_array(size as usize, array);
    }
    Contents::zeroed(size as usize)
}

#[allow(clippy::too_many_arguments, reason = "these are the fields of the operation")]
pub fn alloca(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    dst: Reg,
    count: Operand,
    size: u32,
    align: u32,
    site: SiteId,
) -> Result<Alive, EngineError> {
    let count = value_of(program, state, count);
    let count = decide(program, cx, state, count)?;
    let bytes = count.saturating_mul(u64::from(size));
    let function = state.top().function;
    let location = crate::names::here(program, state);
    let origin = Origin::Stack { function, site };
    match allocate_on_stack(cx, state, bytes, u64::from(align), origin, location) {
        Some((_, base)) => {
            set_and_next(state, dst, Value::Int(base));
            Ok(Alive::Yes)
        }
        None => {
            let message = format!("{bytes} bytes for a local variable do not fit on the stack");
            fault::end_with_fault(program, cx, state, Kind::StackOverflow, message);
            Ok(Alive::No)
        }
    }
}

/// Linux gives a stack 8 MiB.
const STACK_BYTES: u64 = 8 << 20;

/// A new object of the innermost frame.
pub fn allocate_on_stack(
    cx: &mut Context,
    state: &mut State,
    size: u64,
    align: u64,
    origin: Origin,
    allocated_at: LocId,
) -> Option<(ObjectId, u64)> {
    let stack_bytes = state.stack_bytes.saturating_add(size);
    if stack_bytes > STACK_BYTES {
        return None;
    }
    let contents = fresh_contents(cx, size, allocated_at);
    let allocation = Allocation { size, align, origin, read_only: false, allocated_at, contents, limit: None };
    let (id, base) = state.memory.allocate(allocation)?;
    state.stack_bytes = stack_bytes;
    state.top_mut().owned.push(id);
    cx.families.join_local(state, id);
    Some((id, base))
}

pub fn frame_address(program: &Program, cx: &mut Context, state: &mut State, dst: Reg) -> Result<Alive, EngineError> {
    let origin = Origin::Arguments { function: state.top().function };
    let location = crate::names::here(program, state);
    let Some((_, base)) = allocate_on_stack(cx, state, 16, 16, origin, location) else { return Ok(Alive::No) };
    set_and_next(state, dst, Value::Int(base));
    Ok(Alive::Yes)
}

/// memcpy, memmove and memset as operations.
pub fn bulk(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    op: MemOp,
    dst: Operand,
    src: Operand,
    len: Operand,
) -> Result<Alive, EngineError> {
    let (dst, src) = (value_of(program, state, dst), value_of(program, state, src));
    let len = value_of(program, state, len);
    let alive = match op {
        MemOp::Copy | MemOp::Move => copy_bytes(program, cx, state, dst, src, len)?,
        MemOp::Set => fill_bytes(program, cx, state, dst, src, len)?,
    };
    if alive == Alive::Yes {
        state.top_mut().pc += 1;
    }
    Ok(alive)
}

/// Decides a length. A symbolic one is first held to what the object at `pointer` has, so that a length that is too
/// long is reported once, and then each value that remains gets a state of its own.
fn settled_len(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: Value,
    write: bool,
) -> Result<Option<u64>, EngineError> {
    let len = match len {
        Value::Int(len) => return Ok(Some(len)),
        Value::Term(len) => len,
    };
    let zero = cx.pool.constant(64, 0);
    let empty = cx.pool.eq(len, zero);
    match branch(program, cx, state, empty)? {
        Branch::Then => return Ok(Some(0)),
        Branch::Else => {}
        Branch::Both { then_here, mut other } => {
            if then_here {
                std::mem::swap(state, &mut other);
            }
            // The one with nothing to do executes the operation again and is done.
            cx.forked.push(other);
        }
    }
    let pointer = pointer.term(&mut cx.pool, 64);
    let one = cx.pool.constant(64, 1);
    let last = cx.pool.sub(len, one);
    let last = cx.pool.add(pointer, last);
    let last = Value::of(&cx.pool, last);
    if access_one(program, cx, state, last, 1, write)?.is_none() {
        return Ok(None);
    }
    Ok(Some(settle(program, cx, state, len)? as u64))
}

/// memmove. Does not move to the next operation.
pub fn copy_bytes(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    dst: Value,
    src: Value,
    len: Value,
) -> Result<Alive, EngineError> {
    let Some(len) = settled_len(program, cx, state, dst, len, true)? else { return Ok(Alive::No) };
    if len == 0 {
        return Ok(Alive::Yes);
    }
    let Some((from, from_offset)) = access_one(program, cx, state, src, len, false)? else { return Ok(Alive::No) };
    let Some((to, to_offset)) = access_one(program, cx, state, dst, len, true)? else { return Ok(Alive::No) };
    if let (Value::Int(at), Value::Int(start)) = (from_offset, to_offset) {
        let (source, target) = ((from, at as usize), (to, start as usize));
        state.memory.copy(&mut cx.pool, source, target, len as usize);
        return Ok(Alive::Yes);
    }
    let source = state.memory.object(from).contents.clone();
    let target = &mut state.memory.object_mut(to).contents;
    for i in 0..len {
        let byte = read_byte_at(cx, &source, from_offset, i);
        write_byte_at(cx, target, to_offset, i, byte);
    }
    Ok(Alive::Yes)
}

fn read_byte_at(cx: &mut Context, contents: &Contents, offset: Value, i: u64) -> Value {
    let term = match offset {
        Value::Int(offset) => contents.byte(&mut cx.pool, (offset + i) as usize),
        Value::Term(offset) => {
            let step = cx.pool.constant(64, u128::from(i));
            let at = cx.pool.add(offset, step);
            contents.read_at(&mut cx.pool, at, 8)
        }
    };
    Value::of(&cx.pool, term)
}

fn write_byte_at(cx: &mut Context, contents: &mut Contents, offset: Value, i: u64, byte: Value) {
    match offset {
        Value::Int(offset) => contents.write(&mut cx.pool, (offset + i) as usize, 8, byte),
        Value::Term(offset) => {
            let step = cx.pool.constant(64, u128::from(i));
            let at = cx.pool.add(offset, step);
            contents.write_at(&mut cx.pool, at, 8, byte);
        }
    }
}

/// memset with a byte of 8 bits. Does not move to the next operation.
pub fn fill_bytes(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    dst: Value,
    byte: Value,
    len: Value,
) -> Result<Alive, EngineError> {
    let Some(len) = settled_len(program, cx, state, dst, len, true)? else { return Ok(Alive::No) };
    if len == 0 {
        return Ok(Alive::Yes);
    }
    let Some((to, offset)) = access_one(program, cx, state, dst, len, true)? else { return Ok(Alive::No) };
    let contents = &mut state.memory.object_mut(to).contents;
    match (offset, byte) {
        (Value::Int(offset), Value::Int(byte)) => {
            contents.write_bytes(offset as usize, &vec![byte as u8; len as usize])
        }
        (offset, byte) => {
            for i in 0..len {
                write_byte_at(cx, contents, offset, i, byte);
            }
        }
    }
    Ok(Alive::Yes)
}

/// `len` bytes as terms or numbers, checked as one access.
pub fn read_bytes(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: u64,
) -> Result<Option<Vec<Value>>, EngineError> {
    if len == 0 {
        return Ok(Some(Vec::new()));
    }
    let Some((id, offset)) = access_one(program, cx, state, pointer, len, false)? else { return Ok(None) };
    let contents = state.memory.object(id).contents.clone();
    Ok(Some((0..len).map(|i| read_byte_at(cx, &contents, offset, i)).collect()))
}

/// The bytes of a C string without its zero; where a symbolic byte may be the end, each length gets a state of its own,
/// and the others execute the operation again.
pub fn read_c_string(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
) -> Result<Option<Vec<Value>>, EngineError> {
    let mut bytes = Vec::new();
    let start = pointer.term(&mut cx.pool, 64);
    loop {
        let distance = cx.pool.constant(64, bytes.len() as u128);
        let at = cx.pool.add(start, distance);
        let at = Value::of(&cx.pool, at);
        let Some(byte) = read_bytes(program, cx, state, at, 1)? else { return Ok(None) };
        let term = byte[0].term(&mut cx.pool, 8);
        let zero = cx.pool.constant(8, 0);
        let end = cx.pool.eq(term, zero);
        match branch(program, cx, state, end)? {
            Branch::Then => return Ok(Some(bytes)),
            Branch::Else => bytes.push(byte[0]),
            Branch::Both { then_here, other } => {
                cx.forked.push(other);
                if then_here {
                    return Ok(Some(bytes));
                }
                bytes.push(byte[0]);
            }
        }
    }
}

/// A C string for a message or a name: symbolic bytes take the value that they have in the witness.
pub fn read_string(cx: &mut Context, state: &State, pointer: Value) -> String {
    let address = match pointer {
        Value::Int(address) => address,
        Value::Term(term) => osier_term::eval(&cx.pool, term, &state.witness) as u64,
    };
    let Some(object) = state.memory.find(address).filter(|object| object.is_live()) else { return String::new() };
    let mut bytes = Vec::new();
    for offset in address.wrapping_sub(object.base)..object.size {
        let term = object.contents.byte(&mut cx.pool, offset as usize);
        match osier_term::eval(&cx.pool, term, &state.witness) as u8 {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
