//! What the operators do to numbers. Values are kept in a `u128` with every bit above the width zero.

use crate::node::{BvOp, CmpOp};

/// All ones in `width` bits.
#[inline]
pub fn mask(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - width)
}

/// The value of `width` bits as a signed number.
#[inline]
pub fn sign_extend(width: u32, value: u128) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

/// How many bits `value` needs; zero needs none.
#[inline]
pub(crate) fn bit_length(value: u128) -> u32 {
    128 - value.leading_zeros()
}

pub fn apply(op: BvOp, width: u32, a: u128, b: u128) -> u128 {
    let ones = mask(width);
    let signed = |v| sign_extend(width, v);
    let result = match op {
        BvOp::Add => a.wrapping_add(b),
        BvOp::Sub => a.wrapping_sub(b),
        BvOp::Mul => a.wrapping_mul(b),
        BvOp::UDiv => a.checked_div(b).unwrap_or(ones),
        BvOp::URem => a.checked_rem(b).unwrap_or(a),
        BvOp::SDiv if b == 0 => {
            if signed(a) < 0 {
                1
            } else {
                ones
            }
        }
        BvOp::SDiv => signed(a).wrapping_div(signed(b)) as u128,
        BvOp::SRem if b == 0 => a,
        BvOp::SRem => signed(a).wrapping_rem(signed(b)) as u128,
        BvOp::Shl if b >= u128::from(width) => 0,
        BvOp::Shl => a << b,
        BvOp::LShr if b >= u128::from(width) => 0,
        BvOp::LShr => a >> b,
        BvOp::AShr => (signed(a) >> b.min(127)) as u128,
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
    };
    result & ones
}

pub fn compare(op: CmpOp, width: u32, a: u128, b: u128) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Slt => sign_extend(width, a) < sign_extend(width, b),
        CmpOp::Sle => sign_extend(width, a) <= sign_extend(width, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_is_total() {
        assert_eq!(apply(BvOp::UDiv, 8, 5, 0), 0xff);
        assert_eq!(apply(BvOp::URem, 8, 5, 0), 5);
        assert_eq!(apply(BvOp::SDiv, 8, 5, 0), 0xff);
        assert_eq!(apply(BvOp::SDiv, 8, 0x85, 0), 1);
        assert_eq!(apply(BvOp::SRem, 8, 0x85, 0), 0x85);
    }

    #[test]
    fn the_smallest_value_divided_by_minus_one_is_itself() {
        assert_eq!(apply(BvOp::SDiv, 8, 0x80, 0xff), 0x80);
        assert_eq!(apply(BvOp::SRem, 8, 0x80, 0xff), 0);
        assert_eq!(apply(BvOp::SDiv, 128, 1 << 127, u128::MAX), 1 << 127);
    }

    #[test]
    fn signed_remainder_has_the_sign_of_the_dividend() {
        assert_eq!(apply(BvOp::SRem, 8, 0xf9, 3), 0xff);
        assert_eq!(apply(BvOp::SRem, 8, 7, 0xfd), 1);
    }

    #[test]
    fn shifts_beyond_the_width_saturate() {
        assert_eq!(apply(BvOp::Shl, 7, 0x7f, 7), 0);
        assert_eq!(apply(BvOp::LShr, 128, u128::MAX, 128), 0);
        assert_eq!(apply(BvOp::AShr, 8, 0x80, 200), 0xff);
        assert_eq!(apply(BvOp::AShr, 128, 1 << 127, u128::MAX), u128::MAX);
        assert_eq!(apply(BvOp::AShr, 8, 0x40, 200), 0);
    }

    #[test]
    fn signed_comparison_reads_the_sign_of_the_width() {
        assert!(compare(CmpOp::Slt, 8, 0x80, 0));
        assert!(!compare(CmpOp::Ult, 8, 0x80, 0));
        assert!(!compare(CmpOp::Slt, 9, 0x80, 0));
        assert!(compare(CmpOp::Sle, 1, 1, 0));
    }
}
