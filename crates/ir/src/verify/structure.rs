//! That every id and range of a body names something, and that its tables are used as they are meant to be.

use super::Findings;
use crate::{Body, Callee, ENTRY, Function, Module, Op, Operand, Reg, Slot, Unpacked, cfg::edge_sources};
use osier_base::EntityVec;

pub(super) fn check(module: &Module, function: &Function, body: &Body, findings: &mut Findings<'_>) {
    if !side_tables(body, findings) || !blocks(body, findings) {
        return;
    }
    let before = findings.found.len();
    params(function, body, findings);
    for (index, op) in body.ops.iter().enumerate() {
        ids_of_op(module, body, index, op, findings);
    }
    for (index, location) in body.op_locations.iter().enumerate() {
        if module.locations.get(*location).is_none() {
            findings.add(Some(index), format_args!("no such {location}"));
        }
    }
    for (op, location) in &body.vanished {
        let known = module.locations.get(*location).is_some() && (*op as usize) < body.ops.len();
        findings.require(known, || format!("{location} vanished into operation {op}, which is not so"));
    }
    let sorted = body.vanished.is_sorted_by_key(|(op, _)| *op);
    findings.require(sorted, || "what vanished is not sorted by operation".to_string());
    tables(module, body, findings);
    if findings.found.len() > before {
        return;
    }
    edges(body, findings);
    ranges(body, findings);
}

fn side_tables(body: &Body, findings: &mut Findings<'_>) -> bool {
    let (ops, locations, weights) = (body.ops.len(), body.op_locations.len(), body.op_weights.len());
    let equal = ops == locations && ops == weights;
    findings.require(equal, || format!("{ops} operations have {locations} locations and {weights} weights"));
    equal
}

/// Blocks lie end to end, and a terminator stands at the end of each and nowhere else.
fn blocks(body: &Body, findings: &mut Findings<'_>) -> bool {
    let mut sound = !body.blocks.is_empty();
    findings.require(sound, || "a body without blocks".into());
    let mut next = 0;
    for (id, block) in body.blocks.iter() {
        let in_place = block.start == next && block.start < block.end && block.end as usize <= body.ops.len();
        if !in_place {
            findings.add(None, format_args!("{id} is {}..{} and should begin at {next}", block.start, block.end));
            return false;
        }
        next = block.end;
        for index in block.start as usize..block.end as usize {
            let last = index + 1 == block.end as usize;
            if body.ops[index].is_terminator() != last {
                let which = if last { "does not end in a terminator" } else { "has a terminator inside" };
                findings.add(Some(index), format_args!("{id} {which}"));
                sound = false;
            }
        }
        let weights = &body.op_weights[block.start as usize..block.end as usize];
        let sum: u32 = weights.iter().copied().map(u32::from).sum();
        findings.require(block.weight >= sum, || format!("{id} weighs {}, its operations {sum}", block.weight));
    }
    let all = next as usize == body.ops.len();
    findings.require(all, || format!("the operations from {next} on lie in no block"));
    sound && all
}

fn params(function: &Function, body: &Body, findings: &mut Findings<'_>) {
    let mut seen = Vec::new();
    for param in &function.params {
        let width = body.registers.get(param.reg).copied();
        let fits = width == Some(param.width);
        findings.require(fits, || format!("parameter {} of {} bits: {width:?}", param.reg, param.width));
        findings.require(!seen.contains(&param.reg), || format!("two parameters in {}", param.reg));
        seen.push(param.reg);
    }
    for (reg, width) in body.registers.iter() {
        findings.require(super::is_width(*width), || format!("{reg} has the width {width}"));
    }
}

fn known(module: &Module, body: &Body, operand: Operand) -> bool {
    match operand.unpack() {
        Unpacked::Reg(reg) => body.registers.get(reg).is_some(),
        Unpacked::Const(constant) => module.constants.get(constant).is_some(),
    }
}

fn ids_of_op(module: &Module, body: &Body, index: usize, op: &Op, findings: &mut Findings<'_>) {
    let mut unknown = |what: &dyn std::fmt::Display| findings.add(Some(index), format_args!("no such {what}"));
    let mut copy = *op;
    copy.for_each_slot(|slot| match slot {
        Slot::Use(operand, _) => {
            if !known(module, body, *operand) {
                unknown(operand);
            }
        }
        Slot::Def(reg, _) => {
            if body.registers.get(*reg).is_none() {
                unknown(reg);
            }
        }
    });
    match *op {
        Op::Call { call } if body.calls.get(call).is_none() => unknown(&call),
        Op::Switch { table, .. } | Op::IndirectJump { table, .. } if body.tables.get(table).is_none() => {
            unknown(&table);
        }
        Op::Alloca { site, .. } if module.sites.get(site).is_none() => unknown(&site),
        Op::Unsupported { text } if module.texts.get(text).is_none() => unknown(&text),
        Op::ReturnMany { start, len } if start as usize + len as usize > body.operands.len() => {
            findings.add(Some(index), "returns operands past the end of their table");
        }
        // Its table exists, so its edges can be asked for.
        _ => {
            for edge in op.edges(body) {
                if body.edges.get(edge).is_none() {
                    unknown(&edge);
                }
            }
        }
    }
}

/// The rows of the side tables, and that each call and each switch table belongs to one operation.
fn tables(module: &Module, body: &Body, findings: &mut Findings<'_>) {
    let mut calls: EntityVec<_, u32> = body.calls.ids().map(|_| 0).collect();
    let mut tables: EntityVec<_, u32> = body.tables.ids().map(|_| 0).collect();
    for op in &body.ops {
        match *op {
            Op::Call { call } => calls.get_mut(call).into_iter().for_each(|n| *n += 1),
            Op::Switch { table, .. } | Op::IndirectJump { table, .. } => {
                tables.get_mut(table).into_iter().for_each(|n| *n += 1);
            }
            _ => {}
        }
    }
    for (id, table) in body.tables.iter() {
        findings.require(tables[id] == 1, || format!("{id} belongs to {} operations", tables[id]));
        for edge in table.cases.iter().map(|&(_, edge)| edge).chain(table.default) {
            findings.require(body.edges.get(edge).is_some(), || format!("{id}: no such {edge}"));
        }
        for (constant, _) in &table.cases {
            findings.require(module.constants.get(*constant).is_some(), || format!("{id}: no such {constant}"));
        }
    }
    for (id, call) in body.calls.iter() {
        findings.require(calls[id] == 1, || format!("{id} belongs to {} operations", calls[id]));
        let (args, kinds, widths) = (call.args.len(), call.arg_kinds.len(), call.arg_widths.len());
        findings.require(args == kinds && args == widths, || {
            format!("{id} has {args} arguments, {kinds} kinds and {widths} widths of them")
        });
        let (results, widths) = (call.results.len(), call.result_widths.len());
        findings.require(results == widths, || format!("{id} has {results} results and {widths} widths of them"));
        let callee = match call.callee {
            Callee::Direct(function) => {
                findings.require(module.functions.get(function).is_some(), || format!("{id}: no such {function}"));
                None
            }
            Callee::Indirect(operand) => Some(operand),
        };
        operands(module, body, call.args.iter().copied().chain(callee), findings);
        registers(body, &call.results, findings);
    }
    operands(module, body, body.operands.iter().copied(), findings);
    operands(module, body, body.moves.iter().map(|step| step.src), findings);
    for step in &body.moves {
        registers(body, &[step.dst], findings);
    }
}

fn operands(module: &Module, body: &Body, all: impl Iterator<Item = Operand>, findings: &mut Findings<'_>) {
    for operand in all {
        findings.require(known(module, body, operand), || format!("no such {operand} in a side table"));
    }
}

fn registers(body: &Body, all: &[Reg], findings: &mut Findings<'_>) {
    for reg in all {
        findings.require(body.registers.get(*reg).is_some(), || format!("no such {reg} in a side table"));
    }
}

/// An edge is taken from one block, so that its coverage says where the path came from; none leads to the entry.
fn edges(body: &Body, findings: &mut Findings<'_>) {
    for (id, edge) in body.edges.iter() {
        let (target, exists) = (edge.target, body.blocks.get(edge.target).is_some());
        findings.require(exists && target != ENTRY, || format!("{id} leads to {target}"));
    }
    let sources = edge_sources(body);
    for (id, source) in sources.iter() {
        findings.require(source.is_some(), || format!("{id} is taken by no terminator"));
    }
    for block in body.blocks.ids() {
        for edge in body.terminator(block).edges(body) {
            let same = sources[edge] == Some(block);
            findings.require(same, || format!("{edge} is taken from {block} and from another block"));
        }
    }
}

/// Every move belongs to one edge, and every returned operand to one return.
fn ranges(body: &Body, findings: &mut Findings<'_>) {
    let moves = body.edges.values().map(|edge| (edge.moves.start, edge.moves.len));
    findings.require(tile(moves, body.moves.len()), || "the edges do not share out the moves".into());
    let returns = body.ops.iter().filter_map(|op| match *op {
        Op::ReturnMany { start, len } => Some((start, len)),
        _ => None,
    });
    findings.require(tile(returns, body.operands.len()), || "the returns do not share out the operands".into());
}

/// Whether the ranges that are not empty cover `0..len` without overlap; empty ones may stand anywhere inside.
fn tile(ranges: impl Iterator<Item = (u32, u32)>, len: usize) -> bool {
    let mut ranges: Vec<(usize, usize)> = ranges.map(|(start, len)| (start as usize, len as usize)).collect();
    ranges.sort_unstable();
    let mut next = 0;
    for (start, count) in ranges {
        if start > len || (count > 0 && start != next) {
            return false;
        }
        if count > 0 {
            next = start + count;
        }
    }
    next == len
}
