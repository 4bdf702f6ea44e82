//! Concrete bytes for inputs.

use std::rc::Rc;

use crate::node::Array;

/// Bytes for input arrays; a byte that was never set is zero. Clones share the bytes.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Assignment {
    /// Sorted by array, so that equal assignments are iterated alike.
    entries: Vec<(Array, Rc<[u8]>)>,
}

impl Assignment {
    pub fn new() -> Self {
        Assignment::default()
    }

    fn position(&self, array: Array) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&array, |entry| entry.0)
    }

    #[inline]
    pub fn get(&self, array: Array, index: u64) -> u8 {
        let Some(bytes) = self.bytes(array) else { return 0 };
        usize::try_from(index).ok().and_then(|i| bytes.get(i)).copied().unwrap_or(0)
    }

    pub fn set(&mut self, array: Array, bytes: Rc<[u8]>) {
        match self.position(array) {
            Ok(at) => self.entries[at].1 = bytes,
            Err(at) => self.entries.insert(at, (array, bytes)),
        }
    }

    /// Sets one byte of an array of `size` bytes.
    pub fn set_byte(&mut self, array: Array, size: u32, index: u32, value: u8) {
        assert!(index < size, "byte {index} of an input of {size} bytes");
        let at = match self.position(array) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (array, vec![0; size as usize].into()));
                at
            }
        };
        let bytes = &mut self.entries[at].1;
        if bytes.len() <= index as usize {
            let mut longer = bytes.to_vec();
            longer.resize(size as usize, 0);
            *bytes = longer.into();
        }
        Rc::make_mut(bytes)[index as usize] = value;
    }

    #[inline]
    pub fn bytes(&self, array: Array) -> Option<&[u8]> {
        self.position(array).ok().map(|at| &*self.entries[at].1)
    }

    /// Whether the other is a clone of this one, or of what this one is a clone of. Equal bytes alone do not tell.
    pub fn is_same(&self, other: &Assignment) -> bool {
        let mut both = self.entries.iter().zip(&other.entries);
        self.entries.len() == other.entries.len()
            && both.all(|((mine, bytes), (theirs, same))| mine == theirs && Rc::ptr_eq(bytes, same))
    }

    /// Arrays in ascending order, with their bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Array, &Rc<[u8]>)> {
        self.entries.iter().map(|(array, bytes)| (*array, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_set_is_zero() {
        let mut assignment = Assignment::new();
        assignment.set_byte(Array(3), 4, 2, 7);
        assert_eq!(assignment.bytes(Array(3)), Some(&[0, 0, 7, 0][..]));
        assert_eq!(assignment.get(Array(3), 2), 7);
        assert_eq!(assignment.get(Array(3), 4), 0);
        assert_eq!(assignment.get(Array(3), u64::MAX), 0);
        assert_eq!(assignment.get(Array(2), 0), 0);
    }

    #[test]
    fn a_clone_does_not_see_later_changes() {
        let mut assignment = Assignment::new();
        assignment.set(Array(0), vec![1, 2].into());
        let before = assignment.clone();
        assignment.set_byte(Array(0), 2, 1, 9);
        assert_eq!((before.get(Array(0), 1), assignment.get(Array(0), 1)), (2, 9));
    }

    #[test]
    fn a_shorter_entry_grows_when_a_byte_beyond_it_is_set() {
        let mut assignment = Assignment::new();
        assignment.set(Array(0), vec![1].into());
        assignment.set_byte(Array(0), 4, 2, 9);
        assert_eq!(assignment.bytes(Array(0)), Some(&[1, 0, 9, 0][..]));
    }

    #[test]
    fn iteration_is_in_order_of_arrays() {
        let mut assignment = Assignment::new();
        assignment.set_byte(Array(5), 1, 0, 5);
        assignment.set_byte(Array(2), 1, 0, 2);
        assert_eq!(assignment.iter().map(|(array, _)| array).collect::<Vec<_>>(), [Array(2), Array(5)]);
    }
}
