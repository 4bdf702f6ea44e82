//! Which bits of an index are known whatever the input is: each of them halves the tree that a table read becomes.

use osier_term::{BvOp, Node, Pool, Term};

/// How far below an index is looked. Index arithmetic is shallow; below this depth nothing is claimed.
const DEPTH: u32 = 8;

/// Bits of a term of up to 128 bits that are surely zero and surely one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownBits {
    pub(crate) zeros: u128,
    pub(crate) ones: u128,
}

impl KnownBits {
    pub(crate) fn bit(self, position: u32) -> Option<bool> {
        if self.zeros >> position & 1 == 1 {
            Some(false)
        } else if self.ones >> position & 1 == 1 {
            Some(true)
        } else {
            None
        }
    }

    fn known(self) -> u128 {
        self.zeros | self.ones
    }
}

const NOTHING: KnownBits = KnownBits { zeros: 0, ones: 0 };

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// How many low bits of a mask are set without a gap.
fn low_run(bits: u128) -> u32 {
    (!bits).trailing_zeros()
}

pub(crate) fn known_bits(pool: &Pool, term: Term) -> KnownBits {
    look(pool, term, DEPTH)
}

fn look(pool: &Pool, term: Term, depth: u32) -> KnownBits {
    if depth == 0 {
        return NOTHING;
    }
    let width = pool.width(term);
    let below = |t: Term| look(pool, t, depth - 1);
    let found = match pool.node(term) {
        Node::Const { value, .. } => KnownBits { zeros: !value, ones: value },
        Node::Select { .. } | Node::Cmp { .. } => NOTHING,
        Node::Not(a) => {
            let a = below(a);
            KnownBits { zeros: a.ones, ones: a.zeros }
        }
        Node::Concat { high, low } => {
            let shift = pool.width(low);
            let (high, low) = (below(high), below(low));
            KnownBits { zeros: high.zeros << shift | low.zeros, ones: high.ones << shift | low.ones }
        }
        Node::Extract { term, low, .. } => {
            let a = below(term);
            KnownBits { zeros: a.zeros >> low, ones: a.ones >> low }
        }
        Node::ZExt { term, .. } => {
            let a = below(term);
            KnownBits { zeros: a.zeros | !mask(pool.width(term)), ones: a.ones }
        }
        Node::SExt { term, .. } => {
            let from = pool.width(term);
            let a = below(term);
            let added = !mask(from);
            match a.bit(from - 1) {
                Some(true) => KnownBits { zeros: a.zeros, ones: a.ones | added },
                Some(false) => KnownBits { zeros: a.zeros | added, ones: a.ones },
                None => a,
            }
        }
        Node::Ite { then, other, .. } => {
            let (a, b) = (below(then), below(other));
            KnownBits { zeros: a.zeros & b.zeros, ones: a.ones & b.ones }
        }
        Node::Bin { op, a, b } => bin(op, below(a), below(b), width, pool.as_const(b)),
    };
    KnownBits { zeros: found.zeros & mask(width), ones: found.ones & mask(width) }
}

fn bin(op: BvOp, a: KnownBits, b: KnownBits, width: u32, constant: Option<u128>) -> KnownBits {
    match op {
        BvOp::And => KnownBits { zeros: a.zeros | b.zeros, ones: a.ones & b.ones },
        BvOp::Or => KnownBits { zeros: a.zeros & b.zeros, ones: a.ones | b.ones },
        BvOp::Xor => {
            KnownBits { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros }
        }
        BvOp::Shl => match constant {
            Some(by) if by < u128::from(width) => {
                KnownBits { zeros: a.zeros << by | ((1 << by) - 1), ones: a.ones << by }
            }
            Some(_) | None => NOTHING,
        },
        BvOp::LShr => match constant {
            Some(by) if by < u128::from(width) => {
                KnownBits { zeros: a.zeros >> by | (mask(width) & !(mask(width) >> by)), ones: a.ones >> by }
            }
            Some(_) | None => NOTHING,
        },
        BvOp::Add | BvOp::Sub => {
            // No unknown bit can reach the low bits that both sides know.
            let run = low_run(a.known() & b.known()).min(width);
            let low = if run == 0 { 0 } else { mask(run) };
            let sum = if op == BvOp::Add { a.ones.wrapping_add(b.ones) } else { a.ones.wrapping_sub(b.ones) };
            let mut zeros = !sum & low;
            if op == BvOp::Add {
                // Neither side reaches this bit, so the sum reaches at most the one above it.
                let top = (128 - (!a.zeros & mask(width)).leading_zeros())
                    .max(128 - (!b.zeros & mask(width)).leading_zeros());
                if top + 1 < width {
                    zeros |= !mask(top + 1);
                }
            }
            KnownBits { zeros, ones: sum & low }
        }
        BvOp::Mul => {
            let trailing = (low_run(a.zeros) + low_run(b.zeros)).min(width);
            let zeros = if trailing == 0 { 0 } else { mask(trailing) };
            let bits = |k: KnownBits| 128 - (!k.zeros & mask(width)).leading_zeros();
            let top = bits(a) + bits(b);
            KnownBits { zeros: if top < width && top > 0 { zeros | !mask(top) } else { zeros }, ones: 0 }
        }
        BvOp::URem => match constant {
            Some(by) if by > 0 => KnownBits { zeros: !(u128::MAX >> (by - 1).leading_zeros().min(127)), ones: 0 },
            Some(_) | None => NOTHING,
        },
        BvOp::UDiv | BvOp::SDiv | BvOp::SRem | BvOp::AShr => NOTHING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_term::{Assignment, eval};
    use proptest::prelude::*;

    #[test]
    fn the_index_of_a_wide_entry_has_known_low_and_high_bits() {
        let mut pool = Pool::new();
        let input = pool.input("i", 1);
        let byte = pool.select_at(input, 0);
        let (index, eight, three) = (pool.zext(byte, 64), pool.constant(64, 8), pool.constant(64, 3));
        let scaled = pool.mul(index, eight);
        let at = pool.add(scaled, three);
        let known = known_bits(&pool, at);
        let low: Vec<_> = (0..4).map(|bit| known.bit(bit)).collect();
        assert_eq!(low, [Some(true), Some(true), Some(false), None]);
        assert_eq!(known.bit(40), Some(false));
    }

    proptest! {
        #[test]
        fn what_is_claimed_holds_for_every_input(steps in prop::collection::vec((0..13usize, any::<u16>(), any::<bool>(), any::<u8>()), 1..7)) {
            let mut pool = Pool::new();
            let input = pool.input("x", 2);
            let (x, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
            let (x, y) = (pool.zext(x, 16), pool.sext(y, 16));
            let mut made = vec![x, y];
            for (op, constant, with_constant, pick) in steps {
                let a = made[made.len() - 1];
                let b = if with_constant { pool.constant(16, constant.into()) } else { made[pick as usize % made.len()] };
                let ops = [BvOp::Add, BvOp::Sub, BvOp::Mul, BvOp::URem, BvOp::Shl, BvOp::LShr, BvOp::And, BvOp::Or, BvOp::Xor];
                let next = match ops.get(op) {
                    Some(&op) => pool.bin(op, a, b),
                    None if op == 9 => pool.not(a),
                    None if op == 10 => {
                        let half = pool.extract(a, u32::from(pick % 9), 8);
                        pool.concat(half, half)
                    }
                    None => {
                        let less = pool.ult(a, b);
                        pool.ite(less, a, b)
                    }
                };
                made.push(next);
            }
            for &t in &made {
                let known = known_bits(&pool, t);
                for sample in 0..512u32 {
                    let mut assignment = Assignment::new();
                    assignment.set(input, vec![(sample * 7) as u8, (sample * 37) as u8].into());
                    let value = eval(&pool, t, &assignment);
                    prop_assert_eq!(value & known.zeros, 0, "{} has a one where a zero is claimed", pool.display(t));
                    prop_assert_eq!(!value & known.ones, 0, "{} has a zero where a one is claimed", pool.display(t));
                }
            }
        }
    }
}
