//! Pointers that were read from memory and are followed one value at a time, under pending constraints.
//!
//! Such a pointer leads to one place of each object as a rule. Followed by its value, it leaves no question about bounds
//! behind, and those that read what it leads to are about known bytes. One that has more values in an object, as the
//! end of a string may, would part a path for each of them: it is followed by object.

use osier_memory::ObjectId;
use osier_term::Term;
use rustc_hash::FxHashMap;

/// Beyond so many pointers all are forgotten, and followed by their values once more.
const MOST: usize = 1 << 16;

/// For all paths together, the value that a pointer was first followed to in an object.
#[derive(Default)]
pub(crate) struct StoredPointers(FxHashMap<(Term, ObjectId), u64>);

impl StoredPointers {
    /// Whether a value of a pointer, which lies in an object, is the only one there that it was followed to.
    pub fn is_only_value(&mut self, pointer: Term, object: ObjectId, value: u64) -> bool {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        *self.0.entry((pointer, object)).or_insert(value) == value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_value_in_an_object_is_noticed_and_one_in_another_object_is_not() {
        let mut stored = StoredPointers::default();
        let (pointer, other) = (Term(1), Term(2));
        let (object, neighbour) = (ObjectId(1), ObjectId(2));
        assert!(stored.is_only_value(pointer, object, 0x100));
        assert!(stored.is_only_value(pointer, neighbour, 0x208));
        assert!(stored.is_only_value(other, object, 0x108));
        assert!(!stored.is_only_value(pointer, object, 0x108));
        assert!(stored.is_only_value(pointer, object, 0x100));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut stored = StoredPointers::default();
        for pointer in 0..=MOST as u32 {
            assert!(stored.is_only_value(Term(pointer), ObjectId(1), 0x100));
        }
        assert_eq!(stored.0.len(), 1);
    }
}
