//! What terms and arrays are: the view that callers match on, and the packed form that the pool stores.

use osier_base::entity;

entity!(
    /// A bit-vector of 1 to 128 bits; booleans are one bit wide.
    pub struct Term = "t";
);

entity!(
    /// An array from 64-bit indices to bytes.
    pub struct Array = "a";
);

/// Operators from two terms of one width to a term of that width, with the meaning they have in SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    /// `x udiv 0` is all ones.
    UDiv,
    /// `x sdiv 0` is 1 for negative `x`, else -1; the smallest value divided by -1 is itself.
    SDiv,
    /// `x urem 0` is `x`.
    URem,
    /// Takes the sign of the dividend; `x srem 0` is `x`.
    SRem,
    /// A shift by the width or more gives zero.
    Shl,
    /// A shift by the width or more gives zero.
    LShr,
    /// A shift by the width or more gives the sign in every bit.
    AShr,
    And,
    Or,
    Xor,
}

impl BvOp {
    pub const ALL: [BvOp; 13] = [
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::UDiv,
        BvOp::SDiv,
        BvOp::URem,
        BvOp::SRem,
        BvOp::Shl,
        BvOp::LShr,
        BvOp::AShr,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
    ];

    pub fn is_commutative(self) -> bool {
        match self {
            BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor => true,
            BvOp::Sub | BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem | BvOp::Shl | BvOp::LShr | BvOp::AShr => {
                false
            }
        }
    }
}

/// Comparisons of two terms of one width; the result is one bit wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum CmpOp {
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl CmpOp {
    pub const ALL: [CmpOp; 5] = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];
}

/// One term, as [`crate::Pool::node`] shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Const {
        width: u32,
        value: u128,
    },
    /// One byte of an array; the index is 64 bits wide.
    Select {
        array: Array,
        index: Term,
    },
    Bin {
        op: BvOp,
        a: Term,
        b: Term,
    },
    Cmp {
        op: CmpOp,
        a: Term,
        b: Term,
    },
    /// Every bit flipped; for one bit, the logical not.
    Not(Term),
    Concat {
        high: Term,
        low: Term,
    },
    /// `width` bits of `term`, the lowest of them bit `low`.
    Extract {
        term: Term,
        low: u32,
        width: u32,
    },
    /// Strictly wider than `term`.
    ZExt {
        term: Term,
        width: u32,
    },
    /// Strictly wider than `term`.
    SExt {
        term: Term,
        width: u32,
    },
    Ite {
        cond: Term,
        then: Term,
        other: Term,
    },
}

/// One array, as [`crate::Pool::array_node`] shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayNode<'a> {
    /// Symbolic bytes. The bytes of all inputs of a pool have consecutive numbers in one global numbering; those of
    /// this one begin at `first_byte`. Reads beyond `size` give zero.
    Input { name: &'a str, size: u32, first_byte: u32 },
    /// Constant bytes. Reads beyond the end give zero.
    Table { bytes: &'a [u8] },
    /// Another array with one byte replaced.
    Store { array: Array, index: Term, value: Term },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The value is in `a` (low half) and `b`.
    Const,
    /// Wider than 64 bits: `a` is an index into the pool's wide values.
    WideConst,
    Select,
    Not,
    Concat,
    Extract,
    ZExt,
    SExt,
    Ite,
    Bin(BvOp),
    Cmp(CmpOp),
}

/// A node in 16 bytes. What `a`, `b` and `c` mean depends on the kind; unused ones are zero, so that equality of
/// packed nodes is equality of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed {
    pub kind: Kind,
    pub width: u8,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

const _: () = assert!(size_of::<Packed>() == 16);

impl Packed {
    #[inline]
    pub fn hash(&self) -> u64 {
        let kind = match self.kind {
            Kind::Const => 0,
            Kind::WideConst => 1,
            Kind::Select => 2,
            Kind::Not => 3,
            Kind::Concat => 4,
            Kind::Extract => 5,
            Kind::ZExt => 6,
            Kind::SExt => 7,
            Kind::Ite => 8,
            Kind::Bin(op) => 16 + op as u64,
            Kind::Cmp(op) => 32 + op as u64,
        };
        let x = kind | u64::from(self.width) << 8 | u64::from(self.a) << 32;
        let y = u64::from(self.b) | u64::from(self.c) << 32;
        // The folded multiply of wyhash: one multiplication, every output bit depends on every input bit.
        let product = u128::from(x ^ 0x9e37_79b9_7f4a_7c15) * u128::from(y ^ 0xd1b5_4a32_d192_ed03);
        (product as u64) ^ ((product >> 64) as u64)
    }
}
