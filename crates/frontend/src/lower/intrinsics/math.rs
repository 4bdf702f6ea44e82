//! Floating-point intrinsics, also in their constrained form (`-frounding-math`, `#pragma STDC FENV_ACCESS`): the engine
//! rounds to nearest and raises no flags, so both forms mean the same here.

use super::super::call::Arguments;
use super::super::{FunctionLowerer, Parts};
use crate::llvm::{TypeKind, Value};
use crate::types::{Lowered, float_kind, lane_width};
use osier_ir::{ArgKind, FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind, Op, Operand};

impl FunctionLowerer<'_, '_> {
    /// `name` is what follows `llvm.`.
    pub(super) fn float_intrinsic(&mut self, call: Value, name: &str) -> Lowered<Parts> {
        let plain = name.strip_prefix("experimental.constrained.").unwrap_or(name);
        let (first, kind) = (call.operand(0), || float_kind(call.operand(0).ty()));
        match plain {
            "sqrt" => self.float_unary(call, FUnOp::Sqrt),
            "fabs" => self.float_unary(call, FUnOp::Abs),
            "floor" => self.float_unary(call, FUnOp::Floor),
            "ceil" => self.float_unary(call, FUnOp::Ceil),
            "trunc" => self.float_unary(call, FUnOp::Trunc),
            "rint" | "nearbyint" => self.float_unary(call, FUnOp::Rint),
            "round" => self.float_unary(call, FUnOp::Round),
            "roundeven" => self.float_unary(call, FUnOp::RoundEven),
            "canonicalize" => self.operand(first),
            "copysign" => self.float_binary(call, FBinOp::CopySign),
            "fadd" => self.float_binary(call, FBinOp::Add),
            "fsub" => self.float_binary(call, FBinOp::Sub),
            "fmul" => self.float_binary(call, FBinOp::Mul),
            "fdiv" => self.float_binary(call, FBinOp::Div),
            "frem" => self.float_binary(call, FBinOp::Rem),
            "fma" => self.fused(call),
            "fmuladd" => self.multiply_add(call),
            "is.fpclass" => {
                let mask = call.operand(1).as_u64().unwrap_or(0) as u16;
                self.float_convert(first, call, FCastOp::IsClass(kind()?), mask)
            }
            "fptosi" => self.float_to_integer(call, FCastOp::ToSigned(kind()?)),
            "fptoui" => self.float_to_integer(call, FCastOp::ToUnsigned(kind()?)),
            "fptosi.sat" => self.float_to_integer(call, FCastOp::ToSignedSat(kind()?)),
            "fptoui.sat" => self.float_to_integer(call, FCastOp::ToUnsignedSat(kind()?)),
            "lrint" | "llrint" => self.float_to_integer(call, FCastOp::Rint(kind()?)),
            // The first lane, rounded as lrint rounds.
            "x86.sse.cvtss2si" | "x86.sse.cvtss2si64" | "x86.sse2.cvtsd2si" | "x86.sse2.cvtsd2si64" => {
                let mut lanes = self.float_to_integer(call, FCastOp::Rint(kind()?))?;
                lanes.truncate(1);
                Ok(lanes)
            }
            "lround" | "llround" => self.float_to_integer(call, FCastOp::Round(kind()?)),
            "sitofp" | "uitofp" => {
                let to = float_kind(call.ty())?;
                let op = if plain == "sitofp" { FCastOp::FromSigned(to) } else { FCastOp::FromUnsigned(to) };
                let width = lane_width(first.ty())?;
                self.float_convert(first, call, op, width.into())
            }
            "fptrunc" | "fpext" => {
                let op = FCastOp::Float { from: kind()?, to: float_kind(call.ty())? };
                self.float_convert(first, call, op, 0)
            }
            "convert.from.fp16" => {
                let op = FCastOp::Float { from: FloatKind::Half, to: float_kind(call.ty())? };
                self.float_convert(first, call, op, 0)
            }
            "convert.to.fp16" => {
                let op = FCastOp::Float { from: kind()?, to: FloatKind::Half };
                self.float_convert(first, call, op, 0)
            }
            "fcmp" | "fcmps" => self.constrained_compare(call, name),
            _ => match Self::float_choice(plain) {
                Some(op) => self.float_binary(call, op),
                None => self.math_library(call, name, plain),
            },
        }
    }

    fn float_to_integer(&mut self, call: Value, op: FCastOp) -> Lowered<Parts> {
        let width = lane_width(call.ty())?;
        self.float_convert(call.operand(0), call, op, width.into())
    }

    fn fused(&mut self, call: Value) -> Lowered<Parts> {
        let kind = float_kind(call.ty())?;
        let (a, b, c) = self.three(call)?;
        let mut parts = Parts::new();
        for ((a, b), c) in a.into_iter().zip(b).zip(c) {
            parts.push(self.result(kind.width(), |dst| Op::Fma { kind, dst, a, b, c }));
        }
        Ok(parts)
    }

    /// x86-64 without FMA rounds twice, and so does the native program that a test is replayed on.
    fn multiply_add(&mut self, call: Value) -> Lowered<Parts> {
        let kind = float_kind(call.ty())?;
        let (a, b, c) = self.three(call)?;
        let mut parts = Parts::new();
        for ((a, b), c) in a.into_iter().zip(b).zip(c) {
            let product = self.fbin(FBinOp::Mul, kind, a, b);
            parts.push(self.fbin(FBinOp::Add, kind, product, c));
        }
        Ok(parts)
    }

    fn three(&mut self, call: Value) -> Lowered<(Parts, Parts, Parts)> {
        Ok((self.operand(call.operand(0))?, self.operand(call.operand(1))?, self.operand(call.operand(2))?))
    }

    fn constrained_compare(&mut self, call: Value, name: &str) -> Lowered<Parts> {
        let op = match call.operand(2).metadata_string().as_str() {
            "oeq" => FCmpOp::Oeq,
            "ogt" => FCmpOp::Ogt,
            "oge" => FCmpOp::Oge,
            "olt" => FCmpOp::Olt,
            "ole" => FCmpOp::Ole,
            "one" => FCmpOp::One,
            "ord" => FCmpOp::Ord,
            "uno" => FCmpOp::Uno,
            "ueq" => FCmpOp::Ueq,
            "ugt" => FCmpOp::Ugt,
            "uge" => FCmpOp::Uge,
            "ult" => FCmpOp::Ult,
            "ule" => FCmpOp::Ule,
            "une" => FCmpOp::Une,
            _ => return self.unknown_intrinsic(name),
        };
        let kind = float_kind(call.operand(0).ty())?;
        let (a, b) = (self.operand(call.operand(0))?, self.operand(call.operand(1))?);
        let mut parts = Parts::new();
        for (a, b) in a.into_iter().zip(b) {
            parts.push(self.result(1, |dst| Op::FCmp { op, kind, dst, a, b }));
        }
        Ok(parts)
    }

    /// What only a mathematical library computes becomes a call of it, lane by lane.
    fn math_library(&mut self, call: Value, name: &str, plain: &str) -> Lowered<Parts> {
        match plain {
            "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "pow" | "exp"
            | "exp2" | "exp10" | "log" | "log2" | "log10" | "ldexp" => {
                let function = format!("{plain}{}", self.library_suffix(call, name)?);
                self.call_lanes(call, &function)
            }
            "powi" => {
                let function = match float_kind(call.ty())? {
                    FloatKind::Single => "__powisf2",
                    FloatKind::Double => "__powidf2",
                    FloatKind::Extended => "__powixf2",
                    FloatKind::Half | FloatKind::BFloat | FloatKind::Quad => return self.unknown_intrinsic(name),
                };
                self.call_lanes(call, function)
            }
            "frexp" | "modf" | "sincos" => self.two_results(call, name, plain),
            _ => self.unknown_intrinsic(name),
        }
    }

    /// The letter that the C library puts behind the names of its functions for this type.
    fn library_suffix(&self, call: Value, name: &str) -> Lowered<&'static str> {
        Ok(match float_kind(call.operand(0).ty())? {
            FloatKind::Single => "f",
            FloatKind::Double => "",
            FloatKind::Extended => "l",
            FloatKind::Half | FloatKind::BFloat | FloatKind::Quad => return self.unknown_intrinsic(name),
        })
    }

    fn call_lanes(&mut self, call: Value, function: &str) -> Lowered<Parts> {
        let values: Vec<Value> =
            call.arguments().into_iter().filter(|argument| argument.ty().lane().kind() != TypeKind::Other).collect();
        let mut operands = Vec::new();
        for &value in &values {
            let leaves = self.leaves(value.ty())?;
            operands.push((self.operand(value)?, leaves));
        }
        let width = lane_width(call.ty())?;
        let lanes = self.leaves(call.ty())?.len();
        let mut parts = Parts::new();
        for lane in 0..lanes {
            let mut arguments = Arguments::default();
            for (operand, leaves) in &operands {
                let at = if operand.len() == 1 { 0 } else { lane };
                arguments.push(operand[at], leaves[at].width, leaves[at].arg_kind());
            }
            parts.extend(self.library_call(function, arguments, vec![width]));
        }
        Ok(parts)
    }

    /// frexp, modf and sincos of scalars: the library writes the second result (and sincos its first too) to memory.
    fn two_results(&mut self, call: Value, name: &str, plain: &str) -> Lowered<Parts> {
        if call.operand(0).ty().is_vector() {
            return self.unknown_intrinsic(name);
        }
        let function = format!("{plain}{}", self.library_suffix(call, name)?);
        let leaves = self.leaves(call.ty())?;
        let kind = leaves[0].arg_kind();
        let (width, second) = (leaves[0].width, leaves[1].width);
        let value = self.scalar(call.operand(0))?;
        let scratch = Operand::reg(self.scratch());
        let mut arguments = Arguments::default();
        arguments.push(value, width, kind);
        arguments.push(scratch, 64, ArgKind::Integer);
        if plain != "sincos" {
            let first = self.library_call(&function, arguments, vec![width]);
            let other = self.result(second, |dst| Op::Load { width: second, dst, addr: scratch, offset: 0 });
            return Ok(Parts::from_slice(&[first[0], other]));
        }
        if width > 64 {
            return self.unknown_intrinsic(name);
        }
        let above = self.add_offset(scratch, 8, osier_ir::Flags::NONE);
        arguments.push(above, 64, ArgKind::Integer);
        self.library_call(&function, arguments, Vec::new());
        let sine = self.result(width, |dst| Op::Load { width, dst, addr: scratch, offset: 0 });
        let cosine = self.result(width, |dst| Op::Load { width, dst, addr: scratch, offset: 8 });
        Ok(Parts::from_slice(&[sine, cosine]))
    }
}
