//! division-by-zero, and signed-overflow where the smallest number is divided by -1: both stop a processor.

use osier_exec::outcome::Kind;
use osier_exec::{Checking, Division, Monitor, Obligation};
use osier_ir::BinOp;

struct DivisionByZero;

struct DivisionOverflow;

pub(crate) fn make_division_by_zero() -> Box<dyn Monitor> {
    Box::new(DivisionByZero)
}

pub(crate) fn make_division_overflow() -> Box<dyn Monitor> {
    Box::new(DivisionOverflow)
}

fn operation(op: BinOp) -> &'static str {
    if matches!(op, BinOp::URem | BinOp::SRem) { "remainder" } else { "division" }
}

impl Monitor for DivisionByZero {
    fn name(&self) -> &'static str {
        "division-by-zero"
    }

    fn before_division(&mut self, cx: &mut Checking<'_>, division: &Division) -> Option<Obligation> {
        let operation = operation(division.op);
        Some(Obligation {
            holds: cx.pool.nonzero(division.b),
            kind: Kind::DivisionByZero,
            explain: Box::new(move |_| (format!("{operation} by zero"), Vec::new())),
        })
    }
}

impl Monitor for DivisionOverflow {
    fn name(&self) -> &'static str {
        "division-overflow"
    }

    fn before_division(&mut self, cx: &mut Checking<'_>, division: &Division) -> Option<Obligation> {
        let Division { op, width, a, b } = *division;
        if !matches!(op, BinOp::SDiv | BinOp::SRem) {
            return None;
        }
        let smallest = cx.pool.constant(width, 1 << (width - 1));
        let minus_one = cx.pool.ones(width);
        let other_dividend = cx.pool.ne(a, smallest);
        let other_divisor = cx.pool.ne(b, minus_one);
        Some(Obligation {
            holds: cx.pool.or(other_dividend, other_divisor),
            kind: Kind::SignedOverflow,
            explain: Box::new(move |_| (format!("{} overflows {width} bits", operation(op)), Vec::new())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    fn verdict(monitor: &mut dyn Monitor, op: BinOp, a: i32, b: i32) -> Option<(Kind, String)> {
        let mut world = World::new();
        let [a, b] = [a, b].map(|value| world.pool.constant(32, value as u32 as u128));
        world.verdict(|cx| monitor.before_division(cx, &Division { op, width: 32, a, b }))
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let expect = |text: &str| Some((Kind::DivisionByZero, text.to_string()));
        assert_eq!(verdict(&mut DivisionByZero, BinOp::UDiv, 1, 0), expect("division by zero"));
        assert_eq!(verdict(&mut DivisionByZero, BinOp::SRem, 1, 0), expect("remainder by zero"));
        assert_eq!(verdict(&mut DivisionByZero, BinOp::SDiv, i32::MIN, -1), None);
    }

    #[test]
    fn only_a_signed_division_of_the_smallest_number_by_minus_one_overflows() {
        let expect = |text: &str| Some((Kind::SignedOverflow, text.to_string()));
        assert_eq!(verdict(&mut DivisionOverflow, BinOp::SDiv, i32::MIN, -1), expect("division overflows 32 bits"));
        assert_eq!(verdict(&mut DivisionOverflow, BinOp::SRem, i32::MIN, -1), expect("remainder overflows 32 bits"));
        assert_eq!(verdict(&mut DivisionOverflow, BinOp::UDiv, i32::MIN, -1), None);
        assert_eq!(verdict(&mut DivisionOverflow, BinOp::SDiv, i32::MIN, 1), None);
        assert_eq!(verdict(&mut DivisionOverflow, BinOp::SDiv, i32::MAX, -1), None);
        assert_eq!(verdict(&mut DivisionOverflow, BinOp::SDiv, i32::MIN, 0), None);
    }
}
