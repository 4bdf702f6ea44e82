//! Tests for the other sides of one path: the run follows its seed to the end, and of every branch on the way it asks
//! once whether the other side has an input. What lies behind that is not executed.

use crate::fork::may;
use crate::outcome::Cut;
use crate::{Context, EngineError, Program, State, fault};
use osier_solver::May;
use osier_term::Term;

/// Gives a test for the path so far with `condition`, which is not what the seed has, if there are such values.
pub fn other_side(program: &Program, cx: &mut Context, state: &mut State, condition: Term) -> Result<(), EngineError> {
    match may(cx, state, condition)? {
        May::Yes(witness) => fault::end_values_with_cut(program, cx, state, &witness, condition, Cut::OtherSide),
        May::No => {}
        May::Unknown(_) => fault::end_with_cut(program, cx, state, Cut::SolverUnknown),
    }
    Ok(())
}
