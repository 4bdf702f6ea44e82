//! double-free: a block is freed once.

use crate::describe::{life_notes, sized_name};
use osier_exec::outcome::Kind;
use osier_exec::{Checking, Free, Monitor, Obligation, at_line};
use osier_memory::{Life, Target};

struct DoubleFree;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(DoubleFree)
}

impl Monitor for DoubleFree {
    fn name(&self) -> &'static str {
        "double-free"
    }

    fn before_free(&mut self, cx: &mut Checking<'_>, free: &Free) -> Option<Obligation> {
        let id = match free.target {
            Target::Object { id, .. } => id,
            Target::Null { .. } | Target::Nowhere { .. } => return None,
        };
        let object = cx.state.memory.object(id);
        let at = match object.life {
            Life::Freed { at } if object.is_heap() => at,
            Life::Freed { .. } | Life::Live | Life::Returned => return None,
        };
        Some(Obligation {
            holds: cx.pool.truth(false),
            kind: Kind::DoubleFree,
            explain: Box::new(move |cx| {
                let object = cx.state.memory.object(id);
                let message = format!("{} was freed{}", sized_name(cx, object), at_line(cx.program, at));
                (message, life_notes(cx.program, object))
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    #[test]
    fn the_second_free_fails_and_tells_of_the_first() {
        let mut world = World::new();
        let block = world.heap("malloc", 16);
        let free = world.free_at(block, 0);
        assert_eq!(world.verdict(|cx| DoubleFree.before_free(cx, &free)), None);
        world.free(block);
        let verdict = world.verdict(|cx| DoubleFree.before_free(cx, &free));
        let message = "block from malloc at p.c:3 (16 bytes) was freed at p.c:9";
        assert_eq!(verdict, Some((Kind::DoubleFree, message.to_string())));
    }
}
