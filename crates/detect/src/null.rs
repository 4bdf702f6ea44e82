//! null-pointer: nothing lies at a null pointer, nor a small offset away from one.

use crate::describe::access as describe_access;
use osier_exec::outcome::Kind;
use osier_exec::{Access, Checking, Monitor, Obligation};
use osier_memory::Target;

struct Null;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(Null)
}

impl Monitor for Null {
    fn name(&self) -> &'static str {
        "null-pointer"
    }

    fn before_access(&mut self, cx: &mut Checking<'_>, access: &Access) -> Option<Obligation> {
        let access = *access;
        let address = match access.target {
            Target::Null { address } => address,
            Target::Object { .. } | Target::Nowhere { .. } => return None,
        };
        Some(Obligation {
            holds: cx.pool.truth(false),
            kind: Kind::NullPointer,
            explain: Box::new(move |cx| {
                // A pointer a little below null is a null pointer with a negative index.
                let offset = match cx.value(address) as u64 as i64 {
                    0 => String::new(),
                    offset => format!(" at offset {offset}"),
                };
                (format!("{} through a null pointer{offset}", describe_access(&access)), Vec::new())
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    #[test]
    fn the_offset_from_null_is_told() {
        let mut world = World::new();
        for (address, message) in [
            (0, "write of 1 byte through a null pointer"),
            (8, "write of 1 byte through a null pointer at offset 8"),
            (-8, "write of 1 byte through a null pointer at offset -8"),
        ] {
            let access = world.access_null(address, 1);
            let verdict = world.verdict(|cx| Null.before_access(cx, &access));
            assert_eq!(verdict, Some((Kind::NullPointer, message.to_string())));
        }
        let buf = world.variable("buf", 4);
        let access = world.access(buf, 0, 1, true);
        assert_eq!(world.verdict(|cx| Null.before_access(cx, &access)), None);
    }
}
