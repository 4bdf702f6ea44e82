//! Which constraints of a path speak of a byte. A path along a long seed has many thousand constraints that hang
//! together, and to go through them takes far longer than to look at the few that matter.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use osier_base::Id;
use osier_term::{Pool, Support, Term};
use rustc_hash::FxHashMap;

/// Fewer constraints are gone through.
const MANY: usize = 1_000;
/// A constraint over more bytes is not entered under each of them.
const WIDE: usize = 256;
/// Of constraints under bytes; then all begins anew. Four bytes each.
const MOST_ENTRIES: usize = 1 << 24;

#[derive(Default)]
pub(crate) struct Speakers {
    /// The constraints that are in here.
    entered: FixedBitSet,
    of_byte: FxHashMap<u32, Vec<Term>>,
    /// Wide ones by their support, which many of them share: all that read where the same lengths lead to.
    wide: FxHashMap<Rc<Support>, Vec<Term>>,
    entries: usize,
}

impl Speakers {
    /// Those of the constraints that speak of the byte. Both are sorted.
    pub(crate) fn among(&mut self, pool: &mut Pool, constraints: &[Term], byte: u32) -> Vec<Term> {
        if constraints.len() >= MANY {
            self.enter(pool, constraints);
            let narrow = self.of_byte.get(&byte).map_or(&[][..], Vec::as_slice);
            // They are of all paths.
            if narrow.len() + self.wide.len() < constraints.len() {
                let is_here = |c: &Term| constraints.binary_search(c).is_ok();
                let mut speaking: Vec<Term> = narrow.iter().copied().filter(is_here).collect();
                let wide = self.wide.iter().filter(|(support, _)| support.contains_byte(byte));
                speaking.extend(wide.flat_map(|(_, members)| members).copied().filter(is_here));
                speaking.sort_unstable();
                return speaking;
            }
        }
        constraints.iter().copied().filter(|&c| pool.support(c).contains_byte(byte)).collect()
    }

    fn enter(&mut self, pool: &mut Pool, constraints: &[Term]) {
        if self.entries > MOST_ENTRIES {
            *self = Speakers::default();
        }
        let largest = constraints.last().map_or(0, |c| c.index());
        self.entered.grow(largest + 1);
        for &constraint in constraints {
            if self.entered.put(constraint.index()) {
                continue;
            }
            let support = pool.support(constraint);
            if support.len() > WIDE {
                self.wide.entry(support).or_default().push(constraint);
                self.entries += 1;
                continue;
            }
            for byte in support.intervals().iter().flat_map(|&(start, end)| start..end) {
                self.of_byte.entry(byte).or_default().push(constraint);
            }
            self.entries += support.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn they_are_those_that_going_through_all_finds(
            spans in prop::collection::vec((0u64..600, 1u64..20), MANY..2 * MANY),
            wide in prop::collection::vec(0u64..300, 0..3),
            picked in prop::collection::vec(any::<bool>(), 2 * MANY + 3),
        ) {
            let mut pool = Pool::new();
            let input = pool.input("x", 700);
            let conditions = spans.iter().copied().chain(wide.iter().map(|&start| (start, WIDE as u64 + 40)));
            let mut constraints: Vec<Term> = conditions
                .enumerate()
                .map(|(number, (start, len))| {
                    let first = pool.select_at(input, start);
                    let sum = (start + 1..(start + len).min(700)).fold(first, |sum, at| {
                        let byte = pool.select_at(input, at);
                        pool.add(sum, byte)
                    });
                    let bound = pool.constant(8, (number % 200 + 1) as u128);
                    pool.ult(sum, bound)
                })
                .collect();
            constraints.sort_unstable();
            constraints.dedup();
            let some: Vec<Term> =
                constraints.iter().zip(&picked).filter_map(|(&c, &taken)| taken.then_some(c)).collect();
            let mut speakers = Speakers::default();
            for path in [&some, &constraints, &some] {
                for byte in (0..700).step_by(13) {
                    let all = path.iter().copied().filter(|&c| pool.support(c).contains_byte(byte));
                    let expected: Vec<Term> = all.collect();
                    prop_assert_eq!(speakers.among(&mut pool, path, byte), expected, "byte {}", byte);
                }
            }
        }
    }
}
