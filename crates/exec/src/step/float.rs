//! Floating point on concrete values, bit exact. What the host computes as the program would is left to the host; the
//! rest is `rustc_apfloat`. Moves of bits keep symbolic floats; every other operation on one is followed value by
//! value: the state takes the value of its witness, and the others live on in a state that executes it again.

use super::Alive;
use super::slow::{set_and_next, value_of};
use crate::fault::end_with_fault;
use crate::fork::settle;
use crate::names::{at_line, here};
use crate::outcome::Kind;
use crate::{Context, EngineError, Program, State};
use osier_ir::{FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind, Op, Operand};
use osier_memory::Value;
use osier_term::BvOp;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round};
use std::cmp::Ordering;

/// Runs `$body` with `$F` standing for the type of a float kind.
macro_rules! with_kind {
    ($kind:expr, $F:ident, $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $F = Half;
                $body
            }
            FloatKind::BFloat => {
                type $F = BFloat;
                $body
            }
            FloatKind::Single => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::Extended => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Quad => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// `float` and `double` arithmetic as the processor does it, NaNs included.
#[inline]
pub fn host_binary(op: FBinOp, kind: FloatKind, x: u64, y: u64) -> Option<u64> {
    match kind {
        FloatKind::Double => {
            let (x, y) = (f64::from_bits(x), f64::from_bits(y));
            let result = match op {
                FBinOp::Add => x + y,
                FBinOp::Sub => x - y,
                FBinOp::Mul => x * y,
                FBinOp::Div => x / y,
                FBinOp::Rem
                | FBinOp::MinNum
                | FBinOp::MaxNum
                | FBinOp::Minimum
                | FBinOp::Maximum
                | FBinOp::CopySign => return None,
            };
            Some(result.to_bits())
        }
        FloatKind::Single => {
            let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            let result = match op {
                FBinOp::Add => x + y,
                FBinOp::Sub => x - y,
                FBinOp::Mul => x * y,
                FBinOp::Div => x / y,
                FBinOp::Rem
                | FBinOp::MinNum
                | FBinOp::MaxNum
                | FBinOp::Minimum
                | FBinOp::Maximum
                | FBinOp::CopySign => return None,
            };
            Some(u64::from(result.to_bits()))
        }
        FloatKind::Half | FloatKind::BFloat | FloatKind::Extended | FloatKind::Quad => None,
    }
}

/// Executes a float operation, or ends the path where it is beyond us.
pub fn execute(program: &Program, cx: &mut Context, state: &mut State, op: &Op) -> Result<Alive, EngineError> {
    if let Some(()) = by_bits(program, cx, state, op) {
        return Ok(Alive::Yes);
    }
    let mut known = |operand: Operand| settled(program, cx, state, op, operand);
    let (dst, width, result) = match *op {
        Op::FBin { op, kind, dst, a, b } => {
            let (a, b) = (known(a)?, known(b)?);
            (dst, u32::from(kind.width()), Some(binary(op, kind, a, b)))
        }
        Op::FUn { op, kind, dst, a } => {
            let a = known(a)?;
            (dst, u32::from(kind.width()), unary(op, kind, a))
        }
        Op::FCmp { op, kind, dst, a, b } => {
            let (a, b) = (known(a)?, known(b)?);
            (dst, 1, Some(u128::from(compare(op, kind, a, b))))
        }
        Op::FCast { op, width, dst, src } => {
            let bits = known(src)?;
            let (width, result) = convert(op, width, u32::from(source_width(program, state, src)), bits);
            (dst, width, Some(result))
        }
        Op::Fma { kind, dst, a, b, c } => {
            let (a, b, c) = (known(a)?, known(b)?, known(c)?);
            (dst, u32::from(kind.width()), Some(fused(kind, a, b, c)))
        }
        _ => unreachable!("only float operations come here"),
    };
    let Some(bits) = result else {
        let message = format!("the floating-point operation {}", name(op));
        end_with_fault(program, cx, state, Kind::Unsupported, message);
        return Ok(Alive::No);
    };
    let value = Value::from_bits(&mut cx.pool, width, bits);
    set_and_next(state, dst, value);
    Ok(Alive::Yes)
}

/// The bits of an operand; a symbolic one takes a value.
fn settled(
    program: &Program,
    cx: &mut Context,
    state: &mut State,
    op: &Op,
    operand: Operand,
) -> Result<u128, EngineError> {
    let value = value_of(program, state, operand);
    if let Some(bits) = value.known(&cx.pool) {
        return Ok(bits);
    }
    let Value::Term(term) = value else { unreachable!("an integer is known") };
    let place = at_line(program, here(program, state));
    cx.say_once(format!(
        "the floating-point operation {} on a symbolic value{place} is followed value by value",
        name(op)
    ));
    settle(program, cx, state, term)
}

fn source_width(program: &Program, state: &State, operand: Operand) -> u8 {
    match operand.unpack() {
        osier_ir::Unpacked::Reg(reg) => {
            let body = program.module.functions[state.top().function].body.as_ref();
            body.expect("a frame's function has a body").registers[reg]
        }
        osier_ir::Unpacked::Const(constant) => match program.module.constants[constant] {
            osier_ir::Constant::Int { width, .. }
            | osier_ir::Constant::Undef { width }
            | osier_ir::Constant::Poison { width } => width,
            osier_ir::Constant::Global { .. } | osier_ir::Constant::Function(_) | osier_ir::Constant::Block { .. } => {
                64
            }
        },
    }
}

fn name(op: &Op) -> String {
    match op {
        Op::FBin { op, kind, .. } => format!("{op:?} of {kind:?}"),
        Op::FUn { op, kind, .. } => format!("{op:?} of {kind:?}"),
        Op::FCmp { op, kind, .. } => format!("comparison {op:?} of {kind:?}"),
        Op::FCast { op, .. } => format!("conversion {op:?}"),
        Op::Fma { kind, .. } => format!("fused multiply-add of {kind:?}"),
        _ => "?".into(),
    }
}

/// Negation, absolute value and the copy of a sign only touch the sign bit, so terms can do them.
fn by_bits(program: &Program, cx: &mut Context, state: &mut State, op: &Op) -> Option<()> {
    let (dst, kind, op, a, b) = match *op {
        Op::FUn { op: FUnOp::Neg, kind, dst, a } => (dst, kind, BvOp::Xor, a, None),
        Op::FUn { op: FUnOp::Abs, kind, dst, a } => (dst, kind, BvOp::And, a, None),
        Op::FBin { op: FBinOp::CopySign, kind, dst, a, b } => (dst, kind, BvOp::And, a, Some(b)),
        _ => return None,
    };
    let width = u32::from(kind.width());
    let sign = 1u128 << (width - 1);
    let a = value_of(program, state, a).term(&mut cx.pool, width);
    let mask = cx.pool.constant(width, if op == BvOp::Xor { sign } else { !sign });
    let mut result = cx.pool.bin(op, a, mask);
    if let Some(b) = b {
        let b = value_of(program, state, b).term(&mut cx.pool, width);
        let sign = cx.pool.constant(width, sign);
        let sign = cx.pool.bin(BvOp::And, b, sign);
        result = cx.pool.bin(BvOp::Or, result, sign);
    }
    set_and_next(state, dst, Value::of(&cx.pool, result));
    Some(())
}

/// The processor's default NaN is negative, the library's is positive.
fn as_processor<F: Float>(result: F, inputs_have_nan: bool) -> u128 {
    if result.is_nan() && !inputs_have_nan && !result.is_negative() { (-result).to_bits() } else { result.to_bits() }
}

fn binary(op: FBinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    if matches!(kind, FloatKind::Single | FloatKind::Double)
        && let Some(bits) = host_binary(op, kind, a as u64, b as u64)
    {
        return u128::from(bits);
    }
    with_kind!(kind, F, {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            FBinOp::Add => (x + y).value,
            FBinOp::Sub => (x - y).value,
            FBinOp::Mul => (x * y).value,
            FBinOp::Div => (x / y).value,
            FBinOp::Rem => x.c_fmod(y).value,
            FBinOp::MinNum => x.min(y),
            FBinOp::MaxNum => x.max(y),
            FBinOp::Minimum => x.minimum(y),
            FBinOp::Maximum => x.maximum(y),
            FBinOp::CopySign => x.copy_sign(y),
        };
        as_processor(result, x.is_nan() || y.is_nan())
    })
}

fn fused(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    with_kind!(kind, F, {
        let (x, y, z) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
        as_processor(x.mul_add(y, z).value, x.is_nan() || y.is_nan() || z.is_nan())
    })
}

fn unary(op: FUnOp, kind: FloatKind, a: u128) -> Option<u128> {
    let round = match op {
        FUnOp::Neg | FUnOp::Abs => unreachable!("done by bits"),
        FUnOp::Sqrt => return square_root(kind, a),
        FUnOp::Floor => Round::TowardNegative,
        FUnOp::Ceil => Round::TowardPositive,
        FUnOp::Trunc => Round::TowardZero,
        FUnOp::Rint | FUnOp::RoundEven => Round::NearestTiesToEven,
        FUnOp::Round => Round::NearestTiesToAway,
    };
    Some(with_kind!(kind, F, F::from_bits(a).round_to_integral(round).value.to_bits()))
}

/// In a wider host type where the result then rounds right; the widest kinds have none, and quad has no other way.
fn square_root(kind: FloatKind, a: u128) -> Option<u128> {
    match kind {
        FloatKind::Single => Some(u128::from(f32::from_bits(a as u32).sqrt().to_bits())),
        FloatKind::Double => Some(u128::from(f64::from_bits(a as u64).sqrt().to_bits())),
        FloatKind::Half | FloatKind::BFloat => {
            let wide = FCastOp::Float { from: kind, to: FloatKind::Double };
            let root = f64::from_bits(convert(wide, 0, 16, a).1 as u64).sqrt().to_bits();
            let narrow = FCastOp::Float { from: FloatKind::Double, to: kind };
            Some(convert(narrow, 0, 64, u128::from(root)).1)
        }
        FloatKind::Extended => Some(square_root_extended(a)),
        FloatKind::Quad => None,
    }
}

/// By an integer root of twice as many bits. Halfway between two results lies no root, so rounding needs no tie rule.
fn square_root_extended(a: u128) -> u128 {
    const BIAS: i32 = 16383;
    let x = X87DoubleExtended::from_bits(a);
    if x.is_nan() || x.is_zero() || (x.is_infinite() && !x.is_negative()) {
        return as_processor(x, true);
    }
    if x.is_negative() {
        return as_processor(X87DoubleExtended::NAN, false);
    }
    let significand = a as u64;
    let shift = significand.leading_zeros();
    let stored = ((a >> 64) as i32 & 0x7fff).max(1);
    let exponent = stored - BIAS - 63 - shift as i32;
    let spread = if exponent % 2 == 0 { 64 } else { 63 };
    let radicand = u128::from(significand << shift) << spread;
    let root = radicand.isqrt();
    let root = root + u128::from(radicand - root * root > root);
    let exponent = (exponent - spread) / 2 + 63 + BIAS;
    (exponent as u128) << 64 | root
}

fn compare(op: FCmpOp, kind: FloatKind, a: u128, b: u128) -> bool {
    let order = with_kind!(kind, F, F::from_bits(a).partial_cmp(&F::from_bits(b)));
    let (less, equal, greater) = match order {
        None => {
            return matches!(
                op,
                FCmpOp::Uno
                    | FCmpOp::Ueq
                    | FCmpOp::Ugt
                    | FCmpOp::Uge
                    | FCmpOp::Ult
                    | FCmpOp::Ule
                    | FCmpOp::Une
                    | FCmpOp::True
            );
        }
        Some(order) => (order == Ordering::Less, order == Ordering::Equal, order == Ordering::Greater),
    };
    match op {
        FCmpOp::False | FCmpOp::Uno => false,
        FCmpOp::True | FCmpOp::Ord => true,
        FCmpOp::Oeq | FCmpOp::Ueq => equal,
        FCmpOp::Ogt | FCmpOp::Ugt => greater,
        FCmpOp::Oge | FCmpOp::Uge => greater || equal,
        FCmpOp::Olt | FCmpOp::Ult => less,
        FCmpOp::Ole | FCmpOp::Ule => less || equal,
        FCmpOp::One | FCmpOp::Une => !equal,
    }
}

/// The width and the bits of the result. `from_width` is that of an integer source.
fn convert(op: FCastOp, width: u16, from_width: u32, bits: u128) -> (u32, u128) {
    let w = u32::from(width);
    match op {
        FCastOp::Float { from, to } => {
            let result = with_kind!(from, F, {
                with_kind!(to, T, {
                    let mut loses = false;
                    let value: T = F::from_bits(bits).convert(&mut loses).value;
                    value.to_bits()
                })
            });
            (u32::from(to.width()), result)
        }
        FCastOp::ToSigned(kind) => (w, to_integer(kind, bits, w, true)),
        FCastOp::ToUnsigned(kind) => (w, to_integer(kind, bits, w, false)),
        FCastOp::ToSignedSat(kind) => {
            (w, with_kind!(kind, F, F::from_bits(bits).to_i128(w as usize).value as u128) & low(w))
        }
        FCastOp::ToUnsignedSat(kind) => (w, with_kind!(kind, F, F::from_bits(bits).to_u128(w as usize).value) & low(w)),
        FCastOp::FromUnsigned(kind) => {
            (u32::from(kind.width()), with_kind!(kind, F, F::from_u128(bits).value.to_bits()))
        }
        FCastOp::FromSigned(kind) => {
            let unused = 128 - from_width;
            let signed = ((bits << unused) as i128) >> unused;
            (u32::from(kind.width()), with_kind!(kind, F, F::from_i128(signed).value.to_bits()))
        }
        FCastOp::IsClass(kind) => (1, u128::from(with_kind!(kind, F, is_class(F::from_bits(bits), width)))),
        FCastOp::Rint(kind) => {
            let rounded = unary(FUnOp::Rint, kind, bits).expect("every kind rounds");
            (w, to_integer(kind, rounded, w, true))
        }
        FCastOp::Round(kind) => {
            let rounded = unary(FUnOp::Round, kind, bits).expect("every kind rounds");
            (w, to_integer(kind, rounded, w, true))
        }
    }
}

fn low(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// What is out of range has no meaning in C; we give what the x86-64 instructions give, so that native runs agree.
fn to_integer(kind: FloatKind, bits: u128, width: u32, signed: bool) -> u128 {
    let machine: usize = match (signed, width) {
        (_, 65..) => return with_kind!(kind, F, exact(F::from_bits(bits), signed, width)) & low(width),
        (true, ..=32) | (false, ..=31) => 32,
        (true, 33..=64) | (false, 32..=63) => 64,
        (false, _) => return with_kind!(kind, F, unsigned_64(F::from_bits(bits))),
    };
    let indefinite = 1u128 << (machine - 1);
    let converted = with_kind!(kind, F, {
        let result = F::from_bits(bits).to_i128(machine);
        if result.status.contains(rustc_apfloat::Status::INVALID_OP) { indefinite } else { result.value as u128 }
    });
    converted & low(width)
}

fn exact<F: Float>(value: F, signed: bool, width: u32) -> u128 {
    if signed { value.to_i128(width as usize).value as u128 } else { value.to_u128(width as usize).value }
}

fn unsigned_64<F: Float>(value: F) -> u128 {
    let result = value.to_u128(64);
    if !result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        return result.value;
    }
    let signed = value.to_i128(64);
    if signed.status.contains(rustc_apfloat::Status::INVALID_OP) { 1 << 63 } else { signed.value as u128 & low(64) }
}

fn is_class<F: Float>(value: F, mask: u16) -> bool {
    let negative = value.is_negative();
    let bit = match value.category() {
        Category::NaN => u16::from(!value.is_signaling()),
        Category::Infinity => {
            if negative {
                2
            } else {
                9
            }
        }
        Category::Zero => {
            if negative {
                5
            } else {
                6
            }
        }
        Category::Normal if value.is_denormal() => {
            if negative {
                4
            } else {
                7
            }
        }
        Category::Normal => {
            if negative {
                3
            } else {
                8
            }
        }
    };
    mask & (1 << bit) != 0
}
