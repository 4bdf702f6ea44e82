//! Decides queries over several bytes by searching with sets of byte values, near the assignment that the asker has.
//!
//! Conditions of programs are mostly `and`, `or` and `not` over comparisons of single bytes. Such a comparison narrows
//! the set of values that its byte may have; an `or` is tried one side after the other. What compares several bytes at
//! once is left to the end: bytes keep their values where that is possible, and where a comparison then fails, one
//! byte after the other is moved to a value that puts it right. The search gives up early, and a backend is asked.

use std::rc::Rc;
use std::time::Duration;

use osier_term::{Assignment, BvOp, Evaluator, Node, Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::bytesets::ByteSet;
use crate::interrupt::Interrupt;
use crate::lanes;
use crate::query::{Answer, Query, Solver, SolverError, Statistics};
use crate::set_table::SetTable;

/// How often one search may find that a side of an `or` leads nowhere.
const MOST_FAILURES: u32 = 200;
/// The `or`s that one search may open; the depth of its recursion, too.
const MOST_CHOICES: usize = 3000;
/// Bytes that a search may move to put comparisons of several bytes right.
const MOST_MOVES: u32 = 12;
/// How often the bytes are filled in and moved in one search.
const MOST_FILLINGS: u32 = 6;
/// A comparison of more bytes than this, or with more combinations of values besides those of one byte, is not tried
/// with all of them.
const MOST_BYTES_TRIED: u32 = 6;
const MOST_COMBINATIONS: u64 = 128;
/// Terms that one search may compute for all values of a byte: some two milliseconds, in which a backend decides what is
/// not easy, too. (3,401 queries of m4 take 22 s so, and 62 s without an end.)
const MOST_WORK: usize = 4000;
/// Larger queries go to the backend at once.
const MOST_CONSTRAINTS: usize = 400;

pub(crate) struct Domains {
    inner: Box<dyn Solver>,
    table: SetTable,
    interrupt: Interrupt,
    decided: u64,
}

impl Domains {
    pub(crate) fn wrap(inner: Box<dyn Solver>, table: SetTable, interrupt: Interrupt) -> Box<dyn Solver> {
        Box::new(Domains { inner, table, interrupt, decided: 0 })
    }

    fn decide(&mut self, pool: &mut Pool, query: &Query) -> Option<Answer> {
        if query.constraints.len() > MOST_CONSTRAINTS {
            return None;
        }
        let nothing = Assignment::new();
        let mut search = Search {
            pool,
            table: &self.table,
            interrupt: &self.interrupt,
            near: query.near.unwrap_or(&nothing),
            sets: FxHashMap::default(),
            trail: Vec::new(),
            choices: Vec::new(),
            rest: Vec::new(),
            failures: 0,
            fillings: 0,
            budget: MOST_WORK,
            standings: FxHashMap::default(),
            nearby: FxHashMap::default(),
        };
        // The newest constraint is what the query is about; the others hold in the assignment nearby.
        for &constraint in query.constraints.iter().rev() {
            if search.interrupt.is_set() {
                return None;
            }
            if !search.require(constraint, true) {
                return Some(Answer::Unsat);
            }
        }
        if !search.settle_choices() {
            return Some(Answer::Unsat);
        }
        match search.choose(0) {
            Verdict::Found(model) => Some(Answer::Sat(model)),
            Verdict::None => Some(Answer::Unsat),
            Verdict::Lost => None,
        }
    }
}

impl Solver for Domains {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        match self.decide(pool, query) {
            Some(answer) => {
                self.decided += 1;
                Ok(answer)
            }
            None => self.inner.check(pool, query),
        }
    }

    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        self.inner.recall(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.by_domains += self.decided;
        self.inner.statistics(out);
    }
}

enum Verdict {
    Found(Assignment),
    /// There is no solution, for certain.
    None,
    /// Not known: the search gave up somewhere.
    Lost,
}

/// What is known of a condition whatever values the bytes take from their sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Holds,
    Fails,
    Open,
}

impl Standing {
    fn not(self) -> Self {
        match self {
            Standing::Holds => Standing::Fails,
            Standing::Fails => Standing::Holds,
            Standing::Open => Standing::Open,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Standing::Fails, _) | (_, Standing::Fails) => Standing::Fails,
            (Standing::Holds, Standing::Holds) => Standing::Holds,
            (Standing::Open, _) | (_, Standing::Open) => Standing::Open,
        }
    }
}

/// A width-1 term that must be true or must be false.
type Literal = (Term, bool);
/// Literals that must hold together.
type Side = [Option<Literal>; 2];

struct Search<'a> {
    pool: &'a mut Pool,
    table: &'a SetTable,
    interrupt: &'a Interrupt,
    near: &'a Assignment,
    /// The values that each byte may still have; all if it is not here.
    sets: FxHashMap<u32, ByteSet>,
    /// Sets as they were before, to go back to.
    trail: Vec<(u32, Option<ByteSet>)>,
    /// One side of each must hold.
    choices: Vec<[Side; 2]>,
    /// Comparisons of several bytes.
    rest: Vec<Literal>,
    failures: u32,
    fillings: u32,
    /// What is left of [`MOST_WORK`].
    budget: usize,
    /// What the sets as they are say of conditions.
    standings: FxHashMap<Term, Standing>,
    /// Which conditions hold nearby.
    nearby: FxHashMap<Term, bool>,
}

impl Search<'_> {
    /// Adds what must hold. False if the sets show that it cannot.
    fn require(&mut self, term: Term, truth: bool) -> bool {
        let mut open = vec![(term, truth)];
        while let Some((term, truth)) = open.pop() {
            if let Some(value) = self.pool.as_const(term) {
                if (value != 0) != truth {
                    return false;
                }
                continue;
            }
            if let Some(byte) = one_byte(&self.pool.support(term)) {
                let Some(set) = self.table.set_of(self.pool, term, byte) else {
                    self.rest.push((term, truth));
                    continue;
                };
                if !self.narrow(byte, if truth { set } else { set.complement() }) {
                    return false;
                }
                continue;
            }
            match (self.pool.node(term), truth) {
                (Node::Not(inner), _) => open.push((inner, !truth)),
                (Node::Bin { op: BvOp::And, a, b }, true) | (Node::Bin { op: BvOp::Or, a, b }, false) => {
                    open.extend([(a, truth), (b, truth)]);
                }
                (Node::Bin { op: BvOp::And, a, b }, false) | (Node::Bin { op: BvOp::Or, a, b }, true) => {
                    self.choices.push([[Some((a, truth)), None], [Some((b, truth)), None]]);
                }
                (Node::Ite { cond, then, other }, _) => self
                    .choices
                    .push([[Some((cond, true)), Some((then, truth))], [Some((cond, false)), Some((other, truth))]]),
                _ => self.rest.push((term, truth)),
            }
        }
        true
    }

    fn narrow(&mut self, byte: u32, allowed: ByteSet) -> bool {
        let before = self.sets.get(&byte).copied();
        let now = before.unwrap_or(ByteSet::ALL).zip(allowed, |a, b| a & b);
        if before != Some(now) {
            self.trail.push((byte, before));
            self.sets.insert(byte, now);
            self.standings.clear();
        }
        !now.is_empty()
    }

    fn undo(&mut self, trail: usize, choices: usize, rest: usize) {
        if self.trail.len() > trail {
            self.standings.clear();
        }
        for (byte, before) in self.trail.drain(trail..).rev() {
            match before {
                Some(set) => self.sets.insert(byte, set),
                None => self.sets.remove(&byte),
            };
        }
        self.choices.truncate(choices);
        self.rest.truncate(rest);
    }

    /// Takes out the choices that the sets have made already, until none is left. False if one cannot be made.
    fn settle_choices(&mut self) -> bool {
        loop {
            let mut open = Vec::new();
            let mut narrowed = false;
            for sides in std::mem::take(&mut self.choices) {
                let standing = [self.standing_of(&sides[0]), self.standing_of(&sides[1])];
                match standing {
                    [Standing::Holds, _] | [_, Standing::Holds] => {}
                    [Standing::Fails, Standing::Fails] => return false,
                    [Standing::Open, Standing::Open] => open.push(sides),
                    [Standing::Fails, Standing::Open] | [Standing::Open, Standing::Fails] => {
                        let left = usize::from(standing[0] == Standing::Fails);
                        narrowed = true;
                        if !sides[left].iter().flatten().all(|(term, truth)| self.require(*term, *truth)) {
                            return false;
                        }
                    }
                }
            }
            open.append(&mut self.choices);
            self.choices = open;
            if !narrowed {
                return true;
            }
        }
    }

    fn standing_of(&mut self, side: &Side) -> Standing {
        let mut all = Standing::Holds;
        for (term, truth) in side.iter().flatten() {
            match (self.standing(*term), truth) {
                (Standing::Open, _) => all = Standing::Open,
                (Standing::Holds, true) | (Standing::Fails, false) => {}
                (Standing::Holds, false) | (Standing::Fails, true) => return Standing::Fails,
            }
        }
        all
    }

    /// What the sets say of a condition.
    fn standing(&mut self, term: Term) -> Standing {
        let mut open = vec![term];
        while let Some(&t) = open.last() {
            if self.standings.contains_key(&t) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            let mut known = |t: Term| {
                let standing = self.standings.get(&t).copied();
                if standing.is_none() {
                    open.push(t);
                }
                standing
            };
            let standing = match self.pool.node(t) {
                Node::Const { value, .. } => Some(if value != 0 { Standing::Holds } else { Standing::Fails }),
                Node::Not(a) => known(a).map(Standing::not),
                Node::Bin { op: BvOp::And, a, b } => known(a).zip(known(b)).map(|(a, b)| a.and(b)),
                Node::Bin { op: BvOp::Or, a, b } => known(a).zip(known(b)).map(|(a, b)| a.not().and(b.not()).not()),
                _ => Some(self.standing_of_leaf(t)),
            };
            if let Some(standing) = standing {
                self.standings.insert(t, standing);
                open.truncate(waiting - 1);
            }
        }
        self.standings[&term]
    }

    fn standing_of_leaf(&mut self, term: Term) -> Standing {
        let Some(byte) = one_byte(&self.pool.support(term)) else { return Standing::Open };
        let Some(set) = self.table.set_of(self.pool, term, byte) else { return Standing::Open };
        let values = self.sets.get(&byte).copied().unwrap_or(ByteSet::ALL);
        if values.zip(set, |a, b| a & b).is_empty() {
            Standing::Fails
        } else if values.zip(set, |a, b| a & !b).is_empty() {
            Standing::Holds
        } else {
            Standing::Open
        }
    }

    /// Tries the sides of the choices from `first` on.
    fn choose(&mut self, first: usize) -> Verdict {
        let Some(&sides) = self.choices.get(first) else { return self.fill_in() };
        if first > MOST_CHOICES || self.interrupt.is_set() {
            return Verdict::Lost;
        }
        let standings = [self.standing_of(&sides[0]), self.standing_of(&sides[1])];
        if standings.contains(&Standing::Holds) {
            return self.choose(first + 1);
        }
        // The side that holds nearby needs no change.
        let near = self.holds_nearby(&sides[0]);
        let order = if near || !self.holds_nearby(&sides[1]) { [0, 1] } else { [1, 0] };
        let mut lost = false;
        for side in order.into_iter().filter(|side| standings[*side] == Standing::Open) {
            let (trail, choices, rest) = (self.trail.len(), self.choices.len(), self.rest.len());
            if sides[side].iter().flatten().all(|(term, truth)| self.require(*term, *truth)) {
                match self.choose(first + 1) {
                    Verdict::Found(model) => return Verdict::Found(model),
                    Verdict::None => {}
                    Verdict::Lost => lost = true,
                }
            }
            self.undo(trail, choices, rest);
            self.failures += 1;
            if self.failures > MOST_FAILURES {
                return Verdict::Lost;
            }
        }
        if lost { Verdict::Lost } else { Verdict::None }
    }

    fn holds_nearby(&mut self, side: &Side) -> bool {
        side.iter().flatten().all(|(term, truth)| self.is_true_nearby(*term) == *truth)
    }

    /// The value of a condition in the assignment nearby; conditions on the way are remembered.
    fn is_true_nearby(&mut self, term: Term) -> bool {
        let mut open = vec![term];
        while let Some(&t) = open.last() {
            if self.nearby.contains_key(&t) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            let mut known = |t: Term| {
                let value = self.nearby.get(&t).copied();
                if value.is_none() {
                    open.push(t);
                }
                value
            };
            let value = match self.pool.node(t) {
                Node::Not(a) => known(a).map(|a| !a),
                Node::Bin { op: BvOp::And, a, b } if self.pool.width(t) == 1 => {
                    known(a).zip(known(b)).map(|(a, b)| a & b)
                }
                Node::Bin { op: BvOp::Or, a, b } if self.pool.width(t) == 1 => {
                    known(a).zip(known(b)).map(|(a, b)| a | b)
                }
                _ => Some(osier_term::eval(self.pool, t, self.near) != 0),
            };
            if let Some(value) = value {
                self.nearby.insert(t, value);
                open.truncate(waiting - 1);
            }
        }
        self.nearby[&term]
    }

    /// Gives every byte a value and moves bytes until all comparisons of several hold.
    fn fill_in(&mut self) -> Verdict {
        let mut model = self.near.clone();
        let narrowed: Vec<(u32, ByteSet)> = self.sets.iter().map(|(byte, set)| (*byte, *set)).collect();
        for (byte, set) in narrowed {
            let Some(home) = self.table.home(byte) else { return Verdict::Lost };
            if !set.contains(model.get(home.array, home.index.into())) {
                let Some(value) = set.first() else { return Verdict::None };
                model.set_byte(home.array, home.size, home.index, value);
            }
        }
        if self.rest.is_empty() {
            return Verdict::Found(model);
        }
        self.fillings += 1;
        if self.fillings > MOST_FILLINGS {
            return Verdict::Lost;
        }
        let rest = self.rest.clone();
        for _ in 0..MOST_MOVES {
            let failing = {
                let mut evaluator = Evaluator::new(self.pool, &model);
                rest.iter().position(|(term, truth)| (evaluator.eval(*term) != 0) != *truth)
            };
            let Some(failing) = failing else { return Verdict::Found(model) };
            if self.interrupt.is_set() {
                return Verdict::Lost;
            }
            if !self.repair(&mut model, &rest, failing) {
                break;
            }
        }
        let mut evaluator = Evaluator::new(self.pool, &model);
        let failing: Vec<Literal> =
            rest.into_iter().filter(|(term, truth)| (evaluator.eval(*term) != 0) != *truth).collect();
        if failing.into_iter().any(|literal| self.is_impossible(literal, &model)) {
            Verdict::None
        } else {
            Verdict::Lost
        }
    }

    /// Whether a comparison of few bytes fails for all the values that they may have, by trying them all.
    fn is_impossible(&mut self, (term, truth): Literal, model: &Assignment) -> bool {
        let support = self.pool.support(term);
        if support.intervals().iter().map(|(start, end)| end - start).sum::<u32>() > MOST_BYTES_TRIED {
            return false;
        }
        let mut bytes = Vec::new();
        for byte in support.intervals().iter().flat_map(|&(start, end)| start..end) {
            let Some(home) = self.table.home_of(self.pool, term, byte) else { return false };
            bytes.push((home, byte, self.sets.get(&byte).copied().unwrap_or(ByteSet::ALL)));
        }
        // The byte with the most values is tried with all of them at once.
        bytes.sort_by_key(|(_, _, set)| set.len());
        let Some((last_home, last, last_set)) = bytes.pop() else { return false };
        if bytes.iter().map(|(_, _, set)| set.len() as u64).product::<u64>() > MOST_COMBINATIONS {
            return false;
        }
        let mut model = model.clone();
        let mut left: Vec<ByteSet> = bytes.iter().map(|(_, _, set)| *set).collect();
        for ((home, _, _), set) in bytes.iter().zip(&left) {
            model.set_byte(home.array, home.size, home.index, set.first().unwrap_or(0));
        }
        loop {
            let mut evaluator = Evaluator::new(self.pool, &model);
            let found =
                lanes::truth_set_near(self.pool, term, (last_home, last), &model, &mut evaluator, &mut self.budget);
            let Some(set) = found else { return false };
            let set = if truth { set } else { set.complement() };
            if !set.zip(last_set, |a, b| a & b).is_empty() {
                return false;
            }
            // The next combination, as an odometer counts.
            let mut place = 0;
            loop {
                let Some((home, _, all)) = bytes.get(place) else { return true };
                left[place] = left[place].without(left[place].first().unwrap_or(0));
                let over = left[place].is_empty();
                if over {
                    left[place] = *all;
                }
                model.set_byte(home.array, home.size, home.index, left[place].first().unwrap_or(0));
                if !over {
                    break;
                }
                place += 1;
            }
        }
    }

    /// Moves one byte so that a failing comparison holds, and if possible all others still do.
    fn repair(&mut self, model: &mut Assignment, rest: &[Literal], failing: usize) -> bool {
        let (term, truth) = rest[failing];
        let supports: Vec<Rc<Support>> = rest.iter().map(|(term, _)| self.pool.support(*term)).collect();
        let mut second_best = None;
        for byte in supports[failing].intervals().iter().flat_map(|&(start, end)| start..end) {
            if self.interrupt.is_set() {
                return false;
            }
            let Some(home) = self.table.home_of(self.pool, term, byte) else { continue };
            let mut evaluator = Evaluator::new(self.pool, model);
            let mut near = |term: Term, truth: bool| {
                let budget = &mut self.budget;
                let set = lanes::truth_set_near(self.pool, term, (home, byte), model, &mut evaluator, budget)?;
                Some(if truth { set } else { set.complement() })
            };
            let Some(right) = near(term, truth) else { continue };
            let allowed = self.sets.get(&byte).copied().unwrap_or(ByteSet::ALL);
            let mut left = right.zip(allowed, |a, b| a & b);
            let Some(value) = left.first() else { continue };
            second_best = second_best.or(Some((home, value)));
            for (i, (term, truth)) in rest.iter().enumerate() {
                if i == failing || !supports[i].contains_byte(byte) || left.is_empty() {
                    continue;
                }
                let set = near(*term, *truth).unwrap_or(ByteSet([0; 4]));
                left = left.zip(set, |a, b| a & b);
            }
            if let Some(value) = left.first() {
                model.set_byte(home.array, home.size, home.index, value);
                return true;
            }
        }
        let Some((home, value)) = second_best else { return false };
        model.set_byte(home.array, home.size, home.index, value);
        true
    }
}

/// The number of the one byte that a term speaks of.
pub(crate) fn one_byte(support: &Support) -> Option<u32> {
    match support.intervals() {
        &[(start, end)] if end == start + 1 => Some(start),
        _ => None,
    }
}
