//! What values a term can have: a set for up to eight bits, known bits and ranges for more.
//!
//! [`Values`] is always an over-approximation: every value that the term takes is in it. Operators carry it from parts
//! to wholes (`forward.rs`), and what is known of a whole says something of its parts (`backward.rs`). Whoever reasons
//! under assumptions keeps a table of his own; [`crate::Pool::values`] is what holds for every input.

mod backward;
mod entries;
mod forward;
#[cfg(test)]
mod properties;
mod ranges;
mod set;

pub use backward::Narrow;
pub use forward::Knowledge;
pub(crate) use forward::ValuesCache;
pub use ranges::Ranges;
pub use set::ValueSet;

use crate::bits::{apply, compare, mask, sign_extend};
use crate::node::{BvOp, CmpOp};

/// Pairs of values of two small sets that are tried one by one; more are summed up as ranges.
const MOST_PAIRS: u32 = 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Up to eight bits.
    Small {
        width: u32,
        set: ValueSet,
    },
    Wide(Ranges),
}

impl Values {
    pub fn all(width: u32) -> Self {
        if width <= 8 {
            Values::Small { width, set: ValueSet::of_width(width) }
        } else {
            Values::Wide(Ranges::all(width))
        }
    }

    pub fn constant(width: u32, value: u128) -> Self {
        if width <= 8 {
            Values::Small { width, set: ValueSet::single(value as u8) }
        } else {
            Values::Wide(Ranges::constant(width, value))
        }
    }

    pub fn truth(value: bool) -> Self {
        Values::constant(1, u128::from(value))
    }

    pub fn of_set(width: u32, set: ValueSet) -> Self {
        Values::Small { width, set: set.intersection(ValueSet::of_width(width)) }
    }

    pub fn of_ranges(ranges: Ranges) -> Self {
        if ranges.width > 8 {
            return Values::Wide(ranges);
        }
        let set = if ranges.is_empty() {
            ValueSet::EMPTY
        } else {
            ValueSet::range(ranges.low as u8, ranges.high as u8).filter(|value| ranges.contains(u128::from(value)))
        };
        Values::Small { width: ranges.width, set }
    }

    pub fn width(&self) -> u32 {
        match self {
            Values::Small { width, .. } => *width,
            Values::Wide(ranges) => ranges.width,
        }
    }

    /// The same as bits and ranges.
    pub fn ranges(&self) -> Ranges {
        let (width, set) = match self {
            Values::Wide(ranges) => return *ranges,
            Values::Small { width, set } => (*width, *set),
        };
        let Some((first, last)) = set.first().zip(set.last()) else { return Ranges::empty(width) };
        let (mut zeros, mut ones) = (mask(width) as u8, mask(width) as u8);
        let (mut least, mut most) = (i128::MAX, i128::MIN);
        for value in set.iter() {
            zeros &= !value;
            ones &= value;
            let signed = sign_extend(width, u128::from(value));
            least = least.min(signed);
            most = most.max(signed);
        }
        let (low, high) = (u128::from(first), u128::from(last));
        Ranges { width, zeros: zeros.into(), ones: ones.into(), low, high, least, most }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Values::Small { set, .. } => set.is_empty(),
            Values::Wide(ranges) => ranges.is_empty(),
        }
    }

    pub fn contains(&self, value: u128) -> bool {
        match self {
            Values::Small { width, set } => value <= mask(*width) && set.contains(value as u8),
            Values::Wide(ranges) => ranges.contains(value),
        }
    }

    /// The only value that is left.
    pub fn as_const(&self) -> Option<u128> {
        match self {
            Values::Small { set, .. } if set.len() == 1 => set.first().map(u128::from),
            Values::Small { .. } => None,
            Values::Wide(ranges) => ranges.as_const(),
        }
    }

    /// For one bit: true or false, if it can be only one of them.
    pub fn as_truth(&self) -> Option<bool> {
        self.as_const().map(|value| value != 0)
    }

    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        match (self, other) {
            (Values::Small { width, set }, Values::Small { set: more, .. }) => {
                Values::Small { width: *width, set: set.intersection(*more) }
            }
            (Values::Wide(a), Values::Wide(b)) => Values::Wide(a.meet(b)),
            (Values::Small { .. }, Values::Wide(_)) | (Values::Wide(_), Values::Small { .. }) => {
                unreachable!("values of one width have one form")
            }
        }
    }

    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Values::Small { width, set }, Values::Small { set: more, .. }) => {
                Values::Small { width: *width, set: set.union(*more) }
            }
            (Values::Wide(a), Values::Wide(b)) => Values::Wide(a.join(b)),
            (Values::Small { .. }, Values::Wide(_)) | (Values::Wide(_), Values::Small { .. }) => {
                unreachable!("values of one width have one form")
            }
        }
    }

    pub fn not(&self) -> Self {
        match self {
            Values::Small { width, set } => {
                let ones = mask(*width) as u8;
                Values::Small { width: *width, set: set.map(|value| !value & ones) }
            }
            Values::Wide(ranges) => Values::Wide(ranges.not()),
        }
    }

    pub fn zext(&self, width: u32) -> Self {
        match self {
            Values::Small { set, .. } if width <= 8 => Values::Small { width, set: *set },
            Values::Small { .. } | Values::Wide(_) => Values::Wide(self.ranges().zext(width)),
        }
    }

    pub fn sext(&self, width: u32) -> Self {
        match self {
            Values::Small { width: from, set } if width <= 8 => {
                let extended = |value| (sign_extend(*from, u128::from(value)) as u128 & mask(width)) as u8;
                Values::Small { width, set: set.map(extended) }
            }
            Values::Small { .. } | Values::Wide(_) => Values::Wide(self.ranges().sext(width)),
        }
    }

    pub fn concat(&self, below: &Self) -> Self {
        match (self, below) {
            (Values::Small { width: above, set: high }, Values::Small { width: shift, set: low })
                if above + shift <= 8 =>
            {
                let set = high.iter().flat_map(|h| low.iter().map(move |l| h << shift | l)).collect();
                Values::Small { width: above + shift, set }
            }
            _ => Values::Wide(self.ranges().concat(&below.ranges())),
        }
    }

    pub fn extract(&self, low: u32, width: u32) -> Self {
        match self {
            Values::Small { set, .. } => {
                Values::Small { width, set: set.map(|value| value >> low & mask(width) as u8) }
            }
            Values::Wide(ranges) => Values::of_ranges(ranges.extract(low, width)),
        }
    }

    pub fn bin(op: BvOp, a: &Self, b: &Self) -> Self {
        match (a, b) {
            (Values::Small { width, set: x }, Values::Small { set: y, .. }) if x.len() * y.len() <= MOST_PAIRS => {
                let set =
                    x.iter().flat_map(|x| y.iter().map(move |y| apply(op, *width, x.into(), y.into()) as u8)).collect();
                Values::Small { width: *width, set }
            }
            _ => Values::of_ranges(Ranges::bin(op, &a.ranges(), &b.ranges())),
        }
    }

    /// What a comparison gives: one bit.
    pub fn compare(op: CmpOp, a: &Self, b: &Self) -> Self {
        if a.is_empty() || b.is_empty() {
            return Values::of_set(1, ValueSet::EMPTY);
        }
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            return Values::truth(compare(op, a.width(), x, y));
        }
        match decided(op, a, b) {
            Some(truth) => Values::truth(truth),
            None => Values::all(1),
        }
    }
}

fn decided(op: CmpOp, a: &Values, b: &Values) -> Option<bool> {
    if let (CmpOp::Eq, Values::Small { set: x, .. }, Values::Small { set: y, .. }) = (op, a, b) {
        return x.intersection(*y).is_empty().then_some(false);
    }
    let (a, b) = (a.ranges(), b.ranges());
    match op {
        CmpOp::Eq => a.meet(&b).is_empty().then_some(false),
        CmpOp::Ult if a.high < b.low => Some(true),
        CmpOp::Ult if a.low >= b.high => Some(false),
        CmpOp::Ule if a.high <= b.low => Some(true),
        CmpOp::Ule if a.low > b.high => Some(false),
        CmpOp::Slt if a.most < b.least => Some(true),
        CmpOp::Slt if a.least >= b.most => Some(false),
        CmpOp::Sle if a.most <= b.least => Some(true),
        CmpOp::Sle if a.least > b.most => Some(false),
        CmpOp::Ult | CmpOp::Ule | CmpOp::Slt | CmpOp::Sle => None,
    }
}
