//! signed-overflow: the result of signed arithmetic has to fit. Off by default: much code relies on wrapping.

use osier_exec::outcome::Kind;
use osier_exec::{Arithmetic, Checking, Monitor, Obligation};
use osier_ir::{BinOp, Flags};
use osier_term::{BvOp, Pool, Term};

/// The widest term.
const WIDEST: u32 = 128;

struct SignedOverflow;

pub(crate) fn make() -> Box<dyn Monitor> {
    Box::new(SignedOverflow)
}

impl Monitor for SignedOverflow {
    fn name(&self) -> &'static str {
        "signed-overflow"
    }

    fn watches_overflow(&self) -> bool {
        true
    }

    fn before_arithmetic(&mut self, cx: &mut Checking<'_>, arithmetic: &Arithmetic) -> Option<Obligation> {
        let Arithmetic { op, flags, width, a, b } = *arithmetic;
        if !flags.has(Flags::NSW) || flags.has(Flags::SPECULATED) {
            return None;
        }
        let (operation, holds) = if op == BinOp::Add {
            ("addition", sum_fits(cx.pool, BvOp::Add, width, a, b))
        } else if op == BinOp::Sub {
            ("subtraction", sum_fits(cx.pool, BvOp::Sub, width, a, b))
        } else if op == BinOp::Mul {
            ("multiplication", product_fits(cx.pool, width, a, b))
        } else {
            return None;
        };
        Some(Obligation {
            holds,
            kind: Kind::SignedOverflow,
            explain: Box::new(move |_| (format!("{operation} overflows {width} bits"), Vec::new())),
        })
    }
}

/// Whether an operation on numbers extended to `wide` bits, where it cannot overflow, gives what it gives in `width`.
fn fits_as_when_wide(pool: &mut Pool, op: BvOp, wide: u32, width: u32, a: Term, b: Term) -> Term {
    let (wide_a, wide_b) = (pool.sext(a, wide), pool.sext(b, wide));
    let exact = pool.bin(op, wide_a, wide_b);
    let kept = pool.truncate(exact, width);
    let extended = pool.sext(kept, wide);
    pool.eq(exact, extended)
}

/// For Add and Sub.
fn sum_fits(pool: &mut Pool, op: BvOp, width: u32, a: Term, b: Term) -> Term {
    if width < WIDEST {
        return fits_as_when_wide(pool, op, width + 1, width, a, b);
    }
    // a + b overflows if a and b have one sign and the result has the other; a - b if a has one sign, b and the result
    // have the other. So the result may differ in sign from `a` only if b is so inclined.
    let result = pool.bin(op, a, b);
    let [sign_a, sign_b, sign_result] = [a, b, result].map(|term| pool.extract(term, width - 1, 1));
    let result_has_sign_of_a = pool.eq(sign_result, sign_a);
    let cannot_overflow = if op == BvOp::Add { pool.ne(sign_a, sign_b) } else { pool.eq(sign_a, sign_b) };
    pool.or(cannot_overflow, result_has_sign_of_a)
}

fn product_fits(pool: &mut Pool, width: u32, a: Term, b: Term) -> Term {
    if 2 * width <= WIDEST {
        return fits_as_when_wide(pool, BvOp::Mul, 2 * width, width, a, b);
    }
    let even = width + width % 2;
    let (negative_a, size_a) = magnitude(pool, width, a);
    let (negative_b, size_b) = magnitude(pool, width, b);
    let (size_a, size_b) = (pool.zext(size_a, even), pool.zext(size_b, even));
    let (product, product_exact) = multiply_by_halves(pool, even, size_a, size_b);
    // The greatest magnitude is one more below zero.
    let negative = pool.xor(negative_a, negative_b);
    let below = pool.constant(even, 1 << (width - 1));
    let above = pool.constant(even, (1 << (width - 1)) - 1);
    let greatest = pool.ite(negative, below, above);
    let small_enough = pool.ule(product, greatest);
    pool.and(product_exact, small_enough)
}

/// Whether a number is negative, and how far it is from zero, unsigned.
fn magnitude(pool: &mut Pool, width: u32, a: Term) -> (Term, Term) {
    let negative = pool.extract(a, width - 1, 1);
    let negated = pool.neg(a);
    (negative, pool.ite(negative, negated, a))
}

/// The unsigned product of two numbers of an even `width`, wrapped, and whether it did not wrap. No divisions and no
/// wider terms: with a = ah·2^h + al and b alike, a·b = ah·bh·2^2h + (ah·bl + al·bh)·2^h + al·bl. It fits only if ah or
/// bh is 0, so one of the mixed products is 0 and the other fits by itself.
fn multiply_by_halves(pool: &mut Pool, width: u32, a: Term, b: Term) -> (Term, Term) {
    let half = width / 2;
    let mut halves = |term| {
        let high = pool.extract(term, half, half);
        let low = pool.extract(term, 0, half);
        (pool.zext(high, width), pool.zext(low, width))
    };
    let ((high_a, low_a), (high_b, low_b)) = (halves(a), halves(b));
    let zero = pool.constant(width, 0);
    let (small_a, small_b) = (pool.eq(high_a, zero), pool.eq(high_b, zero));
    let one_is_small = pool.or(small_a, small_b);
    let mixed_a = pool.mul(high_a, low_b);
    let mixed_b = pool.mul(low_a, high_b);
    let mixed = pool.or(mixed_a, mixed_b);
    let half_limit = pool.constant(width, 1 << half);
    let mixed_fits = pool.ult(mixed, half_limit);
    let half_term = pool.constant(width, u128::from(half));
    let upper = pool.shl(mixed, half_term);
    let lower = pool.mul(low_a, low_b);
    let product = pool.add(upper, lower);
    let no_carry = pool.ule(lower, product);
    let fits = pool.and(one_is_small, mixed_fits);
    (product, pool.and(fits, no_carry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;
    use osier_term::sign_extend;
    use proptest::prelude::*;

    /// Whether the monitor lets an operation on constants pass.
    fn passes(op: BinOp, flags: Flags, width: u32, a: i128, b: i128) -> bool {
        let mut world = World::new();
        let [a, b] = [a, b].map(|value| world.pool.constant(width, value as u128));
        let arithmetic = Arithmetic { op, flags, width, a, b };
        world.verdict(|cx| SignedOverflow.before_arithmetic(cx, &arithmetic)).is_none()
    }

    fn fits(op: BinOp, width: u32, a: i128, b: i128) -> bool {
        let exact = if op == BinOp::Add {
            a.checked_add(b)
        } else if op == BinOp::Sub {
            a.checked_sub(b)
        } else {
            a.checked_mul(b)
        };
        exact.is_some_and(|exact| sign_extend(width, exact as u128) == exact)
    }

    #[test]
    fn the_message_names_the_operation() {
        let mut world = World::new();
        let most = world.pool.constant(32, i32::MAX as u128);
        for (op, expected) in
            [(BinOp::Add, "addition overflows 32 bits"), (BinOp::Mul, "multiplication overflows 32 bits")]
        {
            let arithmetic = Arithmetic { op, flags: Flags::NSW, width: 32, a: most, b: most };
            let verdict = world.verdict(|cx| SignedOverflow.before_arithmetic(cx, &arithmetic));
            assert_eq!(verdict, Some((Kind::SignedOverflow, expected.to_string())));
        }
    }

    #[test]
    fn wrapping_and_speculated_arithmetic_pass() {
        let most = i128::from(i32::MAX);
        assert!(!passes(BinOp::Add, Flags::NSW, 32, most, 1));
        assert!(passes(BinOp::Add, Flags::NUW, 32, most, 1));
        assert!(passes(BinOp::Add, Flags::NSW.with(Flags::SPECULATED), 32, most, 1));
    }

    #[test]
    fn a_product_whose_halves_fit_but_carry_overflows() {
        // 2^128 + 2^84 and a little less: wrapped, it would be small.
        assert!(!passes(BinOp::Mul, Flags::NSW, 128, (1 << 64) + (1 << 20), (1 << 64) - 1));
        assert!(passes(BinOp::Mul, Flags::NSW, 128, 1 << 63, (1 << 64) - 1));
        assert!(passes(BinOp::Mul, Flags::NSW, 128, -(1 << 63), 1 << 64));
        assert!(!passes(BinOp::Mul, Flags::NSW, 128, 1 << 63, 1 << 64));
    }

    /// Numbers of a width, most of them near where something overflows.
    fn number(width: u32) -> impl Strategy<Value = i128> {
        let any = any::<u128>().prop_map(move |bits| sign_extend(width, bits));
        let edge = (0..width, -2i128..3)
            .prop_map(move |(bit, near)| sign_extend(width, (1u128 << bit).wrapping_add(near as u128)));
        let negative_edge = (0..width, -2i128..3)
            .prop_map(move |(bit, near)| sign_extend(width, (1u128 << bit).wrapping_neg().wrapping_add(near as u128)));
        prop_oneof![any, edge, negative_edge]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn formulas_agree_with_arithmetic(
            (width, a, b) in prop::sample::select(vec![1u32, 2, 8, 31, 32, 64, 65, 66, 97, 127, 128])
                .prop_flat_map(|width| (Just(width), number(width), number(width))),
            op in prop::sample::select(vec![BinOp::Add, BinOp::Sub, BinOp::Mul]),
        ) {
            prop_assert_eq!(passes(op, Flags::NSW, width, a, b), fits(op, width, a, b), "{:?} {} {} {}", op, width, a, b);
        }
    }
}
