//! Accesses to memory that are symbolic, out of order, or of many bytes.

use super::slow::{check, check_use, set_and_next, value_of};
use crate::fork::{Alive, Branch, assume, branch, decide, fork, may, may_fork, settle};
use crate::monitor::{Access, UninitialisedUse};
use crate::outcome::{Cut, Kind};
use crate::{Context, EngineError, Program, State, fault};
use osier_ir::{GlobalInit, LocId, MemOp, Operand, Reg, SiteId};
use osier_memory::{Allocation, Case, Contents, ObjectId, Origin, Shape, Target, Value, resolve, window_guard};
use osier_solver::May;
use osier_term::{Assignment, Term};

/// One way that an access can go: the object, and where in it, checked.
pub struct Hit {
    /// The state that it happens in; none for the state that asked.
    pub state: Option<State>,
    pub id: ObjectId,
    pub offset: Value,
}

/// Pointers that lead to more objects than this are followed to so many only.
const MOST_TARGETS: usize = 4096;

/// What `len` bytes at a pointer can refer to. Errors are reported here; the hits are what remains. If the asking
/// state itself cannot go on, no hit is without a state.
pub fn access(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: u64,
    write: bool,
) -> Result<Vec<Hit>, EngineError> {
    let term = match pointer {
        Value::Int(address) => return access_concrete(program, cx, state, address, len, write),
        Value::Term(term) => term,
    };
    if check_use(program, cx, state, term, UninitialisedUse::Address)? == Alive::No {
        return Ok(Vec::new());
    }
    let mut feasible = feasible_cases(program, cx, state, term)?;
    if !may_fork(cx, state) {
        feasible.retain(|(case, _)| osier_term::eval(&cx.pool, case.guard, &state.witness) != 0);
    }
    if feasible.len() > 1 {
        cx.counters.multiple_accesses += 1;
        cx.counters.access_forks += feasible.len() as u64 - 1;
    } else {
        cx.counters.single_accesses += 1;
    }
    let Some((last, last_witness)) = feasible.pop() else { return Ok(Vec::new()) };
    let mut hits = Vec::with_capacity(feasible.len() + 1);
    for (case, witness) in feasible {
        let mut child = fork(cx, state);
        assume(cx, &mut child, case.guard, witness);
        match checked(program, cx, &mut child, pointer, case.target, len, write)? {
            Some((id, offset)) => hits.push(Hit { state: Some(child), id, offset }),
            None => cx.tree.remove(child.node),
        }
    }
    if !cx.pool.is_true(last.guard) {
        assume(cx, state, last.guard, last_witness);
    }
    if let Some((id, offset)) = checked(program, cx, state, pointer, last.target, len, write)? {
        hits.push(Hit { state: None, id, offset });
    }
    Ok(hits)
}

fn access_concrete(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    address: u64,
    len: u64,
    write: bool,
) -> Result<Vec<Hit>, EngineError> {
    cx.counters.concrete_accesses += 1;
    let found = state.memory.find(address);
    if let Some(object) = found {
        let offset = address.wrapping_sub(object.base);
        if object.is_plain() && object.holds(offset, len) && !(write && object.read_only) {
            return Ok(vec![Hit { state: None, id: object.id, offset: Value::Int(offset) }]);
        }
    }
    let target = target_of(cx, state, address);
    let hit = checked(program, cx, state, Value::Int(address), target, len, write)?;
    Ok(hit.into_iter().map(|(id, offset)| Hit { state: None, id, offset }).collect())
}

/// Where a known address leads.
pub fn target_of(cx: &mut Context, state: &State, address: u64) -> Target {
    let term = cx.pool.constant(64, u128::from(address));
    match state.memory.find(address) {
        Some(object) => {
            let offset = cx.pool.constant(64, u128::from(address.wrapping_sub(object.base)));
            Target::Object { id: object.id, offset }
        }
        None if address < osier_memory::NULL_REGION => Target::Null { address: term },
        None => Target::Nowhere { address: term },
    }
}

/// The cases of a symbolic pointer that the path allows, each with a witness.
pub fn feasible_cases(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
) -> Result<Vec<(Case, Assignment)>, EngineError> {
    let Shape::Cases(cases) = resolve(&mut cx.pool, &state.memory, pointer) else {
        return enumerate(program, cx, state, pointer);
    };
    if let [only] = cases.as_slice() {
        return Ok(vec![(Case { guard: cx.pool.truth(true), target: only.target }, state.witness.clone())]);
    }
    let mut feasible = Vec::new();
    for case in cases {
        cx.counters.access_queries += 1;
        match may(cx, state, case.guard)? {
            May::Yes(witness) => feasible.push((case, witness)),
            May::No => {}
            May::Unknown(_) => fault::end_with_cut(program, cx, state, Cut::SolverUnknown),
        }
    }
    Ok(feasible)
}

/// A pointer without a shape: ask for a value, take its window out, ask again.
fn enumerate(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
) -> Result<Vec<(Case, Assignment)>, EngineError> {
    let mut feasible = Vec::new();
    let mut elsewhere = cx.pool.truth(true);
    let mut witness = state.witness.clone();
    loop {
        let example = osier_term::eval(&cx.pool, pointer, &witness) as u64;
        let case = window_guard(&mut cx.pool, &state.memory, pointer, example);
        feasible.push((case, witness));
        let not_here = cx.pool.not(case.guard);
        elsewhere = cx.pool.and(elsewhere, not_here);
        if feasible.len() >= MOST_TARGETS {
            cx.say_once(format!("a pointer leads to more than {MOST_TARGETS} objects; the others are not followed"));
            return Ok(feasible);
        }
        cx.counters.access_queries += 1;
        match may(cx, state, elsewhere)? {
            May::Yes(next) => witness = next,
            May::No => return Ok(feasible),
            May::Unknown(_) => {
                fault::end_with_cut(program, cx, state, Cut::SolverUnknown);
                return Ok(feasible);
            }
        }
    }
}

fn checked(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    target: Target,
    len: u64,
    write: bool,
) -> Result<Option<(ObjectId, Value)>, EngineError> {
    if let Target::Object { id, .. } = target
        && let Some(message) = undefined_global(program, state, id)
    {
        fault::end_with_fault(program, cx, state, Kind::Unsupported, message);
        return Ok(None);
    }
    let access = Access { target, len, write, pointer };
    if check(program, cx, state, |monitor, checking| monitor.before_access(checking, &access))? == Alive::No {
        return Ok(None);
    }
    match target {
        Target::Object { id, offset } => {
            let object = state.memory.object(id);
            let offset = Value::of(&cx.pool, offset);
            // Without monitors nothing has been checked, and contents must not be read outside.
            let sound = object.is_live()
                && match offset {
                    Value::Int(offset) => object.holds(offset, len),
                    Value::Term(_) => object.size >= len,
                };
            Ok(sound.then_some((id, offset)))
        }
        Target::Null { .. } | Target::Nowhere { .. } => Ok(None),
    }
}

/// Why a global cannot be accessed, if that is so.
fn undefined_global(program: &Program, state: &State, id: ObjectId) -> Option<String> {
    let Origin::Global(global) = state.memory.object(id).origin else { return None };
    let global = &program.module.globals[global];
    match &global.init {
        GlobalInit::External => Some(format!("use of {}, which is declared but not defined", global.name)),
        GlobalInit::Unsupported(text) => {
            Some(format!("the initial value of {}: {}", global.name, program.module.texts[*text]))
        }
        GlobalInit::Zero | GlobalInit::Data { .. } => None,
    }
}

/// As [`access`], for operations that are too long to do several times: other hits live on in states that execute the
/// operation again.
pub fn access_one(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
    len: u64,
    write: bool,
) -> Result<Option<(ObjectId, Value)>, EngineError> {
    let mut mine = None;
    for hit in access(program, cx, state, pointer, len, write)? {
        match hit.state {
            Some(child) => cx.forked.push(child),
            None => mine = Some((hit.id, hit.offset)),
        }
    }
    Ok(mine)
}

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
    for hit in access(program, cx, state, pointer, u64::from(width.div_ceil(8)), false)? {
        let mut child = hit.state;
        let at = child.as_mut().unwrap_or(state);
        let contents = &at.memory.object(hit.id).contents;
        let value = match hit.offset {
            Value::Int(offset) => contents.read(&mut cx.pool, offset as usize, width),
            Value::Term(offset) => {
                let term = contents.read_at(&mut cx.pool, offset, width);
                Value::of(&cx.pool, term)
            }
        };
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
    for hit in access(program, cx, state, pointer, u64::from(width.div_ceil(8)), true)? {
        let mut child = hit.state;
        let at = child.as_mut().unwrap_or(state);
        let contents = &mut at.memory.object_mut(hit.id).contents;
        match hit.offset {
            Value::Int(offset) => contents.write(&mut cx.pool, offset as usize, width, value),
            Value::Term(offset) => contents.write_at(&mut cx.pool, offset, width, value),
        }
        at.top_mut().pc += 1;
        match child {
            Some(child) => cx.forked.push(child),
            None => alive = Alive::Yes,
        }
    }
    Ok(alive)
}

/// Contents of fresh memory: a fixed pattern, or marked symbolic bytes if their use is to be seen.
pub fn fresh_contents(cx: &mut Context, size: u64) -> Contents {
    if cx.config.track_uninitialised && size > 0 {
        let array = cx.pool.input("uninitialised!", size as u32);
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
    let contents = fresh_contents(cx, size);
    let allocation = Allocation { size, align, origin, read_only: false, allocated_at, contents, limit: None };
    let (id, base) = state.memory.allocate(allocation)?;
    state.stack_bytes = stack_bytes;
    state.top_mut().owned.push(id);
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
