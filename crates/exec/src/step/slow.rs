//! Everything that the fast loop leaves: one operation of a state, with terms, checks and forks. When the state lives
//! on, it stands at its next operation.

use super::{Alive, arith, call, control, float, memory, terms, varargs};
use crate::fault::end_with_fault;
use crate::fork::{require, settle};
use crate::monitor::{Arithmetic, Checking, Division, Monitor, Obligation, Shift, UninitialisedUse};
use crate::names::here;
use crate::outcome::Kind;
use crate::{Context, EngineError, Program, State, sensitive};
use osier_ir::{BinOp, CastOp, Flags, Op, Operand, Reg, TrapKind, Unpacked};
use osier_memory::Value;
use osier_term::{Node, Term};

/// What an operand holds in the innermost frame.
pub fn value_of(program: &Program, state: &State, operand: Operand) -> Value {
    match operand.unpack() {
        Unpacked::Reg(reg) => state.top().registers[reg.0 as usize],
        Unpacked::Const(constant) => program.constants[constant.0 as usize],
    }
}

/// Sets a result and moves to the next operation.
pub fn set_and_next(state: &mut State, dst: Reg, value: Value) {
    let frame = state.top_mut();
    frame.registers[dst.0 as usize] = value;
    frame.pc += 1;
}

/// Asks every monitor, and meets what they oblige to.
pub fn check(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    ask: impl Fn(&mut dyn Monitor, &mut Checking<'_>) -> Option<Obligation>,
) -> Result<Alive, EngineError> {
    let location = here(program, state);
    for i in 0..cx.monitors.len() {
        let Context { monitors, pool, .. } = &mut *cx;
        let obligation = ask(monitors[i].as_mut(), &mut Checking { program, pool, state, location });
        if let Some(obligation) = obligation
            && require(program, cx, state, &obligation)? == Alive::No
        {
            return Ok(Alive::No);
        }
    }
    Ok(Alive::Yes)
}

/// Tells whom it concerns that a term decides a branch or is an address.
pub fn check_use(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    term: Term,
    usage: UninitialisedUse,
) -> Result<Alive, EngineError> {
    match usage {
        UninitialisedUse::Address => sensitive::note(cx, state),
        UninitialisedUse::Branch => {}
    }
    if !cx.config.track_uninitialised {
        return Ok(Alive::Yes);
    }
    check(program, cx, state, |monitor, checking| monitor.before_use(checking, term, usage))
}

pub fn execute(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    op: &Op,
    budget: &mut i64,
) -> Result<Alive, EngineError> {
    let get = |state: &State, operand| value_of(program, state, operand);
    match *op {
        Op::Move { dst, src } => {
            let value = get(state, src);
            set_and_next(state, dst, value);
        }
        Op::Bin { op, flags, width, dst, a, b } => return binary(program, cx, state, (op, flags, width, dst, a, b)),
        Op::Un { op, width, dst, a } => {
            let value = match get(state, a) {
                Value::Int(bits) => Value::Int(arith::unary(op, u32::from(width), bits)),
                Value::Term(term) => {
                    let result = terms::unary(&mut cx.pool, op, term);
                    Value::of(&cx.pool, result)
                }
            };
            set_and_next(state, dst, value);
        }
        Op::Cmp { op, width, dst, a, b } => {
            let width = u32::from(width);
            let (a, b) = (get(state, a).term(&mut cx.pool, width), get(state, b).term(&mut cx.pool, width));
            let result = terms::compare(&mut cx.pool, op, a, b);
            set_and_next(state, dst, Value::of(&cx.pool, result));
        }
        Op::Cast { op, from, to, dst, src } => {
            let term = get(state, src).term(&mut cx.pool, u32::from(from));
            let result = match op {
                CastOp::Trunc => cx.pool.extract(term, 0, u32::from(to)),
                CastOp::ZExt => cx.pool.zext(term, u32::from(to)),
                CastOp::SExt => cx.pool.sext(term, u32::from(to)),
            };
            set_and_next(state, dst, Value::of(&cx.pool, result));
        }
        Op::Select { width, dst, cond, then, other } => {
            let width = u32::from(width);
            let cond = get(state, cond).term(&mut cx.pool, 1);
            let (then, other) =
                (get(state, then).term(&mut cx.pool, width), get(state, other).term(&mut cx.pool, width));
            let result = cx.pool.ite(cond, then, other);
            set_and_next(state, dst, Value::of(&cx.pool, result));
        }
        Op::Overflow { op, width, dst, carry, a, b } => {
            let width = u32::from(width);
            let (value, wrapped) = match (get(state, a), get(state, b)) {
                (Value::Int(a), Value::Int(b)) => {
                    let (bits, wrapped) = arith::overflowing(op, width, a, b);
                    (Value::Int(bits), Value::Int(u64::from(wrapped)))
                }
                (a, b) => {
                    let (a, b) = (a.term(&mut cx.pool, width), b.term(&mut cx.pool, width));
                    let (result, wrapped) = terms::overflowing(&mut cx.pool, op, a, b);
                    (Value::of(&cx.pool, result), Value::of(&cx.pool, wrapped))
                }
            };
            state.set(carry, wrapped);
            set_and_next(state, dst, value);
        }
        Op::FunnelShift { left, width, dst, hi, lo, amount } => {
            let width = u32::from(width);
            let value = match (get(state, hi), get(state, lo), get(state, amount)) {
                (Value::Int(high), Value::Int(low), Value::Int(amount)) => {
                    Value::Int(arith::funnel(left, width, high, low, amount))
                }
                (high, low, amount) => {
                    let (high, low) = (high.term(&mut cx.pool, width), low.term(&mut cx.pool, width));
                    let amount = amount.term(&mut cx.pool, width);
                    let result = terms::funnel(&mut cx.pool, left, high, low, amount);
                    Value::of(&cx.pool, result)
                }
            };
            set_and_next(state, dst, value);
        }
        Op::FBin { .. } | Op::FUn { .. } | Op::FCmp { .. } | Op::FCast { .. } | Op::Fma { .. } => {
            return float::execute(program, cx, state, op);
        }
        Op::Offset { dst, base, offset, .. } => {
            let base = get(state, base).term(&mut cx.pool, 64);
            let distance = cx.pool.constant(64, i128::from(offset) as u128);
            let result = cx.pool.add(base, distance);
            set_and_next(state, dst, Value::of(&cx.pool, result));
        }
        Op::Index { width, dst, base, index, scale, offset, .. } => {
            let base = get(state, base).term(&mut cx.pool, 64);
            let index = get(state, index).term(&mut cx.pool, u32::from(width));
            let index = settled_condition(program, cx, state, index)?;
            let index = if width >= 64 { cx.pool.extract(index, 0, 64) } else { cx.pool.sext(index, 64) };
            let scale = cx.pool.constant(64, u128::from(scale));
            let scaled = cx.pool.mul(index, scale);
            let offset = cx.pool.constant(64, i128::from(offset) as u128);
            let distance = cx.pool.add(scaled, offset);
            let result = cx.pool.add(base, distance);
            set_and_next(state, dst, Value::of(&cx.pool, result));
        }
        Op::Load { width, dst, addr, offset } => return memory::load(program, cx, state, width, dst, addr, offset),
        Op::Store { width, addr, value, offset } => {
            return memory::store(program, cx, state, width, addr, value, offset);
        }
        Op::Alloca { dst, count, size, align, site } => {
            return memory::alloca(program, cx, state, dst, count, size, align, site);
        }
        Op::Forget { .. } | Op::VaEnd { .. } => state.top_mut().pc += 1,
        Op::Memory { op, dst, src, len } => return memory::bulk(program, cx, state, op, dst, src, len),
        Op::Call { call } => return call::execute(program, cx, state, call, budget),
        Op::VaStart { list } => return varargs::start(program, cx, state, list),
        Op::VaCopy { dst, src } => return varargs::copy(program, cx, state, dst, src),
        Op::StackSave { dst } => {
            let depth = state.top().owned.len() as u64;
            set_and_next(state, dst, Value::Int(depth));
        }
        Op::StackRestore { src } => {
            if let Value::Int(depth) = get(state, src) {
                call::release_owned(state, depth as usize);
            }
            state.top_mut().pc += 1;
        }
        Op::FrameAddress { dst } => return memory::frame_address(program, cx, state, dst),
        Op::Assume { cond } => {
            let holds = get(state, cond).term(&mut cx.pool, 1);
            let explain =
                Box::new(|_: &crate::Explaining<'_>| ("an assumption of the source does not hold".into(), vec![]));
            if require(program, cx, state, &Obligation { holds, kind: Kind::Unreachable, explain })? == Alive::No {
                return Ok(Alive::No);
            }
            state.top_mut().pc += 1;
        }
        Op::Jump { .. } | Op::Branch { .. } | Op::CmpBranch { .. } | Op::Switch { .. } | Op::IndirectJump { .. } => {
            return control::execute(program, cx, state, op, budget);
        }
        Op::Return => return call::return_from(program, cx, state, &[]),
        Op::ReturnOne { value } => {
            let value = get(state, value);
            return call::return_from(program, cx, state, &[value]);
        }
        Op::ReturnMany { start, len } => {
            let body = program.module.functions[state.top().function].body.as_ref();
            let operands =
                &body.expect("a frame's function has a body").operands[start as usize..(start + len) as usize];
            let values: Vec<Value> = operands.iter().map(|operand| get(state, *operand)).collect();
            return call::return_from(program, cx, state, &values);
        }
        Op::Trap { kind } => {
            let (kind, message) = match kind {
                TrapKind::Trap | TrapKind::Debug => (Kind::Abort, "trap reached"),
                TrapKind::Sanitizer(number) => crate::builtins::sanitizer_trap(number),
            };
            end_with_fault(program, cx, state, kind, message);
            return Ok(Alive::No);
        }
        Op::Unreachable => {
            end_with_fault(program, cx, state, Kind::Unreachable, "reached code marked unreachable");
            return Ok(Alive::No);
        }
        Op::Unsupported { text } => {
            let text = program.module.texts[text].clone();
            end_with_fault(program, cx, state, Kind::Unsupported, text);
            return Ok(Alive::No);
        }
    }
    Ok(Alive::Yes)
}

fn binary(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    (op, flags, width, dst, a, b): (BinOp, Flags, u8, Reg, Operand, Operand),
) -> Result<Alive, EngineError> {
    let width = u32::from(width);
    let (a, b) = (value_of(program, state, a), value_of(program, state, b));
    let (a, b) = (a.term(&mut cx.pool, width), b.term(&mut cx.pool, width));
    let alive = match op {
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
            let division = Division { op, width, a, b };
            if cx.pool.as_const(b).is_none() {
                sensitive::note(cx, state);
            }
            check(program, cx, state, |monitor, checking| monitor.before_division(checking, &division))?
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::UShlSat | BinOp::SShlSat => {
            let shift = Shift { op, flags, width, a, b };
            check(program, cx, state, |monitor, checking| monitor.before_shift(checking, &shift))?
        }
        BinOp::Add | BinOp::Sub | BinOp::Mul if cx.watch_overflow && flags.has(Flags::NSW) => {
            let arithmetic = Arithmetic { op, flags, width, a, b };
            check(program, cx, state, |monitor, checking| monitor.before_arithmetic(checking, &arithmetic))?
        }
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax
        | BinOp::UAddSat
        | BinOp::SAddSat
        | BinOp::USubSat
        | BinOp::SSubSat => Alive::Yes,
    };
    if alive == Alive::No {
        return Ok(Alive::No);
    }
    let result = terms::binary(&mut cx.pool, op, a, b);
    set_and_next(state, dst, Value::of(&cx.pool, result));
    Ok(Alive::Yes)
}

/// An index that is a condition takes its value: `p += a == b` is a branch in another dress, and a pointer that many
/// conditions have moved is a burden to every query after it.
fn settled_condition(program: &Program, cx: &mut Context, state: &mut State, index: Term) -> Result<Term, EngineError> {
    let (Node::ZExt { term, .. } | Node::SExt { term, .. }) = cx.pool.node(index) else { return Ok(index) };
    if cx.pool.width(term) != 1 {
        return Ok(index);
    }
    settle(program, cx, state, term)?;
    let value = osier_term::eval(&cx.pool, index, &state.witness);
    let width = cx.pool.width(index);
    Ok(cx.pool.constant(width, value))
}
