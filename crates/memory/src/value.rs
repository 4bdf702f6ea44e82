//! What a register holds.

use osier_term::{Pool, Term};

/// A register's content: a concrete integer of up to 64 bits, or a term. A concrete value wider than 64 bits is a
/// constant term; a term of up to 64 bits is never constant, so that `Int` is the only form of a known number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// No bit above the register's width is set.
    Int(u64),
    Term(Term),
}

impl Value {
    /// The value as a term of `width` bits.
    pub fn term(self, pool: &mut Pool, width: u32) -> Term {
        match self {
            Value::Int(bits) => pool.constant(width, u128::from(bits)),
            Value::Term(term) => term,
        }
    }

    /// The register form of a term: constants of up to 64 bits become integers.
    pub fn of(pool: &Pool, term: Term) -> Value {
        match pool.as_const(term) {
            Some(bits) if pool.width(term) <= 64 => Value::Int(bits as u64),
            Some(_) | None => Value::Term(term),
        }
    }

    /// The number, if it is known, whatever its width.
    pub fn known(self, pool: &Pool) -> Option<u128> {
        match self {
            Value::Int(bits) => Some(u128::from(bits)),
            Value::Term(term) => pool.as_const(term),
        }
    }

    /// The value of `width` bits whose bits are known.
    pub fn from_bits(pool: &mut Pool, width: u32, bits: u128) -> Value {
        if width <= 64 { Value::Int(truncate(bits as u64, width)) } else { Value::Term(pool.constant(width, bits)) }
    }
}

/// Ones in the low `width` bits, for widths of 1 to 64.
#[inline]
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The low `width` bits, for widths of 1 to 64.
#[inline]
pub fn truncate(bits: u64, width: u32) -> u64 {
    bits & mask(width)
}
