//! `klee_open_merge` and `klee_close_merge`: the states that come out of a region become one where they can.
//!
//! A state that closes a region waits until every state that opened it has closed it or ended. Two waiting states are
//! one if they stand at the same place with the same objects: values that differ become choices on the first one's part
//! of the path.

use crate::state::{Frame, MergeScope};
use crate::{Context, Program, State};
use osier_memory::Value;
use osier_solver::Path;
use osier_term::Term;
use std::rc::Rc;

/// States that have closed a region and wait for the others.
#[derive(Default)]
pub struct Waiting {
    states: Vec<(MergeScope, State)>,
}

impl Waiting {
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Takes a state in, merged into one that waits already if that is possible.
    pub fn park(&mut self, program: &Program, cx: &mut Context, scope: MergeScope, state: State) {
        for (other_scope, waiting) in &mut self.states {
            if *other_scope == scope && merge(program, cx, waiting, &state) {
                return;
            }
        }
        self.states.push((scope, state));
    }

    /// The states of regions that no other state is in any more.
    pub fn release<'a>(&mut self, live: impl Iterator<Item = &'a State> + Clone) -> Vec<State> {
        let mut released = Vec::new();
        loop {
            let done = self.states.iter().position(|(scope, _)| {
                let inside = |state: &State| state.merging.contains(scope);
                !live.clone().any(inside) && !self.states.iter().any(|(_, state)| inside(state))
            });
            match done {
                Some(done) => released.push(self.states.remove(done).1),
                None => return released,
            }
        }
    }

    pub fn drain(&mut self) -> Vec<State> {
        std::mem::take(&mut self.states).into_iter().map(|(_, state)| state).collect()
    }
}

/// Makes `state` stand for `other` too. False, and nothing changed, if they differ in more than values.
fn merge(program: &Program, cx: &mut Context, state: &mut State, other: &State) -> bool {
    let same_inputs = state.inputs.len() == other.inputs.len()
        && state.inputs.iter().zip(other.inputs.iter()).all(|(a, b)| a.array == b.array);
    let alike = same_inputs
        && same_stack(state, other)
        && state.stdout == other.stdout
        && state.stderr == other.stderr
        && state.asked == other.asked
        && Rc::ptr_eq(&state.surroundings, &other.surroundings)
        && state.agenda == other.agenda
        && state.at_exit == other.at_exit
        && state.exiting == other.exiting
        && state.errno == other.errno
        && state.merging == other.merging
        && state.forking == other.forking;
    if !alike {
        return false;
    }
    let Some(objects) = state.memory.differences(&other.memory) else { return false };
    let (common, mine, theirs) = split_paths(cx, state, other);
    state.memory.merge(&mut cx.pool, &other.memory, &objects, mine);
    for (frame, their) in state.frames.iter_mut().zip(&other.frames) {
        if !Rc::ptr_eq(frame, their) {
            merge_registers(program, cx, Rc::make_mut(frame), their, mine);
        }
    }
    let either = cx.pool.or(mine, theirs);
    state.path = common;
    state.path.add(&mut cx.pool, either);
    Rc::make_mut(&mut state.seeds).extend(other.seeds.iter().cloned());
    state.depth = state.depth.min(other.depth);
    state.covered_new |= other.covered_new;
    state.covered_at = state.covered_at.max(other.covered_at);
    true
}

fn same_stack(a: &State, b: &State) -> bool {
    a.frames.len() == b.frames.len()
        && a.frames.iter().zip(&b.frames).all(|(a, b)| {
            a.function == b.function && a.pc == b.pc && a.owned == b.owned && a.call == b.call && same_extra(a, b)
        })
}

fn same_extra(a: &Frame, b: &Frame) -> bool {
    a.variadic.len() == b.variadic.len() && a.variadic.iter().zip(b.variadic.iter()).all(|(a, b)| a.value == b.value)
}

/// What both paths begin with, and the conjunction of what each adds to it.
fn split_paths(cx: &mut Context, a: &State, b: &State) -> (Path, Term, Term) {
    let (a, b): (Vec<Term>, Vec<Term>) = (a.path.constraints().collect(), b.path.constraints().collect());
    let shared = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let mut common = Path::new();
    for term in &a[..shared] {
        common.add(&mut cx.pool, *term);
    }
    let mut conjunction = |terms: &[Term]| {
        let start = cx.pool.truth(true);
        terms.iter().fold(start, |all, term| cx.pool.and(all, *term))
    };
    let (mine, theirs) = (conjunction(&a[shared..]), conjunction(&b[shared..]));
    (common, mine, theirs)
}

fn merge_registers(program: &Program, cx: &mut Context, frame: &mut Frame, other: &Frame, condition: Term) {
    let body = program.module.functions[frame.function].body.as_ref().expect("a frame's function has a body");
    for (i, width) in body.registers.values().enumerate() {
        let (mine, their) = (frame.registers[i], other.registers[i]);
        if mine == their {
            continue;
        }
        let width = u32::from(*width);
        let (a, b) = (mine.term(&mut cx.pool, width), their.term(&mut cx.pool, width));
        let chosen = cx.pool.ite(condition, a, b);
        frame.registers[i] = Value::of(&cx.pool, chosen);
    }
}
