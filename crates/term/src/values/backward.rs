//! From the values of a term to those of its parts: what a part cannot be, given what the whole is.

use super::{Knowledge, MOST_PAIRS, Ranges, ValueSet, Values};
use crate::bits::{apply, mask, sign_extend};
use crate::node::{Array, ArrayNode, BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// Entries of a table that are compared with the wanted bytes.
const MOST_ENTRIES: u128 = 4096;
/// Stores that are looked at for one read.
const MOST_STORES: usize = 64;

/// Told of each part that is narrowed: its values lie in these, besides in those that were known.
pub trait Narrow: FnMut(Term, Values) {}
impl<F: FnMut(Term, Values)> Narrow for F {}

impl Pool {
    /// Says what the parts of `t` can be if the values of `t` lie in `now`.
    pub fn narrow_parts(&self, t: Term, now: &Values, known: &impl Knowledge, each: &mut impl Narrow) {
        let of = |part: Term| match self.as_const(part) {
            Some(value) => Values::constant(self.width(part), value),
            None => known.of(self, part),
        };
        match self.node(t) {
            Node::Const { .. } => {}
            Node::Not(a) => each(a, now.not()),
            Node::ZExt { term, .. } => each(term, now.extract(0, self.width(term))),
            Node::SExt { term, width } => each(term, before_sext(now, &of(term), width)),
            Node::Concat { high, low } => {
                let shift = self.width(low);
                each(high, now.extract(shift, self.width(high)));
                each(low, now.extract(0, shift));
            }
            Node::Extract { term, low, width } => each(term, before_extract(now, &of(term), low, width)),
            Node::Ite { cond, then, other } => {
                let possible = [then, other].map(|side| !of(side).meet(now).is_empty());
                match of(cond).as_truth() {
                    Some(true) => each(then, *now),
                    Some(false) => each(other, *now),
                    None if !possible[0] => {
                        each(cond, Values::truth(false));
                        each(other, *now);
                    }
                    None if !possible[1] => {
                        each(cond, Values::truth(true));
                        each(then, *now);
                    }
                    None => {}
                }
            }
            Node::Cmp { op, a, b } => {
                let Some(truth) = now.as_truth() else { return };
                let (x, y) = compared(op, truth, &of(a), &of(b));
                each(a, x);
                each(b, y);
            }
            Node::Bin { op, a, b } => {
                let (x, y) = operands(op, now, &of(a), &of(b));
                each(a, x);
                each(b, y);
            }
            Node::Select { array, index } => self.narrow_read(array, index, now, &of, each),
        }
    }

    /// A read can only come from where a wanted byte is.
    fn narrow_read(
        &self,
        mut array: Array,
        index: Term,
        now: &Values,
        of: &impl Fn(Term) -> Values,
        each: &mut impl Narrow,
    ) {
        let Values::Small { set: wanted, .. } = *now else { return };
        let places = of(index).ranges();
        if places.is_empty() {
            return;
        }
        let mut source = None;
        for _ in 0..MOST_STORES {
            let ArrayNode::Store { array: older, index: stored_at, value } = self.array_node(array) else { break };
            let stored = of(stored_at).ranges();
            let surely = stored_at == index || (stored.as_const().is_some() && stored.as_const() == places.as_const());
            let reached = surely || !stored.meet(&places).is_empty();
            if reached && !of(value).meet(now).is_empty() {
                if source.is_some() {
                    return;
                }
                source = Some((stored_at, value));
            }
            if surely {
                break;
            }
            array = older;
        }
        match (self.array_node(array), source) {
            (ArrayNode::Table { bytes }, None) => self.narrow_place(index, bytes, wanted, &places, of, each),
            (ArrayNode::Table { bytes }, Some((stored_at, value))) => {
                let end = places.high.min((bytes.len() as u128).wrapping_sub(1));
                let elsewhere = places.high >= bytes.len() as u128 && wanted.contains(0)
                    || bytes.is_empty()
                    || end.saturating_sub(places.low) > MOST_ENTRIES
                    || places.below(bytes.len()).any(|place| wanted.contains(bytes[place]));
                if !elsewhere {
                    each(value, *now);
                    each(index, of(stored_at));
                    each(stored_at, of(index));
                }
            }
            // The walk ended at a store that is surely read.
            (ArrayNode::Store { index: stored_at, value, .. }, Some(source)) if source == (stored_at, value) => {
                each(value, *now);
                each(index, of(stored_at));
            }
            (ArrayNode::Input { .. } | ArrayNode::Store { .. }, _) => {}
        }
    }

    /// The index of a read of a table, by the places where the wanted bytes are.
    fn narrow_place(
        &self,
        index: Term,
        bytes: &[u8],
        wanted: ValueSet,
        places: &Ranges,
        of: &impl Fn(Term) -> Values,
        each: &mut impl Narrow,
    ) {
        let fits = |place: usize| wanted.contains(bytes.get(place).copied().unwrap_or(0));
        if let Node::ZExt { term, .. } = self.node(index)
            && let Values::Small { width, set } = of(term)
        {
            each(term, Values::Small { width, set: set.filter(|place| fits(place.into())) });
            return;
        }
        let Ok(end) = usize::try_from(places.high + 1) else { return };
        if places.high - places.low > MOST_ENTRIES {
            return;
        }
        let mut fitting = places.below(end).filter(|&place| fits(place)).map(|place| place as u128);
        let narrowed = match fitting.next() {
            None => Ranges::empty(64),
            Some(first) => Ranges::unsigned(64, first, fitting.next_back().unwrap_or(first)),
        };
        each(index, Values::of_ranges(narrowed));
    }
}

fn before_sext(now: &Values, part: &Values, width: u32) -> Values {
    match part {
        Values::Small { width: narrow, set } => {
            let extended = |value: u8| sign_extend(*narrow, value.into()) as u128 & mask(width);
            Values::Small { width: *narrow, set: set.filter(|value| now.contains(extended(value))) }
        }
        Values::Wide(part) => {
            let now = now.ranges();
            if now.is_empty() {
                return Values::Wide(Ranges::empty(part.width));
            }
            let bits = Ranges::bits(part.width, now.zeros & mask(part.width), now.ones & mask(part.width));
            Values::Wide(Ranges::signed(part.width, now.least, now.most).meet(&bits))
        }
    }
}

fn before_extract(now: &Values, whole: &Values, low: u32, width: u32) -> Values {
    let whole = match whole {
        Values::Small { width: wide, set } => {
            let part = |value: u8| u128::from(value) >> low & mask(width);
            return Values::Small { width: *wide, set: set.filter(|value| now.contains(part(value))) };
        }
        Values::Wide(whole) => whole,
    };
    let now = now.ranges();
    if now.is_empty() || whole.is_empty() {
        return Values::Wide(Ranges::empty(whole.width));
    }
    let bits = Ranges::bits(whole.width, now.zeros << low, now.ones << low);
    // With what is above the part fixed, the part's order is the whole's.
    let above = |value: u128| value >> low & !mask(width);
    if above(whole.low) != above(whole.high) {
        return Values::Wide(bits);
    }
    let below = if low == 0 { 0 } else { mask(low) };
    let (from, to) = (above(whole.low) | now.low, above(whole.low) | now.high);
    Values::Wide(Ranges::unsigned(whole.width, from << low, to << low | below).meet(&bits))
}

/// What two terms can be if a comparison of them holds, or does not.
fn compared(op: CmpOp, truth: bool, a: &Values, b: &Values) -> (Values, Values) {
    if a.is_empty() || b.is_empty() {
        return (*a, *b);
    }
    match (op, truth) {
        (CmpOp::Eq, true) => {
            let both = a.meet(b);
            (both, both)
        }
        (CmpOp::Eq, false) => (without(a, b), without(b, a)),
        (CmpOp::Ult, true) => in_order(a, b, true),
        (CmpOp::Ule, true) => in_order(a, b, false),
        (CmpOp::Ult, false) => swapped(in_order(b, a, false)),
        (CmpOp::Ule, false) => swapped(in_order(b, a, true)),
        (CmpOp::Slt, true) => in_signed_order(a, b, true),
        (CmpOp::Sle, true) => in_signed_order(a, b, false),
        (CmpOp::Slt, false) => swapped(in_signed_order(b, a, false)),
        (CmpOp::Sle, false) => swapped(in_signed_order(b, a, true)),
    }
}

fn swapped<T>((a, b): (T, T)) -> (T, T) {
    (b, a)
}

/// The values of `a`, less the only one of `b`.
fn without(a: &Values, b: &Values) -> Values {
    let Some(gone) = b.as_const() else { return *a };
    match a {
        Values::Small { width, set } => Values::Small { width: *width, set: set.filter(|v| u128::from(v) != gone) },
        Values::Wide(ranges) => {
            let mut left = *ranges;
            let signed = sign_extend(left.width, gone);
            if left.as_const() == Some(gone) {
                return Values::Wide(Ranges::empty(left.width));
            }
            left.low += u128::from(left.low == gone);
            left.high -= u128::from(left.high == gone);
            left.least += i128::from(left.least == signed);
            left.most -= i128::from(left.most == signed);
            Values::Wide(left.settled())
        }
    }
}

/// `a` below `b`; strictly, or not above it.
fn in_order(a: &Values, b: &Values, strict: bool) -> (Values, Values) {
    let (width, x, y) = (a.width(), a.ranges(), b.ranges());
    let gap = u128::from(strict);
    let below = match y.high.checked_sub(gap) {
        Some(high) => Ranges::unsigned(width, 0, high),
        None => Ranges::empty(width),
    };
    let above = match x.low.checked_add(gap) {
        Some(low) => Ranges::unsigned(width, low, mask(width)),
        None => Ranges::empty(width),
    };
    (Values::of_ranges(below), Values::of_ranges(above))
}

fn in_signed_order(a: &Values, b: &Values, strict: bool) -> (Values, Values) {
    let (width, x, y) = (a.width(), a.ranges(), b.ranges());
    let gap = i128::from(strict);
    let below = match y.most.checked_sub(gap) {
        Some(most) => Ranges::signed(width, i128::MIN, most),
        None => Ranges::empty(width),
    };
    let above = match x.least.checked_add(gap) {
        Some(least) => Ranges::signed(width, least, i128::MAX),
        None => Ranges::empty(width),
    };
    (Values::of_ranges(below), Values::of_ranges(above))
}

/// What the operands can be if the result lies in `now`.
fn operands(op: BvOp, now: &Values, a: &Values, b: &Values) -> (Values, Values) {
    if let (Values::Small { width, set: x }, Values::Small { set: y, .. }) = (a, b)
        && x.len() * y.len() <= MOST_PAIRS
    {
        let fits = |x: u8, y: u8| now.contains(apply(op, *width, x.into(), y.into()));
        let (mut left, mut right) = (ValueSet::EMPTY, ValueSet::EMPTY);
        for p in x.iter() {
            for q in y.iter().filter(|&q| fits(p, q)) {
                left.insert(p);
                right.insert(q);
            }
        }
        return (Values::Small { width: *width, set: left }, Values::Small { width: *width, set: right });
    }
    let (width, t, a, b) = (a.width(), now.ranges(), a.ranges(), b.ranges());
    if t.is_empty() || a.is_empty() || b.is_empty() {
        let none = Values::of_ranges(Ranges::empty(width));
        return (none, none);
    }
    let all = Ranges::all(width);
    let (x, y) = match op {
        BvOp::Add => (Ranges::bin(BvOp::Sub, &t, &b), Ranges::bin(BvOp::Sub, &t, &a)),
        BvOp::Sub => (Ranges::bin(BvOp::Add, &t, &b), Ranges::bin(BvOp::Sub, &a, &t)),
        BvOp::Xor => (Ranges::bin(BvOp::Xor, &t, &b), Ranges::bin(BvOp::Xor, &t, &a)),
        BvOp::And => {
            let side = |other: &Ranges| Ranges { low: t.low, ones: t.ones, zeros: t.zeros & other.ones, ..all };
            (side(&b), side(&a))
        }
        BvOp::Or => {
            let side = |other: &Ranges| Ranges { high: t.high, zeros: t.zeros, ones: t.ones & other.zeros, ..all };
            (side(&b), side(&a))
        }
        BvOp::Mul => (factor(&t, &a, &b), factor(&t, &b, &a)),
        BvOp::Shl => (before_shl(&t, &a, &b), all),
        BvOp::LShr => (before_lshr(&t, &b), all),
        BvOp::UDiv => (dividend(&t, &b), all),
        BvOp::SDiv | BvOp::URem | BvOp::SRem | BvOp::AShr => (all, all),
    };
    (Values::of_ranges(x.settled()), Values::of_ranges(y.settled()))
}

/// A factor of a product that does not wrap.
fn factor(product: &Ranges, this: &Ranges, other: &Ranges) -> Ranges {
    let width = product.width;
    let fits = this.high.checked_mul(other.high).is_some_and(|high| high <= mask(width));
    match other.as_const() {
        Some(c) if c > 0 && fits => {
            Ranges { low: product.low.div_ceil(c), high: product.high / c, ..Ranges::all(width) }
        }
        Some(_) | None => Ranges::all(width),
    }
}

fn before_shl(t: &Ranges, a: &Ranges, by: &Ranges) -> Ranges {
    let width = t.width;
    let Some(by) = by.as_const().filter(|&by| by < u128::from(width)) else { return Ranges::all(width) };
    let mut found = Ranges { zeros: t.zeros >> by, ones: t.ones >> by, ..Ranges::all(width) };
    if a.high <= mask(width) >> by {
        found.low = t.low.div_ceil(1 << by);
        found.high = t.high >> by;
    }
    found
}

fn before_lshr(t: &Ranges, by: &Ranges) -> Ranges {
    let width = t.width;
    let Some(by) = by.as_const().filter(|&by| by < u128::from(width)) else { return Ranges::all(width) };
    let top = mask(width);
    // What is shifted out at the top of these was no value of the result to begin with.
    let (low, high) = (t.low.min(top >> by) << by, t.high.min(top >> by) << by | ((1 << by) - 1));
    Ranges { zeros: t.zeros << by & top, ones: t.ones << by & top, low, high, ..Ranges::all(width) }
}

fn dividend(t: &Ranges, by: &Ranges) -> Ranges {
    let width = t.width;
    let top = mask(width);
    match by.as_const() {
        Some(c) if c > 0 => {
            let low = t.low.checked_mul(c).filter(|&low| low <= top);
            let high = t.high.checked_mul(c).and_then(|high| high.checked_add(c - 1)).unwrap_or(top).min(top);
            match low {
                Some(low) => Ranges { low, high, ..Ranges::all(width) },
                None => Ranges::empty(width),
            }
        }
        Some(_) | None => Ranges::all(width),
    }
}
