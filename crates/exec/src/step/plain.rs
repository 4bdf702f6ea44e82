//! Calls and returns that need no second look: see `Program::plain_call`. Most calls are such, and the fast loop does
//! them itself.

use super::control::entry_weight;
use crate::{Context, Frame, Program};
use osier_ir::{CallId, FuncId, Operand};
use osier_memory::Value;
use std::rc::Rc;

/// What a step along a call did.
pub struct Crossed {
    pub covered_new: bool,
    /// The instructions of the block that is entered.
    pub weight: i64,
}

/// A frame to fill in, reused if one is spare.
pub fn blank_frame(program: &Program, cx: &mut Context, function: FuncId, call: Option<CallId>) -> Rc<Frame> {
    let body = program.module.functions[function].body.as_ref().expect("only functions with a body are entered");
    let mut shared = cx.spare_frames.pop().unwrap_or_else(|| {
        Rc::new(Frame {
            function,
            pc: 0,
            registers: Vec::new(),
            owned: Vec::new(),
            variadic: Rc::default(),
            call: None,
        })
    });
    let frame = Rc::get_mut(&mut shared).expect("spare frames are not shared");
    frame.function = function;
    frame.pc = 0;
    frame.call = call;
    frame.registers.resize(body.registers.len(), Value::Int(0));
    shared
}

/// Keeps a frame that nobody else holds for the next call.
pub fn recycle(cx: &mut Context, mut frame: Rc<Frame>) {
    if cx.spare_frames.len() < 64
        && let Some(inner) = Rc::get_mut(&mut frame)
    {
        inner.registers.clear();
        if !inner.variadic.is_empty() {
            inner.variadic = Rc::default();
        }
        cx.spare_frames.push(frame);
    }
}

/// Enters a callee from the innermost frame, which stands at the call. Nothing if the stack is full.
pub fn enter(
    program: &Program,
    cx: &mut Context,
    frames: &mut Vec<Rc<Frame>>,
    callee: FuncId,
    call: CallId,
) -> Option<Crossed> {
    if frames.len() as u32 >= cx.config.limits.stack_frames {
        return None;
    }
    let mut entered = blank_frame(program, cx, callee, Some(call));
    let target = Rc::get_mut(&mut entered).expect("a new frame is not shared");
    let caller = frames.last().expect("a call has a caller");
    let body = program.module.functions[caller.function].body.as_ref().expect("a frame's function has a body");
    for (param, arg) in program.module.functions[callee].params.iter().zip(&body.calls[call].args) {
        target.registers[param.reg.0 as usize] = super::read(&caller.registers, &program.constants, *arg);
    }
    frames.push(entered);
    let covered_new = cx.coverage.hit(program.coverage_base[callee.0 as usize] as usize);
    Some(Crossed { covered_new, weight: entry_weight(program, callee) })
}

/// Returns from the innermost frame, if it owns nothing and answers a plain call.
pub fn leave(
    program: &Program,
    cx: &mut Context,
    frames: &mut Vec<Rc<Frame>>,
    value: Option<Operand>,
) -> Option<Crossed> {
    let [.., caller, left] = frames.as_slice() else { return None };
    let call = left.call?;
    if !left.owned.is_empty() || program.plain_call(caller.function, call).is_none() {
        return None;
    }
    let value = value.map(|value| super::read(&left.registers, &program.constants, value));
    let left = frames.pop().expect("it was there a moment ago");
    recycle(cx, left);
    let caller = Rc::make_mut(frames.last_mut().expect("it was there a moment ago"));
    let body = program.module.functions[caller.function].body.as_ref().expect("a frame's function has a body");
    if let (Some(value), Some(result)) = (value, body.calls[call].results.first()) {
        caller.registers[result.0 as usize] = value;
    }
    caller.pc += 1;
    Some(Crossed { covered_new: cx.coverage.hit(program.return_point(caller.function, call)), weight: 0 })
}
