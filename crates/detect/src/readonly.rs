//! read-only-write: constants and string literals must not be written.

use crate::describe::{access as describe_access, constant_name, life_notes};
use osier_exec::outcome::Kind;
use osier_exec::{Access, Checking, Monitor, Obligation};
use osier_memory::Target;

struct ReadOnly;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(ReadOnly)
}

impl Monitor for ReadOnly {
    fn name(&self) -> &'static str {
        "read-only-write"
    }

    fn before_access(&mut self, cx: &mut Checking<'_>, access: &Access) -> Option<Obligation> {
        let access = *access;
        let id = match access.target {
            Target::Object { id, .. } => id,
            Target::Null { .. } | Target::Nowhere { .. } => return None,
        };
        let object = cx.state.memory.object(id);
        (access.write && object.read_only && object.is_live()).then(|| Obligation {
            holds: cx.pool.truth(false),
            kind: Kind::ReadOnlyWrite,
            explain: Box::new(move |cx| {
                let object = cx.state.memory.object(id);
                let message = format!("{} to {}", describe_access(&access), constant_name(cx, object));
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
    fn only_a_write_to_a_constant_fails() {
        let mut world = World::new();
        let s = world.global("s", 6, true);
        let literal = world.global(".str", 6, true);
        let plain = world.global("plain", 6, false);
        let message = |world: &mut World, id, write| {
            let access = world.access(id, 0, 1, write);
            world.verdict(|cx| ReadOnly.before_access(cx, &access)).map(|(_, message)| message)
        };
        assert_eq!(message(&mut world, s, true).as_deref(), Some("write of 1 byte to constant s (6 bytes)"));
        assert_eq!(
            message(&mut world, literal, true).as_deref(),
            Some("write of 1 byte to a string literal (6 bytes)")
        );
        assert_eq!(message(&mut world, plain, true), None);
        assert_eq!(message(&mut world, s, false), None);
    }
}
