//! What each operator of KQuery makes of its operands.

use osier_term::{Array, BvOp, CmpOp, Pool, Term};

use super::lexer::{Token, value};
use crate::position::{ParseError, Position, fail};

/// The widest term.
const WIDEST: u32 = 128;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Bin(BvOp),
    /// A comparison, of swapped operands or with the answer negated.
    Cmp {
        op: CmpOp,
        swap: bool,
        negate: bool,
    },
    Not,
    Neg,
    Concat,
    Extract,
    ZExt,
    SExt,
    Read,
    ReadLsb,
    ReadMsb,
    Select,
}

impl Operator {
    pub(super) fn named(name: &str) -> Option<Operator> {
        let compare = |op, swap, negate| Operator::Cmp { op, swap, negate };
        Some(match name {
            "Add" => Operator::Bin(BvOp::Add),
            "Sub" => Operator::Bin(BvOp::Sub),
            "Mul" => Operator::Bin(BvOp::Mul),
            "UDiv" => Operator::Bin(BvOp::UDiv),
            "SDiv" => Operator::Bin(BvOp::SDiv),
            "URem" => Operator::Bin(BvOp::URem),
            "SRem" => Operator::Bin(BvOp::SRem),
            "And" => Operator::Bin(BvOp::And),
            "Or" => Operator::Bin(BvOp::Or),
            "Xor" => Operator::Bin(BvOp::Xor),
            "Shl" => Operator::Bin(BvOp::Shl),
            "LShr" => Operator::Bin(BvOp::LShr),
            "AShr" => Operator::Bin(BvOp::AShr),
            "Eq" => compare(CmpOp::Eq, false, false),
            "Ne" => compare(CmpOp::Eq, false, true),
            "Ult" => compare(CmpOp::Ult, false, false),
            "Ule" => compare(CmpOp::Ule, false, false),
            "Ugt" => compare(CmpOp::Ult, true, false),
            "Uge" => compare(CmpOp::Ule, true, false),
            "Slt" => compare(CmpOp::Slt, false, false),
            "Sle" => compare(CmpOp::Sle, false, false),
            "Sgt" => compare(CmpOp::Slt, true, false),
            "Sge" => compare(CmpOp::Sle, true, false),
            "Not" => Operator::Not,
            "Neg" => Operator::Neg,
            "Concat" => Operator::Concat,
            "Extract" => Operator::Extract,
            "ZExt" => Operator::ZExt,
            "SExt" => Operator::SExt,
            "Read" => Operator::Read,
            "ReadLSB" => Operator::ReadLsb,
            "ReadMSB" => Operator::ReadMsb,
            "Select" => Operator::Select,
            _ => return None,
        })
    }

    pub(super) fn reads(self) -> bool {
        match self {
            Operator::Read | Operator::ReadLsb | Operator::ReadMsb => true,
            Operator::Bin(_)
            | Operator::Cmp { .. }
            | Operator::Not
            | Operator::Neg
            | Operator::Concat
            | Operator::Extract
            | Operator::ZExt
            | Operator::SExt
            | Operator::Select => false,
        }
    }
}

/// An array with the updates on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version {
    pub array: Array,
    /// The width of its indices.
    pub domain: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    /// Its width depends on where it stands.
    Number(Token<'a>),
    Term(Term),
    Version(Version),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Argument<'a> {
    pub value: Value<'a>,
    pub at: Position,
}

/// `(name width argument ...)`, about to become a term.
pub(super) struct Call<'a> {
    pub operator: Operator,
    pub name: &'a str,
    pub width: Option<u32>,
    pub at: Position,
    pub arguments: Vec<Argument<'a>>,
}

pub(super) fn check_width(at: Position, width: u32) -> Result<u32, ParseError> {
    match width {
        1..=WIDEST => Ok(width),
        _ => fail(at, format!("width {width} is not supported: 1 to {WIDEST} bits are")),
    }
}

/// A number or term as a term of this width.
pub(super) fn of_width(pool: &mut Pool, argument: Argument, width: u32) -> Result<Term, ParseError> {
    match argument.value {
        Value::Number(token) => number(pool, token, width),
        Value::Term(t) if pool.width(t) == width => Ok(t),
        Value::Term(t) => fail(argument.at, format!("expected {width} bits, found {}", pool.width(t))),
        Value::Version(_) => fail(argument.at, "expected an expression, found an array"),
    }
}

/// A term whose width is known without help.
pub(super) fn of_any_width(pool: &mut Pool, argument: Argument) -> Result<Term, ParseError> {
    match argument.value {
        Value::Number(_) => fail(argument.at, "the width of this number is not known; write `(w32 NUMBER)`"),
        Value::Term(t) => of_width(pool, argument, pool.width(t)),
        Value::Version(_) => fail(argument.at, "expected an expression, found an array"),
    }
}

pub(super) fn number(pool: &mut Pool, token: Token, width: u32) -> Result<Term, ParseError> {
    match value(token.text) {
        Some(value) => Ok(pool.constant(width, value)),
        None => fail(token.at, format!("{} is not a number", token.describe())),
    }
}

/// An index as wide as terms have them.
pub(super) fn index(pool: &mut Pool, argument: Argument, domain: u32) -> Result<Term, ParseError> {
    let index = of_width(pool, argument, domain)?;
    Ok(pool.zext(index, 64))
}

pub(super) fn apply(pool: &mut Pool, call: &Call) -> Result<Term, ParseError> {
    match call.operator {
        Operator::Bin(op) => {
            let [a, b] = exactly(call)?;
            let width = call.width.or_else(|| known_width(pool, &[a, b])).unwrap_or(1);
            let (a, b) = (of_width(pool, a, width)?, of_width(pool, b, width)?);
            Ok(pool.bin(op, a, b))
        }
        Operator::Cmp { op, swap, negate } => {
            let [a, b] = exactly(call)?;
            let Some(width) = known_width(pool, &[a, b]).or(call.width) else {
                return fail(call.at, format!("the width of the operands of `{}` is not known", call.name));
            };
            let (a, b) = (of_width(pool, a, width)?, of_width(pool, b, width)?);
            let holds = if swap { pool.cmp(op, b, a) } else { pool.cmp(op, a, b) };
            Ok(if negate { pool.not(holds) } else { holds })
        }
        Operator::Not | Operator::Neg => {
            let [a] = exactly(call)?;
            let width = call.width.or_else(|| known_width(pool, &[a])).unwrap_or(1);
            let a = of_width(pool, a, width)?;
            Ok(if call.operator == Operator::Not { pool.not(a) } else { pool.neg(a) })
        }
        Operator::Select => {
            let [cond, then, other] = exactly(call)?;
            let width = call.width.or_else(|| known_width(pool, &[then, other])).unwrap_or(1);
            let cond = of_width(pool, cond, 1)?;
            let (then, other) = (of_width(pool, then, width)?, of_width(pool, other, width)?);
            Ok(pool.ite(cond, then, other))
        }
        Operator::Concat => concat(pool, call),
        Operator::Extract => extract(pool, call),
        Operator::ZExt | Operator::SExt => {
            let [a] = exactly(call)?;
            let (a, width) = (of_any_width(pool, a)?, result_width(call)?);
            let from = pool.width(a);
            if from > width {
                return fail(call.at, format!("`{}` from {from} bits to {width}", call.name));
            }
            Ok(if call.operator == Operator::ZExt { pool.zext(a, width) } else { pool.sext(a, width) })
        }
        Operator::Read | Operator::ReadLsb | Operator::ReadMsb => read(pool, call),
    }
}

fn exactly<'a, const COUNT: usize>(call: &Call<'a>) -> Result<[Argument<'a>; COUNT], ParseError> {
    call.arguments.as_slice().try_into().map_err(|_| {
        ParseError::new(call.at, format!("`{}` has {COUNT} operands, here are {}", call.name, call.arguments.len()))
    })
}

/// The width of the first operand that has one.
fn known_width(pool: &Pool, arguments: &[Argument]) -> Option<u32> {
    arguments.iter().find_map(|argument| match argument.value {
        Value::Term(t) => Some(pool.width(t)),
        Value::Number(_) | Value::Version(_) => None,
    })
}

fn result_width(call: &Call) -> Result<u32, ParseError> {
    call.width.ok_or_else(|| ParseError::new(call.at, format!("`{}` needs a type, such as `w32`", call.name)))
}

fn concat(pool: &mut Pool, call: &Call) -> Result<Term, ParseError> {
    let mut whole: Option<Term> = None;
    for &argument in &call.arguments {
        let low = of_any_width(pool, argument)?;
        whole = Some(match whole {
            None => low,
            Some(high) => {
                check_width(call.at, pool.width(high) + pool.width(low))?;
                pool.concat(high, low)
            }
        });
    }
    let Some(whole) = whole else { return fail(call.at, "`Concat` of nothing") };
    match call.width {
        Some(width) if width != pool.width(whole) => {
            fail(call.at, format!("the operands of `Concat` have {} bits together, not {width}", pool.width(whole)))
        }
        Some(_) | None => Ok(whole),
    }
}

fn extract(pool: &mut Pool, call: &Call) -> Result<Term, ParseError> {
    let [offset, of] = exactly(call)?;
    let width = result_width(call)?;
    let offset_term = of_width(pool, offset, 32)?;
    let of = of_any_width(pool, of)?;
    match pool.as_const(offset_term) {
        Some(low) if low + u128::from(width) <= u128::from(pool.width(of)) => Ok(pool.extract(of, low as u32, width)),
        Some(low) => {
            fail(call.at, format!("{width} bits from bit {low} up are beyond the operand of {} bits", pool.width(of)))
        }
        None => fail(offset.at, "the offset of `Extract` is not a number"),
    }
}

fn read(pool: &mut Pool, call: &Call) -> Result<Term, ParseError> {
    let [at, version] = exactly(call)?;
    let Value::Version(version) = version.value else { return fail(version.at, "expected an array") };
    let width = call.width.unwrap_or(8);
    let bytes = match call.operator {
        Operator::Read if width != 8 => return fail(call.at, format!("`Read` gives 8 bits, not {width}")),
        _ if !width.is_multiple_of(8) => return fail(call.at, format!("{width} bits are not a number of bytes")),
        _ => width / 8,
    };
    let first = of_width(pool, at, version.domain)?;
    let mut whole: Option<Term> = None;
    for i in 0..bytes {
        let index = offset_index(pool, first, i);
        let byte = pool.select(version.array, index);
        whole = Some(match whole {
            None => byte,
            Some(low) if call.operator == Operator::ReadLsb => pool.concat(byte, low),
            Some(high) => pool.concat(high, byte),
        });
    }
    Ok(whole.expect("at least one byte"))
}

/// `first + i` as a 64-bit index. The sum wraps at the width of the indices, as KLEE's does; where it cannot, it is
/// formed from the wide index, which is how terms that never were KQuery have it.
fn offset_index(pool: &mut Pool, first: Term, i: u32) -> Term {
    let domain = pool.width(first);
    let wide = pool.zext(first, 64);
    let offset = u128::from(i);
    if domain == 64 || pool.max_value(first) + offset < 1 << domain {
        let offset = pool.constant(64, offset);
        return pool.add(wide, offset);
    }
    let offset = pool.constant(domain, offset);
    let index = pool.add(first, offset);
    pool.zext(index, 64)
}
