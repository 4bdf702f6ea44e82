//! Names a slice by what it says and not by what its input bytes are called: the same question about another object, at
//! another offset or in another program gets the same key.
//!
//! Every term has a [`Form`]: a hash of its structure in which input bytes are numbered in the order of their first
//! appearance, and the list of those bytes. Forms are made from the forms of the operands, once for each term, so that
//! a slice costs as many steps as its constraints have bytes, whatever their size.
//!
//! **Two slices with one key differ only by a renaming of bytes.** The hash is cryptographic and covers operators,
//! widths, constants, contents of tables and which byte stands where. An array that is read at a symbolic index is one
//! thing: it has its size in the hash, and its bytes keep their offsets in it. The way back is not guaranteed: where
//! nothing but names tells two constraints or two operands of a commutative operator apart, the order of the bytes in
//! the pool decides, and another order there may give another key.

use std::rc::Rc;

use osier_term::{Array, ArrayNode, BvOp, CmpOp, Node, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::bytesets::ByteSet;
use crate::domains::one_byte;
use crate::set_table::SetTable;

/// Changes whenever the same slice gets another key or a stored model another meaning, so that a store of answers made
/// before is not used.
pub const KEY_VERSION: u32 = 1;

/// How often the colours of constraints and bytes are refined by those of their neighbours.
const ROUNDS: usize = 3;

/// Up to so many bytes are searched one by one; beyond, a map is worth its price.
const FEW: usize = 16;

/// So many places all forms have together, those that share a list counted once: 64 MiB.
const MOST_PLACES: usize = 1 << 23;

/// The name of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key(pub [u8; 16]);

/// One input byte, or all of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub array: Array,
    /// The offset of the byte; [`Place::WHOLE`] for an array that is read at symbolic indices.
    pub at: u32,
}

impl Place {
    pub(crate) const WHOLE: u32 = u32::MAX;
    /// What is written in place of an offset for a byte of an array that is not read as a whole.
    const ALONE: u32 = u32::MAX - 1;
}

/// A slice under its key, and what is behind the numbers that the key is made of.
#[derive(Debug)]
pub(crate) struct Canonical {
    pub key: Key,
    /// The key of what the slice says of several bytes together. All slices that share it number their places alike.
    pub core: Key,
    /// Bytes and arrays in the order of their numbers.
    pub places: Vec<Place>,
    /// The values that each place may have by what the slice says of it alone; all for an array.
    pub allowed: Vec<ByteSet>,
}

#[derive(Clone)]
struct Form {
    hash: [u8; 16],
    places: Rc<[Place]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Term(Term),
    Array(Array),
}

/// The forms of all terms that were met.
pub(crate) struct Forms {
    known: FxHashMap<Item, Form>,
    limit: usize,
    /// How many places are in the lists that were made for them.
    places: usize,
    nowhere: Rc<[Place]>,
    sets: SetTable,
}

impl Forms {
    /// Forgets everything when there are more than `limit` forms, or too many places in them.
    pub(crate) fn new(limit: usize, sets: SetTable) -> Self {
        Forms { known: FxHashMap::default(), limit, places: 0, nowhere: Rc::from([]), sets }
    }

    /// The constraints, each once, under a common key. What they say of a single byte becomes one set of values,
    /// however it is said.
    pub(crate) fn canonical(&mut self, pool: &mut Pool, constraints: &[Term]) -> Canonical {
        if self.known.len() > self.limit || self.places > MOST_PLACES {
            self.known.clear();
            self.places = 0;
        }
        let forms: SmallVec<[Form; 16]> = constraints.iter().map(|&c| self.form(pool, Item::Term(c))).collect();
        let whole = whole_arrays(&forms);
        let mut core: SmallVec<[Form; 16]> = SmallVec::new();
        let mut sets: FxHashMap<Place, ByteSet> = FxHashMap::default();
        for (form, &constraint) in forms.into_iter().zip(constraints) {
            let byte = match form.places[..] {
                [place] if !whole.contains(&place.array) => Some(place),
                _ => None,
            };
            match byte.and_then(|place| Some((place, self.set_of(pool, constraint)?))) {
                Some((place, set)) => {
                    let known = sets.entry(place).or_insert(ByteSet::ALL);
                    *known = known.zip(set, |a, b| a & b);
                }
                None => core.push(form),
            }
        }
        let (core, mut places) = arrange(&core, &whole);
        let mut allowed: Vec<ByteSet> = places.iter().map(|place| sets.remove(place).unwrap_or(ByteSet::ALL)).collect();
        // Bytes that nothing binds to others.
        let mut free: Vec<([u64; 4], Place)> = sets.into_iter().map(|(place, set)| (set.0, place)).collect();
        free.sort_unstable();
        for (set, place) in free {
            places.push(place);
            allowed.push(ByteSet(set));
        }
        let mut hash = Hasher::of(&[u32::MAX]);
        hash.bytes(&core.0);
        for word in allowed.iter().flat_map(|set| set.0) {
            hash.bytes(&word.to_le_bytes());
        }
        Canonical { key: Key(hash.finish()), core, places, allowed }
    }

    /// For which values of the only byte that it speaks of a constraint holds.
    fn set_of(&mut self, pool: &mut Pool, constraint: Term) -> Option<ByteSet> {
        let byte = one_byte(&pool.support(constraint))?;
        self.sets.set_of(pool, constraint, byte)
    }

    fn form(&mut self, pool: &Pool, wanted: Item) -> Form {
        if let Some(form) = self.known.get(&wanted) {
            return form.clone();
        }
        let mut pending = vec![wanted];
        while let Some(&item) = pending.last() {
            if self.known.contains_key(&item) {
                pending.pop();
                continue;
            }
            let waiting = pending.len();
            for_each_part(pool, item, |part| {
                if !self.known.contains_key(&part) {
                    pending.push(part);
                }
            });
            if pending.len() == waiting {
                let form = self.make(pool, item);
                if Rc::strong_count(&form.places) == 1 {
                    self.places += form.places.len();
                }
                self.known.insert(item, form);
                pending.pop();
            }
        }
        self.known[&wanted].clone()
    }

    /// All parts are known. Every kind of node begins with a number of its own, and the number says what follows.
    fn make(&self, pool: &Pool, item: Item) -> Form {
        match item {
            Item::Term(t) => self.make_term(pool, t),
            Item::Array(array) => match pool.array_node(array) {
                ArrayNode::Input { size, .. } => {
                    self.leaf(Hasher::of(&[9, size]), Some(Place { array, at: Place::WHOLE }))
                }
                ArrayNode::Table { bytes } => {
                    let mut hash = Hasher::of(&[10]);
                    hash.bytes(bytes);
                    self.leaf(hash, None)
                }
                ArrayNode::Store { array, index, value } => {
                    self.join(Hasher::of(&[11]), &[self.array(array), self.term(index), self.term(value)])
                }
            },
        }
    }

    fn make_term(&self, pool: &Pool, t: Term) -> Form {
        let part = |t| self.term(t);
        match pool.node(t) {
            Node::Const { width, value } => {
                let mut hash = Hasher::of(&[0, width]);
                hash.bytes(&value.to_le_bytes());
                self.leaf(hash, None)
            }
            Node::Select { array, index } => match byte_of(pool, array, index) {
                Some(place) => self.leaf(Hasher::of(&[1]), Some(place)),
                None => self.join(Hasher::of(&[2]), &[self.array(array), part(index)]),
            },
            Node::Not(a) => self.join(Hasher::of(&[3]), &[part(a)]),
            Node::Concat { high, low } => self.join(Hasher::of(&[4]), &[part(high), part(low)]),
            Node::Extract { term, low, width } => self.join(Hasher::of(&[5, low, width]), &[part(term)]),
            Node::ZExt { term, width } => self.join(Hasher::of(&[6, width]), &[part(term)]),
            Node::SExt { term, width } => self.join(Hasher::of(&[7, width]), &[part(term)]),
            Node::Ite { cond, then, other } => self.join(Hasher::of(&[8]), &[part(cond), part(then), part(other)]),
            Node::Bin { op, a, b } => {
                let operands = if op.is_commutative() { in_order(part(a), part(b)) } else { [part(a), part(b)] };
                self.join(Hasher::of(&[16 + op_number(op)]), &operands)
            }
            Node::Cmp { op, a, b } => {
                let operands = if op == CmpOp::Eq { in_order(part(a), part(b)) } else { [part(a), part(b)] };
                self.join(Hasher::of(&[32 + cmp_number(op)]), &operands)
            }
        }
    }

    fn term(&self, t: Term) -> &Form {
        &self.known[&Item::Term(t)]
    }

    fn array(&self, array: Array) -> &Form {
        &self.known[&Item::Array(array)]
    }

    fn leaf(&self, hash: Hasher, place: Option<Place>) -> Form {
        let places = place.map_or_else(|| self.nowhere.clone(), |place| Rc::from([place]));
        Form { hash: hash.finish(), places }
    }

    /// The places of the first operand keep their numbers; for each of the others it is said which number in the whole
    /// each of its places has.
    fn join(&self, mut hash: Hasher, operands: &[&Form]) -> Form {
        let (first, others) = operands.split_first().expect("an operator has operands");
        hash.bytes(&first.hash);
        let mut joined = Joined::new(&first.places);
        for operand in others {
            hash.bytes(&operand.hash);
            for &place in operand.places.iter() {
                hash.number(joined.number(place));
            }
        }
        Form { hash: hash.finish(), places: joined.finish() }
    }
}

/// What has to be known before the form of an item can be made.
fn for_each_part(pool: &Pool, item: Item, mut each: impl FnMut(Item)) {
    match item {
        Item::Term(t) => match pool.node(t) {
            Node::Select { array, index } => {
                if byte_of(pool, array, index).is_none() {
                    each(Item::Array(array));
                    each(Item::Term(index));
                }
            }
            Node::Const { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. }
            | Node::Ite { .. } => pool.for_each_child(t, |child| each(Item::Term(child))),
        },
        Item::Array(array) => match pool.array_node(array) {
            ArrayNode::Input { .. } | ArrayNode::Table { .. } => {}
            ArrayNode::Store { array, index, value } => {
                each(Item::Array(array));
                each(Item::Term(index));
                each(Item::Term(value));
            }
        },
    }
}

/// The input byte that a read at a constant index gives.
fn byte_of(pool: &Pool, array: Array, index: Term) -> Option<Place> {
    let ArrayNode::Input { size, .. } = pool.array_node(array) else { return None };
    let at = u32::try_from(pool.as_const(index)?).ok()?;
    (at < size.min(Place::ALONE)).then_some(Place { array, at })
}

/// The operands of a commutative operator, in an order in which names do not count as long as anything else does.
fn in_order<'a>(a: &'a Form, b: &'a Form) -> [&'a Form; 2] {
    if (&a.hash, &a.places) <= (&b.hash, &b.places) { [a, b] } else { [b, a] }
}

fn op_number(op: BvOp) -> u32 {
    match op {
        BvOp::Add => 0,
        BvOp::Sub => 1,
        BvOp::Mul => 2,
        BvOp::UDiv => 3,
        BvOp::SDiv => 4,
        BvOp::URem => 5,
        BvOp::SRem => 6,
        BvOp::Shl => 7,
        BvOp::LShr => 8,
        BvOp::AShr => 9,
        BvOp::And => 10,
        BvOp::Or => 11,
        BvOp::Xor => 12,
    }
}

fn cmp_number(op: CmpOp) -> u32 {
    match op {
        CmpOp::Eq => 0,
        CmpOp::Ult => 1,
        CmpOp::Ule => 2,
        CmpOp::Slt => 3,
        CmpOp::Sle => 4,
    }
}

/// Collects places. As long as none is new, the list of the first operand is shared and not copied.
struct Joined<'a> {
    first: &'a Rc<[Place]>,
    new: Vec<Place>,
    numbers: FxHashMap<Place, u32>,
}

impl<'a> Joined<'a> {
    fn new(first: &'a Rc<[Place]>) -> Self {
        Joined { first, new: Vec::new(), numbers: FxHashMap::default() }
    }

    fn number(&mut self, place: Place) -> u32 {
        let count = self.first.len() + self.new.len();
        if count <= FEW {
            if let Some(at) = self.first.iter().chain(&self.new).position(|&known| known == place) {
                return at as u32;
            }
            self.new.push(place);
            return count as u32;
        }
        if self.numbers.is_empty() {
            self.numbers.extend(self.first.iter().chain(&self.new).copied().zip(0..));
        }
        *self.numbers.entry(place).or_insert_with(|| {
            self.new.push(place);
            count as u32
        })
    }

    fn finish(self) -> Rc<[Place]> {
        if self.new.is_empty() {
            return self.first.clone();
        }
        self.first.iter().copied().chain(self.new).collect()
    }
}

/// A place of a constraint as the slice sees it: what is numbered, and where in that.
#[derive(Clone, Copy)]
struct Use {
    /// An index into the list of what the slice speaks of.
    thing: u32,
    offset: u32,
}

/// The arrays that some form reads at symbolic indices.
fn whole_arrays(forms: &[Form]) -> FxHashSet<Array> {
    let places = forms.iter().flat_map(|form| form.places.iter());
    places.filter(|place| place.at == Place::WHOLE).map(|place| place.array).collect()
}

/// Puts constraints in an order that does not depend on names, numbers what they speak of by first appearance, and
/// hashes both.
fn arrange(forms: &[Form], whole: &FxHashSet<Array>) -> (Key, Vec<Place>) {
    let nothing: Rc<[Place]> = Rc::from([]);
    let mut things = Joined::new(&nothing);
    let mut uses: Vec<Use> = Vec::new();
    let mut starts: SmallVec<[usize; 17]> = SmallVec::new();
    for form in forms {
        starts.push(uses.len());
        for &place in form.places.iter() {
            uses.push(if whole.contains(&place.array) {
                Use { thing: things.number(Place { array: place.array, at: Place::WHOLE }), offset: place.at }
            } else {
                Use { thing: things.number(place), offset: Place::ALONE }
            });
        }
    }
    starts.push(uses.len());
    let things = things.finish();
    let uses_of = |i: usize| &uses[starts[i]..starts[i + 1]];
    let colours = colours(forms, things.len(), uses_of);
    let mut order: SmallVec<[usize; 16]> = (0..forms.len()).collect();
    order.sort_by(|&i, &j| {
        let (a, b) = (&forms[i], &forms[j]);
        a.hash.cmp(&b.hash).then_with(|| colours[i].cmp(&colours[j])).then_with(|| a.places.cmp(&b.places))
    });
    let mut hash = Hasher::of(&[]);
    let mut numbers = vec![u32::MAX; things.len()];
    let mut places = Vec::with_capacity(things.len());
    for i in order {
        hash.bytes(&forms[i].hash);
        for used in uses_of(i) {
            let number = &mut numbers[used.thing as usize];
            if *number == u32::MAX {
                *number = places.len() as u32;
                places.push(things[used.thing as usize]);
            }
            hash.number(*number);
            hash.number(used.offset);
        }
    }
    (Key(hash.finish()), places)
}

/// A number for each constraint that depends on its neighbours and not on names: constraints with one form that stand
/// in different surroundings mostly get different ones.
fn colours<'a>(forms: &[Form], things: usize, uses_of: impl Fn(usize) -> &'a [Use]) -> Vec<u64> {
    let mut of_constraints = vec![0u64; forms.len()];
    let mut hashes: SmallVec<[&[u8; 16]; 16]> = forms.iter().map(|form| &form.hash).collect();
    hashes.sort_unstable();
    if hashes.windows(2).all(|pair| pair[0] != pair[1]) {
        return of_constraints;
    }
    let mut of_things = vec![1u64; things];
    for _ in 0..ROUNDS {
        for (i, form) in forms.iter().enumerate() {
            let own = u64::from_le_bytes(form.hash[..8].try_into().expect("eight bytes"));
            of_constraints[i] = uses_of(i)
                .iter()
                .fold(own, |colour, used| mix(mix(colour, of_things[used.thing as usize]), u64::from(used.offset)));
        }
        let before = std::mem::replace(&mut of_things, vec![1; things]);
        for (i, &colour) in of_constraints.iter().enumerate() {
            for (position, used) in uses_of(i).iter().enumerate() {
                let seen = mix(mix(colour, position as u64), u64::from(used.offset));
                let sum = &mut of_things[used.thing as usize];
                *sum = sum.wrapping_add(mix(seen, before[used.thing as usize]));
            }
        }
    }
    of_constraints
}

/// The folded multiply of wyhash.
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Numbers and bytes under one cryptographic hash.
struct Hasher(SmallVec<[u8; 128]>);

impl Hasher {
    fn of(numbers: &[u32]) -> Self {
        let mut hash = Hasher(SmallVec::new());
        for &number in numbers {
            hash.number(number);
        }
        hash
    }

    fn number(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> [u8; 16] {
        let digest = blake3::hash(&self.0);
        digest.as_bytes()[..16].try_into().expect("a digest has 32 bytes")
    }
}
