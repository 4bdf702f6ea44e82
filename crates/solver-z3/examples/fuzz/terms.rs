//! Random queries over all operators, all widths and all kinds of arrays.

use osier_base::Random;
use osier_term::{Array, BvOp, CmpOp, Pool, Term};

const OPS: [BvOp; 13] = [
    BvOp::Add,
    BvOp::Sub,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Shl,
    BvOp::LShr,
    BvOp::AShr,
    BvOp::Mul,
    BvOp::UDiv,
    BvOp::SDiv,
    BvOp::URem,
    BvOp::SRem,
];
/// The first so many of them stay easy at any width.
const EASY: usize = 8;
const COMPARISONS: [CmpOp; 5] = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];
const WIDTHS: [u32; 14] = [1, 2, 7, 8, 8, 9, 16, 24, 32, 33, 64, 65, 100, 128];
/// The widest product or quotient of two unknowns: solvers take seconds for wider ones.
const WIDEST_PRODUCT: u32 = 10;

/// A growing set of terms, from which queries are picked.
pub struct Garden {
    inputs: Vec<Array>,
    arrays: Vec<Array>,
    made: Vec<Term>,
    conditions: Vec<Term>,
}

impl Garden {
    pub fn plant(pool: &mut Pool, random: &mut Random, terms: usize) -> Garden {
        let sizes = [1 + random.below(4) as u32, 1 + random.below(20) as u32, 300];
        let inputs: Vec<Array> =
            sizes.iter().enumerate().map(|(i, &size)| pool.input(&format!("in{i}"), size)).collect();
        let mut arrays = inputs.clone();
        for length in [3, 16, 40] {
            let distinct = 1 + random.below(256) as u64;
            let bytes: Vec<u8> = (0..length).map(|_| (random.bits() % distinct) as u8).collect();
            arrays.push(pool.table(&bytes));
        }
        let first = pool.select_at(inputs[0], 0);
        let mut garden = Garden { inputs, arrays, made: vec![first], conditions: Vec::new() };
        for _ in 0..terms {
            let term = garden.grow(pool, random);
            if pool.as_const(term).is_none() {
                garden.made.push(term);
                if pool.width(term) == 1 {
                    garden.conditions.push(term);
                }
            }
        }
        garden
    }

    /// A few conditions, some of them negated.
    pub fn query(&self, pool: &mut Pool, random: &mut Random) -> Vec<Term> {
        let count = 1 + random.below(4);
        let pick = |random: &mut Random| self.conditions.get(random.below(self.conditions.len().max(1))).copied();
        let picked: Vec<Term> = (0..count).filter_map(|_| pick(random)).collect();
        picked.into_iter().map(|c| if random.below(2) == 0 { pool.not(c) } else { c }).collect()
    }

    fn any(&self, random: &mut Random) -> Term {
        // The newest half more often, so that terms grow deep.
        let recent = self.made.len() - self.made.len() / 2;
        if random.below(2) == 0 {
            self.made[self.made.len() - 1 - random.below(recent)]
        } else {
            self.made[random.below(self.made.len())]
        }
    }

    fn wide(&self, pool: &mut Pool, random: &mut Random, width: u32) -> Term {
        if random.below(6) == 0 {
            let value = u128::from(random.bits()) << 64 | u128::from(random.bits());
            let interesting = [0, 1, 2, u128::MAX, 1 << (width - 1), value, value & 0xff];
            return pool.constant(width, interesting[random.below(interesting.len())]);
        }
        let term = self.any(random);
        fit(pool, random, term, width)
    }

    fn index(&self, pool: &mut Pool, random: &mut Random) -> Term {
        let term = self.any(random);
        let narrow_to = 1 + random.below(10) as u32;
        let narrow = if pool.width(term) > narrow_to { pool.extract(term, 0, narrow_to) } else { term };
        pool.zext(narrow, 64)
    }

    fn grow(&mut self, pool: &mut Pool, random: &mut Random) -> Term {
        let width = WIDTHS[random.below(WIDTHS.len())];
        match random.below(20) {
            0..=2 => {
                let input = self.inputs[random.below(2)];
                pool.select_at(input, random.below(24) as u64)
            }
            3..=5 => {
                let (a, b) = (self.wide(pool, random, width), self.wide(pool, random, width));
                pool.bin(OPS[random.below(EASY)], a, b)
            }
            6 => {
                let width = width.min(WIDEST_PRODUCT);
                let (a, b) = (self.wide(pool, random, width), self.wide(pool, random, width));
                pool.bin(OPS[EASY + random.below(OPS.len() - EASY)], a, b)
            }
            7 => {
                let a = self.wide(pool, random, width.min(40));
                let b = pool.constant(pool.width(a), random.bits().into());
                pool.bin(OPS[random.below(OPS.len())], a, b)
            }
            8..=12 => {
                let (a, b) = (self.wide(pool, random, width), self.wide(pool, random, width));
                pool.cmp(COMPARISONS[random.below(COMPARISONS.len())], a, b)
            }
            13 => {
                let a = self.any(random);
                pool.not(a)
            }
            14 => {
                let (a, b) = (self.any(random), self.any(random));
                if pool.width(a) + pool.width(b) <= 128 { pool.concat(a, b) } else { a }
            }
            15 => {
                let (cond, a, b) =
                    (self.wide(pool, random, 1), self.wide(pool, random, width), self.wide(pool, random, width));
                pool.ite(cond, a, b)
            }
            16..=17 => {
                let array = self.arrays[random.below(self.arrays.len())];
                let index = self.index(pool, random);
                pool.select(array, index)
            }
            18 => {
                let (index, value) = (self.index(pool, random), self.wide(pool, random, 8));
                let array = self.arrays[random.below(self.arrays.len())];
                let stored = pool.store(array, index, value);
                self.arrays.push(stored);
                let read = self.index(pool, random);
                pool.select(stored, read)
            }
            _ => {
                let a = self.any(random);
                fit(pool, random, a, width)
            }
        }
    }
}

/// Made as wide as wanted, in one of the ways that there are.
fn fit(pool: &mut Pool, random: &mut Random, term: Term, width: u32) -> Term {
    let own = pool.width(term);
    if own > width {
        pool.extract(term, random.below((own - width) as usize + 1) as u32, width)
    } else if random.below(2) == 0 {
        pool.sext(term, width)
    } else {
        pool.zext(term, width)
    }
}
