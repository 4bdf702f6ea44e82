//! Keeps all solutions of the constraints of a path where they are few, so that a question is one look at each of them.
//!
//! A path grows by one constraint after the other, and each question is about the path and one constraint more. The
//! solutions of the longer path are those of the shorter one that satisfy what is new.

use std::rc::Rc;
use std::time::Duration;

use osier_term::{Assignment, Pool, Term};
use rustc_hash::FxHashMap;

use crate::bytesets::{ByteSet, SetTable};
use crate::combinations::{bytes_of, lanes_of};
use crate::domains::one_byte;
use crate::generations::Generations;
use crate::interrupt::Interrupt;
use crate::lanes::{Home, Program};
use crate::query::{Answer, Query, Solver, SolverError, Statistics};

/// More solutions are not kept.
const MOST_SOLUTIONS: usize = 1 << 14;
/// Paths whose solutions are kept.
const KEPT_PATHS: usize = 256;
/// So many constraints may be new.
const MOST_NEW: usize = 16;
/// Terms that are computed for one question at most, each for 256 solutions: about as long as a backend takes for what is
/// easy.
const MOST_WORK: usize = 1 << 13;
/// The same where nothing is known of the path yet, but it was met before: what is found then serves all questions after
/// it.
const MOST_WORK_ONCE: usize = 1 << 17;
/// Constraints that are computed together.
const TOGETHER: usize = 32;

pub(crate) struct Solutions {
    inner: Box<dyn Solver>,
    table: SetTable,
    /// By the key of their constraints.
    known: Generations<u128, Rc<Known>>,
    /// Paths of which nothing was known when they were met.
    met: Generations<u128, ()>,
    interrupt: Interrupt,
    decided: u64,
}

/// The solutions of some constraints.
struct Known {
    constraints: Box<[Term]>,
    bytes: Vec<(u32, Home)>,
    /// One value of each byte for each solution.
    values: Vec<u8>,
}

/// A key of each beginning of the constraints, from none to all.
fn keys(constraints: &[Term]) -> Vec<u128> {
    let mut key: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut keys = vec![key];
    for term in constraints {
        key = (key ^ u128::from(term.0)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        key ^= key >> 64;
        keys.push(key);
    }
    keys
}

impl Known {
    fn count(&self) -> usize {
        if self.bytes.is_empty() { 1 } else { self.values.len() / self.bytes.len() }
    }

    fn turns(&self) -> usize {
        self.count().div_ceil(256)
    }

    /// With all values of one more byte. None if these are too many.
    fn with_byte(&self, byte: u32, home: Home, set: ByteSet) -> Option<Self> {
        if self.count() * set.len() as usize > MOST_SOLUTIONS {
            return None;
        }
        let new: Vec<u8> = (0..=255).filter(|&value| set.contains(value)).collect();
        let mut values = Vec::with_capacity(self.count() * new.len() * (self.bytes.len() + 1));
        let nothing: [u8; 0] = [];
        let solutions: Box<dyn Iterator<Item = &[u8]>> = match self.bytes.len() {
            0 => Box::new(std::iter::once(&nothing[..])),
            many => Box::new(self.values.chunks(many)),
        };
        for solution in solutions {
            for &value in &new {
                values.extend_from_slice(solution);
                values.push(value);
            }
        }
        let mut bytes = self.bytes.clone();
        bytes.push((byte, home));
        Some(Known { constraints: self.constraints.clone(), bytes, values })
    }

    /// Those that satisfy the conditions as well. None if that costs more than `work`, from which it is taken.
    fn satisfying(&self, pool: &Pool, conditions: &[Term], work: &mut usize) -> Option<Vec<u8>> {
        let mut program = Program::new(pool, conditions, *work)?;
        *work = work.checked_sub(program.price() * self.turns())?;
        let mut left = Vec::new();
        for solutions in self.values.chunks(256 * self.bytes.len()) {
            let lanes = lanes_of(solutions, self.bytes.iter().map(|(byte, _)| *byte));
            let truth = program.truth(pool, &lanes)?;
            for (lane, solution) in solutions.chunks(self.bytes.len()).enumerate() {
                if truth.contains(lane as u8) {
                    left.extend_from_slice(solution);
                }
            }
        }
        Some(left)
    }

    /// The solution that leaves most bytes as they are.
    fn nearest(&self, near: Option<&Assignment>) -> Option<Assignment> {
        let mut model = near.cloned().unwrap_or_default();
        let now: Vec<u8> = self.bytes.iter().map(|(_, home)| model.get(home.array, home.index.into())).collect();
        let kept = |solution: &&[u8]| solution.iter().zip(&now).filter(|(new, now)| new == now).count();
        // The first of the best.
        let best = self.values.chunks(self.bytes.len().max(1)).rev().max_by_key(kept)?;
        for (((_, home), &value), &now) in self.bytes.iter().zip(best).zip(&now) {
            if value != now {
                model.set_byte(home.array, home.size, home.index, value);
            }
        }
        Some(model)
    }
}

impl Solutions {
    pub(crate) fn wrap(inner: Box<dyn Solver>, limit: usize, interrupt: Interrupt) -> Box<dyn Solver> {
        Box::new(Solutions {
            inner,
            table: SetTable::new(limit),
            known: Generations::new(KEPT_PATHS),
            met: Generations::new(limit),
            interrupt,
            decided: 0,
        })
    }

    /// The solutions of all constraints. None if they are too many, or too hard to find.
    fn find(&mut self, pool: &mut Pool, constraints: &[Term], keys: &[u128], look_up: bool) -> Option<Rc<Known>> {
        let most = constraints.len();
        let fewest = most.saturating_sub(MOST_NEW);
        for given in (fewest.max(1)..=most).rev() {
            let Some(known) = self.known.get(&keys[given]).cloned() else { continue };
            if *known.constraints == constraints[..given] {
                let mut work = MOST_WORK;
                return self.extended(pool, known, (constraints, keys), &mut work);
            }
        }
        if look_up {
            return None;
        }
        let was_met = (fewest.max(1)..most).any(|given| self.met.get(&keys[given]).is_some());
        self.met.insert(keys[most - 1], ());
        let mut work = if was_met { MOST_WORK_ONCE } else { MOST_WORK };
        // Without the newest constraint: what is found is kept for other questions about the path.
        let start = self.beginning(pool, &constraints[..most - 1])?;
        self.extended(pool, Rc::new(start), (constraints, keys), &mut work)
    }

    /// All combinations of what the constraints over single bytes leave.
    fn beginning(&mut self, pool: &mut Pool, constraints: &[Term]) -> Option<Known> {
        let mut sets: FxHashMap<u32, (ByteSet, Home)> = FxHashMap::default();
        for &constraint in constraints {
            let support = pool.support(constraint);
            let own = match one_byte(&support) {
                Some(byte) => self.table.set_of(pool, constraint, byte),
                None => None,
            };
            for byte in bytes_of(&support) {
                let home = self.table.home_of(pool, constraint, byte)?;
                let (set, _) = sets.entry(byte).or_insert((ByteSet::ALL, home));
                *set = set.zip(own.unwrap_or(ByteSet::ALL), |a, b| a & b);
            }
        }
        let product = sets.values().try_fold(1usize, |product, (set, _)| {
            product.checked_mul(set.len() as usize).filter(|&product| product <= MOST_SOLUTIONS)
        })?;
        let mut bytes: Vec<u32> = sets.keys().copied().collect();
        bytes.sort_unstable();
        let mut known = Known { constraints: Box::new([]), bytes: Vec::new(), values: Vec::with_capacity(product) };
        for byte in bytes {
            let (set, home) = sets[&byte];
            known = known.with_byte(byte, home, set)?;
        }
        Some(known)
    }

    /// The solutions of more constraints than those of which they are known, and keeps them.
    fn extended(
        &mut self,
        pool: &mut Pool,
        mut known: Rc<Known>,
        (constraints, keys): (&[Term], &[u128]),
        work: &mut usize,
    ) -> Option<Rc<Known>> {
        while known.constraints.len() < constraints.len() {
            if self.interrupt.is_set() {
                return None;
            }
            // The newest constraint comes alone: without it, they are those of the path that was asked about.
            let done = known.constraints.len();
            let next =
                if done + 1 == constraints.len() { done + 1 } else { (done + TOGETHER).min(constraints.len() - 1) };
            let new = &constraints[done..next];
            let mut wider = known.clone();
            for &constraint in new {
                let support = pool.support(constraint);
                for byte in bytes_of(&support) {
                    if wider.bytes.iter().all(|(known, _)| *known != byte) {
                        let home = self.table.home_of(pool, constraint, byte)?;
                        let set = one_byte(&support).and_then(|byte| self.table.set_of(pool, constraint, byte));
                        wider = Rc::new(wider.with_byte(byte, home, set.unwrap_or(ByteSet::ALL))?);
                    }
                }
            }
            let values = wider.satisfying(pool, new, work)?;
            known = Rc::new(Known { constraints: constraints[..next].into(), bytes: wider.bytes.clone(), values });
            if next + 1 >= constraints.len() {
                self.known.insert(keys[next], known.clone());
            }
        }
        Some(known)
    }

    fn decide(&mut self, pool: &mut Pool, query: &Query, look_up: bool) -> Option<Answer> {
        if self.interrupt.is_set() || query.constraints.iter().any(|&c| pool.as_const(c).is_some()) {
            return None;
        }
        let keys = keys(query.constraints);
        let known = self.find(pool, query.constraints, &keys, look_up)?;
        Some(known.nearest(query.near).map_or(Answer::Unsat, Answer::Sat))
    }
}

impl Solver for Solutions {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        match self.decide(pool, query, false) {
            Some(answer) => {
                self.decided += 1;
                Ok(answer)
            }
            None => self.inner.check(pool, query),
        }
    }

    /// What has a solution is left open, so that it waits like others.
    fn recall(&mut self, pool: &mut Pool, query: &Query) -> Result<Option<Answer>, SolverError> {
        match self.decide(pool, query, true) {
            Some(Answer::Unsat) => {
                self.decided += 1;
                Ok(Some(Answer::Unsat))
            }
            Some(Answer::Sat(_) | Answer::Unknown(_)) => Ok(None),
            None => self.inner.recall(pool, query),
        }
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, out: &mut Statistics) {
        out.by_solutions += self.decided;
        self.inner.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Reason;
    use osier_term::Array;
    use std::cell::Cell;

    /// Counts how often it is asked.
    struct Counts(Rc<Cell<u32>>);
    impl Solver for Counts {
        fn check(&mut self, _: &mut Pool, _: &Query) -> Result<Answer, SolverError> {
            self.0.set(self.0.get() + 1);
            Ok(Answer::Unknown(Reason::Interrupted))
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
        fn statistics(&self, _: &mut Statistics) {}
    }

    /// A path over three bytes below ten: their sum is 20, and the first is below the second.
    fn path(pool: &mut Pool) -> (Array, Vec<Term>, [Term; 3]) {
        let input = pool.input("x", 3);
        let bytes = [0, 1, 2].map(|at| pool.select_at(input, at));
        let (ten, twenty) = (pool.constant(8, 10), pool.constant(8, 20));
        let mut path: Vec<Term> = bytes.iter().map(|&byte| pool.ult(byte, ten)).collect();
        let two = pool.add(bytes[0], bytes[1]);
        let sum = pool.add(two, bytes[2]);
        path.extend([pool.eq(sum, twenty), pool.ult(bytes[0], bytes[1])]);
        (input, path, bytes)
    }

    #[test]
    fn questions_about_one_path_are_answered_by_its_solutions() {
        let mut pool = Pool::new();
        let (input, path, [a, b, c]) = path(&mut pool);
        let asked = Rc::new(Cell::new(0));
        let mut stage = Solutions::wrap(Box::new(Counts(asked.clone())), 1000, Interrupt::default());
        let (first, least) = (pool.ult(b, a), pool.constant(8, 2));
        let (below, equal) = (pool.ult(c, least), pool.eq(b, c));
        let mut near = Assignment::new();
        near.set(input, vec![5, 6, 9].into());
        let mut ask = |question: Term, recall: bool| {
            let constraints = [&path[..], &[question]].concat();
            let query = Query { constraints: &constraints, near: Some(&near) };
            if recall {
                stage.recall(&mut pool, &query).unwrap()
            } else {
                stage.check(&mut pool, &query).map(Some).unwrap()
            }
        };
        assert!(ask(first, true).is_none(), "nothing is looked for in a look-up");
        assert!(matches!(ask(first, false), Some(Answer::Unsat)));
        // What has no solution is known for certain now; what has one is to be asked.
        assert!(matches!(ask(below, true), Some(Answer::Unsat)));
        assert!(ask(equal, true).is_none());
        // 2 9 9 is nearer to 5 6 9 than 4 8 8.
        let Some(Answer::Sat(model)) = ask(equal, false) else { panic!("2 9 9 is one") };
        assert_eq!(model.bytes(input), Some(&[2, 9, 9][..]));
        assert_eq!(asked.get(), 0);
    }

    #[test]
    fn too_many_solutions_are_left_to_others() {
        let mut pool = Pool::new();
        let (_, path, [a, b, c]) = path(&mut pool);
        let asked = Rc::new(Cell::new(0));
        let mut stage = Solutions::wrap(Box::new(Counts(asked.clone())), 1000, Interrupt::default());
        let (two, nine) = (pool.add(a, b), pool.constant(8, 9));
        let sum = pool.add(two, c);
        let is_nine = pool.eq(sum, nine);
        for constraints in [&[is_nine][..], &[path[0], is_nine]] {
            assert!(matches!(stage.check(&mut pool, &Query::of(constraints)), Ok(Answer::Unknown(_))));
        }
        assert!(matches!(
            stage.check(&mut pool, &Query::of(&[path[0], path[1], path[2], is_nine])),
            Ok(Answer::Sat(_))
        ));
        assert_eq!(asked.get(), 2);
    }
}
