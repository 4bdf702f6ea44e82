//! invalid-call: a call through a pointer must reach a function, and with the arguments that it takes.

use osier_exec::outcome::{Kind, Note};
use osier_exec::{CallTarget, Checking, Monitor, Obligation, place_of};
use osier_ir::{ArgKind, FuncId, Function};

struct Calls;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(Calls)
}

impl Monitor for Calls {
    fn name(&self) -> &'static str {
        "invalid-call"
    }

    fn before_call(&mut self, cx: &mut Checking<'_>, call: &CallTarget<'_>) -> Option<Obligation> {
        let message = match call.function {
            None if call.address == 0 => "call through a null pointer".to_string(),
            None => "call through a pointer to no function".to_string(),
            Some(function) => misfit(&cx.program.module.functions[function], call)?,
        };
        let function = call.function;
        Some(Obligation {
            holds: cx.pool.truth(false),
            kind: Kind::InvalidCall,
            explain: Box::new(move |cx| {
                let notes = function.and_then(|function| declared(cx.program, function));
                (message.clone(), notes.into_iter().collect())
            }),
        })
    }
}

fn declared(program: &osier_exec::Program, function: FuncId) -> Option<Note> {
    let location = program.module.functions[function].location;
    let known = program.module.locations[location].line != 0;
    known.then(|| Note { text: "declared here".to_string(), place: Some(place_of(program, location, Some(function))) })
}

/// Which way the ABI passes an argument; those of one class are interchangeable if they are of one width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
    Extended,
}

fn class(kind: ArgKind) -> Class {
    match kind {
        ArgKind::Integer | ArgKind::ByVal { .. } | ArgKind::StructReturn => Class::Integer,
        ArgKind::Float => Class::Float,
        ArgKind::Extended => Class::Extended,
    }
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Integer => "an integer or pointer",
        Class::Float => "a float",
        Class::Extended => "a long double",
    }
}

/// What about the arguments does not fit. More of them than named parameters do no harm: the callee never looks.
fn misfit(function: &Function, call: &CallTarget<'_>) -> Option<String> {
    let (name, given, taken) = (&function.name, call.arg_widths.len(), function.params.len());
    if given < taken {
        let plural = if given == 1 { "" } else { "s" };
        return Some(format!("call of {name} with {given} argument{plural}, which takes {taken}"));
    }
    let arguments = call.arg_widths.iter().zip(call.arg_kinds);
    arguments.zip(&function.params).enumerate().find_map(|(i, ((&width, &kind), param))| {
        let number = i + 1;
        let (given, taken) = (class(kind), class(param.kind));
        if given != taken {
            let (given, taken) = (class_name(given), class_name(taken));
            return Some(format!("call of {name} with {given} as argument {number}, which takes {taken}"));
        }
        (width != param.width)
            .then(|| format!("call of {name} with an argument {number} of {width} bits, which takes {}", param.width))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    /// What calling function g(i32, double) comes to.
    fn message(widths: &[u8], kinds: &[ArgKind]) -> Option<String> {
        let mut world = World::new();
        let function = world.function("g", &[(32, ArgKind::Integer), (64, ArgKind::Float)]);
        let call = CallTarget { function: Some(function), address: 1, arg_widths: widths, arg_kinds: kinds };
        world.verdict(|cx| Calls.before_call(cx, &call)).map(|(_, message)| message)
    }

    #[test]
    fn arguments_must_fit() {
        use ArgKind::{Float, Integer};
        assert_eq!(message(&[32, 64], &[Integer, Float]), None);
        assert_eq!(message(&[32, 64, 8], &[Integer, Float, Integer]), None);
        assert_eq!(message(&[32], &[Integer]).as_deref(), Some("call of g with 1 argument, which takes 2"));
        assert_eq!(message(&[], &[]).as_deref(), Some("call of g with 0 arguments, which takes 2"));
        let expected = "call of g with an argument 2 of 32 bits, which takes 64";
        assert_eq!(message(&[32, 32], &[Integer, Float]).as_deref(), Some(expected));
        let expected = "call of g with an integer or pointer as argument 2, which takes a float";
        assert_eq!(message(&[32, 64], &[Integer, Integer]).as_deref(), Some(expected));
    }

    #[test]
    fn a_pointer_must_lead_to_a_function() {
        let mut world = World::new();
        for (address, expected) in [(0, "call through a null pointer"), (9, "call through a pointer to no function")] {
            let call = CallTarget { function: None, address, arg_widths: &[], arg_kinds: &[] };
            let verdict = world.verdict(|cx| Calls.before_call(cx, &call));
            assert_eq!(verdict, Some((Kind::InvalidCall, expected.to_string())));
        }
    }
}
