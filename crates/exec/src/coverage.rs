//! Which points of the program have been executed: entries, edges and returns of calls, see `ir::Body`.

use crate::Program;
use osier_ir::{BlockId, FuncId};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Coverage {
    /// How often each point was executed.
    points: Vec<u64>,
    /// How many states went no further than just before an operation of a function.
    stops: FxHashMap<(FuncId, u32), u64>,
    /// How many states came into being just before an operation of a function.
    starts: FxHashMap<(FuncId, u32), u64>,
    /// Grows whenever something new is covered, so that who depends on coverage knows when to look again.
    pub version: u64,
    /// Points that were covered for the first time and that nobody has taken note of yet.
    pub(crate) fresh: Vec<u32>,
}

impl Coverage {
    pub fn new(program: &Program) -> Self {
        Coverage {
            points: vec![0; program.coverage_points],
            stops: FxHashMap::default(),
            starts: FxHashMap::default(),
            version: 0,
            fresh: Vec::new(),
        }
    }

    /// Marks a point; true if it is new.
    #[inline]
    pub fn hit(&mut self, point: usize) -> bool {
        let count = &mut self.points[point];
        *count += 1;
        if *count > 1 {
            return false;
        }
        self.version += 1;
        self.fresh.push(point as u32);
        true
    }

    /// Marks a point that an earlier run has covered.
    pub(crate) fn restore(&mut self, point: u32) {
        if let Some(count) = self.points.get_mut(point as usize) {
            *count = (*count).max(1);
        }
    }

    pub fn is_covered(&self, point: usize) -> bool {
        self.points[point] > 0
    }

    /// A state ended before this operation of its innermost function.
    pub fn stop(&mut self, function: FuncId, op: u32) {
        *self.stops.entry((function, op)).or_insert(0) += 1;
    }

    /// A copy of a state begins before this operation of its innermost function.
    pub fn start(&mut self, function: FuncId, op: u32) {
        *self.starts.entry((function, op)).or_insert(0) += 1;
    }

    /// How many states came into being just before an operation.
    pub fn starts(&self, function: FuncId, op: u32) -> u64 {
        self.starts.get(&(function, op)).copied().unwrap_or(0)
    }

    /// How many states ended just before an operation.
    pub fn stops(&self, function: FuncId, op: u32) -> u64 {
        self.stops.get(&(function, op)).copied().unwrap_or(0)
    }

    fn entry_count(&self, program: &Program, function: FuncId) -> u64 {
        match program.module.functions[function].body {
            Some(_) => self.points[program.coverage_base[function.0 as usize] as usize],
            None => 0,
        }
    }

    pub fn function_entered(&self, program: &Program, function: FuncId) -> bool {
        self.entry_count(program, function) > 0
    }

    /// How often each edge of a function has been taken, in the order of its edges.
    pub fn edges(&self, program: &Program, function: FuncId) -> &[u64] {
        let base = program.coverage_base[function.0 as usize] as usize + 1;
        let count = program.module.functions[function].body.as_ref().map_or(0, |body| body.edges.len());
        &self.points[base..base + count]
    }

    /// How often each call of a function has returned, in the order of its calls.
    pub fn call_returns(&self, program: &Program, function: FuncId) -> &[u64] {
        let body = program.module.functions[function].body.as_ref();
        let (edges, calls) = body.map_or((0, 0), |body| (body.edges.len(), body.calls.len()));
        let base = program.coverage_base[function.0 as usize] as usize + 1 + edges;
        &self.points[base..base + calls]
    }

    /// How often each block of a function has been entered.
    pub fn blocks(&self, program: &Program, function: FuncId) -> Vec<u64> {
        let Some(body) = &program.module.functions[function].body else { return Vec::new() };
        let mut entered = vec![0; body.blocks.len()];
        entered[0] = self.entry_count(program, function);
        for (taken, edge) in self.edges(program, function).iter().zip(body.edges.values()) {
            entered[edge.target.0 as usize] += taken;
        }
        entered
    }

    pub fn block_visits(&self, program: &Program, function: FuncId, block: BlockId) -> u64 {
        let Some(body) = &program.module.functions[function].body else { return 0 };
        let entry = if block.0 == 0 { self.entry_count(program, function) } else { 0 };
        let edges = self.edges(program, function).iter().zip(body.edges.values());
        entry + edges.filter(|(_, edge)| edge.target == block).map(|(taken, _)| taken).sum::<u64>()
    }
}
