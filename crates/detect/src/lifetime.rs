//! use-after-free: an access must find its object alive.

use crate::describe::{access as describe_access, life_notes, sized_name};
use osier_exec::outcome::Kind;
use osier_exec::{Access, Checking, Explaining, Explanation, Monitor, Obligation, at_line};
use osier_memory::{Life, ObjectId, Origin, Target};

struct Lifetime;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(Lifetime)
}

impl Monitor for Lifetime {
    fn name(&self) -> &'static str {
        "use-after-free"
    }

    fn before_access(&mut self, cx: &mut Checking<'_>, access: &Access) -> Option<Obligation> {
        let access = *access;
        let id = match access.target {
            Target::Object { id, .. } => id,
            Target::Null { .. } | Target::Nowhere { .. } => return None,
        };
        (!cx.state.memory.object(id).is_live()).then(|| Obligation {
            holds: cx.pool.truth(false),
            kind: Kind::UseAfterFree,
            explain: Box::new(move |cx| explain(cx, &access, id)),
        })
    }
}

fn explain(cx: &Explaining<'_>, access: &Access, id: ObjectId) -> Explanation {
    let object = cx.state.memory.object(id);
    let end = match (object.life, object.origin) {
        (Life::Freed { at }, _) => format!(", freed{}", at_line(cx.program, at)),
        (Life::Live | Life::Returned, Origin::Stack { function, .. }) => {
            // A function that is still running has lost it at the end of a block.
            if cx.state.frames.iter().any(|frame| frame.function == function) {
                ", whose life has ended".to_string()
            } else {
                format!(" of {}, which has returned", cx.program.module.functions[function].name)
            }
        }
        (Life::Live | Life::Returned, Origin::Arguments { .. }) => ", which has returned".to_string(),
        (
            Life::Live | Life::Returned,
            Origin::Global(_) | Origin::Heap { .. } | Origin::Fixed | Origin::Environment { .. },
        ) => ", whose life has ended".to_string(),
    };
    let preposition = if access.write { "to" } else { "from" };
    let message = format!("{} {preposition} {}{end}", describe_access(access), sized_name(cx, object));
    (message, life_notes(cx.program, object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    #[test]
    fn a_freed_block_tells_where_it_came_from_and_where_it_went() {
        let mut world = World::new();
        let block = world.heap("malloc", 16);
        let access = world.access(block, 0, 4, false);
        assert_eq!(world.verdict(|cx| Lifetime.before_access(cx, &access)), None);
        world.free(block);
        let (kind, message) = world.verdict(|cx| Lifetime.before_access(cx, &access)).expect("it fails");
        assert_eq!(kind, Kind::UseAfterFree);
        assert_eq!(message, "read of 4 bytes from block from malloc at p.c:3 (16 bytes), freed at p.c:9");
        let notes = world.notes(|cx| Lifetime.before_access(cx, &access));
        assert_eq!(notes, ["allocated here p.c:3", "freed here p.c:9"]);
    }

    #[test]
    fn a_variable_of_a_function_that_has_returned() {
        let mut world = World::new();
        let x = world.variable("x", 4);
        world.state.memory.kill(x, Life::Returned);
        let access = world.access(x, 0, 4, true);
        let (_, message) = world.verdict(|cx| Lifetime.before_access(cx, &access)).expect("it fails");
        assert_eq!(message, "write of 4 bytes to x (4 bytes) of f, which has returned");
        world.enter_function();
        let (_, message) = world.verdict(|cx| Lifetime.before_access(cx, &access)).expect("it fails");
        assert_eq!(message, "write of 4 bytes to x (4 bytes), whose life has ended");
    }
}
