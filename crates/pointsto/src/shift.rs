//! Where in an object a pointer points, and how arithmetic moves it.

/// A set of offsets: `start` alone, or `start`, `start + stride`, `start + 2 * stride`, ... A stride of 1 from 0 is the
/// whole object. What a store through a strided pointer writes may be in any of the places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Span {
    pub start: i32,
    /// 0 for a single offset.
    pub stride: u32,
}

/// Offsets beyond this are taken for arithmetic that has left the object.
const FAR: i64 = 1 << 24;

impl Span {
    pub const WHOLE: Span = Span { start: 0, stride: 1 };

    pub fn exact(start: i32) -> Self {
        Span { start, stride: 0 }
    }

    /// Whether an offset is one of these.
    pub fn covers(self, offset: i32) -> bool {
        if self.stride == 0 {
            return offset == self.start;
        }
        offset >= self.start && ((offset - self.start) as u32).is_multiple_of(self.stride)
    }

    /// Whether two spans have an offset in common.
    pub fn meets(self, other: Span) -> bool {
        match (self.stride, other.stride) {
            (0, _) => other.covers(self.start),
            (_, 0) => self.covers(other.start),
            (a, b) => i64::from(self.start - other.start).rem_euclid(i64::from(gcd(a, b))) == 0,
        }
    }

    /// The span of all sums of an offset of each.
    pub fn plus(self, other: Span) -> Option<Span> {
        if self == Span::WHOLE {
            return Some(self);
        }
        moved(i64::from(self.start) + i64::from(other.start), gcd(self.stride, other.stride))
    }
}

/// What an operation does to a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shift {
    None,
    /// Adds `offset` and any multiple of `stride` that is not negative.
    By {
        offset: i64,
        stride: u32,
    },
    /// A [`Shift::By`] that is on a cycle, so that it happens any number of times.
    Cyclic {
        offset: i64,
        stride: u32,
    },
    /// Clears the low bits: by `mask`, which is negative.
    Align {
        mask: i32,
    },
    /// Adds what nobody knows.
    Anywhere,
}

impl Shift {
    /// Where a pointer to `span` points afterwards; nowhere if it has left every object.
    pub fn apply(self, span: Span) -> Option<Span> {
        match self {
            _ if span == Span::WHOLE => Some(span),
            Shift::None => Some(span),
            Shift::By { offset, stride } => moved(i64::from(span.start) + offset, gcd(span.stride, stride)),
            Shift::Cyclic { offset, stride } => {
                let step = u32::try_from(offset.unsigned_abs().min(FAR as u64)).unwrap_or(1);
                let stride = gcd(gcd(span.stride, stride), step);
                let start = if offset < 0 && stride > 0 {
                    i64::from(span.start).rem_euclid(i64::from(stride))
                } else {
                    i64::from(span.start)
                };
                moved(start, stride)
            }
            Shift::Align { mask } if span.stride == 0 => Some(Span::exact(span.start & mask)),
            Shift::Align { mask } if span.stride.is_multiple_of(mask.unsigned_abs()) => {
                Some(Span { start: (span.start & mask).max(0), stride: span.stride })
            }
            Shift::Align { .. } | Shift::Anywhere => Some(Span::WHOLE),
        }
    }

    /// The same on a cycle.
    pub fn on_cycle(self) -> Shift {
        match self {
            Shift::By { offset, stride } if offset != 0 => Shift::Cyclic { offset, stride },
            Shift::None | Shift::By { .. } | Shift::Cyclic { .. } | Shift::Align { .. } | Shift::Anywhere => self,
        }
    }
}

/// A step of less than a pointer's size is the step of somebody who looks at bytes: where in a pointer it begins does
/// not matter, and fewer spans do.
fn moved(start: i64, stride: u32) -> Option<Span> {
    let (start, stride) = if (1..8).contains(&stride) { (start & !7, 1) } else { (start, stride) };
    let start = if stride > 0 && start < 0 { start.rem_euclid(i64::from(stride)) } else { start };
    let start = if stride > 0 && start >= FAR { start.rem_euclid(i64::from(stride)) } else { start };
    (start.abs() < FAR).then_some(Span { start: start as i32, stride })
}

/// 0 stands for no stride: every number divides it.
pub fn gcd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span() -> impl Strategy<Value = Span> {
        (0..40i32, prop_oneof![Just(0u32), 1..24u32]).prop_map(|(start, stride)| Span { start, stride })
    }

    fn offsets(span: Span) -> Vec<i32> {
        (0..2000).filter(|&offset| span.covers(offset)).collect()
    }

    proptest! {
        #[test]
        fn spans_meet_where_they_have_an_offset_in_common(a in span(), b in span()) {
            let common = offsets(a).iter().any(|&offset| b.covers(offset));
            prop_assert_eq!(a.meets(b), common);
        }

        #[test]
        fn a_shift_loses_no_offset(a in span(), offset in -40..40i64, stride in prop_oneof![Just(0u32), 1..24u32], n in 0..20i64) {
            let after = Shift::By { offset, stride }.apply(a).unwrap();
            for from in offsets(a).into_iter().take(10) {
                let to = i64::from(from) + offset + n * i64::from(stride);
                prop_assert!(to < 0 || after.covers(to as i32), "{a:?} {after:?} {to}");
            }
            let around = Shift::Cyclic { offset, stride }.apply(a).unwrap();
            for from in offsets(a).into_iter().take(10) {
                let to = i64::from(from) + offset * n + n * i64::from(stride);
                prop_assert!(to < 0 || around.covers(to as i32), "{a:?} {around:?} {to}");
            }
        }
    }

    #[test]
    fn what_nobody_knows_reaches_the_whole_object() {
        assert_eq!(Shift::Anywhere.apply(Span::exact(8)), Some(Span::WHOLE));
        assert_eq!(Shift::Align { mask: -8 }.apply(Span::exact(15)), Some(Span::exact(8)));
        assert_eq!(Shift::By { offset: 1 << 40, stride: 0 }.apply(Span::exact(8)), None);
    }
}
