//! The handlers that code compiled with `-fsanitize=undefined` calls. A call means that the check has failed.

use super::{Arguments, Builtin};
use crate::fault::end_with_fault;
use crate::fork::Alive;
use crate::outcome::Kind;
use crate::{Context, EngineError, Program, State};
use osier_memory::Value;

/// One handler and its aborting twin.
macro_rules! handlers {
    ($($name:ident => $kind:ident, $message:literal;)*) => {
        pub const TABLE: &[Builtin] = &[
            $(
                Builtin { name: concat!("__ubsan_handle_", stringify!($name)), least_args: 0, run: $name },
                Builtin { name: concat!("__ubsan_handle_", stringify!($name), "_abort"), least_args: 0, run: $name },
            )*
            Builtin { name: "__ubsan_handle_divrem_overflow", least_args: 3, run: divrem_overflow },
            Builtin { name: "__ubsan_handle_divrem_overflow_abort", least_args: 3, run: divrem_overflow },
        ];

        $(
            fn $name(
                program: &Program,
                cx: &mut Context,
                state: &mut State,
                _args: &Arguments<'_>,
            ) -> Result<Alive, EngineError> {
                end_with_fault(program, cx, state, Kind::$kind, $message);
                Ok(Alive::No)
            }
        )*
    };
}

handlers! {
    add_overflow => SignedOverflow, "addition overflows";
    sub_overflow => SignedOverflow, "subtraction overflows";
    mul_overflow => SignedOverflow, "multiplication overflows";
    negate_overflow => SignedOverflow, "negation overflows";
    shift_out_of_bounds => Overshift, "shift by too much, or of a negative number";
    out_of_bounds => OutOfBounds, "index outside its array";
    local_out_of_bounds => OutOfBounds, "index outside its array";
    pointer_overflow => OutOfBounds, "pointer arithmetic leaves its object";
    type_mismatch_v1 => NullPointer, "access through a null or misaligned pointer, or to too small an object";
    alignment_assumption => User, "a pointer is not aligned as the source assumes";
    builtin_unreachable => Unreachable, "reached code marked unreachable";
    missing_return => Unreachable, "reached the end of a function that must return a value";
    vla_bound_not_positive => OutOfBounds, "an array's length is not positive";
    float_cast_overflow => SignedOverflow, "a float does not fit the integer type";
    implicit_conversion => SignedOverflow, "an implicit conversion changes the value";
    load_invalid_value => User, "a value that its type does not have";
    invalid_builtin => User, "a built-in function gets an argument that it does not allow";
    function_type_mismatch => InvalidCall, "call through a pointer of another function type";
    nonnull_return_v1 => NullPointer, "a function returns null though it must not";
    nonnull_arg => NullPointer, "an argument is null though it must not be";
    nullability_return_v1 => NullPointer, "a function returns null though it must not";
    nullability_arg => NullPointer, "an argument is null though it must not be";
}

/// The check behind a trap, by clang's number for it (`-fsanitize-trap`).
pub fn sanitizer_trap(number: u8) -> (Kind, &'static str) {
    match number {
        0 => (Kind::SignedOverflow, "addition overflows"),
        1 => (Kind::Unreachable, "reached code marked unreachable"),
        3 => (Kind::DivisionByZero, "division by zero, or one that overflows"),
        5 => (Kind::SignedOverflow, "a float does not fit the integer type"),
        6 => (Kind::InvalidCall, "call through a pointer of another function type"),
        7 => (Kind::SignedOverflow, "an implicit conversion changes the value"),
        10 => (Kind::User, "a value that its type does not have"),
        11 => (Kind::Unreachable, "reached the end of a function that must return a value"),
        12 => (Kind::SignedOverflow, "multiplication overflows"),
        13 => (Kind::SignedOverflow, "negation overflows"),
        14..=17 => (Kind::NullPointer, "a null pointer where there must be none"),
        18 => (Kind::OutOfBounds, "index outside its array"),
        19 => (Kind::OutOfBounds, "pointer arithmetic leaves its object"),
        20 => (Kind::Overshift, "shift by too much, or of a negative number"),
        21 => (Kind::SignedOverflow, "subtraction overflows"),
        22 => (Kind::NullPointer, "access through a null or misaligned pointer, or to too small an object"),
        24 => (Kind::OutOfBounds, "an array's length is not positive"),
        _ => (Kind::Abort, "a check of a sanitizer failed"),
    }
}

fn divrem_overflow(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    args: &Arguments<'_>,
) -> Result<Alive, EngineError> {
    let divisor = match args.values[2] {
        Value::Int(bits) => bits,
        Value::Term(term) => osier_term::eval(&cx.pool, term, &state.witness) as u64,
    };
    let (kind, message) = match divisor {
        0 => (Kind::DivisionByZero, "division by zero"),
        _ => (Kind::SignedOverflow, "division overflows"),
    };
    end_with_fault(program, cx, state, kind, message);
    Ok(Alive::No)
}
