//! Terms over one byte as functions of it: what they are for each of the 256 values, and how two of them relate.
//!
//! Lexers and tables of states compare a function of one byte with a function of another. Ranges say next to nothing
//! there; the values that find a partner on the other side say all.

use std::rc::Rc;

use osier_term::{CmpOp, Pool, Ranges, Term, ValueSet, Values, mask, sign_extend};

use crate::domains::one_byte;
use crate::generations::Generations;
use crate::held::Held;
use crate::lanes::{self, Lanes};

/// Functions that are kept at a time; each takes 2 KiB.
const KEPT: usize = 4096;

/// A term of 2 to 64 bits that depends on one byte.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) byte: u32,
    pub(crate) width: u32,
    of: Rc<Lanes>,
}

pub(crate) struct Images {
    known: Generations<Term, Option<Image>>,
}

impl Images {
    pub(crate) fn new() -> Self {
        Images { known: Generations::new(KEPT) }
    }

    /// The term as a function, if it is one of a single byte.
    pub(crate) fn of(&mut self, pool: &mut Pool, term: Term) -> Option<Image> {
        let width = pool.width(term);
        if !(2..=64).contains(&width) {
            return None;
        }
        let byte = one_byte(&pool.support(term))?;
        if let Some(image) = self.known.get(&term) {
            return image.clone();
        }
        let image = lanes::image(pool, term, byte).map(|of| Image { byte, width, of });
        self.known.insert(term, image.clone());
        image
    }
}

impl Held for Image {
    fn held(&self) -> usize {
        size_of_val(&*self.of)
    }
}

impl Image {
    fn at(&self, value: u8) -> u64 {
        self.of[usize::from(value)]
    }

    /// The values of the term where the byte is in `bytes`.
    pub(crate) fn values(&self, bytes: ValueSet) -> Values {
        if self.width <= 8 {
            return Values::of_set(self.width, bytes.map(|value| self.at(value) as u8));
        }
        let mut all = Ranges::empty(self.width);
        let (mut zeros, mut ones) = (u64::MAX, u64::MAX);
        let (mut low, mut high, mut least, mut most) = (u64::MAX, 0, i64::MAX, i64::MIN);
        for value in bytes.iter() {
            let value = self.at(value);
            let signed = sign_extend(self.width, value.into()) as i64;
            zeros &= !value;
            ones &= value;
            (low, high) = (low.min(value), high.max(value));
            (least, most) = (least.min(signed), most.max(signed));
        }
        if !bytes.is_empty() {
            all = Ranges {
                width: self.width,
                zeros: u128::from(zeros) & mask(self.width),
                ones: ones.into(),
                low: low.into(),
                high: high.into(),
                least: least.into(),
                most: most.into(),
            };
        }
        Values::Wide(all)
    }

    /// The bytes for which the term's value is one of these.
    pub(crate) fn preimage(&self, bytes: ValueSet, values: &Values) -> ValueSet {
        bytes.filter(|value| values.contains(self.at(value).into()))
    }
}

/// A comparison of functions of two different bytes.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) op: CmpOp,
    pub(crate) left: Image,
    pub(crate) right: Image,
}

impl Relation {
    /// The values of the left and of the right byte that have a partner with which the comparison is `truth`.
    pub(crate) fn partners(&self, truth: bool, left: ValueSet, right: ValueSet) -> (ValueSet, ValueSet) {
        let (a, b) = (&self.left, &self.right);
        // The order of signed numbers is that of unsigned ones with the sign flipped.
        let flip = match self.op {
            CmpOp::Slt | CmpOp::Sle => 1u64 << (a.width - 1),
            CmpOp::Eq | CmpOp::Ult | CmpOp::Ule => 0,
        };
        let (x, y) = (|v: u8| a.at(v) ^ flip, |v: u8| b.at(v) ^ flip);
        let extremes = |set: ValueSet, at: &dyn Fn(u8) -> u64| {
            let low = set.iter().map(at).min();
            low.zip(set.iter().map(at).max())
        };
        let (Some((x_low, x_high)), Some((y_low, y_high))) = (extremes(left, &x), extremes(right, &y)) else {
            return (ValueSet::EMPTY, ValueSet::EMPTY);
        };
        match (self.op, truth) {
            (CmpOp::Eq, true) => {
                let images = |set: ValueSet, at: &dyn Fn(u8) -> u64| {
                    let mut all: Vec<u64> = set.iter().map(at).collect();
                    all.sort_unstable();
                    all
                };
                let (xs, ys) = (images(left, &x), images(right, &y));
                (left.filter(|v| ys.binary_search(&x(v)).is_ok()), right.filter(|v| xs.binary_search(&y(v)).is_ok()))
            }
            (CmpOp::Eq, false) => {
                (left.filter(|v| y_low != y_high || x(v) != y_low), right.filter(|v| x_low != x_high || y(v) != x_low))
            }
            (CmpOp::Ult | CmpOp::Slt, true) => (left.filter(|v| x(v) < y_high), right.filter(|v| y(v) > x_low)),
            (CmpOp::Ule | CmpOp::Sle, true) => (left.filter(|v| x(v) <= y_high), right.filter(|v| y(v) >= x_low)),
            (CmpOp::Ult | CmpOp::Slt, false) => (left.filter(|v| x(v) >= y_low), right.filter(|v| y(v) <= x_high)),
            (CmpOp::Ule | CmpOp::Sle, false) => (left.filter(|v| x(v) > y_low), right.filter(|v| y(v) < x_high)),
        }
    }

    /// What the comparison can be.
    pub(crate) fn values(&self, left: ValueSet, right: ValueSet) -> Values {
        let can_be = |truth: &u8| !self.partners(*truth != 0, left, right).0.is_empty();
        Values::of_set(1, [0, 1].into_iter().filter(can_be).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_bytes() -> (Pool, Term, Term) {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        (pool, a, b)
    }

    #[test]
    fn a_function_has_the_values_of_its_byte_and_leads_back_to_it() {
        let (mut pool, a, b) = two_bytes();
        let (wide, other) = (pool.zext(a, 32), pool.zext(b, 32));
        let square = pool.mul(wide, wide);
        let mut images = Images::new();
        let image = images.of(&mut pool, square).expect("of one byte");
        let digits = ValueSet::range(3, 5);
        let values = image.values(digits);
        assert!([9, 16, 25].into_iter().all(|v| values.contains(v)) && !values.contains(26) && !values.contains(8));
        assert_eq!(image.preimage(digits, &Values::constant(32, 16)), ValueSet::single(4));
        let product = pool.mul(wide, other);
        assert!(images.of(&mut pool, product).is_none());
    }

    #[test]
    fn partners_are_found_as_by_trying_all_pairs() {
        let (mut pool, a, b) = two_bytes();
        let (three, seven) = (pool.constant(8, 3), pool.constant(8, 7));
        let (tripled, shifted) = (pool.mul(a, three), pool.lshr(b, three));
        let (x, y) = (pool.sext(tripled, 16), pool.sext(shifted, 16));
        let seven = pool.zext(seven, 16);
        let y = pool.sub(y, seven);
        let mut images = Images::new();
        let (left, right) = (images.of(&mut pool, x).unwrap(), images.of(&mut pool, y).unwrap());
        for op in CmpOp::ALL {
            for truth in [true, false] {
                for (xs, ys) in [(ValueSet::ALL, ValueSet::ALL), (ValueSet::range(3, 90), ValueSet::single(200))] {
                    let relation = Relation { op, left: left.clone(), right: right.clone() };
                    let fits =
                        |v: u8, w: u8| osier_term::compare(op, 16, left.at(v).into(), right.at(w).into()) == truth;
                    let expected =
                        (xs.filter(|v| ys.iter().any(|w| fits(v, w))), ys.filter(|w| xs.iter().any(|v| fits(v, w))));
                    assert_eq!(relation.partners(truth, xs, ys), expected, "{op:?} {truth}");
                    let possible = relation.values(xs, ys).contains(truth.into());
                    assert_eq!(possible, !expected.0.is_empty());
                }
            }
        }
    }
}
