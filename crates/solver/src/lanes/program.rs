//! Conditions that are computed for 256 combinations of the values of several bytes at a time, again and again.

use std::rc::Rc;

use osier_term::{Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Inputs, Lanes, Value, WRITES, Work, cost, for_each_part};
use crate::bytesets::ByteSet;

/// Conditions with their parts.
pub(crate) struct Program {
    /// Each after its own parts; without constants.
    order: Vec<Term>,
    conditions: FxHashSet<Term>,
    /// What was computed last; constants are always here.
    values: FxHashMap<Term, Value>,
    price: usize,
}

impl Program {
    /// None if it costs more than `most`.
    pub(crate) fn new(pool: &Pool, conditions: &[Term], most: usize) -> Option<Self> {
        let (mut order, mut constants, mut seen, mut price) = (Vec::new(), Vec::new(), FxHashSet::default(), 0);
        let mut open: Vec<(Term, bool)> = conditions.iter().rev().map(|&t| (t, false)).collect();
        while let Some((t, parts_done)) = open.pop() {
            if parts_done {
                order.push(t);
            } else if !seen.insert(t) {
                continue;
            } else if pool.as_const(t).is_some() {
                constants.push(t);
            } else {
                price += WRITES * cost(pool, t) - (WRITES - 1);
                if price > most {
                    return None;
                }
                open.push((t, true));
                for_each_part(pool, t, |part| open.push((part, false)));
            }
        }
        let conditions = conditions.iter().copied().collect();
        let mut program = Program { order, conditions, values: FxHashMap::default(), price };
        let nothing = FxHashMap::default();
        let mut work = Work::new(pool, Inputs::Many(&nothing));
        for t in constants {
            let value = work.compute(t)?;
            work.values.insert(t, value);
        }
        program.values = work.values;
        Some(program)
    }

    /// What one run costs, in terms that are computed.
    pub(crate) fn price(&self) -> usize {
        self.price
    }

    /// In which of the first `count` combinations all conditions hold. `bytes` must have all input bytes that they speak
    /// of; None if it does not. Shows `learn` each condition until none is left.
    pub(crate) fn truth(
        &mut self,
        pool: &Pool,
        bytes: &FxHashMap<u32, Rc<Lanes>>,
        count: usize,
        mut learn: impl FnMut(Term, ByteSet),
    ) -> Option<ByteSet> {
        let mut all = ByteSet::below(count);
        self.run(pool, bytes, |t, set| {
            learn(t, set);
            all = all.zip(set, |a, b| a & b);
            !all.is_empty()
        })?;
        Some(all)
    }

    /// As [`Program::truth`], for each condition by itself.
    pub(crate) fn truths(
        &mut self,
        pool: &Pool,
        bytes: &FxHashMap<u32, Rc<Lanes>>,
    ) -> Option<FxHashMap<Term, ByteSet>> {
        let mut truths = FxHashMap::default();
        self.run(pool, bytes, |t, set| {
            truths.insert(t, set);
            true
        })?;
        Some(truths)
    }

    /// Shows `each` the conditions as they are computed, for as long as it wants more.
    fn run(
        &mut self,
        pool: &Pool,
        bytes: &FxHashMap<u32, Rc<Lanes>>,
        mut each: impl FnMut(Term, ByteSet) -> bool,
    ) -> Option<()> {
        let values = std::mem::take(&mut self.values);
        let mut work = Work { pool, inputs: Inputs::Many(bytes), values };
        for &t in &self.order {
            let value = work.compute(t)?;
            let truth = match value {
                Value::Set(set) if self.conditions.contains(&t) => Some(set),
                Value::Set(_) | Value::Lanes(_) | Value::Wide(_) => None,
            };
            work.values.insert(t, value);
            if truth.is_some_and(|set| !each(t, set)) {
                break;
            }
        }
        self.values = work.values;
        Some(())
    }
}
