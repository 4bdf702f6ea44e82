//! Calls and returns, and what runs before and after the entry.

use super::control;
use super::memory::allocate_on_stack;
use super::plain::{blank_frame, recycle};
use super::slow::{check, value_of};
use crate::builtins::{Arguments, Bound};
use crate::fork::{Alive, decide};
use crate::monitor::CallTarget;
use crate::outcome::Kind;
use crate::state::{Agendum, Variadic};
use crate::{Context, EngineError, Program, State, fault};
use osier_ir::{ArgKind, Body, CallId, CallSite, Callee, FuncId, Function};
use osier_memory::{Life, Origin, Value};
use std::rc::Rc;

fn body_of(program: &Program, function: FuncId) -> Option<&Body> {
    program.module.functions[function].body.as_ref()
}

pub fn execute(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    call: CallId,
    budget: &mut i64,
) -> Result<Alive, EngineError> {
    let body = body_of(program, state.top().function).expect("a frame's function has a body");
    let site = &body.calls[call];
    let function = match site.callee {
        Callee::Direct(function) => function,
        Callee::Indirect(pointer) => {
            let address = value_of(program, state, pointer);
            let address = decide(program, cx, state, address)?;
            let function = program.function_at(address);
            let target = CallTarget { function, address, arg_widths: &site.arg_widths, arg_kinds: &site.arg_kinds };
            if check(program, cx, state, |monitor, checking| monitor.before_call(checking, &target))? == Alive::No {
                return Ok(Alive::No);
            }
            match function {
                Some(function) => function,
                None => {
                    fault::end_with_fault(
                        program,
                        cx,
                        state,
                        Kind::InvalidCall,
                        "call through a pointer to no function",
                    );
                    return Ok(Alive::No);
                }
            }
        }
    };
    let args: Vec<Value> = site.args.iter().map(|arg| value_of(program, state, *arg)).collect();
    if let Some(bound) = cx.bound[function.0 as usize] {
        return call_builtin(program, cx, state, call, site, bound, args);
    }
    let callee = &program.module.functions[function];
    if callee.body.is_none() {
        let message = format!("call of {}, which is not defined", callee.name);
        fault::end_with_fault(program, cx, state, Kind::Unsupported, message);
        return Ok(Alive::No);
    }
    if matches!(site.callee, Callee::Direct(_)) && misfits(callee, site) {
        let address = program.function_address(function);
        let target =
            CallTarget { function: Some(function), address, arg_widths: &site.arg_widths, arg_kinds: &site.arg_kinds };
        if check(program, cx, state, |monitor, checking| monitor.before_call(checking, &target))? == Alive::No {
            return Ok(Alive::No);
        }
    }
    if push_frame(program, cx, state, function, Some(call), args, site)? == Alive::No {
        return Ok(Alive::No);
    }
    *budget -= control::entry_weight(program, function);
    Ok(Alive::Yes)
}

/// Whether the arguments do not fit the parameters one to one.
fn misfits(callee: &Function, site: &CallSite) -> bool {
    site.args.len() < callee.params.len()
        || callee.params.iter().zip(&site.arg_widths).any(|(param, width)| param.width != *width)
}

fn call_builtin(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    call: CallId,
    site: &CallSite,
    bound: Bound,
    args: Vec<Value>,
) -> Result<Alive, EngineError> {
    if args.len() < bound.least_args {
        let message = format!("call of {} with {} arguments, which takes {}", bound.name, args.len(), bound.least_args);
        fault::end_with_fault(program, cx, state, Kind::InvalidCall, message);
        return Ok(Alive::No);
    }
    let depth = state.frames.len();
    let arguments = Arguments { values: args, widths: &site.arg_widths, call, site };
    let alive = (bound.run)(program, cx, state, &arguments)?;
    // A built-in that pushed a frame (an exit handler) or left its own moves on by itself.
    if alive == Alive::Yes && state.frames.len() == depth {
        // Where the program has a body for it too, coverage asks whether the call has returned.
        cx.coverage.hit(program.return_point(state.top().function, call));
        state.top_mut().pc += 1;
    }
    Ok(alive)
}

/// Enters a function with no call behind it.
pub fn call_function(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    function: FuncId,
    args: Vec<Value>,
) -> Result<Alive, EngineError> {
    let params = &program.module.functions[function].params;
    let mut args = args;
    args.truncate(params.len());
    while args.len() < params.len() {
        let width = u32::from(params[args.len()].width);
        args.push(Value::from_bits(&mut cx.pool, width, 0));
    }
    let site = CallSite {
        callee: Callee::Direct(function),
        args: Vec::new(),
        arg_kinds: params.iter().map(|param| param.kind).collect(),
        arg_widths: params.iter().map(|param| param.width).collect(),
        results: Vec::new(),
        result_widths: Vec::new(),
        variadic: false,
    };
    push_frame(program, cx, state, function, None, args, &site)
}

fn push_frame(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    function: FuncId,
    call: Option<CallId>,
    args: Vec<Value>,
    site: &CallSite,
) -> Result<Alive, EngineError> {
    let callee = &program.module.functions[function];
    if state.frames.len() as u32 >= cx.config.limits.stack_frames {
        let message = format!("more than {} calls of functions are open", cx.config.limits.stack_frames);
        fault::end_with_fault(program, cx, state, Kind::StackOverflow, message);
        return Ok(Alive::No);
    }
    // Before the frame is there: where a pointer leads to several objects, the others execute the call again.
    for (param, source) in callee.params.iter().zip(&args) {
        if let (ArgKind::ByVal { size: size @ 1.., .. }, Value::Term(_)) = (param.kind, source)
            && super::access_one(program, cx, state, *source, u64::from(size), false)?.is_none()
        {
            return Ok(Alive::No);
        }
    }
    let mut shared = blank_frame(program, cx, function, call);
    let frame = Rc::get_mut(&mut shared).expect("a new frame is not shared");
    for (param, value) in callee.params.iter().zip(&args) {
        frame.registers[param.reg.0 as usize] = fitted(cx, *value, param.width);
    }
    if callee.variadic && args.len() > callee.params.len() {
        let extra = callee.params.len()..args.len();
        let variadic = |i: usize| Variadic { value: args[i], width: site.arg_widths[i], kind: site.arg_kinds[i] };
        frame.variadic = Rc::new(extra.map(variadic).collect());
    }
    state.frames.push(shared);
    for (i, param) in callee.params.iter().enumerate() {
        if let ArgKind::ByVal { size, align } = param.kind
            && copy_by_value(program, cx, state, args[i], size, align, param.reg)? == Alive::No
        {
            return Ok(Alive::No);
        }
    }
    let entry = program.coverage_base[function.0 as usize] as usize;
    if cx.coverage.hit(entry) {
        state.covered_new = true;
        state.covered_at = state.instructions;
    }
    Ok(Alive::Yes)
}

/// A value in a register of another width: what the machine would leave there.
fn fitted(cx: &mut Context, value: Value, width: u8) -> Value {
    let width = u32::from(width);
    match value {
        Value::Int(bits) if width <= 64 => Value::Int(osier_memory::truncate(bits, width)),
        Value::Int(bits) => Value::from_bits(&mut cx.pool, width, u128::from(bits)),
        Value::Term(term) => {
            let has = cx.pool.width(term);
            let term = if has > width { cx.pool.extract(term, 0, width) } else { cx.pool.zext(term, width) };
            Value::of(&cx.pool, term)
        }
    }
}

/// The callee works on its own copy of a structure passed by value.
fn copy_by_value(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    source: Value,
    size: u32,
    align: u32,
    reg: osier_ir::Reg,
) -> Result<Alive, EngineError> {
    let function = state.top().function;
    let location = program.module.functions[function].location;
    let origin = Origin::Arguments { function };
    let Some((_, base)) = allocate_on_stack(cx, state, u64::from(size), u64::from(align), origin, location) else {
        return Ok(Alive::No);
    };
    state.set(reg, Value::Int(base));
    super::copy_bytes(program, cx, state, Value::Int(base), source, Value::Int(u64::from(size)))
}

/// Ends the life of what the innermost frame owns beyond the first `keep` objects.
pub fn release_owned(state: &mut State, keep: usize) {
    while state.top().owned.len() > keep {
        let Some(id) = state.top_mut().owned.pop() else { return };
        state.stack_bytes -= state.memory.object(id).size;
        state.memory.kill(id, Life::Returned);
    }
}

/// Returns from the innermost frame.
pub fn return_from(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    values: &[Value],
) -> Result<Alive, EngineError> {
    if !state.top().owned.is_empty() {
        release_owned(state, 0);
    }
    let left = state.frames.pop().expect("a live state has a frame");
    let call = left.call;
    let function = left.function;
    recycle(cx, left);
    let Some(caller) = state.frames.last() else {
        if function == program.entry && state.exiting.is_none() {
            let status = values.first().copied().unwrap_or(Value::Int(0));
            if let Some(exit) = program.libc_exit {
                return call_function(program, cx, state, exit, vec![status]);
            }
            begin_exit(program, state, status);
        }
        return Ok(Alive::Yes);
    };
    let Some(call) = call else { return Ok(Alive::Yes) };
    let body = body_of(program, caller.function).expect("a frame's function has a body");
    if cx.coverage.hit(program.return_point(caller.function, call)) {
        state.covered_new = true;
        state.covered_at = state.instructions;
    }
    let site = &body.calls[call];
    for (i, (reg, width)) in site.results.iter().zip(&site.result_widths).enumerate() {
        let value = values.get(i).copied().unwrap_or(Value::Int(0));
        let value = fitted(cx, value, *width);
        state.set(*reg, value);
    }
    state.top_mut().pc += 1;
    Ok(Alive::Yes)
}

/// The low byte of what `main` returned, as the shell would see it. A symbolic status takes its value in the witness
/// for the record when the path ends; the path is not narrowed, since nothing follows that depends on it.
pub fn exit_status(cx: &Context, state: &State, value: Value) -> i32 {
    let bits = match value {
        Value::Int(bits) => bits,
        Value::Term(term) => osier_term::eval(&cx.pool, term, &state.witness) as u64,
    };
    i32::from(bits as u8)
}

/// Ends the path as a process ends: no handlers, no flushing.
pub fn end_process(program: &Program, cx: &mut Context, state: &State, status: Value) {
    let status = exit_status(cx, state, status);
    fault::end_with_exit(program, cx, state, status);
}

/// From here on, exit handlers in reverse order, then destructors, then the end.
pub fn begin_exit(program: &Program, state: &mut State, status: Value) {
    let again = state.exiting.replace(status).is_some();
    // An exit handler that calls `exit` changes the status; what is left to run stays the same.
    if again {
        return;
    }
    let destructors = program.module.destructors.iter().rev().map(|f| Agendum::Destructor(*f));
    state.agenda = Rc::new(destructors.collect());
}

/// Starts what is next when no frame is open; ends the state when nothing is left.
pub fn start_next(program: &Program, cx: &mut Context, state: &mut State) -> Result<Alive, EngineError> {
    if state.exiting.is_some()
        && let Some((handler, argument)) = Rc::make_mut(&mut state.at_exit).pop()
    {
        let args: Vec<Value> = argument.map(Value::Int).into_iter().collect();
        return match program.function_at(handler) {
            Some(function) if program.module.functions[function].body.is_some() => {
                call_function(program, cx, state, function, args)
            }
            Some(function) if program.module.functions[function].name == "abort" => {
                fault::end_with_fault(program, cx, state, Kind::Abort, "abort called at exit");
                Ok(Alive::No)
            }
            Some(_) | None => {
                let message = "an exit handler that is not a function of the program";
                fault::end_with_fault(program, cx, state, Kind::Unsupported, message);
                Ok(Alive::No)
            }
        };
    }
    if state.agenda.last() == Some(&Agendum::Surroundings) {
        let environment = Rc::clone(&cx.environment);
        if environment.begin(program, cx, state)? == Alive::No {
            return Ok(Alive::No);
        }
        Rc::make_mut(&mut state.agenda).pop();
    }
    match Rc::make_mut(&mut state.agenda).pop() {
        Some(Agendum::Surroundings) => unreachable!("the surroundings are made once, before everything else"),
        Some(Agendum::Destructor(function)) => call_function(program, cx, state, function, Vec::new()),
        // A constructor is given what main is, as libcs do.
        Some(Agendum::Constructor(function)) => {
            let taken = program.module.functions[function].params.len().min(state.arguments.len());
            let args = state.arguments[..taken].to_vec();
            call_function(program, cx, state, function, args)
        }
        Some(Agendum::Entry(function)) => {
            let named_main = program.module.functions[function].name == "main";
            let args = if named_main { state.arguments.to_vec() } else { Vec::new() };
            call_function(program, cx, state, function, args)
        }
        None => {
            let status = state.exiting.map_or(0, |value| exit_status(cx, state, value));
            fault::end_with_exit(program, cx, state, status);
            Ok(Alive::No)
        }
    }
}
