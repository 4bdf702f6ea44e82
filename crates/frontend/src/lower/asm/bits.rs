//! Multiplication, division, shifts and single bits, where results are wider or narrower than operands.

use super::instructions::arity;
use super::machine::{Flags, Machine, mask};
use super::text::Term;
use crate::types::{Lowered, unsupported};
use osier_ir::{BinOp, CmpOp, Op, Operand, UnOp};

impl Machine<'_, '_, '_> {
    pub fn multiply(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [by] = terms else { return arity() };
        let (a, b) = (self.read_register("ax", size)?, self.read(by, size)?);
        let (a, b) = (self.code.resize(size, 2 * size, a), self.code.resize(size, 2 * size, b));
        self.product(size, a, b)
    }

    pub fn multiply_signed(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let (a, b, to) = match terms {
            [by] => {
                let (a, b) = (self.read_register("ax", size)?, self.read(by, size)?);
                let (a, b) = (self.sign_extend(size, 2 * size, a), self.sign_extend(size, 2 * size, b));
                return self.product(size, a, b);
            }
            [by, to] => (self.read(to, size)?, self.read(by, size)?, to),
            [by, of, to] => (self.read(of, size)?, self.read(by, size)?, to),
            _ => return arity(),
        };
        self.flags = Flags::default();
        let product = self.code.bin(BinOp::Mul, size, a, b);
        self.write(to, size, product)
    }

    fn product(&mut self, size: u8, a: Operand, b: Operand) -> Lowered<()> {
        let product = self.code.bin(BinOp::Mul, 2 * size, a, b);
        self.flags = Flags::default();
        self.write_pair(size, product)
    }

    /// The halves of a number of twice the size to dx and ax; all of it to ax if they are bytes.
    fn write_pair(&mut self, size: u8, number: Operand) -> Lowered<()> {
        if size == 8 {
            return self.write_register("ax", 16, number);
        }
        let (low, high) = (self.code.piece(number, 2 * size, 0, size), self.code.piece(number, 2 * size, size, size));
        self.write_register("ax", size, low)?;
        self.write_register("dx", size, high)
    }

    fn dividend(&mut self, size: u8) -> Lowered<Operand> {
        if size == 8 {
            return self.read_register("ax", 16);
        }
        let (low, high) = (self.read_register("ax", size)?, self.read_register("dx", size)?);
        Ok(self.pair(size, high, low))
    }

    /// The processor stops alike at a zero divisor and at a quotient that does not fit; both are a zero divisor here.
    pub fn divide(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [by] = terms else { return arity() };
        let (dividend, divisor) = (self.dividend(size)?, self.read(by, size)?);
        let high = self.code.piece(dividend, 2 * size, size, size);
        let fits = self.code.cmp(CmpOp::Ult, size, high, divisor);
        let zero = self.code.int(size, 0);
        let divisor = self.code.select(size, fits, divisor, zero);
        let divisor = self.code.resize(size, 2 * size, divisor);
        self.quotient_and_remainder(size, (BinOp::UDiv, BinOp::URem), dividend, divisor)
    }

    pub fn divide_signed(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [by] = terms else { return arity() };
        let (dividend, divisor) = (self.dividend(size)?, self.read(by, size)?);
        let divisor = self.sign_extend(size, 2 * size, divisor);
        let quotient = self.code.bin(BinOp::SDiv, 2 * size, dividend, divisor);
        let low = self.code.resize(2 * size, size, quotient);
        let extended = self.sign_extend(size, 2 * size, low);
        let fits = self.code.cmp(CmpOp::Eq, 2 * size, quotient, extended);
        let zero = self.code.int(2 * size, 0);
        let divisor = self.code.select(2 * size, fits, divisor, zero);
        self.quotient_and_remainder(size, (BinOp::SDiv, BinOp::SRem), dividend, divisor)
    }

    fn quotient_and_remainder(
        &mut self,
        size: u8,
        (divide, rest): (BinOp, BinOp),
        dividend: Operand,
        divisor: Operand,
    ) -> Lowered<()> {
        let quotient = self.code.bin(divide, 2 * size, dividend, divisor);
        let remainder = self.code.bin(rest, 2 * size, dividend, divisor);
        let low = self.code.resize(2 * size, size, quotient);
        let high = self.code.resize(2 * size, size, remainder);
        self.flags = Flags::default();
        let both = self.pair(size, high, low);
        self.write_pair(size, both)
    }

    /// By how much to shift, and what: a shift by one needs no count.
    fn count_and_target<'t>(&mut self, terms: &'t [Term]) -> Lowered<(Operand, &'t Term)> {
        match terms {
            [to] => Ok((self.code.int(8, 1), to)),
            [by, to] => Ok((self.read(by, 8)?, to)),
            _ => arity(),
        }
    }

    /// Counts are taken modulo 32 or 64, so that narrower numbers can be shifted out whole. Flags that depend on the
    /// count are not known afterwards.
    fn masked_count(&mut self, size: u8, count: Operand) -> Operand {
        let most = self.code.int(8, if size == 64 { 63 } else { 31 });
        self.code.bin(BinOp::And, 8, count, most)
    }

    pub fn shift(&mut self, size: u8, terms: &[Term], op: BinOp) -> Lowered<()> {
        let (count, to) = self.count_and_target(terms)?;
        let count = self.masked_count(size, count);
        let count = self.code.resize(8, 64, count);
        let value = self.read(to, size)?;
        let wide = match op {
            BinOp::AShr if size < 64 => self.sign_extend(size, 64, value),
            _ => self.code.resize(size, 64, value),
        };
        let wide = self.code.bin(op, 64, wide, count);
        let value = self.code.resize(64, size, wide);
        self.flags = Flags::default();
        self.write(to, size, value)
    }

    pub fn rotate(&mut self, size: u8, terms: &[Term], left: bool) -> Lowered<()> {
        let (count, to) = self.count_and_target(terms)?;
        let amount = self.code.resize(8, size, count);
        let value = self.read(to, size)?;
        let rotated =
            self.code.result(size, |dst| Op::FunnelShift { left, width: size, dst, hi: value, lo: value, amount });
        self.flags = Flags { zero: self.flags.zero, sign: self.flags.sign, ..Flags::default() };
        self.write(to, size, rotated)
    }

    /// `shld` and `shrd`; on 16 bits a count beyond them has no result.
    pub fn double_shift(&mut self, size: u8, terms: &[Term], left: bool) -> Lowered<()> {
        let ([by, from, to], 32 | 64) = (terms, size) else { return arity() };
        let count = self.read(by, 8)?;
        let amount = self.code.resize(8, size, count);
        let (fill, value) = (self.read(from, size)?, self.read(to, size)?);
        let (hi, lo) = if left { (value, fill) } else { (fill, value) };
        let value = self.code.result(size, |dst| Op::FunnelShift { left, width: size, dst, hi, lo, amount });
        self.flags = Flags::default();
        self.write(to, size, value)
    }

    /// The place of the lowest or highest one. For zero, the destination keeps what it has: documented by one maker of
    /// processors, done by all.
    pub fn scan(&mut self, size: u8, terms: &[Term], op: UnOp) -> Lowered<()> {
        let ([from, to], 16 | 32 | 64) = (terms, size) else { return arity() };
        let value = self.read(from, size)?;
        let zero = self.code.int(size, 0);
        let none = self.code.cmp(CmpOp::Eq, size, value, zero);
        let mut place = self.unary(op, size, value);
        if op == UnOp::LeadingZeros {
            let last = self.code.int(size, u128::from(size - 1));
            place = self.code.bin(BinOp::Sub, size, last, place);
        }
        let before = match self.read(to, size) {
            Ok(before) => before,
            Err(_) => self.code.undef(size),
        };
        let place = self.code.select(size, none, before, place);
        self.scan_flags(none);
        self.write(to, size, place)
    }

    pub fn count(&mut self, size: u8, terms: &[Term], op: UnOp) -> Lowered<()> {
        let ([from, to], 16 | 32 | 64) = (terms, size) else { return arity() };
        let value = self.read(from, size)?;
        let number = self.unary(op, size, value);
        let zero = self.code.int(size, 0);
        let none = self.code.cmp(CmpOp::Eq, size, value, zero);
        // The zero flag speaks of the operand of a population count and of the result of the other two.
        self.flags = match op {
            UnOp::PopCount => Flags { zero: Some(none), ..Flags::default() },
            _ => Flags { carry: Some(none), ..Flags::default() },
        };
        self.write(to, size, number)
    }

    /// `bt`, `bts`, `btr` and `btc`. With a register for an index, memory is a string of bits that has no end: refused.
    pub fn bit(&mut self, size: u8, terms: &[Term], change: Option<BinOp>) -> Lowered<()> {
        let ([index, of], 16 | 32 | 64) = (terms, size) else { return arity() };
        let place = self.read(index, size)?;
        if self.address(of)?.is_some() && self.code.known(place).is_none() {
            return unsupported("a string of bits");
        }
        let most = self.code.int(size, u128::from(size - 1));
        let place = self.code.bin(BinOp::And, size, place, most);
        let value = self.read(of, size)?;
        let shifted = self.code.bin(BinOp::LShr, size, value, place);
        let bit = self.code.resize(size, 1, shifted);
        self.bit_flags(bit);
        let Some(change) = change else { return Ok(()) };
        let unit = self.code.int(size, 1);
        let mut by = self.code.bin(BinOp::Shl, size, unit, place);
        if change == BinOp::And {
            let ones = self.code.int(size, mask(size));
            by = self.code.bin(BinOp::Xor, size, by, ones);
        }
        let value = self.code.bin(change, size, value, by);
        self.write(of, size, value)
    }
}
