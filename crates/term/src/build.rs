//! Building terms: widths are checked, constants folded, operands put in order, rules tried, and what is left interned.

use crate::bits::{apply, compare, mask, sign_extend};
use crate::node::{Array, BvOp, CmpOp, Kind, Packed, Term};
use crate::pool::Pool;
use crate::rules::{self, Pair};

impl Pool {
    pub fn bin(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of {op:?} differ in width");
        let (ca, cb) = (self.as_const(a), self.as_const(b));
        if let (Some(x), Some(y)) = (ca, cb) {
            return self.constant(width, apply(op, width, x, y));
        }
        let swap = op.is_commutative() && (ca.is_some() || cb.is_none() && b < a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let simpler = self.simplify(|pool| {
            let pair = Pair::new(pool, a, b);
            rules::bin(pool, op, &pair)
        });
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::Bin(op), width: width as u8, a: a.0, b: b.0, c: 0 }))
    }

    pub fn cmp(&mut self, op: CmpOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of {op:?} differ in width");
        let (ca, cb) = (self.as_const(a), self.as_const(b));
        if let (Some(x), Some(y)) = (ca, cb) {
            return self.truth(compare(op, width, x, y));
        }
        let swap = op == CmpOp::Eq && (ca.is_some() || cb.is_none() && b < a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let simpler = self.simplify(|pool| {
            let pair = Pair::new(pool, a, b);
            rules::cmp(pool, op, &pair)
        });
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::Cmp(op), width: 1, a: a.0, b: b.0, c: 0 }))
    }

    /// Every bit flipped.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(value) = self.as_const(a) {
            return self.constant(width, !value);
        }
        let simpler = self.simplify(|pool| rules::not(pool, a));
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::Not, width: width as u8, a: a.0, b: 0, c: 0 }))
    }

    /// `high` above `low`; at most 128 bits together.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (wide, shift) = (self.width(high) + self.width(low), self.width(low));
        assert!(wide <= 128, "a concatenation of {wide} bits");
        if let (Some(x), Some(y)) = (self.as_const(high), self.as_const(low)) {
            return self.constant(wide, x << shift | y);
        }
        let simpler = self.simplify(|pool| {
            let pair = Pair::new(pool, high, low);
            rules::concat(pool, &pair)
        });
        simpler
            .unwrap_or_else(|| self.intern(Packed { kind: Kind::Concat, width: wide as u8, a: high.0, b: low.0, c: 0 }))
    }

    /// `width` bits of `t`, from bit `low` up.
    pub fn extract(&mut self, t: Term, low: u32, width: u32) -> Term {
        let from = self.width(t);
        assert!(width >= 1 && low + width <= from, "bits {low} to {} of a term of {from} bits", low + width);
        if width == from {
            return t;
        }
        if let Some(value) = self.as_const(t) {
            return self.constant(width, value >> low);
        }
        let simpler = self.simplify(|pool| rules::extract(pool, t, low, width));
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::Extract, width: width as u8, a: t.0, b: low, c: 0 }))
    }

    /// `t` with zeros above it; itself where it is `width` wide already.
    pub fn zext(&mut self, t: Term, width: u32) -> Term {
        let from = self.width(t);
        assert!(from <= width && width <= 128, "a zero extension from {from} to {width} bits");
        if width == from {
            return t;
        }
        if let Some(value) = self.as_const(t) {
            return self.constant(width, value);
        }
        let simpler = self.simplify(|pool| rules::zext(pool, t, width));
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::ZExt, width: width as u8, a: t.0, b: 0, c: 0 }))
    }

    /// `t` with copies of its sign above it; itself where it is `width` wide already.
    pub fn sext(&mut self, t: Term, width: u32) -> Term {
        let from = self.width(t);
        assert!(from <= width && width <= 128, "a sign extension from {from} to {width} bits");
        if width == from {
            return t;
        }
        if let Some(value) = self.as_const(t) {
            return self.constant(width, sign_extend(from, value) as u128);
        }
        let simpler = self.simplify(|pool| rules::sext(pool, t, width));
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::SExt, width: width as u8, a: t.0, b: 0, c: 0 }))
    }

    /// `then` where `cond` holds, else `other`.
    pub fn ite(&mut self, cond: Term, then: Term, other: Term) -> Term {
        let width = self.width(then);
        assert_eq!(self.width(cond), 1, "a condition is one bit wide");
        assert_eq!(width, self.width(other), "the two choices differ in width");
        match cond {
            Pool::TRUE => return then,
            Pool::FALSE => return other,
            _ if then == other => return then,
            _ => {}
        }
        let simpler = self.simplify(|pool| rules::ite(pool, cond, then, other));
        simpler.unwrap_or_else(|| {
            self.intern(Packed { kind: Kind::Ite, width: width as u8, a: cond.0, b: then.0, c: other.0 })
        })
    }

    /// The byte of `array` at `index`, which is 64 bits wide.
    pub fn select(&mut self, array: Array, index: Term) -> Term {
        assert_eq!(self.width(index), 64, "an index is 64 bits wide");
        let (array, simpler) = rules::select(self, array, index);
        simpler.unwrap_or_else(|| self.intern(Packed { kind: Kind::Select, width: 8, a: array.0, b: index.0, c: 0 }))
    }

    pub fn select_at(&mut self, array: Array, index: u64) -> Term {
        let index = self.constant(64, u128::from(index));
        self.select(array, index)
    }

    /// `array` with the byte at `index` replaced by `value`.
    pub fn store(&mut self, array: Array, index: Term, value: Term) -> Array {
        assert_eq!(self.width(index), 64, "an index is 64 bits wide");
        assert_eq!(self.width(value), 8, "a stored value is one byte");
        rules::store(self, array, index, value)
    }
}

/// Shorthands.
impl Pool {
    pub fn neg(&mut self, a: Term) -> Term {
        let zero = self.constant(self.width(a), 0);
        self.bin(BvOp::Sub, zero, a)
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::Sub, a, b)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::Mul, a, b)
    }

    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::UDiv, a, b)
    }

    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::SDiv, a, b)
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::URem, a, b)
    }

    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::SRem, a, b)
    }

    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::Shl, a, b)
    }

    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::LShr, a, b)
    }

    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::AShr, a, b)
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::And, a, b)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::Or, a, b)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.bin(BvOp::Xor, a, b)
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.cmp(CmpOp::Eq, a, b)
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.cmp(CmpOp::Eq, a, b);
        self.not(equal)
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.cmp(CmpOp::Ult, a, b)
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.cmp(CmpOp::Ule, a, b)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.cmp(CmpOp::Slt, a, b)
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        self.cmp(CmpOp::Sle, a, b)
    }

    /// Whether any bit of `a` is set; itself for one bit.
    pub fn nonzero(&mut self, a: Term) -> Term {
        let zero = self.constant(self.width(a), 0);
        self.ne(a, zero)
    }

    /// All ones in `width` bits.
    pub fn ones(&mut self, width: u32) -> Term {
        self.constant(width, mask(width))
    }

    /// The low `width` bits.
    pub fn truncate(&mut self, a: Term, width: u32) -> Term {
        self.extract(a, 0, width)
    }
}
