//! LLVM's intrinsics, by their name without `llvm.` and type suffixes. To add one: an arm here, and a method in the file
//! of its family if it takes more than a line.

mod bits;
mod math;
mod memory;
mod vectors;

use super::{Flow, FunctionLowerer, Parts, one};
use crate::llvm::Value;
use crate::types::{Lowered, unsupported};
use osier_ir::{BinOp, FBinOp, Flags, MemOp, Op, OverflowOp, TrapKind, UnOp};

impl FunctionLowerer<'_, '_> {
    pub(super) fn intrinsic(&mut self, call: Value, full_name: &str) -> Lowered<Flow> {
        let name = full_name.strip_prefix("llvm.").unwrap_or(full_name);
        match name {
            "trap" => return Ok(self.trap(TrapKind::Trap)),
            "debugtrap" => return Ok(self.trap(TrapKind::Debug)),
            "ubsantrap" => {
                let number = call.operand(0).as_u64().unwrap_or(0) as u8;
                return Ok(self.trap(TrapKind::Sanitizer(number)));
            }
            _ => {}
        }
        if self.effect(call, name)? {
            return Ok(Flow::Next);
        }
        let parts = self.intrinsic_value(call, name)?;
        self.define(call, parts);
        Ok(Flow::Next)
    }

    fn trap(&mut self, kind: TrapKind) -> Flow {
        self.emit(Op::Trap { kind });
        Flow::End
    }

    /// Intrinsics without a result, and those that only compilers care for. False if `name` is neither.
    fn effect(&mut self, call: Value, name: &str) -> Lowered<bool> {
        match name {
            "dbg.declare"
            | "dbg.value"
            | "dbg.assign"
            | "dbg.label"
            | "prefetch"
            | "donothing"
            | "sideeffect"
            | "experimental.noalias.scope.decl"
            | "invariant.end"
            | "var.annotation"
            | "pseudoprobe"
            | "fake.use"
            | "clear_cache"
            | "x86.sse2.mfence"
            | "x86.sse2.lfence"
            | "x86.sse.sfence"
            | "x86.sse2.pause" => {}
            "memcpy" | "memcpy.inline" | "memcpy.element.unordered.atomic" => self.memory_block(call, MemOp::Copy)?,
            "memmove" | "memmove.element.unordered.atomic" => self.memory_block(call, MemOp::Move)?,
            "memset" | "memset.inline" | "memset.element.unordered.atomic" => self.memory_block(call, MemOp::Set)?,
            "lifetime.start" => self.lifetime(call, true)?,
            "lifetime.end" => self.lifetime(call, false)?,
            "assume" => {
                let cond = self.scalar(call.operand(0))?;
                self.emit(Op::Assume { cond });
            }
            "stackrestore" => {
                let src = self.scalar(call.operand(0))?;
                self.emit(Op::StackRestore { src });
            }
            "va_start" => {
                let list = self.scalar(call.operand(0))?;
                self.emit(Op::VaStart { list });
            }
            "va_end" => {
                let list = self.scalar(call.operand(0))?;
                self.emit(Op::VaEnd { list });
            }
            "va_copy" => {
                let (dst, src) = (self.scalar(call.operand(0))?, self.scalar(call.operand(1))?);
                self.emit(Op::VaCopy { dst, src });
            }
            "masked.store" => self.masked_store(call)?,
            "masked.scatter" => self.masked_scatter(call)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn intrinsic_value(&mut self, call: Value, name: &str) -> Lowered<Parts> {
        let wrapping = Flags::NONE;
        match name {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "annotation"
            | "ptr.annotation"
            | "threadlocal.address"
            | "arithmetic.fence" => self.operand(call.operand(0)),
            "uadd.with.overflow" => self.with_overflow(call, OverflowOp::UAdd),
            "sadd.with.overflow" => self.with_overflow(call, OverflowOp::SAdd),
            "usub.with.overflow" => self.with_overflow(call, OverflowOp::USub),
            "ssub.with.overflow" => self.with_overflow(call, OverflowOp::SSub),
            "umul.with.overflow" => self.with_overflow(call, OverflowOp::UMul),
            "smul.with.overflow" => self.with_overflow(call, OverflowOp::SMul),
            "uadd.sat" => self.lanewise(call.operand(0), call.operand(1), BinOp::UAddSat, wrapping),
            "sadd.sat" => self.lanewise(call.operand(0), call.operand(1), BinOp::SAddSat, wrapping),
            "usub.sat" => self.lanewise(call.operand(0), call.operand(1), BinOp::USubSat, wrapping),
            "ssub.sat" => self.lanewise(call.operand(0), call.operand(1), BinOp::SSubSat, wrapping),
            "ushl.sat" => self.lanewise(call.operand(0), call.operand(1), BinOp::UShlSat, wrapping),
            "sshl.sat" => self.lanewise(call.operand(0), call.operand(1), BinOp::SShlSat, wrapping),
            "umin" => self.lanewise(call.operand(0), call.operand(1), BinOp::UMin, wrapping),
            "umax" => self.lanewise(call.operand(0), call.operand(1), BinOp::UMax, wrapping),
            "smin" => self.lanewise(call.operand(0), call.operand(1), BinOp::SMin, wrapping),
            "smax" => self.lanewise(call.operand(0), call.operand(1), BinOp::SMax, wrapping),
            "ptrmask" => self.lanewise(call.operand(0), call.operand(1), BinOp::And, wrapping),
            "bswap" => self.unary(call.operand(0), UnOp::ByteSwap),
            "bitreverse" => self.unary(call.operand(0), UnOp::BitReverse),
            "ctpop" => self.unary(call.operand(0), UnOp::PopCount),
            "ctlz" => self.unary(call.operand(0), UnOp::LeadingZeros),
            "cttz" => self.unary(call.operand(0), UnOp::TrailingZeros),
            "abs" => self.unary(call.operand(0), UnOp::Abs),
            "fshl" => self.funnel_shift(call, true),
            "fshr" => self.funnel_shift(call, false),
            "scmp" => self.three_way(call, osier_ir::CmpOp::Slt, osier_ir::CmpOp::Sgt),
            "ucmp" => self.three_way(call, osier_ir::CmpOp::Ult, osier_ir::CmpOp::Ugt),
            "allow.runtime.check" | "allow.ubsan.check" => Ok(one(self.int(1, 1))),
            // To nearest: the engine's floats know no other mode.
            "get.rounding" | "flt.rounds" => Ok(one(self.int(32, 1))),
            "returnaddress" | "invariant.start" => Ok(one(self.int(64, 0))),
            "frameaddress" => {
                if self.scalar(call.operand(0)).is_ok_and(|level| self.known(level) == Some(0)) {
                    return Ok(one(self.result(64, |dst| Op::FrameAddress { dst })));
                }
                Ok(one(self.int(64, 0)))
            }
            "stacksave" => Ok(one(self.result(64, |dst| Op::StackSave { dst }))),
            "load.relative" => self.load_relative(call),
            "masked.load" => self.masked_load(call),
            "experimental.cttz.elts" => self.first_set_lane(call),
            "stepvector" => self.step_vector(call),
            "x86.sse.movmsk.ps" | "x86.sse2.movmsk.pd" | "x86.sse2.pmovmskb.128" => self.sign_mask(call),
            "masked.gather" => self.masked_gather(call),
            _ => match name.strip_prefix("vector.") {
                Some(rest) => self.vector_intrinsic(call, rest),
                None => self.float_intrinsic(call, name),
            },
        }
    }

    fn unknown_intrinsic<T>(&self, name: &str) -> Lowered<T> {
        unsupported(format!("intrinsic `llvm.{name}`"))
    }

    /// minnum and its kin, also as reductions.
    fn float_choice(name: &str) -> Option<FBinOp> {
        Some(match name {
            "minnum" | "minimumnum" | "fmin" => FBinOp::MinNum,
            "maxnum" | "maximumnum" | "fmax" => FBinOp::MaxNum,
            "minimum" | "fminimum" => FBinOp::Minimum,
            "maximum" | "fmaximum" => FBinOp::Maximum,
            _ => return None,
        })
    }
}
