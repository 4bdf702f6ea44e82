//! What a generated program can read and write.

use super::types::Int;

/// How much of a symbolic input may be in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// None: conditions, loop bounds and lengths are made of these, so they do not fork.
    Control,
    /// Any amount, any depth: never compared in a branch, never an address, never a divisor.
    Data,
    /// Few operations away from input bytes: the few symbolic branches, indices, divisors and shift amounts, which the
    /// solver is asked about.
    Fresh,
}

/// Something with a name that holds integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    pub ty: Int,
    pub class: Class,
    pub shape: Shape,
}

/// Lengths are powers of two, so that an index is put in bounds by a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar {
        /// Its address may be taken: not so for a bit-field.
        addressable: bool,
    },
    Array {
        length: usize,
    },
    Grid {
        rows: usize,
        columns: usize,
    },
}

impl Place {
    pub fn scalar(name: impl Into<String>, ty: Int, class: Class) -> Place {
        Place { name: name.into(), ty, class, shape: Shape::Scalar { addressable: true } }
    }

    pub fn bit_field(name: impl Into<String>, ty: Int, class: Class) -> Place {
        Place { name: name.into(), ty, class, shape: Shape::Scalar { addressable: false } }
    }

    pub fn array(name: impl Into<String>, ty: Int, class: Class, length: usize) -> Place {
        Place { name: name.into(), ty, class, shape: Shape::Array { length } }
    }

    /// Whether a value of `class` may be computed from this.
    pub fn readable_for(&self, class: Class) -> bool {
        match class {
            Class::Control => self.class == Class::Control,
            Class::Data => true,
            // Fresh values are made of constants and input bytes only.
            Class::Fresh => false,
        }
    }

    /// Whether a value of `class` may be written here.
    pub fn accepts(&self, class: Class) -> bool {
        self.class == Class::Data || class == Class::Control
    }
}
