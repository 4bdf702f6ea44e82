//! The integer types of generated programs, and how each computes without undefined behaviour.

/// An exact-width integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    pub bits: u32,
    pub signed: bool,
}

impl Int {
    pub const U8: Int = Int { bits: 8, signed: false };
    pub const U32: Int = Int { bits: 32, signed: false };
    pub const U64: Int = Int { bits: 64, signed: false };
    pub const ALL: [Int; 8] = [
        Int::U8,
        Int { bits: 8, signed: true },
        Int { bits: 16, signed: false },
        Int { bits: 16, signed: true },
        Int::U32,
        Int { bits: 32, signed: true },
        Int::U64,
        Int { bits: 64, signed: true },
    ];

    pub fn name(self) -> String {
        format!("{}int{}_t", if self.signed { "" } else { "u" }, self.bits)
    }

    /// The unsigned type that arithmetic is done in: wide enough that nothing is promoted to a signed type, so that
    /// results wrap.
    pub fn wrapping(self) -> &'static str {
        if self.bits == 64 { "uint64_t" } else { "uint32_t" }
    }

    /// The type that division and right shifts are done in: the value itself, after C's promotion.
    pub fn promoted(self) -> &'static str {
        match (self.bits, self.signed) {
            (64, true) => "int64_t",
            (64, false) => "uint64_t",
            (32, false) => "uint32_t",
            _ => "int32_t",
        }
    }

    /// A constant of this type from any bits. The smallest number is written as a difference: its digits alone do not
    /// fit its type.
    pub fn constant(self, bits: u64) -> String {
        let shift = 64 - self.bits;
        if !self.signed {
            let value = bits << shift >> shift;
            return format!("{value}{}", if self.bits == 64 { "ull" } else { "u" });
        }
        let value = (bits << shift) as i64 >> shift;
        let suffix = if self.bits == 64 { "ll" } else { "" };
        if value == i64::MIN >> shift && self.bits >= 32 {
            format!("(-{}{suffix} - 1)", i64::MAX >> shift)
        } else {
            format!("({value}{suffix})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_stay_in_their_type() {
        let int = |bits, signed| Int { bits, signed };
        assert_eq!(int(8, true).constant(0x1ff), "(-1)");
        assert_eq!(int(8, true).constant(0x80), "(-128)");
        assert_eq!(int(32, true).constant(0x8000_0000), "(-2147483647 - 1)");
        assert_eq!(int(64, true).constant(1 << 63), "(-9223372036854775807ll - 1)");
        assert_eq!(int(16, false).constant(u64::MAX), "65535u");
        assert_eq!(int(64, false).constant(u64::MAX), "18446744073709551615ull");
    }
}
