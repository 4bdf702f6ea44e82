//! Pointers of every shape against what they mean under an assignment: exactly one case holds, and it is the object
//! that the pointer was made from.

use crate::{
    Allocation, Case, Contents, Life, Memory, NULL_REGION, Origin, Shape, Target, Value, resolve, translate,
    window_guard,
};
use osier_ir::LocId;
use osier_term::{Array, Assignment, Pool, Term, eval};
use proptest::prelude::*;

const INPUT: usize = 8;

fn block(size: u64) -> Allocation {
    Allocation {
        size,
        align: 16,
        origin: Origin::Heap { allocator: "malloc" },
        read_only: false,
        allocated_at: LocId(0),
        contents: Contents::zeroed(size as usize),
        limit: None,
    }
}

/// Objects of several sizes, one of them dead, one of many windows.
fn memory() -> (Memory, Vec<u64>) {
    let mut memory = Memory::new();
    let mut bases: Vec<u64> = Vec::new();
    for size in [4, 100, 3 << 24, 0, 1 << 20] {
        bases.push(memory.allocate(block(size)).expect("there is room").1);
    }
    let dead = memory.find(bases[1]).expect("it is there").id;
    memory.kill(dead, Life::Freed { at: LocId(0) });
    (memory, bases)
}

#[derive(Clone, Debug)]
enum Pointer {
    /// An object's address and a distance.
    To {
        object: usize,
        offset: i64,
    },
    Null {
        offset: u64,
    },
    Wild(u64),
    /// By a bit of the input.
    Choice {
        bit: u32,
        then: Box<Pointer>,
        other: Box<Pointer>,
    },
    /// Plus or minus an input byte times a constant.
    Moved {
        base: Box<Pointer>,
        byte: usize,
        scale: u32,
        down: bool,
    },
    /// A table of pointers, read at an input byte modulo its length.
    Entry {
        table: Vec<(usize, i64)>,
        byte: usize,
    },
}

fn offset() -> impl Strategy<Value = i64> {
    prop_oneof![4 => -40..200i64, 1 => -300_000..300_000i64]
}

fn pointer() -> impl Strategy<Value = Pointer> {
    let leaf = prop_oneof![
        6 => (0..5usize, offset()).prop_map(|(object, offset)| Pointer::To { object, offset }),
        1 => (0..64u64).prop_map(|offset| Pointer::Null { offset }),
        1 => (NULL_REGION..1 << 32).prop_map(Pointer::Wild),
        2 => (prop::collection::vec((0..5usize, offset()), 1..12), 0..INPUT)
            .prop_map(|(table, byte)| Pointer::Entry { table, byte }),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        prop_oneof![
            (0..64u32, inner.clone(), inner.clone()).prop_map(|(bit, then, other)| Pointer::Choice {
                bit,
                then: then.into(),
                other: other.into()
            }),
            (inner, 0..INPUT, 1..40u32, any::<bool>()).prop_map(|(base, byte, scale, down)| Pointer::Moved {
                base: base.into(),
                byte,
                scale,
                down
            }),
        ]
    })
}

/// What a pointer was made from, and where it leads.
#[derive(Clone, Copy, Debug)]
struct Meaning {
    root: u64,
    address: u64,
}

impl Pointer {
    fn build(&self, pool: &mut Pool, input: Array, bases: &[u64]) -> Term {
        match self {
            Pointer::To { object, offset } => {
                pool.constant(64, u128::from(bases[*object].wrapping_add_signed(*offset)))
            }
            Pointer::Null { offset } | Pointer::Wild(offset) => pool.constant(64, u128::from(*offset)),
            Pointer::Choice { bit, then, other } => {
                let byte = pool.select_at(input, u64::from(bit / 8));
                let cond = pool.extract(byte, bit % 8, 1);
                let (then, other) = (then.build(pool, input, bases), other.build(pool, input, bases));
                pool.ite(cond, then, other)
            }
            Pointer::Moved { base, byte, scale, down } => {
                let base = base.build(pool, input, bases);
                let byte = pool.select_at(input, *byte as u64);
                let wide = pool.zext(byte, 64);
                let scale = pool.constant(64, u128::from(*scale));
                let distance = pool.mul(wide, scale);
                if *down { pool.sub(base, distance) } else { pool.add(base, distance) }
            }
            Pointer::Entry { table, byte } => {
                let mut contents = Contents::zeroed(table.len() * 8);
                for (i, (object, offset)) in table.iter().enumerate() {
                    contents.write_concrete(i * 8, 8, bases[*object].wrapping_add_signed(*offset));
                }
                let byte = pool.select_at(input, *byte as u64);
                let wide = pool.zext(byte, 64);
                let count = pool.constant(64, table.len() as u128);
                let index = pool.urem(wide, count);
                let eight = pool.constant(64, 8);
                let at = pool.mul(index, eight);
                match Value::of(pool, at) {
                    Value::Int(at) => contents.read(pool, at as usize, 64).term(pool, 64),
                    Value::Term(at) => contents.read_at(pool, at, 64),
                }
            }
        }
    }

    fn mean(&self, bytes: &[u8; INPUT], bases: &[u64]) -> Meaning {
        match self {
            Pointer::To { object, offset } => {
                Meaning { root: bases[*object], address: bases[*object].wrapping_add_signed(*offset) }
            }
            Pointer::Null { offset } | Pointer::Wild(offset) => Meaning { root: *offset, address: *offset },
            Pointer::Choice { bit, then, other } => {
                let chosen = bytes[*bit as usize / 8] >> (bit % 8) & 1 == 1;
                if chosen { then.mean(bytes, bases) } else { other.mean(bytes, bases) }
            }
            Pointer::Moved { base, byte, scale, down } => {
                let Meaning { root, address } = base.mean(bytes, bases);
                let distance = u64::from(bytes[*byte]) * u64::from(*scale);
                let address = if *down { address.wrapping_sub(distance) } else { address.wrapping_add(distance) };
                Meaning { root, address }
            }
            Pointer::Entry { table, byte } => {
                let (object, offset) = table[bytes[*byte] as usize % table.len()];
                Meaning { root: bases[object], address: bases[object].wrapping_add_signed(offset) }
            }
        }
    }
}

fn assigned(input: Array, bytes: &[u8]) -> Assignment {
    let mut assignment = Assignment::new();
    assignment.set(input, bytes.into());
    assignment
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_case_holds_and_it_is_the_root(pointer in pointer(), worlds in any::<[[u8; INPUT]; 6]>()) {
        let (memory, bases) = memory();
        let mut pool = Pool::new();
        let input = pool.input("x", INPUT as u32);
        let term = pointer.build(&mut pool, input, &bases);
        let Shape::Cases(cases) = resolve(&mut pool, &memory, term) else {
            // Only a moved null or wild pointer has no object at its roots.
            let has_object = format!("{pointer:?}").contains("To") || format!("{pointer:?}").contains("Entry");
            let has_other = format!("{pointer:?}").contains("Null") || format!("{pointer:?}").contains("Wild");
            prop_assert!(!has_object || has_other, "no shape: {}", pool.display(term));
            return Ok(());
        };
        for bytes in &worlds {
            let assignment = assigned(input, bytes);
            let Meaning { root, address } = pointer.mean(bytes, &bases);
            prop_assert_eq!(eval(&pool, term, &assignment) as u64, address);
            let holding: Vec<&Case> = cases.iter().filter(|case| eval(&pool, case.guard, &assignment) == 1).collect();
            prop_assert_eq!(holding.len(), 1, "guards that hold at once");
            match holding[0].target {
                Target::Object { id, offset } => {
                    let object = memory.object(id);
                    let expected = memory.find(root).map(|object| object.id);
                    prop_assert_eq!(Some(id), expected, "another object than the root's");
                    let there = object.base.wrapping_add(eval(&pool, offset, &assignment) as u64);
                    prop_assert_eq!(there, address);
                }
                Target::Null { address: term } => {
                    prop_assert!(root < NULL_REGION);
                    prop_assert_eq!(eval(&pool, term, &assignment) as u64, address);
                }
                Target::Nowhere { address: term } => {
                    prop_assert!(memory.find(root).is_none());
                    prop_assert_eq!(eval(&pool, term, &assignment) as u64, address);
                }
            }
        }
    }

    /// What enumeration relies on: a case covers its example, and two examples are in one case or in two disjoint ones.
    #[test]
    fn windows_part_the_address_space(picks in prop::collection::vec((0..9usize, -70_000..70_000i64), 2..8), any in any::<u64>()) {
        let (mut memory, mut anchors) = memory();
        for (address, size) in [(0x300, 8), (0x200_0000, 16), (0x200_0100, 16)] {
            memory.allocate_fixed(address, size, LocId(0)).expect("nothing lies there");
            anchors.push(address);
        }
        anchors.push(any);
        let mut pool = Pool::new();
        let input = pool.input("p", 8);
        let mut pointer = pool.select_at(input, 7);
        for i in (0..7).rev() {
            let low = pool.select_at(input, i);
            pointer = pool.concat(pointer, low);
        }
        let examples: Vec<u64> = picks
            .iter()
            .flat_map(|&(anchor, offset)| [anchors[anchor].wrapping_add_signed(offset), anchors[anchor].wrapping_add_signed(offset % 32)])
            .collect();
        let cases: Vec<Case> = examples.iter().map(|e| window_guard(&mut pool, &memory, pointer, *e)).collect();
        for (example, own) in examples.iter().zip(&cases) {
            let assignment = assigned(input, &example.to_le_bytes());
            prop_assert_eq!(eval(&pool, own.guard, &assignment), 1, "{:#x} is not in its own case", example);
            match own.target {
                Target::Object { id, offset } => {
                    let object = memory.find(*example).expect("the case is an object's");
                    prop_assert_eq!(object.id, id);
                    prop_assert_eq!(object.base.wrapping_add(eval(&pool, offset, &assignment) as u64), *example);
                }
                Target::Null { .. } => prop_assert!(*example < NULL_REGION && memory.find(*example).is_none()),
                Target::Nowhere { .. } => prop_assert!(*example >= NULL_REGION && memory.find(*example).is_none()),
            }
            for other in &cases {
                if eval(&pool, other.guard, &assignment) == 1 {
                    prop_assert_eq!((own.guard, own.target), (other.guard, other.target));
                }
            }
        }
    }
}

#[test]
fn a_choice_of_any_depth_is_taken_apart_without_recursion() {
    let (memory, bases) = memory();
    let mut pool = Pool::new();
    let input = pool.input("x", 40_000);
    let mut pointer = pool.constant(64, u128::from(bases[0]));
    for i in 0..40_000 {
        let byte = pool.select_at(input, i);
        let wide = pool.zext(byte, 64);
        pointer = pool.add(pointer, wide);
    }
    // Too long to follow is an answer; a crash is none.
    match resolve(&mut pool, &memory, pointer) {
        Shape::Cases(cases) => assert_eq!(cases.len(), 1),
        Shape::Unknown => {}
    }
}

/// `q + (p - r)` for a `p` that is one of two places in the object of `r`, which is how a copy's end is found.
#[test]
fn a_choice_that_is_moved_to_another_object_belongs_there() {
    let (memory, bases) = memory();
    let mut pool = Pool::new();
    let input = pool.input("x", 2);
    let bits = [0, 1].map(|at| {
        let byte = pool.select_at(input, at);
        pool.extract(byte, 0, 1)
    });
    let [first, second, third] = [1, 2, 3].map(|offset| pool.constant(64, u128::from(bases[0] + offset)));
    let inner = pool.ite(bits[1], second, third);
    let p = pool.ite(bits[0], first, inner);
    let [q, r] = [4, 0].map(|object: usize| pool.constant(64, u128::from(bases[object])));
    let distance = pool.sub(p, r);
    let moved = pool.add(q, distance);
    let Shape::Cases(cases) = resolve(&mut pool, &memory, moved) else { panic!("it has roots") };
    assert_eq!(cases.len(), 3);
    for case in &cases {
        let Target::Object { id, offset } = case.target else { panic!("{case:?}") };
        assert_eq!(memory.object(id).base, bases[4]);
        assert!(pool.as_const(offset).is_some_and(|offset| (1..4).contains(&offset)));
    }
    let place = |address: u64| Some(address - bases[4] + 100);
    let index = translate(&mut pool, &memory, moved, &place);
    for (bytes, expected) in [([1, 0], 101), ([0, 1], 102), ([0, 0], 103)] {
        let mut assignment = Assignment::new();
        assignment.set(input, bytes.to_vec().into());
        assert_eq!(eval(&pool, index, &assignment), expected);
    }
    // Both places may depend on the input.
    let second_from = pool.ite(bits[1], r, first);
    let distance = pool.sub(p, second_from);
    let moved_by_both = pool.add(q, distance);
    let Shape::Cases(cases) = resolve(&mut pool, &memory, moved_by_both) else { panic!("it has a root") };
    let [Case { target: Target::Object { id, .. }, .. }] = cases.as_slice() else { panic!("{cases:?}") };
    assert_eq!(memory.object(*id).base, bases[4]);
    // What else is added may lead back again.
    let byte = pool.select_at(input, 1);
    let more = pool.zext(byte, 64);
    let further = pool.add(moved, more);
    assert!(matches!(resolve(&mut pool, &memory, further), Shape::Unknown));
}

#[test]
fn a_table_indexed_from_a_large_number_on_is_the_table() {
    let (memory, bases) = memory();
    let mut pool = Pool::new();
    let input = pool.input("x", 1);
    let byte = pool.select_at(input, 0);
    let code = pool.zext(byte, 64);
    let four = pool.constant(64, 4);
    let scaled = pool.mul(code, four);
    let start = pool.constant(64, u128::from(bases[4]));
    let pointer = pool.add(start, scaled);
    let far = pool.constant(64, 4 * 0xac00);
    let pointer = pool.sub(pointer, far);
    let Shape::Cases(cases) = resolve(&mut pool, &memory, pointer) else { panic!("it has a root") };
    let [Case { target: Target::Object { id, .. }, .. }] = cases.as_slice() else { panic!("{cases:?}") };
    assert_eq!(memory.object(*id).base, bases[4]);
}
