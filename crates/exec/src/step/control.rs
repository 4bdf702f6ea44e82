//! Branches, switches and indirect jumps whose condition is a term, and the way along an edge.

use super::slow::{check_use, value_of};
use super::terms;
use crate::fork::{Alive, Branch, Hints, branch, branch_hinted, decide};
use crate::monitor::UninitialisedUse;
use crate::outcome::{Cut, Kind};
use crate::{Context, EngineError, Program, State, fault};
use osier_ir::{Body, EdgeId, FuncId, Op, SwitchTable};
use osier_memory::Value;
use osier_term::Term;

/// The edge that a known value takes.
pub fn switch_edge(program: &Program, table: &SwitchTable, value: u128) -> EdgeId {
    let is_value = |constant: &osier_ir::ConstId| match program.module.constants[*constant] {
        osier_ir::Constant::Int { value: case, .. } => case == value,
        _ => false,
    };
    let found = table.cases.iter().find(|(constant, _)| is_value(constant)).map(|(_, edge)| *edge);
    found.or(table.default).expect("a switch has a default")
}

pub fn entry_weight(program: &Program, function: FuncId) -> i64 {
    let body = program.module.functions[function].body.as_ref();
    body.and_then(|body| body.blocks.as_slice().first()).map_or(0, |block| i64::from(block.weight))
}

fn body_of<'a>(program: &'a Program, state: &State) -> &'a Body {
    program.module.functions[state.top().function].body.as_ref().expect("a frame's function has a body")
}

/// Moves a state along an edge of its function. Gives the instructions of the block that it enters.
pub fn go(program: &Program, cx: &mut Context, state: &mut State, edge: EdgeId) -> i64 {
    let function = state.top().function;
    let point = program.coverage_base[function.0 as usize] as usize + 1 + edge.0 as usize;
    if cx.cover(state, point) {
        state.covered_new = true;
        state.covered_at = state.instructions;
    }
    let body = body_of(program, state);
    let edge = &body.edges[edge];
    for step in &body.moves[edge.moves.start as usize..(edge.moves.start + edge.moves.len) as usize] {
        let value = value_of(program, state, step.src);
        state.set(step.dst, value);
    }
    let block = &body.blocks[edge.target];
    state.top_mut().pc = block.start;
    i64::from(block.weight)
}

pub fn execute(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    op: &Op,
    budget: &mut i64,
) -> Result<Alive, EngineError> {
    match *op {
        Op::Jump { edge } => *budget -= go(program, cx, state, edge),
        Op::Branch { cond, then, other } => {
            let cond = value_of(program, state, cond).term(&mut cx.pool, 1);
            return two_ways(program, cx, state, cond, then, other, budget);
        }
        Op::CmpBranch { op, width, a, b, then, other } => {
            let width = u32::from(width);
            let a = value_of(program, state, a).term(&mut cx.pool, width);
            let b = value_of(program, state, b).term(&mut cx.pool, width);
            let cond = terms::compare(&mut cx.pool, op, a, b);
            return two_ways(program, cx, state, cond, then, other, budget);
        }
        Op::Switch { width, value, table } => {
            let value = value_of(program, state, value).term(&mut cx.pool, u32::from(width));
            let table = &body_of(program, state).tables[table];
            return switch(program, cx, state, value, table, budget);
        }
        Op::IndirectJump { addr, table } => {
            let table = &body_of(program, state).tables[table];
            let address = value_of(program, state, addr);
            let address = decide(program, cx, state, address)?;
            let leads_there =
                |case: &&(osier_ir::ConstId, EdgeId)| program.constants[case.0.0 as usize] == Value::Int(address);
            let Some((_, edge)) = table.cases.iter().find(leads_there) else {
                fault::end_with_fault(program, cx, state, Kind::InvalidCall, "jump to an address that is no label");
                return Ok(Alive::No);
            };
            *budget -= go(program, cx, state, *edge);
        }
        _ => unreachable!("only jumps come here"),
    }
    Ok(Alive::Yes)
}

fn two_ways(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    cond: Term,
    then: EdgeId,
    other: EdgeId,
    budget: &mut i64,
) -> Result<Alive, EngineError> {
    if check_use(program, cx, state, cond, UninitialisedUse::Branch)? == Alive::No {
        return Ok(Alive::No);
    }
    let base = program.coverage_base[state.top().function.0 as usize] as usize + 1;
    let toward = (base + then.0 as usize, base + other.0 as usize);
    let hints = Hints { toward: Some(toward), ..Hints::default() };
    match branch_hinted(program, cx, state, cond, hints)? {
        Branch::Then => *budget -= go(program, cx, state, then),
        Branch::Else => *budget -= go(program, cx, state, other),
        Branch::Both { then_here, other: mut child } => {
            let (mine, theirs) = if then_here { (then, other) } else { (other, then) };
            *budget -= go(program, cx, state, mine);
            let weight = go(program, cx, &mut child, theirs);
            add_child(cx, child, weight);
        }
    }
    Ok(within_depth(program, cx, state))
}

/// Hands a forked state to the engine, with the instructions of the block that it entered.
fn add_child(cx: &mut Context, mut child: State, weight: i64) {
    child.instructions += weight as u64;
    cx.counters.instructions += weight as u64;
    cx.forked.push(child);
}

/// Ends a state that has forked too often. Its children are looked at when they run.
pub fn within_depth(program: &Program, cx: &mut Context, state: &State) -> Alive {
    if cx.config.limits.depth.is_some_and(|most| state.depth > most) {
        fault::end_with_cut(program, cx, state, Cut::Depth);
        return Alive::No;
    }
    Alive::Yes
}

/// Peels off one target after another; cases with the same target are one condition.
fn switch(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    value: Term,
    table: &SwitchTable,
    budget: &mut i64,
) -> Result<Alive, EngineError> {
    if check_use(program, cx, state, value, UninitialisedUse::Branch)? == Alive::No {
        return Ok(Alive::No);
    }
    let body = body_of(program, state);
    let mut ways: Vec<(EdgeId, Term)> = Vec::new();
    let width = cx.pool.width(value);
    for (constant, edge) in &table.cases {
        let case = program.constants[constant.0 as usize].term(&mut cx.pool, width);
        let here = cx.pool.eq(value, case);
        // Edges to one block with no moves are one way: which case it was makes no difference.
        let same = |e: EdgeId| {
            let (x, y) = (body.edges[e], body.edges[*edge]);
            x.target == y.target && x.moves.len == 0 && y.moves.len == 0
        };
        match ways.iter_mut().find(|(other, _)| same(*other)) {
            Some((_, condition)) => *condition = cx.pool.or(*condition, here),
            None => ways.push((*edge, here)),
        }
    }
    let default = table.default.expect("a switch has a default");
    for (edge, condition) in ways {
        match branch(program, cx, state, condition)? {
            Branch::Then => {
                *budget -= go(program, cx, state, edge);
                return Ok(within_depth(program, cx, state));
            }
            Branch::Else => {}
            Branch::Both { then_here, other: mut child } => {
                if then_here {
                    // The one that has to try the further cases is now the child.
                    std::mem::swap(state, &mut child);
                }
                let weight = go(program, cx, &mut child, edge);
                add_child(cx, child, weight);
            }
        }
    }
    *budget -= go(program, cx, state, default);
    Ok(within_depth(program, cx, state))
}
