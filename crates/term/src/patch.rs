//! An assignment that is kept beside another one which it was made from.

use std::rc::Rc;

use crate::assignment::Assignment;
use crate::node::Array;

/// An assignment as the bytes in which it differs from another one, where these are few. A copy of a large input for each
/// byte that was changed in it would fill the memory.
#[derive(Clone, Debug)]
pub struct Patch(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Changes(Box<[Change]>),
    Whole(Assignment),
}

#[derive(Clone, Copy, Debug)]
struct Change {
    array: Array,
    index: u32,
    value: u8,
}

/// With more changes than this the assignment is kept whole.
const MOST_CHANGES: usize = 16;

impl Patch {
    pub fn new(base: &Assignment, made: Assignment) -> Self {
        Patch(changes(base, &made).map_or(Kept::Whole(made), Kept::Changes))
    }

    /// The assignment, from the one that it was made from.
    pub fn apply(self, base: &Assignment) -> Assignment {
        let changes = match self.0 {
            Kept::Whole(made) => return made,
            Kept::Changes(changes) => changes,
        };
        let mut made = base.clone();
        for &Change { array, index, value } in &changes {
            let size = base.bytes(array).map_or(0, <[u8]>::len) as u32;
            made.set_byte(array, size, index, value);
        }
        made
    }
}

/// What is to be changed in `base`, if both have the same arrays.
fn changes(base: &Assignment, made: &Assignment) -> Option<Box<[Change]>> {
    if base.iter().len() != made.iter().len() {
        return None;
    }
    let mut changes = Vec::new();
    for ((array, old), (same, new)) in base.iter().zip(made.iter()) {
        if array != same || old.len() != new.len() {
            return None;
        }
        if Rc::ptr_eq(old, new) {
            continue;
        }
        for (index, (_, &value)) in (0..).zip(old.iter().zip(new.iter())).filter(|(_, (old, new))| old != new) {
            if changes.len() == MOST_CHANGES {
                return None;
            }
            changes.push(Change { array, index, value });
        }
    }
    Some(changes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assignment(arrays: &[Vec<u8>]) -> Assignment {
        let mut made = Assignment::new();
        for (i, bytes) in (0..).zip(arrays) {
            made.set(Array(i), bytes.clone().into());
        }
        made
    }

    proptest! {
        #[test]
        fn a_patch_gives_back_what_it_was_made_of(
            base in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..30), 0..4),
            made in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..30), 0..4),
            few in proptest::collection::vec((0usize..4, 0usize..30, any::<u8>()), 0..20),
        ) {
            let mut near = base.clone();
            for (array, index, value) in few {
                if let Some(byte) = near.get_mut(array).and_then(|bytes| bytes.get_mut(index)) {
                    *byte = value;
                }
            }
            let base = assignment(&base);
            for made in [assignment(&made), assignment(&near), base.clone()] {
                prop_assert_eq!(Patch::new(&base, made.clone()).apply(&base), made);
            }
        }
    }

    #[test]
    fn few_changes_are_kept_as_such() {
        let base = assignment(&[vec![0; 1000]]);
        let mut made = base.clone();
        made.set_byte(Array(0), 1000, 7, 1);
        assert!(matches!(&Patch::new(&base, made).0, Kept::Changes(changes) if changes.len() == 1));
        let far = assignment(&[vec![1; 1000]]);
        assert!(matches!(Patch::new(&base, far).0, Kept::Whole(_)));
    }
}
