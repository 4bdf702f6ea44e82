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
