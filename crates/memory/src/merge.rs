//! One memory out of two that differ in contents only.

use crate::page::Byte;
use crate::{Contents, Memory, ObjectId};
use osier_term::{Pool, Term};

impl Memory {
    /// The objects whose contents differ; nothing if the two memories do not hold the same objects.
    pub fn differences(&self, other: &Memory) -> Option<Vec<ObjectId>> {
        let mut differing = Vec::new();
        let mut theirs = other.objects();
        for mine in self.objects() {
            let their = theirs.next()?;
            let alike = mine.id == their.id
                && mine.base == their.base
                && mine.size == their.size
                && mine.life == their.life
                && mine.limit == their.limit
                && mine.origin == their.origin
                && mine.pinned == their.pinned
                && mine.read_only == their.read_only;
            if !alike {
                return None;
            }
            if !std::ptr::eq(mine, their) {
                differing.push(mine.id);
            }
        }
        theirs.next().is_none().then_some(differing)
    }

    /// Where the contents of these objects differ, each byte becomes a choice: ours under `condition`, else theirs.
    pub fn merge(&mut self, pool: &mut Pool, other: &Memory, objects: &[ObjectId], condition: Term) {
        self.findings.forget();
        for id in objects {
            self.object_mut(*id).contents.merge(pool, &other.object(*id).contents, condition);
        }
    }
}

impl Contents {
    fn merge(&mut self, pool: &mut Pool, other: &Contents, condition: Term) {
        let mut start = 0;
        while start < self.len() {
            let end = self.page(start).1;
            if !self.shares_page(other, start) {
                (start..end).for_each(|offset| self.merge_byte(pool, other, condition, offset));
            }
            start = end;
        }
    }

    fn merge_byte(&mut self, pool: &mut Pool, other: &Contents, condition: Term, offset: usize) {
        let (byte, other_byte) = (self.get(offset), other.get(offset));
        if byte == other_byte && byte != Byte::Base {
            return;
        }
        let (mine, theirs) = (self.byte(pool, offset), other.byte(pool, offset));
        if mine != theirs {
            let choice = pool.ite(condition, mine, theirs);
            self.write_byte(pool, offset, choice);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::PAGE;
    use crate::{Allocation, Life, Origin};
    use osier_ir::LocId;
    use osier_term::{Assignment, eval};

    fn block() -> Allocation {
        Allocation {
            size: 4,
            align: 4,
            origin: Origin::Heap { allocator: "malloc" },
            read_only: false,
            allocated_at: LocId(0),
            contents: Contents::zeroed(4),
            limit: None,
        }
    }

    #[test]
    fn each_byte_is_that_of_the_side_that_the_condition_chooses() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (byte, flag) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let condition = pool.nonzero(flag);
        let mut mine = Memory::new();
        let (id, base) = mine.allocate(block()).expect("there is room");
        let (untouched, _) = mine.allocate(block()).expect("there is room");
        let mut theirs = mine.clone();
        assert!(mine.write_concrete(base, 4, 0x0403_0201));
        theirs.object_mut(id).contents.write_byte(&pool, 1, byte);
        assert!(theirs.write_concrete(base + 2, 2, 0x0403));
        let differing = mine.differences(&theirs).expect("they have the same objects");
        assert_eq!(differing, [id]);
        mine.merge(&mut pool, &theirs, &differing, condition);
        assert!(mine.shares(&theirs, untouched));
        let merged = mine.object(id).contents.read(&mut pool, 0, 32).term(&mut pool, 32);
        for (bytes, expected) in [([9, 1], 0x0403_0201), ([9, 0], 0x0403_0900)] {
            let mut assignment = Assignment::new();
            assignment.set(input, bytes.as_slice().into());
            assert_eq!(eval(&pool, merged, &assignment), expected);
        }
        let agreed = mine.object(id).contents.read_concrete(2, 2);
        assert_eq!(agreed, Some(0x0403), "what both agree on stays concrete");
    }

    #[test]
    fn a_large_object_merges_page_by_page() {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let flag = pool.select_at(input, 0);
        let condition = pool.nonzero(flag);
        for before in [Contents::zeroed(40 * PAGE), Contents::of_array(40 * PAGE, input)] {
            let (mut mine, mut theirs) = (before.clone(), before);
            mine.write_concrete(3 * PAGE, 2, 0x0101);
            theirs.write_concrete(3 * PAGE + 1, 2, 0x0201);
            theirs.write_concrete(9 * PAGE, 1, 7);
            let ours = mine.clone();
            mine.merge(&mut pool, &theirs, condition);
            let pages: Vec<usize> = (0..40).filter(|i| !mine.shares_page(&ours, i * PAGE)).collect();
            assert_eq!(pages, [3, 9]);
            for at in (3 * PAGE..3 * PAGE + 4).chain([9 * PAGE, 12 * PAGE]) {
                let bytes = (mine.byte(&mut pool, at), ours.byte(&mut pool, at), theirs.byte(&mut pool, at));
                assert_eq!(bytes.0, pool.ite(condition, bytes.1, bytes.2), "at {at}");
            }
        }
    }

    #[test]
    fn bytes_of_two_arrays_are_not_taken_for_the_same() {
        let mut pool = Pool::new();
        let flag = pool.input("flag", 1);
        let flag = pool.select_at(flag, 0);
        let condition = pool.nonzero(flag);
        for size in [8, 40 * PAGE] {
            let (a, b) = (pool.input("a", size as u32), pool.input("b", size as u32));
            let mut mine = Contents::of_array(size, a);
            mine.merge(&mut pool, &Contents::of_array(size, b), condition);
            for at in [0, size - 1] {
                let (ours, theirs) = (pool.select_at(a, at as u64), pool.select_at(b, at as u64));
                assert_eq!(mine.byte(&mut pool, at), pool.ite(condition, ours, theirs), "at {at} of {size}");
            }
        }
    }

    #[test]
    fn objects_that_differ_in_more_than_their_bytes_stay_apart() {
        let mut mine = Memory::new();
        let (id, _) = mine.allocate(block()).expect("there is room");
        let shared = mine.clone();
        assert_eq!(mine.differences(&shared), Some(Vec::new()));
        let mut pinned = mine.clone();
        pinned.object_mut(id).pinned = true;
        assert_eq!(mine.differences(&pinned), None);
        let mut more = mine.clone();
        more.allocate(block()).expect("there is room");
        assert_eq!((mine.differences(&more), more.differences(&mine)), (None, None));
        mine.kill(id, Life::Returned);
        assert_eq!(mine.differences(&shared), None);
    }
}
