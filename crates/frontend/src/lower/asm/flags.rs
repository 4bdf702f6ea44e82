//! What arithmetic does to the flags, and the conditions that read them. Nothing is computed where nothing asks.

use super::machine::{Flags, Machine};
use crate::types::{Lowered, unsupported};
use osier_ir::{BinOp, CmpOp, Op, Operand, OverflowOp};

impl Machine<'_, '_, '_> {
    /// a + b + carry; `b` is what is added.
    pub fn sum(&mut self, size: u8, a: Operand, b: Operand, carry: Option<Operand>) -> Operand {
        self.carried(OverflowOp::UAdd, size, a, b, carry)
    }

    /// a - b - borrow.
    pub fn difference(&mut self, size: u8, a: Operand, b: Operand, borrow: Option<Operand>) -> Operand {
        self.carried(OverflowOp::USub, size, a, b, borrow)
    }

    /// The carry into a number and its own cannot both carry out of it.
    fn carried(&mut self, op: OverflowOp, size: u8, a: Operand, b: Operand, carry: Option<Operand>) -> Operand {
        let (mut result, mut out) = self.with_carry(op, size, a, b);
        if let Some(carry) = carry {
            let more = self.code.resize(1, size, carry);
            let (again, second) = self.with_carry(op, size, result, more);
            result = again;
            out = self.code.bin(BinOp::Or, 1, out, second);
        }
        self.flags = Flags::default();
        if self.wants_flags {
            // A sum overflows where both addends differ from it in sign, a difference where the first number differs
            // in sign both from the second one and from it.
            let first = self.code.bin(BinOp::Xor, size, a, result);
            let other = if op == OverflowOp::UAdd { result } else { a };
            let second = self.code.bin(BinOp::Xor, size, b, other);
            let both = self.code.bin(BinOp::And, size, first, second);
            let overflow = self.code.piece(both, size, size - 1, 1);
            self.result_flags(size, result);
            self.flags.carry = Some(out);
            self.flags.overflow = Some(overflow);
        }
        result
    }

    fn with_carry(&mut self, op: OverflowOp, width: u8, a: Operand, b: Operand) -> (Operand, Operand) {
        let (dst, carry) = (self.code.reg(width), self.code.reg(1));
        self.code.emit(Op::Overflow { op, width, dst, carry, a, b });
        (Operand::reg(dst), Operand::reg(carry))
    }

    /// `and`, `or`, `xor` and `test` clear carry and overflow.
    pub fn logic_flags(&mut self, size: u8, result: Operand) {
        self.flags = Flags::default();
        if self.wants_flags {
            self.result_flags(size, result);
            let no = self.code.int(1, 0);
            self.flags.carry = Some(no);
            self.flags.overflow = Some(no);
        }
    }

    fn result_flags(&mut self, size: u8, result: Operand) {
        let zero = self.code.int(size, 0);
        self.flags.zero = Some(self.code.cmp(CmpOp::Eq, size, result, zero));
        self.flags.sign = Some(self.code.piece(result, size, size - 1, 1));
    }

    /// A bit scan says of its operand whether it is zero; the other flags are undefined.
    pub fn scan_flags(&mut self, zero: Operand) {
        self.flags = Flags { zero: Some(zero), ..Flags::default() };
    }

    /// A bit test moves the bit to the carry and keeps the zero flag.
    pub fn bit_flags(&mut self, bit: Operand) {
        self.flags = Flags { carry: Some(bit), zero: self.flags.zero, ..Flags::default() };
    }

    pub fn carry(&self) -> Lowered<Operand> {
        known(self.flags.carry)
    }

    /// Whether a condition, named as in `setz`, holds.
    pub fn condition(&mut self, name: &str) -> Lowered<Operand> {
        let Flags { carry, zero, sign, overflow } = self.flags;
        let (holds, negated) = match name {
            "z" | "e" => (known(zero)?, false),
            "nz" | "ne" => (known(zero)?, true),
            "c" | "b" | "nae" => (known(carry)?, false),
            "nc" | "nb" | "ae" => (known(carry)?, true),
            "s" => (known(sign)?, false),
            "ns" => (known(sign)?, true),
            "o" => (known(overflow)?, false),
            "no" => (known(overflow)?, true),
            "be" | "na" => (self.code.bin(BinOp::Or, 1, known(carry)?, known(zero)?), false),
            "a" | "nbe" => (self.code.bin(BinOp::Or, 1, known(carry)?, known(zero)?), true),
            "l" | "nge" => (self.code.bin(BinOp::Xor, 1, known(sign)?, known(overflow)?), false),
            "ge" | "nl" => (self.code.bin(BinOp::Xor, 1, known(sign)?, known(overflow)?), true),
            "le" | "ng" | "g" | "nle" => {
                let less = self.code.bin(BinOp::Xor, 1, known(sign)?, known(overflow)?);
                let holds = self.code.bin(BinOp::Or, 1, less, known(zero)?);
                (holds, matches!(name, "g" | "nle"))
            }
            _ => return unsupported(format!("condition {name}")),
        };
        if !negated {
            return Ok(holds);
        }
        let yes = self.code.int(1, 1);
        Ok(self.code.bin(BinOp::Xor, 1, holds, yes))
    }
}

fn known(flag: Option<Operand>) -> Lowered<Operand> {
    match flag {
        Some(flag) => Ok(flag),
        None => unsupported("a flag that is not known"),
    }
}
