//! Ending paths: faults, exits and cuts become finished paths with their tests.

use crate::monitor::{Checking, Explaining, Explanation};
use crate::names::{here, stack_of};
use crate::outcome::{Cut, Ending, Fault, Finished, Kind};
use crate::state::bytes_under;
use crate::{Context, Program, State, Stopped};
use osier_ir::LocId;
use osier_term::{Array, Assignment, Term};

/// Whether a fault of this kind at this place would be reported: the first of its kind on its line, unless all are.
pub fn is_news(program: &Program, cx: &Context, kind: Kind, location: LocId) -> bool {
    cx.config.all_errors || !cx.reported.contains(&key(program, kind, location))
}

fn key(program: &Program, kind: Kind, location: LocId) -> (Kind, u32, u32) {
    let at = program.module.locations[location];
    (kind, at.file, at.line)
}

/// Ends the values of a state that `witness` stands for with a fault. The state itself is not touched.
/// `failing` is the condition that sets these values apart from the rest of the path.
pub fn report(
    program: &Program,
    cx: &mut Context,
    state: &State,
    witness: &Assignment,
    failing: Option<Term>,
    kind: Kind,
    (message, notes): Explanation,
) {
    let location = here(program, state);
    if !is_news(program, cx, kind, location) {
        if !state.trail.gone {
            cx.counters.completed += 1;
            cx.journal.unreported(state.trail);
        }
        return;
    }
    if state.trail.gone {
        return;
    }
    cx.reported.insert(key(program, kind, location));
    cx.journal.reported(state.trail, key(program, kind, location));
    let stack = stack_of(program, state);
    let place = stack.iter().find(|place| place.line != 0).or(stack.first()).cloned().unwrap_or_default();
    let fault = Fault { kind, message, place, notes, stack };
    finish(program, cx, state, witness, failing, Ending::Fault(fault));
    if let Some(wanted) = cx.config.exit_on_error
        && wanted.is_none_or(|wanted| wanted == kind)
    {
        cx.stop = Some(Stopped::Error);
    }
}

/// Ends a whole state with a fault.
pub fn end_with_fault(program: &Program, cx: &mut Context, state: &State, kind: Kind, message: impl Into<String>) {
    let witness = state.witness.clone();
    report(program, cx, state, &witness, None, kind, (message.into(), Vec::new()));
}

/// Ends a state because of a limit or at the program's wish.
pub fn end_with_cut(program: &Program, cx: &mut Context, state: &State, cut: Cut) {
    let witness = state.witness.clone();
    finish(program, cx, state, &witness, None, Ending::Cut(cut));
}

/// Ends the values of a state that `witness` stands for and that `apart` tells from its others. The state itself is not touched.
pub fn end_values_with_cut(
    program: &Program,
    cx: &mut Context,
    state: &State,
    witness: &Assignment,
    apart: Term,
    cut: Cut,
) {
    finish(program, cx, state, witness, Some(apart), Ending::Cut(cut));
}

/// Ends a state by `exit` or by its entry's return.
pub fn end_with_exit(program: &Program, cx: &mut Context, state: &State, status: i32) {
    let lost = if cx.monitors.iter().any(|m| m.name() == "leak") { lost_blocks(cx, state) } else { Vec::new() };
    let objects: Vec<_> = lost.iter().map(|id| state.memory.object(*id)).collect();
    let mut faults = Vec::new();
    let Context { monitors, pool, .. } = cx;
    for monitor in monitors.iter_mut() {
        let mut checking = Checking { program, pool, state, location: LocId(0) };
        faults.extend(monitor.at_exit(&mut checking, &objects));
    }
    if faults.is_empty() {
        let witness = state.witness.clone();
        finish(program, cx, state, &witness, None, Ending::Exit(status));
        return;
    }
    for (kind, (message, notes)) in faults {
        let place = notes.iter().find_map(|note| note.place.clone()).unwrap_or_default();
        let fault = Fault { kind, message, stack: vec![place.clone()], place, notes };
        let witness = state.witness.clone();
        finish(program, cx, state, &witness, None, Ending::Fault(fault));
    }
}

/// Heap blocks that no pointer in globals or other reachable memory leads to.
fn lost_blocks(cx: &mut Context, state: &State) -> Vec<osier_memory::ObjectId> {
    let mut open: Vec<_> =
        state.memory.objects().filter(|o| o.is_live() && (!o.is_heap() || o.pinned)).map(|o| o.id).collect();
    let mut reached: rustc_hash::FxHashSet<_> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let object = state.memory.object(id);
        for offset in (0..object.size.saturating_sub(7)).step_by(8) {
            let value = object.contents.read(&mut cx.pool, offset as usize, 64);
            let address = match value.known(&cx.pool) {
                Some(bits) => bits as u64,
                None => {
                    let term = value.term(&mut cx.pool, 64);
                    osier_term::eval(&cx.pool, term, &state.witness) as u64
                }
            };
            if let Some(target) = state.memory.find(address)
                && target.is_live()
                && target.holds(address.wrapping_sub(target.base), 0)
                && reached.insert(target.id)
            {
                open.push(target.id);
            }
        }
    }
    state.memory.objects().filter(|o| o.is_live() && o.is_heap() && !reached.contains(&o.id)).map(|o| o.id).collect()
}

fn finish(
    program: &Program,
    cx: &mut Context,
    state: &State,
    witness: &Assignment,
    failing: Option<Term>,
    ending: Ending,
) {
    if state.trail.gone {
        return;
    }
    let mut final_end = true;
    // The seed did not fit the program: what the state does without it was not asked for.
    if cx.config.other_sides && state.seeds.is_empty() {
        cx.counters.partial += 1;
        return;
    }
    match ending {
        Ending::Exit(_) | Ending::Fault(_) => cx.counters.completed += 1,
        Ending::Cut(cut) => {
            cx.counters.partial += 1;
            let by_the_run = match cut {
                Cut::RunEnded | Cut::Memory => true,
                Cut::Depth | Cut::SolverUnknown | Cut::OtherSide | Cut::Silent => false,
            };
            final_end = !by_the_run && cut != Cut::SolverUnknown;
            // There can be hundreds of thousands of them, and most have shown nothing.
            if by_the_run && !state.covered_new && !cx.config.keep_all_partial {
                return;
            }
        }
    }
    let unexecuted = unexecuted(program, state);
    let mut constraints: Vec<Term> = Vec::new();
    if cx.config.write_kquery || cx.config.write_smt2 {
        constraints = state.path.constraints().collect();
        constraints.extend(failing);
    }
    let arrays: Vec<Array> = state.inputs.iter().map(|input| input.array).collect();
    let kquery = cx.config.write_kquery.then(|| osier_solver::formats::kquery(&cx.pool, &constraints, &arrays));
    let smt2 = cx.config.write_smt2.then(|| osier_solver::formats::smt2(&cx.pool, &constraints, &arrays));
    cx.finished.push_back(Finished {
        ending,
        inputs: state.inputs_under(witness),
        instructions: state.instructions.saturating_sub(unexecuted),
        depth: state.depth,
        covered_new: state.covered_new,
        stdout: bytes_under(&state.stdout, &cx.pool, witness),
        stderr: bytes_under(&state.stderr, &cx.pool, witness),
        asked: state.asked,
        number: (final_end && cx.journal.is_on() && state.trail.is_whole()).then_some(state.trail.number),
        kquery,
        smt2,
    });
}

/// Blocks are counted when they are entered; these are the instructions of the current blocks that never ran.
pub fn unexecuted(program: &Program, state: &State) -> u64 {
    let rest = |frame: &crate::Frame| {
        let Some(body) = &program.module.functions[frame.function].body else { return 0 };
        let block = body.blocks[body.block_of(frame.pc)];
        let after = (frame.pc as usize + 1).min(block.end as usize);
        body.op_weights[after..block.end as usize].iter().map(|weight| u64::from(*weight)).sum()
    };
    state.frames.iter().map(|frame| rest(frame)).sum()
}

/// Explains an obligation under a witness.
pub fn explain(
    program: &Program,
    cx: &Context,
    state: &State,
    witness: &Assignment,
    obligation: &crate::Obligation,
) -> Explanation {
    (obligation.explain)(&Explaining { program, pool: &cx.pool, state, witness })
}
