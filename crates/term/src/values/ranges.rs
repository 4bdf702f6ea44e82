//! Known bits with an unsigned and a signed range: what is kept of a term that is wider than eight bits.

use crate::bits::{apply, mask, sign_extend};
use crate::node::BvOp;

/// Every value of the term has its bits in `zeros` clear and those in `ones` set, lies between `low` and `high` as an
/// unsigned number and between `least` and `most` as a signed one. Each says what the others imply, as far as
/// [`Ranges::settled`] goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranges {
    pub width: u32,
    pub zeros: u128,
    pub ones: u128,
    pub low: u128,
    pub high: u128,
    pub least: i128,
    pub most: i128,
}

/// The sign bit of a width.
fn sign(width: u32) -> u128 {
    1 << (width - 1)
}

impl Ranges {
    pub fn all(width: u32) -> Self {
        let most = (mask(width) >> 1) as i128;
        Ranges { width, zeros: 0, ones: 0, low: 0, high: mask(width), least: -most - 1, most }
    }

    pub fn constant(width: u32, value: u128) -> Self {
        let signed = sign_extend(width, value);
        Ranges { width, zeros: !value & mask(width), ones: value, low: value, high: value, least: signed, most: signed }
    }

    /// No value at all; every such set looks like this.
    pub fn empty(width: u32) -> Self {
        Ranges { low: 1, high: 0, least: 1, most: 0, ..Ranges::all(width) }
    }

    pub fn unsigned(width: u32, low: u128, high: u128) -> Self {
        Ranges { low, high: high.min(mask(width)), ..Ranges::all(width) }.settled()
    }

    pub fn signed(width: u32, least: i128, most: i128) -> Self {
        let all = Ranges::all(width);
        Ranges { least: least.max(all.least), most: most.min(all.most), ..all }.settled()
    }

    pub fn bits(width: u32, zeros: u128, ones: u128) -> Self {
        Ranges { zeros: zeros & mask(width), ones: ones & mask(width), ..Ranges::all(width) }.settled()
    }

    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    pub fn as_const(&self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn contains(&self, value: u128) -> bool {
        let signed = sign_extend(self.width, value);
        value & self.zeros == 0
            && !value & self.ones == 0
            && (self.low..=self.high).contains(&value)
            && (self.least..=self.most).contains(&signed)
    }

    /// The values below `end`, in ascending order: those places of a table that an index can have.
    pub fn below(&self, end: usize) -> impl DoubleEndedIterator<Item = usize> {
        let (zeros, ones) = (self.zeros as usize, self.ones as usize);
        // All values agree in their lowest bits: an index of larger entries goes in steps.
        let step = 1usize << (zeros | ones).trailing_ones().min(16);
        let low = usize::try_from(self.low).unwrap_or(usize::MAX).min(end);
        let first = low.saturating_add((ones & (step - 1)).wrapping_sub(low) & (step - 1));
        let end = usize::try_from(self.high).map_or(end, |high| end.min(high.saturating_add(1)));
        (first..end).step_by(step).filter(move |place| place & zeros == 0 && !place & ones == 0)
    }

    /// Lets bits, unsigned and signed range tell each other what they know.
    #[must_use]
    pub fn settled(mut self) -> Self {
        // A second turn carries what the last step found back to the first.
        for _ in 0..2 {
            self.low = self.low.max(self.ones);
            self.high = self.high.min(!self.zeros & mask(self.width));
            if self.low > self.high || self.zeros & self.ones != 0 || self.least > self.most {
                return Ranges::empty(self.width);
            }
            if self.least >= 0 || self.most < 0 {
                self.low = self.low.max(self.least as u128 & mask(self.width));
                self.high = self.high.min(self.most as u128 & mask(self.width));
            }
            if self.low & sign(self.width) == self.high & sign(self.width) {
                self.least = self.least.max(sign_extend(self.width, self.low));
                self.most = self.most.min(sign_extend(self.width, self.high));
            }
            if self.low > self.high || self.least > self.most {
                return Ranges::empty(self.width);
            }
            // Above the highest bit in which the ends differ, all values agree with them.
            let agreed = match (self.low ^ self.high).leading_zeros() {
                128 => u128::MAX,
                equal => !(u128::MAX >> equal),
            } & mask(self.width);
            self.zeros |= !self.low & agreed;
            self.ones |= self.low & agreed;
        }
        if self.zeros & self.ones != 0 { Ranges::empty(self.width) } else { self }
    }

    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        Ranges {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
        .settled()
    }

    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        Ranges {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn known(&self) -> u128 {
        self.zeros | self.ones
    }

    pub fn not(&self) -> Self {
        if self.is_empty() {
            return *self;
        }
        Ranges {
            width: self.width,
            zeros: self.ones,
            ones: self.zeros,
            low: !self.high & mask(self.width),
            high: !self.low & mask(self.width),
            least: !self.most,
            most: !self.least,
        }
    }

    pub fn zext(&self, width: u32) -> Self {
        if self.is_empty() {
            return Ranges::empty(width);
        }
        let added = mask(width) & !mask(self.width);
        Ranges { zeros: self.zeros | added, ones: self.ones, low: self.low, high: self.high, ..Ranges::all(width) }
            .settled()
    }

    pub fn sext(&self, width: u32) -> Self {
        if self.is_empty() {
            return Ranges::empty(width);
        }
        let added = mask(width) & !mask(self.width);
        let spread = |bits: u128| if bits & sign(self.width) != 0 { bits | added } else { bits };
        Ranges {
            zeros: spread(self.zeros),
            ones: spread(self.ones),
            least: self.least,
            most: self.most,
            ..Ranges::all(width)
        }
        .settled()
    }

    pub fn concat(&self, below: &Self) -> Self {
        let (width, shift) = (self.width + below.width, below.width);
        if self.is_empty() || below.is_empty() {
            return Ranges::empty(width);
        }
        Ranges {
            zeros: self.zeros << shift | below.zeros,
            ones: self.ones << shift | below.ones,
            low: self.low << shift | below.low,
            high: self.high << shift | below.high,
            ..Ranges::all(width)
        }
        .settled()
    }

    pub fn extract(&self, low: u32, width: u32) -> Self {
        if self.is_empty() {
            return Ranges::empty(width);
        }
        let (zeros, ones) = (self.zeros >> low & mask(width), self.ones >> low & mask(width));
        let (from, to) = (self.low >> low, self.high >> low);
        let mut part = Ranges { zeros, ones, ..Ranges::all(width) };
        // The part counts up without a wrap only if what is above it stays the same.
        if from & !mask(width) == to & !mask(width) {
            part.low = from & mask(width);
            part.high = to & mask(width);
        }
        part.settled()
    }

    pub fn bin(op: BvOp, a: &Self, b: &Self) -> Self {
        let width = a.width;
        if a.is_empty() || b.is_empty() {
            return Ranges::empty(width);
        }
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            return Ranges::constant(width, apply(op, width, x, y));
        }
        let found = match op {
            BvOp::Add => sum(a, b),
            BvOp::Sub => difference(a, b),
            BvOp::Mul => product(a, b),
            BvOp::UDiv => quotient(a, b),
            BvOp::URem => remainder(a, b),
            BvOp::And => Ranges {
                zeros: a.zeros | b.zeros,
                ones: a.ones & b.ones,
                high: a.high.min(b.high),
                ..Ranges::all(width)
            },
            BvOp::Or => {
                Ranges { zeros: a.zeros & b.zeros, ones: a.ones | b.ones, low: a.low.max(b.low), ..Ranges::all(width) }
            }
            BvOp::Xor => Ranges {
                zeros: a.zeros & b.zeros | a.ones & b.ones,
                ones: a.zeros & b.ones | a.ones & b.zeros,
                ..Ranges::all(width)
            },
            BvOp::Shl => shifted_up(a, b),
            BvOp::LShr => shifted_down(a, b),
            BvOp::AShr => shifted_down_signed(a, b),
            BvOp::SDiv => signed_quotient(a, b),
            BvOp::SRem => signed_remainder(a, b),
        };
        found.settled()
    }
}

/// The low bits that neither side leaves open: no carry from an open bit reaches them.
fn low_run(a: &Ranges, b: &Ranges) -> u128 {
    match (!(a.known() & b.known())).trailing_zeros().min(a.width) {
        0 => 0,
        run => mask(run),
    }
}

fn sum(a: &Ranges, b: &Ranges) -> Ranges {
    let (width, run) = (a.width, low_run(a, b));
    let low_bits = a.ones.wrapping_add(b.ones);
    let mut found = Ranges { zeros: !low_bits & run, ones: low_bits & run, ..Ranges::all(width) };
    // Sums that all wrap, or none of which does, keep their order.
    let top = mask(width);
    let wraps = |x: u128, y: u128| x.checked_add(y).is_none_or(|sum| sum > top);
    if wraps(a.high, b.high) == wraps(a.low, b.low) {
        found.low = a.low.wrapping_add(b.low) & top;
        found.high = a.high.wrapping_add(b.high) & top;
    }
    if let (Some(least), Some(most)) = (a.least.checked_add(b.least), a.most.checked_add(b.most))
        && least >= found.least
        && most <= found.most
    {
        found.least = least;
        found.most = most;
    }
    found
}

fn difference(a: &Ranges, b: &Ranges) -> Ranges {
    let (width, run) = (a.width, low_run(a, b));
    let low_bits = a.ones.wrapping_sub(b.ones);
    let mut found = Ranges { zeros: !low_bits & run, ones: low_bits & run, ..Ranges::all(width) };
    if (a.low < b.high) == (a.high < b.low) {
        found.low = a.low.wrapping_sub(b.high) & mask(width);
        found.high = a.high.wrapping_sub(b.low) & mask(width);
    }
    if let (Some(least), Some(most)) = (a.least.checked_sub(b.most), a.most.checked_sub(b.least))
        && least >= found.least
        && most <= found.most
    {
        found.least = least;
        found.most = most;
    }
    found
}

fn product(a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width;
    let zeros_below = ((!a.zeros).trailing_zeros() + (!b.zeros).trailing_zeros()).min(width);
    let zeros = if zeros_below == 0 { 0 } else { mask(zeros_below) };
    let mut found = Ranges { zeros, ..Ranges::all(width) };
    if let Some(high) = a.high.checked_mul(b.high).filter(|&high| high <= mask(width)) {
        found.low = a.low * b.low;
        found.high = high;
    }
    let corners =
        [(a.least, b.least), (a.least, b.most), (a.most, b.least), (a.most, b.most)].map(|(x, y)| x.checked_mul(y));
    if let [Some(p), Some(q), Some(r), Some(s)] = corners {
        let (least, most) = (p.min(q).min(r).min(s), p.max(q).max(r).max(s));
        if least >= found.least && most <= found.most {
            found.least = least;
            found.most = most;
        }
    }
    found
}

fn quotient(a: &Ranges, b: &Ranges) -> Ranges {
    if b.low == 0 {
        return Ranges::all(a.width);
    }
    Ranges { low: a.low / b.high, high: a.high / b.low, ..Ranges::all(a.width) }
}

fn remainder(a: &Ranges, b: &Ranges) -> Ranges {
    let mut found = Ranges { high: a.high, ..Ranges::all(a.width) };
    if b.low > 0 {
        found.high = found.high.min(b.high - 1);
        if a.high < b.low {
            return *a;
        }
    }
    found
}

fn signed_quotient(a: &Ranges, b: &Ranges) -> Ranges {
    // A negative divisor can be -1, with which the smallest value overflows; zero has its own rule.
    if b.least <= 0 {
        return Ranges::all(a.width);
    }
    let (slow, fast) = (b.least, b.most);
    let least = if a.least < 0 { a.least / slow } else { a.least / fast };
    let most = if a.most < 0 { a.most / fast } else { a.most / slow };
    Ranges { least, most, ..Ranges::all(a.width) }
}

fn signed_remainder(a: &Ranges, b: &Ranges) -> Ranges {
    let mut found = Ranges { least: a.least.min(0), most: a.most.max(0), ..Ranges::all(a.width) };
    if b.least > 0 {
        found.least = found.least.max(1 - b.most);
        found.most = found.most.min(b.most - 1);
    }
    found
}

fn shifted_up(a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width;
    let Some(by) = b.as_const() else {
        let by = b.low.min(u128::from(width)) as u32;
        let zeros_below = ((!a.zeros).trailing_zeros() + by).min(width);
        return Ranges { zeros: if zeros_below == 0 { 0 } else { mask(zeros_below) }, ..Ranges::all(width) };
    };
    if by >= u128::from(width) {
        return Ranges::constant(width, 0);
    }
    let by = by as u32;
    let below = if by == 0 { 0 } else { mask(by) };
    let mut found =
        Ranges { zeros: (a.zeros << by | below) & mask(width), ones: a.ones << by & mask(width), ..Ranges::all(width) };
    if a.high <= mask(width) >> by {
        found.low = a.low << by;
        found.high = a.high << by;
    }
    found
}

fn shifted_down(a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width;
    let shift = |value: u128, by: u128| if by >= u128::from(width) { 0 } else { value >> by };
    let mut found = Ranges { low: shift(a.low, b.high), high: shift(a.high, b.low), ..Ranges::all(width) };
    if let Some(by) = b.as_const().filter(|&by| by < u128::from(width)) {
        let above = mask(width) & !(mask(width) >> by);
        found.zeros = a.zeros >> by | above;
        found.ones = a.ones >> by;
    }
    found
}

fn shifted_down_signed(a: &Ranges, b: &Ranges) -> Ranges {
    let (short, long) = (b.low.min(127) as u32, b.high.min(127) as u32);
    let least = if a.least < 0 { a.least >> short } else { a.least >> long };
    let most = if a.most < 0 { a.most >> long } else { a.most >> short };
    Ranges { least, most, ..Ranges::all(a.width) }
}
