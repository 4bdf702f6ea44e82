//! Random terms: what is said of values holds for the values that the evaluator finds.

use osier_base::Random;
use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::{Knowledge, Ranges, ValueSet, Values};
use crate::assignment::Assignment;
use crate::bits::{apply, mask, sign_extend};
use crate::eval::eval;
use crate::node::{ArrayNode, BvOp, Node, Term};
use crate::pool::Pool;
use crate::properties::recipes;
use crate::testing::{Recipe, assignment, random_bytes};

/// Sets for bytes, and what follows from them for terms.
#[derive(Default)]
struct Table {
    bytes: FxHashMap<u32, ValueSet>,
    terms: FxHashMap<Term, Values>,
}

impl Knowledge for Table {
    fn of(&self, pool: &Pool, t: Term) -> Values {
        self.terms.get(&t).copied().unwrap_or_else(|| Values::all(pool.width(t)))
    }

    fn byte(&self, number: u32) -> ValueSet {
        self.bytes.get(&number).copied().unwrap_or(ValueSet::ALL)
    }
}

impl Table {
    /// Every byte keeps its value and a few others.
    fn around(pool: &Pool, term: Term, near: &Assignment, random: &mut Random) -> (Self, Vec<Term>) {
        let mut table = Table::default();
        for (array, bytes) in near.iter() {
            let ArrayNode::Input { first_byte, .. } = pool.array_node(array) else { unreachable!() };
            for (at, &byte) in bytes.iter().enumerate() {
                let mut set = ValueSet::single(byte);
                (0..random.below(4)).for_each(|_| set.insert(random.bits() as u8));
                let set = if random.below(4) == 0 { ValueSet::ALL } else { set };
                table.bytes.insert(first_byte + at as u32, set);
            }
        }
        let mut order = Vec::new();
        let mut pending = vec![(term, false)];
        while let Some((t, parts_done)) = pending.pop() {
            if table.terms.contains_key(&t) {
                continue;
            }
            if !parts_done {
                pending.push((t, true));
                pool.for_each_child(t, |part| pending.push((part, false)));
                continue;
            }
            let values = pool.values_from_parts(t, &table);
            table.terms.insert(t, values);
            order.push(t);
        }
        (table, order)
    }
}

/// Values with `value` among them.
fn something_with(width: u32, value: u128, random: &mut Random) -> Values {
    let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
    let (near, far) = (random.below(5) as u128, bits & mask(width) >> random.below(width as usize));
    let signed = sign_extend(width, value);
    let ranges = match random.below(5) {
        0 => Ranges::constant(width, value),
        1 => Ranges::unsigned(width, value.saturating_sub(near), value.saturating_add(far)),
        2 => Ranges::signed(width, signed.saturating_sub(near as i128), signed.saturating_add((far >> 1) as i128)),
        3 => Ranges::bits(width, !value & bits, value & bits),
        _ => Ranges::all(width),
    };
    Values::of_ranges(ranges)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_follow_from_parts_and_parts_from_values((recipe, seed) in recipes()) {
        let (mut pool, inputs) = Recipe::pool();
        let term = recipe.build(&mut pool, &inputs);
        let mut random = Random::new(seed);
        let bytes = random_bytes(&mut random);
        let near = assignment(&inputs, &bytes);
        let (table, order) = Table::around(&pool, term, &near, &mut random);
        for t in order {
            let value = eval(&pool, t, &near);
            let always = pool.values(t);
            prop_assert!(always.contains(value), "{value:#x} is not in {always:?} of {}", pool.display(t));
            let forward = table.terms[&t];
            prop_assert!(forward.contains(value), "{value:#x} is not in {forward:?} of {}", pool.display(t));
            let now = something_with(pool.width(t), value, &mut random).meet(&forward);
            prop_assert!(now.contains(value));
            let mut wrong = None;
            pool.narrow_parts(t, &now, &table, &mut |part: Term, values: Values| {
                let is = eval(&pool, part, &near);
                if values.width() != pool.width(part) || !values.contains(is) {
                    wrong = Some((part, is, values));
                }
            });
            prop_assert!(wrong.is_none(), "{t} = {} is in {now:?}: {wrong:?}", pool.display(t));
        }
    }

    #[test]
    fn operators_on_ranges_hold_the_results(seed in any::<u64>(), op in prop::sample::select(BvOp::ALL.to_vec())) {
        let mut random = Random::new(seed);
        let width = [9, 12, 32, 64, 127, 128][random.below(6)];
        let pick = |random: &mut Random| {
            let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
            bits >> random.below(128) & mask(width)
        };
        let (x, y) = (pick(&mut random), pick(&mut random));
        let (a, b) = (something_with(width, x, &mut random), something_with(width, y, &mut random));
        let result = Values::bin(op, &a, &b);
        prop_assert!(result.contains(apply(op, width, x, y)), "{x:#x} {op:?} {y:#x} is not in {result:?}");
        let (met, joined) = (a.meet(&something_with(width, x, &mut random)), a.join(&b));
        prop_assert!(met.contains(x) && joined.contains(x) && joined.contains(y));
    }

    #[test]
    fn places_of_a_table_are_the_values_below_its_end(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let value = u128::from(random.bits()) >> random.below(64);
        let ranges = something_with(64, value, &mut random).ranges();
        let end = [0, 1, 100, 300, 5000][random.below(5)];
        // The signed range is not looked at.
        let ranges = Ranges { least: i128::MIN, most: i128::MAX, ..ranges };
        let expected: Vec<usize> = (0..end).filter(|&place| ranges.contains(place as u128)).collect();
        prop_assert_eq!(ranges.below(end).collect::<Vec<_>>(), expected, "{:?}", ranges);
    }
}

fn term(text: &str) -> (Pool, Term) {
    let (mut pool, inputs) = Recipe::pool();
    let term = Recipe::parse(text).build(&mut pool, &inputs);
    (pool, term)
}

#[test]
fn shapes_say_what_their_values_are() {
    for (text, inside, outside) in [
        ("(zext 32 x)", 255, 256),
        ("(+ (zext 32 x) 10:32)", 265, 9),
        ("(+ (sext 32 x) 4294967248:32)", 0xffff_ff50, 0x80),
        ("(* (zext 32 x) 12:32)", 252, 254),
        ("(++ x 5)", 0xff05, 0xff04),
        ("(%u (zext 32 x) 10:32)", 9, 10),
    ] {
        let (mut pool, t) = term(text);
        let values = pool.values(t);
        assert!(values.contains(inside) && !values.contains(outside), "{text}: {values:?}");
    }
}

#[test]
fn a_read_of_a_table_has_the_bytes_that_its_index_reaches() {
    let mut pool = Pool::new();
    let (input, table) = (pool.input("x", 1), pool.table(&(0..=255).rev().collect::<Vec<u8>>()));
    let index = pool.select_at(input, 0);
    let index = pool.zext(index, 64);
    let read = pool.select(table, index);
    let digits = Table { bytes: FxHashMap::from_iter([(0, ValueSet::range(48, 57))]), ..Table::default() };
    let (mut known, parts) = (digits, [pool.node(index), pool.node(read)]);
    let Node::ZExt { term: byte, .. } = parts[0] else { panic!("an extension") };
    for t in [byte, index, read] {
        let values = pool.values_from_parts(t, &known);
        known.terms.insert(t, values);
    }
    assert_eq!(known.terms[&read], Values::of_set(8, ValueSet::range(198, 207)));
    let mut narrowed = Vec::new();
    pool.narrow_parts(read, &Values::constant(8, 200), &known, &mut |part: Term, values: Values| {
        narrowed.push((part, values.as_const()));
    });
    assert_eq!(narrowed, [(byte, Some(55))]);
}
