//! Entries of several bytes that are read from a constant table: what they can be as a whole. The bytes by themselves say
//! less: of the entries 0x00ff and 0x0100 they say that 0x01ff may be one.

use super::{Knowledge, Ranges, Values};
use crate::node::{Array, ArrayNode, Node, Term};
use crate::pool::Pool;

/// Entries that are looked at.
const MOST_ENTRIES: usize = 4096;
/// Bytes of an entry.
const MOST_BYTES: usize = 8;
/// Parts of a term that may have an entry at its upper end.
const MOST_PARTS: usize = 16;

/// Bytes of a table that stand side by side, the one at `index` lowest.
struct Entry {
    table: Array,
    index: Term,
    bytes: usize,
}

impl Pool {
    /// The values of a concatenation that begins, at its upper end, with an entry of a table.
    pub(super) fn values_of_entry(&self, t: Term, known: &impl Knowledge) -> Option<Values> {
        let Node::Concat { .. } = self.node(t) else { return None };
        let parts = self.parts_of_concat(t)?;
        let entry = self.entry_above(&parts)?;
        let places = known.of(self, entry.index).ranges();
        let ArrayNode::Table { bytes } = self.array_node(entry.table) else { return None };
        let mut values = entries(bytes, &places, entry.bytes)?;
        for &part in &parts[entry.bytes..] {
            let below = match self.as_const(part) {
                Some(value) => Ranges::constant(self.width(part), value),
                None => known.of(self, part).ranges(),
            };
            values = values.concat(&below);
        }
        Some(Values::of_ranges(values))
    }

    /// From the upper end down.
    fn parts_of_concat(&self, t: Term) -> Option<Vec<Term>> {
        let (mut parts, mut open) = (Vec::new(), vec![t]);
        while let Some(part) = open.pop() {
            if let Node::Concat { high, low } = self.node(part) {
                open.extend([low, high]);
            } else {
                parts.push(part);
            }
            if parts.len() + open.len() > MOST_PARTS {
                return None;
            }
        }
        Some(parts)
    }

    fn entry_above(&self, parts: &[Term]) -> Option<Entry> {
        let read = |part: &Term| {
            let Node::Select { array, index } = self.node(*part) else { return None };
            Some((array, index))
        };
        let (table, index) = read(parts.first()?)?;
        let mut entry = Entry { table, index, bytes: 1 };
        for part in parts[1..].iter().take(MOST_BYTES - 1) {
            let Some((array, index)) = read(part) else { break };
            let ((base, above), (other, here)) = (self.index_parts(entry.index), self.index_parts(index));
            if array != table || base != other || here.wrapping_add(1) != above {
                break;
            }
            entry = Entry { table, index, bytes: entry.bytes + 1 };
        }
        (entry.bytes > 1).then_some(entry)
    }
}

/// Of little-endian entries that begin at these places. Beyond its end a table is zero.
fn entries(table: &[u8], places: &Ranges, bytes: usize) -> Option<Ranges> {
    // Where the places go round, the upper bytes of an entry are the first ones of the table.
    if places.high > u128::from(u64::MAX) - bytes as u128 {
        return None;
    }
    let width = 8 * bytes as u32;
    let mut values = Ranges::empty(width);
    if places.high >= table.len() as u128 {
        values = Ranges::constant(width, 0);
    }
    for (count, place) in places.below(table.len()).enumerate() {
        if count == MOST_ENTRIES {
            return None;
        }
        let end = table.len().min(place + bytes);
        let value = table[place..end].iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte));
        values = values.join(&Ranges::constant(width, value));
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use osier_base::Random;
    use proptest::prelude::*;

    use super::*;
    use crate::assignment::Assignment;
    use crate::eval::eval;
    use crate::testing::random_bytes;

    /// A 16-bit entry at twice a byte, and what that byte is at most.
    fn entry(pool: &mut Pool, table: &[u16], most: u128) -> Term {
        let input = pool.input("x", 1);
        let bytes: Vec<u8> = table.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        let table = pool.table(&bytes);
        let byte = pool.select_at(input, 0);
        let (wide, two) = (pool.zext(byte, 64), pool.constant(64, 2));
        let most = pool.constant(64, most);
        let place = pool.bin(crate::node::BvOp::And, wide, most);
        let index = pool.mul(place, two);
        let (one, low) = (pool.constant(64, 1), pool.select(table, index));
        let next = pool.add(index, one);
        let high = pool.select(table, next);
        pool.concat(high, low)
    }

    fn range(pool: &mut Pool, t: Term) -> (u128, u128) {
        let ranges = pool.values(t).ranges();
        (ranges.low, ranges.high)
    }

    #[test]
    fn an_entry_is_one_of_those_in_the_table_whatever_its_bytes_are() {
        let mut pool = Pool::new();
        let table = [0x00ff, 0x0100, 0x01f0, 0x0203];
        let read = entry(&mut pool, &table, 3);
        assert_eq!(range(&mut pool, read), (0xff, 0x203));
        let zero = pool.constant(1, 0);
        let doubled = pool.concat(read, zero);
        assert_eq!(range(&mut pool, doubled), (0x1fe, 0x406));
        // Signed, too.
        let read = entry(&mut pool, &[0xffff, 1, 0, 5], 3);
        let signed = pool.sext(read, 64);
        let ranges = pool.values(signed).ranges();
        assert_eq!((ranges.least, ranges.most), (-1, 5));
    }

    #[test]
    fn beyond_its_end_a_table_is_zero() {
        let mut pool = Pool::new();
        let read = entry(&mut pool, &[0x0300, 0x0200], 255);
        assert_eq!(range(&mut pool, read), (0, 0x300));
    }

    #[test]
    fn bytes_that_do_not_stand_side_by_side_are_no_entry() {
        let mut pool = Pool::new();
        let read = entry(&mut pool, &[0x00ff, 0x0100], 1);
        let Node::Concat { high, low } = pool.node(read) else { unreachable!() };
        let swapped = pool.concat(low, high);
        assert_eq!(range(&mut pool, swapped), (0, 0xff01));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_entry_that_is_read_is_among_the_values(seed in any::<u64>()) {
            let mut random = Random::new(seed);
            let mut pool = Pool::new();
            let input = pool.input("x", 1);
            let bytes: Vec<u8> = random_bytes(&mut random).into_iter().flatten().collect();
            let table = pool.table(&bytes[..1 + random.below(bytes.len())]);
            let byte = pool.select_at(input, 0);
            let scale = pool.constant(64, 1 << random.below(4));
            let offset = pool.constant(64, (random.below(13) as i128 - 4) as u128 & u128::from(u64::MAX));
            let wide = pool.zext(byte, 64);
            let index = pool.mul(wide, scale);
            let index = pool.add(index, offset);
            let below = random.below(5) as u32;
            let mut read = None;
            for at in 0..2 + random.below(7) {
                let place = pool.constant(64, at as u128);
                let place = pool.add(index, place);
                let high = pool.select(table, place);
                read = Some(match read {
                    Some(low) => pool.concat(high, low),
                    None if below > 0 => {
                        let low = pool.constant(below, u128::from(random.bits()) & 0xf >> (4 - below));
                        pool.concat(high, low)
                    }
                    None => high,
                });
            }
            let read = read.expect("at least two bytes are read");
            let values = pool.values(read);
            for byte in 0..=255 {
                let mut assignment = Assignment::new();
                assignment.set(input, [byte].into());
                let value = eval(&pool, read, &assignment);
                prop_assert!(values.contains(value), "{value:#x} at {byte} is not in {values:?}");
            }
        }
    }
}
