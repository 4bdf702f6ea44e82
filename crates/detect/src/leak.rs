//! leak: at exit, every heap block is freed or still within reach. Off by default: many programs leave it to the system.

use crate::describe::{bytes, life_notes};
use osier_exec::outcome::Kind;
use osier_exec::{Checking, Explanation, Monitor, at_line};
use osier_memory::{Object, Origin};

struct Leak;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(Leak)
}

impl Monitor for Leak {
    fn name(&self) -> &'static str {
        "leak"
    }

    fn at_exit(&mut self, cx: &mut Checking<'_>, lost: &[&Object]) -> Vec<(Kind, Explanation)> {
        lost.iter().filter_map(|object| explain(cx, object)).map(|explanation| (Kind::Leak, explanation)).collect()
    }
}

fn explain(cx: &Checking<'_>, object: &Object) -> Option<Explanation> {
    let allocator = match object.origin {
        Origin::Heap { allocator } if !object.pinned => allocator,
        Origin::Heap { .. }
        | Origin::Global(_)
        | Origin::Stack { .. }
        | Origin::Arguments { .. }
        | Origin::Fixed
        | Origin::Environment { .. } => return None,
    };
    let size = match object.limit {
        Some(limit) => osier_term::eval(cx.pool, limit, &cx.state.witness) as u64,
        None => object.size,
    };
    let verb = if size == 1 { "is" } else { "are" };
    let place = at_line(cx.program, object.allocated_at);
    Some((format!("{} from {allocator}{place} {verb} never freed", bytes(size)), life_notes(cx.program, object)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    #[test]
    fn each_lost_block_is_told() {
        let mut world = World::new();
        let (one, many, kept) = (world.heap("calloc", 1), world.heap("malloc", 16), world.heap("malloc", 8));
        world.state.memory.object_mut(kept).pinned = true;
        let memory = world.state.memory.clone();
        let lost: Vec<&Object> = [one, many, kept].into_iter().map(|id| memory.object(id)).collect();
        let leaks = Leak.at_exit(&mut world.checking(), &lost);
        let messages: Vec<&str> = leaks.iter().map(|(_, (message, _))| message.as_str()).collect();
        assert_eq!(
            messages,
            ["1 byte from calloc at p.c:3 is never freed", "16 bytes from malloc at p.c:3 are never freed"]
        );
        assert!(leaks.iter().all(|(kind, (_, notes))| *kind == Kind::Leak && notes[0].text == "allocated here"));
    }
}
