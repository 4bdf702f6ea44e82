//! From blocks and edges to source lines, branches and functions.

use osier_exec::{Coverage, Program};
use osier_ir::{Body, FuncId, Function, Op};
use osier_report::lcov::{self, BranchCoverage, FileCoverage, FunctionCoverage, LineCoverage};
use osier_report::summary::{CoverageSummary, Share};
use std::collections::BTreeMap;

#[derive(Default)]
struct File {
    functions: Vec<FunctionCoverage>,
    branches: Vec<BranchCoverage>,
    lines: BTreeMap<u32, u64>,
}

/// What has been covered of the program, by file and in numbers.
pub fn covered(program: &Program, coverage: &Coverage) -> (lcov::Coverage, CoverageSummary) {
    let mut files: BTreeMap<u32, File> = BTreeMap::new();
    let mut instructions = Share::default();
    let mut branches = Share::default();
    let mut functions = Share::default();
    for (id, function, body) in own_functions(program) {
        let hits = op_hits(program, coverage, id, body);
        let entered = coverage.function_entered(program, id);
        functions.total += 1;
        functions.covered += u64::from(entered);
        for (weight, hits) in body.op_weights.iter().zip(&hits) {
            instructions.total += u64::from(*weight);
            instructions.covered += if *hits > 0 { u64::from(*weight) } else { 0 };
        }
        let at = program.module.locations[function.location];
        if at.line != 0 {
            let entry = FunctionCoverage { name: function.name.clone(), line: at.line, hits: u64::from(entered) };
            files.entry(at.file).or_default().functions.push(entry);
        }
        let vanished = body.vanished.iter().map(|(op, location)| (location, &hits[*op as usize]));
        for (location, hits) in body.op_locations.iter().zip(&hits).chain(vanished) {
            let at = program.module.locations[*location];
            if at.line != 0 {
                let line = files.entry(at.file).or_default().lines.entry(at.line).or_insert(0);
                *line = (*line).max(*hits);
            }
        }
        for side in sides(program, coverage, id, body, &hits) {
            branches.total += 1;
            branches.covered += u64::from(side.entry.taken.is_some_and(|taken| taken > 0));
            if side.entry.line != 0 {
                files.entry(side.file).or_default().branches.push(side.entry);
            }
        }
    }
    let files = files.into_iter().map(|(file, found)| FileCoverage {
        path: absolute(&program.module.files[file as usize]),
        functions: found.functions,
        branches: found.branches,
        lines: found.lines.into_iter().map(|(line, hits)| LineCoverage { line, hits }).collect(),
    });
    let report = lcov::Coverage { files: files.collect() };
    let lines = report.lines();
    (report, CoverageSummary { instructions, branches, lines, functions })
}

/// Which instructions were covered, so that several runs of one program can be added up: a line for each function that
/// was entered, its name and a digit for every four instructions, of which the first is the highest bit.
pub fn covered_instructions(program: &Program, coverage: &Coverage) -> String {
    let mut out = String::new();
    let mut names = Names::default();
    for (id, function, body) in own_functions(program) {
        let name = names.next(&function.name);
        if !coverage.function_entered(program, id) {
            continue;
        }
        let hits = op_hits(program, coverage, id, body);
        let weighted = body.op_weights.iter().zip(&hits);
        let bits: Vec<bool> = weighted.flat_map(|(weight, hits)| (0..*weight).map(move |_| *hits > 0)).collect();
        out.push_str(&name);
        out.push(' ');
        for four in bits.chunks(4) {
            let digit = four.iter().enumerate().fold(0, |digit, (place, bit)| digit | u32::from(*bit) << (3 - place));
            out.extend(char::from_digit(digit, 16));
        }
        out.push('\n');
    }
    out
}

/// Tells functions of one name apart, as several files may have: the second is `name#2`, entered or not.
#[derive(Default)]
struct Names<'a>(BTreeMap<&'a str, u32>);

impl<'a> Names<'a> {
    fn next(&mut self, name: &'a str) -> String {
        let count = self.0.entry(name).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_string() } else { format!("{name}#{count}") }
    }
}

/// The functions of which coverage speaks: the program's, without the libc's.
fn own_functions(program: &Program) -> impl Iterator<Item = (FuncId, &Function, &Body)> {
    // The libc has no debug information; without any in the program either, nothing tells the two apart.
    let known = |function: &Function| program.module.locations[function.location].line != 0;
    let has_lines = program.module.functions.values().any(known);
    program.module.functions.iter().filter_map(move |(id, function)| {
        let body = function.body.as_ref()?;
        (!has_lines || known(function)).then_some((id, function, body))
    })
}

fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_string(), |path| path.display().to_string())
}

/// How often each operation was executed: as often as its block was entered, less the states that ended on the way to
/// it, and no more often than the last call before it in the block returned.
fn op_hits(program: &Program, coverage: &Coverage, function: FuncId, body: &Body) -> Vec<u64> {
    let entered = coverage.blocks(program, function);
    let returned = coverage.call_returns(program, function);
    let mut hits = Vec::with_capacity(body.ops.len());
    for (block, entered) in body.blocks.values().zip(entered) {
        let mut count = entered;
        for index in block.start..block.end {
            count = (count + coverage.starts(function, index)).saturating_sub(coverage.stops(function, index));
            hits.push(count);
            if let Op::Call { call } = body.ops[index as usize] {
                count = returned[call.0 as usize];
            }
        }
    }
    hits
}

struct Side {
    file: u32,
    entry: BranchCoverage,
}

/// Every side of every branch and switch.
fn sides(program: &Program, coverage: &Coverage, function: FuncId, body: &Body, hits: &[u64]) -> Vec<Side> {
    let taken = coverage.edges(program, function);
    let mut found = Vec::new();
    for (number, block) in body.blocks.values().enumerate() {
        let last = block.end as usize - 1;
        let edges = match body.ops[last] {
            Op::Branch { then, other, .. } | Op::CmpBranch { then, other, .. } => vec![then, other],
            Op::Switch { table, .. } => {
                let table = &body.tables[table];
                table.cases.iter().map(|(_, edge)| *edge).chain(table.default).collect()
            }
            _ => continue,
        };
        let at = program.module.locations[body.op_locations[last]];
        for (branch, edge) in edges.into_iter().enumerate() {
            let taken = (hits[last] > 0).then(|| taken[edge.0 as usize]);
            let entry = BranchCoverage { line: at.line, block: number as u32, branch: branch as u32, taken };
            found.push(Side { file: at.file, entry });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_name_are_told_apart() {
        let mut names = Names::default();
        assert_eq!(["f", "g", "f", "f"].map(|name| names.next(name)), ["f", "g", "f#2", "f#3"]);
    }
}
