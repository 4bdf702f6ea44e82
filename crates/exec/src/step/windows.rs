//! Where a pointer without a shape leads: the windows of its values, one query each.

use super::access::{ALL_CASES, Cases, cases_of_values};
use crate::fork::{Branch, Hints, Soon, branch_hinted, may_fork};
use crate::outcome::Cut;
use crate::pending::ask;
use crate::{Context, EngineError, Program, State, fault};
use osier_memory::{Case, was_stored, window_guard};
use osier_solver::May;
use osier_term::{Assignment, Term};
use std::time::Instant;

/// Pointers that lead to more objects than this are followed to so many only.
const MOST_TARGETS: usize = 4096;

/// The windows that a pointer without a shape leads to, as far as they have been found.
struct Windows {
    feasible: Vec<(Case, Assignment)>,
    /// A value of the pointer in each.
    examples: Vec<u64>,
    /// The pointer leads to none of them.
    elsewhere: Term,
}

enum Search {
    Complete,
    TooHard,
    /// There may be others, which are lost.
    Incomplete,
}

impl Windows {
    /// Asks for a value, takes its window out, and asks again.
    fn search(
        &mut self,
        program: &Program,
        cx: &mut Context,
        state: &mut State,
        pointer: Term,
        later: bool,
    ) -> Result<Search, EngineError> {
        let enough = Instant::now() + cx.patience.get() * ALL_CASES;
        let mut witness = state.witness.clone();
        loop {
            let example = osier_term::eval(&cx.pool, pointer, &witness) as u64;
            let case = window_guard(&mut cx.pool, &state.memory, pointer, example);
            self.examples.push(example);
            self.feasible.push((case, witness));
            let not_here = cx.pool.not(case.guard);
            self.elsewhere = cx.pool.and(self.elsewhere, not_here);
            if self.feasible.len() >= MOST_TARGETS {
                cx.say_once(format!(
                    "a pointer leads to more than {MOST_TARGETS} objects; the others are not followed"
                ));
                return Ok(Search::Incomplete);
            }
            if later && Instant::now() > enough {
                return Ok(Search::TooHard);
            }
            cx.counters.access_queries += 1;
            match ask(cx, state, self.elsewhere, later)? {
                Soon::Answer(May::Yes(next)) => witness = next,
                Soon::Answer(May::No) => return Ok(Search::Complete),
                Soon::TooHard => return Ok(Search::TooHard),
                Soon::Answer(May::Unknown(_)) => {
                    fault::end_with_cut(program, cx, state, Cut::SolverUnknown);
                    state.trail.lose();
                    return Ok(Search::Incomplete);
                }
            }
        }
    }
}

/// Where a pointer without a shape leads. If it takes too long to find all, the others wait in a state that executes the
/// operation again.
pub fn enumerate(program: &Program, cx: &mut Context, state: &mut State, pointer: Term) -> Result<Cases, EngineError> {
    let later = may_fork(cx, state) && !cx.config.memory.learn;
    loop {
        let mut found = Windows { feasible: Vec::new(), examples: Vec::new(), elsewhere: cx.pool.truth(true) };
        let searched = found.search(program, cx, state, pointer, later)?;
        let Windows { mut feasible, examples, elsewhere } = found;
        match searched {
            Search::Complete => exactly(cx, state, pointer, &examples, &mut feasible, later)?,
            Search::Incomplete => return Ok(Cases { feasible, by_shape: false, complete: false }),
            Search::TooHard => {
                let one_of_them = cx.pool.not(elsewhere);
                match branch_hinted(program, cx, state, one_of_them, Hints { too_hard: true, ..Hints::default() })? {
                    Branch::Then => {}
                    Branch::Both { other, .. } => cx.forked.push(other),
                    // An earlier run has been this way; the state has other values now.
                    Branch::Else => continue,
                }
            }
        }
        return Ok(Cases { feasible, by_shape: false, complete: true });
    }
}

/// Where a pointer that was read from memory has one value in each of its cases, as most have, the cases say so: then
/// offsets are known. One query tells.
fn exactly(
    cx: &mut Context,
    state: &mut State,
    pointer: Term,
    examples: &[u64],
    feasible: &mut [(Case, Assignment)],
    later: bool,
) -> Result<(), EngineError> {
    if !was_stored(&cx.pool, pointer) {
        return Ok(());
    }
    let mut other = cx.pool.truth(true);
    for &example in examples {
        let example = cx.pool.constant(64, u128::from(example));
        let different = cx.pool.ne(pointer, example);
        other = cx.pool.and(other, different);
    }
    cx.counters.access_queries += 1;
    if matches!(ask(cx, state, other, later)?, Soon::Answer(May::No)) {
        state.memory.findings.note_values(&cx.pool, pointer, examples);
        let cases = cases_of_values(cx, state, pointer, examples);
        for ((case, _), exact) in feasible.iter_mut().zip(cases) {
            *case = exact;
        }
    }
    Ok(())
}
