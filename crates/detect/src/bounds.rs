//! out-of-bounds: an access must lie inside the object that its pointer was made from.

use crate::describe::{access as describe_access, life_notes, size, sized_name};
use osier_exec::outcome::Kind;
use osier_exec::{Access, Checking, Explaining, Explanation, Monitor, Obligation};
use osier_memory::{Object, ObjectId, Target};
use osier_term::{Pool, Term};

struct Bounds;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(Bounds)
}

impl Monitor for Bounds {
    fn name(&self) -> &'static str {
        "out-of-bounds"
    }

    fn before_access(&mut self, cx: &mut Checking<'_>, access: &Access) -> Option<Obligation> {
        let access = *access;
        match access.target {
            Target::Object { id, offset } => {
                let object = cx.state.memory.object(id);
                object.is_live().then(|| Obligation {
                    holds: inside(cx.pool, object, offset, access.len),
                    kind: Kind::OutOfBounds,
                    explain: Box::new(move |cx| explain(cx, &access, id, offset)),
                })
            }
            Target::Nowhere { address } => Some(Obligation {
                holds: cx.pool.truth(false),
                kind: Kind::OutOfBounds,
                explain: Box::new(move |cx| {
                    let address = cx.value(address);
                    (format!("{} at {address:#x}, where there is no object", describe_access(&access)), Vec::new())
                }),
            }),
            Target::Null { .. } => None,
        }
    }
}

/// offset + len <= size without overflow, and the same for the limit of an object of symbolic size.
fn inside(pool: &mut Pool, object: &Object, offset: Term, len: u64) -> Term {
    let Some(last) = object.size.checked_sub(len) else { return pool.truth(false) };
    let last = pool.constant(64, u128::from(last));
    let within_size = pool.ule(offset, last);
    let Some(limit) = object.limit else { return within_size };
    let len = pool.constant(64, u128::from(len));
    let long_enough = pool.ule(len, limit);
    let last = pool.sub(limit, len);
    let before_end = pool.ule(offset, last);
    let within_limit = pool.and(long_enough, before_end);
    pool.and(within_size, within_limit)
}

fn explain(cx: &Explaining<'_>, access: &Access, id: ObjectId, offset: Term) -> Explanation {
    let object = cx.state.memory.object(id);
    let offset = cx.value(offset) as u64 as i64;
    let name = sized_name(cx, object);
    let place = if offset < 0 {
        format!("{} before the start of {name}", offset.unsigned_abs())
    } else {
        let end = i128::from(offset) + i128::from(access.len);
        format!("{} past the end of {name}", end - i128::from(size(cx, object)))
    };
    (format!("{}, {place}", describe_access(access)), life_notes(cx.program, object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;
    use osier_memory::Origin;

    #[test]
    fn an_access_past_the_end_says_by_how_much() {
        let mut world = World::new();
        let buf = world.variable("buf", 4);
        let verdict = |world: &mut World, offset: i64, len: u64, write: bool| {
            let access = world.access(buf, offset, len, write);
            world.verdict(|cx| Bounds.before_access(cx, &access))
        };
        assert_eq!(verdict(&mut world, 0, 4, false), None);
        assert_eq!(verdict(&mut world, 3, 1, true), None);
        let message = |text: &str| Some((Kind::OutOfBounds, text.to_string()));
        assert_eq!(verdict(&mut world, 4, 1, true), message("write of 1 byte, 1 past the end of buf (4 bytes)"));
        assert_eq!(verdict(&mut world, 2, 4, false), message("read of 4 bytes, 2 past the end of buf (4 bytes)"));
        assert_eq!(verdict(&mut world, -8, 4, false), message("read of 4 bytes, 8 before the start of buf (4 bytes)"));
        assert_eq!(verdict(&mut world, 0, 5, false), message("read of 5 bytes, 1 past the end of buf (4 bytes)"));
        assert_eq!(verdict(&mut world, 4, 0x40, true), message("write of 64 bytes, 64 past the end of buf (4 bytes)"));
    }

    #[test]
    fn a_note_tells_where_the_object_was_declared() {
        let mut world = World::new();
        let buf = world.variable("buf", 4);
        let access = world.access(buf, 4, 1, true);
        let notes = world.notes(|cx| Bounds.before_access(cx, &access));
        assert_eq!(notes, ["declared here p.c:2"]);
    }

    #[test]
    fn a_symbolic_size_bounds_an_access_and_is_shown_as_the_witness_has_it() {
        let mut world = World::new();
        let block = world.heap("malloc", 100);
        let size = world.symbolic("size", 64);
        world.state.memory.object_mut(block).limit = Some(size);
        let access = world.access(block, 8, 4, false);
        for (value, fails) in [(12, false), (100, false), (11, true), (3, true), (0, true)] {
            world.assign(size, value);
            let verdict = world.verdict(|cx| Bounds.before_access(cx, &access));
            assert_eq!(verdict.is_some(), fails, "{value}");
        }
        world.assign(size, 11);
        let (_, message) = world.verdict(|cx| Bounds.before_access(cx, &access)).expect("it fails");
        assert_eq!(message, "read of 4 bytes, 1 past the end of block from malloc at p.c:3 (11 bytes)");
    }

    #[test]
    fn dead_objects_are_none_of_its_business_and_wild_pointers_are() {
        let mut world = World::new();
        let block = world.heap("malloc", 4);
        world.free(block);
        let access = world.access(block, 9, 4, false);
        assert_eq!(world.verdict(|cx| Bounds.before_access(cx, &access)), None);
        let access = world.access_nowhere(0x1234, 4);
        let (_, message) = world.verdict(|cx| Bounds.before_access(cx, &access)).expect("it fails");
        assert_eq!(message, "read of 4 bytes at 0x1234, where there is no object");
    }

    #[test]
    fn a_string_literal_is_called_so() {
        let mut world = World::new();
        let literal = world.global(".str.3", 6, true);
        assert!(matches!(world.state.memory.object(literal).origin, Origin::Global(_)));
        let access = world.access(literal, 6, 1, false);
        let (_, message) = world.verdict(|cx| Bounds.before_access(cx, &access)).expect("it fails");
        assert_eq!(message, "read of 1 byte, 1 past the end of a string literal (6 bytes)");
    }
}
