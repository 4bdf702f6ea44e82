//! Gates into clauses, when a query first needs them.
//!
//! Only free bits are decided on. When all of them have values, so have all gates by propagation; and a query has few
//! of them.

use batsat::{Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use osier_solver::Reason;

use crate::gates::{Bit, Gate, Gates};
use crate::limits::Limits;

/// What is known of one gate here.
#[derive(Clone, Copy)]
struct Slot {
    /// The variable counts if this is the present generation.
    generation: u32,
    variable: Var,
    /// The last query that met the gate.
    met_in: u32,
}

const UNKNOWN: Slot = Slot { generation: 0, variable: Var::UNDEF, met_in: 0 };

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

    /// Begins with a SAT solver that knows nothing; the gates are still the same.
    pub(crate) fn forget(&mut self) {
        self.sat.reset();
        self.generation += 1;
        self.loaded = 0;
    }

    /// Begins anew for another gate graph.
    pub(crate) fn forget_gates(&mut self) {
        self.forget();
        self.slots.clear();
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

    /// Tells the SAT solver about all gates below the conditions.
    fn load(&mut self, gates: &Gates, conditions: &[Bit]) {
        self.slots.resize(gates.len(), UNKNOWN);
        self.open.extend(conditions.iter().map(|bit| bit.gate()));
        while let Some(&at) = self.open.last() {
            if self.slots[at].generation == self.generation {
                self.open.pop();
                continue;
            }
            let waiting = self.open.len();
            gates.gate(at).for_each_child(|child| {
                if self.slots[child.gate()].generation != self.generation {
                    self.open.push(child.gate());
                }
            });
            if self.open.len() == waiting {
                self.open.pop();
                self.define(at, gates.gate(at));
            }
        }
    }

    fn literal(&self, bit: Bit) -> Lit {
        Lit::new(self.slots[bit.gate()].variable, !bit.is_negated())
    }

    fn add(&mut self, literals: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(literals);
        self.sat.add_clause_reuse(&mut self.clause);
    }

    fn define(&mut self, at: usize, gate: Gate) {
        let variable = self.sat.new_var(lbool::UNDEF, gate == Gate::Free);
        self.slots[at].generation = self.generation;
        self.slots[at].variable = variable;
        self.loaded += 1;
        let out = Lit::new(variable, true);
        match gate {
            Gate::False => self.add(&[!out]),
            Gate::Free => {}
            Gate::And(a, b) => {
                let (a, b) = (self.literal(a), self.literal(b));
                self.add(&[!out, a]);
                self.add(&[!out, b]);
                self.add(&[out, !a, !b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.literal(a), self.literal(b));
                self.add(&[!out, a, b]);
                self.add(&[!out, !a, !b]);
                self.add(&[out, !a, b]);
                self.add(&[out, a, !b]);
            }
            Gate::Mux(cond, then, other) => {
                let (cond, then, other) = (self.literal(cond), self.literal(then), self.literal(other));
                self.add(&[!cond, !then, out]);
                self.add(&[!cond, then, !out]);
                self.add(&[cond, !other, out]);
                self.add(&[cond, other, !out]);
                // Implied by the others, and propagate before the condition is known.
                self.add(&[!then, !other, out]);
                self.add(&[then, other, !out]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.literal(a), self.literal(b), self.literal(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.add(&[!x, !y, out]);
                    self.add(&[x, y, !out]);
                }
            }
        }
    }

    /// Whether the conditions can hold together.
    pub(crate) fn check(&mut self, gates: &Gates, conditions: &[Bit]) -> Verdict {
        self.load(gates, conditions);
        let assumptions: Vec<Lit> = conditions.iter().map(|&bit| self.literal(bit)).collect();
        let answer = self.sat.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Verdict::Sat
        } else if answer == lbool::FALSE {
            Verdict::Unsat
        } else {
            Verdict::Unknown(self.sat.cb().reason())
        }
    }

    /// The bit in the solution that was just found; bits that it does not speak of are false.
    pub(crate) fn value(&self, bit: Bit) -> bool {
        match self.slots.get(bit.gate()) {
            Some(slot) if slot.generation == self.generation => self.sat.value_lit(self.literal(bit)) == lbool::TRUE,
            Some(_) | None => false,
        }
    }
}
