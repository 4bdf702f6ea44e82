//! A map that stays bounded without bookkeeping on each use: two generations, of which the older is dropped whole.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Holds at most `2 * limit` entries. What was used since the last turn survives it. Deterministic, unlike clocks.
pub(crate) struct Generations<K, V> {
    young: FxHashMap<K, V>,
    old: FxHashMap<K, V>,
    limit: usize,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    pub(crate) fn new(limit: usize) -> Self {
        Generations { young: FxHashMap::default(), old: FxHashMap::default(), limit: limit.max(1) }
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.limit {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    pub(crate) fn get<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        if !self.young.contains_key(key) {
            let (key, value) = self.old.remove_entry(key)?;
            self.insert(key, value);
        }
        self.young.get_mut(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_entries_survive_and_the_size_is_bounded() {
        let mut map = Generations::new(10);
        for i in 0..1000u32 {
            map.insert(i, i);
            assert_eq!(map.get(&0), Some(&mut 0));
            assert!(map.young.len() + map.old.len() <= 20);
        }
        assert_eq!(map.get(&500), None);
    }
}
