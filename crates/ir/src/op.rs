//! The operations. Each is small (24 bytes at most); what does not fit stands in a side table of the body.
//!
//! Widths are in bits, 1 to 128. Pointers are 64 bits wide. Vectors and first-class aggregates do not occur: lowering
//! gives each lane and each field a register of its own. Floats are their bits.

use crate::{CallId, ConstId, EdgeId, Reg, SiteId, TableId, TextId};
use serde::{Deserialize, Serialize};

/// A register or a constant, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

/// An operand taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpacked {
    Reg(Reg),
    Const(ConstId),
}

const CONSTANT_BIT: u32 = 1 << 31;

impl Operand {
    pub fn reg(reg: Reg) -> Self {
        debug_assert!(reg.0 & CONSTANT_BIT == 0);
        Operand(reg.0)
    }

    pub fn constant(constant: ConstId) -> Self {
        debug_assert!(constant.0 & CONSTANT_BIT == 0);
        Operand(constant.0 | CONSTANT_BIT)
    }

    #[inline]
    pub fn unpack(self) -> Unpacked {
        if self.0 & CONSTANT_BIT == 0 {
            Unpacked::Reg(Reg(self.0))
        } else {
            Unpacked::Const(ConstId(self.0 & !CONSTANT_BIT))
        }
    }

    pub fn as_reg(self) -> Option<Reg> {
        match self.unpack() {
            Unpacked::Reg(reg) => Some(reg),
            Unpacked::Const(_) => None,
        }
    }
}

impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.unpack() {
            Unpacked::Reg(reg) => reg.fmt(f),
            Unpacked::Const(constant) => constant.fmt(f),
        }
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// The promises that LLVM attached to an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Flags(pub u8);

impl Flags {
    pub const NONE: Flags = Flags(0);
    pub const NUW: Flags = Flags(1);
    pub const NSW: Flags = Flags(2);
    pub const EXACT: Flags = Flags(4);
    pub const INBOUNDS: Flags = Flags(8);
    /// Optimised code computes this where the source may not: a result without meaning (a shift by too much, a signed
    /// overflow) is no bug by itself here, since a select or a later block may throw it away.
    pub const SPECULATED: Flags = Flags(16);

    pub const ALL: Flags = Flags(31);

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }

    #[must_use]
    pub fn with(self, flag: Flags) -> Flags {
        Flags(self.0 | flag.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum UnOp {
    ByteSwap,
    BitReverse,
    PopCount,
    /// Gives the width for zero, as the intrinsic does without its poison flag.
    LeadingZeros,
    TrailingZeros,
    /// Wraps for the smallest number.
    Abs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum OverflowOp {
    UAdd,
    SAdd,
    USub,
    SSub,
    UMul,
    SMul,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    /// x86_fp80.
    Extended,
    /// IEEE binary128.
    Quad,
}

impl FloatKind {
    pub fn width(self) -> u8 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::Extended => 80,
            FloatKind::Quad => 128,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum FBinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// llvm.minnum: the other operand if one is a quiet NaN.
    MinNum,
    MaxNum,
    /// llvm.minimum: NaN if either is.
    Minimum,
    Maximum,
    CopySign,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum FUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// llvm.rint and llvm.nearbyint: to nearest, ties to even.
    Rint,
    /// llvm.round: ties away from zero.
    Round,
    RoundEven,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum FCmpOp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Conversions from or to floats. The integer's width stands in the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum FCastOp {
    /// Between two float kinds (fptrunc, fpext); `width` is unused (0).
    Float {
        from: FloatKind,
        to: FloatKind,
    },
    ToUnsigned(FloatKind),
    ToSigned(FloatKind),
    /// Saturating forms of the two above: llvm.fptoui.sat, llvm.fptosi.sat.
    ToUnsignedSat(FloatKind),
    ToSignedSat(FloatKind),
    FromUnsigned(FloatKind),
    FromSigned(FloatKind),
    /// llvm.is.fpclass with the test mask in `width`; gives one bit.
    IsClass(FloatKind),
    /// llvm.lrint, llrint, lround, llround: to a signed integer of `width` bits.
    Rint(FloatKind),
    Round(FloatKind),
}

impl FCastOp {
    /// The widths of the operand and of the result, given the operation's `width` field.
    pub fn widths(self, width: u16) -> (u8, u8) {
        let integer = u8::try_from(width).unwrap_or(0);
        match self {
            FCastOp::Float { from, to } => (from.width(), to.width()),
            FCastOp::ToUnsigned(kind)
            | FCastOp::ToSigned(kind)
            | FCastOp::ToUnsignedSat(kind)
            | FCastOp::ToSignedSat(kind)
            | FCastOp::Rint(kind)
            | FCastOp::Round(kind) => (kind.width(), integer),
            FCastOp::FromUnsigned(kind) | FCastOp::FromSigned(kind) => (integer, kind.width()),
            FCastOp::IsClass(kind) => (kind.width(), 1),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum MemOp {
    /// Must not overlap; executed as a move.
    Copy,
    Move,
    /// `src` is the byte, 8 bits wide.
    Set,
}

impl MemOp {
    /// The width of `src`: an address, or the byte to set.
    pub fn source_width(self) -> u8 {
        match self {
            MemOp::Copy | MemOp::Move => 64,
            MemOp::Set => 8,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum TrapKind {
    Trap,
    /// llvm.debugtrap.
    Debug,
    /// llvm.ubsantrap with its number: -fsanitize=undefined -fsanitize-trap.
    Sanitizer(u8),
}

/// One operation. Register operands are read before results are written, so a result may reuse an operand's register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Op {
    Move {
        dst: Reg,
        src: Operand,
    },
    Bin {
        op: BinOp,
        flags: Flags,
        width: u8,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Un {
        op: UnOp,
        width: u8,
        dst: Reg,
        a: Operand,
    },
    /// `width` is that of the operands; the result has one bit.
    Cmp {
        op: CmpOp,
        width: u8,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        dst: Reg,
        src: Operand,
    },
    Select {
        width: u8,
        dst: Reg,
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    /// `dst` gets the wrapped result, `carry` one bit: whether it wrapped.
    Overflow {
        op: OverflowOp,
        width: u8,
        dst: Reg,
        carry: Reg,
        a: Operand,
        b: Operand,
    },
    /// llvm.fshl (left) and llvm.fshr of the pair `hi`:`lo`; the amount is taken modulo the width.
    FunnelShift {
        left: bool,
        width: u8,
        dst: Reg,
        hi: Operand,
        lo: Operand,
        amount: Operand,
    },
    FBin {
        op: FBinOp,
        kind: FloatKind,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    FUn {
        op: FUnOp,
        kind: FloatKind,
        dst: Reg,
        a: Operand,
    },
    FCmp {
        op: FCmpOp,
        kind: FloatKind,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    FCast {
        op: FCastOp,
        width: u16,
        dst: Reg,
        src: Operand,
    },
    /// a * b + c, rounded once.
    Fma {
        kind: FloatKind,
        dst: Reg,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    /// base + offset.
    Offset {
        flags: Flags,
        dst: Reg,
        base: Operand,
        offset: i32,
    },
    /// base + sign-extended index (of `width` bits) * scale + offset, modulo 2^64.
    Index {
        flags: Flags,
        width: u8,
        dst: Reg,
        base: Operand,
        index: Operand,
        scale: u32,
        offset: i32,
    },
    /// `width` bits from the ceil(width / 8) bytes at addr + offset, little-endian.
    Load {
        width: u8,
        dst: Reg,
        addr: Operand,
        offset: i32,
    },
    Store {
        width: u8,
        addr: Operand,
        value: Operand,
        offset: i32,
    },
    /// An object of count * size bytes that dies with the frame. `count` is 64 bits wide.
    Alloca {
        dst: Reg,
        count: Operand,
        size: u32,
        align: u32,
        site: SiteId,
    },
    /// Ends the life of an alloca's contents (llvm.lifetime.start and end): they are undefined from here on.
    Forget {
        addr: Operand,
    },
    Memory {
        op: MemOp,
        dst: Operand,
        src: Operand,
        len: Operand,
    },
    Call {
        call: CallId,
    },
    /// llvm.va_start, va_copy and va_end; `list` is the address of a 24-byte x86-64 va_list.
    VaStart {
        list: Operand,
    },
    VaCopy {
        dst: Operand,
        src: Operand,
    },
    VaEnd {
        list: Operand,
    },
    StackSave {
        dst: Reg,
    },
    StackRestore {
        src: Operand,
    },
    /// llvm.frameaddress(0): an address that is unique to the frame.
    FrameAddress {
        dst: Reg,
    },
    /// llvm.assume: the source promises it.
    Assume {
        cond: Operand,
    },

    // Terminators.
    Jump {
        edge: EdgeId,
    },
    Branch {
        cond: Operand,
        then: EdgeId,
        other: EdgeId,
    },
    /// A compare and the branch on it.
    CmpBranch {
        op: CmpOp,
        width: u8,
        a: Operand,
        b: Operand,
        then: EdgeId,
        other: EdgeId,
    },
    Switch {
        width: u8,
        value: Operand,
        table: TableId,
    },
    IndirectJump {
        addr: Operand,
        table: TableId,
    },
    Return,
    ReturnOne {
        value: Operand,
    },
    /// Returns `operands[start..start + len]` of the body.
    ReturnMany {
        start: u32,
        len: u32,
    },
    Trap {
        kind: TrapKind,
    },
    Unreachable,
    /// What did not lower: the path that comes here ends with this text as its verdict.
    Unsupported {
        text: TextId,
    },
}

impl Op {
    pub fn is_terminator(&self) -> bool {
        match self {
            Op::Jump { .. }
            | Op::Branch { .. }
            | Op::CmpBranch { .. }
            | Op::Switch { .. }
            | Op::IndirectJump { .. }
            | Op::Return
            | Op::ReturnOne { .. }
            | Op::ReturnMany { .. }
            | Op::Trap { .. }
            | Op::Unreachable
            | Op::Unsupported { .. } => true,
            Op::Move { .. }
            | Op::Bin { .. }
            | Op::Un { .. }
            | Op::Cmp { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Overflow { .. }
            | Op::FunnelShift { .. }
            | Op::FBin { .. }
            | Op::FUn { .. }
            | Op::FCmp { .. }
            | Op::FCast { .. }
            | Op::Fma { .. }
            | Op::Offset { .. }
            | Op::Index { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Alloca { .. }
            | Op::Forget { .. }
            | Op::Memory { .. }
            | Op::Call { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::VaEnd { .. }
            | Op::StackSave { .. }
            | Op::StackRestore { .. }
            | Op::FrameAddress { .. }
            | Op::Assume { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_fits_in_24_bytes() {
        assert!(std::mem::size_of::<Op>() <= 24, "{} bytes", std::mem::size_of::<Op>());
    }
}
