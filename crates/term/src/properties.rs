//! Random terms: what the rules made of a term means what was asked for.

use osier_base::Random;
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use crate::assignment::Assignment;
use crate::bits::mask;
use crate::eval::{Evaluator, eval};
use crate::node::{Array, ArrayNode, BvOp, CmpOp, Term};
use crate::pool::Pool;
use crate::testing::{Base, INPUTS, Recipe, assignment, random_bytes};

const WIDTHS: [u32; 14] = [1, 1, 7, 8, 8, 9, 16, 31, 32, 32, 33, 64, 80, 128];

/// Grows recipes from a seed. Constants are often extreme, operands often the same or near, so that rules fire.
struct Grower {
    random: Random,
    /// Recipes made so far, to be used again.
    kept: Vec<Recipe>,
}

impl Grower {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len())]
    }

    fn constant(&mut self, width: u32) -> Recipe {
        let top = mask(width);
        let shift = self.random.below(width as usize);
        let bits = u128::from(self.random.bits()) << 64 | u128::from(self.random.bits());
        let value = match self.random.below(8) {
            0 => 0,
            1 => 1,
            2 => top,
            3 => top >> 1,
            4 => (top >> 1) + 1,
            5 => 1 << shift,
            6 => (top >> shift).wrapping_sub(self.random.below(2) as u128),
            _ => bits >> self.random.below(128),
        };
        Recipe::Const { width, value: value & top }
    }

    fn leaf(&mut self, width: u32) -> Recipe {
        if self.random.below(4) == 0 {
            return self.constant(width);
        }
        let byte = |random: &mut Random| Recipe::Byte { input: 0, at: random.below(6) as u32 };
        let mut leaf = byte(&mut self.random);
        while leaf.width() < width {
            leaf = match self.random.below(6) {
                0 => Recipe::ZExt(Box::new(leaf), width),
                1 => Recipe::SExt(Box::new(leaf), width),
                _ if leaf.width() + 8 > 128 => Recipe::SExt(Box::new(leaf), width),
                _ => Recipe::Concat(Box::new(byte(&mut self.random)), Box::new(leaf)),
            };
        }
        if leaf.width() == width {
            return leaf;
        }
        let low = self.random.below((leaf.width() - width + 1) as usize) as u32;
        Recipe::Extract { of: Box::new(leaf), low, width }
    }

    fn term(&mut self, width: u32, depth: u32) -> Recipe {
        let again: Vec<usize> = (0..self.kept.len()).filter(|&at| self.kept[at].width() == width).collect();
        if !again.is_empty() && self.random.below(4) == 0 {
            return self.kept[again[self.random.below(again.len())]].clone();
        }
        let recipe = if depth == 0 { self.leaf(width) } else { self.compound(width, depth - 1) };
        self.kept.push(recipe.clone());
        recipe
    }

    fn boxed(&mut self, width: u32, depth: u32) -> Box<Recipe> {
        Box::new(self.term(width, depth))
    }

    fn operand(&mut self, width: u32, depth: u32) -> Box<Recipe> {
        if self.random.below(3) == 0 { Box::new(self.constant(width)) } else { self.boxed(width, depth) }
    }

    fn compound(&mut self, width: u32, depth: u32) -> Recipe {
        match self.random.below(if width == 1 || width == 8 { 14 } else { 11 }) {
            0 => self.leaf(width),
            1..=3 => {
                let op = self.pick(&BvOp::ALL);
                Recipe::Bin(op, self.operand(width, depth), self.operand(width, depth))
            }
            4 => Recipe::Not(self.boxed(width, depth)),
            5 | 6 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                Recipe::Concat(self.operand(width - low, depth), self.operand(low, depth))
            }
            5..=7 if width < 128 => {
                let wider: Vec<u32> = WIDTHS.into_iter().filter(|&w| w > width).collect();
                let from = self.pick(&wider);
                let low = self.random.below((from - width + 1) as usize) as u32;
                let low = if self.random.coin() { 0 } else { low };
                Recipe::Extract { of: self.boxed(from, depth), low, width }
            }
            5..=9 if width > 1 => {
                let narrower: Vec<u32> = WIDTHS.into_iter().filter(|&w| w < width).collect();
                let from = self.pick(&narrower);
                let inner = self.boxed(from, depth);
                if self.random.coin() { Recipe::ZExt(inner, width) } else { Recipe::SExt(inner, width) }
            }
            11..=13 if width == 1 => {
                let (op, width) = (self.pick(&CmpOp::ALL), self.pick(&WIDTHS));
                Recipe::Cmp(op, self.operand(width, depth), self.operand(width, depth))
            }
            11..=13 => self.select(depth),
            _ => Recipe::Ite(self.boxed(1, depth), self.operand(width, depth), self.operand(width, depth)),
        }
    }

    /// A small index: out of range now and then, and often near others.
    fn index(&mut self, depth: u32) -> Recipe {
        match self.random.below(4) {
            0 => Recipe::Const { width: 64, value: self.random.below(8) as u128 },
            1 => {
                let number = |value| Box::new(Recipe::Const { width: 64, value });
                let offset = number(self.random.below(5) as u128);
                let at = self.random.below(2) as u32;
                let base = Box::new(Recipe::ZExt(Box::new(Recipe::Byte { input: 0, at }), 64));
                let base = Recipe::Bin(BvOp::Mul, base, number(self.pick(&[1, 2, 4, 12])));
                Recipe::Bin(BvOp::Add, Box::new(base), offset)
            }
            2 => {
                let limit = Box::new(Recipe::Const { width: 64, value: 4 });
                Recipe::Bin(BvOp::URem, self.boxed(64, depth), limit)
            }
            _ => self.term(64, depth),
        }
    }

    fn select(&mut self, depth: u32) -> Recipe {
        let base = match self.random.below(4) {
            0 => Base::Input(0),
            1 => Base::Input(1),
            2 => Base::Table(vec![self.random.bits() as u8; self.random.below(6)]),
            _ => Base::Table((0..self.random.below(9)).map(|_| self.random.bits() as u8).collect()),
        };
        let stores = (0..self.random.below(4)).map(|_| (self.index(depth), self.term(8, depth))).collect();
        Recipe::Select { base, stores, index: Box::new(self.index(depth)) }
    }
}

fn grow(seed: u64, width: u32, depth: u32) -> Recipe {
    Grower { random: Random::new(seed), kept: Vec::new() }.term(width, depth)
}

pub(crate) fn recipes() -> impl Strategy<Value = (Recipe, u64)> {
    (any::<u64>(), prop::sample::select(WIDTHS.to_vec()), 1u32..6)
        .prop_map(|(seed, width, depth)| (grow(seed, width, depth), seed))
}

/// Bounds that are read off the shape must hold for the value.
fn check_bounds(pool: &Pool, t: Term, value: u128) -> Result<(), TestCaseError> {
    prop_assert!(value <= pool.max_value(t), "{value} is above the bound {}", pool.max_value(t));
    let zeros = pool.trailing_zeros(t);
    prop_assert!(value.trailing_zeros() >= zeros, "{value:#x} has not {zeros} zeros");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplified_terms_keep_width_and_value((recipe, seed) in recipes()) {
        let (mut pool, inputs) = Recipe::pool();
        let term = recipe.build(&mut pool, &inputs);
        prop_assert_eq!(pool.width(term), recipe.width());
        let mut random = Random::new(seed);
        for _ in 0..8 {
            let bytes = random_bytes(&mut random);
            let assignment = assignment(&inputs, &bytes);
            let expected = recipe.value(&bytes);
            prop_assert_eq!(eval(&pool, term, &assignment), expected, "{}", pool.display(term));
            prop_assert_eq!(Evaluator::new(&pool, &assignment).eval(term), expected, "{}", pool.display(term));
            check_bounds(&pool, term, expected)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_outside_the_support_do_not_matter((recipe, seed) in recipes()) {
        let (mut pool, inputs) = Recipe::pool();
        let term = recipe.build(&mut pool, &inputs);
        let support = pool.support(term);
        let mut random = Random::new(seed);
        for _ in 0..8 {
            let bytes = random_bytes(&mut random);
            let before = eval(&pool, term, &assignment(&inputs, &bytes));
            let mut changed = random_bytes(&mut random);
            for (input, contents) in changed.iter_mut().enumerate() {
                let ArrayNode::Input { first_byte, .. } = pool.array_node(inputs[input]) else { unreachable!() };
                for (at, byte) in contents.iter_mut().enumerate() {
                    if support.contains_byte(first_byte + at as u32) {
                        *byte = bytes[input][at];
                    }
                }
            }
            prop_assert_eq!(eval(&pool, term, &assignment(&inputs, &changed)), before);
        }
    }

    #[test]
    fn renamed_inputs_give_the_value_of_the_new_ones((recipe, seed) in recipes()) {
        let (mut pool, inputs) = Recipe::pool();
        let term = recipe.build(&mut pool, &inputs);
        let fresh: Vec<Array> = INPUTS.iter().map(|&size| pool.input("fresh", size)).collect();
        let map: FxHashMap<Array, Array> = inputs.iter().copied().zip(fresh.iter().copied()).collect();
        let renamed = pool.replace_inputs(term, &map);
        prop_assert_eq!(pool.width(renamed), pool.width(term));
        let mut random = Random::new(seed);
        for _ in 0..4 {
            let bytes = random_bytes(&mut random);
            prop_assert_eq!(eval(&pool, renamed, &assignment(&fresh, &bytes)), recipe.value(&bytes));
        }
    }

    #[test]
    fn substituted_bytes_give_the_value_of_what_stands_for_them(
        (recipe, seed) in recipes(),
        (replacement, _) in recipes(),
    ) {
        let (mut pool, inputs) = Recipe::pool();
        let term = recipe.build(&mut pool, &inputs);
        let replacement = replacement.build(&mut pool, &inputs);
        let byte = if pool.width(replacement) >= 8 {
            pool.extract(replacement, 0, 8)
        } else {
            pool.zext(replacement, 8)
        };
        // Only reads at constants are replaced, so reads elsewhere must not reach the byte: give it an input apart.
        let apart = pool.input("apart", 1);
        let old = pool.select_at(apart, 0);
        let reads: Vec<Term> = (0..6).map(|at| pool.select_at(inputs[0], at)).collect();
        let opened = pool.substitute(term, &mut |_, t| (t == reads[0]).then_some(old));
        let closed = pool.substitute(opened, &mut |_, t| (t == old).then_some(byte));
        let mut random = Random::new(seed);
        for _ in 0..4 {
            let bytes = random_bytes(&mut random);
            let mut assignment: Assignment = assignment(&inputs, &bytes);
            let value = eval(&pool, byte, &assignment);
            assignment.set_byte(apart, 1, 0, value as u8);
            prop_assert_eq!(eval(&pool, closed, &assignment), eval(&pool, opened, &assignment));
        }
    }
}
