//! overshift: a value is shifted by less than its width.

use osier_exec::outcome::Kind;
use osier_exec::{Checking, Monitor, Obligation, Shift};
use osier_ir::Flags;
use osier_term::sign_extend;

struct Overshift;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(Overshift)
}

impl Monitor for Overshift {
    fn name(&self) -> &'static str {
        "overshift"
    }

    fn before_shift(&mut self, cx: &mut Checking<'_>, shift: &Shift) -> Option<Obligation> {
        let Shift { flags, width, b, .. } = *shift;
        if flags.has(Flags::SPECULATED) {
            return None;
        }
        let limit = cx.pool.constant(width, u128::from(width));
        Some(Obligation {
            holds: cx.pool.ult(b, limit),
            kind: Kind::Overshift,
            explain: Box::new(move |cx| {
                // Signed, for a shift by -1 is what the source says.
                let amount = sign_extend(width, cx.value(b));
                (format!("shift of a {width}-bit value by {amount}"), Vec::new())
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;
    use osier_ir::BinOp;

    fn message(flags: Flags, amount: i32) -> Option<String> {
        let mut world = World::new();
        let [a, b] = [1, amount].map(|value| world.pool.constant(32, value as u32 as u128));
        let shift = Shift { op: BinOp::Shl, flags, width: 32, a, b };
        world.verdict(|cx| Overshift.before_shift(cx, &shift)).map(|(_, message)| message)
    }

    #[test]
    fn a_shift_by_the_width_or_more_fails() {
        assert_eq!(message(Flags::NONE, 31), None);
        assert_eq!(message(Flags::NONE, 32).as_deref(), Some("shift of a 32-bit value by 32"));
        assert_eq!(message(Flags::NONE, 40).as_deref(), Some("shift of a 32-bit value by 40"));
        assert_eq!(message(Flags::NONE, -1).as_deref(), Some("shift of a 32-bit value by -1"));
        assert_eq!(message(Flags::SPECULATED, 40), None);
    }
}
