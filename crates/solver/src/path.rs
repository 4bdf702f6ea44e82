//! The path condition of one state: kept cut into independent slices, shared between forks.

use std::rc::Rc;

use osier_term::{Pool, Support, Term};
use rpds::{List, RedBlackTreeMap};
use smallvec::SmallVec;

use crate::simplify::for_each_conjunct;
use crate::term_set::TermSet;

/// Constraints that hang together by shared input bytes, and those bytes.
#[derive(Debug)]
struct Slice {
    constraints: TermSet,
    support: Rc<Support>,
}

/// The bytes from the map's key up to `end` belong to a slice.
#[derive(Clone, Debug)]
struct Stretch {
    end: u32,
    of: Of,
}

#[derive(Clone, Debug)]
enum Of {
    Slice(Rc<Slice>),
    /// That which the stretch with this key belongs to.
    SameAs(u32),
}

/// The conjunction of what a state has assumed. Cloning copies a few pointers; adding costs what the new constraint
/// touches, and little more memory than what it says.
///
/// Invariant: the stretches are disjoint, those of a slice cover its support, and no two slices share a byte. One stretch
/// of a slice has it, and the others lead there.
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

    fn add_one(&mut self, constraint: Term, support: &Rc<Support>) {
        if support.is_empty() {
            self.ground.push_front_mut(constraint);
            self.history.push_front_mut(constraint);
            return;
        }
        let touched = self.touched(support);
        if touched.iter().any(|(_, slice)| slice.constraints.contains(constraint)) {
            return;
        }
        self.history.push_front_mut(constraint);
        // What joins the largest leads there, so that no way is long, and most constraints stay where they are.
        let Some(largest) = (0..touched.len()).max_by_key(|&i| touched[i].1.constraints.len()) else {
            let constraints = TermSet::default().with(&[constraint]);
            let mut of = Of::Slice(Rc::new(Slice { constraints, support: support.clone() }));
            let home = support.intervals()[0].0;
            for &(start, end) in support.intervals() {
                self.stretches.insert_mut(start, Stretch { end, of });
                of = Of::SameAs(home);
            }
            return;
        };
        let (home, main) = &touched[largest];
        if main.support.contains(support) {
            let constraints = main.constraints.with(&[constraint]);
            self.put(*home, Of::Slice(Rc::new(Slice { constraints, support: main.support.clone() })));
            return;
        }
        let mut joined = main.support.union(support);
        let mut added = vec![constraint];
        for (_, (other, slice)) in touched.iter().enumerate().filter(|&(i, _)| i != largest) {
            joined = joined.union(&slice.support);
            added.extend(slice.constraints.iter());
            self.put(*other, Of::SameAs(*home));
        }
        added.sort_unstable();
        self.cover(support, *home);
        let constraints = main.constraints.with(&added);
        self.put(*home, Of::Slice(Rc::new(Slice { constraints, support: Rc::new(joined) })));
    }

    /// Makes stretches of the bytes in `support` that are in none yet, or longer ones.
    fn cover(&mut self, support: &Support, home: u32) {
        for &(start, end) in support.intervals() {
            // With the stretch that ends where the gap begins.
            let mut gaps: SmallVec<[(u32, u32, Option<u32>); 4]> = SmallVec::new();
            let mut open_to = end;
            for (&key, stretch) in self.stretches.range(..end).rev().take_while(|(_, stretch)| stretch.end >= start) {
                if stretch.end < open_to {
                    gaps.push((stretch.end, open_to, Some(key)));
                }
                open_to = key;
            }
            if start < open_to {
                gaps.push((start, open_to, None));
            }
            for (from, to, before) in gaps {
                match before.filter(|&before| self.slice_of(before).0 == home) {
                    Some(before) => {
                        let of = self.stretches.get(&before).expect("found above").of.clone();
                        self.stretches.insert_mut(before, Stretch { end: to, of });
                    }
                    None => self.stretches.insert_mut(from, Stretch { end: to, of: Of::SameAs(home) }),
                }
            }
        }
    }

    /// Says whose a stretch is.
    fn put(&mut self, start: u32, of: Of) {
        let end = self.stretches.get(&start).expect("a stretch is there").end;
        self.stretches.insert_mut(start, Stretch { end, of });
    }

    /// The slice of a stretch, and the key of the stretch that has it.
    fn slice_of(&self, mut start: u32) -> (u32, &Rc<Slice>) {
        loop {
            match &self.stretches.get(&start).expect("a stretch leads to another").of {
                Of::Slice(slice) => return (start, slice),
                Of::SameAs(other) => start = *other,
            }
        }
    }

    /// The slices that share a byte with `support`, each once, with the keys of the stretches that have them.
    fn touched(&self, support: &Support) -> SmallVec<[(u32, Rc<Slice>); 4]> {
        let mut found: SmallVec<[(u32, Rc<Slice>); 4]> = SmallVec::new();
        for &(start, end) in support.intervals() {
            for (&key, _) in self.stretches.range(..end).rev().take_while(|(_, stretch)| stretch.end > start) {
                let (home, slice) = self.slice_of(key);
                if !found.iter().any(|(known, _)| *known == home) {
                    found.push((home, slice.clone()));
                }
                // Nearly always there is one, with all that is asked for.
                if found.len() == 1 && slice.support.contains(support) {
                    return found;
                }
            }
        }
        found
    }

    /// The constraints that a question over `support` can depend on: whatever the others say, they are satisfiable
    /// together (a path is) and share no byte with these. Sorted.
    pub fn relevant(&self, support: &Support) -> Vec<Term> {
        let touched = self.touched(support);
        let mut constraints = match &touched[..] {
            [(_, slice)] => slice.constraints.to_sorted(),
            slices => {
                let mut all: Vec<Term> = slices.iter().flat_map(|(_, slice)| slice.constraints.iter()).collect();
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
        self.touched(support).iter().fold(support.clone(), |joined, (_, slice)| joined.union(&slice.support))
    }

    /// All constraints in the order in which they were assumed.
    pub fn constraints(&self) -> impl Iterator<Item = Term> + use<> {
        let newest_first: Vec<Term> = self.history.iter().copied().collect();
        newest_first.into_iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn slices_are_what_shared_bytes_make_of_the_constraints(
            pairs in proptest::collection::vec((0u64..24, 1u64..24).prop_map(|(a, apart)| (a, (a + apart) % 24)), 1..40),
            fork_at in 0usize..40,
        ) {
            let mut pool = Pool::new();
            let all = conditions(&mut pool, &pairs);
            let mut path = Path::new();
            let mut fork = path.clone();
            for (i, &condition) in all.iter().enumerate() {
                if i == fork_at {
                    fork = path.clone();
                }
                path.add(&mut pool, condition);
            }
            check(&mut pool, &path, &all);
            check(&mut pool, &fork, if fork_at < all.len() { &all[..fork_at] } else { &[] });
        }
    }

    /// Compares what a path says of each byte with what the constraints say by themselves.
    fn check(pool: &mut Pool, path: &Path, constraints: &[Term]) {
        for byte in 0..24 {
            let mut reach = Support::range(byte, byte + 1);
            let mut relevant = Vec::new();
            loop {
                let before = relevant.len();
                for &constraint in constraints {
                    let support = pool.support(constraint);
                    if support.intersects(&reach) && !relevant.contains(&constraint) {
                        reach = reach.union(&support);
                        relevant.push(constraint);
                    }
                }
                if relevant.len() == before {
                    break;
                }
            }
            let asked = Support::range(byte, byte + 1);
            assert_eq!(path.relevant(&asked), sorted(&relevant), "byte {byte}");
            assert_eq!(path.reach(&asked), reach, "byte {byte}");
        }
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
