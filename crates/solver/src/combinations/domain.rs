//! Combinations of the values of some bytes, and which conditions hold in which of them.
//!
//! Questions about neighbouring paths have most of their conditions in common. What was computed for one is known for the
//! next one.

use std::collections::VecDeque;
use std::rc::Rc;

use osier_term::{Assignment, Term};
use rustc_hash::FxHashMap;

use crate::bytesets::ByteSet;
use crate::lanes::{Home, Lanes};

use super::LANES;

/// Of more combinations it is not remembered which conditions hold.
const MOST_REMEMBERED: usize = 1 << 16;
/// Domains that are remembered.
const KEPT: usize = 64;
/// Words of 64 bits that are remembered at most.
const MOST_WORDS: usize = 1 << 22;

/// A byte with the values that it has here.
pub(super) struct Wheel {
    pub(super) byte: u32,
    pub(super) home: Home,
    pub(super) values: Vec<u8>,
    pub(super) set: ByteSet,
}

/// All combinations of the wheels' values, counted as an odometer counts.
pub(super) struct Domain {
    wheels: Vec<Wheel>,
    count: usize,
    truths: FxHashMap<Term, Truth>,
}

/// A bit for each combination that is left.
pub(super) struct Left(Vec<u64>);

impl Left {
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn combinations(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip(0..).flat_map(|(&word, i)| {
            let rest = std::iter::successors((word != 0).then_some(word), |bits| {
                let left = bits & (bits - 1);
                (left != 0).then_some(left)
            });
            rest.map(move |bits| i * 64 + bits.trailing_zeros())
        })
    }
}

/// A bit for each combination.
struct Truth {
    known: Box<[u64]>,
    /// Means nothing where it is not known.
    holds: Box<[u64]>,
}

/// The domains that were asked about last, the last one first.
#[derive(Default)]
pub(crate) struct Domains {
    recent: VecDeque<Domain>,
}

impl Domains {
    /// A domain that has all values of the sets of these bytes.
    pub(super) fn take(&mut self, bytes: &[u32], sets: &dyn Fn(u32) -> ByteSet) -> Option<Domain> {
        let covers = |domain: &Domain| {
            domain.wheels.iter().map(|wheel| wheel.byte).eq(bytes.iter().copied())
                && domain.wheels.iter().all(|wheel| sets(wheel.byte).is_within(wheel.set))
        };
        let best = (0..self.recent.len()).filter(|&i| covers(&self.recent[i])).min_by_key(|&i| self.recent[i].count)?;
        self.recent.remove(best)
    }

    pub(super) fn put(&mut self, domain: Domain) {
        if !Domain::remembers(domain.count) {
            return;
        }
        self.recent.push_front(domain);
        let mut words = 0;
        let fitting = self.recent.iter().take_while(|domain| {
            words += domain.words();
            words <= MOST_WORDS
        });
        let fitting = fitting.count().min(KEPT);
        self.recent.truncate(fitting);
    }
}

impl Domain {
    pub(super) fn new(wheels: Vec<Wheel>) -> Self {
        let count = wheels.iter().map(|wheel| wheel.values.len()).product();
        Domain { wheels, count, truths: FxHashMap::default() }
    }

    /// Whether it is remembered which conditions hold in so many combinations.
    pub(super) fn remembers(count: usize) -> bool {
        count <= MOST_REMEMBERED
    }

    fn words(&self) -> usize {
        self.truths.len() * 2 * self.count.div_ceil(64)
    }

    fn values(&self, mut combination: u32) -> impl Iterator<Item = u8> {
        self.wheels.iter().map(move |wheel| {
            let len = wheel.values.len() as u32;
            let value = wheel.values[(combination % len) as usize];
            combination /= len;
            value
        })
    }

    /// The combinations of values in the sets in which no condition is known to be false, and the conditions that are
    /// not known in all of them.
    pub(super) fn left(&self, conditions: &[Term], sets: &dyn Fn(u32) -> ByteSet) -> (Left, Vec<Term>) {
        let mut alive = self.inside(sets);
        let truths: Vec<Option<&Truth>> = conditions.iter().map(|condition| self.truths.get(condition)).collect();
        for truth in truths.iter().flatten() {
            let mut any = 0;
            for ((alive, known), holds) in alive.iter_mut().zip(&truth.known).zip(&truth.holds) {
                *alive &= holds | !known;
                any |= *alive;
            }
            if any == 0 {
                return (Left(Vec::new()), Vec::new());
            }
        }
        let is_open = |truth: &Option<&Truth>| {
            truth.is_none_or(|truth| alive.iter().zip(&truth.known).any(|(alive, known)| alive & !known != 0))
        };
        let open = conditions.iter().zip(&truths).filter(|(_, truth)| is_open(truth)).map(|(c, _)| *c).collect();
        (Left(alive), open)
    }

    /// The combinations of values in the sets, as bits: those of the first wheel, for each combination of the others.
    fn inside(&self, sets: &dyn Fn(u32) -> ByteSet) -> Vec<u64> {
        let mut bits = vec![1];
        let mut count = 1;
        for wheel in &self.wheels {
            let set = sets(wheel.byte);
            let mut wider = vec![0; (count * wheel.values.len()).div_ceil(64)];
            for (i, _) in wheel.values.iter().enumerate().filter(|(_, value)| set.contains(**value)) {
                put(&mut wider, i * count, &bits);
            }
            bits = wider;
            count *= wheel.values.len();
        }
        bits
    }

    /// In which of these combinations, at most 256, a condition holds.
    pub(super) fn learn(&mut self, condition: Term, combinations: &[u32], holds: ByteSet) {
        if !Self::remembers(self.count) {
            return;
        }
        let words = self.count.div_ceil(64);
        let nothing = || vec![0; words].into_boxed_slice();
        let truth = self.truths.entry(condition).or_insert_with(|| Truth { known: nothing(), holds: nothing() });
        for (lane, &combination) in combinations.iter().enumerate() {
            let (word, bit) = (combination as usize / 64, 1 << (combination % 64));
            truth.known[word] |= bit;
            if holds.contains(lane as u8) {
                truth.holds[word] |= bit;
            }
        }
    }

    /// The combinations as lanes; those that are missing are zero.
    pub(super) fn lanes(&self, combinations: &[u32]) -> FxHashMap<u32, Rc<Lanes>> {
        let mut lanes = vec![[0; LANES]; self.wheels.len()];
        for (lane, &combination) in combinations.iter().enumerate() {
            for (lanes, value) in lanes.iter_mut().zip(self.values(combination)) {
                lanes[lane] = value.into();
            }
        }
        self.wheels.iter().zip(lanes).map(|(wheel, lanes)| (wheel.byte, Rc::new(lanes))).collect()
    }

    /// The one of these combinations that leaves most bytes as they are.
    pub(super) fn nearest(&self, combinations: &[u32], near: Option<&Assignment>) -> Option<Assignment> {
        let mut model = near.cloned().unwrap_or_default();
        let now: Vec<u8> = self.wheels.iter().map(|w| model.get(w.home.array, w.home.index.into())).collect();
        let kept = |combination: &&u32| self.values(**combination).zip(&now).filter(|(new, now)| new == *now).count();
        let best = combinations.iter().rev().max_by_key(kept)?;
        for ((Wheel { home, .. }, value), &now) in self.wheels.iter().zip(self.values(*best)).zip(&now) {
            if value != now {
                model.set_byte(home.array, home.size, home.index, value);
            }
        }
        Some(model)
    }
}

/// Puts bits where there are none.
fn put(into: &mut [u64], at: usize, bits: &[u64]) {
    let (word, shift) = (at / 64, at % 64);
    for (i, &new) in bits.iter().enumerate().filter(|(_, new)| **new != 0) {
        into[word + i] |= new << shift;
        if shift != 0 && new >> (64 - shift) != 0 {
            into[word + i + 1] |= new >> (64 - shift);
        }
    }
}
