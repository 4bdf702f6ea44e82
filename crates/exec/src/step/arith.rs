//! Integer arithmetic on concrete values of up to 64 bits.

use osier_ir::{BinOp, CmpOp, Flags, OverflowOp, UnOp};
use osier_memory::{mask, truncate};

#[inline]
pub fn sign_extend(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}

/// The result, or nothing where a check has a say: a division by zero or that overflows, a shift by too much, and, if
/// `watch_overflow`, a signed overflow that the source does not allow.
#[inline]
pub fn concrete(op: BinOp, flags: Flags, width: u32, x: u64, y: u64, watch_overflow: bool) -> Option<u64> {
    let bits = match op {
        BinOp::Add => {
            if watch_overflow && signed_overflow(OverflowOp::SAdd, flags, width, x, y) {
                return None;
            }
            x.wrapping_add(y)
        }
        BinOp::Sub => {
            if watch_overflow && signed_overflow(OverflowOp::SSub, flags, width, x, y) {
                return None;
            }
            x.wrapping_sub(y)
        }
        BinOp::Mul => {
            if watch_overflow && signed_overflow(OverflowOp::SMul, flags, width, x, y) {
                return None;
            }
            x.wrapping_mul(y)
        }
        BinOp::UDiv if y != 0 => x / y,
        BinOp::URem if y != 0 => x % y,
        BinOp::SDiv if y != 0 && y != mask(width) => (sign_extend(x, width) / sign_extend(y, width)) as u64,
        BinOp::SRem if y != 0 && y != mask(width) => (sign_extend(x, width) % sign_extend(y, width)) as u64,
        // By -1: only the smallest number overflows.
        BinOp::SDiv if y != 0 && x != min_signed(width) => x.wrapping_neg(),
        BinOp::SRem if y != 0 && x != min_signed(width) => 0,
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => return None,
        BinOp::Shl if y < u64::from(width) => x << y,
        BinOp::LShr if y < u64::from(width) => x >> y,
        BinOp::AShr if y < u64::from(width) => (sign_extend(x, width) >> y) as u64,
        BinOp::Shl | BinOp::LShr | BinOp::AShr => return None,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::UMin => x.min(y),
        BinOp::UMax => x.max(y),
        BinOp::SMin => sign_extend(x, width).min(sign_extend(y, width)) as u64,
        BinOp::SMax => sign_extend(x, width).max(sign_extend(y, width)) as u64,
        BinOp::UAddSat => saturate(u128::from(x) + u128::from(y), width),
        BinOp::USubSat => x.saturating_sub(y),
        BinOp::SAddSat => saturate_signed(i128::from(sign_extend(x, width)) + i128::from(sign_extend(y, width)), width),
        BinOp::SSubSat => saturate_signed(i128::from(sign_extend(x, width)) - i128::from(sign_extend(y, width)), width),
        BinOp::UShlSat if y < u64::from(width) => saturate(u128::from(x) << y, width),
        BinOp::SShlSat if y < u64::from(width) => saturate_signed(i128::from(sign_extend(x, width)) << y, width),
        BinOp::UShlSat | BinOp::SShlSat => return None,
    };
    Some(truncate(bits, width))
}

fn min_signed(width: u32) -> u64 {
    1 << (width - 1)
}

fn saturate(exact: u128, width: u32) -> u64 {
    exact.min(u128::from(mask(width))) as u64
}

fn saturate_signed(exact: i128, width: u32) -> u64 {
    let most = i128::from(mask(width) >> 1);
    exact.clamp(-most - 1, most) as u64
}

fn signed_overflow(op: OverflowOp, flags: Flags, width: u32, x: u64, y: u64) -> bool {
    flags.has(Flags::NSW) && !flags.has(Flags::SPECULATED) && overflowing(op, width, x, y).1
}

#[inline]
pub fn compare(op: CmpOp, width: u32, x: u64, y: u64) -> bool {
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Ult => x < y,
        CmpOp::Ule => x <= y,
        CmpOp::Ugt => x > y,
        CmpOp::Uge => x >= y,
        CmpOp::Slt => sign_extend(x, width) < sign_extend(y, width),
        CmpOp::Sle => sign_extend(x, width) <= sign_extend(y, width),
        CmpOp::Sgt => sign_extend(x, width) > sign_extend(y, width),
        CmpOp::Sge => sign_extend(x, width) >= sign_extend(y, width),
    }
}

/// The wrapped result and whether it wrapped.
pub fn overflowing(op: OverflowOp, width: u32, x: u64, y: u64) -> (u64, bool) {
    let (sx, sy) = (i128::from(sign_extend(x, width)), i128::from(sign_extend(y, width)));
    let (ux, uy) = (u128::from(x), u128::from(y));
    let signed = |exact: i128| {
        let bits = truncate(exact as u64, width);
        (bits, i128::from(sign_extend(bits, width)) != exact)
    };
    let unsigned = |exact: u128| {
        let bits = truncate(exact as u64, width);
        (bits, u128::from(bits) != exact)
    };
    match op {
        OverflowOp::UAdd => unsigned(ux + uy),
        OverflowOp::USub => (truncate(x.wrapping_sub(y), width), x < y),
        OverflowOp::UMul => unsigned(ux * uy),
        OverflowOp::SAdd => signed(sx + sy),
        OverflowOp::SSub => signed(sx - sy),
        OverflowOp::SMul => signed(sx * sy),
    }
}

pub fn unary(op: UnOp, width: u32, x: u64) -> u64 {
    let unused = 64 - width;
    match op {
        UnOp::ByteSwap => x.swap_bytes() >> unused,
        UnOp::BitReverse => x.reverse_bits() >> unused,
        UnOp::PopCount => u64::from(x.count_ones()),
        UnOp::LeadingZeros => u64::from(x.leading_zeros() - unused),
        UnOp::TrailingZeros => u64::from(x.trailing_zeros().min(width)),
        UnOp::Abs => truncate(sign_extend(x, width).unsigned_abs(), width),
    }
}

/// llvm.fshl and llvm.fshr.
pub fn funnel(left: bool, width: u32, high: u64, low: u64, amount: u64) -> u64 {
    let amount = (amount % u64::from(width)) as u32;
    let pair = (u128::from(high) << width) | u128::from(low);
    let bits = if left { (pair << amount) >> width } else { pair >> amount };
    truncate(bits as u64, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_division_by_minus_one_is_checked_only_for_the_smallest_number() {
        assert_eq!(concrete(BinOp::SDiv, Flags::NONE, 8, 5, 0xff, false), Some(0xfb));
        assert_eq!(concrete(BinOp::SDiv, Flags::NONE, 8, 0x80, 0xff, false), None);
        assert_eq!(concrete(BinOp::SRem, Flags::NONE, 8, 5, 0xff, false), Some(0));
    }

    #[test]
    fn odd_widths_wrap_at_their_width() {
        assert_eq!(concrete(BinOp::Add, Flags::NONE, 7, 0x7f, 1, false), Some(0));
        assert_eq!(concrete(BinOp::AShr, Flags::NONE, 7, 0x40, 3, false), Some(0x78));
        assert_eq!(unary(UnOp::LeadingZeros, 7, 1), 6);
        assert_eq!(unary(UnOp::TrailingZeros, 7, 0), 7);
        assert_eq!(unary(UnOp::BitReverse, 7, 1), 0x40);
    }

    #[test]
    fn a_funnel_shift_takes_the_amount_modulo_the_width() {
        assert_eq!(funnel(true, 8, 0x12, 0x34, 12), 0x23);
        assert_eq!(funnel(false, 8, 0x12, 0x34, 4), 0x23);
        assert_eq!(funnel(true, 64, 0x8000_0000_0000_0001, 0x8000_0000_0000_0000, 1), 3);
    }

    #[test]
    fn saturation_stops_at_the_ends() {
        assert_eq!(concrete(BinOp::SAddSat, Flags::NONE, 8, 0x7f, 1, false), Some(0x7f));
        assert_eq!(concrete(BinOp::SSubSat, Flags::NONE, 8, 0x80, 1, false), Some(0x80));
        assert_eq!(concrete(BinOp::UAddSat, Flags::NONE, 8, 0xff, 1, false), Some(0xff));
    }
}
