//! The words of the text form: one table an enum, read by the printer and by the parser.

use crate::{BinOp, CastOp, CmpOp, FBinOp, FCastOp, FCmpOp, FUnOp, Flags, FloatKind, MemOp, OverflowOp, UnOp};

pub(super) trait Named: Copy + 'static {
    const TABLE: &'static [(Self, &'static str)];
    fn name(self) -> &'static str;
    fn named(name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, own)| *own == name).map(|(value, _)| *value)
    }
}

macro_rules! names {
    ($type:ident { $($variant:ident $name:literal)* }) => {
        impl Named for $type {
            const TABLE: &'static [(Self, &'static str)] = &[$(($type::$variant, $name)),*];
            fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }
    };
}

names!(BinOp {
    Add "add" Sub "sub" Mul "mul" UDiv "udiv" SDiv "sdiv" URem "urem" SRem "srem"
    Shl "shl" LShr "lshr" AShr "ashr" And "and" Or "or" Xor "xor"
    UMin "umin" UMax "umax" SMin "smin" SMax "smax"
    UAddSat "uaddsat" SAddSat "saddsat" USubSat "usubsat" SSubSat "ssubsat" UShlSat "ushlsat" SShlSat "sshlsat"
});
names!(UnOp {
    ByteSwap "byteswap" BitReverse "bitreverse" PopCount "popcount"
    LeadingZeros "leadingzeros" TrailingZeros "trailingzeros" Abs "abs"
});
names!(CmpOp {
    Eq "eq" Ne "ne" Ult "ult" Ule "ule" Ugt "ugt" Uge "uge" Slt "slt" Sle "sle" Sgt "sgt" Sge "sge"
});
names!(CastOp { Trunc "trunc" ZExt "zext" SExt "sext" });
names!(OverflowOp { UAdd "uadd" SAdd "sadd" USub "usub" SSub "ssub" UMul "umul" SMul "smul" });
names!(FloatKind {
    Half "half" BFloat "bfloat" Single "single" Double "double" Extended "extended" Quad "quad"
});
names!(FBinOp {
    Add "fadd" Sub "fsub" Mul "fmul" Div "fdiv" Rem "frem" MinNum "fminnum" MaxNum "fmaxnum"
    Minimum "fminimum" Maximum "fmaximum" CopySign "fcopysign"
});
names!(FUnOp {
    Neg "fneg" Abs "fabs" Sqrt "fsqrt" Floor "ffloor" Ceil "fceil" Trunc "ftrunc" Rint "frint" Round "fround"
    RoundEven "froundeven"
});
names!(FCmpOp {
    False "false" Oeq "oeq" Ogt "ogt" Oge "oge" Olt "olt" Ole "ole" One "one" Ord "ord"
    Uno "uno" Ueq "ueq" Ugt "ugt" Uge "uge" Ult "ult" Ule "ule" Une "une" True "true"
});
names!(MemOp { Copy "memcopy" Move "memmove" Set "memset" });

pub(super) const FLAGS: &[(Flags, &str)] = &[
    (Flags::NUW, "nuw"),
    (Flags::NSW, "nsw"),
    (Flags::EXACT, "exact"),
    (Flags::INBOUNDS, "inbounds"),
    (Flags::SPECULATED, "speculated"),
];

/// A conversion to or from floats as `name.kind`; that between two kinds has another form, `fconvert.from.to`.
pub(super) enum FCastName {
    Convert(FloatKind, FloatKind),
    Plain(&'static str, FloatKind),
}

pub(super) fn fcast_name(op: FCastOp) -> FCastName {
    match op {
        FCastOp::Float { from, to } => FCastName::Convert(from, to),
        FCastOp::ToUnsigned(kind) => FCastName::Plain("ftounsigned", kind),
        FCastOp::ToSigned(kind) => FCastName::Plain("ftosigned", kind),
        FCastOp::ToUnsignedSat(kind) => FCastName::Plain("ftounsignedsat", kind),
        FCastOp::ToSignedSat(kind) => FCastName::Plain("ftosignedsat", kind),
        FCastOp::FromUnsigned(kind) => FCastName::Plain("ffromunsigned", kind),
        FCastOp::FromSigned(kind) => FCastName::Plain("ffromsigned", kind),
        FCastOp::IsClass(kind) => FCastName::Plain("fisclass", kind),
        FCastOp::Rint(kind) => FCastName::Plain("frinttosigned", kind),
        FCastOp::Round(kind) => FCastName::Plain("froundtosigned", kind),
    }
}

pub(super) fn fcast_named(name: &str) -> Option<fn(FloatKind) -> FCastOp> {
    const MAKERS: [fn(FloatKind) -> FCastOp; 9] = [
        FCastOp::ToUnsigned,
        FCastOp::ToSigned,
        FCastOp::ToUnsignedSat,
        FCastOp::ToSignedSat,
        FCastOp::FromUnsigned,
        FCastOp::FromSigned,
        FCastOp::IsClass,
        FCastOp::Rint,
        FCastOp::Round,
    ];
    MAKERS.into_iter().find(|make| match fcast_name(make(FloatKind::Half)) {
        FCastName::Plain(own, _) => own == name,
        FCastName::Convert(..) => false,
    })
}
