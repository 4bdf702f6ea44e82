//! Reasoning that costs microseconds, before anything is searched: what the constraints imply for the values of bytes
//! and terms, and what is left of them when equals are put for equals.
//!
//! The state's witness satisfies all constraints but those that are asked about. What follows from the former is the
//! same for every question at one point of a path, so it is computed once and kept.

use std::rc::Rc;
use std::time::Duration;

use osier_term::{Assignment, Evaluator, Knowledge, Pool, Term};

use crate::answers::key_of;
use crate::assume::{Assumed, Contradiction, Settled, Walks};
use crate::bytesets::ByteSet;
use crate::combinations::{Domains, Limits, Question};
use crate::generations::Generations;
use crate::interrupt::Interrupt;
use crate::models::overlay;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};
use crate::set_table::SetTable;
use crate::slices::{partition, support_of};
use crate::substitute::{Reduced, Reduction, reduce};

/// Larger queries are passed on at once.
const MOST_CONSTRAINTS: usize = 300;
/// Points of paths whose consequences are kept.
const KEPT_POINTS: usize = 256;
/// A point is found from one that is known if it has so many more constraints at most.
const MOST_NEWER: usize = 16;
/// How often equals are put for equals in one query.
const MOST_TURNS: u32 = 3;
/// Trying all combinations of values is cheaper than to put equals for equals if it takes no more than this, for what is
/// found serves other questions, too.
const FEW: usize = 1 << 16;
/// So much less before anything else is tried, where it is known already in which combinations most conditions hold. (An
/// eighth instead of a half: libxml2 does a sixth fewer paths in 40 s; twice all of it: m4 does fewer.)
const NEARLY_KNOWN: usize = 2;

pub(crate) struct Reasoning {
    inner: Box<dyn Solver>,
    table: SetTable,
    domains: Domains,
    walks: Walks,
    points: Generations<Box<[Term]>, Rc<Assumed>>,
    /// Whether the query under way went on to the stages after this one.
    asked: bool,
    /// Parts that were computed.
    work: usize,
    interrupt: Interrupt,
    decided: u64,
    unasked: Unasked,
    /// Terms that are computed for combinations of values at most, before equals are put for equals.
    few: usize,
}

/// Whether reasoning is for questions, too, that nobody has asked yet: about the other side of a branch, which could wait.
/// It is where it shows often and quickly that there is nothing to wait for: then nobody has to return, and the branch says
/// nothing new about the path. (Of such questions in bc four in five have no solution by this, in join one in twelve. Tried
/// always, bc covers a third more in 20 s, join does half of the paths and nl a sixth.)
#[derive(Default)]
struct Unasked {
    tried: usize,
    refuted: usize,
    /// Parts that were computed.
    work: usize,
    passed: u32,
}

impl Unasked {
    /// One in so many is tried where it has not been worth it.
    const SAMPLE: u32 = 16;
    /// So many are looked back upon.
    const MEMORY: usize = 256;
    /// One in four has to be refuted, and more where it takes more parts than this; three in four are enough for any.
    const QUICK: usize = 5000;

    fn is_tried(&mut self) -> bool {
        if self.refuted * 4 >= (self.work / Self::QUICK).clamp(self.tried, self.tried * 3) {
            return true;
        }
        self.passed += 1;
        self.passed.is_multiple_of(Self::SAMPLE)
    }

    fn note(&mut self, refuted: bool, work: usize) {
        self.tried += 1;
        self.refuted += usize::from(refuted);
        self.work += work;
        if self.tried > Self::MEMORY {
            self.tried /= 2;
            self.refuted /= 2;
            self.work /= 2;
        }
    }
}

impl Reasoning {
    pub(crate) fn wrap(inner: Box<dyn Solver>, limit: usize, table: SetTable, interrupt: Interrupt) -> Box<dyn Solver> {
        Box::new(Reasoning { few: FEW, ..Self::new(inner, limit, table, interrupt) })
    }

    /// Without trying combinations of values.
    #[cfg(test)]
    pub(crate) fn wrap_alone(inner: Box<dyn Solver>, limit: usize, interrupt: Interrupt) -> Box<dyn Solver> {
        Box::new(Self::new(inner, limit, SetTable::new(limit), interrupt))
    }

    fn new(inner: Box<dyn Solver>, limit: usize, table: SetTable, interrupt: Interrupt) -> Self {
        Reasoning {
            inner,
            table,
            domains: Domains::default(),
            walks: Walks::new(limit),
            points: Generations::new(KEPT_POINTS),
            asked: false,
            work: 0,
            interrupt,
            decided: 0,
            unasked: Unasked::default(),
            few: 0,
        }
    }

    /// What the constraints imply.
    fn consequences(
        &mut self,
        pool: &mut Pool,
        constraints: &[Term],
        near: &Assignment,
    ) -> Result<Assumed, Contradiction> {
        // The newest constraint that fails nearby is what is asked. Others may fail, too; they only make it less likely
        // that this point is met again.
        let mut evaluator = Evaluator::new(pool, near);
        let asked = constraints.iter().rposition(|&c| evaluator.eval(c) == 0);
        let (given, asked) = match asked {
            Some(at) => ([&constraints[..at], &constraints[at + 1..]].concat(), &constraints[at..=at]),
            None => (constraints.to_vec(), &[][..]),
        };
        let key = key_of(&given);
        let known = match self.points.get(&key) {
            Some(known) => known.clone(),
            None => {
                let (mut fresh, older) = self.point_before(&given);
                let (rest, newer) = given.split_at(older);
                fresh.add(pool, (&self.table, &mut self.walks), newer, rest, &mut self.work)?;
                let fresh = Rc::new(fresh);
                self.points.insert(key, fresh.clone());
                fresh
            }
        };
        let mut assumed = Assumed::clone(&known);
        assumed.add(pool, (&self.table, &mut self.walks), asked, &given, &mut self.work)?;
        Ok(assumed)
    }

    /// What is known at the nearest point before, and how many of the constraints it has: mostly a path has grown by a few
    /// since it was last asked about.
    fn point_before(&mut self, given: &[Term]) -> (Assumed, usize) {
        for len in (given.len().saturating_sub(MOST_NEWER)..given.len()).rev() {
            if let Some(known) = self.points.get(&key_of(&given[..len])) {
                return (Assumed::clone(known), len);
            }
        }
        Default::default()
    }

    /// The witness with every byte moved into its set, if that satisfies all.
    fn moved(&mut self, pool: &Pool, constraints: &[Term], near: &Assignment, assumed: &Assumed) -> Option<Assignment> {
        let mut model = near.clone();
        for (byte, set) in assumed.bytes() {
            let home = self.table.home(byte)?;
            if !set.contains(model.get(home.array, home.index.into())) {
                model.set_byte(home.array, home.size, home.index, set.first()?);
            }
        }
        let mut evaluator = Evaluator::new(pool, &model);
        constraints.iter().rev().all(|&c| evaluator.eval(c) != 0).then_some(model)
    }

    /// Decides what little is left of by what is known of its bytes.
    fn nearly_known(&mut self, pool: &Pool, question: &Question) -> Option<Answer> {
        let work = self.few / NEARLY_KNOWN;
        let limits = Limits { work, at_once: true, interrupt: &self.interrupt, deadline: None };
        question.recall(pool, &mut self.domains, &limits)
    }

    /// Decides what can be decided and asks about what is left.
    fn decide(&mut self, pool: &mut Pool, query: &Query, turn: u32) -> Result<Answer, SolverError> {
        let question = Question::new(pool, &self.table, query);
        if let Some(answer) = question.as_ref().and_then(|question| self.nearly_known(pool, question)) {
            return Ok(answer);
        }
        if query.constraints.len() > MOST_CONSTRAINTS || turn > MOST_TURNS || self.interrupt.is_set() {
            self.asked = true;
            return self.inner.check(pool, query);
        }
        let nothing = Assignment::new();
        let near = query.near.unwrap_or(&nothing);
        let Ok(assumed) = self.consequences(pool, query.constraints, near) else { return Ok(Answer::Unsat) };
        if let Some(model) = self.moved(pool, query.constraints, near, &assumed) {
            return Ok(Answer::Sat(model));
        }
        let sets = |byte: u32| ByteSet(assumed.byte(byte).0);
        let limits = Limits { work: self.few, at_once: false, interrupt: &self.interrupt, deadline: None };
        let tools = (&self.table, &mut self.domains);
        if let Some(answer) = question.and_then(|question| question.decide(pool, tools, &sets, &limits)) {
            return Ok(answer);
        }
        let Ok(settled) = Settled::of(pool, (&self.table, &mut self.walks), query.constraints) else {
            return Ok(Answer::Unsat);
        };
        match reduce(pool, query.constraints, &assumed, &settled) {
            Reduced::Same => {
                self.asked = true;
                self.inner.check(pool, query)
            }
            Reduced::False => Ok(Answer::Unsat),
            Reduced::To(reduction) => self.decide_rest(pool, &reduction, query.near, turn),
        }
    }

    /// Decides what is left, one independent part at a time: equals put for equals show new equals.
    fn decide_rest(
        &mut self,
        pool: &mut Pool,
        reduction: &Reduction,
        near: Option<&Assignment>,
        turn: u32,
    ) -> Result<Answer, SolverError> {
        let mut merged = near.cloned().unwrap_or_default();
        let mut unknown = None;
        for part in partition(pool, &reduction.constraints) {
            if let Some(near) = near {
                let mut evaluator = Evaluator::new(pool, near);
                if part.iter().all(|&c| evaluator.eval(c) != 0) {
                    continue;
                }
            }
            match self.decide(pool, &Query { constraints: &part, near }, turn + 1)? {
                Answer::Sat(model) => {
                    let support = support_of(pool, &part);
                    overlay(pool, &mut merged, &model, &support);
                }
                Answer::Unsat => return Ok(Answer::Unsat),
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        if let Some(reason) = unknown {
            return Ok(Answer::Unknown(reason));
        }
        reduction.complete(&mut merged);
        Ok(Answer::Sat(merged))
    }
}

impl Solver for Reasoning {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        self.asked = false;
        let answer = self.decide(pool, query, 0);
        self.decided += u64::from(!self.asked);
        answer
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        let question = Question::new(pool, &self.table, query);
        let recalled = question.and_then(|question| self.nearly_known(pool, &question));
        if let Some(answer @ (Answer::Sat(_) | Answer::Unsat)) = recalled {
            self.decided += 1;
            return Ok(Some(answer));
        }
        let small = query.constraints.len() <= MOST_CONSTRAINTS;
        if small && !self.interrupt.is_set() && self.unasked.is_tried() {
            let nothing = Assignment::new();
            let near = query.near.unwrap_or(&nothing);
            let before = self.work;
            let refuted = self.consequences(pool, query.constraints, near).is_err();
            self.unasked.note(refuted, self.work - before);
            if refuted {
                self.decided += 1;
                return Ok(Some(Answer::Unsat));
            }
        }
        self.inner.recall(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.by_reasoning += self.decided;
        self.inner.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::CmpOp;

    struct Nobody;

    impl Solver for Nobody {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            panic!("not to be asked");
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    /// The sums of neighbouring bytes rise.
    fn rising(pool: &mut Pool, bytes: u32) -> (Vec<Term>, Assignment) {
        let input = pool.input("x", bytes);
        let mut near = Assignment::new();
        (0..bytes).for_each(|at| near.set_byte(input, bytes, at, at as u8));
        let byte: Vec<Term> = (0..bytes).map(|at| pool.select_at(input, at.into())).collect();
        let sum = |pool: &mut Pool, at: usize| {
            let wide = [byte[at], byte[at + 1]].map(|byte| pool.zext(byte, 16));
            pool.add(wide[0], wide[1])
        };
        let pairs: Vec<Term> = (0..byte.len() - 1).map(|at| sum(pool, at)).collect();
        (pairs.windows(2).map(|pair| pool.cmp(CmpOp::Ult, pair[0], pair[1])).collect(), near)
    }

    fn reasoning() -> Reasoning {
        Reasoning::new(Box::new(Nobody), 1 << 10, SetTable::new(1 << 10), Interrupt::default())
    }

    #[test]
    fn a_path_that_grew_is_not_gone_over_from_its_beginning() {
        let mut pool = Pool::new();
        let (path, near) = rising(&mut pool, 30);
        let (mut growing, mut at_once) = (reasoning(), reasoning());
        for len in 1..path.len() {
            assert!(growing.consequences(&mut pool, &path[..len], &near).is_ok());
        }
        let before = growing.work;
        let (grown, fresh) =
            [&mut growing, &mut at_once].map(|each| each.consequences(&mut pool, &path, &near).ok().unwrap()).into();
        let sets = |known: &Assumed| known.bytes().collect::<std::collections::BTreeMap<_, _>>();
        assert_eq!(sets(&grown), sets(&fresh));
        assert!(growing.work - before < at_once.work / 4, "{} of {}", growing.work - before, at_once.work);
    }

    /// Whether the next one is tried after a hundred, of which one in so many was refuted.
    fn is_tried(one_in: usize, work: usize) -> bool {
        let mut unasked = Unasked::default();
        for i in 0..100 {
            unasked.note(i % one_in == 0, work);
        }
        unasked.is_tried()
    }

    #[test]
    fn what_takes_longer_has_to_refute_more() {
        assert!(is_tried(4, 100) && !is_tried(5, 100));
        assert!(is_tried(2, Unasked::QUICK * 2) && !is_tried(3, Unasked::QUICK * 2));
        assert!(is_tried(1, Unasked::QUICK * 100) && !is_tried(2, Unasked::QUICK * 100));
    }
}
