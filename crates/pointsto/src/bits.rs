//! Sparse sets of small numbers: sorted words of 64 bits, with their positions.
//!
//! Sets of a points-to analysis are mostly small, and the large ones hold runs of neighbours: locations of one object
//! get their numbers close together. A union is a merge of two sorted vectors; what is new comes out of it for free,
//! which is what difference propagation needs.

/// A set of `u32`. No word is zero, positions ascend.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    words: Vec<(u32, u64)>,
}

impl Bits {
    pub fn new() -> Self {
        Bits::default()
    }

    pub fn one(item: u32) -> Self {
        Bits { words: vec![split(item)] }
    }

    /// How much there is to go through.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|&(_, word)| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    #[cfg(test)]
    fn contains(&self, item: u32) -> bool {
        let (at, mask) = split(item);
        self.words.binary_search_by_key(&at, |&(at, _)| at).is_ok_and(|place| self.words[place].1 & mask != 0)
    }

    /// Whether the item is new.
    pub fn insert(&mut self, item: u32) -> bool {
        let (at, mask) = split(item);
        // Items often come in ascending order.
        let found = match self.words.last() {
            Some(&(last, _)) if last >= at => self.words.binary_search_by_key(&at, |&(at, _)| at),
            Some(_) | None => Err(self.words.len()),
        };
        match found {
            Ok(place) => {
                let word = &mut self.words[place].1;
                let new = *word & mask == 0;
                *word |= mask;
                new
            }
            Err(place) => {
                self.words.insert(place, (at, mask));
                true
            }
        }
    }

    /// Adds all of `other`; whether anything was new.
    pub fn union(&mut self, other: &Bits) -> bool {
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
            return !other.is_empty();
        }
        let mut place = 0;
        let mut missing = 0;
        let mut changed = false;
        // First in place; words that are not there yet are counted, and merged in from the back.
        for &(at, word) in &other.words {
            place += seek(&self.words[place..], at);
            match self.words.get_mut(place) {
                Some((here, mine)) if *here == at => {
                    changed |= word & !*mine != 0;
                    *mine |= word;
                }
                Some(_) | None => missing += 1,
            }
        }
        if missing > 0 {
            self.merge_missing(other, missing);
        }
        changed || missing > 0
    }

    fn merge_missing(&mut self, other: &Bits, missing: usize) {
        let mut read = self.words.len();
        let mut write = read + missing;
        self.words.resize(write, (0, 0));
        for &(at, word) in other.words.iter().rev() {
            while read > 0 && self.words[read - 1].0 > at {
                read -= 1;
                write -= 1;
                self.words[write] = self.words[read];
            }
            if read == 0 || self.words[read - 1].0 != at {
                write -= 1;
                self.words[write] = (at, word);
            }
        }
        debug_assert_eq!(read, write);
    }

    /// What is in `self` and not in `other`.
    pub fn minus(&self, other: &Bits) -> Bits {
        if other.is_empty() {
            return self.clone();
        }
        let mut words = Vec::new();
        let mut place = 0;
        for &(at, word) in &self.words {
            place += seek(&other.words[place..], at);
            let left = match other.words.get(place) {
                Some(&(there, taken)) if there == at => word & !taken,
                Some(_) | None => word,
            };
            if left != 0 {
                words.push((at, left));
            }
        }
        Bits { words }
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(at, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// How many words lie before position `at`. The word sought is mostly near, so the search gallops.
fn seek(words: &[(u32, u64)], at: u32) -> usize {
    let mut step = 1;
    let mut low = 0;
    while low + step <= words.len() && words[low + step - 1].0 < at {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(words.len());
    low + words[low..high].partition_point(|&(here, _)| here < at)
}

fn split(item: u32) -> (u32, u64) {
    (item / 64, 1 << (item % 64))
}

impl FromIterator<u32> for Bits {
    fn from_iter<I: IntoIterator<Item = u32>>(items: I) -> Self {
        let mut bits = Bits::new();
        for item in items {
            bits.insert(item);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn items() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(prop_oneof![0..400u32, 0..100_000u32], 0..120)
    }

    proptest! {
        #[test]
        fn a_set_of_bits_is_a_set(a in items(), b in items()) {
            let (x, y): (Bits, Bits) = (a.iter().copied().collect(), b.iter().rev().copied().collect());
            prop_assert_eq!(x.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(y.iter().count(), b.len());
            let mut both = x.clone();
            prop_assert_eq!(both.union(&y), !b.is_subset(&a));
            prop_assert_eq!(both.iter().collect::<BTreeSet<_>>(), &a | &b);
            prop_assert!(!both.union(&x) && !both.union(&y));
            prop_assert_eq!(x.minus(&y).iter().collect::<BTreeSet<_>>(), &a - &b);
            for probe in a.iter().chain(&b).copied().chain([7, 64, 399]) {
                prop_assert_eq!(x.contains(probe), a.contains(&probe));
            }
        }
    }
}
