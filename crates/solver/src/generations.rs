//! A map that stays bounded without bookkeeping on each use: two generations, of which the older is dropped whole.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::held::Held;

/// So many bytes one generation holds, about. What a run keeps to be faster must not take the room of its states.
const MOST_BYTES: usize = 64 << 20;

/// Holds at most `2 * limit` entries, and twice as many bytes as a generation may have. What was used since the last turn
/// survives it. Deterministic, unlike clocks.
pub(crate) struct Generations<K, V> {
    young: FxHashMap<K, V>,
    old: FxHashMap<K, V>,
    limit: usize,
    /// Of the young ones.
    bytes: usize,
    most_bytes: usize,
}

impl<K: Eq + Hash + Held, V: Held> Generations<K, V> {
    pub(crate) fn new(limit: usize) -> Self {
        let (young, old) = (FxHashMap::default(), FxHashMap::default());
        Generations { young, old, limit: limit.max(1), bytes: 0, most_bytes: MOST_BYTES }
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        let bytes = size_of::<(K, V)>() + key.held() + value.held();
        if self.young.len() >= self.limit || self.bytes + bytes > self.most_bytes {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes;
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

    /// Says that an entry which was got holds so many bytes more now.
    pub(crate) fn grew(&mut self, bytes: usize) {
        self.bytes += bytes;
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

    #[test]
    fn large_entries_are_bounded_by_their_bytes_also_those_that_grow() {
        const SIZE: usize = 1000;
        let mut map: Generations<u32, Box<[u8]>> = Generations { most_bytes: 10 * SIZE, ..Generations::new(1000) };
        for i in 0..100 {
            map.insert(i, vec![0; SIZE].into());
            assert!(map.get(&0).is_some());
            assert!(map.young.len() + map.old.len() <= 20);
        }
        for i in 100..200 {
            map.insert(i, Box::default());
            map.grew(SIZE);
            assert!(map.young.len() + map.old.len() <= 20);
        }
    }
}
