//! Evaluates a term for all 256 values of the one input byte that it depends on, side by side, or for 256 combinations
//! of values of several bytes.
//!
//! Conditions become sets of byte values, wider terms become 256 lanes of 64 bits. Loops over lanes have no branches
//! that depend on the operator, so the compiler makes vector code of them. Terms wider than 64 bits, which are rare,
//! have lanes of 128 bits and plain loops.

mod program;
mod reads;

use std::rc::Rc;

use osier_term::{Array, ArrayNode, Assignment, BvOp, CmpOp, Evaluator, Node, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bytesets::ByteSet;
use crate::set_table::Known;

pub(crate) use program::Program;
use reads::Inputs;

pub(crate) type Lanes = [u64; 256];
type WideLanes = [u128; 256];

/// Where an input byte lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    pub(crate) array: Array,
    pub(crate) size: u32,
    pub(crate) index: u32,
}

/// Finds the input array below `term` that has the byte with this global number.
pub(crate) fn find_home(pool: &Pool, term: Term, byte: u32) -> Option<Home> {
    let mut seen = FxHashSet::default();
    let mut open = vec![term];
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        pool.for_each_child(t, |child| open.push(child));
        if let Node::Select { mut array, .. } = pool.node(t) {
            while let ArrayNode::Store { array: older, .. } = pool.array_node(array) {
                array = older;
            }
            if let ArrayNode::Input { size, first_byte, .. } = pool.array_node(array)
                && (first_byte..first_byte + size).contains(&byte)
            {
                return Some(Home { array, size, index: byte - first_byte });
            }
        }
    }
    None
}

/// What is computed at most where the asker sets no limit: about a millisecond. A backend takes less for more.
const MOST_COMPUTED: usize = 1 << 12;
/// Writes that a read looks at for the price of one term that is computed.
const WRITES: usize = 4;

/// What it costs to compute a term: a read looks at every write before it.
fn cost(pool: &Pool, t: Term) -> usize {
    let Node::Select { mut array, .. } = pool.node(t) else { return 1 };
    let mut writes = 0;
    while let ArrayNode::Store { array: older, .. } = pool.array_node(array) {
        array = older;
        writes += 1;
    }
    1 + writes / WRITES
}

/// The parts of a term that are computed before it. Constants that are written to arrays are none: long tables are
/// written byte by byte.
fn for_each_part(pool: &Pool, t: Term, mut each: impl FnMut(Term)) {
    let reads = matches!(pool.node(t), Node::Select { .. });
    let mut is_index = true;
    pool.for_each_child(t, |child| {
        if is_index || !reads || pool.as_const(child).is_none() {
            each(child);
        }
        is_index = false;
    });
}

/// For which values of `byte` the width-1 `term` is true. `None` if another byte is read on the way, or if it is too much
/// to compute. All width-1 terms and reads on the way are remembered in `known`.
pub(crate) fn truth_set(pool: &Pool, term: Term, byte: u32, known: &mut Known) -> Option<ByteSet> {
    let mut work = Work::new(pool, Inputs::One { byte, others: None });
    let mut left = MOST_COMPUTED;
    let mut open = vec![(term, false)];
    while let Some((t, children_done)) = open.pop() {
        if work.values.contains_key(&t) {
            continue;
        }
        if !children_done {
            if let Some(&mut set) = known.sets.get(&t) {
                work.values.insert(t, Value::Set(set));
                continue;
            }
            if let Some(read) = known.reads.get(&t) {
                work.values.insert(t, Value::Lanes(Rc::new(read.map(u64::from))));
                continue;
            }
            left = left.checked_sub(cost(pool, t))?;
            open.push((t, true));
            for_each_part(pool, t, |child| open.push((child, false)));
            continue;
        }
        let value = work.compute(t)?;
        match (pool.node(t), &value) {
            (Node::Const { .. }, _) => {}
            (_, Value::Set(set)) => known.sets.insert(t, *set),
            (Node::Select { index, .. }, Value::Lanes(read)) if pool.as_const(index).is_none() => {
                known.reads.insert(t, Box::new(read.map(|byte| byte as u8)));
            }
            (_, Value::Lanes(_) | Value::Wide(_)) => {}
        }
        work.values.insert(t, value);
    }
    match work.values.remove(&term)? {
        Value::Set(set) => Some(set),
        Value::Lanes(_) | Value::Wide(_) => None,
    }
}

/// What `term`, which speaks of no other byte and is at most 64 bits wide, is for each value of `byte`. None if that is too
/// much to compute.
pub(crate) fn image(pool: &Pool, term: Term, byte: u32) -> Option<Rc<Lanes>> {
    let mut work = Work::new(pool, Inputs::One { byte, others: None });
    let mut left = MOST_COMPUTED;
    let mut open = vec![(term, false)];
    while let Some((t, children_done)) = open.pop() {
        if work.values.contains_key(&t) {
            continue;
        }
        if !children_done {
            left = left.checked_sub(cost(pool, t))?;
            open.push((t, true));
            for_each_part(pool, t, |child| open.push((child, false)));
            continue;
        }
        let value = work.compute(t)?;
        work.values.insert(t, value);
    }
    (pool.width(term) <= 64).then(|| work.lanes(term))
}

/// For which values of the byte at `home` the width-1 `term` is true while all other bytes stay as they are in
/// `fixed`. None, too, if what depends on the byte costs more than `budget` has left, from which it is taken.
pub(crate) fn truth_set_near(
    pool: &Pool,
    term: Term,
    (home, byte): (Home, u32),
    fixed: &Assignment,
    evaluator: &mut Evaluator<'_>,
    budget: &mut usize,
) -> Option<ByteSet> {
    let mut work = Work::new(pool, Inputs::One { byte, others: Some(fixed) });
    let depends = dependent(pool, term, home, budget)?;
    *budget = budget.checked_sub(depends.iter().map(|&t| cost(pool, t)).sum())?;
    let mut open = vec![(term, false)];
    while let Some((t, children_done)) = open.pop() {
        if work.values.contains_key(&t) {
            continue;
        }
        if !depends.contains(&t) {
            let value = evaluator.eval(t);
            work.values.insert(t, narrowed(pool.width(t), |_| value));
            continue;
        }
        if !children_done {
            open.push((t, true));
            for_each_part(pool, t, |child| open.push((child, false)));
            continue;
        }
        let value = work.compute(t)?;
        work.values.insert(t, value);
    }
    match work.values.remove(&term)? {
        Value::Set(set) => Some(set),
        Value::Lanes(_) | Value::Wide(_) => None,
    }
}

/// Terms that are looked at for the price of one that is computed for all values.
const LOOKS: usize = 8;

/// The terms at and below `term` that a byte can change. None if there are too many to look at.
fn dependent(pool: &Pool, term: Term, home: Home, budget: &mut usize) -> Option<FxHashSet<Term>> {
    let most = budget.saturating_mul(LOOKS);
    let (mut depends, mut seen, mut looked) = (FxHashSet::default(), FxHashSet::default(), 0);
    let mut open = vec![(term, false)];
    while let Some((t, children_done)) = open.pop() {
        if children_done {
            let mut any = reads(pool, t, home);
            pool.for_each_child(t, |child| any |= depends.contains(&child));
            if any {
                depends.insert(t);
            }
            continue;
        }
        if seen.insert(t) {
            looked += cost(pool, t);
            if looked > most {
                *budget = 0;
                return None;
            }
            open.push((t, true));
            pool.for_each_child(t, |child| open.push((child, false)));
        }
    }
    *budget -= looked / LOOKS;
    Some(depends)
}

fn reads(pool: &Pool, t: Term, home: Home) -> bool {
    let Node::Select { mut array, index } = pool.node(t) else { return false };
    while let ArrayNode::Store { array: older, .. } = pool.array_node(array) {
        array = older;
    }
    array == home.array && pool.as_const(index).is_none_or(|index| index == u128::from(home.index))
}

/// What a term is for each value of the byte. A set if and only if the term is one bit wide.
#[derive(Clone)]
enum Value {
    Set(ByteSet),
    Lanes(Rc<Lanes>),
    /// More than 64 bits.
    Wide(Rc<WideLanes>),
}

struct Work<'a> {
    pool: &'a Pool,
    inputs: Inputs<'a>,
    values: FxHashMap<Term, Value>,
}

impl<'a> Work<'a> {
    fn new(pool: &'a Pool, inputs: Inputs<'a>) -> Self {
        Work { pool, inputs, values: FxHashMap::default() }
    }
}

impl Work<'_> {
    /// The value of a term whose children are computed.
    fn compute(&self, t: Term) -> Option<Value> {
        let width = self.pool.width(t);
        let mut wide = width > 64;
        self.pool.for_each_child(t, |child| wide |= self.pool.width(child) > 64);
        if wide {
            return Some(self.compute_wide(t, width));
        }
        Some(match self.pool.node(t) {
            Node::Const { value, .. } => self.pack(width, |_| value as u64),
            Node::Select { array, index } => self.read(array, index)?,
            Node::Bin { op, a, b } => self.bin(op, a, b, width),
            Node::Cmp { op, a, b } => Value::Set(self.cmp(op, a, b)),
            Node::Not(a) => match self.value(a) {
                Value::Set(set) => Value::Set(set.complement()),
                Value::Lanes(_) | Value::Wide(_) => {
                    let a = self.lanes(a);
                    self.pack(width, |v| !a[v])
                }
            },
            Node::Concat { high, low } => {
                let shift = self.pool.width(low);
                let (high, low) = (self.lanes(high), self.lanes(low));
                self.pack(width, |v| high[v] << shift | low[v])
            }
            Node::Extract { term, low, .. } => {
                let a = self.lanes(term);
                self.pack(width, |v| a[v] >> low)
            }
            Node::ZExt { term, .. } => {
                let a = self.lanes(term);
                self.pack(width, |v| a[v])
            }
            Node::SExt { term, .. } => {
                let from = self.pool.width(term);
                let a = self.lanes(term);
                self.pack(width, |v| signed(a[v], from) as u64)
            }
            Node::Ite { cond, then, other } => {
                let cond = self.lanes(cond);
                let (then, other) = (self.lanes(then), self.lanes(other));
                self.pack(width, |v| if cond[v] != 0 { then[v] } else { other[v] })
            }
        })
    }

    /// As [`Self::compute`], where the term or one of its children is wider than 64 bits.
    fn compute_wide(&self, t: Term, width: u32) -> Value {
        match self.pool.node(t) {
            Node::Const { value, .. } => narrowed(width, |_| value),
            Node::Bin { op, a, b } => {
                let (a, b) = (self.wide(a), self.wide(b));
                narrowed(width, |v| osier_term::apply(op, width, a[v], b[v]))
            }
            Node::Cmp { op, a, b } => {
                let of = self.pool.width(a);
                let (a, b) = (self.wide(a), self.wide(b));
                Value::Set(collect(|v| osier_term::compare(op, of, a[v], b[v])))
            }
            Node::Not(a) => {
                let a = self.wide(a);
                narrowed(width, |v| !a[v])
            }
            Node::Concat { high, low } => {
                let shift = self.pool.width(low);
                let (high, low) = (self.wide(high), self.wide(low));
                narrowed(width, |v| high[v] << shift | low[v])
            }
            Node::Extract { term, low, .. } => {
                let a = self.wide(term);
                narrowed(width, |v| a[v] >> low)
            }
            Node::ZExt { term, .. } => {
                let a = self.wide(term);
                narrowed(width, |v| a[v])
            }
            Node::SExt { term, .. } => {
                let from = self.pool.width(term);
                let a = self.wide(term);
                narrowed(width, |v| osier_term::sign_extend(from, a[v]) as u128)
            }
            Node::Ite { cond, then, other } => {
                let cond = self.wide(cond);
                let (then, other) = (self.wide(then), self.wide(other));
                narrowed(width, |v| if cond[v] != 0 { then[v] } else { other[v] })
            }
            Node::Select { .. } => unreachable!("bytes and their indices are not wide"),
        }
    }

    fn wide(&self, t: Term) -> Rc<WideLanes> {
        match &self.values[&t] {
            Value::Wide(lanes) => lanes.clone(),
            Value::Lanes(lanes) => Rc::new(std::array::from_fn(|v| lanes[v].into())),
            Value::Set(set) => Rc::new(std::array::from_fn(|v| set.contains(v as u8).into())),
        }
    }

    fn value(&self, t: Term) -> Value {
        self.values[&t].clone()
    }

    fn lanes(&self, t: Term) -> Rc<Lanes> {
        match &self.values[&t] {
            Value::Lanes(lanes) => lanes.clone(),
            Value::Set(set) => Rc::new(std::array::from_fn(|v| set.0[v / 64] >> (v % 64) & 1)),
            Value::Wide(_) => unreachable!("terms with wide children are computed apart"),
        }
    }

    /// Masks to `width` bits; one bit becomes a set.
    fn pack(&self, width: u32, lane: impl Fn(usize) -> u64) -> Value {
        if width == 1 {
            Value::Set(collect(|v| lane(v) & 1 == 1))
        } else {
            let mask = mask(width);
            Value::Lanes(Rc::new(std::array::from_fn(|v| lane(v) & mask)))
        }
    }

    fn bin(&self, op: BvOp, a: Term, b: Term, width: u32) -> Value {
        if let (Value::Set(a), Value::Set(b)) = (&self.values[&a], &self.values[&b]) {
            match op {
                BvOp::And | BvOp::Mul => return Value::Set(a.zip(*b, |a, b| a & b)),
                BvOp::Or => return Value::Set(a.zip(*b, |a, b| a | b)),
                BvOp::Xor | BvOp::Add | BvOp::Sub => return Value::Set(a.zip(*b, |a, b| a ^ b)),
                BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem | BvOp::Shl | BvOp::LShr | BvOp::AShr => {}
            }
        }
        let (a, b) = (self.lanes(a), self.lanes(b));
        let (w, ones) = (u64::from(width), mask(width));
        let sign = |x: u64| signed(x, width);
        match op {
            BvOp::Add => self.pack(width, |v| a[v].wrapping_add(b[v])),
            BvOp::Sub => self.pack(width, |v| a[v].wrapping_sub(b[v])),
            BvOp::Mul => self.pack(width, |v| a[v].wrapping_mul(b[v])),
            BvOp::UDiv => self.pack(width, |v| a[v].checked_div(b[v]).unwrap_or(ones)),
            BvOp::URem => self.pack(width, |v| a[v].checked_rem(b[v]).unwrap_or(a[v])),
            BvOp::SDiv => self.pack(width, |v| match (sign(a[v]), sign(b[v])) {
                (x, 0) => {
                    if x < 0 {
                        1
                    } else {
                        ones
                    }
                }
                (x, y) => x.wrapping_div(y) as u64,
            }),
            BvOp::SRem => self.pack(width, |v| match (sign(a[v]), sign(b[v])) {
                (_, 0) => a[v],
                (x, y) => x.wrapping_rem(y) as u64,
            }),
            BvOp::Shl => self.pack(width, |v| if b[v] >= w { 0 } else { a[v] << b[v] }),
            BvOp::LShr => self.pack(width, |v| if b[v] >= w { 0 } else { a[v] >> b[v] }),
            BvOp::AShr => self.pack(width, |v| (sign(a[v]) >> b[v].min(63)) as u64),
            BvOp::And => self.pack(width, |v| a[v] & b[v]),
            BvOp::Or => self.pack(width, |v| a[v] | b[v]),
            BvOp::Xor => self.pack(width, |v| a[v] ^ b[v]),
        }
    }

    fn cmp(&self, op: CmpOp, a: Term, b: Term) -> ByteSet {
        let width = self.pool.width(a);
        if let (CmpOp::Eq, Value::Set(a), Value::Set(b)) = (op, &self.values[&a], &self.values[&b]) {
            return a.zip(*b, |a, b| !(a ^ b));
        }
        let (a, b) = (self.lanes(a), self.lanes(b));
        match op {
            CmpOp::Eq => collect(|v| a[v] == b[v]),
            CmpOp::Ult => collect(|v| a[v] < b[v]),
            CmpOp::Ule => collect(|v| a[v] <= b[v]),
            CmpOp::Slt => collect(|v| signed(a[v], width) < signed(b[v], width)),
            CmpOp::Sle => collect(|v| signed(a[v], width) <= signed(b[v], width)),
        }
    }
}

/// A value from lanes of 128 bits, in the form that its width asks for.
fn narrowed(width: u32, lane: impl Fn(usize) -> u128) -> Value {
    let mask = osier_term::mask(width);
    match width {
        1 => Value::Set(collect(|v| lane(v) & 1 == 1)),
        2..=64 => Value::Lanes(Rc::new(std::array::from_fn(|v| (lane(v) & mask) as u64))),
        _ => Value::Wide(Rc::new(std::array::from_fn(|v| lane(v) & mask))),
    }
}

fn collect(holds: impl Fn(usize) -> bool) -> ByteSet {
    ByteSet(std::array::from_fn(|word| (0..64).fold(0, |bits, bit| bits | u64::from(holds(word * 64 + bit)) << bit)))
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The low `width` bits as a signed number.
fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (value << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of `len` bytes, each written by itself: x at place 3, else the place; read at 16 x modulo `len`.
    fn read_back(pool: &mut Pool, len: u32) -> Term {
        let input = pool.input("x", 1);
        let byte = pool.select_at(input, 0);
        let wide = pool.zext(byte, 64);
        let mut array = pool.table(&[0]);
        for i in 0..len {
            let (at, value) = (pool.constant(64, i.into()), pool.constant(8, u128::from(i % 256)));
            array = pool.store(array, at, if i == 3 { byte } else { value });
        }
        let len = pool.constant(64, len.into());
        let sixteen = pool.constant(64, 16);
        let far = pool.mul(wide, sixteen);
        let index = pool.urem(far, len);
        pool.select(array, index)
    }

    #[test]
    fn a_read_after_writes_is_what_evaluation_says() {
        for len in [10, 63, 5000] {
            let mut pool = Pool::new();
            let read = read_back(&mut pool, len);
            let mut known = Known::new(100);
            // The second question finds the read that the first has left.
            for limit in [5, 100] {
                let limit = pool.constant(8, limit);
                let small = pool.ult(read, limit);
                let byte = pool.support(small).intervals()[0].0;
                let set = truth_set(&pool, small, byte, &mut known).expect("one byte");
                let home = find_home(&pool, small, byte).expect("an input");
                for value in 0..=255u8 {
                    let mut world = Assignment::new();
                    world.set_byte(home.array, home.size, home.index, value);
                    assert_eq!(set.contains(value), osier_term::eval(&pool, small, &world) != 0, "{value} of {len}");
                }
            }
        }
    }

    #[test]
    fn more_writes_than_can_be_looked_at_in_time_are_left_to_others() {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let byte = pool.select_at(input, 0);
        let wide = pool.zext(byte, 64);
        // Few terms and many writes, any of which may be what is read.
        let mut array = pool.table(&[0]);
        for i in 0..WRITES * (MOST_COMPUTED + 1) {
            let times = pool.constant(64, (2 * (i % 16) + 3) as u128);
            let at = pool.mul(wide, times);
            array = pool.store(array, at, byte);
        }
        let square = pool.mul(wide, wide);
        let read = pool.select(array, square);
        let five = pool.constant(8, 5);
        let small = pool.ult(read, five);
        let byte = pool.support(small).intervals()[0].0;
        assert!(truth_set(&pool, small, byte, &mut Known::new(100)).is_none());
        assert!(image(&pool, read, byte).is_none());
        let (home, world) = (find_home(&pool, small, byte).expect("an input"), Assignment::new());
        let (mut evaluator, mut budget) = (Evaluator::new(&pool, &world), 4000);
        assert!(truth_set_near(&pool, small, (home, byte), &world, &mut evaluator, &mut budget).is_none());
    }
}
