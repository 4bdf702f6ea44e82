//! A sorted set of terms that grows by a few at a time, while those that it grew from live on.

use std::rc::Rc;

use osier_term::Term;
use smallvec::SmallVec;

/// Each term once. A set that grew out of another shares most of it: adding copies what was added lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct TermSet {
    /// Sorted.
    base: Rc<Vec<Term>>,
    /// Sorted; none of them in `base`.
    recent: SmallVec<[Term; 2]>,
}

impl TermSet {
    pub fn len(&self) -> usize {
        self.base.len() + self.recent.len()
    }

    pub fn contains(&self, term: Term) -> bool {
        self.recent.binary_search(&term).is_ok() || self.base.binary_search(&term).is_ok()
    }

    /// This set and others; `terms` are sorted, each once, and not in it.
    pub fn with(&self, terms: &[Term]) -> TermSet {
        let recent = merged(&self.recent, terms);
        // The base is copied once in so many terms that both copies cost about the same.
        if recent.len() * recent.len() <= 2 * self.base.len() {
            TermSet { base: self.base.clone(), recent: recent.into() }
        } else {
            TermSet { base: Rc::new(merged(&self.base, &recent)), recent: SmallVec::new() }
        }
    }

    /// In no order.
    pub fn iter(&self) -> impl Iterator<Item = Term> {
        self.base.iter().chain(&self.recent).copied()
    }

    pub fn to_sorted(&self) -> Vec<Term> {
        merged(&self.base, &self.recent)
    }
}

/// Two sorted lists as one. Costs a copy of the first, and a search in it for each element of the second.
fn merged(many: &[Term], few: &[Term]) -> Vec<Term> {
    let mut both = Vec::with_capacity(many.len() + few.len());
    let mut rest = many;
    for &term in few {
        let (before, after) = rest.split_at(rest.partition_point(|&t| t < term));
        both.extend_from_slice(before);
        both.push(term);
        rest = after;
    }
    both.extend_from_slice(rest);
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::Pool;

    #[test]
    fn sets_that_grew_from_one_another_stay_apart() {
        let mut pool = Pool::new();
        let mut terms: Vec<Term> = (0..300).map(|i| pool.constant(32, i)).collect();
        terms.sort_unstable();
        let mut grown = vec![TermSet::default()];
        // First the odd places, then the even ones: each lands in the middle.
        let order: Vec<usize> = (0..300).step_by(2).map(|i| i + 1).chain((0..300).step_by(2)).collect();
        for &at in &order {
            let next = grown.last().expect("one at least").with(&[terms[at]]);
            grown.push(next);
        }
        for (count, set) in grown.iter().enumerate() {
            let mut expected: Vec<Term> = order[..count].iter().map(|&at| terms[at]).collect();
            expected.sort_unstable();
            assert_eq!(set.to_sorted(), expected);
            assert_eq!(set.len(), count);
            let mut held: Vec<Term> = set.iter().collect();
            held.sort_unstable();
            assert_eq!(held, expected);
            assert!(order.iter().enumerate().all(|(i, &at)| set.contains(terms[at]) == (i < count)));
        }
    }
}
