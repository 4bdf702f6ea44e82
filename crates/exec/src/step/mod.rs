//! Running a state. The loop here executes everything that is concrete and in order; whatever involves a term, a
//! check or a fork goes to `slow`, which does the whole operation and moves on.

mod access;
mod arith;
mod call;
mod chunks;
mod control;
mod float;
mod memory;
mod place;
mod plain;
mod reach;
mod slow;
mod terms;
mod varargs;
mod windows;

pub use crate::fault::end_with_fault;
pub use access::{access_one, target_of};
pub use call::{begin_exit, call_function, end_process, exit_status, release_owned};
pub use memory::{copy_bytes, fill_bytes, fresh_contents, read_bytes, read_c_string, read_string};
pub use slow::check;

use crate::fork::Alive;
use crate::{Context, EngineError, Program, State};
use osier_ir::{CastOp, Op, Operand, Unpacked};
use osier_memory::{Value, mask, truncate};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How a run of a state ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It is alive; the searcher should choose again.
    Yield,
    /// It has ended and been reported.
    Ended,
}

/// Runs a state until it ends, forks, or has used up its slice of instructions.
pub fn run(program: &Program, cx: &mut Context, state: &mut State, slice: u64) -> Result<Step, EngineError> {
    let mut meter = Meter { budget: slice as i64, counted: slice as i64, slow: 0, began: Instant::now() };
    let result = run_frames(program, cx, state, &mut meter);
    meter.settle(cx, state);
    result
}

/// Counts instructions by whole blocks. Before anything can fork, what has been spent goes to the state.
struct Meter {
    budget: i64,
    counted: i64,
    slow: u32,
    began: Instant,
}

/// A slice that takes longer ends, so that the engine sees its limits: with terms of a hundred thousand parts a single
/// operation takes tens of milliseconds.
const LONG: Duration = Duration::from_millis(250);
/// Slow operations between two looks at the clock.
const LOOK_EVERY: u32 = 16;

impl Meter {
    /// After a slow operation: whether the slice has taken long.
    fn is_late(&mut self) -> bool {
        self.slow += 1;
        self.slow.is_multiple_of(LOOK_EVERY) && self.began.elapsed() > LONG
    }

    fn settle(&mut self, cx: &mut Context, state: &mut State) {
        let spent = (self.counted - self.budget) as u64;
        self.counted = self.budget;
        state.instructions += spent;
        cx.counters.instructions += spent;
    }
}

#[inline(always)]
fn read(registers: &[Value], constants: &[Value], operand: Operand) -> Value {
    match operand.unpack() {
        Unpacked::Reg(reg) => registers[reg.0 as usize],
        Unpacked::Const(constant) => constants[constant.0 as usize],
    }
}

#[allow(clippy::too_many_lines, reason = "the dispatch loop is one flat match so that it compiles to one jump table")]
fn run_frames(program: &Program, cx: &mut Context, state: &mut State, meter: &mut Meter) -> Result<Step, EngineError> {
    let constants = program.constants.as_slice();
    let watch_overflow = cx.watch_overflow;
    'frames: loop {
        let State { frames, memory, covered_new, covered_at, instructions, .. } = &mut *state;
        let Some(frame) = frames.last_mut() else {
            match call::start_next(program, cx, state)? {
                Alive::Yes => {
                    meter.budget -= control::entry_weight(program, state.top().function);
                    continue 'frames;
                }
                Alive::No => return Ok(Step::Ended),
            }
        };
        let frame = Rc::make_mut(frame);
        let body = program.module.functions[frame.function].body.as_ref().expect("a frame's function has a body");
        let edge_points = program.coverage_base[frame.function.0 as usize] as usize + 1;
        let ops = body.ops.as_slice();
        let registers = frame.registers.as_mut_slice();
        let mut pc = frame.pc as usize;

        macro_rules! get {
            ($operand:expr) => {
                read(registers, constants, $operand)
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {
                registers[$reg.0 as usize] = $value
            };
        }
        // Leaves the fast loop: `slow` executes the operation at `pc` and moves on.
        macro_rules! slow {
            ($op:expr) => {{
                frame.pc = pc as u32;
                slow_here!($op)
            }};
        }
        // The same where the frame knows its place already.
        macro_rules! slow_here {
            ($op:expr) => {{
                meter.settle(cx, state);
                let alive = slow::execute(program, cx, state, $op, &mut meter.budget)?;
                if alive == Alive::No {
                    return Ok(Step::Ended);
                }
                if !cx.forked.is_empty() || meter.budget <= 0 || cx.park.is_some() || cx.journal.gone || meter.is_late()
                {
                    return Ok(Step::Yield);
                }
                continue 'frames;
            }};
        }
        // Goes on in another frame.
        macro_rules! cross {
            ($op:expr, $crossed:expr) => {{
                let Some(crossed) = $crossed else { slow_here!($op) };
                if crossed.covered_new {
                    *covered_new = true;
                    *covered_at = *instructions + (meter.counted - meter.budget) as u64;
                }
                meter.budget -= crossed.weight;
                if meter.budget <= 0 {
                    return Ok(Step::Yield);
                }
                continue 'frames;
            }};
        }
        macro_rules! go {
            ($edge:expr) => {{
                let edge = $edge;
                if cx.coverage.hit(edge_points + edge.0 as usize) {
                    *covered_new = true;
                    *covered_at = *instructions + (meter.counted - meter.budget) as u64;
                }
                let edge = &body.edges[edge];
                let moves = edge.moves.start as usize..(edge.moves.start + edge.moves.len) as usize;
                for step in &body.moves[moves] {
                    set!(step.dst, get!(step.src));
                }
                let block = &body.blocks[edge.target];
                pc = block.start as usize;
                meter.budget -= i64::from(block.weight);
                if meter.budget <= 0 {
                    frame.pc = pc as u32;
                    return Ok(Step::Yield);
                }
                continue;
            }};
        }

        loop {
            let op = &ops[pc];
            match *op {
                Op::Move { dst, src } => set!(dst, get!(src)),
                Op::Bin { op: kind, flags, width, dst, a, b } => {
                    let (Value::Int(x), Value::Int(y)) = (get!(a), get!(b)) else { slow!(op) };
                    match arith::concrete(kind, flags, u32::from(width), x, y, watch_overflow) {
                        Some(bits) => set!(dst, Value::Int(bits)),
                        None => slow!(op),
                    }
                }
                Op::Cmp { op: kind, width, dst, a, b } => {
                    let (Value::Int(x), Value::Int(y)) = (get!(a), get!(b)) else { slow!(op) };
                    set!(dst, Value::Int(u64::from(arith::compare(kind, u32::from(width), x, y))));
                }
                Op::Cast { op: kind, from, to, dst, src } => {
                    let Value::Int(bits) = get!(src) else { slow!(op) };
                    if to > 64 {
                        slow!(op)
                    }
                    let bits = match kind {
                        CastOp::Trunc => truncate(bits, u32::from(to)),
                        CastOp::ZExt => bits,
                        CastOp::SExt => arith::sign_extend(bits, u32::from(from)) as u64 & mask(u32::from(to)),
                    };
                    set!(dst, Value::Int(bits));
                }
                Op::Select { dst, cond, then, other, .. } => {
                    let Value::Int(cond) = get!(cond) else { slow!(op) };
                    set!(dst, if cond != 0 { get!(then) } else { get!(other) });
                }
                Op::Offset { dst, base, offset, .. } => {
                    let Value::Int(base) = get!(base) else { slow!(op) };
                    set!(dst, Value::Int(base.wrapping_add_signed(i64::from(offset))));
                }
                Op::Index { width, dst, base, index, scale, offset, .. } => {
                    let (Value::Int(base), Value::Int(index)) = (get!(base), get!(index)) else { slow!(op) };
                    let index = arith::sign_extend(index, u32::from(width));
                    let distance = index.wrapping_mul(i64::from(scale)).wrapping_add(i64::from(offset));
                    set!(dst, Value::Int(base.wrapping_add_signed(distance)));
                }
                Op::Load { width, dst, addr, offset } => {
                    let Value::Int(addr) = get!(addr) else { slow!(op) };
                    let addr = addr.wrapping_add_signed(i64::from(offset));
                    if width > 64 {
                        slow!(op)
                    }
                    match memory.read_concrete(addr, usize::from(width).div_ceil(8)) {
                        Some(bits) => set!(dst, Value::Int(truncate(bits, u32::from(width)))),
                        None => slow!(op),
                    }
                }
                Op::Store { width, addr, value, offset } => {
                    let (Value::Int(addr), Value::Int(bits)) = (get!(addr), get!(value)) else { slow!(op) };
                    let addr = addr.wrapping_add_signed(i64::from(offset));
                    if width > 64 || !memory.write_concrete(addr, usize::from(width).div_ceil(8), bits) {
                        slow!(op)
                    }
                }
                Op::Jump { edge } => go!(edge),
                Op::Branch { cond, then, other } => {
                    let Value::Int(cond) = get!(cond) else { slow!(op) };
                    go!(if cond != 0 { then } else { other })
                }
                Op::CmpBranch { op: kind, width, a, b, then, other } => {
                    let (Value::Int(x), Value::Int(y)) = (get!(a), get!(b)) else { slow!(op) };
                    go!(if arith::compare(kind, u32::from(width), x, y) { then } else { other })
                }
                Op::Switch { value, table, .. } => {
                    let Value::Int(bits) = get!(value) else { slow!(op) };
                    go!(control::switch_edge(program, &body.tables[table], u128::from(bits)))
                }
                Op::FBin { op: kind, kind: float, dst, a, b } => {
                    let (Value::Int(x), Value::Int(y)) = (get!(a), get!(b)) else { slow!(op) };
                    match float::host_binary(kind, float, x, y) {
                        Some(bits) => set!(dst, Value::Int(bits)),
                        None => slow!(op),
                    }
                }
                Op::Call { call } => {
                    frame.pc = pc as u32;
                    let Some(callee) = program.plain_call(frame.function, call) else { slow_here!(op) };
                    cross!(op, plain::enter(program, cx, frames, callee, call))
                }
                Op::Return => {
                    frame.pc = pc as u32;
                    cross!(op, plain::leave(program, cx, frames, None))
                }
                Op::ReturnOne { value } => {
                    frame.pc = pc as u32;
                    cross!(op, plain::leave(program, cx, frames, Some(value)))
                }
                Op::Un { .. }
                | Op::Overflow { .. }
                | Op::FunnelShift { .. }
                | Op::FUn { .. }
                | Op::FCmp { .. }
                | Op::FCast { .. }
                | Op::Fma { .. }
                | Op::Alloca { .. }
                | Op::Forget { .. }
                | Op::Memory { .. }
                | Op::VaStart { .. }
                | Op::VaCopy { .. }
                | Op::VaEnd { .. }
                | Op::StackSave { .. }
                | Op::StackRestore { .. }
                | Op::FrameAddress { .. }
                | Op::Assume { .. }
                | Op::IndirectJump { .. }
                | Op::ReturnMany { .. }
                | Op::Trap { .. }
                | Op::Unreachable
                | Op::Unsupported { .. } => slow!(op),
            }
            pc += 1;
        }
    }
}
