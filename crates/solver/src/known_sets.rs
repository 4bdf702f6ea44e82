//! Sets of constraints that were decided, found by what they have in common with a query: an unsolvable subset makes it
//! unsolvable, a solved superset solves it.
//!
//! The work of a lookup is bounded, however many sets there are: few terms of the query are looked under, few sets
//! stand under a term, most of them are told apart by one comparison of signatures, and what is then compared term by
//! term has a budget. A set that this misses costs a call of something slower, no more.

use std::rc::Rc;

use osier_term::{Assignment, Term};
use smallvec::SmallVec;

use crate::generations::Generations;
use crate::held::Held;

/// The newest sets under one term.
const SETS_PER_TERM: usize = 16;

/// An unsolvable set is looked for under so many terms of a query, the newest first, and a solved one is filed under so
/// many of its own. A path grows by newer terms, so the newest are those that distinguish.
const TERMS_LOOKED_UNDER: usize = 128;
const TERMS_FILED_UNDER: usize = 64;

/// A solved superset stands under every term of the query: so many are tried to find the one with the fewest sets.
const TERMS_COMPARED: usize = 16;

/// Terms compared in one lookup, all sets together.
const STEPS: usize = 4096;

/// A set of terms, each once, sorted, with a signature: a set is part of another only if its signature is.
#[derive(Debug)]
struct Set<T> {
    terms: Box<[Term]>,
    signature: u128,
    /// Under so many terms it is filed, which share what it holds.
    places: usize,
    value: T,
}

impl<T: Held> Set<T> {
    /// The bytes that count for each of its places.
    fn share(&self) -> usize {
        (size_of::<Self>() + self.terms.held() + self.value.held()) / self.places
    }
}

type Sets<T> = SmallVec<[Rc<Set<T>>; 2]>;

impl<T: Held> Held for Sets<T> {
    fn held(&self) -> usize {
        self.iter().map(|set| set.share()).sum()
    }
}

pub(crate) struct KnownSets {
    /// Each under the one of its terms that has the fewest.
    unsolvable: Generations<Term, Sets<()>>,
    /// Each under its newest terms.
    solved: Generations<Term, Sets<Assignment>>,
}

impl KnownSets {
    /// Remembers sets under at least `limit` terms of each kind.
    pub(crate) fn new(limit: usize) -> Self {
        KnownSets { unsolvable: Generations::new(limit), solved: Generations::new(limit) }
    }

    pub(crate) fn learn_unsolvable(&mut self, terms: &[Term]) {
        let newest = terms.iter().rev().take(TERMS_FILED_UNDER);
        let rarest = newest.min_by_key(|term| self.unsolvable.get(*term).map_or(0, |sets| sets.len()));
        if let Some(&rarest) = rarest {
            let set = Set { terms: terms.into(), signature: signature(terms), places: 1, value: () };
            file_under(&mut self.unsolvable, rarest, Rc::new(set));
        }
    }

    pub(crate) fn learn_solved(&mut self, terms: &[Term], model: &Assignment) {
        let places = terms.len().min(TERMS_FILED_UNDER);
        let set = Rc::new(Set { terms: terms.into(), signature: signature(terms), places, value: model.clone() });
        for &term in terms.iter().rev().take(TERMS_FILED_UNDER) {
            file_under(&mut self.solved, term, set.clone());
        }
    }

    /// Whether a part of the query, which is sorted, is known to have no solution.
    pub(crate) fn has_unsolvable_part(&mut self, query: &[Term]) -> bool {
        let wanted = signature(query);
        let mut steps = STEPS;
        for term in query.iter().rev().take(TERMS_LOOKED_UNDER) {
            let Some(sets) = self.unsolvable.get(term) else { continue };
            for set in sets.iter() {
                if set.signature & !wanted == 0 && is_subset(&set.terms, query, &mut steps) {
                    return true;
                }
            }
        }
        false
    }

    /// The model of a solved set that contains the query, which is sorted.
    pub(crate) fn model_of_superset(&mut self, query: &[Term]) -> Option<Assignment> {
        let mut rarest: Option<(usize, Term)> = None;
        for &term in query.iter().rev().take(TERMS_COMPARED) {
            let count = self.solved.get(&term)?.len();
            if rarest.is_none_or(|(least, _)| count < least) {
                rarest = Some((count, term));
            }
        }
        let wanted = signature(query);
        let mut steps = STEPS;
        let sets = self.solved.get(&rarest?.1)?;
        let newest_first = sets.iter().rev();
        let mut fitting = newest_first
            .filter(|set| wanted & !set.signature == 0)
            .filter(|set| is_subset(query, &set.terms, &mut steps));
        fitting.next().map(|set| set.value.clone())
    }
}

fn file_under<T: Held>(index: &mut Generations<Term, Sets<T>>, term: Term, set: Rc<Set<T>>) {
    match index.get(&term) {
        Some(sets) => {
            let mut grown = set.share();
            if sets.len() == SETS_PER_TERM {
                grown = grown.saturating_sub(sets.remove(0).share());
            }
            sets.push(set);
            index.grew(grown);
        }
        None => index.insert(term, SmallVec::from_iter([set])),
    }
}

/// One bit for each term; different terms mostly have different ones.
fn signature(terms: &[Term]) -> u128 {
    terms.iter().fold(0, |bits, term| bits | 1 << (term.0.wrapping_mul(0x9e37_79b1) >> 25))
}

/// Both sorted, each element once. Says no when the steps are used up.
fn is_subset(small: &[Term], large: &[Term], steps: &mut usize) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large;
    for term in small {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        // By doubling strides, then by halving: a few steps if the next one is near, a few more if it is far.
        let mut stride = 1;
        while stride < rest.len() && rest[stride] < *term {
            stride *= 2;
        }
        let near = &rest[..rest.len().min(stride + 1)];
        match near.binary_search(term) {
            Ok(at) => rest = &rest[at + 1..],
            Err(_) => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::Array;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn terms(ids: &[u32]) -> Vec<Term> {
        ids.iter().map(|&i| Term(i)).collect()
    }

    #[test]
    fn a_query_is_decided_by_its_parts_and_by_what_contains_it() {
        let mut known = KnownSets::new(100);
        known.learn_unsolvable(&terms(&[2, 5]));
        assert!(known.has_unsolvable_part(&terms(&[1, 2, 3, 5])));
        assert!(known.has_unsolvable_part(&terms(&[2, 5])));
        assert!(!known.has_unsolvable_part(&terms(&[1, 2, 3, 4])));
        assert!(!known.has_unsolvable_part(&terms(&[2])));
        let mut model = Assignment::new();
        model.set_byte(Array(0), 1, 0, 7);
        known.learn_solved(&terms(&[3, 4, 9]), &model);
        assert_eq!(known.model_of_superset(&terms(&[3, 9])), Some(model));
        assert_eq!(known.model_of_superset(&terms(&[3, 8])), None);
        assert_eq!(known.model_of_superset(&terms(&[3, 4, 8, 9])), None);
    }

    #[test]
    fn terms_that_are_in_every_set_do_not_crowd_out_the_others() {
        let mut known = KnownSets::new(10_000);
        for i in 0..1000 {
            known.learn_unsolvable(&terms(&[1, 2, 100 + i]));
        }
        for i in 0..1000 {
            assert!(known.has_unsolvable_part(&terms(&[1, 2, 3, 100 + i])), "set {i}");
        }
    }

    fn id_set() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(0u32..40, 0..20)
    }

    proptest! {
        #[test]
        fn subsets_are_what_sets_call_so(small in id_set(), large in id_set()) {
            let (a, b): (Vec<u32>, Vec<u32>) = (small.iter().copied().collect(), large.iter().copied().collect());
            let (a, b) = (terms(&a), terms(&b));
            prop_assert_eq!(is_subset(&a, &b, &mut 1000), small.is_subset(&large));
            if small.is_subset(&large) {
                prop_assert_eq!(signature(&a) & !signature(&b), 0);
            }
        }
    }
}
