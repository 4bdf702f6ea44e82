//! Which bytes of which arrays an object's bytes are, where they are those of arrays.

use osier_term::Array;
use std::ops::Range;

/// The bytes `here` are those of `array` from `from` on. Of the array, `size` bytes have a meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Slice {
    pub here: Range<usize>,
    pub array: Array,
    pub from: usize,
    pub size: usize,
}

/// Slices in the order of their bytes, none over another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Slices(Vec<Slice>);

impl Slices {
    /// All of it is one array, from its first byte on.
    pub fn whole(array: Array, len: usize) -> Self {
        Slices(vec![Slice { here: 0..len, array, from: 0, size: len }])
    }

    /// The array and the index of a byte in it.
    pub fn of(&self, offset: usize) -> Option<(Array, usize)> {
        let found = self.0.partition_point(|slice| slice.here.end <= offset);
        let slice = self.0.get(found).filter(|slice| slice.here.start <= offset)?;
        Some((slice.array, slice.from + (offset - slice.here.start)))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Slice> {
        self.0.iter()
    }

    /// Puts a slice in the place of what was there.
    pub fn put(&mut self, slice: Slice) {
        let mut kept = Vec::with_capacity(self.0.len() + 2);
        for old in self.0.drain(..) {
            let before = Slice { here: old.here.start..old.here.end.min(slice.here.start), ..old.clone() };
            let start = old.here.start.max(slice.here.end);
            let after = Slice { here: start..old.here.end, from: old.from + (start - old.here.start), ..old };
            kept.extend([before, after].into_iter().filter(|part| !part.here.is_empty()));
        }
        kept.push(slice);
        kept.sort_by_key(|slice| slice.here.start);
        self.0 = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_takes_the_place_of_what_was_there() {
        let (a, b) = (Array(1), Array(2));
        let mut slices = Slices::whole(a, 100);
        slices.put(Slice { here: 40..60, array: b, from: 7, size: 80 });
        let found = |at| slices.of(at);
        assert_eq!([found(0), found(39), found(40)], [Some((a, 0)), Some((a, 39)), Some((b, 7))]);
        assert_eq!([found(59), found(60), found(99), found(100)], [Some((b, 26)), Some((a, 60)), Some((a, 99)), None]);
        slices.put(Slice { here: 30..70, array: b, from: 0, size: 80 });
        assert_eq!(slices.iter().count(), 3);
        assert_eq!(slices.of(69), Some((b, 39)));
        slices.put(Slice { here: 0..100, array: a, from: 5, size: 105 });
        assert_eq!((slices.iter().count(), slices.of(1)), (1, Some((a, 6))));
    }

    #[test]
    fn between_slices_there_is_none() {
        let mut slices = Slices::default();
        slices.put(Slice { here: 8..16, array: Array(3), from: 0, size: 8 });
        assert_eq!([slices.of(7), slices.of(8), slices.of(16)], [None, Some((Array(3), 0)), None]);
    }
}
