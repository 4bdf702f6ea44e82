//! Sets of values of terms of up to eight bits: exact where ranges would lose the gaps.

/// Values below 256: bit `v % 64` of word `v / 64` stands for `v`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueSet(pub [u64; 4]);

impl ValueSet {
    pub const EMPTY: ValueSet = ValueSet([0; 4]);
    pub const ALL: ValueSet = ValueSet([u64::MAX; 4]);

    /// All values of `width` bits, at most eight.
    pub fn of_width(width: u32) -> Self {
        match width {
            8 => ValueSet::ALL,
            7 => ValueSet([u64::MAX, u64::MAX, 0, 0]),
            _ => ValueSet([u64::MAX >> (64 - (1u32 << width)), 0, 0, 0]),
        }
    }

    pub fn single(value: u8) -> Self {
        let mut set = ValueSet::EMPTY;
        set.insert(value);
        set
    }

    /// The values from `low` to `high`, both included.
    pub fn range(low: u8, high: u8) -> Self {
        if low > high {
            return ValueSet::EMPTY;
        }
        ValueSet(std::array::from_fn(|word| {
            let (start, end) = (word as u32 * 64, word as u32 * 64 + 63);
            let (from, to) = (u32::from(low).max(start), u32::from(high).min(end));
            if from > to { 0 } else { u64::MAX >> (63 - (to - from)) << (from - start) }
        }))
    }

    pub fn insert(&mut self, value: u8) {
        self.0[usize::from(value / 64)] |= 1 << (value % 64);
    }

    pub fn contains(self, value: u8) -> bool {
        self.0[usize::from(value / 64)] >> (value % 64) & 1 == 1
    }

    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn intersection(self, other: Self) -> Self {
        ValueSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub fn union(self, other: Self) -> Self {
        ValueSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub fn first(self) -> Option<u8> {
        let word = self.0.iter().position(|&w| w != 0)?;
        Some((word * 64) as u8 + self.0[word].trailing_zeros() as u8)
    }

    pub fn last(self) -> Option<u8> {
        let word = self.0.iter().rposition(|&w| w != 0)?;
        Some((word * 64) as u8 + 63 - self.0[word].leading_zeros() as u8)
    }

    /// The values in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..4u8).flat_map(move |word| {
            let mut left = self.0[usize::from(word)];
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (bit < 64).then(|| word * 64 + bit as u8)
            })
        })
    }

    /// What the values become.
    pub fn map(self, mut to: impl FnMut(u8) -> u8) -> Self {
        let mut set = ValueSet::EMPTY;
        self.iter().for_each(|value| set.insert(to(value)));
        set
    }

    pub fn filter(self, mut keep: impl FnMut(u8) -> bool) -> Self {
        let mut set = ValueSet::EMPTY;
        self.iter().filter(|&value| keep(value)).for_each(|value| set.insert(value));
        set
    }
}

impl FromIterator<u8> for ValueSet {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Self {
        let mut set = ValueSet::EMPTY;
        values.into_iter().for_each(|value| set.insert(value));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_both_ends_and_nothing_beyond() {
        for (low, high) in [(0, 0), (0, 255), (63, 64), (5, 200), (128, 191), (255, 255)] {
            let values: Vec<u8> = ValueSet::range(low, high).iter().collect();
            assert_eq!(values, (low..=high).collect::<Vec<u8>>());
        }
        assert!(ValueSet::range(3, 2).is_empty());
    }

    #[test]
    fn widths_have_as_many_values_as_they_should() {
        for width in 1..=8 {
            let set = ValueSet::of_width(width);
            assert_eq!((set.len(), set.first(), set.last()), (1 << width, Some(0), Some(((1u32 << width) - 1) as u8)));
        }
    }

    #[test]
    fn mapping_and_filtering_see_every_value_once() {
        let set: ValueSet = [3, 70, 130, 255].into_iter().collect();
        assert_eq!(set.map(|v| v / 2).iter().collect::<Vec<_>>(), [1, 35, 65, 127]);
        assert_eq!(set.filter(|v| v > 70).iter().collect::<Vec<_>>(), [130, 255]);
        assert_eq!(set.intersection(ValueSet::range(4, 200)).len(), 2);
        assert_eq!(set.union(ValueSet::single(4)).len(), 5);
    }
}
