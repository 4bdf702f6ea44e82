//! The integer instructions that inline assembly may consist of, one row each.

use super::machine::Machine;
use super::text::{Base, Statement, Term};
use crate::types::{Lowered, unsupported};
use osier_ir::{BinOp, CmpOp, Op, Operand, UnOp};

type Run = fn(&mut Machine<'_, '_, '_>, u8, &[Term]) -> Lowered<()>;

/// Instructions on operands of 8, 16, 32 or 64 bits; the name may end in `b`, `w`, `l` or `q`.
const SIZED: &[(&str, Run)] = &[
    ("mov", |m, size, terms| m.copy(size, terms)),
    ("movabs", |m, size, terms| m.copy(size, terms)),
    ("lea", |m, size, terms| m.load_address(size, terms)),
    ("add", |m, size, terms| m.add(size, terms, false)),
    ("adc", |m, size, terms| m.add(size, terms, true)),
    ("sub", |m, size, terms| m.subtract(size, terms, false)),
    ("sbb", |m, size, terms| m.subtract(size, terms, true)),
    ("cmp", |m, size, terms| m.compare(size, terms)),
    ("and", |m, size, terms| m.logic(size, terms, BinOp::And)),
    ("or", |m, size, terms| m.logic(size, terms, BinOp::Or)),
    ("xor", |m, size, terms| m.logic(size, terms, BinOp::Xor)),
    ("test", |m, size, terms| m.test(size, terms)),
    ("inc", |m, size, terms| m.step(size, terms, true)),
    ("dec", |m, size, terms| m.step(size, terms, false)),
    ("neg", |m, size, terms| m.negate(size, terms)),
    ("not", |m, size, terms| m.invert(size, terms)),
    ("mul", |m, size, terms| m.multiply(size, terms)),
    ("imul", |m, size, terms| m.multiply_signed(size, terms)),
    ("div", |m, size, terms| m.divide(size, terms)),
    ("idiv", |m, size, terms| m.divide_signed(size, terms)),
    ("shl", |m, size, terms| m.shift(size, terms, BinOp::Shl)),
    ("sal", |m, size, terms| m.shift(size, terms, BinOp::Shl)),
    ("shr", |m, size, terms| m.shift(size, terms, BinOp::LShr)),
    ("sar", |m, size, terms| m.shift(size, terms, BinOp::AShr)),
    ("rol", |m, size, terms| m.rotate(size, terms, true)),
    ("ror", |m, size, terms| m.rotate(size, terms, false)),
    ("shld", |m, size, terms| m.double_shift(size, terms, true)),
    ("shrd", |m, size, terms| m.double_shift(size, terms, false)),
    ("bsf", |m, size, terms| m.scan(size, terms, UnOp::TrailingZeros)),
    ("bsr", |m, size, terms| m.scan(size, terms, UnOp::LeadingZeros)),
    ("tzcnt", |m, size, terms| m.count(size, terms, UnOp::TrailingZeros)),
    ("lzcnt", |m, size, terms| m.count(size, terms, UnOp::LeadingZeros)),
    ("popcnt", |m, size, terms| m.count(size, terms, UnOp::PopCount)),
    ("bswap", |m, size, terms| m.swap_bytes(size, terms)),
    ("bt", |m, size, terms| m.bit(size, terms, None)),
    ("bts", |m, size, terms| m.bit(size, terms, Some(BinOp::Or))),
    ("btr", |m, size, terms| m.bit(size, terms, Some(BinOp::And))),
    ("btc", |m, size, terms| m.bit(size, terms, Some(BinOp::Xor))),
    ("xchg", |m, size, terms| m.exchange(size, terms)),
    ("xadd", |m, size, terms| m.exchange_and_add(size, terms)),
    ("cmpxchg", |m, size, terms| m.compare_and_exchange(size, terms)),
];

/// Instructions whose names say all about sizes.
const NAMED: &[(&str, Run)] = &[
    ("movzbw", |m, _, terms| m.extend((8, 16), terms, false)),
    ("movzbl", |m, _, terms| m.extend((8, 32), terms, false)),
    ("movzbq", |m, _, terms| m.extend((8, 64), terms, false)),
    ("movzwl", |m, _, terms| m.extend((16, 32), terms, false)),
    ("movzwq", |m, _, terms| m.extend((16, 64), terms, false)),
    ("movsbw", |m, _, terms| m.extend((8, 16), terms, true)),
    ("movsbl", |m, _, terms| m.extend((8, 32), terms, true)),
    ("movsbq", |m, _, terms| m.extend((8, 64), terms, true)),
    ("movswl", |m, _, terms| m.extend((16, 32), terms, true)),
    ("movswq", |m, _, terms| m.extend((16, 64), terms, true)),
    ("movslq", |m, _, terms| m.extend((32, 64), terms, true)),
    ("cltd", |m, _, terms| m.spread_sign(32, terms)),
    ("cdq", |m, _, terms| m.spread_sign(32, terms)),
    ("cqto", |m, _, terms| m.spread_sign(64, terms)),
    ("cqo", |m, _, terms| m.spread_sign(64, terms)),
    ("cmpxchg8b", |m, _, terms| m.compare_and_exchange_pair(32, terms)),
    ("cmpxchg16b", |m, _, terms| m.compare_and_exchange_pair(64, terms)),
];

/// Runs a statement if it is an integer instruction; says whether it is.
pub fn integer(m: &mut Machine<'_, '_, '_>, statement: &Statement) -> Lowered<bool> {
    let (name, terms) = (statement.mnemonic.as_str(), statement.terms.as_slice());
    if let Some((_, run)) = NAMED.iter().find(|(row, _)| *row == name) {
        return run(m, 0, terms).map(|()| true);
    }
    if let Some(condition) = name.strip_prefix("set") {
        let [to] = terms else { return arity() };
        let holds = m.condition(condition)?;
        let byte = m.code.resize(1, 8, holds);
        return m.write(to, 8, byte).map(|()| true);
    }
    if let Some(condition) = name.strip_prefix("cmov") {
        return m.conditional_copy(condition, terms).map(|()| true);
    }
    let Some((run, size)) = sized(name) else { return Ok(false) };
    let from_operands = || terms.iter().rev().find_map(|term| m.width_of(term));
    match size.or_else(from_operands) {
        Some(size) => run(m, size, terms).map(|()| true),
        None => unsupported("operands of no size"),
    }
}

/// The row for a name, and the size that its last letter says.
fn sized(name: &str) -> Option<(Run, Option<u8>)> {
    let row = |name: &str| SIZED.iter().find(|(row, _)| *row == name).map(|(_, run)| *run);
    if let Some(run) = row(name) {
        return Some((run, None));
    }
    let (stem, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let size = match suffix {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    Some((row(stem)?, Some(size)))
}

/// Whether what an instruction does depends on flags.
pub fn reads_flags(name: &str) -> bool {
    ["adc", "sbb", "set", "cmov"].iter().any(|prefix| name.starts_with(prefix))
}

pub fn arity<T>() -> Lowered<T> {
    unsupported("another number of operands")
}

impl Machine<'_, '_, '_> {
    fn copy(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [from, to] = terms else { return arity() };
        let value = self.read(from, size)?;
        self.write(to, size, value)
    }

    fn load_address(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let ([from, to], 64) = (terms, size) else { return arity() };
        match self.address(from)? {
            Some(address) => self.write(to, 64, address),
            None => unsupported("an address of no memory"),
        }
    }

    fn extend(&mut self, (from_size, to_size): (u8, u8), terms: &[Term], signed: bool) -> Lowered<()> {
        let [from, to] = terms else { return arity() };
        let value = self.read(from, from_size)?;
        let value = if signed {
            self.sign_extend(from_size, to_size, value)
        } else {
            self.code.resize(from_size, to_size, value)
        };
        self.write(to, to_size, value)
    }

    /// `cltd` and `cqto`: the sign of ax in all of dx.
    fn spread_sign(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [] = terms else { return arity() };
        let low = self.read_register("ax", size)?;
        let sign = self.code.piece(low, size, size - 1, 1);
        let high = self.sign_extend(1, size, sign);
        self.write_register("dx", size, high)
    }

    fn conditional_copy(&mut self, condition: &str, terms: &[Term]) -> Lowered<()> {
        let [from, to] = terms else { return arity() };
        let Some(size) = self.width_of(to).filter(|&size| size > 8) else { return unsupported("operands of no size") };
        let suffix = match size {
            16 => 'w',
            32 => 'l',
            _ => 'q',
        };
        // `l` ends conditions too; as one, it comes first.
        let holds = match self.condition(condition) {
            Ok(holds) => holds,
            Err(_) => self.condition(condition.strip_suffix(suffix).unwrap_or(condition))?,
        };
        let (then, other) = (self.read(from, size)?, self.read(to, size)?);
        let value = self.code.select(size, holds, then, other);
        self.write(to, size, value)
    }

    fn add(&mut self, size: u8, terms: &[Term], with_carry: bool) -> Lowered<()> {
        let [by, to] = terms else { return arity() };
        if is_barrier(by, to) {
            return Ok(());
        }
        let carry = if with_carry { Some(self.carry()?) } else { None };
        let (a, b) = (self.read(to, size)?, self.read(by, size)?);
        let sum = self.sum(size, a, b, carry);
        self.write(to, size, sum)
    }

    /// A register minus itself says nothing about what was in it: programs make masks of the carry in that way.
    fn subtract(&mut self, size: u8, terms: &[Term], with_borrow: bool) -> Lowered<()> {
        let [by, to] = terms else { return arity() };
        let borrow = if with_borrow { Some(self.carry()?) } else { None };
        let (a, b) = if by == to && self.address(to)?.is_none() {
            (self.code.int(size, 0), self.code.int(size, 0))
        } else {
            (self.read(to, size)?, self.read(by, size)?)
        };
        let difference = self.difference(size, a, b, borrow);
        self.write(to, size, difference)
    }

    fn compare(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [by, of] = terms else { return arity() };
        let (a, b) = (self.read(of, size)?, self.read(by, size)?);
        self.difference(size, a, b, None);
        Ok(())
    }

    fn logic(&mut self, size: u8, terms: &[Term], op: BinOp) -> Lowered<()> {
        let [by, to] = terms else { return arity() };
        if op == BinOp::Or && is_barrier(by, to) {
            return Ok(());
        }
        let value = if op == BinOp::Xor && by == to && self.address(to)?.is_none() {
            self.code.int(size, 0)
        } else {
            let (a, b) = (self.read(to, size)?, self.read(by, size)?);
            self.code.bin(op, size, a, b)
        };
        self.logic_flags(size, value);
        self.write(to, size, value)
    }

    fn test(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [by, of] = terms else { return arity() };
        let (a, b) = (self.read(of, size)?, self.read(by, size)?);
        let value = self.code.bin(BinOp::And, size, a, b);
        self.logic_flags(size, value);
        Ok(())
    }

    /// `inc` and `dec` keep the carry.
    fn step(&mut self, size: u8, terms: &[Term], up: bool) -> Lowered<()> {
        let [to] = terms else { return arity() };
        let carry = self.flags.carry;
        let (value, unit) = (self.read(to, size)?, self.code.int(size, 1));
        let value = if up { self.sum(size, value, unit, None) } else { self.difference(size, value, unit, None) };
        self.flags.carry = carry;
        self.write(to, size, value)
    }

    fn negate(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [to] = terms else { return arity() };
        let (zero, value) = (self.code.int(size, 0), self.read(to, size)?);
        let value = self.difference(size, zero, value, None);
        self.write(to, size, value)
    }

    fn invert(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [to] = terms else { return arity() };
        let (value, ones) = (self.read(to, size)?, self.code.int(size, super::machine::mask(size)));
        let value = self.code.bin(BinOp::Xor, size, value, ones);
        self.write(to, size, value)
    }

    fn swap_bytes(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let ([to], 32 | 64) = (terms, size) else { return arity() };
        let a = self.read(to, size)?;
        let value = self.code.result(size, |dst| Op::Un { op: UnOp::ByteSwap, width: size, dst, a });
        self.write(to, size, value)
    }

    fn exchange(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [one, two] = terms else { return arity() };
        if size == 64 && self.swap(one, two)? {
            return Ok(());
        }
        let (first, second) = (self.read(one, size)?, self.read(two, size)?);
        self.write(one, size, second)?;
        self.write(two, size, first)
    }

    fn exchange_and_add(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [by, to] = terms else { return arity() };
        let (old, more) = (self.read(to, size)?, self.read(by, size)?);
        let sum = self.sum(size, old, more, None);
        self.write(by, size, old)?;
        self.write(to, size, sum)
    }

    /// The destination is written in any case, as by the processor; ax gets its old value, which it has if they are equal.
    fn compare_and_exchange(&mut self, size: u8, terms: &[Term]) -> Lowered<()> {
        let [new, to] = terms else { return arity() };
        let (old, expected, new) = (self.read(to, size)?, self.read_register("ax", size)?, self.read(new, size)?);
        let equal = self.code.cmp(CmpOp::Eq, size, old, expected);
        let stored = self.code.select(size, equal, new, old);
        self.difference(size, expected, old, None);
        self.write(to, size, stored)?;
        self.write_register("ax", size, old)
    }

    /// `cmpxchg8b` and `cmpxchg16b`: dx:ax is expected, cx:bx is new.
    fn compare_and_exchange_pair(&mut self, half: u8, terms: &[Term]) -> Lowered<()> {
        let [to] = terms else { return arity() };
        let size = 2 * half;
        if self.address(to)?.is_none() || !self.names("bx") {
            return unsupported("a pair that is not in memory, or no new value");
        }
        let old = self.read(to, size)?;
        let (low, high) = (self.read_register("ax", half)?, self.read_register("dx", half)?);
        let expected = self.pair(half, high, low);
        let (low, high) = (self.read_register("bx", half)?, self.read_register("cx", half)?);
        let new = self.pair(half, high, low);
        let equal = self.code.cmp(CmpOp::Eq, size, old, expected);
        let stored = self.code.select(size, equal, new, old);
        self.write(to, size, stored)?;
        let (low, high) = (self.code.piece(old, size, 0, half), self.code.piece(old, size, half, half));
        self.write_register("ax", half, low)?;
        self.write_register("dx", half, high)?;
        self.scan_flags(equal);
        Ok(())
    }

    pub fn unary(&mut self, op: UnOp, width: u8, a: Operand) -> Operand {
        self.code.result(width, |dst| Op::Un { op, width, dst, a })
    }
}

/// Nothing added to the top of the stack: how processors without `mfence` ordered memory.
fn is_barrier(by: &Term, to: &Term) -> bool {
    *by == Term::Immediate(0) && matches!(to, Term::Memory { base: Base::Register(family), .. } if family == "sp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_row_whatever_its_suffix() {
        let named: Vec<&str> = SIZED.iter().map(|(name, _)| *name).collect();
        for (name, _) in SIZED {
            assert_eq!(named.iter().filter(|other| *other == name).count(), 1, "{name}");
            for suffix in ["b", "w", "l", "q"] {
                assert!(!named.contains(&format!("{name}{suffix}").as_str()), "{name}{suffix}");
                assert!(sized(&format!("{name}{suffix}")).is_some());
            }
        }
        assert!(sized("").is_none() && sized("q").is_none() && sized("addx").is_none());
    }
}
