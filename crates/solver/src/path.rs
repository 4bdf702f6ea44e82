//! The path condition of one state: kept cut into independent slices, shared between forks.

use std::rc::Rc;

use osier_term::{Pool, Support, Term};
use rpds::{List, RedBlackTreeMap};
use smallvec::SmallVec;

use crate::simplify::for_each_conjunct;

/// Constraints that hang together by shared input bytes, and those bytes.
#[derive(Debug)]
struct Slice {
    /// Sorted, each once: as it stands it is a key of the caches.
    constraints: Vec<Term>,
    support: Support,
}

/// The bytes from the map's key up to `end` belong to `slice`.
#[derive(Clone, Debug)]
struct Stretch {
    end: u32,
    slice: Rc<Slice>,
}

/// The conjunction of what a state has assumed. Cloning copies four pointers; adding costs what the new constraint
/// touches, and never what the path has gathered elsewhere.
///
/// Invariant: the stretches are disjoint, each slice has exactly one stretch per interval of its support, and no two
/// slices share a byte.
#[derive(Clone, Debug)]
pub struct Path {
    /// Newest first.
    history: List<Term>,
    stretches: RedBlackTreeMap<u32, Stretch>,
    /// Constraints over no input byte. Only a false one survives simplification, so this is nearly always empty.
    ground: List<Term>,
}

impl Default for Path {
    fn default() -> Self {
        Self::new()
    }
}

impl Path {
    pub fn new() -> Self {
        Path { history: List::new(), stretches: RedBlackTreeMap::new(), ground: List::new() }
    }

    /// How many constraints there are; a conjunction counts as its parts.
    pub fn len(&self) -> usize {
        self.history.len()
    }

    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// Assumes `condition`. What is true or assumed already changes nothing.
    pub fn add(&mut self, pool: &mut Pool, condition: Term) {
        let mut conjuncts: SmallVec<[Term; 4]> = SmallVec::new();
        for_each_conjunct(pool, condition, &mut |t| conjuncts.push(t));
        for conjunct in conjuncts {
            if !pool.is_true(conjunct) {
                self.add_one(conjunct, &pool.support(conjunct));
            }
        }
    }

    fn add_one(&mut self, constraint: Term, support: &Support) {
        if support.is_empty() {
            self.ground.push_front_mut(constraint);
            self.history.push_front_mut(constraint);
            return;
        }
        let touched = self.touched(support);
        if touched.iter().any(|slice| slice.constraints.binary_search(&constraint).is_ok()) {
            return;
        }
        self.history.push_front_mut(constraint);
        if let [slice] = &touched[..]
            && slice.support.contains(support)
        {
            let grown =
                Slice { constraints: merged(&slice.constraints, &[constraint]), support: slice.support.clone() };
            self.place(grown);
            return;
        }
        let mut joined = support.clone();
        for slice in &touched {
            joined = joined.union(&slice.support);
            for &(start, _) in slice.support.intervals() {
                self.stretches.remove_mut(&start);
            }
        }
        // The largest is only copied; what joins it is sorted in.
        let largest = (0..touched.len()).max_by_key(|&i| touched[i].constraints.len());
        let mut others = vec![constraint];
        for (_, slice) in touched.iter().enumerate().filter(|&(i, _)| Some(i) != largest) {
            others.extend_from_slice(&slice.constraints);
        }
        others.sort_unstable();
        let constraints = largest.map_or_else(|| others.clone(), |i| merged(&touched[i].constraints, &others));
        self.place(Slice { constraints, support: joined });
    }

    fn place(&mut self, slice: Slice) {
        let slice = Rc::new(slice);
        for &(start, end) in slice.support.intervals() {
            self.stretches.insert_mut(start, Stretch { end, slice: slice.clone() });
        }
    }

    /// The slices that share a byte with `support`, each once.
    fn touched(&self, support: &Support) -> SmallVec<[Rc<Slice>; 4]> {
        let mut found: SmallVec<[Rc<Slice>; 4]> = SmallVec::new();
        let mut note = |stretch: &Stretch| {
            if !found.iter().any(|known| Rc::ptr_eq(known, &stretch.slice)) {
                found.push(stretch.slice.clone());
            }
        };
        for &(start, end) in support.intervals() {
            if let Some((_, stretch)) = self.stretches.range(..start).next_back()
                && stretch.end > start
            {
                note(stretch);
            }
            for (_, stretch) in self.stretches.range(start..end) {
                note(stretch);
            }
        }
        found
    }

    /// The constraints that a question over `support` can depend on: whatever the others say, they are satisfiable
    /// together (a path is) and share no byte with these. Sorted.
    pub fn relevant(&self, support: &Support) -> Vec<Term> {
        let touched = self.touched(support);
        let mut constraints = match &touched[..] {
            [slice] => slice.constraints.clone(),
            slices => {
                let mut all: Vec<Term> = slices.iter().flat_map(|s| s.constraints.iter().copied()).collect();
                all.sort_unstable();
                all
            }
        };
        if !self.ground.is_empty() {
            constraints.extend(self.ground.iter());
            constraints.sort_unstable();
        }
        constraints
    }

    /// The bytes that an answer to a question over `support` may change: its own, and those of the relevant slices.
    pub fn reach(&self, support: &Support) -> Support {
        self.touched(support).iter().fold(support.clone(), |joined, slice| joined.union(&slice.support))
    }

    /// All constraints in the order in which they were assumed.
    pub fn constraints(&self) -> impl Iterator<Item = Term> + use<> {
        let newest_first: Vec<Term> = self.history.iter().copied().collect();
        newest_first.into_iter().rev()
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

    /// `bytes[a] + k < bytes[b]` over a fresh input.
    fn conditions(pool: &mut Pool, pairs: &[(u64, u64)]) -> Vec<Term> {
        let input = pool.input("x", 64);
        pairs
            .iter()
            .map(|&(a, b)| {
                let (a, b) = (pool.select_at(input, a), pool.select_at(input, b));
                pool.ult(a, b)
            })
            .collect()
    }

    fn sorted(terms: &[Term]) -> Vec<Term> {
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms
    }

    #[test]
    fn only_what_hangs_together_is_relevant() {
        let mut pool = Pool::new();
        let c = conditions(&mut pool, &[(0, 9), (1, 2), (4, 5), (9, 1)]);
        let mut path = Path::new();
        for &condition in &c[..3] {
            path.add(&mut pool, condition);
        }
        let fork = path.clone();
        assert_eq!(path.relevant(&pool.support(c[3])), sorted(&c[..2]));
        path.add(&mut pool, c[3]);
        assert_eq!(path.relevant(&pool.support(c[0])), sorted(&[c[0], c[1], c[3]]));
        for byte in [0, 1, 2, 9] {
            assert_eq!(path.relevant(&Support::range(byte, byte + 1)), sorted(&[c[0], c[1], c[3]]), "byte {byte}");
            assert_eq!(path.reach(&Support::range(byte, byte + 1)).intervals(), [(0, 3), (9, 10)]);
        }
        assert!(path.relevant(&Support::range(3, 4)).is_empty());
        assert_eq!(path.relevant(&pool.support(c[2])), [c[2]]);
        assert_eq!(fork.relevant(&pool.support(c[0])), [c[0]]);
    }

    #[test]
    fn constraints_come_in_order_and_only_once() {
        let mut pool = Pool::new();
        let c = conditions(&mut pool, &[(3, 4), (1, 2), (0, 5)]);
        let mut path = Path::new();
        let both = pool.and(c[1], c[2]);
        let truth = pool.truth(true);
        for condition in [c[0], truth, both, c[1], c[0]] {
            path.add(&mut pool, condition);
        }
        let kept: Vec<Term> = path.constraints().collect();
        assert_eq!(kept[0], c[0]);
        assert_eq!(sorted(&kept), sorted(&c));
        assert_eq!(path.len(), 3);
    }

    #[test]
    fn a_false_constraint_is_relevant_to_everything() {
        let mut pool = Pool::new();
        let c = conditions(&mut pool, &[(0, 1)]);
        let falsity = pool.truth(false);
        let mut path = Path::new();
        path.add(&mut pool, falsity);
        assert_eq!(path.relevant(&pool.support(c[0])), [falsity]);
    }
}
