//! Integers of more than 128 bits, as clang makes them for packed bit-fields and LLVM for copies of structs: a value is
//! several limbs, lowest bits first, and an operation on it is operations on limbs.
//!
//! What needs no knowledge of where the limbs meet (loads, stores, phis, selects, constants, calls) treats them like the
//! fields of a struct and is not here. Multiplication, division, shifts by amounts that are not constant, vectors of
//! wide integers and intrinsics on them are unsupported. Promises about overflow are dropped: only `_BitInt` makes any.

use super::{FunctionLowerer, Parts, one};
use crate::llvm::Value;
use crate::types::{Lowered, MAX_WIDTH, limbs, unsupported, wide_bits};
use osier_ir::{BinOp, CastOp, CmpOp, Op, Operand, OverflowOp};

/// What bits are above the highest one of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Zeros,
    Signs,
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn wide_binary(&mut self, user: Value, op: BinOp, bits: u32) -> Lowered<Parts> {
        match op {
            BinOp::And | BinOp::Or | BinOp::Xor => {
                let (a, b) = self.pair(user)?;
                Ok(limbs(bits).zip(a.into_iter().zip(b)).map(|(width, (a, b))| self.bin(op, width, a, b)).collect())
            }
            BinOp::Add => self.carried(user, OverflowOp::UAdd, bits),
            BinOp::Sub => self.carried(user, OverflowOp::USub, bits),
            BinOp::Shl => self.wide_shift(user, bits, Above::Zeros, -1),
            BinOp::LShr => self.wide_shift(user, bits, Above::Zeros, 1),
            BinOp::AShr => self.wide_shift(user, bits, Above::Signs, 1),
            BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax
            | BinOp::UAddSat
            | BinOp::SAddSat
            | BinOp::USubSat
            | BinOp::SSubSat
            | BinOp::UShlSat
            | BinOp::SShlSat => wide_unsupported(user),
        }
    }

    fn pair(&mut self, user: Value) -> Lowered<(Parts, Parts)> {
        Ok((self.operand(user.operand(0))?, self.operand(user.operand(1))?))
    }

    /// A sum or a difference, limb by limb. The carry into a limb and the limb's own cannot both carry out of it.
    fn carried(&mut self, user: Value, op: OverflowOp, bits: u32) -> Lowered<Parts> {
        let (a, b) = self.pair(user)?;
        let mut carry_in: Option<Operand> = None;
        let mut parts = Parts::new();
        for (width, (a, b)) in limbs(bits).zip(a.into_iter().zip(b)) {
            let (mut sum, mut carry) = self.with_carry(op, width, a, b);
            if let Some(carry_in) = carry_in {
                let more = self.resize(1, width, carry_in);
                let (again, second) = self.with_carry(op, width, sum, more);
                sum = again;
                carry = self.bin(BinOp::Or, 1, carry, second);
            }
            parts.push(sum);
            carry_in = Some(carry);
        }
        Ok(parts)
    }

    fn with_carry(&mut self, op: OverflowOp, width: u8, a: Operand, b: Operand) -> (Operand, Operand) {
        let (dst, carry) = (self.reg(width), self.reg(1));
        self.emit(Op::Overflow { op, width, dst, carry, a, b });
        (Operand::reg(dst), Operand::reg(carry))
    }

    /// `direction` is 1 to the right and -1 to the left.
    fn wide_shift(&mut self, user: Value, bits: u32, above: Above, direction: i64) -> Lowered<Parts> {
        let Some(amount) = user.operand(1).words() else { return wide_unsupported(user) };
        if amount[0] >= u64::from(bits) || amount[1..].iter().any(|&word| word != 0) {
            return Ok(limbs(bits).map(|width| self.poison(width)).collect());
        }
        let value = self.operand(user.operand(0))?;
        Ok(self.window(&value, bits, above, direction * amount[0] as i64, bits))
    }

    /// Truncations and extensions from or to a wide integer.
    pub(super) fn wide_cast(&mut self, user: Value, op: CastOp, from: u32, to: u32) -> Lowered<Parts> {
        let value = self.operand(user.operand(0))?;
        let above = match op {
            CastOp::SExt => Above::Signs,
            CastOp::ZExt | CastOp::Trunc => Above::Zeros,
        };
        Ok(self.window(&value, from, above, 0, to))
    }

    /// `to` bits of a value of `from` bits, from bit `start` on; below the value there are zeros.
    fn window(&mut self, value: &[Operand], from: u32, above: Above, start: i64, to: u32) -> Parts {
        let mut parts = Parts::from_slice(value);
        let mut widths: Vec<u8> = limbs(from).collect();
        if above == Above::Signs {
            let sign = self.sign_limb(parts[parts.len() - 1], widths[widths.len() - 1]);
            let missing = (start + i64::from(to) - i64::from(from)).max(0) as u64;
            let count = missing.div_ceil(64) as usize;
            parts.extend(std::iter::repeat_n(sign, count));
            widths.extend(std::iter::repeat_n(64, count));
        }
        let mut low = start;
        let mut result = Parts::new();
        for width in limbs(to) {
            let high = low + i64::from(width);
            result.push(self.gather(&parts, &widths, low, high));
            low = high;
        }
        result
    }

    /// 64 copies of a limb's highest bit.
    fn sign_limb(&mut self, limb: Operand, width: u8) -> Operand {
        let bit = self.piece(limb, width, width - 1, 1);
        self.result(64, |dst| Op::Cast { op: CastOp::SExt, from: 1, to: 64, dst, src: bit })
    }

    pub(super) fn wide_compare(&mut self, user: Value, op: CmpOp, bits: u32) -> Lowered<Parts> {
        let (a, b) = self.pair(user)?;
        let holds = match op {
            CmpOp::Eq => self.wide_equal(bits, &a, &b),
            CmpOp::Ne => {
                let equal = self.wide_equal(bits, &a, &b);
                self.not(equal)
            }
            CmpOp::Ult => self.wide_less(bits, CmpOp::Ult, &a, &b),
            CmpOp::Slt => self.wide_less(bits, CmpOp::Slt, &a, &b),
            CmpOp::Ugt => self.wide_less(bits, CmpOp::Ult, &b, &a),
            CmpOp::Sgt => self.wide_less(bits, CmpOp::Slt, &b, &a),
            CmpOp::Uge => {
                let less = self.wide_less(bits, CmpOp::Ult, &a, &b);
                self.not(less)
            }
            CmpOp::Sge => {
                let less = self.wide_less(bits, CmpOp::Slt, &a, &b);
                self.not(less)
            }
            CmpOp::Ule => {
                let greater = self.wide_less(bits, CmpOp::Ult, &b, &a);
                self.not(greater)
            }
            CmpOp::Sle => {
                let greater = self.wide_less(bits, CmpOp::Slt, &b, &a);
                self.not(greater)
            }
        };
        Ok(one(holds))
    }

    fn not(&mut self, bit: Operand) -> Operand {
        let yes = self.int(1, 1);
        self.bin(BinOp::Xor, 1, bit, yes)
    }

    fn wide_equal(&mut self, bits: u32, a: &[Operand], b: &[Operand]) -> Operand {
        let mut all: Option<Operand> = None;
        for (width, (&a, &b)) in limbs(bits).zip(a.iter().zip(b)) {
            let equal = self.cmp(CmpOp::Eq, width, a, b);
            all = Some(match all {
                None => equal,
                Some(all) => self.bin(BinOp::And, 1, all, equal),
            });
        }
        all.expect("a wide integer has limbs")
    }

    /// The highest limbs that differ decide; the sign is in the highest of all.
    fn wide_less(&mut self, bits: u32, less: CmpOp, a: &[Operand], b: &[Operand]) -> Operand {
        let highest = a.len() - 1;
        let mut below: Option<Operand> = None;
        for (index, (width, (&a, &b))) in limbs(bits).zip(a.iter().zip(b)).enumerate() {
            let here = self.cmp(if index == highest { less } else { CmpOp::Ult }, width, a, b);
            below = Some(match below {
                None => here,
                Some(below) => {
                    let equal = self.cmp(CmpOp::Eq, width, a, b);
                    self.select(1, equal, below, here)
                }
            });
        }
        below.expect("a wide integer has limbs")
    }
}

fn wide_unsupported<T>(user: Value) -> Lowered<T> {
    let bits = wide_bits(user.ty()).unwrap_or_default();
    unsupported(format!("`{}`: an integer of {bits} bits, where only {MAX_WIDTH} are supported", user.describe()))
}
