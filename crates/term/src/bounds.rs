//! Cheap facts about values, read off the shape of a term. They look a few levels deep and then give up.

use crate::arrays::ArrayData;
use crate::bits::{bit_length, mask};
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

/// Levels looked at; with two operands a level, at most a few dozen nodes.
const LEVELS: u32 = 5;

impl Pool {
    /// An unsigned upper bound of the term's value.
    pub fn max_value(&self, t: Term) -> u128 {
        self.max_within(t, LEVELS)
    }

    fn max_within(&self, t: Term, levels: u32) -> u128 {
        let top = mask(self.width(t));
        if levels == 0 {
            return self.as_const(t).unwrap_or(top);
        }
        let max = |x| self.max_within(x, levels - 1);
        match self.node(t) {
            Node::Const { value, .. } => value,
            Node::Select { array, .. } => match &self.arrays[array] {
                ArrayData::Table { largest, .. } => u128::from(*largest),
                ArrayData::Input { .. } | ArrayData::Store(_) => top,
            },
            Node::Cmp { .. } | Node::Not(_) => top,
            Node::ZExt { term, .. } => max(term),
            Node::SExt { term, .. } => {
                let inner = max(term);
                if inner <= mask(self.width(term)) >> 1 { inner } else { top }
            }
            Node::Concat { high, low } => max(high) << self.width(low) | max(low),
            Node::Extract { term, low, .. } => (max(term) >> low).min(top),
            Node::Ite { then, other, .. } => max(then).max(max(other)),
            Node::Bin { op, a, b } => match op {
                BvOp::And => max(a).min(max(b)),
                BvOp::Or | BvOp::Xor => match bit_length(max(a) | max(b)) {
                    0 => 0,
                    bits => mask(bits),
                },
                BvOp::Add => max(a).checked_add(max(b)).filter(|&sum| sum <= top).unwrap_or(top),
                BvOp::Mul => max(a).checked_mul(max(b)).filter(|&product| product <= top).unwrap_or(top),
                BvOp::UDiv => match self.as_const(b) {
                    Some(divisor) if divisor != 0 => max(a) / divisor,
                    _ => top,
                },
                BvOp::URem => match self.as_const(b) {
                    Some(divisor) if divisor != 0 => max(a).min(divisor - 1),
                    _ => max(a),
                },
                BvOp::LShr => match self.as_const(b) {
                    Some(by) if by < 128 => max(a) >> by,
                    _ => max(a),
                },
                BvOp::Shl => match self.as_const(b) {
                    Some(by) if by < 128 && max(a) <= top >> by => max(a) << by,
                    _ => top,
                },
                BvOp::Sub | BvOp::SDiv | BvOp::SRem | BvOp::AShr => top,
            },
        }
    }

    /// A number of low bits that are certainly zero; the width for the constant zero.
    pub fn trailing_zeros(&self, t: Term) -> u32 {
        self.zeros_within(t, LEVELS)
    }

    fn zeros_within(&self, t: Term, levels: u32) -> u32 {
        let width = self.width(t);
        if let Some(value) = self.as_const(t) {
            return value.trailing_zeros().min(width);
        }
        if levels == 0 {
            return 0;
        }
        let zeros = |x| self.zeros_within(x, levels - 1);
        match self.node(t) {
            Node::Const { value, .. } => value.trailing_zeros().min(width),
            Node::Select { .. } | Node::Cmp { .. } | Node::Not(_) => 0,
            Node::ZExt { term, .. } | Node::SExt { term, .. } => match zeros(term) {
                all if all == self.width(term) => width,
                some => some,
            },
            Node::Concat { high, low } => match zeros(low) {
                all if all == self.width(low) => all + zeros(high),
                some => some,
            },
            Node::Extract { term, low, .. } => zeros(term).saturating_sub(low).min(width),
            Node::Ite { then, other, .. } => zeros(then).min(zeros(other)),
            Node::Bin { op, a, b } => match op {
                BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor => zeros(a).min(zeros(b)),
                BvOp::And => zeros(a).max(zeros(b)),
                BvOp::Mul => (zeros(a) + zeros(b)).min(width),
                BvOp::Shl => match self.as_const(b) {
                    Some(by) if by < u128::from(width) => (zeros(a) + by as u32).min(width),
                    Some(_) => width,
                    None => zeros(a),
                },
                BvOp::LShr | BvOp::AShr | BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem => 0,
            },
        }
    }

    /// An index as a sum of something and a constant: `(base, offset)`, with no base where it is constant.
    pub(crate) fn index_parts(&self, t: Term) -> (Option<Term>, u64) {
        match self.node(t) {
            Node::Const { value, .. } => (None, value as u64),
            Node::Bin { op: BvOp::Add, a, b } => match self.as_const(b) {
                Some(offset) => (Some(a), offset as u64),
                None => (Some(t), 0),
            },
            _ => (Some(t), 0),
        }
    }

    /// Whether two indices, 64 bits wide, certainly differ under every assignment: by their constants over one base, by
    /// their places within a common stride, or because one is a constant beyond the other's range.
    pub(crate) fn never_equal(&self, a: Term, b: Term) -> bool {
        let ((base_a, offset_a), (base_b, offset_b)) = (self.index_parts(a), self.index_parts(b));
        if base_a == base_b {
            return offset_a != offset_b;
        }
        let stride = [base_a, base_b].into_iter().flatten().map(|base| self.trailing_zeros(base)).min().unwrap_or(0);
        if (offset_a ^ offset_b).trailing_zeros() < stride {
            return true;
        }
        match (base_a, base_b) {
            (None, Some(_)) => self.max_value(b) < u128::from(offset_a),
            (Some(_), None) => self.max_value(a) < u128::from(offset_b),
            (Some(_), Some(_)) | (None, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(pool: &mut Pool) -> Term {
        let input = pool.input("x", 1);
        pool.select_at(input, 0)
    }

    #[test]
    fn upper_bounds_follow_the_shape() {
        let mut pool = Pool::new();
        let x = byte(&mut pool);
        let wide = pool.zext(x, 32);
        assert_eq!(pool.max_value(wide), 255);
        let ten = pool.constant(32, 10);
        let rest = pool.bin(BvOp::URem, wide, ten);
        assert_eq!(pool.max_value(rest), 9);
        let sum = pool.bin(BvOp::Add, wide, ten);
        assert_eq!(pool.max_value(sum), 265);
        let shift = pool.constant(8, 3);
        let shifted = pool.bin(BvOp::LShr, x, shift);
        assert_eq!(pool.max_value(shifted), 31);
    }

    #[test]
    fn a_sum_that_can_wrap_has_no_bound() {
        let mut pool = Pool::new();
        let x = byte(&mut pool);
        let one = pool.constant(8, 1);
        let sum = pool.bin(BvOp::Add, x, one);
        assert_eq!(pool.max_value(sum), 255);
    }

    #[test]
    fn strides_show_as_trailing_zeros() {
        let mut pool = Pool::new();
        let x = byte(&mut pool);
        let wide = pool.zext(x, 64);
        let (twelve, four) = (pool.constant(64, 12), pool.constant(64, 4));
        let scaled = pool.bin(BvOp::Mul, wide, twelve);
        assert_eq!(pool.trailing_zeros(scaled), 2);
        let moved = pool.bin(BvOp::Add, scaled, four);
        assert_eq!(pool.trailing_zeros(moved), 2);
        assert_eq!(pool.trailing_zeros(wide), 0);
        let other = pool.bin(BvOp::UDiv, four, wide);
        let other = pool.bin(BvOp::Mul, other, twelve);
        let both = pool.and(scaled, other);
        assert_eq!(pool.trailing_zeros(both), 2);
        let zero = pool.constant(16, 0);
        assert_eq!(pool.trailing_zeros(zero), 16);
    }

    #[test]
    fn indices_differ_by_range_stride_or_offset() {
        let mut pool = Pool::new();
        let (x, y) = (byte(&mut pool), byte(&mut pool));
        let (x, y) = (pool.zext(x, 64), pool.zext(y, 64));
        let [one, two, four, six, far] = [1, 2, 4, 6, 256].map(|value| pool.constant(64, value));
        let (scaled, other) = (pool.bin(BvOp::Mul, x, four), pool.bin(BvOp::Mul, y, four));
        let (moved, other_moved) = (pool.add(x, four), pool.add(other, two));
        assert!(pool.never_equal(x, far));
        assert!(pool.never_equal(six, scaled));
        assert!(pool.never_equal(x, moved));
        assert!(pool.never_equal(scaled, other_moved));
        assert!(pool.never_equal(one, other_moved));
        assert!(!pool.never_equal(six, other_moved));
        assert!(!pool.never_equal(scaled, other));
        assert!(!pool.never_equal(four, scaled));
        assert!(!pool.never_equal(scaled, moved));
        assert!(!pool.never_equal(x, y));
        assert!(!pool.never_equal(x, x));
    }
}
