//! Allocation.

use super::{Arguments, Builtin};
use crate::fault::end_with_fault;
use crate::fork::{Alive, Branch, Soon, assume, branch, decide, may, settle};
use crate::monitor::Free;
use crate::names::{at_line, here};
use crate::outcome::Kind;
use crate::pending::{ask_soon, largest};
use crate::step::{access_one, check, copy_bytes, fresh_contents, target_of};
use crate::{Context, EngineError, Program, State};
use osier_memory::{Allocation, Contents, Life, ObjectId, Origin, Target, Value};
use osier_solver::May;
use osier_term::Term;

pub const TABLE: &[Builtin] = &[
    Builtin { name: "malloc", least_args: 1, run: malloc },
    Builtin { name: "calloc", least_args: 2, run: calloc },
    Builtin { name: "realloc", least_args: 2, run: realloc },
    Builtin { name: "reallocarray", least_args: 3, run: reallocarray },
    Builtin { name: "free", least_args: 1, run: free },
    Builtin { name: "memalign", least_args: 2, run: memalign },
    Builtin { name: "aligned_alloc", least_args: 2, run: aligned_alloc },
    Builtin { name: "posix_memalign", least_args: 3, run: posix_memalign },
];

/// A request above this fails, as it would on a small machine: Osier holds every byte of an object.
const LARGEST: u64 = 1 << 30;
const DEFAULT_ALIGN: u64 = 16;

/// How many bytes a request asks for.
#[derive(Clone, Copy)]
struct Size {
    /// The bytes to set aside.
    bytes: u64,
    /// How many of them there are, where that is symbolic.
    limit: Option<Term>,
}

/// Decides a size. A symbolic one is bounded, and the object then has as many bytes as the largest value, of which the
/// symbolic size says how many may be used.
fn sized(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    size: Value,
    allocator: &str,
) -> Result<Size, EngineError> {
    let term = match size {
        Value::Int(bytes) => return Ok(Size { bytes, limit: None }),
        Value::Term(term) => term,
    };
    crate::sensitive::note(cx, state);
    let most = cx.config.limits.symbolic_size;
    let follows_a_seed = !state.seeds.is_empty();
    if follows_a_seed && osier_term::eval(&cx.pool, term, &state.witness) > u128::from(most) {
        return Ok(Size { bytes: settle(program, cx, state, term)? as u64, limit: None });
    }
    let bound = cx.pool.constant(64, u128::from(most));
    let small = cx.pool.ule(term, bound);
    let large = cx.pool.not(small);
    let can_be_large = match follows_a_seed {
        true => !matches!(ask_soon(cx, state, large)?, Soon::Answer(May::No)),
        false => !matches!(may(cx, state, large)?, May::No),
    };
    match may(cx, state, small)? {
        May::Yes(witness) => {
            if can_be_large {
                let place = at_line(program, here(program, state));
                cx.say_once(format!(
                    "{allocator} of symbolic size{place}: only sizes of up to {most} bytes are followed \
                     (--max-symbolic-size raises this)"
                ));
                assume(cx, state, small, witness);
            }
            let bytes = largest(cx, state, term)?.map_or(most, |largest| largest as u64);
            Ok(Size { bytes, limit: Some(term) })
        }
        May::No | May::Unknown(_) => Ok(Size { bytes: settle(program, cx, state, term)? as u64, limit: None }),
    }
}

/// A new heap block, or nothing if it is too large.
fn allocate(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    size: Size,
    align: u64,
    allocator: &'static str,
    zeroed: bool,
) -> Option<(ObjectId, u64)> {
    if size.bytes > LARGEST {
        let place = at_line(program, here(program, state));
        cx.say_once(format!("{allocator} of {} bytes{place} gives a null pointer: too large to hold", size.bytes));
        return None;
    }
    let contents = if zeroed {
        Contents::zeroed(size.bytes as usize)
    } else {
        fresh_contents(cx, size.bytes, here(program, state))
    };
    let made = state.memory.allocate(Allocation {
        size: size.bytes,
        align,
        origin: Origin::Heap { allocator },
        read_only: false,
        allocated_at: here(program, state),
        contents,
        limit: size.limit,
    });
    if let Some((id, _)) = made {
        cx.families.join(state, id);
    }
    made
}

fn returns_block(cx: &mut Context, state: &mut State, args: &Arguments<'_>, block: Option<(ObjectId, u64)>) -> Alive {
    args.returns(cx, state, Value::Int(block.map_or(0, |(_, base)| base)));
    Alive::Yes
}

fn malloc(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Result<Alive, EngineError> {
    let size = sized(program, cx, state, args.values[0], "malloc")?;
    let block = allocate(program, cx, state, size, DEFAULT_ALIGN, "malloc", false);
    Ok(returns_block(cx, state, args, block))
}

/// The product of two sizes; nothing where it overflows, for which calloc gives a null pointer.
fn product(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    a: Value,
    b: Value,
) -> Result<Option<Value>, EngineError> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(a.checked_mul(b).map(Value::Int));
    }
    // One of the two is nearly always a constant; of two symbolic ones, the first is decided.
    let a = match (a, b) {
        (Value::Term(term), Value::Term(_)) => Value::Int(settle(program, cx, state, term)? as u64),
        (a, _) => a,
    };
    let (a, b) = (a.term(&mut cx.pool, 64), b.term(&mut cx.pool, 64));
    let (wide_a, wide_b) = (cx.pool.zext(a, 128), cx.pool.zext(b, 128));
    let exact = cx.pool.mul(wide_a, wide_b);
    let most = cx.pool.constant(128, u128::from(u64::MAX));
    let fits = cx.pool.ule(exact, most);
    match branch(program, cx, state, fits)? {
        Branch::Then => {}
        Branch::Else => return Ok(None),
        Branch::Both { then_here, mut other } => {
            if !then_here {
                std::mem::swap(state, &mut other);
            }
            cx.forked.push(other);
        }
    }
    let product = cx.pool.mul(a, b);
    Ok(Some(Value::of(&cx.pool, product)))
}

fn calloc(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Result<Alive, EngineError> {
    let Some(size) = product(program, cx, state, args.values[0], args.values[1])? else {
        args.returns(cx, state, Value::Int(0));
        return Ok(Alive::Yes);
    };
    let size = sized(program, cx, state, size, "calloc")?;
    let block = allocate(program, cx, state, size, DEFAULT_ALIGN, "calloc", true);
    Ok(returns_block(cx, state, args, block))
}

fn memalign(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    aligned(program, cx, state, args, "memalign")
}

fn aligned_alloc(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    aligned(program, cx, state, args, "aligned_alloc")
}

fn aligned(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
    allocator: &'static str,
) -> Result<Alive, EngineError> {
    let align = decide(program, cx, state, args.values[0])?;
    let size = sized(program, cx, state, args.values[1], allocator)?;
    let block = allocate(program, cx, state, size, align.max(1), allocator, false);
    Ok(returns_block(cx, state, args, block))
}

fn posix_memalign(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    const EINVAL: u64 = 22;
    const ENOMEM: u64 = 12;
    let align = decide(program, cx, state, args.values[1])?;
    if !align.is_power_of_two() || !align.is_multiple_of(8) {
        args.returns(cx, state, Value::Int(EINVAL));
        return Ok(Alive::Yes);
    }
    let size = sized(program, cx, state, args.values[2], "posix_memalign")?;
    let Some((to, offset)) = access_one(program, cx, state, args.values[0], 8, true)? else { return Ok(Alive::No) };
    let Some((_, base)) = allocate(program, cx, state, size, align, "posix_memalign", false) else {
        args.returns(cx, state, Value::Int(ENOMEM));
        return Ok(Alive::Yes);
    };
    let contents = &mut state.memory.object_mut(to).contents;
    match offset {
        Value::Int(offset) => contents.write_concrete(offset as usize, 8, base),
        Value::Term(offset) => contents.write_at(&mut cx.pool, offset, 64, Value::Int(base)),
    }
    args.returns(cx, state, Value::Int(0));
    Ok(Alive::Yes)
}

/// Checks that a block may be freed; nothing for a null pointer.
fn to_free(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    pointer: Value,
) -> Result<Option<Result<ObjectId, ()>>, EngineError> {
    let address = decide(program, cx, state, pointer)?;
    if address == 0 {
        return Ok(None);
    }
    let target = target_of(cx, state, address);
    let free = Free { target };
    if check(program, cx, state, |monitor, checking| monitor.before_free(checking, &free))? == Alive::No {
        return Ok(Some(Err(())));
    }
    match target {
        Target::Object { id, .. } if state.memory.object(id).is_live() => Ok(Some(Ok(id))),
        Target::Object { .. } | Target::Null { .. } | Target::Nowhere { .. } => {
            end_with_fault(program, cx, state, Kind::InvalidFree, "free of what is no block");
            Ok(Some(Err(())))
        }
    }
}

fn free(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Result<Alive, EngineError> {
    match to_free(program, cx, state, args.values[0])? {
        None => Ok(Alive::Yes),
        Some(Err(())) => Ok(Alive::No),
        Some(Ok(id)) => {
            let at = here(program, state);
            state.memory.kill(id, Life::Freed { at });
            Ok(Alive::Yes)
        }
    }
}

fn realloc(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Result<Alive, EngineError> {
    resize(program, cx, state, args, args.values[0], args.values[1])
}

fn reallocarray(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let Some(size) = product(program, cx, state, args.values[1], args.values[2])? else {
        args.returns(cx, state, Value::Int(0));
        return Ok(Alive::Yes);
    };
    resize(program, cx, state, args, args.values[0], size)
}

fn resize(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
    pointer: Value,
    size: Value,
) -> Result<Alive, EngineError> {
    let old = match to_free(program, cx, state, pointer)? {
        None => None,
        Some(Err(())) => return Ok(Alive::No),
        Some(Ok(id)) => Some(id),
    };
    if let Some(id) = old
        && is_nothing(program, cx, state, size)?
    {
        // As glibc does: the block is freed and there is no new one.
        state.memory.kill(id, Life::Freed { at: here(program, state) });
        args.returns(cx, state, Value::Int(0));
        return Ok(Alive::Yes);
    }
    let size = sized(program, cx, state, size, "realloc")?;
    let Some((_, base)) = allocate(program, cx, state, size, DEFAULT_ALIGN, "realloc", false) else {
        args.returns(cx, state, Value::Int(0));
        return Ok(Alive::Yes);
    };
    if let Some(id) = old {
        let (from, old_size) = (state.memory.object(id).base, state.memory.object(id).size);
        let kept = Value::Int(old_size.min(size.bytes));
        let plain = state.memory.object(id).limit.is_none() && size.limit.is_none();
        if plain && copy_bytes(program, cx, state, Value::Int(base), Value::Int(from), kept)? == Alive::No {
            return Ok(Alive::No);
        }
        if !plain {
            move_contents(cx, state, id, base, old_size.min(size.bytes));
        }
        let at = here(program, state);
        state.memory.kill(id, Life::Freed { at });
    }
    args.returns(cx, state, Value::Int(base));
    Ok(Alive::Yes)
}

/// Whether a size is zero; where it may or may not be, a state with the other answer executes the operation again.
fn is_nothing(program: &Program, cx: &mut Context, state: &mut State, size: Value) -> Result<bool, EngineError> {
    let size = size.term(&mut cx.pool, 64);
    let zero = cx.pool.constant(64, 0);
    let nothing = cx.pool.eq(size, zero);
    Ok(match branch(program, cx, state, nothing)? {
        Branch::Then => true,
        Branch::Else => false,
        Branch::Both { then_here, other } => {
            cx.forked.push(other);
            then_here
        }
    })
}

/// Copies between blocks of symbolic size, whose bytes all exist whatever the size is.
fn move_contents(cx: &mut Context, state: &mut State, from: ObjectId, to: u64, len: u64) {
    let source = state.memory.object(from).contents.clone();
    let Some(id) = state.memory.find(to).map(|object| object.id) else { return };
    state.memory.object_mut(id).contents.copy_from(&mut cx.pool, 0, &source, 0, len as usize);
}
