//! invalid-free: only the start of a block from the heap can be freed.

use crate::describe::{bytes, life_notes, sized_name};
use osier_exec::outcome::Kind;
use osier_exec::{Checking, Explaining, Explanation, Free, Monitor, Obligation};
use osier_memory::{ObjectId, Target};
use osier_term::Term;

struct InvalidFree;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(InvalidFree)
}

impl Monitor for InvalidFree {
    fn name(&self) -> &'static str {
        "invalid-free"
    }

    fn before_free(&mut self, cx: &mut Checking<'_>, free: &Free) -> Option<Obligation> {
        match free.target {
            Target::Object { id, offset } => {
                let object = cx.state.memory.object(id);
                if !object.is_heap() {
                    return Some(obligation(cx.pool.truth(false), move |cx| not_from_the_heap(cx, id)));
                }
                // A freed block is a double free, wherever the pointer points.
                object.is_live().then(|| {
                    let start = cx.pool.constant(64, 0);
                    obligation(cx.pool.eq(offset, start), move |cx| not_the_start(cx, id, offset))
                })
            }
            Target::Null { address } => {
                let null = cx.pool.constant(64, 0);
                Some(obligation(cx.pool.eq(address, null), move |cx| no_object(cx, address)))
            }
            Target::Nowhere { address } => Some(obligation(cx.pool.truth(false), move |cx| no_object(cx, address))),
        }
    }
}

fn obligation(holds: Term, explain: impl Fn(&Explaining<'_>) -> Explanation + 'static) -> Obligation {
    Obligation { holds, kind: Kind::InvalidFree, explain: Box::new(explain) }
}

fn not_from_the_heap(cx: &Explaining<'_>, id: ObjectId) -> Explanation {
    let object = cx.state.memory.object(id);
    let message = format!("free of {}, which is not from the heap", sized_name(cx, object));
    (message, life_notes(cx.program, object))
}

fn not_the_start(cx: &Explaining<'_>, id: ObjectId, offset: Term) -> Explanation {
    let object = cx.state.memory.object(id);
    let offset = cx.value(offset) as u64 as i64;
    let direction = if offset < 0 { "before" } else { "into" };
    let message = format!("free of a pointer {} {direction} {}", bytes(offset.unsigned_abs()), sized_name(cx, object));
    (message, life_notes(cx.program, object))
}

fn no_object(cx: &Explaining<'_>, address: Term) -> Explanation {
    (format!("free of {:#x}, where there is no object", cx.value(address)), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    fn message(world: &mut World, free: Free) -> Option<String> {
        world.verdict(|cx| InvalidFree.before_free(cx, &free)).map(|(_, message)| message)
    }

    #[test]
    fn a_block_is_freed_by_its_start() {
        let mut world = World::new();
        let block = world.heap("malloc", 16);
        let at = |world: &mut World, offset| {
            let free = world.free_at(block, offset);
            message(world, free)
        };
        assert_eq!(at(&mut world, 0), None);
        let expected = "free of a pointer 4 bytes into block from malloc at p.c:3 (16 bytes)";
        assert_eq!(at(&mut world, 4).as_deref(), Some(expected));
        let expected = "free of a pointer 1 byte before block from malloc at p.c:3 (16 bytes)";
        assert_eq!(at(&mut world, -1).as_deref(), Some(expected));
        world.free(block);
        assert_eq!(at(&mut world, 4), None);
    }

    #[test]
    fn variables_and_wild_pointers_are_not_freed() {
        let mut world = World::new();
        let x = world.variable("x", 4);
        let free = world.free_at(x, 0);
        let expected = "free of x (4 bytes), which is not from the heap";
        assert_eq!(message(&mut world, free).as_deref(), Some(expected));
        for (address, expected) in [(0, None), (0x1234, Some("free of 0x1234, where there is no object"))] {
            let address = world.pool.constant(64, address);
            let free = Free { target: Target::Null { address } };
            assert_eq!(message(&mut world, free).as_deref(), expected);
        }
        let address = world.pool.constant(64, 0x12345678);
        let free = Free { target: Target::Nowhere { address } };
        assert_eq!(message(&mut world, free).as_deref(), Some("free of 0x12345678, where there is no object"));
    }
}
