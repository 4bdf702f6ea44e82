//! Gates into clauses, when a query first needs them.
//!
//! Of a gate that is only asked to be true, only what follows from its truth is told (Plaisted and Greenbaum, A
//! structure-preserving clause form translation, 1986): half of the clauses or less. Only free bits are decided on. When
//! all of them have values, propagation has found every condition that these values break; and there are few of them.

use batsat::{Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use osier_solver::Reason;
use rustc_hash::FxHashSet;

use crate::gates::{Bit, Gate, Gates};
use crate::limits::Limits;

/// What is known of one gate here.
#[derive(Clone, Copy)]
struct Slot {
    /// The variable counts if this is the present generation.
    generation: u32,
    variable: Var,
    /// Of which values the consequences are told: 1 for true, 2 for false.
    sides: u8,
    /// The last query that met the gate.
    met_in: u32,
}

const UNKNOWN: Slot = Slot { generation: 0, variable: Var::UNDEF, sides: 0, met_in: 0 };

pub(crate) enum Verdict {
    Sat,
    Unsat,
    Unknown(Reason),
}

/// A SAT solver and what it has been told of the gates.
pub(crate) struct Clauses {
    sat: Solver<Limits>,
    slots: Vec<Slot>,
    generation: u32,
    query: u32,
    loaded: usize,
    open: Vec<usize>,
    clause: Vec<Lit>,
}

impl Clauses {
    pub(crate) fn new(limits: Limits) -> Self {
        Clauses {
            sat: Solver::new(SolverOpts::default(), limits),
            slots: Vec::new(),
            generation: 1,
            query: 0,
            loaded: 0,
            open: Vec::new(),
            clause: Vec::new(),
        }
    }

    /// How many gates the SAT solver knows.
    pub(crate) fn loaded(&self) -> usize {
        self.loaded
    }

    pub(crate) fn limits(&mut self) -> &mut Limits {
        self.sat.cb_mut()
    }

    /// Begins with a SAT solver that knows nothing.
    pub(crate) fn forget(&mut self) {
        self.sat.reset();
        self.generation += 1;
        self.loaded = 0;
    }

    /// How many gates the conditions stand on.
    pub(crate) fn count(&mut self, gates: &Gates, conditions: &[Bit]) -> usize {
        self.slots.resize(gates.len(), UNKNOWN);
        self.query += 1;
        let mut count = 0;
        self.open.extend(conditions.iter().map(|bit| bit.gate()));
        while let Some(at) = self.open.pop() {
            if self.slots[at].met_in != self.query {
                self.slots[at].met_in = self.query;
                count += 1;
                gates.gate(at).for_each_child(|child| self.open.push(child.gate()));
            }
        }
        count
    }

    /// Tells the SAT solver what follows from the conditions.
    fn load(&mut self, gates: &Gates, conditions: &[Bit]) {
        self.slots.resize(gates.len(), UNKNOWN);
        let mut wanted: Vec<Bit> = conditions.to_vec();
        while let Some(bit) = wanted.pop() {
            let out = self.literal(gates, bit);
            let slot = &mut self.slots[bit.gate()];
            let side = 1 << u8::from(bit.is_negated());
            if slot.sides & side == 0 {
                slot.sides |= side;
                self.define(gates, bit, out, &mut wanted);
            }
        }
    }

    /// The literal of a bit, which gets a variable if it has none.
    fn literal(&mut self, gates: &Gates, bit: Bit) -> Lit {
        let slot = &mut self.slots[bit.gate()];
        if slot.generation != self.generation {
            let is_free = gates.gate(bit.gate()) == Gate::Free;
            slot.generation = self.generation;
            slot.variable = self.sat.new_var(lbool::UNDEF, is_free);
            slot.sides = 0;
            self.loaded += 1;
        }
        Lit::new(slot.variable, !bit.is_negated())
    }

    fn add(&mut self, literals: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(literals);
        self.sat.add_clause_reuse(&mut self.clause);
    }

    /// What follows if `bit` holds, which is not constant; `out` is its literal. What then must be defined is put on `wanted`.
    fn define(&mut self, gates: &Gates, bit: Bit, out: Lit, wanted: &mut Vec<Bit>) {
        let negated = bit.is_negated();
        match gates.gate(bit.gate()) {
            Gate::False | Gate::Free => {}
            Gate::And(..) => self.define_and(gates, bit, out, wanted),
            Gate::Xor(a, b) => {
                let b = if negated { !b } else { b };
                wanted.extend([a, !a, b, !b]);
                let (a, b) = (self.literal(gates, a), self.literal(gates, b));
                self.add(&[!out, a, b]);
                self.add(&[!out, !a, !b]);
            }
            Gate::Mux(cond, then, other) => {
                let (then, other) = if negated { (!then, !other) } else { (then, other) };
                wanted.extend([cond, !cond, then, other]);
                let cond = self.literal(gates, cond);
                let (then, other) = (self.literal(gates, then), self.literal(gates, other));
                self.add(&[!out, !cond, then]);
                self.add(&[!out, cond, other]);
                // Implied by the others, and propagates before the condition is known.
                self.add(&[!out, then, other]);
            }
            Gate::Majority(a, b, c) => {
                let three = if negated { [!a, !b, !c] } else { [a, b, c] };
                wanted.extend(three);
                let [a, b, c] = three.map(|bit| self.literal(gates, bit));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.add(&[!out, x, y]);
                }
            }
        }
    }

    /// A tree of conjunctions is one conjunction, as far as nobody else uses its branches.
    fn define_and(&mut self, gates: &Gates, bit: Bit, out: Lit, wanted: &mut Vec<Bit>) {
        let first = wanted.len();
        self.open.push(bit.gate());
        while let Some(at) = self.open.pop() {
            gates.gate(at).for_each_child(|child| {
                let is_branch = !child.is_negated() && gates.users(child) == 1;
                match gates.gate(child.gate()) {
                    Gate::And(..) if is_branch => self.open.push(child.gate()),
                    Gate::And(..) | Gate::False | Gate::Free | Gate::Xor(..) | Gate::Mux(..) | Gate::Majority(..) => {
                        wanted.push(if bit.is_negated() { !child } else { child });
                    }
                }
            });
        }
        if bit.is_negated() {
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            clause.push(!out);
            clause.extend(wanted[first..].iter().map(|&leaf| self.literal(gates, leaf)));
            self.sat.add_clause_reuse(&mut clause);
            self.clause = clause;
        } else {
            for &leaf in &wanted[first..] {
                let leaf = self.literal(gates, leaf);
                self.add(&[!out, leaf]);
            }
        }
    }

    /// Whether the conditions can hold together.
    pub(crate) fn check(&mut self, gates: &Gates, conditions: &[Bit]) -> Verdict {
        let Some(conditions) = leaves(gates, conditions) else { return Verdict::Unsat };
        self.load(gates, &conditions);
        let assumptions: Vec<Lit> = conditions.iter().map(|&bit| self.literal(gates, bit)).collect();
        let answer = self.sat.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Verdict::Sat
        } else if answer == lbool::FALSE {
            Verdict::Unsat
        } else {
            Verdict::Unknown(self.sat.cb().reason())
        }
    }

    /// A free bit in the solution that was just found; bits that it does not speak of are false.
    pub(crate) fn value(&self, bit: Bit) -> bool {
        match self.slots.get(bit.gate()) {
            Some(slot) if slot.generation == self.generation => self.sat.value_var(slot.variable) == lbool::TRUE,
            Some(_) | None => false,
        }
    }
}

/// Conjunctions that must hold are taken apart: an assumption costs less than a definition. `None` if false is among
/// them.
fn leaves(gates: &Gates, conditions: &[Bit]) -> Option<Vec<Bit>> {
    let (mut leaves, mut seen) = (Vec::with_capacity(conditions.len()), FxHashSet::default());
    let mut open = conditions.to_vec();
    while let Some(bit) = open.pop() {
        // Conjunctions share parts: without this there would be as many ways to a part as it has places.
        if !seen.insert(bit) {
            continue;
        }
        match gates.gate(bit.gate()) {
            Gate::And(a, b) if !bit.is_negated() => open.extend([a, b]),
            Gate::False if bit.is_negated() => {}
            Gate::False => return None,
            Gate::And(..) | Gate::Free | Gate::Xor(..) | Gate::Mux(..) | Gate::Majority(..) => leaves.push(bit),
        }
    }
    Some(leaves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_that_share_parts_are_taken_apart_once() {
        let mut gates = Gates::new();
        let mut all = gates.free();
        // There are 2^100 ways down to the first bit.
        for _ in 0..100 {
            let (a, b) = (gates.free(), gates.free());
            let (left, right) = (gates.and(all, a), gates.and(all, b));
            all = gates.and(left, right);
        }
        assert_eq!(leaves(&gates, &[all]).map(|leaves| leaves.len()), Some(201));
    }
}
