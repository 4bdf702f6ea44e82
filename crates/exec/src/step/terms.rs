//! Integer operations on terms, and on concrete values wider than 64 bits.

use osier_ir::{BinOp, CmpOp, OverflowOp, UnOp};
use osier_term::{BvOp, Pool, Term};

pub fn binary(pool: &mut Pool, op: BinOp, a: Term, b: Term) -> Term {
    let op = match op {
        BinOp::Add => BvOp::Add,
        BinOp::Sub => BvOp::Sub,
        BinOp::Mul => BvOp::Mul,
        BinOp::UDiv => BvOp::UDiv,
        BinOp::SDiv => BvOp::SDiv,
        BinOp::URem => BvOp::URem,
        BinOp::SRem => BvOp::SRem,
        BinOp::Shl => BvOp::Shl,
        BinOp::LShr => BvOp::LShr,
        BinOp::AShr => BvOp::AShr,
        BinOp::And => BvOp::And,
        BinOp::Or => BvOp::Or,
        BinOp::Xor => BvOp::Xor,
        BinOp::UMin => return choose(pool, CmpOp::Ult, a, b),
        BinOp::UMax => return choose(pool, CmpOp::Ugt, a, b),
        BinOp::SMin => return choose(pool, CmpOp::Slt, a, b),
        BinOp::SMax => return choose(pool, CmpOp::Sgt, a, b),
        BinOp::UAddSat => return saturating(pool, OverflowOp::UAdd, a, b),
        BinOp::SAddSat => return saturating(pool, OverflowOp::SAdd, a, b),
        BinOp::USubSat => return saturating(pool, OverflowOp::USub, a, b),
        BinOp::SSubSat => return saturating(pool, OverflowOp::SSub, a, b),
        BinOp::UShlSat => return saturating_shift(pool, false, a, b),
        BinOp::SShlSat => return saturating_shift(pool, true, a, b),
    };
    pool.bin(op, a, b)
}

fn choose(pool: &mut Pool, op: CmpOp, a: Term, b: Term) -> Term {
    let first = compare(pool, op, a, b);
    pool.ite(first, a, b)
}

pub fn compare(pool: &mut Pool, op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => pool.eq(a, b),
        CmpOp::Ne => pool.ne(a, b),
        CmpOp::Ult => pool.ult(a, b),
        CmpOp::Ule => pool.ule(a, b),
        CmpOp::Ugt => pool.ult(b, a),
        CmpOp::Uge => pool.ule(b, a),
        CmpOp::Slt => pool.slt(a, b),
        CmpOp::Sle => pool.sle(a, b),
        CmpOp::Sgt => pool.slt(b, a),
        CmpOp::Sge => pool.sle(b, a),
    }
}

/// The wrapped result and one bit: whether it wrapped.
pub fn overflowing(pool: &mut Pool, op: OverflowOp, a: Term, b: Term) -> (Term, Term) {
    let width = pool.width(a);
    match op {
        OverflowOp::UAdd => {
            let sum = pool.add(a, b);
            (sum, pool.ult(sum, a))
        }
        OverflowOp::USub => (pool.sub(a, b), pool.ult(a, b)),
        OverflowOp::SAdd => {
            let sum = pool.add(a, b);
            // Wrapped if both operands differ in sign from the sum.
            let (x, y) = (pool.bin(BvOp::Xor, a, sum), pool.bin(BvOp::Xor, b, sum));
            let both = pool.bin(BvOp::And, x, y);
            (sum, pool.extract(both, width - 1, 1))
        }
        OverflowOp::SSub => {
            let difference = pool.sub(a, b);
            let (x, y) = (pool.bin(BvOp::Xor, a, b), pool.bin(BvOp::Xor, a, difference));
            let both = pool.bin(BvOp::And, x, y);
            (difference, pool.extract(both, width - 1, 1))
        }
        OverflowOp::UMul | OverflowOp::SMul => multiply(pool, op == OverflowOp::SMul, a, b),
    }
}

/// Whether `a` times a constant wraps: a comparison with the largest and the smallest number that do not, which no
/// solver has to multiply for.
fn wraps_by_constant(pool: &mut Pool, signed: bool, a: Term, factor: u128) -> Term {
    let width = pool.width(a);
    let largest = osier_term::mask(width);
    if !signed {
        let most = pool.constant(width, largest.checked_div(factor).unwrap_or(largest));
        return pool.ult(most, a);
    }
    let (most, least) = ((largest >> 1) as i128, -((largest >> 1) as i128) - 1);
    let (low, high) = match osier_term::sign_extend(width, factor) {
        0 => (least, most),
        // The smallest number has no counterpart.
        -1 => (least + 1, most),
        factor if factor > 0 => (least / factor, most / factor),
        factor => (most / factor, least / factor),
    };
    let (low, high) = (pool.constant(width, low as u128), pool.constant(width, high as u128));
    let (below, above) = (pool.slt(a, low), pool.slt(high, a));
    pool.or(below, above)
}

fn multiply(pool: &mut Pool, signed: bool, a: Term, b: Term) -> (Term, Term) {
    let width = pool.width(a);
    let product = pool.mul(a, b);
    let constant = pool.as_const(b).map(|factor| (a, factor)).or_else(|| pool.as_const(a).map(|factor| (b, factor)));
    if let Some((a, factor)) = constant {
        return (product, wraps_by_constant(pool, signed, a, factor));
    }
    if width <= 64 {
        let extend = |pool: &mut Pool, t| if signed { pool.sext(t, 2 * width) } else { pool.zext(t, 2 * width) };
        let (wide_a, wide_b) = (extend(pool, a), extend(pool, b));
        let exact = pool.mul(wide_a, wide_b);
        let back = extend(pool, product);
        return (product, pool.ne(exact, back));
    }
    // Too wide to double: a product that does not divide back has wrapped.
    let zero = pool.constant(width, 0);
    let divide = if signed { BvOp::SDiv } else { BvOp::UDiv };
    let back = pool.bin(divide, product, b);
    let differs = pool.ne(back, a);
    let nonzero = pool.ne(b, zero);
    let mut wrapped = pool.and(nonzero, differs);
    if signed {
        // The smallest number times -1 divides back to itself.
        let ones = pool.constant(width, u128::MAX);
        let smallest = pool.constant(width, 1 << (width - 1));
        let (is_ones, is_smallest) = (pool.eq(b, ones), pool.eq(a, smallest));
        let special = pool.and(is_ones, is_smallest);
        wrapped = pool.or(wrapped, special);
    }
    (product, wrapped)
}

fn saturating(pool: &mut Pool, op: OverflowOp, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let (result, wrapped) = overflowing(pool, op, a, b);
    let limit = match op {
        OverflowOp::UAdd | OverflowOp::UMul => pool.constant(width, u128::MAX),
        OverflowOp::USub => pool.constant(width, 0),
        OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => signed_limit(pool, a),
    };
    pool.ite(wrapped, limit, result)
}

/// The end of the signed range on the side of `a`'s sign.
fn signed_limit(pool: &mut Pool, a: Term) -> Term {
    let width = pool.width(a);
    let zero = pool.constant(width, 0);
    let negative = pool.slt(a, zero);
    let smallest = pool.constant(width, 1 << (width - 1));
    let greatest = pool.constant(width, (1 << (width - 1)) - 1);
    pool.ite(negative, smallest, greatest)
}

fn saturating_shift(pool: &mut Pool, signed: bool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let shifted = pool.bin(BvOp::Shl, a, b);
    let back = pool.bin(if signed { BvOp::AShr } else { BvOp::LShr }, shifted, b);
    let same = pool.eq(back, a);
    let limit = if signed { signed_limit(pool, a) } else { pool.constant(width, u128::MAX) };
    pool.ite(same, shifted, limit)
}

pub fn unary(pool: &mut Pool, op: UnOp, a: Term) -> Term {
    let width = pool.width(a);
    match op {
        UnOp::ByteSwap => reversed(pool, a, 8),
        UnOp::BitReverse => reversed(pool, a, 1),
        UnOp::PopCount => {
            let mut count = pool.constant(width, 0);
            for i in 0..width {
                let bit = pool.extract(a, i, 1);
                let bit = pool.zext(bit, width);
                count = pool.add(count, bit);
            }
            count
        }
        // The choice made last wins, so the bits are taken from the far end.
        UnOp::LeadingZeros => first_set(pool, a, 0..width, |bit| width - 1 - bit),
        UnOp::TrailingZeros => first_set(pool, a, (0..width).rev(), |bit| bit),
        UnOp::Abs => {
            let zero = pool.constant(width, 0);
            let negative = pool.slt(a, zero);
            let negated = pool.neg(a);
            pool.ite(negative, negated, a)
        }
    }
}

fn reversed(pool: &mut Pool, a: Term, piece: u32) -> Term {
    let width = pool.width(a);
    let mut whole = pool.extract(a, 0, piece);
    for low in (piece..width).step_by(piece as usize) {
        let next = pool.extract(a, low, piece);
        whole = pool.concat(whole, next);
    }
    whole
}

fn first_set(pool: &mut Pool, a: Term, bits: impl Iterator<Item = u32>, count: impl Fn(u32) -> u32) -> Term {
    let width = pool.width(a);
    let mut result = pool.constant(width, u128::from(width));
    for bit in bits {
        let set = pool.extract(a, bit, 1);
        let value = pool.constant(width, u128::from(count(bit)));
        result = pool.ite(set, value, result);
    }
    result
}

/// llvm.fshl and llvm.fshr.
pub fn funnel(pool: &mut Pool, left: bool, high: Term, low: Term, amount: Term) -> Term {
    let width = pool.width(high);
    let modulus = pool.constant(width, u128::from(width));
    let amount = pool.bin(BvOp::URem, amount, modulus);
    let rest = pool.sub(modulus, amount);
    // A shift by the whole width gives zero in the term language, so an amount of 0 needs no case of its own.
    let (up, down) = if left { (amount, rest) } else { (rest, amount) };
    let high = pool.bin(BvOp::Shl, high, up);
    let low = pool.bin(BvOp::LShr, low, down);
    pool.bin(BvOp::Or, high, low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::arith;

    #[test]
    fn a_product_with_a_constant_wraps_where_the_processor_says_so() {
        let mut pool = Pool::new();
        let input = pool.input("a", 1);
        let a = pool.select_at(input, 0);
        for op in [OverflowOp::UMul, OverflowOp::SMul] {
            for factor in 0..=255u64 {
                let constant = pool.constant(8, factor.into());
                let (product, wrapped) = overflowing(&mut pool, op, a, constant);
                for value in 0..=255u8 {
                    let mut assignment = osier_term::Assignment::new();
                    assignment.set(input, vec![value].into());
                    let found = (
                        osier_term::eval(&pool, product, &assignment) as u64,
                        osier_term::eval(&pool, wrapped, &assignment) != 0,
                    );
                    assert_eq!(found, arith::overflowing(op, 8, value.into(), factor), "{op:?} {value} {factor}");
                }
            }
        }
    }
}
