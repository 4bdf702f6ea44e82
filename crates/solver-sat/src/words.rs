//! Words of bits, the lowest first, and their arithmetic. The folding of gates does the rest: a sum with a constant
//! takes half of the gates, a shift by a constant takes none.

use osier_term::{BvOp, CmpOp};

use crate::gates::{Bit, Gates};

pub(crate) type Word = Vec<Bit>;

pub(crate) fn constant(width: u32, value: u128) -> Word {
    (0..width).map(|i| Bit::constant(value >> i & 1 == 1)).collect()
}

pub(crate) fn negation(a: &[Bit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// `then` if `cond`, else `other`.
pub(crate) fn choose(gates: &mut Gates, cond: Bit, then: &[Bit], other: &[Bit]) -> Word {
    then.iter().zip(other).map(|(&t, &o)| gates.mux(cond, t, o)).collect()
}

pub(crate) fn apply(gates: &mut Gates, op: BvOp, a: &[Bit], b: &[Bit]) -> Word {
    match op {
        BvOp::Add => sum(gates, a, b, Bit::FALSE).0,
        BvOp::Sub => sum(gates, a, &negation(b), Bit::TRUE).0,
        BvOp::Mul => product(gates, a, b),
        BvOp::UDiv => divide(gates, a, b).0,
        BvOp::URem => divide(gates, a, b).1,
        BvOp::SDiv => {
            let (quotient, _) = divide_magnitudes(gates, a, b);
            let negative = gates.xor(sign(a), sign(b));
            minus_if(gates, negative, &quotient)
        }
        BvOp::SRem => {
            let (_, remainder) = divide_magnitudes(gates, a, b);
            minus_if(gates, sign(a), &remainder)
        }
        BvOp::Shl => {
            let upside_down: Word = a.iter().rev().copied().collect();
            let mut shifted = shift_down(gates, &upside_down, b, Bit::FALSE);
            shifted.reverse();
            shifted
        }
        BvOp::LShr => shift_down(gates, a, b, Bit::FALSE),
        BvOp::AShr => shift_down(gates, a, b, sign(a)),
        BvOp::And => a.iter().zip(b).map(|(&a, &b)| gates.and(a, b)).collect(),
        BvOp::Or => a.iter().zip(b).map(|(&a, &b)| gates.or(a, b)).collect(),
        BvOp::Xor => a.iter().zip(b).map(|(&a, &b)| gates.xor(a, b)).collect(),
    }
}

pub(crate) fn compare(gates: &mut Gates, op: CmpOp, a: &[Bit], b: &[Bit]) -> Bit {
    match op {
        CmpOp::Eq => equal(gates, a, b),
        CmpOp::Ult => less(gates, a, b),
        CmpOp::Ule => !less(gates, b, a),
        CmpOp::Slt => less(gates, &sign_flipped(a), &sign_flipped(b)),
        CmpOp::Sle => !less(gates, &sign_flipped(b), &sign_flipped(a)),
    }
}

pub(crate) fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let mut same = Bit::TRUE;
    for (&a, &b) in a.iter().zip(b) {
        let differ = gates.xor(a, b);
        same = gates.and(same, !differ);
    }
    same
}

fn sign(a: &[Bit]) -> Bit {
    *a.last().expect("words have at least one bit")
}

/// Moves the smallest signed value to zero, which turns signed order into unsigned order.
fn sign_flipped(a: &[Bit]) -> Word {
    let mut flipped = a.to_vec();
    let top = flipped.last_mut().expect("words have at least one bit");
    *top = !*top;
    flipped
}

/// `a < b`: the borrow of `a - b`.
fn less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    a.iter().zip(b).fold(Bit::FALSE, |below, (&a, &b)| gates.majority(!a, b, below))
}

/// The sum and the carry out of it.
fn sum(gates: &mut Gates, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = gates.xor(a, b);
        sum.push(gates.xor(half, carry));
        carry = gates.majority(a, b, carry);
    }
    (sum, carry)
}

fn minus_if(gates: &mut Gates, negative: Bit, a: &[Bit]) -> Word {
    let mut carry = negative;
    let mut result = Word::with_capacity(a.len());
    for &bit in a {
        let flipped = gates.xor(bit, negative);
        result.push(gates.xor(flipped, carry));
        carry = gates.and(flipped, carry);
    }
    result
}

/// Shift and add, once for each bit of the factor with more zeros.
fn product(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let zeros = |word: &[Bit]| word.iter().filter(|&&bit| bit == Bit::FALSE).count();
    let (long, short) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
    let width = a.len();
    let mut total = vec![Bit::FALSE; width];
    for (shift, &digit) in short.iter().enumerate() {
        if digit == Bit::FALSE {
            continue;
        }
        let part: Word = long[..width - shift].iter().map(|&bit| gates.and(bit, digit)).collect();
        let (upper, _) = sum(gates, &total[shift..], &part, Bit::FALSE);
        total.truncate(shift);
        total.extend(upper);
    }
    total
}

/// Quotient and remainder, by the method of pencil and paper. Zero as the divisor fits at every step, so the quotient
/// is all ones then and the remainder is the dividend, as it must be.
fn divide(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Word, Word) {
    let width = a.len();
    let mut not_b = negation(b);
    not_b.push(Bit::TRUE);
    let mut quotient = vec![Bit::FALSE; width];
    let mut rest = vec![Bit::FALSE; width];
    for at in (0..width).rev() {
        rest.insert(0, a[at]);
        let (difference, fits) = sum(gates, &rest, &not_b, Bit::TRUE);
        quotient[at] = fits;
        rest = choose(gates, fits, &difference[..width], &rest[..width]);
    }
    (quotient, rest)
}

fn divide_magnitudes(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Word, Word) {
    let (a, b) = (minus_if(gates, sign(a), a), minus_if(gates, sign(b), b));
    divide(gates, &a, &b)
}

/// Towards the lowest bit, one stage for each bit of `by`; `fill` comes in at the top.
fn shift_down(gates: &mut Gates, a: &[Bit], by: &[Bit], fill: Bit) -> Word {
    let width = a.len();
    let mut shifted = a.to_vec();
    let mut beyond = Bit::FALSE;
    for (stage, &digit) in by.iter().enumerate() {
        let distance = if stage < 8 { 1 << stage } else { width };
        if distance >= width {
            beyond = gates.or(beyond, digit);
            continue;
        }
        shifted = (0..width)
            .map(|i| {
                let from = shifted.get(i + distance).copied().unwrap_or(fill);
                gates.mux(digit, from, shifted[i])
            })
            .collect();
    }
    shifted.into_iter().map(|bit| gates.mux(beyond, fill, bit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gates::outputs;

    fn free(gates: &mut Gates, width: u32) -> Word {
        (0..width).map(|_| gates.free()).collect()
    }

    fn digits(width: u32, value: u128) -> Vec<bool> {
        (0..width).map(|i| value >> i & 1 == 1).collect()
    }

    fn number(outputs: &[bool], word: &[Bit]) -> u128 {
        word.iter().rev().fold(0, |n, bit| n << 1 | u128::from(outputs[bit.gate()] != bit.is_negated()))
    }

    /// All operators over two words against their meaning, where `values` are those of the free bits.
    fn check(width: u32, gates: &mut Gates, a: &[Bit], b: &[Bit], values: impl Iterator<Item = Vec<bool>>) {
        let made = BvOp::ALL.map(|op| (op, apply(gates, op, a, b)));
        let compared = CmpOp::ALL.map(|op| (op, compare(gates, op, a, b)));
        for free in values {
            let outputs = outputs(gates, &free);
            let (x, y) = (number(&outputs, a), number(&outputs, b));
            for (op, word) in &made {
                let expected = osier_term::apply(*op, width, x, y);
                assert_eq!(number(&outputs, word), expected, "{op:?} of {x} and {y}, {width} bits");
            }
            for (op, bit) in &compared {
                let expected = osier_term::compare(*op, width, x, y);
                assert_eq!(number(&outputs, &[*bit]) == 1, expected, "{op:?} of {x} and {y}, {width} bits");
            }
        }
    }

    #[test]
    fn all_operators_on_all_small_words() {
        for width in 1..=5 {
            let mut gates = Gates::new();
            let (a, b) = (free(&mut gates, width), free(&mut gates, width));
            check(width, &mut gates, &a, &b, (0..1 << (2 * width)).map(|n| digits(2 * width, n)));
        }
    }

    #[test]
    fn all_operators_with_a_constant_or_with_themselves() {
        for width in 1..=4 {
            for k in 0..1 << width {
                let mut gates = Gates::new();
                let (a, k) = (free(&mut gates, width), constant(width, k));
                check(width, &mut gates, &a, &k, (0..1 << width).map(|n| digits(width, n)));
                check(width, &mut gates, &k, &a, (0..1 << width).map(|n| digits(width, n)));
                check(width, &mut gates, &a, &a, (0..1 << width).map(|n| digits(width, n)));
            }
        }
    }

    #[test]
    fn all_operators_on_wide_words() {
        for width in [31, 64, 100, 128] {
            let mut gates = Gates::new();
            let (a, b) = (free(&mut gates, width), free(&mut gates, width));
            let mask = osier_term::mask(width);
            let some = [0, 1, 7, 33, 0x1234_5678_9abc_def0, 0xfeed_beef_dead_cafe_1234_5678_9abc_def1, mask, mask >> 1];
            let pairs = some.iter().flat_map(|&x| some.iter().map(move |&y| (x, y)));
            let values = pairs.map(|(x, y)| [digits(width, x), digits(width, y)].concat());
            check(width, &mut gates, &a, &b, values);
        }
    }

    #[test]
    fn constants_need_no_gates() {
        let mut gates = Gates::new();
        let a = free(&mut gates, 32);
        let before = gates.len();
        let (three, eight) = (constant(32, 3), constant(32, 8));
        for op in [BvOp::Shl, BvOp::LShr, BvOp::AShr] {
            apply(&mut gates, op, &a, &three);
        }
        for op in [BvOp::Mul, BvOp::And, BvOp::Or, BvOp::Xor] {
            apply(&mut gates, op, &a, &eight);
        }
        assert_eq!(apply(&mut gates, BvOp::UDiv, &a, &eight), apply(&mut gates, BvOp::LShr, &a, &three));
        assert_eq!(gates.len(), before);
    }
}
