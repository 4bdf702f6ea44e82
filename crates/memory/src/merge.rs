//! One memory out of two that differ in contents only.

use crate::{Memory, ObjectId};
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
        for id in objects {
            let theirs = &other.object(*id).contents;
            let ours = &mut self.object_mut(*id).contents;
            for offset in 0..ours.len() {
                let (mine, their) = (ours.byte(pool, offset), theirs.byte(pool, offset));
                if mine != their {
                    let byte = pool.ite(condition, mine, their);
                    ours.write_byte(pool, offset, byte);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allocation, Contents, Life, Origin};
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
