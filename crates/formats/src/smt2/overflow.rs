//! The predicates of overflow that SMT-LIB 2.7 has.

use osier_term::{BvOp, Pool, Term, mask};

/// Up to here products are formed in twice the width; beyond, by division.
const WIDEST_DOUBLED: u32 = 64;

/// What a predicate of two bit-vectors of one width says.
pub(super) type Overflow = fn(&mut Pool, Term, Term) -> Term;

/// The predicates of two operands; `bvnego` has one.
pub(super) fn overflow(name: &str) -> Option<Overflow> {
    Some(match name {
        "bvuaddo" => unsigned_add,
        "bvsaddo" => signed_add,
        "bvusubo" => Pool::ult,
        "bvssubo" => signed_sub,
        "bvumulo" => unsigned_mul,
        "bvsmulo" => signed_mul,
        "bvsdivo" => signed_div,
        _ => return None,
    })
}

pub(super) fn negation(pool: &mut Pool, a: Term) -> Term {
    let least = least(pool, a);
    pool.eq(a, least)
}

/// The least signed number of the width of `a`.
fn least(pool: &mut Pool, a: Term) -> Term {
    let width = pool.width(a);
    pool.constant(width, 1 << (width - 1))
}

fn is_negative(pool: &mut Pool, a: Term) -> Term {
    let width = pool.width(a);
    pool.extract(a, width - 1, 1)
}

fn unsigned_add(pool: &mut Pool, a: Term, b: Term) -> Term {
    let sum = pool.add(a, b);
    pool.ult(sum, a)
}

/// The operands have one sign and the sum the other.
fn signed_add(pool: &mut Pool, a: Term, b: Term) -> Term {
    let sum = pool.add(a, b);
    let (to_a, to_b) = (pool.xor(sum, a), pool.xor(sum, b));
    let both = pool.and(to_a, to_b);
    is_negative(pool, both)
}

/// The operands differ in sign, and so do the difference and the first of them.
fn signed_sub(pool: &mut Pool, a: Term, b: Term) -> Term {
    let difference = pool.sub(a, b);
    let (to_b, to_difference) = (pool.xor(a, b), pool.xor(a, difference));
    let both = pool.and(to_b, to_difference);
    is_negative(pool, both)
}

fn unsigned_mul(pool: &mut Pool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    if width <= WIDEST_DOUBLED {
        let (wide_a, wide_b) = (pool.zext(a, 2 * width), pool.zext(b, 2 * width));
        let product = pool.mul(wide_a, wide_b);
        let high = pool.extract(product, width, width);
        return pool.nonzero(high);
    }
    let product = pool.mul(a, b);
    differs_when_divided(pool, BvOp::UDiv, product, a, b)
}

fn signed_mul(pool: &mut Pool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    if width <= WIDEST_DOUBLED {
        let (wide_a, wide_b) = (pool.sext(a, 2 * width), pool.sext(b, 2 * width));
        let product = pool.mul(wide_a, wide_b);
        let low = pool.truncate(product, width);
        let extended = pool.sext(low, 2 * width);
        return pool.ne(product, extended);
    }
    let product = pool.mul(a, b);
    let differs = differs_when_divided(pool, BvOp::SDiv, product, a, b);
    // The division overflows just as the product did.
    let hidden = signed_div(pool, b, a);
    pool.or(differs, hidden)
}

/// The product divided by one factor is not the other, where that factor is not zero.
fn differs_when_divided(pool: &mut Pool, division: BvOp, product: Term, a: Term, b: Term) -> Term {
    let quotient = pool.bin(division, product, a);
    let (differs, divides) = (pool.ne(quotient, b), pool.nonzero(a));
    pool.and(differs, divides)
}

/// The least number divided by minus one.
fn signed_div(pool: &mut Pool, a: Term, b: Term) -> Term {
    let width = pool.width(b);
    let minus_one = pool.constant(width, mask(width));
    let (least, by_minus_one) = (negation(pool, a), pool.eq(b, minus_one));
    pool.and(least, by_minus_one)
}

#[cfg(test)]
mod tests {
    use osier_term::sign_extend;

    use super::*;

    /// The predicate for two numbers of some width.
    fn holds(name: &str, width: u32, a: u128, b: u128) -> bool {
        let mut pool = Pool::new();
        let (a, b) = (pool.constant(width, a), pool.constant(width, b));
        let holds = overflow(name).unwrap()(&mut pool, a, b);
        pool.is_true(holds)
    }

    #[test]
    fn small_numbers_overflow_where_they_leave_their_range() {
        for a in 0..32u128 {
            for b in 0..32u128 {
                let (x, y) = (sign_extend(5, a), sign_extend(5, b));
                let signed = |result: i128| !(-16..16).contains(&result);
                let expected = [
                    ("bvuaddo", a + b > 31),
                    ("bvsaddo", signed(x + y)),
                    ("bvusubo", a < b),
                    ("bvssubo", signed(x - y)),
                    ("bvumulo", a * b > 31),
                    ("bvsmulo", signed(x * y)),
                    ("bvsdivo", x.checked_div(y).is_some_and(signed)),
                ];
                for (name, expected) in expected {
                    assert_eq!(holds(name, 5, a, b), expected, "{name} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn products_of_wide_numbers_are_checked_by_division() {
        let numbers = [0, 1, 2, 3, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1, 1 << 64, 1 << 63, (1 << 64) - 1];
        for a in numbers {
            for b in numbers {
                assert_eq!(holds("bvumulo", 128, a, b), a.checked_mul(b).is_none(), "{a} {b}");
                let signed = (a as i128).checked_mul(b as i128);
                assert_eq!(holds("bvsmulo", 128, a, b), signed.is_none(), "{a} {b}");
            }
        }
    }
}
