//! Intrinsics by which a program talks to the person who runs it.

use super::{Arguments, Builtin};
use crate::fault::end_with_fault;
use crate::fork::Alive;
use crate::names::stack_of;
use crate::outcome::Kind;
use crate::step::read_string;
use crate::{Context, EngineError, Program, State};
use osier_memory::Value;

pub const TABLE: &[Builtin] = &[
    Builtin { name: "klee_warning", least_args: 1, run: warning },
    Builtin { name: "osier_warning", least_args: 1, run: warning },
    Builtin { name: "klee_warning_once", least_args: 1, run: warning_once },
    Builtin { name: "osier_warning_once", least_args: 1, run: warning_once },
    Builtin { name: "klee_print_expr", least_args: 2, run: print_term },
    Builtin { name: "osier_print_expr", least_args: 2, run: print_term },
    Builtin { name: "klee_print_range", least_args: 2, run: print_range },
    Builtin { name: "osier_print_range", least_args: 2, run: print_range },
    Builtin { name: "klee_stack_trace", least_args: 0, run: stack_trace },
    Builtin { name: "osier_stack_trace", least_args: 0, run: stack_trace },
    Builtin { name: "klee_report_error", least_args: 4, run: report_error },
    Builtin { name: "osier_report_error", least_args: 4, run: report_error },
];

type Outcome = Result<Alive, EngineError>;

fn warning(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let text = read_string(cx, state, args.values[0]);
    cx.say(format!("the program warns: {text}"));
    Ok(Alive::Yes)
}

fn warning_once(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let text = read_string(cx, state, args.values[0]);
    cx.say_once(format!("the program warns: {text}"));
    Ok(Alive::Yes)
}

fn shown(cx: &Context, value: Value) -> String {
    match value {
        Value::Int(bits) => bits.to_string(),
        Value::Term(term) => cx.pool.display(term).to_string(),
    }
}

fn print_term(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let text = read_string(cx, state, args.values[0]);
    let values: Vec<String> = args.values[1..].iter().map(|value| shown(cx, *value)).collect();
    cx.say(format!("{text}:{}", values.join(" ")));
    Ok(Alive::Yes)
}

fn print_range(_program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let text = read_string(cx, state, args.values[0]);
    let Value::Term(term) = args.values[1] else {
        let value = shown(cx, args.values[1]);
        cx.say(format!("{text}:{value}"));
        return Ok(Alive::Yes);
    };
    let Context { oracle, pool, .. } = &mut *cx;
    let low = oracle.min(pool, &state.path, &state.witness, term)?.value;
    let high = oracle.max(pool, &state.path, &state.witness, term)?.value;
    let term = shown(cx, args.values[1]);
    cx.say(format!("{text}:{term} (in [{low}, {high}])"));
    Ok(Alive::Yes)
}

fn stack_trace(program: &Program, cx: &mut Context, state: &mut State, _args: &Arguments<'_>) -> Outcome {
    let lines: Vec<String> =
        stack_of(program, state).iter().map(|place| format!("  {} at {place}", place.function)).collect();
    cx.say(format!("stack:\n{}", lines.join("\n")));
    Ok(Alive::Yes)
}

fn report_error(program: &Program, cx: &mut Context, state: &mut State, args: &Arguments<'_>) -> Outcome {
    let message = read_string(cx, state, args.values[2]);
    end_with_fault(program, cx, state, Kind::User, message);
    Ok(Alive::No)
}
