//! Contents against an array of plain bytes: whatever is written, copied and read at whatever offsets, under every
//! assignment the terms that come out have the values that a machine would have.

use crate::overlay::BLOCK;
use crate::pages::PAGE;
use crate::{Contents, Value, mask};
use osier_term::{Array, Assignment, Node, Pool, Term, eval};
use proptest::prelude::*;

const INPUT: usize = 16;
const WORLDS: usize = 3;

/// An offset at which an access fits.
#[derive(Clone, Copy, Debug)]
enum Place {
    Known(usize),
    /// The input byte modulo the number of places.
    Anywhere {
        byte: usize,
    },
    /// The input byte's low bits times a power of two, which the shape of the term shows, plus a constant.
    Aligned {
        byte: usize,
        shift: u32,
        plus: u64,
    },
}

#[derive(Clone, Copy, Debug)]
enum Data {
    Number(u64),
    /// Input bytes from here on, wrapping around.
    Input(usize),
    /// As many equal bytes, each the same term.
    Repeated(usize),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Write {
        place: Place,
        width: u32,
        data: Data,
    },
    Read {
        place: Place,
        width: u32,
    },
    Fill {
        at: usize,
        len: usize,
        byte: u8,
    },
    /// Numbers from here on, one higher each.
    Bytes {
        at: usize,
        len: usize,
        first: u8,
    },
    Within {
        from: usize,
        to: usize,
        len: usize,
    },
    /// Copies to or from a second object of another size.
    Across {
        back: bool,
        from: usize,
        to: usize,
        len: usize,
    },
    /// Makes the contents an array term, which later steps must not take for current.
    Freeze,
    /// Goes on with a copy; the one left behind must stay as it is.
    Fork,
    /// The object becomes an input of its own.
    Symbolic,
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        (0..200usize).prop_map(Place::Known),
        (0..INPUT).prop_map(|byte| Place::Anywhere { byte }),
        (0..INPUT, 0..6u32, 0..64u64).prop_map(|(byte, shift, plus)| Place::Aligned { byte, shift, plus }),
    ]
}

fn data() -> impl Strategy<Value = Data> {
    prop_oneof![
        any::<u64>().prop_map(Data::Number),
        (0..INPUT).prop_map(Data::Input),
        (0..INPUT).prop_map(Data::Repeated),
    ]
}

fn width() -> impl Strategy<Value = u32> {
    prop_oneof![Just(8u32), Just(32), Just(64), Just(1), Just(80), Just(128), 1..=128u32]
}

fn step() -> impl Strategy<Value = Step> {
    let spot = || 0..200usize;
    prop_oneof![
        6 => (place(), width(), data()).prop_map(|(place, width, data)| Step::Write { place, width, data }),
        6 => (place(), width()).prop_map(|(place, width)| Step::Read { place, width }),
        2 => (spot(), spot(), prop_oneof![Just(0), any::<u8>()])
            .prop_map(|(at, len, byte)| Step::Fill { at, len, byte }),
        1 => (spot(), spot(), any::<u8>()).prop_map(|(at, len, first)| Step::Bytes { at, len, first }),
        2 => (spot(), spot(), spot()).prop_map(|(from, to, len)| Step::Within { from, to, len }),
        2 => (any::<bool>(), spot(), spot(), spot())
            .prop_map(|(back, from, to, len)| Step::Across { back, from, to, len }),
        1 => Just(Step::Freeze),
        1 => Just(Step::Fork),
        1 => Just(Step::Symbolic),
    ]
}

/// An object, and what its bytes are under each assignment.
#[derive(Clone)]
struct Twin {
    contents: Contents,
    plain: [Vec<u8>; WORLDS],
}

impl Twin {
    /// `flat` ones are in one piece whatever their size, as only small ones are outside of tests.
    fn new(size: usize, flat: bool) -> Self {
        let contents = if flat { Contents::flat(vec![0; size]) } else { Contents::zeroed(size) };
        Twin { contents, plain: std::array::from_fn(|_| vec![0; size]) }
    }
}

struct Bench {
    pool: Pool,
    input: Array,
    worlds: [Assignment; WORLDS],
}

impl Bench {
    fn new(bytes: &[[u8; INPUT]; WORLDS]) -> Self {
        let mut pool = Pool::new();
        let input = pool.input("x", INPUT as u32);
        let worlds = std::array::from_fn(|w| {
            let mut assignment = Assignment::new();
            assignment.set(input, bytes[w].as_slice().into());
            assignment
        });
        Bench { pool, input, worlds }
    }

    fn byte(&mut self, at: usize) -> Term {
        self.pool.select_at(self.input, (at % INPUT) as u64)
    }

    /// The offset as an operand, for an access of `len` bytes in an object of `size`.
    fn offset(&mut self, place: Place, size: usize, len: usize) -> Value {
        let places = (size - len + 1) as u64;
        let term = match place {
            Place::Known(at) => return Value::Int(at as u64 % places),
            Place::Anywhere { byte } => {
                let byte = self.byte(byte);
                let (wide, count) = (self.pool.zext(byte, 64), self.pool.constant(64, u128::from(places)));
                self.pool.urem(wide, count)
            }
            Place::Aligned { byte, shift, plus } => {
                let byte = self.byte(byte);
                let wide = self.pool.zext(byte, 64);
                let plus = plus % places;
                // The largest mask of ones that keeps the shifted offset inside.
                let greatest = (places - 1 - plus) >> shift;
                let ones =
                    (greatest + 1).next_power_of_two() / if (greatest + 1).is_power_of_two() { 1 } else { 2 } - 1;
                let ones = self.pool.constant(64, u128::from(ones));
                let low = self.pool.and(wide, ones);
                let by = self.pool.constant(64, u128::from(shift));
                let aligned = self.pool.shl(low, by);
                let plus = self.pool.constant(64, u128::from(plus));
                self.pool.add(aligned, plus)
            }
        };
        Value::of(&self.pool, term)
    }

    fn value(&mut self, data: Data, width: u32) -> Value {
        let len = width.div_ceil(8) as usize;
        let term = match data {
            Data::Number(bits) => {
                return Value::from_bits(&mut self.pool, width, u128::from(bits) * 0x1_0000_0001_0000_0001);
            }
            Data::Input(first) => self.word(|i| first + i, len),
            Data::Repeated(at) => self.word(|_| at, len),
        };
        let term = self.pool.extract(term, 0, width);
        Value::of(&self.pool, term)
    }

    fn word(&mut self, at: impl Fn(usize) -> usize, len: usize) -> Term {
        let mut whole = self.byte(at(len - 1));
        for i in (0..len - 1).rev() {
            let low = self.byte(at(i));
            whole = self.pool.concat(whole, low);
        }
        whole
    }

    fn under(&mut self, value: Value, width: u32, world: usize) -> u128 {
        let term = value.term(&mut self.pool, width);
        assert_eq!(self.pool.width(term), width);
        eval(&self.pool, term, &self.worlds[world])
    }

    fn write(&mut self, twin: &mut Twin, place: Place, width: u32, data: Data) {
        let (size, len) = (twin.contents.len(), width.div_ceil(8) as usize);
        if len > size {
            return;
        }
        let (offset, value) = (self.offset(place, size, len), self.value(data, width));
        match offset {
            Value::Int(at) => twin.contents.write(&mut self.pool, at as usize, width, value),
            Value::Term(at) => twin.contents.write_at(&mut self.pool, at, width, value),
        }
        for world in 0..WORLDS {
            let (at, bits) = (self.under(offset, 64, world) as usize, self.under(value, width, world));
            twin.plain[world][at..at + len].copy_from_slice(&bits.to_le_bytes()[..len]);
        }
    }

    fn read(&mut self, twin: &Twin, place: Place, width: u32) {
        let (size, len) = (twin.contents.len(), width.div_ceil(8) as usize);
        if len > size {
            return;
        }
        let offset = self.offset(place, size, len);
        let value = match offset {
            Value::Int(at) => twin.contents.read(&mut self.pool, at as usize, width),
            Value::Term(at) => {
                let term = twin.contents.read_at(&mut self.pool, at, width);
                Value::of(&self.pool, term)
            }
        };
        match value {
            Value::Int(bits) => assert!(width <= 64 && bits <= mask(width), "{bits:#x} in {width} bits"),
            Value::Term(term) => {
                assert!(width > 64 || self.pool.as_const(term).is_none(), "a small constant as a term")
            }
        }
        for world in 0..WORLDS {
            let at = self.under(offset, 64, world) as usize;
            let mut bytes = [0; 16];
            bytes[..len].copy_from_slice(&twin.plain[world][at..at + len]);
            let expected = u128::from_le_bytes(bytes) & u128::MAX >> (128 - width);
            assert_eq!(self.under(value, width, world), expected, "{width} bits at {at} in world {world}");
        }
    }

    /// Every byte in every way of reading it.
    fn compare(&mut self, twin: &Twin) {
        let array = twin.contents.to_array(&mut self.pool);
        for at in 0..twin.contents.len() {
            let byte = twin.contents.byte(&mut self.pool, at);
            let selected = self.pool.select_at(array, at as u64);
            for world in 0..WORLDS {
                let expected = u128::from(twin.plain[world][at]);
                assert_eq!(eval(&self.pool, byte, &self.worlds[world]), expected, "byte {at} in world {world}");
                assert_eq!(eval(&self.pool, selected, &self.worlds[world]), expected, "byte {at} of the array");
            }
            if let Some(known) = twin.contents.read_concrete(at, 1) {
                assert_eq!(Some(u128::from(known)), self.pool.as_const(byte), "byte {at}, said to be concrete");
            }
        }
        if let Some(bytes) = twin.contents.concrete_bytes() {
            assert_eq!(*bytes, twin.plain[0]);
        }
    }
}

/// A stretch of at most `len` bytes that fits on both sides.
fn stretch(sizes: (usize, usize), from: usize, to: usize, len: usize) -> (usize, usize, usize) {
    let len = len % (sizes.0.min(sizes.1) + 1);
    (from % (sizes.0 - len + 1), to % (sizes.1 - len + 1), len)
}

fn execute(bench: &mut Bench, sizes: (usize, usize), flat: (bool, bool), steps: &[Step]) {
    let (mut main, mut side) = (Twin::new(sizes.0, flat.0), Twin::new(sizes.1, flat.1));
    let mut left_behind = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Write { place, width, data } => bench.write(&mut main, place, width, data),
            Step::Read { place, width } => bench.read(&main, place, width),
            Step::Fill { at, len, byte } => {
                let (at, _, len) = stretch((sizes.0, sizes.0), at, 0, len);
                main.contents.fill(at, len, byte);
                main.plain.iter_mut().for_each(|plain| plain[at..at + len].fill(byte));
            }
            Step::Bytes { at, len, first } => {
                let (at, _, len) = stretch((sizes.0, sizes.0), at, 0, len);
                let bytes: Vec<u8> = (0..len).map(|i| first.wrapping_add(i as u8)).collect();
                main.contents.write_bytes(at, &bytes);
                main.plain.iter_mut().for_each(|plain| plain[at..at + len].copy_from_slice(&bytes));
            }
            Step::Within { from, to, len } => {
                let (from, to, len) = stretch((sizes.0, sizes.0), from, to, len);
                main.contents.copy_within(&mut bench.pool, from, to, len);
                main.plain.iter_mut().for_each(|plain| plain.copy_within(from..from + len, to));
            }
            Step::Across { back, from, to, len } => {
                let (source, target) = if back { (&side, &mut main) } else { (&main, &mut side) };
                let lens = (source.contents.len(), target.contents.len());
                let (from, to, len) = stretch(lens, from, to, len);
                target.contents.copy_from(&mut bench.pool, to, &source.contents, from, len);
                for world in 0..WORLDS {
                    target.plain[world][to..to + len].copy_from_slice(&source.plain[world][from..from + len]);
                }
            }
            Step::Freeze => {
                main.contents.to_array(&mut bench.pool);
            }
            Step::Fork => left_behind.push(main.clone()),
            Step::Symbolic => {
                let array = bench.pool.input("object", sizes.0 as u32);
                main.contents.become_array(array);
                for world in 0..WORLDS {
                    let bytes: Vec<u8> = (0..sizes.0).map(|i| (i * 37 + number * 11 + world * 101) as u8).collect();
                    bench.worlds[world].set(array, bytes.as_slice().into());
                    main.plain[world] = bytes;
                }
            }
        }
    }
    bench.compare(&main);
    bench.compare(&side);
    left_behind.iter().for_each(|twin| bench.compare(twin));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contents_are_what_a_machine_would_have(
        bytes in any::<[[u8; INPUT]; WORLDS]>(),
        sizes in (1..160usize, 1..100usize),
        flat in any::<(bool, bool)>(),
        steps in prop::collection::vec(step(), 1..24),
    ) {
        execute(&mut Bench::new(&bytes), sizes, flat, &steps);
    }

    /// Few writes and a large object, so that reads by choice and by array are both met.
    #[test]
    fn sparse_tables_read_right(
        bytes in any::<[[u8; INPUT]; WORLDS]>(),
        numbers in prop::collection::vec((0..300usize, any::<u64>()), 0..120),
        reads in prop::collection::vec((place(), width()), 1..6),
    ) {
        let write = |&(at, bits): &(usize, u64)| Step::Write { place: Place::Known(at), width: 16, data: Data::Number(bits) };
        let mut steps: Vec<Step> = numbers.iter().map(write).collect();
        steps.extend(reads.iter().map(|&(place, width)| Step::Read { place, width }));
        execute(&mut Bench::new(&bytes), (300, 1), (false, false), &steps);
    }
}

#[test]
fn a_copy_of_a_whole_input_is_still_that_input() {
    let mut pool = Pool::new();
    let input = pool.input("x", 40);
    let source = Contents::of_array(40, input);
    let mut whole = Contents::zeroed(40);
    whole.copy_from(&mut pool, 0, &source, 0, 40);
    assert_eq!(whole.to_array(&mut pool), input);
    let mut byte_by_byte = Contents::zeroed(40);
    for i in 0..40 {
        byte_by_byte.copy_from(&mut pool, i, &source, i, 1);
    }
    assert_eq!(byte_by_byte.to_array(&mut pool), input);
}

#[test]
fn contents_overwritten_by_numbers_need_no_terms() {
    let mut pool = Pool::new();
    let input = pool.input("x", 8);
    let mut contents = Contents::of_array(8, input);
    contents.write_concrete(0, 4, 7);
    assert_eq!(contents.concrete_bytes(), None);
    contents.write_bytes(4, &[1, 2, 3, 4]);
    assert_eq!(contents.concrete_bytes().as_deref(), Some(&[7, 0, 0, 0, 1, 2, 3, 4][..]));
}

#[test]
fn a_large_object_of_which_little_is_used_costs_little() {
    let mut pool = Pool::new();
    let input = pool.input("x", 1);
    let byte = pool.select_at(input, 0);
    let table = 1000 * size_of::<usize>();
    let mut contents = Contents::zeroed(1000 * PAGE);
    contents.fill(5, 20 * PAGE, 0);
    assert_eq!(contents.footprint(), table);
    contents.write_byte(&pool, 10 * PAGE + 3, byte);
    contents.write_concrete(20 * PAGE, 8, 1);
    let overlay = PAGE / BLOCK * size_of::<usize>() + BLOCK * size_of::<u32>();
    assert_eq!(contents.footprint(), table + 2 * PAGE + overlay, "an overlay for one of the two pages only");
    contents.write_bytes(20 * PAGE, &[0; PAGE]);
    assert_eq!(contents.footprint(), table + PAGE + overlay, "a page of zeros is gone again");
    contents.write_concrete(10 * PAGE, 8, 0);
    assert_eq!(contents.footprint(), table + PAGE, "its only symbolic byte has been overwritten");
    assert_eq!(Contents::of_array(1000 * PAGE, input).footprint(), table);
}

#[test]
fn copies_share_the_pages_that_neither_side_writes() {
    let mut pool = Pool::new();
    let original = Contents::of((0..20 * PAGE).map(|i| (i % 250) as u8 + 1).collect());
    let mut fork = original.clone();
    fork.write_concrete(3 * PAGE - 1, 2, 0);
    let shared = |a: &Contents, b: &Contents| (0..20).filter(|i| a.shares_page(b, i * PAGE)).count();
    assert_eq!(shared(&fork, &original), 18, "the write touched two pages");
    let mut moved = Contents::zeroed(30 * PAGE);
    moved.copy_from(&mut pool, 0, &original, 0, 20 * PAGE);
    assert_eq!(shared(&moved, &original), 20);
    moved.copy_from(&mut pool, 1, &fork, PAGE, 8 * PAGE);
    assert_eq!(shared(&moved, &original), 11, "pages that do not coincide are copied");
}

#[test]
fn a_page_that_is_shared_shows_in_the_array_too() {
    let mut pool = Pool::new();
    let source = Contents::of(vec![7; 20 * PAGE]);
    let mut target = Contents::zeroed(30 * PAGE);
    let before = target.to_array(&mut pool);
    target.copy_from(&mut pool, PAGE, &source, 2 * PAGE, PAGE);
    assert!(source.page(2 * PAGE).0.zip(target.page(PAGE).0).is_some_and(|(a, b)| std::ptr::eq(a, b)));
    let after = target.to_array(&mut pool);
    let bytes = [before, after].map(|array| pool.select_at(array, PAGE as u64));
    assert_eq!(bytes.map(|byte| pool.as_const(byte)), [Some(0), Some(7)]);
}

/// The objects that a pointer leads to are read off a choice; after an array read each has to be asked for.
#[test]
fn a_table_of_many_addresses_is_a_choice_and_of_many_numbers_an_array() {
    let mut pool = Pool::new();
    let input = pool.input("i", 1);
    let byte = pool.select_at(input, 0);
    let index = pool.zext(byte, 64);
    let eight = pool.constant(64, 8);
    let offset = pool.mul(index, eight);
    let first = 0x1000 << crate::WINDOW_BITS;
    let mut read = |word: &dyn Fn(u64) -> u64| {
        let table = Contents::of((0..256).flat_map(|i| word(i).to_le_bytes()).collect());
        let value = table.read_at(&mut pool, offset, 64);
        matches!(pool.node(value), Node::Ite { .. })
    };
    assert!(read(&|i| first + (i << crate::WINDOW_BITS)));
    assert!(!read(&|i| i * 3));
    assert!(!read(&|i| if i == 255 { 5 } else { first + (i << crate::WINDOW_BITS) }));
}

/// A hash table after an insertion under an unknown key: what is in its buckets is still read off their shape.
#[test]
fn a_table_of_pointers_that_one_was_written_to_at_a_symbolic_place_is_a_choice() {
    let mut pool = Pool::new();
    let input = pool.input("i", 2);
    let [put, got] = [0, 1].map(|i| {
        let byte = pool.select_at(input, i);
        let (index, twenty, four) = (pool.zext(byte, 64), pool.constant(64, 20), pool.constant(64, 4));
        let index = pool.urem(index, twenty);
        let (entry, eight) = (pool.shl(index, four), pool.constant(64, 8));
        pool.add(entry, eight)
    });
    let address = |i: u64| (0x1000 + i) << crate::WINDOW_BITS;
    let mut table = Contents::zeroed(320);
    for i in 0..10 {
        table.write(&mut pool, 32 * i + 8, 64, Value::Int(address(i as u64)));
    }
    table.write_at(&mut pool, put, 64, Value::Int(address(77)));
    let read = table.read_at(&mut pool, got, 64);
    assert!(matches!(pool.node(read), Node::Ite { .. }));
    for (i, j) in [(0, 0), (3, 3), (3, 4), (4, 3), (19, 0), (7, 19)] {
        let mut world = Assignment::new();
        world.set(input, vec![i, j].into());
        let before = if j % 2 == 0 { address(u64::from(j) / 2) } else { 0 };
        let expected = if i == j { address(77) } else { before };
        assert_eq!(eval(&pool, read, &world) as u64, expected, "{i} {j}");
    }
    // Any byte of an input is no choice over constants.
    let byte = pool.select_at(input, 0);
    table.write(&mut pool, 8, 8, Value::Term(byte));
    let read = table.read_at(&mut pool, got, 64);
    assert!(!matches!(pool.node(read), Node::Ite { .. }));
}
